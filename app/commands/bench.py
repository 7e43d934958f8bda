"""`allclose bench`: the judge against a bare fork."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from app.bench import Figures, measure
from app.bench.measure import Subject
from app.bench.plan import Plan, cut_down, program, small_tests
from app.config import Settings
from app.problem import load_catalogue
from app.sandbox import Keeper

_MEANING = {
    "tier": "of the sandbox",
    "tests": "in one submission",
    "floor_ms": "the same calls in bare forks, no sandbox",
    "judge_ms": "source to judgement, in this process",
    "ratio_to_floor": "judge p50 over floor",
    "cpu_ratio": "CPU of all processes a judgement, over the floor's",
    "cold_ms": "each test in a new interpreter",
    "speedup_over_cold": "cold over judge p50",
    "http_ms": "request to verdict",
    "queue_ms": "from being taken in to the beginning of its judging, p50",
    "half_load_ms": "request to verdict, at half of what it can judge",
    "throughput_per_s": "judgements a second over HTTP",
    "throughput_ratio": "throughput times floor over cores",
    "box_ms": "one small test in a waiting box",
    "rss_idle_mib": "proportional memory of the idle service",
}


def bench(settings: Settings, seconds: float, *, as_json: bool, errors: Console) -> None:
    """Measure and print. Raises PackageError, SandboxUnavailable."""
    with tempfile.TemporaryDirectory(prefix="allclose-bench-") as scratch:
        figures = _measured(settings, seconds, Path(scratch), errors)
    if as_json:
        print(json.dumps(asdict(figures)))
    else:
        _print(figures)


def _measured(settings: Settings, seconds: float, scratch: Path, errors: Console) -> Figures:
    plan = Plan.read(settings.problems)
    with Keeper(min_tier=settings.policy_tier) as keeper:
        whole = load_catalogue(settings.problems, scratch / "cache", keeper).get(plan.problem)
        tests = small_tests(plan, whole)
        problems = cut_down(plan, settings.problems, tests, scratch / "problems")
        variant = load_catalogue(problems, scratch / "cache", keeper).get(plan.problem)
        subject = Subject(program(plan, settings.problems), variant, problems)
        with errors.status("") as status:
            return measure(subject, keeper, seconds, scratch, status.update)


def _print(figures: Figures) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in asdict(figures).items():
        shown = f"{value['p50']}, p95 {value['p95']}" if isinstance(value, dict) else str(value)
        table.add_row(name, shown, f"[dim]{_MEANING[name]}[/]")
    Console(highlight=False).print(table)
