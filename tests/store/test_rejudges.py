"""Rejudges: apart from what learners see, then released or discarded, all at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.errors import Invalid, NotFound
from app.model import Judgement, Run, Submission
from app.store import Chosen, Flip, Selection, Store, Waiting

Ask = Callable[[Any], Any]
EVERYTHING = Selection()
ADA = "user:1"


def sent(name: str, problem: str = "family/variant") -> Submission:
    return Submission(name, problem, "def f(): pass\n")


def judged(verdicts: str, version: str = "v1", tests: str = "") -> Judgement:
    """A verdict for each letter; tests are named a, b, c, ... unless something else is said."""
    kinds = {"A": "AC", "W": "WA", "J": "JE"}
    names = tests or "abcdefgh"
    runs = tuple(
        Run(index, (f"label {name}",), False, kinds[letter], 1.0, 1024, test=name)  # type: ignore[arg-type]
        for index, (letter, name) in enumerate(zip(verdicts, names, strict=False))
    )
    first = next((kinds[letter] for letter in verdicts if letter != "A"), "AC")
    score = round(100 * verdicts.count("A") / len(verdicts), 2)
    return Judgement(first, score, 100, 0, runs, version)  # type: ignore[arg-type]


@pytest.fixture
def full(store: Store, ask: Ask) -> Store:
    """Three judged submissions of two problems, and one that waits."""
    for name, verdicts, problem in (
        ("right", "AA", "family/variant"),
        ("wrong", "AW", "family/variant"),
        ("other", "WA", "other/one"),
    ):
        ask(store.add_submission(sent(name, problem), "guest:1", ADA))
        ask(store.add_judgement(sent(name, problem), judged(verdicts)))
    ask(store.add_submission(sent("waiting"), "guest:1"))
    return store


def shown(store: Store, ask: Ask, name: str) -> str:
    return str(ask(store.standing(name)).judgement.verdict)


def judge_all(store: Store, ask: Ask, **verdicts: str) -> None:
    """What a worker does with what is unjudged and named here."""
    for waiting in ask(store.unjudged_submissions(100)):
        if waiting.id in verdicts:
            submission = ask(store.unjudged_submission(waiting.id))
            assert ask(store.add_judgement(submission, judged(verdicts[waiting.id], "v2")))


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        (EVERYTHING, {"right", "wrong", "other"}),
        (Selection(problem="family/variant"), {"right", "wrong"}),
        (Selection(problem="other"), {"other"}),
        (Selection(problem="oth"), set()),
        (Selection(verdicts=("AC",)), {"right"}),
        (Selection(verdicts=("WA", "AC"), problem="family"), {"right", "wrong"}),
        (Selection(package_version="v2"), set()),
        (Selection(from_ms=0, to_ms=1), set()),
        (Selection(from_ms=1, package_version="v1"), {"right", "wrong", "other"}),
    ],
)
def test_only_what_fits_every_field_is_chosen(
    full: Store, ask: Ask, selection: Selection, names: set[str]
) -> None:
    """What waits for its judgement gets one anyway, and is never part of it."""
    assert sum(chosen.count for chosen in ask(full.chosen(selection))) == len(names)
    if not names:
        with pytest.raises(Invalid, match="no submission"):
            ask(full.begin_rejudge(selection, "Ada"))
        assert ask(full.rejudges(10)) == ()
        return
    ask(full.begin_rejudge(selection, "Ada"))
    again = {one.id for one in ask(full.unjudged_submissions(10)) if one.rejudge}
    assert again == names


def test_a_choice_is_told_by_problem_verdict_and_version(full: Store, ask: Ask) -> None:
    """So that nobody begins a rejudge of more than was meant."""
    assert ask(full.chosen(EVERYTHING)) == (
        Chosen("family/variant", "AC", "v1", 1),
        Chosen("family/variant", "WA", "v1", 1),
        Chosen("other/one", "WA", "v1", 1),
    )


def test_learners_see_nothing_of_a_rejudge(full: Store, ask: Ask) -> None:
    """Neither while it runs nor when it is finished; and it takes nobody's share of the queue."""
    ask(full.begin_rejudge(EVERYTHING, "Ada"))
    assert ask(full.waiting("guest:1")) == Waiting(1, 1, 0)
    assert [one.id for one in ask(full.unjudged_submissions(2))] == ["waiting", "right"]
    assert [one.rejudge for one in ask(full.unjudged_submissions(10))] == [False, True, True, True]
    assert ask(full.unjudged_submission("right")).rejudge
    judge_all(full, ask, right="WA", wrong="AA", other="AA")
    assert [shown(full, ask, name) for name in ("right", "wrong", "other")] == ["AC", "WA", "WA"]
    assert set(ask(full.solved(ADA))) == {"family/variant"}


