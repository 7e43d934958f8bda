"""How programs fare, over REST, as CSV and as pages with charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from app.store import ProblemFigures, TestFigures
from app.store.results import LETTERS, memory_mib, time_ms
from app.web import charts
from app.web.admin_area import area, area_api
from app.web.admin_statistics_schemas import (
    ProblemCountOut,
    ProblemFiguresOut,
    SpreadOut,
    StatisticsOut,
)
from app.web.csv_text import csv_text
from app.web.pages import Pages
from app.web.parts import Parts
from app.web.results import VERDICT_NAMES, tone

Name = Annotated[str, Path(pattern=r"^[a-z0-9_]{1,64}$")]
Days = Annotated[
    int, Query(ge=0, le=3650, description="Only what was sent in the last so many days; 0: ever")
]
_PERIODS = (0, 1, 7, 30, 90, 365)
_CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {}}}}
_PROBLEM_HEAD = (
    "problem",
    "attempts",
    "accepted",
    "pass_rate",
    *LETTERS,
    "learners",
    "solved_by",
)
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


def api(parts: Parts) -> APIRouter:
    """/api/v1/admin/statistics."""
    routes = area_api(parts)
    store = parts.store

    @routes.get("/statistics")
    async def get_statistics(days: Days = 0) -> StatisticsOut:
        """Attempts by verdict, for each problem that was tried."""
        found = await store.figures(days)
        return StatisticsOut(problems=[ProblemCountOut.of(one) for one in found])

    @routes.get("/statistics.csv", response_class=Response, responses=_CSV)
    async def get_statistics_csv(days: Days = 0) -> Response:
        """The same for a spreadsheet."""
        return _file("problems.csv", csv_text(_PROBLEM_HEAD, map(_row, await store.figures(days))))

    @routes.get("/statistics/{family}/{variant}")
    async def get_problem_statistics(
        family: Name, variant: Name, days: Days = 0
    ) -> ProblemFiguresOut:
        """One problem: diagnoses, and each test with its spread of time and memory."""
        return ProblemFiguresOut.told(await store.problem_figures(f"{family}/{variant}", days))

    @routes.get("/statistics/{family}/{variant}/tests.csv", response_class=Response, responses=_CSV)
    async def get_problem_statistics_csv(family: Name, variant: Name, days: Days = 0) -> Response:
        """The tests of a problem for a spreadsheet."""
        found = await store.problem_figures(f"{family}/{variant}", days)
        return _file(f"{family}_{variant}.csv", csv_text(_TEST_HEAD, map(_test_row, found.tests)))

    return routes


def router(pages: Pages) -> APIRouter:
    """/admin/statistics."""
    routes = area(pages)
    store = pages.parts.store

    @routes.get("/statistics")
    async def statistics(request: Request, days: Days = 0) -> Response:
        found = {figures.problem: figures for figures in await store.figures(days)}
        known = [variant.id for variant in pages.parts.catalogue.variants]
        rows = [
            (problem, figures, charts.shares(_verdicts(figures)))
            for problem in dict.fromkeys([*known, *sorted(found)])
            if (figures := found.get(problem, ProblemFigures(problem, {})))
        ]
        return pages.page(request, "admin_statistics.html", rows=rows, **_period(days))

    @routes.get("/statistics/{family}/{variant}")
    async def problem(request: Request, family: Name, variant: Name, days: Days = 0) -> Response:
        figures = await store.problem_figures(f"{family}/{variant}", days)
        shown = _shown(pages, figures) | _period(days)
        return pages.page(request, "admin_problem_statistics.html", **shown)

    return routes


def _period(days: int) -> dict[str, Any]:
    """What the pages offer to choose from; `asked` keeps it in their links."""
    return {
        "days": days,
        "periods": sorted({*_PERIODS, days}),
        "asked": f"?days={days}" if days else "",
    }


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
    return (
        figures.problem,
        figures.attempts,
        figures.accepted,
        round(rate, 4),
        *counts,
        figures.learners,
        figures.solved_by,
    )


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
