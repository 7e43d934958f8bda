"""Uploaded tests, version by version; nothing is ever overwritten.

The newest version of a family is the current one. Each has the next number in its family's sequence,
and that is unique: of two changes to the same version, the second finds its place taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select

from app.errors import Conflict, NotFound
from app.store.database import AnyRow, Database, Transaction
from app.store.people import audit_entry
from app.store.schema import examined_tests, test_versions
from app.store.submissions import now_ms

EXAMINED_MS = 24 * 3600 * 1000  # how long a dry run can be applied
MOST_EXAMINED = 20  # dry runs of a family that are kept
NONE = ""  # the version of a family without uploaded tests


@dataclass(frozen=True, slots=True)
class TestVersion:
    """The tests that were uploaded for a family, all of them, at one moment.

    version   hash of the content
    change    what made it, in words
    """

    __test__ = False

    family: str
    version: str
    tests_json: str
    author: str
    created_ms: int
    change: str = ""


@dataclass(frozen=True, slots=True)
class NewTests:
    """A version to be: all of the family's tests, and the version that they were made from."""

    family: str
    base: str
    version: str
    tests_json: str
    author: str
    change: str


@dataclass(frozen=True, slots=True)
class ExaminedTests:
    """Tests that a dry run accepted, to be added to the version that was current then."""

    token: str
    family: str
    base: str
    tests_json: str


class Tests:
    """Questions about uploaded tests."""

    _database: Database

    async def add_test_version(self, new: NewTests) -> None:
        """Make this the current version of the family's uploaded tests, and say so in the audit.

        Raises Conflict where `base` is not the current version (any more).
        """
        async with self._database.writing() as transaction:
            newest = await _newest(transaction, new.family)
            sequence = 1 if newest is None else newest.sequence + 1
            values = {
                "family": new.family,
                "sequence": sequence,
                "version": new.version,
                "tests_json": new.tests_json,
                "author": new.author,
                "created_ms": now_ms(),
                "change": new.change,
            }
            made = 0
            if (NONE if newest is None else newest.version) == new.base:
                row = self._database.insert_new(test_versions).values(values)
                made = await transaction.change(row)
            if not made:
                raise Conflict(
                    f"the tests of {new.family} have changed meanwhile; look at them again"
                )
            details = {"version": new.version, "before": new.base, "change": new.change}
            await transaction.change(audit_entry(new.author, "change tests", new.family, details))

    async def current_test_versions(self) -> tuple[TestVersion, ...]:
        """The newest version of each family that ever had uploaded tests."""
        c = test_versions.c
        newest = select(func.max(c.number)).group_by(c.family)
        question = select(test_versions).where(c.number.in_(newest)).order_by(c.family)
        async with self._database.reading() as transaction:
            return tuple(map(_version, await transaction.rows(question)))

    async def current_test_hashes(self) -> tuple[tuple[str, str], ...]:
        """Family and current version, for each family that ever had uploaded tests."""
        c = test_versions.c
        newest = select(func.max(c.number)).group_by(c.family)
        question = select(c.family, c.version).where(c.number.in_(newest)).order_by(c.family)
        async with self._database.reading() as transaction:
            return tuple((row.family, row.version) for row in await transaction.rows(question))

    async def current_test_version(self, family: str) -> TestVersion | None:
        """The newest version of a family's uploaded tests; None: it never had any."""
        c = test_versions.c
        question = select(test_versions).where(c.family == family).order_by(c.sequence.desc())
        async with self._database.reading() as transaction:
            row = await transaction.row(question.limit(1))
        return None if row is None else _version(row)

    async def test_versions(self, family: str) -> tuple[TestVersion, ...]:
        """All versions of a family's uploaded tests, the current one first."""
        c = test_versions.c
        question = select(test_versions).where(c.family == family).order_by(c.number.desc())
        async with self._database.reading() as transaction:
            return tuple(map(_version, await transaction.rows(question)))

    async def test_version_by_hash(self, family: str, version: str) -> TestVersion:
        """The tests with this content. Raises NotFound."""
        c = test_versions.c
        question = (
            select(test_versions)
            .where(c.family == family, c.version == version)
            .order_by(c.number.desc())
            .limit(1)
        )
        async with self._database.reading() as transaction:
            row = await transaction.row(question)
        if row is None:
            raise NotFound(f"there is no version {version[:40]} of the tests of {family}")
        return _version(row)

    async def keep_examined_tests(self, examined: ExaminedTests) -> None:
        """Keep what a dry run accepted for a day, so that exactly this can be applied."""
        now = now_ms()
        values = {
            "token": examined.token,
            "family": examined.family,
            "base": examined.base,
            "tests_json": examined.tests_json,
            "created_ms": now,
        }
        c = examined_tests.c
        old = delete(examined_tests).where(c.created_ms < now - EXAMINED_MS)
        own = select(c.token).where(c.family == examined.family).order_by(c.created_ms.desc())
        async with self._database.writing() as transaction:
            await transaction.change(old)
            kept = [row.token for row in await transaction.rows(own)]
            if more := kept[MOST_EXAMINED - 1 :]:
                await transaction.change(delete(examined_tests).where(c.token.in_(more)))
            await transaction.change(insert(examined_tests).values(values))

    async def examined_tests(self, family: str, token: str) -> ExaminedTests:
        """What a dry run accepted. Raises NotFound."""
        c = examined_tests.c
        question = select(examined_tests).where(c.token == token, c.family == family)
        async with self._database.reading() as transaction:
            row = await transaction.row(question)
        if row is None:
            raise NotFound("there is no such dry run, or it is more than a day old")
        return ExaminedTests(row.token, row.family, row.base, row.tests_json)


async def _newest(transaction: Transaction, family: str) -> AnyRow | None:
    c = test_versions.c
    question = select(c.sequence, c.version).where(c.family == family)
    return await transaction.row(question.order_by(c.sequence.desc()).limit(1))


def _version(row: AnyRow) -> TestVersion:
    return TestVersion(
        row.family, row.version, row.tests_json, row.author, row.created_ms, row.change
    )