def test_before_and_after_are_told_test_by_test(full: Store, ask: Ask) -> None:
    """Who would change, from which version to which, and which tests say so."""
    number = ask(full.begin_rejudge(EVERYTHING, "Ada"))
    judge_all(full, ask, right="AWA", wrong="AA")
    rejudge = ask(full.rejudge(number))
    assert (rejudge.total, rejudge.judged, rejudge.changed) == (3, 2, 2)
    assert not rejudge.finished
    moves = {(move.before, move.after): move.count for move in ask(full.rejudge_moves(number))}
    assert moves == {("AC", "WA"): 1, ("WA", "AC"): 1}
    right, wrong = ask(full.rejudge_changes(number, limit=10))
    assert (right.id, right.old_version, right.new_version) == ("right", "v1", "v2")
    assert right.flips == (Flip("b", "AC", "WA"), Flip("c", None, "AC"))
    assert wrong.flips == (Flip("b", "WA", "AC"),)
    assert [c.id for c in ask(full.rejudge_changes(number, limit=10, after=right.key))] == ["wrong"]
    (flip,) = ask(full.rejudge_flips(number))
    assert (flip.test, flip.to_failed, flip.to_passed) == ("b", 1, 1)


def test_a_test_that_is_gone_turns_only_those_that_failed_it(full: Store, ask: Ask) -> None:
    """Who passed it is not said to fail it now; a new test that is failed is."""
    number = ask(full.begin_rejudge(EVERYTHING, "Ada"))
    for name, verdicts, tests in (("right", "AW", "ac"), ("wrong", "A", "a"), ("other", "A", "b")):
        again = ask(full.unjudged_submission(name))
        ask(full.add_judgement(again, judged(verdicts, f"of {name}", tests)))
    found = {flip.test: flip for flip in ask(full.rejudge_flips(number))}
    assert {test: (flip.to_failed, flip.to_passed) for test, flip in found.items()} == {
        "a": (0, 1),
        "b": (0, 1),
        "c": (1, 0),
    }
    assert found["c"].new
    assert found["a"].gone


def test_a_release_shows_everything_at_once(full: Store, ask: Ask) -> None:
    """Marks are earned by it, and none is lost: what was solved stays solved on its version."""
    number = ask(full.begin_rejudge(EVERYTHING, "Ada"))
    judge_all(full, ask, right="WA", wrong="WA")
    with pytest.raises(Invalid, match="1 submissions"):
        ask(full.release_rejudge(number, "Ada"))
    assert shown(full, ask, "right") == "AC"
    judge_all(full, ask, other="AA")
    ask(full.release_rejudge(number, "Ada"))
    assert [shown(full, ask, name) for name in ("right", "wrong", "other")] == ["WA", "WA", "AC"]
    marks = {problem: mark.package_version for problem, mark in ask(full.solved(ADA)).items()}
    assert marks == {"family/variant": "v1", "other/one": "v2"}
    assert ask(full.rejudge(number)).state == "released"
    for end in (full.release_rejudge, full.discard_rejudge):
        with pytest.raises(Invalid, match="released already"):
            ask(end(number, "Ada"))
    assert sum(chosen.count for chosen in ask(full.chosen(Selection(package_version="v2")))) == 3


def test_a_release_that_was_stopped_goes_on(full: Store, ask: Ask) -> None:
    """What was shown before stays shown, the rest follows, and nobody can end it otherwise."""
    number = ask(full.begin_rejudge(EVERYTHING, "Ada"))
    judge_all(full, ask, right="WA", wrong="AA", other="AA")

    async def stopped() -> None:
        release = asyncio.create_task(full.release_rejudge(number, "Ada", at_once=1))
        while (await full.standing("right")).judgement.verdict == "AC":  # type: ignore[union-attr]
            await asyncio.sleep(0)
        release.cancel()
        await asyncio.gather(release, return_exceptions=True)

    ask(stopped())
    assert shown(full, ask, "other") == "WA"
    with pytest.raises(Invalid, match="released already"):
        ask(full.discard_rejudge(number, "Ada"))
    ask(full.finish_releases(at_once=1))
    assert [shown(full, ask, name) for name in ("right", "wrong", "other")] == ["WA", "AC", "AC"]
    marks = {problem: mark.package_version for problem, mark in ask(full.solved(ADA)).items()}
    assert marks == {"family/variant": "v2", "other/one": "v2"}
    assert ask(full.rejudges(9))[0].state == "released"
    assert ask(full.begin_rejudge(EVERYTHING, "Ada")) > number


