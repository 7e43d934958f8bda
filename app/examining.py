"""Uploaded packages go through the gate one after another, beside the service.

Every program of theirs runs in a box. How far one has come, and what was said of it, is kept in the
store, so that it does not matter which process examines it, or which one is asked.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from app.errors import AllcloseError, StoreError
from app.model import Call, Outcome, Runner
from app.problem import Catalogue
from app.published import folder_of
from app.store import Store
from app.store.packages import PackageUpload, UploadState
from app.verify import Reason, Report, verify

_log = structlog.get_logger()


class _TooLong(Exception):
    """Others wait to be examined, or the service stops."""


@dataclass(frozen=True, slots=True)
class _InTime:
    """A runner that runs nothing any more once time is up; `check` raises then."""

    runner: Runner
    check: Callable[[], None]

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        self.check()
        for found in self.runner.run(calls):
            self.check()
            yield found


@dataclass(slots=True)
class Examining:
    """Looks for uploads that wait, and examines the oldest."""

    store: Store
    catalogue: Catalogue
    runner: Runner
    cache: Path
    katex: Path | None
    every_s: float = 1.0
    pause_s: float = 10.0  # where the database or the boxes are out of order
    longest_s: float = 30 * 60.0  # of one examination; whoever needs longer is refused
    _until: float = field(default=math.inf)
    _step: tuple[str, int, int] = field(default=("", 0, 0))

    async def run(self) -> None:
        """Until cancelled; what was being examined then is examined again by whoever comes next."""
        while True:
            try:
                upload = await self.store.claim_package()
                if upload is not None:
                    await self._examine(upload)
                    continue
            except StoreError as error:
                _log.warning("packages cannot be looked for", reason=str(error))
                await asyncio.sleep(self.pause_s)
            await asyncio.sleep(self.every_s)

    async def _examine(self, upload: PackageUpload) -> None:
        family, content_hash = upload.family, upload.hash
        try:
            report = await self._report(upload)
        except StoreError:
            raise
        except (AllcloseError, OSError) as error:  # ours: the package is not to blame
            _log.warning("not examined", package=family, reason=str(error))
            await self.store.package_examined(family, content_hash, "waiting", None)
            await asyncio.sleep(self.pause_s)
            return
        state: UploadState = "kept" if report.kept else "refused"
        text = json.dumps(report.to_json())
        await self.store.package_examined(family, content_hash, state, text)
        _log.info("examined", package=family, hash=content_hash, state=state)

    async def _report(self, upload: PackageUpload) -> Report:
        problems = await folder_of(self.store, self.catalogue, upload.hash)
        self._step, self._until = ("", 0, 0), time.monotonic() + self.longest_s
        looking = asyncio.create_task(asyncio.to_thread(self._verified, problems, upload.family))
        try:
            while not looking.done():
                await asyncio.wait([looking], timeout=1.0)
                await self.store.package_progress(upload.family, upload.hash, *self._step)
        finally:
            self._until = -math.inf  # a thread cannot be cancelled, and a stop would wait for it
        return looking.result()

    def _verified(self, problems: Path, family: str) -> Report:
        """In a thread."""
        known = frozenset(variant.id for variant in self.catalogue.variants)
        try:
            [report] = verify(
                problems,
                [family],
                _InTime(self.runner, self._check),
                self.cache,
                katex=self.katex,
                remember=True,
                progress=self._note,
                elsewhere=known,
            )
        except (AllcloseError, OSError):
            raise
        except _TooLong:
            message = f"takes longer than {self.longest_s / 60:.0f} minutes to examine"
            return Report(family, (Reason(family, "package", message),))
        except Exception as error:
            # The boundary to what strangers wrote: whatever it does to the gate, it is not let through.
            _log.error("the gate failed", package=family, exc_info=error)
            message = f"cannot be examined: {type(error).__name__}"
            return Report(family, (Reason(family, "package", message),))
        return report

    def _note(self, what: str, done: int, total: int) -> None:
        self._check()
        self._step = (what, done, total)

    def _check(self) -> None:
        if time.monotonic() > self._until:
            raise _TooLong
