"""`allclose verify --beside`: what a service starts for itself. The kernel serves it last.

Standard input says `go` and `wait`; programs run only after a `go`. Its end ends the examination, so
none outlives its service. Standard output is one report in JSON a line.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, overload

from app.config import Settings
from app.model import Call, Outcome, Runner
from app.problem import load
from app.sandbox import Keeper
from app.verify import Report
from app.verify import verify as verified

_LOWEST = 19


def verify_beside(settings: Settings) -> bool:
    """Examine every package that has changed since it was examined; whether all keep their promises.

    Raises SandboxError where boxes cannot be had.
    """
    _give_way()
    katex = settings.static / "katex.js"
    with Keeper(min_tier=settings.policy_tier, ready_ahead=2) as keeper:
        runner = Paced(keeper, heard(sys.stdin), keeper.cores)

        def report(name: str, remember: bool) -> Report:
            return verified(
                settings.problems,
                (name,),
                runner,
                settings.cache,
                katex=katex if katex.exists() else None,
                remember=remember,
            )[0]

        kept = True
        for name in load.names(settings.problems):
            found = report(name, True)
            # A machine that is busy makes programs look slow: what is refused is tried once more.
            found = found if found.kept else report(name, False)
            kept = kept and found.kept
            print(json.dumps(found.to_json()), flush=True)
    return kept


def _give_way() -> None:
    """Boxes are made by this process's children, and inherit this."""
    os.nice(_LOWEST)
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except OSError:
        return  # the kernel does not know it, or it is forbidden here: the lowest priority, then


def heard(words: IO[str]) -> threading.Event:
    """Set while the last line was `go`. Where there will be no other, this process is interrupted."""
    may_run = threading.Event()

    def listen() -> None:
        for line in words:
            if line.strip() == "go":
                may_run.set()
            else:
                may_run.clear()
        os.kill(os.getpid(), signal.SIGINT)
        may_run.set()

    threading.Thread(target=listen, daemon=True).start()
    return may_run


@dataclass(frozen=True, slots=True)
class Paced:
    """A runner that waits for its turn before every few calls; those under way are left in peace."""

    runner: Runner
    may_run: threading.Event
    at_once: int

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        for start in range(0, len(calls), self.at_once):
            self.may_run.wait()
            for index, outcome in self.runner.run(_Part(calls, start, self.at_once)):
                yield start + index, outcome


class _Part(Sequence[Call]):
    """Some of the calls, each made only when it is asked for."""

    def __init__(self, calls: Sequence[Call], start: int, count: int) -> None:
        self._calls, self._start = calls, start
        self._count = min(count, len(calls) - start)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Call]: ...
    def __getitem__(self, index: int | slice) -> Call | Sequence[Call]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        if not 0 <= index < self._count:
            raise IndexError(index)
        return self._calls[self._start + index]
