"""Changes of a family's uploaded tests: examined first, then applied; each is a new version.

The store has the last word on which version is current. A server that another one has overtaken
serves the newer version from the moment it looks.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import structlog

from app.errors import Conflict, Forbidden, Invalid, NotFound, PackageError
from app.model import TestCase
from app.problem import uploaded, uploads
from app.problem.uploaded import UploadedTest
from app.problem.uploads import DryRun
from app.problem.versions import digest
from app.store.tests import NONE, ExaminedTests, NewTests
from app.verify import Worth, worth
from app.web.identity import Person
from app.web.parts import Parts
from app.web.upload_files import Format, tests_in

_log = structlog.get_logger()

# What was handed out; anything else is not looked for.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,100}")
_VERSION = re.compile(r"[0-9a-f]{1,64}")


@dataclass(frozen=True, slots=True)
class Look:
    """A dry run, and what its tests are good for.

    token   with which exactly this can be applied; empty where something was refused
    base    the version of the family's tests that it was made against
    untried why the tests were not tried on the package's programs, though that was asked for
    """

    run: DryRun
    base: str
    token: str = ""
    worth: Mapping[tuple[str, str], Worth] = field(default_factory=dict)
    untried: str = ""


async def may_change(parts: Parts, person: Person, family: str) -> None:
    """Raises NotFound for a family that is not there, Forbidden for one that is another's."""
    parts.catalogue.family(family)
    if person.role != "admin" and await parts.store.package_owner(family) != person.owner:
        raise Forbidden(f"the package {family} is not yours")


async def current(parts: Parts, family: str) -> str:
    """The version that is current; from here on this server serves it."""
    newest = await parts.store.current_test_version(family)
    if newest is None:
        return NONE
    if parts.catalogue.uploaded_version(family) != newest.version:
        tests = await asyncio.to_thread(uploaded.from_text, newest.tests_json)
        await asyncio.to_thread(parts.catalogue.overlay, family, tests, newest.version)
    return newest.version


async def look_at(
    parts: Parts, family: str, content: bytes, kind: Format, *, mutants: bool
) -> Look:
    """The dry run of a file. What it accepts, if that is all, is kept to be applied.

    mutants   also run the package's programs, mistakes and surviving mutants on the tests
    """
    base = await current(parts, family)
    found = parts.catalogue.family(family)

    def run() -> Look:
        data = tests_in(content, kind, found)
        examined = uploads.examine(parts.catalogue, family, data, parts.runner)
        look = Look(examined, base)
        try:
            seen = worth(parts.catalogue, family, _cases(examined) if mutants else {})
        except PackageError as error:  # one of the package's own tests cannot be made now
            return replace(look, untried=str(error))
        return replace(look, worth=seen)

    look = await asyncio.to_thread(run)
    if look.run.refusals:
        return look
    token = secrets.token_urlsafe(24)
    text = await asyncio.to_thread(uploaded.as_text, look.run.accepted)
    await parts.store.keep_examined_tests(ExaminedTests(token, family, base, text))
    return replace(look, token=token)


def _cases(examined: DryRun) -> dict[str, list[TestCase]]:
    """For each variant, the tests that fit it, whether they are refused for something else or not."""
    cases: dict[str, list[TestCase]] = {}
    for test in examined.tests:
        for fit in test.fits:
            if fit.fits:
                cases.setdefault(fit.variant, []).append(test.case(fit))
    return cases


async def apply_file(
    parts: Parts, family: str, content: bytes, kind: Format, person: Person
) -> tuple[Look, str]:
    """Examine and apply in one go: whole or not at all. Raises Invalid where a test is refused."""
    look = await look_at(parts, family, content, kind, mutants=False)
    if look.run.refusals:
        first = look.run.refusals[0]
        raise Invalid(f"nothing was applied: {first.where}: {first.message}", look.run.refusals)
    return look, await apply(parts, family, look.token, person)


async def apply(parts: Parts, family: str, token: str, person: Person) -> str:
    """Apply exactly what a dry run examined; returns the new version.

    Raises NotFound for a dry run that is not known, Conflict where the tests have changed since.
    """
    if not _TOKEN.fullmatch(token):
        raise NotFound("there is no such dry run")
    examined = await parts.store.examined_tests(family, token)
    core = digest(parts.catalogue.family(family).core)
    known = await parts.store.current_test_version(family)
    before = () if known is None or not examined.base else uploaded.from_text(known.tests_json)
    added = uploaded.from_text(examined.tests_json)
    if any(test.core != core for test in added):
        raise Conflict(
            f"the core of {family} has changed since the dry run; examine the file again"
        )
    change = f"added {_named(added)}"
    return await _put(parts, family, examined.base, (*before, *added), person, change)


async def retire(parts: Parts, family: str, name: str, person: Person) -> str:
    """A version without one of the uploaded tests. Raises NotFound."""
    base = await current(parts, family)
    tests = parts.catalogue.uploaded(family)
    left = tuple(test for test in tests if test.name != name)
    if len(left) == len(tests):
        raise NotFound(f"{family} has no uploaded test {name[:64]}")
    return await _put(parts, family, base, left, person, f"retired {name}")


async def restore(parts: Parts, family: str, version: str, person: Person) -> str:
    """The tests as they were in an older version (`none`: before the first), as a new one."""
    base = await current(parts, family)
    change = f"went back to {version}"
    if version == "none":
        return await _put(parts, family, base, (), person, change)
    if not _VERSION.fullmatch(version):
        raise NotFound(f"there is no such version of the tests of {family}")
    known = await parts.store.test_version_by_hash(family, version)
    tests = await asyncio.to_thread(uploaded.from_text, known.tests_json)
    return await _put(parts, family, base, tests, person, change)


async def _put(
    parts: Parts,
    family: str,
    base: str,
    tests: Sequence[UploadedTest],
    person: Person,
    change: str,
) -> str:
    text = await asyncio.to_thread(uploaded.as_text, tests)
    version = uploaded.version_of(text)
    author = person.name or person.owner
    await parts.store.add_test_version(NewTests(family, base, version, text, author, change))
    await asyncio.to_thread(parts.catalogue.overlay, family, tests, version)
    _log.info("tests changed", family=family, version=version, author=author, change=change)
    return version


def _named(tests: Sequence[UploadedTest]) -> str:
    names = [test.name for test in tests[:3]]
    more = f" and {len(tests) - 3} more" if len(tests) > 3 else ""
    return f"{', '.join(names)}{more}"