def test_nobody_waits_for_a_release(embedded: Store, ask: Ask) -> None:
    """However many submissions it has: after each few of them it is others' turn."""
    names = [str(number) for number in range(60)]
    for name in names:
        ask(embedded.add_submission(sent(name), "guest:1", ADA))
        ask(embedded.add_judgement(sent(name), judged("AW")))
    number = ask(embedded.begin_rejudge(EVERYTHING, "Ada"))
    judge_all(embedded, ask, **dict.fromkeys(names, "AA"))

    async def turns() -> int:
        release, found = asyncio.create_task(embedded.release_rejudge(number, "Ada", 5)), 0
        while not release.done():
            await asyncio.sleep(0)
            found += 1
        await release
        return found

    assert ask(turns()) >= len(names) / 5
    assert shown(embedded, ask, "59") == "AC"


def test_a_discarded_rejudge_leaves_everything_as_it_was(full: Store, ask: Ask) -> None:
    """What is not judged yet will not be; a judging that is in progress changes nothing any more."""
    number = ask(full.begin_rejudge(EVERYTHING, "Ada"))
    late = ask(full.unjudged_submission("other"))
    judge_all(full, ask, right="WA", wrong="JA")
    ask(full.discard_rejudge(number, "Ada"))
    assert [one.id for one in ask(full.unjudged_submissions(10))] == ["waiting"]
    ask(full.add_judgement(late, judged("AA", "v2")))
    assert [shown(full, ask, name) for name in ("right", "wrong", "other")] == ["AC", "WA", "WA"]
    assert ask(full.reopen_judging_errors(0, 3)) == 0
    again = ask(full.begin_rejudge(EVERYTHING, "Ada"))
    assert ask(full.unjudged_submission("right")).judging_number == 3
    assert again != number


def test_a_judging_error_never_takes_the_place_of_a_verdict(full: Store, ask: Ask) -> None:
    """It is tried again while the rejudge is open; after that the old verdict stays."""
    number = ask(full.begin_rejudge(Selection(problem="family"), "Ada"))
    judge_all(full, ask, right="JA", wrong="JA")
    assert ask(full.reopen_judging_errors(0, 2)) == 2
    assert ask(full.rejudge(number)).judged == 0
    judge_all(full, ask, right="JA", wrong="AA")
    assert ask(full.reopen_judging_errors(0, 2)) == 0
    ask(full.release_rejudge(number, "Ada"))
    assert [shown(full, ask, name) for name in ("right", "wrong")] == ["AC", "AC"]
    assert ask(full.standing("right")).judgement.package_version == "v1"
    assert ask(full.reopen_judging_errors(0, 5)) == 0


def test_two_rejudges_do_not_share_a_submission(full: Store, ask: Ask) -> None:
    """The first one has it until it is ended."""
    ask(full.begin_rejudge(Selection(problem="family"), "Ada"))
    second = ask(full.begin_rejudge(EVERYTHING, "Ada"))
    assert ask(full.rejudge(second)).total == 1
    with pytest.raises(Invalid, match="rejudge 1"):
        ask(full.requeue("right", "Ada"))


def test_one_submission_is_judged_again_and_shown_at_once(full: Store, ask: Ask) -> None:
    """Without a rejudge around it; asked twice it is still one judging."""
    for _ in range(2):
        ask(full.requeue("right", "Ada"))
    assert ask(full.unjudged_submission("right")).judging_number == 2
    assert shown(full, ask, "right") == "AC"
    judge_all(full, ask, right="WA")
    assert shown(full, ask, "right") == "WA"
    with pytest.raises(NotFound):
        ask(full.requeue("nothing", "Ada"))
    ask(full.add_submission(replace(sent("tried"), trial=True), "guest:1"))
    with pytest.raises(Invalid, match="trial"):
        ask(full.requeue("tried", "Ada"))


def test_all_judging_errors_can_be_asked_for_again(full: Store, ask: Ask) -> None:
    """Once the fault is mended, however often they were tried."""
    ask(full.requeue("right", "Ada"))
    judge_all(full, ask, right="JA", waiting="JA")
    assert ask(full.requeue_judging_errors("Ada")) == 2
    assert {one.id for one in ask(full.unjudged_submissions(10))} == {"right", "waiting"}
    assert ask(full.requeue_judging_errors("Ada")) == 0


def test_what_an_admin_asked_for_is_on_record(full: Store, ask: Ask) -> None:
    """Beginning, releasing and discarding, with the number of the rejudge."""
    number = ask(full.begin_rejudge(Selection(problem="other"), "Ada"))
    ask(asyncio.sleep(0))
    ask(full.discard_rejudge(number, "Eve"))
    for question in (full.rejudge(99), full.release_rejudge(99, "Ada")):
        with pytest.raises(NotFound):
            ask(question)
