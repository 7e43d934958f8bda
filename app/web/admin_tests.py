"""Test cases over the REST API: examined first, then applied; every version stays."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from app.problem import upload_examples
from app.web import test_sets
from app.web.body import bounded, json_route
from app.web.identity import documented, identifier, person_of, require
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.schemas import API
from app.web.test_schemas import UPLOAD, ApplyIn, TestSetOut, UploadOut, VersionOut
from app.web.upload_files import UPLOAD_KIB, Format, as_lines, format_sent

DryRunFlag = Annotated[
    bool, Query(description="Only say what would happen; false stores the tests and serves them")
]
MutantsFlag = Annotated[
    bool,
    Query(
        description="In a dry run, also run the package's programs, mistakes and surviving mutants "
        "on the tests; to find the mutants takes a minute when the package is new"
    ),
]
EXAMPLE_TYPES = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "npz": "application/x-npz",
}


def router(parts: Parts) -> APIRouter:
    """The routes under /api/v1/admin/problems/{family}/tests.

    Who asks is known before anything else is read. Authors may change what is theirs.
    """

    identify = identifier(parts)

    async def admit(request: Request) -> None:
        await identify(request)
        require(person_of(request), "author", "admin")
        await test_sets.may_change(parts, person_of(request), request.path_params["family"])

    tests = APIRouter(
        prefix=f"{API}/admin/problems/{{family}}/tests",
        route_class=json_route(admit=admit),
        responses=responses(401, 403, 404, 422, 503),
        dependencies=[documented],
        tags=["admin"],
    )
    looking, changing = asyncio.Lock(), asyncio.Lock()  # a dry run may take a minute

    @tests.get("")
    async def uploaded_tests(family: str) -> TestSetOut:
        """The family's uploaded tests, and all versions of them, the current one first."""
        await test_sets.current(parts, family)
        versions = await parts.store.test_versions(family)
        return TestSetOut.of(family, parts.catalogue.uploaded(family), versions)

    @tests.post("", responses=responses(400, 408, 409, 413, 415, 422), openapi_extra=UPLOAD)
    async def upload_tests(
        family: str, request: Request, dry_run: DryRunFlag = True, mutants: MutantsFlag = True
    ) -> UploadOut:
        """Add test cases to a family: the core answers them in a box, for every variant."""
        kind = format_sent(request)
        content = await bounded(request, UPLOAD_KIB * 1024)
        version = None
        async with looking if dry_run else changing:
            if dry_run:
                look = await test_sets.look_at(parts, family, content, kind, mutants=mutants)
            else:
                person = person_of(request)
                look, version = await test_sets.apply_file(parts, family, content, kind, person)
        return await asyncio.to_thread(UploadOut.of, look, version)

    @tests.post("/apply", responses=responses(400, 408, 409, 413, 415, 422))
    async def apply_tests(family: str, data: ApplyIn, request: Request) -> VersionOut:
        """Apply exactly what a dry run examined; refused if the tests have changed since."""
        async with changing:
            version = await test_sets.apply(parts, family, data.examined, person_of(request))
        return VersionOut(family=family, version=version)

    @tests.delete("/{name}", responses=responses(409))
    async def retire_test(family: str, name: str, request: Request) -> VersionOut:
        """Take one uploaded test out: a new version without it."""
        async with changing:
            version = await test_sets.retire(parts, family, name, person_of(request))
        return VersionOut(family=family, version=version)

    @tests.post("/versions/{version}/restore", responses=responses(409))
    async def restore_tests(family: str, version: str, request: Request) -> VersionOut:
        """Go back to an older version, which becomes the newest; `none` is before the first."""
        async with changing:
            found = await test_sets.restore(parts, family, version, person_of(request))
        return VersionOut(family=family, version=found)

    @tests.get("/examples/{format}", response_class=Response, responses=responses(422) | _EXAMPLES)
    async def example_tests(family: str, format: Format) -> Response:
        """A file to start from: tests of the package itself, in one of the formats."""
        return await asyncio.to_thread(example, parts, family, format)

    return tests


_EXAMPLES: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file", "content": {kind: {} for kind in EXAMPLE_TYPES.values()}}
}


def example(parts: Parts, family: str, kind: Format) -> Response:
    """An example file as a download."""
    found = parts.catalogue.family(family)
    tests = upload_examples.example_tests(found)
    match kind:
        case "json":
            content = upload_examples.json_example(tests)
        case "jsonl":
            content = as_lines(list(tests))
        case "csv":
            content = upload_examples.csv_example(tests)
        case "npz":
            content = upload_examples.npz_example(tests, found)
    headers = {
        "Content-Disposition": f'attachment; filename="{family}-tests.{kind}"',
        "X-Content-Type-Options": "nosniff",
    }
    return Response(content, headers=headers, media_type=EXAMPLE_TYPES[kind])
