"""Each submission is judged with the version of its problem that was served when it was accepted.

Web processes put the packages they read from disk into the store, by the hash of their content; a
submission carries that hash and the version of the uploaded tests. A worker elsewhere, which has no
packages of its own, fetches exactly these and keeps them on disk. So web processes with different
packages, as while a new version is rolled out, and tests uploaded meanwhile, change nothing that was
promised. Later judgings of a submission (after an error of ours, or a rejudge) go by what is current.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import structlog

from app.errors import StoreError
from app.model import Submission, Variant
from app.problem import Catalogue, uploaded
from app.problem.archive import content_hash, folder_package
from app.problem.catalogue import load_package
from app.published import folder_of, serve_uploaded
from app.store import Store

_log = structlog.get_logger()

_KEPT = 32  # versions of families that are kept in memory besides the current ones


class Offer:
    """What a web process serves, so that others can judge with it."""

    def __init__(self, store: Store, catalogue: Catalogue, problems: Path) -> None:
        self._store, self._catalogue, self._problems = store, catalogue, problems
        self._on_disk: dict[str, str] = {}

    async def make(self) -> None:
        """Put the packages on disk into the store. Raises StoreError."""
        for package in self._catalogue.all_on_disk:
            archive = await asyncio.to_thread(self._packed, package.name)
            self._on_disk[package.name] = content_hash(archive)
            await self._store.offer_package(package.name, content_hash(archive), archive)

    def version(self, family: str) -> tuple[str, str]:
        """The package and the uploaded tests that a submission is accepted under now."""
        package = self._catalogue.published(family) or self._on_disk.get(family, "")
        return package, self._catalogue.uploaded_version(family)

    def _packed(self, family: str) -> bytes:
        return folder_package(self._problems, family).packed()


class Promised:
    """Variants for a worker, as they were promised. Lives on the event loop.

    served   the versions of a family in the catalogue, where others see to it that it is current
    """

    def __init__(
        self,
        store: Store,
        catalogue: Catalogue,
        served: Callable[[str], tuple[str, str]] | None = None,
    ) -> None:
        self._store, self._catalogue = store, catalogue
        self._served = served or self._followed
        self._offered: dict[str, str] = {}
        self._others: OrderedDict[tuple[str, str, str], Catalogue] = OrderedDict()

    async def follow(self, every_s: float = 5.0) -> None:
        """Keep up with what is current. Ends when it is cancelled."""
        while True:
            try:
                await self.look()
            except StoreError as error:
                _log.warning("packages cannot be looked for", reason=str(error))
            await asyncio.sleep(every_s)

    async def look(self) -> None:
        """What is current is in the catalogue from now on. Raises StoreError."""
        for family, package in await self._store.offered_packages():
            if self._offered.get(family) != package:
                problems = await folder_of(self._store, self._catalogue, package)
                maker = self._catalogue.maker
                loaded = await asyncio.to_thread(load_package, problems, family, maker)
                await asyncio.to_thread(self._catalogue.put, loaded)
                self._offered[family] = package
        await serve_uploaded(self._store, self._catalogue)

    async def variant(self, submission: Submission) -> Variant:
        """The one to judge with. Raises NotFound, StoreError."""
        family = submission.problem.partition("/")[0]
        wanted = (family, submission.package, submission.tests)
        current = submission.judging_number > 1 or not submission.package
        if current or wanted == (family, *self._served(family)):
            return self._catalogue.get(submission.problem)
        if wanted not in self._others:
            self._others[wanted] = await self._fetched(*wanted)
            if len(self._others) > _KEPT:
                self._others.popitem(last=False)
        self._others.move_to_end(wanted)
        return self._others[wanted].get(submission.problem)

    def _followed(self, family: str) -> tuple[str, str]:
        package = self._catalogue.published(family) or self._offered.get(family, "")
        return package, self._catalogue.uploaded_version(family)

    async def _fetched(self, family: str, package: str, tests: str) -> Catalogue:
        """A catalogue of one family, as it was."""
        maker, unpacked = self._catalogue.maker, self._catalogue.unpacked
        problems = await folder_of(self._store, self._catalogue, package)
        loaded = await asyncio.to_thread(load_package, problems, family, maker)
        found = await asyncio.to_thread(Catalogue, [loaded], maker, unpacked)
        if tests:
            version = await self._store.test_version_by_hash(family, tests)
            read = await asyncio.to_thread(uploaded.from_text, version.tests_json)
            await asyncio.to_thread(found.overlay, family, read, tests)
        _log.info("fetched", family=family, package=package[:16], tests=tests)
        return found
