"""Judging in real boxes with the packages as they are, for every test of grading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from app.judge import judge
from app.model import Judgement, TestCase
from app.problem import Catalogue, load_catalogue
from app.sandbox import Keeper

PROBLEMS = Path(__file__).resolve().parent.parent.parent / "problems"


@dataclass(frozen=True, slots=True)
class Judging:
    """The catalogue and a keeper."""

    catalogue: Catalogue
    keeper: Keeper

    def verdict(
        self, problem: str, source: str, tests: Sequence[TestCase] | None = None
    ) -> Judgement:
        judging = judge(source, self.catalogue.get(problem), self.keeper, tests)
        while True:
            try:
                next(judging)
            except StopIteration as end:
                judgement: Judgement = end.value
                return judgement


@contextmanager
def judging() -> Iterator[Judging]:
    """A keeper of the best tier that this machine has, and a cache of its own."""
    with TemporaryDirectory() as cache, Keeper(min_tier="C") as keeper:
        yield Judging(load_catalogue(PROBLEMS, Path(cache), keeper), keeper)
