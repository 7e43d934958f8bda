"""The admin area's frame: who may enter. Each area hangs its pages and its routes into it."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request

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
