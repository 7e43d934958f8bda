"""What is done now and then beside the service: old rows are forgotten, the cache is kept small."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

import structlog

from app.errors import StoreError
from app.problem.kept import Kept
from app.store import Store

_log = structlog.get_logger()
_BATCH = 200
_JUMP_S = 600.0


def _offset_s() -> float:
    """Where the clock on the wall stands, seen from one that cannot jump."""
    return time.time() - time.monotonic()


@dataclass(slots=True)
class Tending:
    """Ages in seconds; None keeps for ever.

    Ages are told by the clock on the wall. Where it has jumped since the last look, nothing is
    forgotten: a clock that goes wrong for a moment must not cost everything that was ever sent.
    """

    store: Store
    kept: Kept
    cache_bytes: int
    submission_s: float | None = None
    audit_s: float | None = None
    session_s: float = 30 * 86400.0  # after which an unused session ends
    guest_draft_s: float = 365 * 86400.0  # the age of a guest's cookie: nobody can come back to it
    refused_package_s: float = 30 * 86400.0
    every_s: float = 3600.0
    _offset_s: float = field(default_factory=_offset_s)

    async def run(self) -> None:
        """Until cancelled. A store that is away, or a disk that is full, waits for the next time."""
        while True:
            try:
                await self.once()
            except StoreError as error:
                _log.warning("old rows are not forgotten yet", reason=str(error))
            await asyncio.sleep(self.every_s)

    async def once(self) -> None:
        submissions = audit = 0
        if abs(_offset_s() - self._offset_s) > _JUMP_S:
            _log.warning("the clock has jumped; nothing is forgotten this time")
            self._offset_s = _offset_s()
            return
        await self.store.purge_guest_drafts(self.guest_draft_s)
        if self.submission_s is not None:
            while gone := await self.store.forget_submissions(self.submission_s, _BATCH):
                submissions += gone
                await asyncio.sleep(0)  # learners go before
        if self.audit_s is not None:
            audit = await self.store.forget_audit(self.audit_s)
        await self.store.purge_sessions(self.session_s)
        packages = await self.store.forget_refused_packages(self.refused_package_s)
        cached = await asyncio.to_thread(self.kept.prune, self.cache_bytes)
        if submissions or audit or packages or cached:
            _log.info(
                "forgotten", submissions=submissions, audit=audit, packages=packages, cached=cached
            )
