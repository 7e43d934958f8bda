"""What one person has done, and what stays solved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.model import Run
from app.store import Store
from app.store.progress import DAY_MS
from tests.store.examples import judgement, submission

Ask = Callable[[Any], Any]
PROBLEM = submission().problem


def accepted(version: str = "version", time_ms: float = 5.0, bonus: int = 0) -> Any:
    run = Run(0, (), True, "AC", time_ms, 2000)
    return replace(judgement(), package_version=version, runs=(run,), bonus=bonus)


def sent(store: Store, ask: Ask, name: str, outcome: Any, owner: str | None = "user:1") -> None:
    ask(store.add_submission(submission(name), "user:1", owner))
    if outcome is not None:
        assert ask(store.add_judgement(submission(name), outcome))


def test_own_submissions_come_newest_first_a_page_at_a_time(store: Store, ask: Ask) -> None:
    """With verdict where there is one; trials and other people's are left out."""
    for number in range(5):
        sent(store, ask, f"mine{number}", judgement("WA") if number else None)
    sent(store, ask, "theirs", judgement(), "user:2")
    ask(store.add_submission(submission("tried", trial=True), "user:1", "user:1"))
    first = ask(store.attempts("user:1", limit=3))
    assert [each.submission.id for each in first.standings] == ["mine4", "mine3", "mine2"]
    assert first.standings[0].judgement == judgement("WA")
    rest = ask(store.attempts("user:1", PROBLEM, before=first.before, limit=3))
    assert [each.submission.id for each in rest.standings] == ["mine1", "mine0"]
    assert (rest.standings[1].judgement, rest.before) == (None, 0)
    assert ask(store.attempts("user:1", "another/one")).standings == ()


def test_an_accepted_judgement_marks_its_problem_as_solved(store: Store, ask: Ask) -> None:
    """Of its owner, with when, on which version, and how well; any other verdict marks nothing."""
    sent(store, ask, "wrong", judgement("WA"))
    assert ask(store.solved("user:1")) == {}
    sent(store, ask, "right", accepted(time_ms=7.5, bonus=10))
    found = ask(store.solved("user:1"))[PROBLEM]
    assert (found.package_version, found.time_ms, found.bonus) == ("version", 7.5, 10)
    assert abs(found.solved_ms - time.time() * 1000) < 60_000
    assert ask(store.solved("user:2")) == {}
    sent(store, ask, "nobody's", accepted(), None)


def test_the_best_is_kept_and_belongs_to_one_version(store: Store, ask: Ask) -> None:
    """A slower program changes nothing; on newer tests times are counted afresh, when does not change."""
    sent(store, ask, "one", accepted(time_ms=8.0, bonus=10))
    first = ask(store.solved("user:1"))[PROBLEM]
    sent(store, ask, "two", accepted(time_ms=9.0))
    assert ask(store.solved("user:1"))[PROBLEM] == first
    sent(store, ask, "three", accepted(time_ms=6.0))
    assert ask(store.solved("user:1"))[PROBLEM] == replace(first, time_ms=6.0)
    sent(store, ask, "four", accepted("newer", time_ms=20.0))
    expected = replace(first, package_version="newer", time_ms=20.0)
    assert ask(store.solved("user:1"))[PROBLEM] == expected


def test_a_later_wrong_answer_takes_no_mark_away(store: Store, ask: Ask) -> None:
    """What was solved stays solved on the version on which it was."""
    sent(store, ask, "right", accepted())
    sent(store, ask, "wrong", replace(judgement("WA"), package_version="newer"))
    assert ask(store.solved("user:1"))[PROBLEM].package_version == "version"


def test_attempts_are_counted_by_problem_and_by_day(store: Store, ask: Ask) -> None:
    """For progress and for the calendar; trials do not count."""
    sent(store, ask, "one", judgement("WA"))
    sent(store, ask, "two", None)
    ask(store.add_submission(submission("tried", trial=True), "user:1", "user:1"))
    assert ask(store.tried("user:1"))[PROBLEM].attempts == 2
    assert ask(store.active_days("user:1", 366)) == {time.time_ns() // 1_000_000 // DAY_MS: 2}
    assert ask(store.active_days("user:2", 366)) == {}


def test_the_queue_gives_everybody_a_place(store: Store, ask: Ask) -> None:
    """Trials first, then everybody's first submission, then everybody's second."""
    for name, account in (("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b")):
        ask(store.add_submission(submission(name), account))
    ask(store.add_submission(submission("trial", trial=True), "c"))
    assert ask(store.queue_places()) == {"trial": 1, "a1": 2, "b1": 3, "a2": 4, "a3": 5}
