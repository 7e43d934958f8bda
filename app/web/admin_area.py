"""The admin area's frame: who may enter, and its front page. Each area hangs its pages into it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from app.web.body import json_route
from app.web.identity import documented, identifier, person_of, require
from app.web.pages import Pages
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.reply import add_header
from app.web.schemas import API

_BODY_KIB = 16


def area(pages: Pages) -> APIRouter:
    """A router for pages under /admin that only an admin gets to see.

    Their templates extend `admin_base.html`, whose navigation lists every area.
    """

    identify = identifier(pages.parts)

    async def admit(request: Request) -> None:
        await identify(request)
        require(person_of(request), "admin", "admin")
        add_header(request, "Cache-Control", "no-store")

    return APIRouter(prefix="/admin", include_in_schema=False, dependencies=[Depends(admit)])


def area_api(parts: Parts) -> APIRouter:
    """A router for /api/v1/admin, for an admin only. Who asks is looked at before a body is read."""
    identify = identifier(parts)

    async def admit(request: Request) -> None:
        await identify(request)
        require(person_of(request), "admin", "admin")
        add_header(request, "Cache-Control", "no-store")

    return APIRouter(
        prefix=f"{API}/admin",
        route_class=json_route(_BODY_KIB, admit),
        responses=responses(401, 403, 422, 503),
        dependencies=[documented],
        tags=["admin"],
    )


def router(pages: Pages) -> APIRouter:
    """/admin: how things stand, and the way to every area."""
    routes = area(pages)

    @routes.get("")
    async def overview(request: Request) -> Response:
        return pages.page(request, "admin_overview.html", **await _standing(pages))

    return routes


async def _standing(pages: Pages) -> dict[str, Any]:
    """What an admin should know at once."""
    parts = pages.parts
    sandbox, waiting = parts.sandbox(), await parts.store.waiting("")
    troubles = [] if sandbox.allowed else [f"Nothing is judged: {sandbox.reason}"]
    if unfit := parts.unfit():
        troubles.append(f"No work is taken: {unfit}")
    troubles += [f"A package is left out: {error}" for error in parts.catalogue.broken]
    return {
        "troubles": troubles,
        "tier": sandbox.tier,
        "waiting": waiting.all,
        "problems": len(parts.catalogue.variants),
    }
