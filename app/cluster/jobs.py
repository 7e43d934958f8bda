"""The queue of many machines: pgqueuer on the database that holds the submissions.

A job is made in the transaction that keeps its submission, so there is never one without the other.
The engine's notifications wake idle workers, its heartbeats tell which worker is dead or cut off:
that one's jobs are handed out again. Both are repeated by polling, since a notification can be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import structlog
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver, AsyncpgPoolDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core.qm import QueueManager
from pgqueuer.domain.errors import FailingListenerError
from pgqueuer.domain.models import Job
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.domain.types import Channel, JobId, QueueEntrypoint
from pgqueuer.ports.driver import Driver

from app.errors import StoreUnavailable
from app.postgresql import Pool, connect, explained, pool
from app.queue import Handler, until_cancelled

_log = structlog.get_logger()

_ENTRY_POINT = "judge"
_FORGET_S = 30.0
_AGAIN_S = 0.5  # between attempts to reach the database
_CLOSE_S = 2.0


@dataclass(frozen=True, slots=True)
class Pulse:
    """How soon the death of a worker is noticed, and work without a notification found."""

    heartbeat_s: float = 6.0  # silence after which a worker's job is handed out again
    poll_s: float = 1.0


class ClusterQueue:
    """The engine on PostgreSQL. Lives on one event loop."""

    def __init__(self, url: str, pulse: Pulse = Pulse()) -> None:
        self._url, self._pulse = url, pulse
        self._settings = DBSettings(db_schema="pgqueuer", durability=Durability.balanced)
        self._unsent: dict[str, int] = {}
        self._sending: asyncio.Task[None] | None = None

    async def enqueue(
        self, submission_id: str, priority: int, within: object | None = None
    ) -> None:
        """With a connection, at once and in its transaction; otherwise soon, with others."""
        if within is not None:
            await self._insert(AsyncpgDriver(within), {submission_id: priority})
            return
        self._unsent[submission_id] = priority
        if self._sending is None:
            self._sending = asyncio.create_task(self._send())

    async def run(self, handler: Handler, concurrency: int) -> None:
        """As the port says; while the database is away, it waits for it."""
        while True:
            try:
                await self._run(handler, concurrency)
            except (StoreUnavailable, FailingListenerError) as error:
                _log.warning("no jobs for now", reason=str(error) or "no notifications come")
            await asyncio.sleep(_AGAIN_S)

    async def _run(self, handler: Handler, concurrency: int) -> None:
        room = _Room(concurrency)
        async with self._pool() as connections:
            jobs = _Jobs(AsyncpgPoolDriver(connections), *self._builders(), room=room)
            manager = QueueManager(jobs, channel=Channel(self._settings.channel))
            jobs.stopped = manager.shutdown.is_set

            @manager.entrypoint(_ENTRY_POINT)
            async def _job(job: Job) -> None:
                try:
                    await handler((job.payload or b"").decode())
                finally:
                    room.leave(job.id)

            engine = asyncio.create_task(
                manager.run(
                    batch_size=1,
                    dequeue_timeout=timedelta(seconds=self._pulse.poll_s),
                    heartbeat_timeout=timedelta(seconds=self._pulse.heartbeat_s),
                    log_aggregation_interval=timedelta(0),
                    shutdown_on_listener_failure=True,
                )
            )
            forgetting = asyncio.create_task(_forget(jobs))
            try:
                await until_cancelled(manager, engine)
            finally:
                forgetting.cancel()

    @asynccontextmanager
    async def _pool(self) -> AsyncIterator[Pool]:
        with explained():
            # What becomes of a job may be lost in a power cut: then it is handed out once more. That
            # there is a job is kept with its submission, on a connection of the store's.
            connections = pool(self._url, 4, synchronous_commit="off")
            await connections
            try:
                yield connections
            finally:
                try:
                    await asyncio.wait_for(connections.close(), _CLOSE_S)
                except Exception:  # what is cut off cannot be closed in good order
                    connections.terminate()

    async def _send(self) -> None:
        """What came without a transaction, all at once; the next sweep makes good what fails."""
        try:
            while self._unsent:
                await asyncio.sleep(0)
                jobs, self._unsent = self._unsent, {}
                with explained():
                    connection = await connect(self._url)
                    try:
                        await self._insert(AsyncpgDriver(connection), jobs)
                    finally:
                        await connection.close(timeout=_CLOSE_S)
        except StoreUnavailable as error:
            _log.warning("no jobs were made", reason=str(error))
        finally:
            self._sending = None

    async def _insert(self, driver: Driver, jobs: dict[str, int]) -> None:
        ids = list(jobs)
        await Queries(driver, *self._builders()).enqueue(
            [_ENTRY_POINT] * len(ids),
            [one.encode() for one in ids],
            list(jobs.values()),
            dedupe_key=list(ids),
            on_conflict="skip",
        )

    def _builders(self) -> tuple[QueryBuilderEnvironment, QueryQueueBuilder]:
        return QueryBuilderEnvironment(self._settings), QueryQueueBuilder(self._settings)


class _Room:
    """How many jobs are in hand here. The engine's own limit would be one for all machines."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._inside: set[JobId] = set()
        self._changed = asyncio.Event()

    async def free(self) -> int:
        """Wait until there is room for a job; for how many there is."""
        while len(self._inside) >= self._size:
            self._changed.clear()
            await self._changed.wait()
        return self._size - len(self._inside)

    def enter(self, job: JobId) -> None:
        self._inside.add(job)

    def leave(self, job: JobId) -> None:
        self._inside.discard(job)
        self._changed.set()


@dataclass
class _Jobs(Queries):
    """Takes no more jobs than there is room for, so that no job waits here while others are idle.

    No job is ever put off to a later time, so that nobody asks the database when the next one is due.
    """

    room: _Room = field(default_factory=lambda: _Room(1))
    stopped: Callable[[], bool] = lambda: False

    async def dequeue(self, batch_size: int, *others: Any, **named: Any) -> list[Job]:
        batch_size = await self.room.free()
        if self.stopped():
            return []
        jobs = await super().dequeue(batch_size, *others, **named)
        for job in jobs:
            self.room.enter(job.id)
        return jobs

    async def next_deferred_eta(self, entrypoints: list[QueueEntrypoint]) -> timedelta | None:
        return None

    async def queued_work(self, entrypoints: list[QueueEntrypoint]) -> int:
        """Asked for what was put off and is due by now, right after what is due was counted."""
        return 0


async def _forget(jobs: Queries) -> None:
    """The engine logs every job, for statistics that nobody asks for; the table would grow."""
    while True:
        await asyncio.sleep(_FORGET_S)
        with suppress(StoreUnavailable), explained():
            await jobs.clear_queue_log(_ENTRY_POINT)
