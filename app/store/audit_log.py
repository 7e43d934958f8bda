"""Who did what, and when."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from app.store.database import Database
from app.store.schema import audit

_A = audit.c


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One deed."""

    number: int
    at_ms: int
    who: str
    action: str
    subject: str
    details: Mapping[str, object]


class AuditLog:
    """Questions about what was done."""

    _database: Database

    async def audit_lines(
        self, who: str = "", action: str = "", subject: str = "", before: int = 0, limit: int = 50
    ) -> tuple[AuditLine, ...]:
        """The newest first, older than the line `before` if one is given; every filter must fit."""
        question = select(audit).order_by(_A.number.desc()).limit(limit)
        if before:
            question = question.where(_A.number < before)
        if who:
            question = question.where(_A.who == who)
        if action:
            question = question.where(_A.action == action)
        if subject:
            question = question.where(_A.subject.contains(subject, autoescape=True))
        async with self._database.reading() as transaction:
            rows = await transaction.rows(question)
        return tuple(
            AuditLine(
                row.number,
                row.at_ms,
                row.who,
                row.action,
                row.subject,
                json.loads(row.details_json),
            )
            for row in rows
        )

    async def audit_actions(self) -> tuple[str, ...]:
        """What was ever done, to choose from."""
        async with self._database.reading() as transaction:
            rows = await transaction.rows(select(_A.action).distinct().order_by(_A.action))
        return tuple(row.action for row in rows)
