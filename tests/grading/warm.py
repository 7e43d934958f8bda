"""A pytest session that has collected its tests, and tries each mutant in a fork of itself.

First every test runs once as the program is: how long it takes, and which lines it reaches. A mutant
then meets only the tests that reach its statement, until one fails: first those that noticed other
mutants there, then those that noticed the most in that module for their time, then the cheapest.
"""

from __future__ import annotations

import ast
import gc
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import pytest

from tests.grading.swapping import (
    CannotSwap,
    closures,
    constant,
    put_constant,
    statement,
    swap,
    users,
)

_FAILED, _UNNOTICED, _NOT_SWAPPED = 1, 0, 77
# A mutant may allocate or recurse without end.
_MEMORY = 4 << 30
# A test that takes this much more CPU than without a mutant has noticed it.
_LEAST_S, _TIMES = 0.5, 8
# What it costs to run a test that does nothing.
_RUNNING_S = 0.002


@dataclass
class Reached:
    """One test as it is without a mutant: its CPU time and the lines that it reaches, by module."""

    item: pytest.Item
    seconds: float = 0.0
    lines: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))


class Warm:
    """A plugin for pytest: `work` gets this object in the place of a run of the tests."""

    def __init__(self, targets: Sequence[Path], work: Callable[[Warm], None]):
        self._targets = {str(path) for path in targets}
        self._work = work
        self._tests: list[Reached] = []
        self._noticed: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        self._noticed_in: dict[str, Counter[str]] = defaultdict(Counter)
        self._failed: list[str] = []
        self._closures: list[FunctionType] = []
        self.in_fork = False

    # --- What pytest calls --------------------------------------------------------------------

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.failed:
            return
        if self.in_fork:
            sys.stdout.flush()
            os._exit(_FAILED)
        self._failed.append(report.nodeid)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            self._tests.append(self._alone(item))
        gc.collect()
        self._closures = closures(self._targets)
        gc.freeze()  # a fork that collects garbage would copy every page
        self._work(self)
        return True

    # --- What the work asks -------------------------------------------------------------------

    @property
    def failing(self) -> list[str]:
        """Tests that fail even without a mutant: they would notice anything."""
        return self._failed

    def notices(self, path: Path, line: int, source: str) -> bool | None:
        """Whether a test fails with `source` in the file's place; None if that cannot be tried here."""
        tree = ast.parse(path.read_text())
        around = statement(tree, line)
        name = constant(tree, line) if around is None else None
        reached = users(tree, name) if name else set(around or ())
        place = (str(path), line if around is None else around.start)
        tests = self._in_order(place, reached)
        if not tests:
            return None  # it may be called while modules are imported
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._in_child(path, name, source, tests, writing)
        os.close(writing)
        with open(reading, encoding="utf-8") as pipe:
            last = pipe.read().split()[-1:]
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) == _NOT_SWAPPED:
            return None
        if status and last:
            name_of = tests[int(last[0])].item.nodeid
            self._noticed[place][name_of] += 1
            self._noticed_in[str(path)][name_of] += 1
        return status != 0

    # --- Below --------------------------------------------------------------------------------

    def _alone(self, item: pytest.Item) -> Reached:
        reached = Reached(item)
        before = time.process_time()
        sys.settrace(lambda frame, event, _: self._trace(reached, frame))
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        finally:
            sys.settrace(None)
        reached.seconds = time.process_time() - before
        return reached

    def _trace(self, reached: Reached, frame: FrameType) -> Any:
        name = frame.f_code.co_filename
        if name not in self._targets:
            return None
        lines = reached.lines[name]
        lines.add(frame.f_code.co_firstlineno)

        def line(frame: FrameType, event: str, _: Any) -> Any:
            lines.add(frame.f_lineno)
            return line

        return line

    def _in_order(self, place: tuple[str, int], reached: set[int]) -> list[Reached]:
        here, there = self._noticed[place], self._noticed_in[place[0]]
        reaching = [test for test in self._tests if not test.lines[place[0]].isdisjoint(reached)]

        def promise(test: Reached) -> tuple[float, float, float]:
            name = test.item.nodeid
            return -here[name], -there[name] / (test.seconds + _RUNNING_S), test.seconds

        return sorted(reaching, key=promise)

    def _in_child(
        self, path: Path, name: str | None, source: str, tests: list[Reached], report: int
    ) -> None:
        code = _FAILED
        try:
            self.in_fork = True
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            try:
                if name:
                    put_constant(_loaded(path), name, source)
                else:
                    swap(_loaded(path), source, self._closures)
            except CannotSwap:
                code = _NOT_SWAPPED
                return
            for number, test in enumerate(tests):
                os.write(report, f"{number} ".encode())
                signal.setitimer(signal.ITIMER_VIRTUAL, _LEAST_S + _TIMES * test.seconds)
                test.item.config.hook.pytest_runtest_protocol(item=test.item, nextitem=None)
            code = _UNNOTICED
        finally:
            os._exit(code)


def _loaded(path: Path) -> Any:
    return next(m for m in sys.modules.values() if getattr(m, "__file__", None) == str(path))
