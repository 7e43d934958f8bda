"""All routes, and one answer to every error."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from app.web import (
    account_api,
    account_pages,
    admin_audit,
    admin_health,
    admin_packages,
    admin_rejudge_pages,
    admin_rejudges,
    admin_statistics,
    admin_tests,
    admin_users,
    api,
    drafting,
    health,
    openid,
    own_work,
    packages_pages,
    pages,
    policy,
    problem_json,
    progress_pages,
    scrape,
    set_up,
    tests_pages,
)
from app.web.head import HeadAsGet
from app.web.logs import RequestLog
from app.web.parts import Parts
from app.web.problem_json import ErrorOut, Page, Refusal
from app.web.reply import ReplyHeaders
from app.web.schemas import API
from app.web.shedding import Shedding

API_VERSION = "1"
_REF = "#/components/schemas/{model}"


def create_app(parts: Parts) -> FastAPI:
    """The whole site over these parts. Builds nothing, starts nothing."""
    site = FastAPI(
        title="Allclose",
        version=API_VERSION,
        summary="A judge for numerical Python",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # FastAPI's pages load scripts from other people's servers
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    site.include_router(health.router(parts))
    site.include_router(scrape.router(parts))
    site.include_router(api.router(parts))
    site.include_router(drafting.router(parts))
    site.include_router(own_work.router(parts))
    site.include_router(account_api.router(parts))
    for area in (admin_rejudges, admin_statistics, admin_health, admin_users, admin_audit):
        site.include_router(area.api(parts))
    site.include_router(admin_tests.router(parts))
    site.include_router(admin_packages.router(parts))
    html = pages.Pages(parts)
    site.include_router(pages.router(html))
    site.include_router(account_pages.router(html))
    site.include_router(progress_pages.router(html))
    site.include_router(pages.files(html))
    for frame in (admin_rejudge_pages, admin_statistics, admin_health, admin_users, admin_audit):
        site.include_router(frame.router(html))
    site.include_router(tests_pages.router(html))
    site.include_router(packages_pages.router(html))
    site.include_router(openid.router(html))
    site.include_router(set_up.router(html))
    problem_json.install(site, _page_of(html), parts.metrics.refused)
    site.add_middleware(Shedding, room=parts.room, refused=parts.metrics.refused)
    site.add_middleware(ReplyHeaders)
    site.add_middleware(HeadAsGet)
    site.add_middleware(RequestLog, answered=parts.metrics.answered)
    _document(site)
    return site


def _page_of(html: pages.Pages) -> Page:
    """An error as a page, for whoever reads pages."""

    def page(request: Request, refusal: Refusal) -> Response | None:
        if not policy.wants_page(request):
            return None
        told = html.refused_form(request, refusal) or html.error(request, refusal)
        told.headers.update(refusal.headers)
        return told

    return page


def _document(site: FastAPI) -> None:
    """Describe errors as what they are: problem+json, also where the framework has its own."""

    def openapi() -> dict[str, Any]:
        if site.openapi_schema is None:
            document = get_openapi(
                title=site.title, version=site.version, summary=site.summary, routes=site.routes
            )
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            errors = ErrorOut.model_json_schema(ref_template=_REF)
            schemas |= errors.pop("$defs", {}) | {"ErrorOut": errors}
            site.openapi_schema = document
        return site.openapi_schema

    site.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way
