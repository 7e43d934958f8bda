"""Pages in the admin area that authors may enter as well, for what is theirs."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request

from app.web.identity import identifier, person_of, require
from app.web.pages import Pages


def author_area(pages: Pages) -> APIRouter:
    """A router for pages under /admin that authors and admins get to see."""
    identify = identifier(pages.parts)

    async def admit(request: Request) -> None:
        await identify(request)
        require(person_of(request), "author", "admin")

    return APIRouter(prefix="/admin", include_in_schema=False, dependencies=[Depends(admit)])
