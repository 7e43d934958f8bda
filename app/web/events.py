"""What whoever watches is told: pushed test by test, replayed to those who come later.

The events of a judging in progress are kept here until it is judged; after that the store knows
everything, and nothing is kept. An event's id is `<judging>.<position>`: a browser that lost its
connection sends the last one it saw, and gets what follows; if the judging was begun again
meanwhile (a restart), it gets the new one from its beginning.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from app.model import Event, JudgedEvent, Judgement, JudgingEvent, RunEvent

# How far a watcher may lag behind before it is cut off; it then reconnects and catches up.
_LAG = 10_000


@dataclass(frozen=True, slots=True)
class Told:
    """An event with the id under which it is sent."""

    id: str
    event: Event


@dataclass(slots=True)
class _Judging:
    """One judging in progress."""

    name: str = field(default_factory=lambda: secrets.token_hex(4))
    told: list[Told] = field(default_factory=list)

    def tell(self, event: Event) -> Told:
        told = Told(f"{self.name}.{len(self.told)}", event)
        self.told.append(told)
        return told


class Watch:
    """One watcher's events, from now on."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Told | None] = asyncio.Queue()

    def push(self, told: Told | None) -> None:
        if self._queue.qsize() < _LAG:
            self._queue.put_nowait(told)
        elif told is None or isinstance(told.event, JudgedEvent):
            self._queue = asyncio.Queue()
            self._queue.put_nowait(None)

    async def next(self) -> Told | None:
        """The next event; None: no more will come."""
        return await self._queue.get()

    async def judged(self) -> bool:
        """Wait until it is judged; False where the events end without that."""
        while (told := await self.next()) is not None:
            if isinstance(told.event, JudgedEvent):
                return True
        return False


class Events:
    """All judgings in progress and all watchers of this process. Lives on the event loop."""

    def __init__(self) -> None:
        self._judgings: dict[str, _Judging] = {}
        self._watches: defaultdict[str, set[Watch]] = defaultdict(set)
        self._closed = False

    def publish(self, submission_id: str, event: Event) -> None:
        """Tell everybody who watches this submission."""
        if isinstance(event, JudgingEvent):
            self._judgings[submission_id] = _Judging()
        judging = self._judgings.setdefault(submission_id, _Judging())
        told = judging.tell(event)
        if isinstance(event, JudgedEvent):
            del self._judgings[submission_id]
        for watch in self._watches.get(submission_id, ()):
            watch.push(told)

    @property
    def watchers(self) -> int:
        """How many streams and held replies are open."""
        return sum(len(watches) for watches in self._watches.values())

    def unfinished(self) -> Collection[str]:
        """Submissions that are watched, or whose judging has begun and not ended."""
        return self._judgings.keys() | self._watches.keys()

    def judging(self, submission_id: str) -> bool:
        """Whether its judging has begun, and has not ended."""
        return submission_id in self._judgings

    @contextmanager
    def watching(self, submission_id: str, after: str = "") -> Iterator[Watch]:
        """The events after the one with the id `after`, or all of this judging."""
        watch = Watch()
        for told in self._missed(submission_id, after):
            watch.push(told)
        if self._closed:
            watch.push(None)
        self._watches[submission_id].add(watch)
        try:
            yield watch
        finally:
            self._watches[submission_id].discard(watch)
            if not self._watches[submission_id]:
                del self._watches[submission_id]

    def ended(self, submission_id: str) -> None:
        """Nothing more is told, and no verdict: let its watchers go, who then ask the store."""
        self._judgings.pop(submission_id, None)
        for watch in self._watches.get(submission_id, ()):
            watch.push(None)

    def close(self) -> None:
        """The process stops: let every watcher go."""
        self._closed = True
        for watches in self._watches.values():
            for watch in watches:
                watch.push(None)

    def _missed(self, submission_id: str, after: str) -> list[Told]:
        judging = self._judgings.get(submission_id)
        if judging is None:
            return []
        seen = [told.id for told in judging.told]
        return judging.told[seen.index(after) + 1 :] if after in seen else list(judging.told)


async def follow(watch: Watch, silence_s: float | None = None) -> AsyncIterator[Told | None]:
    """Until it is judged, or the process stops; None whenever nothing was told for `silence_s`."""
    while True:
        try:
            async with asyncio.timeout(silence_s):
                told = await watch.next()
        except TimeoutError:
            yield None
            continue
        if told is None:
            return
        yield told
        if isinstance(told.event, JudgedEvent):
            return


def replay(judgement: Judgement) -> Iterator[Told]:
    """A judgement told as if it were happening now."""
    judging = _Judging(name="judged")
    yield judging.tell(JudgingEvent())
    for run in judgement.runs:
        yield judging.tell(RunEvent(run.index, run.verdict, run.time_ms))
    yield Told(LAST, JudgedEvent(judgement.verdict, judgement.score))


# The id of the last event of a replay. Who has seen it has seen everything.
LAST = "judged"
