"""Carries ids to whoever judges: `enqueue` and `run`. The engine is pgqueuer, here in memory.

The engine alone knows who works on what. What it forgets with the process, the sweep of the worker
enqueues again from the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Protocol, TypeAlias

import structlog
from pgqueuer.adapters.inmemory import InMemoryDriver, InMemoryQueries
from pgqueuer.core.qm import QueueManager
from pgqueuer.domain.models import Job

_log = structlog.get_logger()

Handler: TypeAlias = Callable[[str], Awaitable[None]]

_ENTRY_POINT = "judge"
# Only if a notification were lost: what comes and what ends wakes the engine by itself.
_POLL = timedelta(milliseconds=250)
_FORGET_S = 30.0

# An engine's priorities are whole numbers of 32 bits: seconds, from 2026 on for 68 years.
_BEGINNING_S = 1_767_225_600
_TRIAL_AHEAD_S = 600
_FEW_TRIALS = 8
# What one judging takes at most: by the time that the k-th of an account may go before what came just
# now, k judgings of the slowest kind have ended.
_BEHIND_S = 30
_LAST = 1 - 2**31


class Queue(Protocol):
    """The two methods that another engine would have to have."""

    async def enqueue(
        self, submission_id: str, priority: int, within: object | None = None
    ) -> None:
        """Make a job of it, unless it has one. Higher priorities go first, then older jobs.

        `within` is a connection in a transaction, for an engine that keeps jobs in its database.
        """
        ...

    async def run(self, handler: Handler, concurrency: int) -> None:
        """Hand ids to `handler`, at most `concurrency` at a time, until cancelled.

        Cancelled, it hands out no more and returns when the handlers in progress have ended.
        """
        ...


def priority(trial: bool, since_ms: int, own: int, trials: int = 0, rejudge: bool = False) -> int:
    """In order of arrival, put forward or back by a bounded time: whatever else comes, every turn comes.

    since_ms   when it was kept
    own        how many its account has waiting already: each puts it back
    trials     how many trials wait already: the first few go before, so that people can work while
               submissions flood in; a flood of trials does not keep submissions from being judged
    rejudge    goes after everything that is new
    """
    if rejudge:
        return _LAST
    ahead_s = _TRIAL_AHEAD_S if trial and trials < _FEW_TRIALS else 0
    return ahead_s - own * _BEHIND_S - (since_ms // 1000 - _BEGINNING_S)


class MemoryQueue:
    """The engine in memory, for one process."""

    def __init__(self) -> None:
        self._jobs = InMemoryQueries(InMemoryDriver())
        self._held: set[str] = set()

    async def enqueue(
        self, submission_id: str, priority: int, within: object | None = None
    ) -> None:
        if submission_id not in self._held:
            self._held.add(submission_id)
            await self._jobs.enqueue(_ENTRY_POINT, submission_id.encode(), priority)

    async def run(self, handler: Handler, concurrency: int) -> None:
        self._jobs.driver = InMemoryDriver()  # a driver keeps the listeners of runs that ended
        manager = QueueManager(self._jobs)
        manager.min_dequeue_poll_interval = _POLL

        @manager.entrypoint(_ENTRY_POINT, concurrency_limit=concurrency)
        async def _job(job: Job) -> None:
            submission_id = (job.payload or b"").decode()
            try:
                await handler(submission_id)
            finally:
                self._held.discard(submission_id)

        engine = asyncio.create_task(
            manager.run(batch_size=1, log_aggregation_interval=timedelta(0))
        )
        forgetting = asyncio.create_task(self._forget())
        try:
            await until_cancelled(manager, engine)
        finally:
            forgetting.cancel()

    async def _forget(self) -> None:
        """The engine logs every job, for statistics that a database would hold; memory would grow."""
        while True:
            await asyncio.sleep(_FORGET_S)
            await self._jobs.clear_queue_log()


async def until_cancelled(manager: QueueManager, engine: asyncio.Task[None]) -> None:
    """Let the engine run until it fails, or this is cancelled and it has ended what it was at.

    However it ends then: that it fails is no reason to go on. Cancelled twice, it ends at once.
    """
    try:
        await asyncio.shield(engine)
    except asyncio.CancelledError:
        manager.shutdown.set()
        try:
            await asyncio.wait({engine})
        finally:
            engine.cancel()
        if not engine.cancelled() and (failure := engine.exception()) is not None:
            _log.warning("the queue failed as it stopped", reason=str(failure))
        raise
