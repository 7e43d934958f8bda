"""A judgement as a table for a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from app.model import Difference, Feedback, Judgement, Printed, Run, Variant
from app.web.results import VERDICT_NAMES


def judgement_table(
    console: Console, variant: Variant, judgement: Judgement, *, every: bool = False
) -> None:
    """Print every run, then what was wrong, then the verdict.

    In detail: what failed among the samples, and the first hidden test that did; with `every`, all.
    A program that cannot be compiled has one fault, not one a test.
    """
    if judgement.verdict != "CE":
        console.print(_runs(judgement))
        _all_details(console, judgement, every)
    style = "bold green" if judgement.verdict == "AC" else "bold red"
    bonus = f" + {judgement.bonus} bonus" if judgement.bonus else ""
    points = (
        f": {judgement.score:g} of {judgement.points} points{bonus}" if judgement.points else ""
    )
    console.print(
        f"[{style}]{judgement.verdict} {VERDICT_NAMES[judgement.verdict]}[/]  {variant.title}{points}"
    )
    if judgement.message:
        console.print(escape(judgement.message))
    if judgement.diagnosis:
        console.print(f"[bold]{escape(judgement.diagnosis.title)}[/]")
        console.print(Padding(escape(_reflowed(judgement.diagnosis.explanation)), (0, 2)))


def _all_details(console: Console, judgement: Judgement, every: bool) -> None:
    told = [run for run in judgement.runs if run.verdict != "AC" or run.feedback.remark]
    hidden = [run for run in told if not run.sample]
    shown = told if every else [run for run in told if run.sample] + hidden[:1]
    for run in shown:
        _details(console, run)
    if len(shown) < len(told):
        console.print(f"\n{len(told) - len(shown)} more; --all shows them")


def _runs(judgement: Judgement) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("test", "", "verdict", "ms", "MiB", "label"):
        numbers = heading in ("test", "ms", "MiB")
        table.add_column(heading, justify="right" if numbers else "left")
    for run in judgement.runs:
        style = "green" if run.verdict == "AC" else "red"
        table.add_row(
            str(run.index + 1),
            "sample" if run.sample else "hidden",
            f"[{style}]{run.verdict}[/]",
            f"{run.time_ms:.0f}" if run.sample or run.time_ms else "<10",
            f"{run.memory_kib / 1024:.0f}",
            escape(", ".join(run.labels)),
        )
    return table


def _details(console: Console, run: Run) -> None:
    feedback = run.feedback
    lines = [line for line in (feedback.message, feedback.remark, feedback.hint) if line]
    console.print(f"\n[bold]Test {run.index + 1}[/] {escape(', '.join(run.labels))}")
    for line in lines:
        console.print(Padding(escape(line), (0, 2)))
    for name, value in feedback.arguments:
        console.print(Padding(f"[dim]{escape(name)} =[/] {escape(value)}", (0, 2)))
    for word, value in (("yours    ", feedback.returned), ("expected ", feedback.answer)):
        if value:
            console.print(Padding(f"[dim]{word}[/] {escape(value)}", (0, 2)))
    _differences(console, feedback)
    for name, printed in (("printed", feedback.stdout), ("printed to stderr", feedback.stderr)):
        if printed and (printed.text or printed.cut_bytes):
            console.print(Padding(f"[dim]{name}:[/]\n{escape(_shown(printed))}", (0, 2)))


def _differences(console: Console, feedback: Feedback) -> None:
    if not feedback.mismatch or not feedback.mismatch.differences:
        return
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in ("where", "yours", "expected", "off by", "allowed"):
        table.add_column(heading, justify="left" if heading == "where" else "right")
    for difference in feedback.mismatch.differences:
        table.add_row(*(escape(cell) for cell in _cells(difference)))
    console.print(Padding(table, (0, 2)))


def _cells(difference: Difference) -> tuple[str, str, str, str, str]:
    return (
        difference.path or "the result",
        difference.got,
        difference.want,
        "" if difference.error is None else f"{difference.error:.3g}",
        "" if difference.allowed is None else f"{difference.allowed:.3g}",
    )


def _reflowed(text: str) -> str:
    """Paragraphs without the line breaks of the file they were written in."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


def _shown(printed: Printed) -> str:
    """Control characters are shown, not obeyed: a program must not repaint the terminal."""
    text = "".join(
        c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in printed.text
    )
    return text + (f"\n… {printed.cut_bytes} more bytes were cut" if printed.cut_bytes else "")
