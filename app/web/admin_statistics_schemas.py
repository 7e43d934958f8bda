"""Statistics as the API gives them."""

from __future__ import annotations

from pydantic import Field

from app.model import Verdict
from app.store import ProblemFigures, Spread, TestFigures
from app.web.schemas import Out

_MEDIAN, _MOST = 0.5, 0.95


class SpreadOut(Out):
    """Of programs that pass all tests, each value to within a tenth; null: nothing is known."""

    median: float | None
    p95: float | None
    largest: float | None

    @classmethod
    def of_times(cls, spread: Spread) -> SpreadOut:
        """Milliseconds."""
        return cls(
            median=spread.time_ms(_MEDIAN), p95=spread.time_ms(_MOST), largest=spread.time_ms(1)
        )

    @classmethod
    def of_memories(cls, spread: Spread) -> SpreadOut:
        """MiB."""
        return cls(
            median=spread.memory_mib(_MEDIAN),
            p95=spread.memory_mib(_MOST),
            largest=spread.memory_mib(1),
        )


class TestFiguresOut(Out):
    """One test; `stopped`: programs of which it is the first that they fail."""

    test: str
    labels: str
    runs: int
    passed: int
    stopped: int
    time_ms: SpreadOut
    memory_mib: SpreadOut

    @classmethod
    def of(cls, test: TestFigures) -> TestFiguresOut:
        return cls(
            test=test.name,
            labels=test.labels,
            runs=test.runs,
            passed=test.passed,
            stopped=test.stopped,
            time_ms=SpreadOut.of_times(test.times),
            memory_mib=SpreadOut.of_memories(test.memories),
        )


class DiagnosisCountOut(Out):
    name: str
    count: int


class ProblemCountOut(Out):
    """Attempts by verdict; judging errors are no attempts."""

    problem: str
    attempts: int
    accepted: int
    learners: int = Field(description="accounts and guests that tried it")
    solved_by: int = Field(description="those of them that have solved it, whenever that was")
    verdicts: dict[Verdict, int]

    @classmethod
    def of(cls, figures: ProblemFigures) -> ProblemCountOut:
        return cls(
            problem=figures.problem,
            attempts=figures.attempts,
            accepted=figures.accepted,
            learners=figures.learners,
            solved_by=figures.solved_by,
            verdicts=dict(figures.verdicts),
        )


class ProblemFiguresOut(ProblemCountOut):
    """Everything about one problem, test by test."""

    diagnoses: list[DiagnosisCountOut]
    tests: list[TestFiguresOut]
    time_ms: SpreadOut
    memory_mib: SpreadOut

    @classmethod
    def told(cls, figures: ProblemFigures) -> ProblemFiguresOut:
        return cls(
            **ProblemCountOut.of(figures).model_dump(),
            diagnoses=[DiagnosisCountOut(name=n, count=c) for n, c in figures.diagnoses],
            tests=[TestFiguresOut.of(test) for test in figures.tests],
            time_ms=SpreadOut.of_times(figures.times),
            memory_mib=SpreadOut.of_memories(figures.memories),
        )


class StatisticsOut(Out):
    problems: list[ProblemCountOut]
