"""`allclose rejudge`: judge submissions once more, look at what would change, release or discard it.

Only the database is asked: a server or worker that runs over it does the judging.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import get_args

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from app.commands.users import asked
from app.config import Settings
from app.errors import Invalid
from app.model import Verdict
from app.store import Rejudge, Selection

WHO = "the command line"  # as the audit log names it
_LOOK_S = 1.0
_MOST = 50


def selected(
    problem: str, verdicts: Sequence[str], first: str | None, last: str | None, version: str
) -> Selection:
    """What the options say. Raises Invalid."""
    known = get_args(Verdict)
    for verdict in verdicts:
        if verdict not in known:
            raise Invalid(f"{verdict!r} is not a verdict; there are {', '.join(known)}")
    return Selection(
        problem=problem,
        verdicts=tuple(v for v in known if v in verdicts),
        from_ms=None if first is None else _midnight_ms(first, 0),
        to_ms=None if last is None else _midnight_ms(last, 1),
        package_version=version,
    )


def begin(settings: Settings, selection: Selection, console: Console, *, dry_run: bool) -> int:
    """Say what is chosen and, unless it is a dry run, begin; the rejudge's number, or 0."""
    table = Table("problem", "verdict", "version", "submissions")
    for kind in asked(settings, lambda store: store.chosen(selection)):
        table.add_row(kind.problem, kind.verdict, kind.package_version, str(kind.count))
    console.print(table)
    if dry_run:
        return 0
    return asked(settings, lambda store: store.begin_rejudge(selection, WHO))


def wait(settings: Settings, number: int, console: Console) -> None:
    """Come back when everything is judged, with a bar meanwhile."""
    with Progress(console=console) as bar:
        task = bar.add_task(f"rejudge {number}")
        while True:
            found = asked(settings, lambda store: store.rejudge(number))
            bar.update(task, completed=found.judged, total=found.total)
            if found.finished or found.state != "open":
                return
            time.sleep(_LOOK_S)


def listed(settings: Settings, console: Console) -> None:
    """The newest rejudges."""
    table = Table("no.", "state", "judged", "would change", "by")
    for one in asked(settings, lambda store: store.rejudges(_MOST)):
        counts = (f"{one.judged} of {one.total}", str(one.changed))
        table.add_row(str(one.number), one.state, *counts, escape(one.who))
    console.print(table)


def show(settings: Settings, number: int, console: Console, *, as_json: bool) -> None:
    """How far it is, and who would change. Raises NotFound."""
    found = asked(settings, lambda store: store.rejudge(number))
    moves = asked(settings, lambda store: store.rejudge_moves(number))
    tests = asked(settings, lambda store: store.rejudge_flips(number))
    changes = asked(settings, lambda store: store.rejudge_changes(number, _MOST))
    if as_json:
        told = asdict(found) | {
            "moves": [asdict(move) for move in moves],
            "tests": [asdict(test) for test in tests],
            "changes": [asdict(change) for change in changes],
        }
        print(json.dumps(told))
        return
    console.print(_line(found))
    table = Table("before", "after", "submissions")
    for move in moves:
        table.add_row(move.before, move.after, str(move.count))
    console.print(table)
    for test in tests:
        words = f"{test.to_failed} now fail it, {test.to_passed} now pass it"
        console.print(f"{test.problem} {test.test}: {words}", markup=False)
    for change in changes:
        turned = ", ".join(
            f"{f.test} {f.before or 'new'} → {f.after or 'gone'}" for f in change.flips
        )
        words = (
            f"{change.id} {change.name or 'a guest'}: {change.old_verdict} → {change.new_verdict}"
        )
        console.print(f"{words} ({turned})", markup=False)
    if len(changes) < found.changed:
        console.print(f"and {found.changed - len(changes)} more")


def release(settings: Settings, number: int) -> None:
    """Raises NotFound, Invalid."""
    asked(settings, lambda store: store.release_rejudge(number, WHO))


def discard(settings: Settings, number: int) -> None:
    """Raises NotFound, Invalid."""
    asked(settings, lambda store: store.discard_rejudge(number, WHO))


def requeue(settings: Settings, submission: str) -> None:
    """Raises NotFound, Invalid."""
    asked(settings, lambda store: store.requeue(submission, WHO))


def _line(found: Rejudge) -> str:
    state = "finished" if found.state == "open" and found.finished else found.state
    return (
        f"rejudge {found.number} is {state}: {found.judged} of {found.total} judged, "
        f"{found.changed} would change"
    )


def _midnight_ms(day: str, later: int) -> int:
    try:
        at = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=later)
    except (ValueError, OverflowError):
        raise Invalid(f"{day!r} is not a day: write it as 2026-03-01") from None
    return int(at.timestamp() * 1000)
