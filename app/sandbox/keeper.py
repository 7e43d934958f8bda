"""The keeper: runs calls in boxes side by side, watches them, and tells each outcome as it ends."""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from app.errors import SandboxUnavailable
from app.model import Call, NotCompiled, Outcome
from app.runtime_kinds import RuntimeName
from app.sandbox import runtimes
from app.sandbox.box import Box
from app.sandbox.plan import Plan, Tier
from app.sandbox.pool import Pool
from app.sandbox.tiers import open_pool

_LAST_WORDS_S = 0.05  # how long a box may live on that closed its only way to answer


class Keeper:
    """Runs calls, each in a fresh box. Safe to use from several threads; close it at the end.

    min_tier     the weakest tier that will do; below it construction raises SandboxUnavailable
    force_tier   exactly this tier, for tests
    ready_ahead  boxes of each runtime kept waiting
    program      the file that a runtime executes
    """

    def __init__(
        self,
        min_tier: Tier = "C",
        *,
        force_tier: Tier | None = None,
        ready_ahead: int = 6,
        program: Path = runtimes.PROGRAM,
    ) -> None:
        self.report: list[str] = []
        self.cores = len(os.sched_getaffinity(0))
        self._slots = threading.Semaphore(self.cores)
        self._here = _Here()
        self._pool = open_pool(min_tier, force_tier, ready_ahead, program, self.report)

    @property
    def tier(self) -> Tier:
        return self._pool.plan.tier

    @property
    def plan(self) -> Plan:
        return self._pool.plan

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        """Run each call in a box of its own, side by side on the cores that are free.

        Yields (index into `calls`, outcome) as they end. Raises SandboxError if a box, not a
        program, failed.
        """
        return _Round(self._pool, self._slots, self.cores, calls, self._here).outcomes()

    def waiting(self) -> frozenset[int]:
        """Pids of what is ready for the next run: the runtimes and their waiting boxes."""
        return self._pool.pids()

    @property
    def ready(self) -> int:
        """How many boxes wait now."""
        return self._pool.ready

    def runtime_memory_kib(self, name: RuntimeName) -> int:
        """Memory that a runtime shares with nobody but its own boxes."""
        return self._pool.runtime(name).memory_kib()

    def close(self) -> None:
        """End every process and remove every trace. Runs under way end with SandboxUnavailable."""
        self._pool.close()

    def __enter__(self) -> Keeper:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Here(threading.local):
    """What this thread is at: is it making a call of a round?"""

    making = False


