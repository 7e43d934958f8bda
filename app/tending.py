"""What is done now and then beside the service: old rows are forgotten, the cache is kept small."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from app.errors import StoreError
from app.problem.kept import Kept
from app.store import Store

_log = structlog.get_logger()
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Tending:
    """Ages in seconds; None keeps for ever."""

    store: Store
    kept: Kept
    cache_bytes: int
    submission_s: float | None = None
    audit_s: float | None = None
    session_s: float = 30 * 86400.0  # after which an unused session ends
    every_s: float = 3600.0

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
        if self.submission_s is not None:
            while gone := await self.store.forget_submissions(self.submission_s, _BATCH):
                submissions += gone
                await asyncio.sleep(0)  # learners go before
        if self.audit_s is not None:
            audit = await self.store.forget_audit(self.audit_s)
        await self.store.purge_sessions(self.session_s)
        cached = await asyncio.to_thread(self.kept.prune, self.cache_bytes)
        if submissions or audit or cached:
            _log.info("forgotten", submissions=submissions, audit=audit, cached=cached)
