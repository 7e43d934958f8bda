"""/admin/packages: uploaded, examined, published and taken back by plain forms."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from app.web import package_sets
from app.web.admin_packages import ARCHIVE_KIB, Hash, HashOrServed, archive_response
from app.web.author_area import author_area
from app.web.identity import person_of
from app.web.multipart import posted_form, sent_file
from app.web.package_schemas import PackageVersionOut
from app.web.pages import Pages

_FORM_KIB = ARCHIVE_KIB + 16  # the file, and what a form puts around it


def router(pages: Pages) -> APIRouter:
    """What these pages do is what the REST API does."""
    routes = author_area(pages)
    parts = pages.parts
    one_at_a_time = asyncio.Lock()

    async def mine(request: Request, family: str) -> None:
        await package_sets.may_see(parts, person_of(request), family)

    async def again(request: Request) -> None:
        """Let the list with its form come again where what was sent is refused."""
        found = await package_sets.known(parts, person_of(request))
        pages.again(request, "admin_packages.html", packages=found)

    async def shown(family: str) -> dict[str, Any]:
        return {
            "family": family,
            "loaded": next((p for p in parts.catalogue.packages if p.name == family), None),
            "on_disk": parts.catalogue.on_disk(family) is not None,
            "published": parts.catalogue.published(family),
            "uploads": await parts.store.package_uploads(family),
            "publications": await parts.store.publications(family),
        }

    @routes.get("/packages")
    async def packages(request: Request) -> Response:
        found = await package_sets.known(parts, person_of(request))
        return pages.form(request, "admin_packages.html", packages=found)

    @routes.post("/packages")
    async def upload(request: Request) -> Response:
        await again(request)
        form = await posted_form(request, _FORM_KIB)
        _, archive = sent_file(form)
        async with one_at_a_time:
            found = await package_sets.add(parts, archive, person_of(request))
        return RedirectResponse(f"/admin/packages/{found.family}/{found.hash}", status_code=303)

    @routes.get("/packages/{family}")
    async def history(request: Request, family: str) -> Response:
        await mine(request, family)
        return pages.form(request, "admin_package.html", **await shown(family))

    @routes.get("/packages/{family}/{hash}")
    async def version(request: Request, family: str, hash: Hash) -> Response:
        await mine(request, family)
        upload = await parts.store.package_upload(family, hash)
        changes = await package_sets.changes(parts, upload)
        found = PackageVersionOut.whole(upload, changes, parts.catalogue.published(family))
        return pages.page(request, "admin_package_version.html", family=family, found=found)

    @routes.post("/packages/{family}/publish")
    async def publish(request: Request, family: str) -> Response:
        """The hash that was posted; an empty one takes the publication back."""
        await mine(request, family)
        pages.again(request, "admin_package.html", **await shown(family))
        form = await posted_form(request)
        async with one_at_a_time:
            key = form.fields.get("hash") or None
            await package_sets.publish(parts, family, key, person_of(request))
        return RedirectResponse(f"/admin/packages/{family}", status_code=303)

    @routes.get("/packages/{family}/{hash}/archive")
    async def export(request: Request, family: str, hash: HashOrServed) -> Response:
        await mine(request, family)
        return archive_response(family, await package_sets.packed(parts, family, hash))

    return routes
