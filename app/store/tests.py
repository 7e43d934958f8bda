"""Uploaded tests, version by version; nothing is ever overwritten."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, insert, select

from app.store.database import Database
from app.store.people import audit_entry
from app.store.schema import test_versions
from app.store.submissions import now_ms


@dataclass(frozen=True, slots=True)
class TestVersion:
    """The tests that were uploaded for a family, all of them, at one moment."""

    __test__ = False

    family: str
    version: str
    tests_json: str
    author: str
    created_ms: int


class Tests:
    """Questions about uploaded tests."""

    _database: Database

    async def add_test_version(
        self, family: str, version: str, tests_json: str, author: str
    ) -> None:
        """Make this the current version of the family's uploaded tests, and say so in the audit."""
        values = {
            "family": family,
            "version": version,
            "tests_json": tests_json,
            "author": author,
            "created_ms": now_ms(),
        }
        entry = audit_entry(author, "upload tests", family, {"version": version})
        async with self._database.writing() as transaction:
            await transaction.change(insert(test_versions).values(values))
            await transaction.change(entry)

    async def current_test_versions(self) -> tuple[TestVersion, ...]:
        """The newest version of each family that has uploaded tests."""
        c = test_versions.c
        newest = select(func.max(c.number)).group_by(c.family)
        question = select(test_versions).where(c.number.in_(newest)).order_by(c.family)
        async with self._database.reading() as transaction:
            rows = await transaction.rows(question)
        return tuple(
            TestVersion(row.family, row.version, row.tests_json, row.author, row.created_ms)
            for row in rows
        )
