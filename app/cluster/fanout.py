"""News of judgings, from the process that judges to every process that holds streams.

They travel as PostgreSQL's notifications: small, in batches, at most once. What is lost meanwhile is
told by the store: whoever is watched and has been judged is told so, if nobody else said it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeAlias

import structlog
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver

from app.errors import StoreError, StoreUnavailable
from app.model import Event, JudgedEvent, JudgingEvent, RunEvent
from app.postgresql import connect, explained

_log = structlog.get_logger()

_CHANNEL = "allclose_news"
_BATCH_S = 0.025  # that news wait for company; the end of a judging does not
_PAYLOAD_BYTES = 7500  # the server takes less than 8000
_AGAIN_S = 0.5
_KEPT = 10_000  # news that wait while the database is away; older ones are lost

# A submission, and what is told of it; None is the end without a verdict.
News: TypeAlias = tuple[str, Event | None]


class Local(Protocol):
    """Whoever watches in this process."""

    def publish(self, submission_id: str, event: Event) -> None: ...

    def ended(self, submission_id: str) -> None: ...

    def unfinished(self) -> Collection[str]:
        """Submissions that are watched, or whose judging has begun and not ended."""
        ...


class Verdicts(Protocol):
    """The store, as far as it is asked here."""

    async def told_by(self, ids: Collection[str]) -> Mapping[str, JudgedEvent | None]:
        """Of these, the judged with their verdict, and None for each that does not exist."""
        ...


class Silence:
    """Nobody watches in a process that only judges."""

    def publish(self, submission_id: str, event: Event) -> None:
        pass

    def ended(self, submission_id: str) -> None:
        pass

    def unfinished(self) -> Collection[str]:
        return ()


class Fanout:
    """Tells whoever watches here, and every other process. Lives on the event loop."""

    def __init__(self, url: str, local: Local, store: Verdicts, heal_s: float = 1.0) -> None:
        self._url, self._local, self._store, self._heal_s = url, local, store, heal_s
        self._name = secrets.token_hex(4)  # what comes from here is told here already
        self._unsent: list[News] = []
        self._some = asyncio.Event()
        self._urgent = asyncio.Event()  # the end of a judging is among it
        self._late: set[str] = set()  # judged, and not told here when last looked at

    def publish(self, submission_id: str, event: Event) -> None:
        self._local.publish(submission_id, event)
        self._send_soon((submission_id, event))

    def ended(self, submission_id: str) -> None:
        self._local.ended(submission_id)
        self._send_soon((submission_id, None))

    async def run(self, *, listening: bool = True) -> None:
        """Until cancelled. `listening`: whether somebody may watch here."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._again_and_again(self._send))
            if listening:
                tasks.create_task(self._again_and_again(self._listen))
                tasks.create_task(self._heal_forever())

    def _send_soon(self, news: News) -> None:
        if len(self._unsent) < _KEPT:
            self._unsent.append(news)
            self._some.set()
            if _is_last(news[1]):
                self._urgent.set()

    async def _again_and_again(self, do: Any) -> None:
        """With a connection; with a new one where that is lost."""
        while True:
            try:
                with explained():
                    connection = await connect(self._url)
                    try:
                        await do(AsyncpgDriver(connection), connection)
                    finally:
                        connection.terminate()
            except StoreUnavailable as error:
                _log.warning("no news for now", reason=str(error))
            await asyncio.sleep(_AGAIN_S)

    async def _send(self, driver: AsyncpgDriver, _connection: object) -> None:
        while True:
            await self._some.wait()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._urgent.wait(), _BATCH_S)
            news, self._unsent = self._unsent, []
            self._some.clear()
            self._urgent.clear()
            for payload in written(self._name, news):
                await driver.notify(_CHANNEL, payload)

    async def _listen(self, driver: AsyncpgDriver, connection: Any) -> None:
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        await driver.add_listener(_CHANNEL, self._heard)
        await lost.wait()

    def _heard(self, payload: str | bytes | bytearray) -> None:
        sender, news = read(payload)
        if sender == self._name:
            return
        for submission_id, event in news:
            if event is None:
                self._local.ended(submission_id)
            else:
                self._local.publish(submission_id, event)

    async def _heal_forever(self) -> None:
        while True:
            await asyncio.sleep(self._heal_s)
            try:
                await self.heal()
            except StoreError as error:
                _log.warning("the store cannot be asked for news", reason=str(error))

    async def heal(self) -> None:
        """Tell the verdict of what was judged a while ago, as far as nobody told it here."""
        unfinished = self._local.unfinished()
        told = await self._store.told_by(unfinished) if unfinished else {}
        # News may be under way just now; the second look is late enough.
        for submission_id in self._late & told.keys():
            event = told[submission_id]
            if event is None:
                self._local.ended(submission_id)
            else:
                self._local.publish(submission_id, event)
        self._late = set(told) - self._late


def written(sender: str, news: Sequence[News]) -> Iterator[str]:
    """Payloads of notifications, each small enough."""
    lines: list[str] = []
    size = 0
    for submission_id, event in news:
        line = json.dumps([submission_id, *_words(event)], separators=(",", ":"))
        if lines and size + len(line) > _PAYLOAD_BYTES - 100:
            yield f'["{sender}",[{",".join(lines)}]]'
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    if lines:
        yield f'["{sender}",[{",".join(lines)}]]'


def read(payload: str | bytes | bytearray) -> tuple[str, list[News]]:
    """The sender and its news."""
    sender, lines = json.loads(payload)
    return str(sender), [(str(line[0]), _event(line[1:])) for line in lines]


def _words(event: Event | None) -> tuple[Any, ...]:
    match event:
        case None:
            return ()
        case JudgingEvent():
            return ("judging",)
        case RunEvent(index, verdict, time_ms):
            return ("run", index, verdict, time_ms)
        case JudgedEvent(verdict, score):
            return ("judged", verdict, score)


def _event(words: list[Any]) -> Event | None:
    match words:
        case ["judging"]:
            return JudgingEvent()
        case ["run", index, verdict, time_ms]:
            return RunEvent(index, verdict, time_ms)
        case ["judged", verdict, score]:
            return JudgedEvent(verdict, score)
        case _:
            return None


def _is_last(event: Event | None) -> bool:
    return event is None or isinstance(event, JudgedEvent)
