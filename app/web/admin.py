"""What only an admin may do: test cases, examined first, then applied."""

import asyncio
import hashlib
import json
from typing import Annotated

import structlog
from fastapi import APIRouter, Body, Query, Request

from app.errors import Invalid
from app.problem import uploads
from app.problem.uploads import DryRun
from app.problem.versions import LENGTH
from app.web.body import json_route
from app.web.identity import documented, identifier, person_of, require
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.schemas import API
from app.web.upload_schemas import UploadIn, UploadOut

_UPLOAD_KIB = 16 * 1024
_log = structlog.get_logger()

DryRunFlag = Annotated[
    bool, Query(description="Only say what would happen; false stores the tests and serves them")
]


def router(parts: Parts) -> APIRouter:
    """The routes under /api/v1/admin. The token is looked at before anything else is read."""

    identify = identifier(parts)

    async def admit(request: Request) -> None:
        await identify(request)
        require(person_of(request), "admin", "admin")

    admin = APIRouter(
        prefix=f"{API}/admin",
        route_class=json_route(_UPLOAD_KIB, admit),
        responses=responses(401, 403),
        dependencies=[documented],
    )
    one_at_a_time = asyncio.Lock()

    @admin.post(
        "/problems/{family}/tests",
        responses=responses(400, 404, 408, 413, 415, 422, 503),
        tags=["admin"],
    )
    async def upload_tests(
        family: str,
        data: Annotated[UploadIn, Body()],
        request: Request,
        dry_run: DryRunFlag = True,
    ) -> UploadOut:
        """Add test cases to a family: the core answers them in a box, for every variant."""
        async with one_at_a_time:
            examined = await asyncio.to_thread(
                uploads.examine, parts.catalogue, family, data, parts.runner
            )
            version = None
            if not dry_run:
                version = await _apply(parts, examined, person_of(request).name or "")
        return await asyncio.to_thread(UploadOut.of, examined, version)

    return admin


async def _apply(parts: Parts, examined: DryRun, author: str) -> str:
    """Store what was examined as a new version, with what was uploaded before, and serve it.

    Raises Invalid where any test was refused: an upload is applied whole or not at all.
    """
    if examined.refusals:
        first = examined.refusals[0]
        raise Invalid(f"nothing was applied: {first.where}: {first.message}", examined.refusals)
    tests = (*parts.catalogue.uploaded(examined.family), *examined.accepted)
    kept = json.dumps([test.to_json() for test in tests], sort_keys=True)
    version = hashlib.sha256(kept.encode()).hexdigest()[:LENGTH]
    await parts.store.add_test_version(examined.family, version, kept, author)
    await asyncio.to_thread(parts.catalogue.overlay, examined.family, tests)
    _log.info("tests applied", family=examined.family, version=version, author=author)
    return version
