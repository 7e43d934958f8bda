"""`allclose bench`: the judge against a bare fork, and every kind of program for minutes on end."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path

import yaml
from rich.console import Console
from rich.table import Table

from app.bench import Figures, measure
from app.bench.http import Others, served
from app.bench.measure import Subject
from app.bench.plan import Plan, cut_down, program, small_tests
from app.bench.soak import MAY_GROW, Soaked, everything
from app.bench.soak import soak as run_soak
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
    "large_copies": "100 MB in and out, beyond the function, over a copy of them",
    "rss_idle_mib": "proportional memory of the idle service",
}


def bench(
    settings: Settings,
    seconds: float,
    *,
    as_json: bool,
    errors: Console,
    others: Others | None = None,
) -> None:
    """Measure and print. Raises PackageError, SandboxUnavailable."""
    with tempfile.TemporaryDirectory(prefix="allclose-bench-") as scratch:
        figures = _measured(settings, seconds, Path(scratch), errors, others)
    if as_json:
        print(json.dumps(asdict(figures)))
    else:
        _print(figures)


def soak(settings: Settings, minutes: float, *, as_json: bool, errors: Console) -> bool:
    """Send every kind of program for so long; whether all verdicts were right and nothing grew."""
    plan = Plan.read(settings.problems)
    family, _, name = plan.problem.partition("/")
    right = program(plan, settings.problems)
    with tempfile.TemporaryDirectory(prefix="allclose-soak-") as scratch:
        data, temporary = Path(scratch) / "data", Path(scratch) / "temporary"
        temporary.mkdir()
        entry_point = yaml.safe_load(
            (settings.problems / family / "variants" / name / "variant.yaml").read_text("utf-8")
        )["entry_point"]
        with served(settings.problems, data, temporary) as server:
            found = run_soak(
                server,
                plan.problem,
                entry_point,
                right,
                minutes,
                look=lambda: everything(server, temporary, data),
                tell=lambda line: errors.print(line, soft_wrap=True),
            )
    print_soak(found, as_json)
    return not found.wrong and found.all_flat


def print_soak(found: Soaked, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(found) | {"flat": found.all_flat}))
        return
    table = Table("", "first", "last", "a minute", "", box=None, pad_edge=False)
    for name, grew in found.grew.items():
        rate = f"{grew.a_minute:+.3f} ± {grew.error:.3f}"
        flat = "flat" if grew.flat else "[dim]grows[/]" if name in MAY_GROW else "[red]grows[/]"
        table.add_row(name, f"{grew.first:g}", f"{grew.last:g}", rate, flat)
    console = Console(highlight=False)
    console.print(table)
    console.print(f"{sum(found.judged.values())} judged: {found.judged}; wrong: {found.wrong or 0}")


def _measured(
    settings: Settings, seconds: float, scratch: Path, errors: Console, others: Others | None
) -> Figures:
    plan = Plan.read(settings.problems)
    with Keeper(min_tier=settings.policy_tier) as keeper:
        whole = load_catalogue(settings.problems, scratch / "cache", keeper).get(plan.problem)
        tests = small_tests(plan, whole)
        problems = cut_down(plan, settings.problems, tests, scratch / "problems")
        variant = load_catalogue(problems, scratch / "cache", keeper).get(plan.problem)
        subject = Subject(program(plan, settings.problems), variant, problems)
        with errors.status("") as status:
            return measure(subject, keeper, seconds, scratch, status.update, others)


def _print(figures: Figures) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in asdict(figures).items():
        shown = f"{value['p50']}, p95 {value['p95']}" if isinstance(value, dict) else str(value)
        table.add_row(name, shown, f"[dim]{_MEANING[name]}[/]")
    Console(highlight=False).print(table)
