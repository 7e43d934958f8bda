"""Workers, what waits, what went wrong, and pauses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.store import Queued, Selection, Store, WorkerState
from app.store.submissions import now_ms
from tests.store.examples import judgement, submission

Ask = Callable[[Any], Any]


def worker(name: str = "one", **changed: Any) -> WorkerState:
    state = WorkerState(name, "1", "A", "cgroup", 0, now_ms(), 2, 1, "", {"f/v": "broken"})
    return replace(state, **changed)


def test_a_worker_says_how_it_is_until_it_stops(store: Store, ask: Ask) -> None:
    """Each report takes the place of the one before; who falls silent is not listed."""
    first, second = worker(), worker(busy=2, unfit="no boxes")
    ask(store.report_worker(first))
    ask(store.report_worker(second))
    ask(store.report_worker(worker("silent", seen_ms=now_ms() - 60_000)))
    assert ask(store.workers(30)) == (second,)
    assert [state.name for state in ask(store.workers(90))] == ["one", "silent"]
    ask(store.forget_workers("one", 30))
    assert ask(store.workers(1e6)) == ()


def test_a_pause_holds_until_it_is_resumed(store: Store, ask: Ask) -> None:
    """Who paused and why; asked twice, the newer reason counts."""
    assert ask(store.paused()) is None
    ask(store.pause("moving the disks", "Ada"))
    ask(store.pause("moving all disks", "Bob"))
    pause = ask(store.paused())
    assert (pause.why, pause.who) == ("moving all disks", "Bob")
    ask(store.resume("Ada"))
    ask(store.resume("Ada"))
    assert ask(store.paused()) is None


def test_what_waits_is_counted_by_kind(store: Store, ask: Ask) -> None:
    """Submissions, trials and rejudges; the age is that of whoever waits, not of a rejudge."""
    assert ask(store.queued()) == Queued(0, 0, 0, None)
    ask(store.add_submission(submission("old"), "guest:1"))
    ask(store.add_judgement(submission("old"), judgement()))
    ask(store.begin_rejudge(Selection(), "Ada"))
    for name, trial in (("one", False), ("two", False), ("three", True)):
        ask(store.add_submission(submission(name, trial=trial), "guest:1"))
    found = ask(store.queued())
    assert (found.submissions, found.trials, found.rejudges) == (2, 1, 1)
    assert found.oldest_ms is not None


def test_judging_errors_are_told_with_their_cause(store: Store, ask: Ask) -> None:
    """Learners are told that it is our fault; an admin is told why."""
    for name, verdict, cause in (
        ("one", "JE", "no box"),
        ("two", "JE", "no box"),
        ("three", "AC", ""),
        ("four", "JE", "the judge failed"),
    ):
        ask(store.add_submission(submission(name), "guest:1"))
        ask(store.add_judgement(submission(name), judgement(verdict), cause))
    found = {error.cause: error.count for error in ask(store.judging_errors(60))}
    assert found == {"no box": 2, "the judge failed": 1}
    assert ask(store.judging_errors(-1)) == ()
