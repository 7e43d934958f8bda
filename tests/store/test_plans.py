"""What is asked every few seconds, or while somebody waits, reads no table from end to end.

Each question is put to an embedded database, whose plan for each of its statements is looked at: an
event loop that stands still for as long as all that was ever sent takes to read would be felt by all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from app.errors import NotFound
from app.model import Submission
from app.store import Selection, Store

Ask = Callable[[Any], Any]
BIG = ("submissions", "judgements", "results", "rejudged")

QUESTIONS: dict[str, Callable[[Store], Coroutine[Any, Any, object]]] = {
    "the sweep: errors": lambda store: store.reopen_judging_errors(0, 3, {"some/problem"}),
    "the sweep: releases": lambda store: store.finish_releases(),
    "the sweep: trials": lambda store: store.purge_trials(3600),
    "the sweep: jobs": lambda store: store.unjudged_submissions(500),
    "a submission: room": lambda store: store.waiting("guest:1"),
    "a submission: kept": lambda store: store.add_submission(
        Submission("new", "f/v", ""), "guest:1", "user:1"
    ),
    "its state": lambda store: store.standing("one"),
    "metrics": lambda store: store.backlog(),
    "health": lambda store: store.queued(),
    "progress": lambda store: store.tried("user:1"),
    "attempts": lambda store: store.attempts("user:1", "f/v", 0, 20),
    "statistics": lambda store: store.figures(7),
    "a problem's statistics": lambda store: store.problem_figures("f/v", 7),
    "a choice": lambda store: store.chosen(Selection(problem="f/v", verdicts=("WA",))),
    "a rejudge": lambda store: store.rejudge(1),
    "a rejudge: tests": lambda store: store.rejudge_flips(1),
    "a rejudge: changes": lambda store: store.rejudge_changes(1, 50),
}


@contextmanager
def statements() -> Iterator[list[tuple[str, Any]]]:
    """Each that is put to any database meanwhile, with its values."""
    found: list[tuple[str, Any]] = []

    def note(_c: object, _cursor: object, statement: str, values: Any, *_: object) -> None:
        found.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


def scans(database: Path, asked: list[tuple[str, Any]]) -> list[str]:
    """Parts of the plans that go through a big table without an index."""
    with sqlite3.connect(database) as connection:
        steps = [
            step
            for statement, values in asked
            if statement.split()[0] in ("SELECT", "UPDATE", "DELETE")
            for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    connection.close()
    return [
        s for s in steps if s.split(" USING ")[0] in {f"SCAN {t}" for t in BIG} and "USING" not in s
    ]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_table_is_read_from_end_to_end(
    embedded: Store, ask: Ask, database: Path, question: str
) -> None:
    """Partial indexes must say what the questions say, in the same words."""
    ask(embedded.add_submission(Submission("one", "f/v", ""), "guest:1", "user:1"))
    with statements() as asked, suppress(NotFound):
        ask(QUESTIONS[question](embedded))
    assert asked
    assert scans(database, asked) == []


def test_a_scan_would_be_found(embedded: Store, ask: Ask, database: Path) -> None:
    """The test itself can fail."""
    ask(embedded.waiting("guest:1"))
    asked: list[tuple[str, Any]] = [("SELECT count(*) FROM submissions WHERE source = ?", ("x",))]
    assert scans(database, asked) == ["SCAN submissions"]
