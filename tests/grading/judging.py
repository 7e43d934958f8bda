"""Judging with the packages as they are: in real boxes, or in this process by the hundred."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from app.judge import finished, judge
from app.model import Judgement, Runner, TestCase, Value, Variant
from app.problem import Catalogue, load_catalogue
from app.sandbox import Keeper
from tests.grading.in_process import InProcess

PROBLEMS = Path(__file__).resolve().parent.parent.parent / "problems"


# Tests with more numbers than this say nothing about a diagnosis that smaller ones do not.
_MANY = 1_000


@dataclass(frozen=True, slots=True)
class Judging:
    """The catalogue and a runner."""

    catalogue: Catalogue
    runner: Runner
    small_only: bool = False

    def variant(self, problem: str) -> Variant:
        variant = self.catalogue.get(problem)
        return replace(variant, tests=self.small(problem)) if self.small_only else variant

    def small(self, problem: str) -> tuple[TestCase, ...]:
        """The tests that cost no time, whatever a program does with every number."""
        tests = self.catalogue.get(problem).tests
        return tuple(t for t in tests if _count(t.contents().arguments) <= _MANY)

    def verdict(
        self, problem: str, source: str, tests: Sequence[TestCase] | None = None
    ) -> Judgement:
        return finished(judge(source, self.variant(problem), self.runner, tests))


def _count(value: Value) -> int:
    if isinstance(value, np.ndarray):
        return value.size
    return sum(map(_count, value)) if isinstance(value, list | tuple) else 1


@contextmanager
def in_boxes() -> Iterator[Judging]:
    """A keeper of the best tier that this machine has, and a cache of its own."""
    with TemporaryDirectory() as cache, Keeper(min_tier="C") as keeper:
        yield Judging(load_catalogue(PROBLEMS, Path(cache), keeper), keeper)


@contextmanager
def in_process() -> Iterator[Judging]:
    """Hundreds of programs of our own a minute, on all tests but the big ones."""
    with TemporaryDirectory() as cache:
        runner = InProcess()
        yield Judging(load_catalogue(PROBLEMS, Path(cache), runner), runner, small_only=True)
