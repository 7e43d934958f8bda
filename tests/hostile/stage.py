"""A small problem that attacks are submitted to, and the facts that its boxes told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from app.contract import Argument, Leaf, Tolerance
from app.judge import judge
from app.model import (
    Call,
    Contents,
    Core,
    Crashed,
    Exceeded,
    Fact,
    Judgement,
    Limits,
    NotCompiled,
    Outcome,
    Page,
    Raised,
    Run,
    Runner,
    TestCase,
    Variant,
)

RIGHT = "def solve(values):\n    return float(values.sum())\n"
WRONG = "def solve(values):\n    return float(values.sum()) + 1.0\n"
LIMITS = Limits(time_s=0.3, wall_s=10.0, memory_mib=128, returned_mib=32)

_INPUTS = ([1.0, 2.0, 3.0], [4.0, 5.0])


def variant(limits: Limits = LIMITS) -> Variant:
    """Asks for the sum of an array. Two secret tests, so that one can try to tell the other."""
    tests = tuple(
        TestCase(f"secret {number}", (), False, lambda values=values: _contents(values))  # type: ignore[misc]
        for number, values in enumerate(_INPUTS)
    )
    return Variant(
        "attacks/sum", "Sum", "solve", (Argument("values", Leaf("array", dtype="float64")),),
        Leaf("number"), Tolerance(1e-9, 0.0), tests, Core("", (), (), ()), "v1",
        Page("easy", 5, "", ""), limits,
    )  # fmt: skip


def _contents(values: list[float]) -> Contents:
    return Contents((np.array(values),), float(sum(values)))


@dataclass(slots=True)
class Recorder:
    """A runner that hands everything to another and remembers the facts."""

    runner: Runner
    facts: dict[int, Fact] = field(default_factory=dict)

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        for index, outcome in self.runner.run(calls):
            self.facts[index] = outcome.fact
            yield index, outcome


def submit(
    source: str, runner: Runner, limits: Limits = LIMITS
) -> tuple[Judgement, list[Run], str]:
    """The judgement, its runs, and the detail of the first fact, as the catalogue writes it."""
    recorder = Recorder(runner)
    steps = judge(source, variant(limits), recorder)
    runs = []
    while True:
        try:
            runs.append(next(steps))
        except StopIteration as end:
            first = next(
                (r for r in sorted(runs, key=lambda r: r.index) if r.verdict != "AC"), runs[0]
            )
            return end.value, runs, detail(recorder.facts[first.index]) if recorder.facts else ""


def detail(fact: Fact) -> str:
    match fact:
        case Raised():
            return fact.type_name
        case Exceeded():
            return fact.limit
        case NotCompiled():
            return fact.reason
        case Crashed(malformed=True):
            return "malformed"
        case Crashed(signal=None):
            return f"exit {fact.exit_code}"
        case Crashed():
            return f"signal {fact.signal}"
        case _:
            return ""
