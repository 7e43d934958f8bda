"""A Runner for tests that need no walls: each call in a forked child, its outcome over a pipe."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import FunctionType

from app.model import Call, Crashed, Exceeded, Fact, NotCompiled, Outcome, Raised, Returned
from app.problem.versions import digest

_FORK = multiprocessing.get_context("fork")


@dataclass
class PlainRunner:
    """Counts its calls, so that a test can say that something was not made twice."""

    calls: int = 0
    time_limit_s: float = 5.0

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        for index, call in enumerate(calls):
            self.calls += 1
            started = time.monotonic()
            fact = self._fact(call)
            spent = time.monotonic() - started
            yield index, Outcome(fact, spent, spent, 1024)

    def _fact(self, call: Call) -> Fact:
        here, there = _FORK.Pipe()
        child = _FORK.Process(target=_inside, args=(call, there))
        child.start()
        there.close()
        try:
            if not here.poll(self.time_limit_s):
                return Exceeded("wall")
            fact: Fact = here.recv()
            return fact
        except EOFError:
            return Crashed(exit_code=1)
        finally:
            child.kill()
            child.join()
            here.close()


def _inside(call: Call, answer: Connection) -> None:
    answer.send(_called(call))


def _called(call: Call) -> Fact:
    names: dict[str, object] = {"__name__": "submission"}
    try:
        exec(compile(call.source, "<submission>", "exec"), names)
        function = names.get(call.entry_point)
        if not isinstance(function, FunctionType):
            return NotCompiled("no_entry_point", f"no function {call.entry_point}")
        before = digest(call.arguments)
        value = function(*call.arguments)
        return Returned(value, digest(call.arguments) == before)
    except SyntaxError as error:
        return NotCompiled("syntax", str(error.msg), error.lineno)
    except Exception as error:
        return Raised(type(error).__name__, str(error), None)
