"""What was sent, and what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from app.errors import NotFound
from app.store import Store, Waiting
from tests.store.examples import judgement, submission

Ask = Callable[[Any], Any]


def test_a_submission_comes_back_as_it_was_sent(store: Store, ask: Ask) -> None:
    """Source, custom input and all: nothing is lost or turned into something else."""
    for sent in (submission("plain"), submission("trial", trial=True)):
        ask(store.add_submission(sent, "guest:1"))
        assert ask(store.unjudged_submission(sent.id)) == sent
        standing = ask(store.standing(sent.id))
        assert (standing.submission, standing.judgement) == (sent, None)


def test_an_unknown_submission_is_not_found(store: Store, ask: Ask) -> None:
    """Whoever asks for it is told so; a worker that is handed it has nothing to do."""
    assert ask(store.unjudged_submission("nothing")) is None
    with pytest.raises(NotFound):
        ask(store.standing("nothing"))


def test_a_judgement_is_shown_and_ends_the_waiting(store: Store, ask: Ask) -> None:
    """After the first judgement nobody needs to judge the submission any more."""
    ask(store.add_submission(submission(), "guest:1"))
    assert ask(store.waiting("guest:1")) == Waiting(1, 1, 0)

    assert ask(store.add_judgement(submission(), judgement()))

    assert ask(store.standing("one")).judgement == judgement()
    assert ask(store.unjudged_submission("one")) is None
    assert ask(store.unjudged_submissions(10)) == ()
    assert ask(store.waiting("guest:1")) == Waiting(0, 0, 0)


def test_the_second_judgement_of_a_judging_is_dropped(store: Store, ask: Ask) -> None:
    """At-least-once delivery gives exactly one judgement: the first one stays."""
    ask(store.add_submission(submission(), "guest:1"))
    assert ask(store.add_judgement(submission(), judgement("AC")))
    assert not ask(store.add_judgement(submission(), judgement("WA")))
    assert ask(store.standing("one")).judgement.verdict == "AC"


def test_a_judgement_of_what_is_gone_is_dropped(store: Store, ask: Ask) -> None:
    """A trial may be purged while it is judged."""
    assert not ask(store.add_judgement(submission("gone"), judgement()))


def test_the_unjudged_come_oldest_first_and_at_most_so_many(store: Store, ask: Ask) -> None:
    """The sweep gives back their jobs in the order in which they came."""
    for name in ("one", "two", "three"):
        ask(store.add_submission(submission(name, trial=name == "two"), f"guest:{name}"))
    found = ask(store.unjudged_submissions(2))
    assert [(one.id, one.account, one.trial, one.rejudge) for one in found] == [
        ("one", "guest:one", False, False),
        ("two", "guest:two", True, False),
    ]
    assert found[0].created_ms <= found[1].created_ms


def test_waiting_counts_everybody_and_the_account(store: Store, ask: Ask) -> None:
    """The bound of the queue and the fairness between accounts come from these numbers."""
    for name, account in (("one", "guest:1"), ("two", "guest:2"), ("three", "guest:2")):
        ask(store.add_submission(submission(name, trial=name == "three"), account))
    assert ask(store.waiting("guest:2")) == Waiting(3, 2, 1)
    assert ask(store.waiting("guest:3")) == Waiting(3, 0, 1)


def test_a_judging_error_is_judged_again_and_not_shown_meanwhile(store: Store, ask: Ask) -> None:
    """The fault was ours: the next judging number is asked for, and its judgement is the one shown."""
    ask(store.add_submission(submission(), "guest:1"))
    ask(store.add_judgement(submission(), judgement("JE")))
    assert ask(store.standing("one")).judgement.verdict == "JE"

    assert ask(store.reopen_judging_errors(age_s=0, judgings=3)) == 1

    assert ask(store.standing("one")).judgement is None
    again = ask(store.unjudged_submission("one"))
    assert again.judging_number == 2
    assert ask(store.add_judgement(again, judgement("AC")))
    assert ask(store.standing("one")).judgement.verdict == "AC"


@pytest.mark.parametrize(
    ("verdict", "trial", "age_s", "judgings"),
    [
        ("WA", False, 0, 3),
        ("JE", True, 0, 3),
        ("JE", False, 3600, 3),
        ("JE", False, 0, 1),
    ],
    ids=["a verdict", "a trial", "too young", "judged often enough"],
)
def test_nothing_else_is_judged_again(
    store: Store, ask: Ask, verdict: str, trial: bool, age_s: float, judgings: int
) -> None:
    """Only old judging errors of real submissions, and not for ever."""
    ask(store.add_submission(submission(trial=trial), "guest:1"))
    ask(store.add_judgement(submission(trial=trial), judgement(verdict)))
    assert ask(store.reopen_judging_errors(age_s, judgings)) == 0


def test_problems_that_cannot_be_judged_are_not_judged_again(store: Store, ask: Ask) -> None:
    """Another judging would be spent for nothing; the other problems go on."""
    ask(store.add_submission(submission(), "guest:1"))
    ask(store.add_judgement(submission(), judgement("JE")))
    problem = submission().problem
    assert ask(store.reopen_judging_errors(0, 3, {problem, "another/one"})) == 0
    assert ask(store.reopen_judging_errors(0, 3, {"another/one"})) == 1


def test_only_old_trials_are_purged_with_their_judgements(store: Store, ask: Ask) -> None:
    """Runs on samples and custom input are deleted after a while; submissions never are."""
    for name, trial in (("kept", False), ("tried", True), ("waiting", True)):
        ask(store.add_submission(submission(name, trial=trial), "guest:1"))
    ask(store.add_judgement(submission("tried", trial=True), judgement()))
    assert ask(store.purge_trials(age_s=3600)) == 0

    ask(asyncio.sleep(0.005))
    assert ask(store.purge_trials(age_s=0)) == 2

    assert ask(store.standing("kept")).submission.id == "kept"
    for gone in ("tried", "waiting"):
        with pytest.raises(NotFound):
            ask(store.standing(gone))
