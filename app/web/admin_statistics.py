"""How programs fare, over REST, as CSV and as pages with charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from app.model import Verdict
from app.store import ProblemFigures, Spread, TestFigures
from app.store.results import LETTERS, memory_mib, time_ms
from app.web import charts
from app.web.admin_area import area, area_api
from app.web.csv_text import csv_text
from app.web.pages import Pages
from app.web.parts import Parts
from app.web.results import VERDICT_NAMES, tone
from app.web.schemas import Out

Name = Annotated[str, Path(pattern=r"^[a-z0-9_]{1,64}$")]
_CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {}}}}
_MEDIAN, _MOST = 0.5, 0.95
_PROBLEM_HEAD = ("problem", "attempts", "accepted", "pass_rate", *LETTERS)
_TEST_HEAD = (
    "test",
    "labels",
    "runs",
    "passed",
    "pass_rate",
    "stopped",
    "median_time_ms",
    "p95_time_ms",
    "median_memory_mib",
    "p95_memory_mib",
)


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
    verdicts: dict[Verdict, int]

    @classmethod
    def of(cls, figures: ProblemFigures) -> ProblemCountOut:
        return cls(
            problem=figures.problem,
            attempts=figures.attempts,
            accepted=figures.accepted,
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


def api(parts: Parts) -> APIRouter:
    """/api/v1/admin/statistics."""
    routes = area_api(parts)
    store = parts.store

    @routes.get("/statistics")
    async def get_statistics() -> StatisticsOut:
        """Attempts by verdict, for each problem that was ever tried."""
        return StatisticsOut(problems=[ProblemCountOut.of(one) for one in await store.figures()])

    @routes.get("/statistics.csv", response_class=Response, responses=_CSV)
    async def get_statistics_csv() -> Response:
        """The same for a spreadsheet."""
        return _file("problems.csv", csv_text(_PROBLEM_HEAD, map(_row, await store.figures())))

    @routes.get("/statistics/{family}/{variant}")
    async def get_problem_statistics(family: Name, variant: Name) -> ProblemFiguresOut:
        """One problem: diagnoses, and each test with its spread of time and memory."""
        return ProblemFiguresOut.told(await store.problem_figures(f"{family}/{variant}"))

    @routes.get("/statistics/{family}/{variant}/tests.csv", response_class=Response, responses=_CSV)
    async def get_problem_statistics_csv(family: Name, variant: Name) -> Response:
        """The tests of a problem for a spreadsheet."""
        found = await store.problem_figures(f"{family}/{variant}")
        return _file(f"{family}_{variant}.csv", csv_text(_TEST_HEAD, map(_test_row, found.tests)))

    return routes


def router(pages: Pages) -> APIRouter:
    """/admin/statistics."""
    routes = area(pages)
    store = pages.parts.store

    @routes.get("/statistics")
    async def statistics(request: Request) -> Response:
        found = {figures.problem: figures for figures in await store.figures()}
        known = [variant.id for variant in pages.parts.catalogue.variants]
        rows = [
            (problem, figures, charts.shares(_verdicts(figures)))
            for problem in dict.fromkeys([*known, *sorted(found)])
            if (figures := found.get(problem, ProblemFigures(problem, {})))
        ]
        return pages.page(request, "admin_statistics.html", rows=rows)

    @routes.get("/statistics/{family}/{variant}")
    async def problem(request: Request, family: Name, variant: Name) -> Response:
        figures = await store.problem_figures(f"{family}/{variant}")
        return pages.page(request, "admin_problem_statistics.html", **_shown(pages, figures))

    return routes


def _shown(pages: Pages, figures: ProblemFigures) -> dict[str, Any]:
    stops = sorted((test for test in figures.tests if test.stopped), key=lambda test: -test.stopped)
    return {
        "figures": figures,
        "title": pages.title(figures.problem),
        "verdicts": _verdicts(figures),
        "parts": charts.shares(_verdicts(figures)),
        "stop": stops[0] if stops else None,
        "most_stopped": max((test.stopped for test in figures.tests), default=0),
        "times": charts.histogram(figures.times, time_ms, "ms"),
        "memories": charts.histogram(figures.memories, memory_mib, "MiB"),
        "written": charts.written,
    }


def _verdicts(figures: ProblemFigures) -> list[tuple[str, str, int]]:
    return [
        (tone(verdict), VERDICT_NAMES[verdict], figures.verdicts[verdict])
        for verdict in LETTERS
        if figures.verdicts.get(verdict)
    ]


def _row(figures: ProblemFigures) -> Sequence[str | int | float]:
    rate = figures.accepted / figures.attempts if figures.attempts else 0.0
    counts = [figures.verdicts.get(verdict, 0) for verdict in LETTERS]
    return (figures.problem, figures.attempts, figures.accepted, round(rate, 4), *counts)


def _test_row(test: TestFigures) -> Sequence[str | int | float | None]:
    times, memories = SpreadOut.of_times(test.times), SpreadOut.of_memories(test.memories)
    return (
        test.name,
        test.labels,
        test.runs,
        test.passed,
        round(test.pass_rate, 4),
        test.stopped,
        *(
            None if value is None else round(value, 2)
            for value in (times.median, times.p95, memories.median, memories.p95)
        ),
    )


def _file(name: str, text: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8-sig"), media_type="text/csv", headers=headers)
