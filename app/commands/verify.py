"""`allclose verify`: does a package keep its promises?"""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console
from rich.progress import Progress, TaskID

from app.config import Settings
from app.sandbox import Keeper
from app.verify import Reason, Report
from app.verify import verify as verified


def verify(
    settings: Settings,
    targets: Sequence[str],
    *,
    as_json: bool,
    remarks: bool,
    errors: Console,
) -> bool:
    """Examine the targets, print one line a reason and the figures; whether every promise is kept.

    Raises NotFound for a target that is not on disk, SandboxError where boxes cannot be had.
    """
    katex = settings.static / "katex.js"
    with Keeper(min_tier=settings.policy_tier) as keeper, Progress(console=errors) as bar:
        task = bar.add_task("packages", total=None)
        reports = verified(
            settings.problems,
            targets,
            keeper,
            settings.cache,
            katex=katex if katex.exists() else None,
            progress=lambda what, done, total: _shown(bar, task, what, done, total),
        )
    if as_json:
        print(json.dumps([report.to_json() for report in reports], indent=1))
    else:
        _print(reports, remarks)
    return all(report.kept for report in reports)


def _shown(bar: Progress, task: TaskID, what: str, done: int, total: int) -> None:
    bar.update(task, description=what, completed=done, total=total)


def _print(reports: Sequence[Report], remarks: bool) -> None:
    for report in reports:
        for variant, figures in report.figures.items():
            print(f"{report.package}/{variant}: {_figures(figures)}")
        for remark in report.remarks if remarks else ():
            print(f"remark: {remark}")
        for reason in report.reasons:
            print(reason)
        print(f"{report.package}: {_count(report.reasons)}")


def _count(reasons: Sequence[Reason]) -> str:
    match len(reasons):
        case 0:
            return "kept"
        case 1:
            return "1 reason against it"
        case many:
            return f"{many} reasons against it"


def _figures(figures: object) -> str:
    """`tests 13, programs 9, mutants killed 210 of 228, ...` on one line."""
    assert isinstance(figures, dict)
    parts = []
    for name, value in figures.items():
        if isinstance(value, dict):
            parts.append(f"{name} ({_figures(value)})")
        else:
            parts.append(f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}")
    return ", ".join(parts)
