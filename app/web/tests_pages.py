"""/admin/problems/{family}/tests: a file is looked at, then applied; versions, and the way back."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from app.web import admin_tests, test_sets
from app.web.author_area import author_area
from app.web.identity import person_of
from app.web.multipart import FIELD_KIB, PostedForm, posted_form, sent_file
from app.web.pages import Pages
from app.web.test_schemas import TestSetOut, UploadOut
from app.web.upload_files import FORMATS, UPLOAD_KIB, Format, format_named

_FORM_KIB = UPLOAD_KIB + 16  # the file, and what a form puts around it


def router(pages: Pages) -> APIRouter:
    """Everything works as a plain form; what it does is what the REST API does."""
    routes = author_area(pages)
    parts = pages.parts
    here = "/problems/{family}/tests"
    looking, changing = asyncio.Lock(), asyncio.Lock()  # a dry run may take a minute

    async def mine(request: Request, family: str) -> None:
        await test_sets.may_change(parts, person_of(request), family)

    def back(family: str) -> Response:
        return RedirectResponse(f"/admin/problems/{family}/tests", status_code=303)

    async def shown(family: str) -> dict[str, Any]:
        await test_sets.current(parts, family)
        versions = await parts.store.test_versions(family)
        loaded = parts.catalogue.family(family)
        return {
            "family": family,
            "title": loaded.title,
            "inputs": loaded.input_names,
            "packaged": len(loaded.tests),
            "found": TestSetOut.of(family, parts.catalogue.uploaded(family), versions),
            "formats": FORMATS,
        }

    async def taken(request: Request, family: str, most_kib: int = FIELD_KIB) -> PostedForm:
        """What was posted, by somebody who may; the page comes again where it is refused."""
        await mine(request, family)
        pages.again(request, "admin_tests.html", **await shown(family))
        return await posted_form(request, most_kib)

    @routes.get(here)
    async def uploaded(request: Request, family: str) -> Response:
        await mine(request, family)
        return pages.form(request, "admin_tests.html", **await shown(family))

    @routes.post(here)
    async def dry_run(request: Request, family: str) -> Response:
        form = await taken(request, family, _FORM_KIB)
        name, content = sent_file(form)
        kind, mutants = format_named(name), "mutants" in form.fields
        async with looking:
            look = await test_sets.look_at(parts, family, content, kind, mutants=mutants)
        told = await asyncio.to_thread(UploadOut.of, look, None)
        return pages.page(
            request,
            "admin_tests_look.html",
            family=family,
            title=parts.catalogue.family(family).title,
            found=told,
            refused=sum(not test.accepted for test in told.tests),
        )

    @routes.post(f"{here}/apply")
    async def apply(request: Request, family: str) -> Response:
        form = await taken(request, family)
        async with changing:
            examined = form.fields.get("examined", "")
            await test_sets.apply(parts, family, examined, person_of(request))
        return back(family)

    @routes.post(f"{here}/retire")
    async def retire(request: Request, family: str) -> Response:
        form = await taken(request, family)
        async with changing:
            name = form.fields.get("name", "")
            await test_sets.retire(parts, family, name, person_of(request))
        return back(family)

    @routes.post(f"{here}/restore")
    async def restore(request: Request, family: str) -> Response:
        form = await taken(request, family)
        async with changing:
            version = form.fields.get("version", "")
            await test_sets.restore(parts, family, version, person_of(request))
        return back(family)

    @routes.get(f"{here}/examples/{{format}}")
    async def example(request: Request, family: str, format: Format) -> Response:
        await mine(request, family)
        return await asyncio.to_thread(admin_tests.example, parts, family, format)

    return routes
