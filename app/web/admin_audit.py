"""The audit log in the admin area: who did what, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from app.store import AuditLine
from app.web.admin_area import area, area_api
from app.web.admin_rejudge_schemas import at
from app.web.pages import Pages
from app.web.parts import Parts
from app.web.schemas import Out

_PAGE = 50
Word = Annotated[str, Query(max_length=100, pattern=r"^[^\x00]*$")]
Before = Annotated[int, Query(ge=0, le=2**53)]


class AuditLineOut(Out):
    """One deed."""

    number: int
    at: datetime
    who: str
    action: str
    subject: str
    details: Mapping[str, Any]

    @classmethod
    def of(cls, line: AuditLine) -> AuditLineOut:
        return cls(
            number=line.number,
            at=at(line.at_ms),
            who=line.who,
            action=line.action,
            subject=line.subject,
            details=line.details,
        )


class AuditOut(Out):
    lines: list[AuditLineOut]
    next: int | None = Field(description="give it as `before` to get older ones")


def api(parts: Parts) -> APIRouter:
    """/api/v1/admin/audit."""
    routes = area_api(parts)

    @routes.get("/audit")
    async def list_audit(
        who: Word = "", action: Word = "", subject: Word = "", before: Before = 0
    ) -> AuditOut:
        """Who did what, the newest first. `who` and `action` must be equal, `subject` contains."""
        found = await parts.store.audit_lines(who, action, subject, before, _PAGE)
        return AuditOut(lines=[AuditLineOut.of(line) for line in found], next=_next(found))

    return routes


def router(pages: Pages) -> APIRouter:
    """/admin/audit."""
    routes = area(pages)

    @routes.get("/audit")
    async def audit(
        request: Request,
        who: Word = "",
        action: Word = "",
        subject: Word = "",
        before: Before = 0,
    ) -> Response:
        store = pages.parts.store
        found = await store.audit_lines(who, action, subject, before, _PAGE)
        return pages.page(
            request,
            "admin_audit.html",
            lines=found,
            details=_written,
            actions=await store.audit_actions(),
            who=who,
            action=action,
            subject=subject,
            next=_next(found),
        )

    return routes


def _written(details: Mapping[str, object]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in details.items())


def _next(lines: Sequence[AuditLine]) -> int | None:
    return lines[-1].number if len(lines) == _PAGE else None
