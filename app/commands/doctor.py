"""`allclose doctor`: what the sandbox can do here."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.config import Settings
from app.sandbox.doctor import Report, examine

_STYLES = {"holds": "green", "broken": "bold red", "missing": "yellow"}


def doctor(settings: Settings, *, as_json: bool) -> bool:
    """Probe, print, and say whether the tier is at least the one configured."""
    report = examine(settings.policy_tier)
    if as_json:
        print(json.dumps(asdict(report), indent=1))
    else:
        _print(Console(highlight=False), report)
    return report.sufficient


def _print(console: Console, report: Report) -> None:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("layer", "required", "state", "how it was probed", "what to do"):
        table.add_column(heading)
    for layer in report.layers:
        state = f"[{_STYLES.get(layer.state, 'dim')}]{layer.state}[/]"
        needed = "yes" if layer.required else "no"
        table.add_row(layer.layer, needed, state, escape(layer.how), escape(layer.remedy))
    console.print(table)
    refused = sum(probed.refused for probed in report.probes)
    if report.probes:
        console.print(f"\n{refused} of {len(report.probes)} attacks refused")
    for probed in report.probes:
        if not probed.refused:
            console.print(
                f"[bold red]not refused:[/] {escape(probed.attempt)}: {escape(probed.seen)}"
            )
    for reason in report.reasons:
        console.print(escape(reason))
    latency = "" if report.box_ms is None else f", {report.box_ms:.2f} ms from source to result"
    console.print(f"[bold]tier {report.tier}[/]{latency}; {report.min_tier} is asked for")
