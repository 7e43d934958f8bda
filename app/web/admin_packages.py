"""Packages over the REST API: uploaded, examined in the background, published, taken back, exported."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Request, Response

from app.problem.archive import ARCHIVE_MIB
from app.web import package_sets
from app.web.body import bounded, json_route
from app.web.identity import documented, identifier, person_of, require
from app.web.package_schemas import (
    ARCHIVE,
    KnownOut,
    PackageOut,
    PackageUploadOut,
    PackageVersionOut,
    PublicationOut,
)
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.schemas import API

ARCHIVE_KIB = ARCHIVE_MIB * 1024
_TYPES = (
    "application/zip",
    "application/x-tar",
    "application/gzip",
    "application/octet-stream",
)
Hash = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
HashOrServed = Annotated[str, Path(pattern="^([0-9a-f]{64}|served)$")]


def router(parts: Parts) -> APIRouter:
    """The routes under /api/v1/admin/packages. Authors see and change what is theirs."""

    identify = identifier(parts)

    async def admit(request: Request) -> None:
        await identify(request)
        require(person_of(request), "author", "admin")
        if family := request.path_params.get("family"):
            await package_sets.may_see(parts, person_of(request), family)

    packages = APIRouter(
        prefix=f"{API}/admin/packages",
        route_class=json_route(admit=admit),
        responses=responses(401, 403, 422, 503),
        dependencies=[documented],
        tags=["admin"],
    )
    one_at_a_time = asyncio.Lock()

    @packages.get("")
    async def known_packages(request: Request) -> list[KnownOut]:
        """The families that you may change."""
        return [KnownOut.of(one) for one in await package_sets.known(parts, person_of(request))]

    @packages.post(
        "", status_code=202, responses=responses(400, 408, 413, 415, 422), openapi_extra=ARCHIVE
    )
    async def upload_package(request: Request) -> PackageUploadOut:
        """Upload a package, as a zip or tar of its folder; the gate examines it next."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in _TYPES:
            raise HTTPException(415, f"the body must be one of {', '.join(_TYPES)}")
        archive = await bounded(request, ARCHIVE_KIB * 1024)
        async with one_at_a_time:
            return PackageUploadOut.of(await package_sets.add(parts, archive, person_of(request)))

    @packages.get("/{family}", responses=responses(404))
    async def package_history(family: str) -> PackageOut:
        """All versions that were uploaded, and what was served of them."""
        return PackageOut(
            family=family,
            published=parts.catalogue.published(family),
            uploads=[PackageUploadOut.of(u) for u in await parts.store.package_uploads(family)],
            publications=[PublicationOut.of(p) for p in await parts.store.publications(family)],
        )

    @packages.get("/{family}/{hash}", responses=responses(404, 422))
    async def package_version(family: str, hash: Hash) -> PackageVersionOut:
        """One version: the gate's word, and what differs from what is served."""
        found = await parts.store.package_upload(family, hash)
        changes = await package_sets.changes(parts, found)
        return PackageVersionOut.whole(found, changes, parts.catalogue.published(family))

    @packages.post("/{family}/{hash}/publish", responses=responses(404, 409, 422))
    async def publish_package(family: str, hash: Hash, request: Request) -> PublicationOut:
        """Serve this version from now on. Only what the gate has let through can be."""
        async with one_at_a_time:
            await package_sets.publish(parts, family, hash, person_of(request))
            return PublicationOut.of((await parts.store.publications(family))[0])

    @packages.post("/{family}/unpublish", responses=responses(404, 409))
    async def unpublish_package(family: str, request: Request) -> PublicationOut:
        """Serve what is on disk again, or nothing."""
        async with one_at_a_time:
            await package_sets.publish(parts, family, None, person_of(request))
            return PublicationOut.of((await parts.store.publications(family))[0])

    @packages.get(
        "/{family}/{hash}/archive",
        response_class=Response,
        responses={
            **responses(404, 422),
            200: {"description": "The package", "content": {"application/zip": {}}},
        },
    )
    async def export_package(family: str, hash: HashOrServed) -> Response:
        """The package as a zip, the same bytes each time; `served` is what is served now."""
        return archive_response(family, await package_sets.packed(parts, family, hash))

    return packages


def archive_response(family: str, archive: bytes) -> Response:
    """A package as a download."""
    headers = {
        "Content-Disposition": f'attachment; filename="{family}.zip"',
        "X-Content-Type-Options": "nosniff",
    }
    return Response(archive, headers=headers, media_type="application/zip")