class _Round:
    """One `run`: a loop over the boxes that are under way.

    Making a call may run programs itself: a big test is generated when it is first asked for. Such
    a round inside a round takes no slot, one box at a time, or it would wait for ever for the slots
    that the outer one holds.
    """

    def __init__(
        self,
        pool: Pool,
        slots: threading.Semaphore,
        cores: int,
        calls: Sequence[Call],
        here: _Here,
    ) -> None:
        self._pool, self._slots, self._cores = pool, slots, cores
        self._calls = calls
        self._here, self._inner = here, here.making
        self._waiting = deque(range(len(calls)))  # a call is made only when its box is there
        self._poll = select.poll()
        self._by_descriptor: dict[int, Box] = {}
        self._boxes: list[Box] = []
        self._holding = 0  # slots
        self._runtime: RuntimeName = "numpy"  # of the call before: that of the next, most likely
        # Sources, and what the compiler made of each: the first box of one tells, for the others.
        self._compiled: dict[str, bytes | bool] = {}

    def outcomes(self) -> Iterator[tuple[int, Outcome]]:
        try:
            while self._waiting or any(box.outcome is None for box in self._boxes):
                yield from self._fill()
                if self._waiting:  # the last ones have boxes, and want the cores for themselves
                    self._pool.tend()
                yield from self._step()
        finally:
            self._pool.tidy(self._boxes)
            while self._holding:
                self._release()

    def _fill(self) -> Iterator[tuple[int, Outcome]]:
        """Start as many calls as there are free cores.

        While something runs, only in boxes that are ready: what runs may end before the next is.
        """
        room = 3 * self._cores  # what is dying has no slot, but is not endless either
        while self._waiting and len(self._boxes) < room:
            if (self._boxes and not self._pool.is_ready(self._runtime)) or not self._acquire():
                break
            index = self._waiting.popleft()
            call = self._made(index)
            if _is_text(call):
                self._start(index, call)
            else:
                self._release()
                fact = NotCompiled("syntax", "the source is not valid Unicode text")
                yield index, Outcome(fact, 0.0, 0.0, 0)

    def _made(self, index: int) -> Call:
        outer, self._here.making = self._here.making, True
        try:
            return self._calls[index]
        finally:
            self._here.making = outer

    def _start(self, index: int, call: Call) -> None:
        box, runtime = self._pool.take(call.runtime)
        self._runtime = call.runtime
        self._boxes.append(box)
        self._watch(box.channel.fileno(), box, select.POLLIN)
        self._watch(box.pidfd, box, select.POLLIN)
        code = self._compiled.get(call.source, bool(self._waiting))
        box.begin(index, call, runtime.address_bytes, code)
        self._compiled.setdefault(call.source, False)
        if box.outgoing:
            self._poll.modify(box.channel.fileno(), select.POLLIN | select.POLLOUT)

    def _step(self) -> Iterator[tuple[int, Outcome]]:
        """Wait for something to happen, and deal with it."""
        running = [box for box in self._boxes if box.state == "running"]
        wait_s = min((box.next_look_s for box in running), default=time.monotonic() + 1)
        wait_s -= time.monotonic()
        coming = self._pool.coming(self._runtime) if self._waiting else -1
        if coming >= 0:
            self._poll.register(coming, select.POLLIN)
        events = self._poll.poll(max(wait_s, 0) * 1000)
        if coming >= 0:
            self._poll.unregister(coming)
        for descriptor, _ in events:
            box = self._by_descriptor.get(descriptor)
            if box is None:
                continue  # a box is ready for the next call
            if descriptor == box.pidfd:
                yield from self._finish(box)
                self._boxes.remove(box)
                self._pool.discard(box)
            elif box.state == "running":
                self._hear(box)
                if box.outcome is not None:
                    yield box.index, box.outcome
        now_s = time.monotonic()
        for box in running:
            if box.state == "running" and now_s >= box.next_look_s:
                box.watch(now_s, self._cores)
                if box.killed_for is not None or box.malformed:
                    self._end(box)

    def _hear(self, box: Box) -> None:
        """Its channel can be read or written."""
        if box.outgoing:
            box.send_more()
            if not box.outgoing:
                self._poll.modify(box.channel.fileno(), select.POLLIN)
        box.receive()
        if box.code is not None and box.call is not None:
            self._compiled[box.call.source], box.code = box.code, None
        if box.complete or box.malformed:
            self._end(box)
        elif box.closed:  # it is dying, or it closed its only way to answer
            self._forget(box.channel.fileno())
            box.last_words_s = time.monotonic() + _LAST_WORDS_S
            box.next_look_s = min(box.next_look_s, box.last_words_s)

    def _end(self, box: Box) -> None:
        self._forget(box.channel.fileno())
        box.end()
        self._release()

    def _finish(self, box: Box) -> Iterator[tuple[int, Outcome]]:
        """It is dead: collect it, and tell what happened where that was not told already."""
        if self._pool.closed:
            raise SandboxUnavailable("the sandbox was closed while a program ran")
        told = box.outcome is not None
        if box.state == "running":  # it died by itself; a last frame may still be there
            box.receive()
            self._end(box)
        self._forget(box.pidfd)
        outcome = box.reap()
        if not told:
            yield box.index, outcome

    def _watch(self, descriptor: int, box: Box, events: int) -> None:
        self._poll.register(descriptor, events)
        self._by_descriptor[descriptor] = box

    def _forget(self, descriptor: int) -> None:
        if self._by_descriptor.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def _acquire(self) -> bool:
        """A slot for one more box; waits for one only where none of its own is under way."""
        if self._inner:
            return not self._boxes
        if not self._slots.acquire(blocking=not self._boxes):
            return False
        self._holding += 1
        return True

    def _release(self) -> None:
        if not self._inner:
            self._holding -= 1
            self._slots.release()


def _is_text(call: Call) -> bool:
    """Half of a surrogate pair is no text, and no box is needed to say so."""
    try:
        (call.source + call.entry_point).encode()
    except UnicodeEncodeError:
        return False
    return True
