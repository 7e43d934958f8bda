"""How programs fare: what is shown counts, once, whatever became of it before."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.model import Diagnosis, Judgement, Run, Submission
from app.store import Selection, Store, TestFigures
from app.store.results import columns, counted, memory_mib, result_of, time_ms
from tests.store.conftest import Place

Ask = Callable[[Any], Any]
PROBLEM = "family/variant"
KINDS = {"A": "AC", "W": "WA", "J": "JE", "T": "TLE"}


def sent(name: str, trial: bool = False) -> Submission:
    return Submission(name, PROBLEM, "def f(): pass\n", trial=trial)


def judged(
    verdicts: str,
    times: Sequence[float] = (),
    version: str = "v1",
    diagnosis: str = "",
    names: str = "abcdef",
) -> Judgement:
    runs = tuple(
        Run(index, (f"label {name}",), False, KINDS[letter], took, 2048, test=name)  # type: ignore[arg-type]
        for index, (letter, name, took) in enumerate(
            zip(verdicts, names, times or [1.0] * len(verdicts), strict=False)
        )
    )
    verdict = next((KINDS[letter] for letter in verdicts if letter != "A"), "AC")
    why = Diagnosis(diagnosis, diagnosis, "") if diagnosis else None
    return Judgement(verdict, 0.0, 100, 0, runs, version, "", why)  # type: ignore[arg-type]


def add(
    store: Store,
    ask: Ask,
    name: str,
    judgement: Judgement,
    trial: bool = False,
    owner: str | None = "user:1",
) -> None:
    ask(store.add_submission(sent(name, trial), "guest:1", owner))
    ask(store.add_judgement(sent(name, trial), judgement))


def by_name(tests: Sequence[TestFigures]) -> dict[str, tuple[int, int, int]]:
    return {test.name: (test.runs, test.passed, test.stopped) for test in tests}


def test_tests_and_verdicts_are_counted(store: Store, ask: Ask) -> None:
    """The first test that fails is the one that stops a program; trials and our errors are apart."""
    add(store, ask, "one", judged("AAA", times=(1.0, 50.0, 2.0)))
    add(store, ask, "two", judged("AWW", diagnosis="mean_of_squares"))
    add(store, ask, "three", judged("AWA", diagnosis="mean_of_squares"))
    add(store, ask, "four", judged("TAA", diagnosis="other"))
    add(store, ask, "trial", judged("WWW"), trial=True)
    add(store, ask, "failed", judged("JJJ"))
    found = ask(store.problem_figures(PROBLEM))
    assert found.verdicts == {"AC": 1, "WA": 2, "TLE": 1, "JE": 1}
    assert (found.attempts, found.accepted) == (4, 1)
    assert found.diagnoses == (("mean_of_squares", 2), ("other", 1))
    assert by_name(found.tests) == {"a": (4, 3, 1), "b": (4, 2, 2), "c": (4, 3, 0)}
    assert found.tests[1].labels == "label b"
    assert found.times.time_ms(0.5) == pytest.approx(50, rel=0.1)
    assert found.memories.memory_mib(1) == pytest.approx(2, rel=0.1)
    (overview,) = ask(store.figures())
    assert (overview.problem, overview.attempts, overview.accepted) == (PROBLEM, 4, 1)


def test_learners_are_counted_once(store: Store, ask: Ask) -> None:
    """However often they try; who solved it once has solved it. Trials are no attempts."""
    for name, verdicts, owner in (
        ("one", "AW", "user:1"),
        ("two", "AA", "user:1"),
        ("three", "WA", "user:1"),
        ("four", "WA", "guest:2"),
        ("five", "WA", None),
    ):
        add(store, ask, name, judged(verdicts), owner=owner)
    add(store, ask, "trial", judged("WW"), trial=True, owner="guest:3")
    found = ask(store.problem_figures(PROBLEM))
    assert (found.attempts, found.learners, found.solved_by) == (5, 2, 1)
    (overview,) = ask(store.figures())
    assert (overview.attempts, overview.learners, overview.solved_by) == (5, 2, 1)


def test_only_what_was_sent_in_the_last_days_counts(store: Store, ask: Ask, place: Place) -> None:
    """Judged when it may: a rejudge makes nothing new. Zero days are all there ever were."""
    for name, verdicts, owner in (("old", "AW", "user:1"), ("new", "WA", "user:2")):
        add(store, ask, name, judged(verdicts, diagnosis=name), owner=owner)
    for table, column in (("results", "sent_ms"), ("submissions", "created_ms")):
        number = "judgement" if table == "results" else "number"
        place.change(f"UPDATE {table} SET {column} = {column} - 864000000 WHERE {number} = 1")
    found = ask(store.problem_figures(PROBLEM, 9))
    assert (found.attempts, found.learners, found.diagnoses) == (1, 1, (("new", 1),))
    assert by_name(found.tests) == {"a": (1, 0, 1), "b": (1, 1, 0)}
    assert [(one.attempts, one.learners) for one in ask(store.figures(9))] == [(1, 1)]
    for days in (0, 11):
        found = ask(store.problem_figures(PROBLEM, days))
        assert (found.attempts, found.learners) == (2, 2), days
    assert ask(store.figures(11))[0].learners == 2


def test_tests_are_one_across_versions(store: Store, ask: Ask) -> None:
    """By name, in the order of the newest version; what is gone comes last."""
    add(store, ask, "old", judged("AW", version="v1", names="ab"))
    add(store, ask, "new", judged("WA", version="v2", names="ca"))
    found = ask(store.problem_figures(PROBLEM))
    assert list(by_name(found.tests)) == ["c", "a", "b"]
    assert by_name(found.tests) == {"c": (1, 0, 1), "a": (2, 2, 0), "b": (1, 0, 1)}


def test_a_rejudge_counts_when_it_is_released(store: Store, ask: Ask) -> None:
    """Then in the place of what was shown before, not beside it."""
    add(store, ask, "one", judged("AW"))
    number = ask(store.begin_rejudge(Selection(), "Ada"))
    again = ask(store.unjudged_submission("one"))
    ask(store.add_judgement(again, judged("AA", version="v2")))
    assert ask(store.problem_figures(PROBLEM)).verdicts == {"WA": 1}
    ask(store.release_rejudge(number, "Ada"))
    assert ask(store.problem_figures(PROBLEM)).verdicts == {"AC": 1}
    ask(store.requeue("one", "Ada"))
    again = ask(store.unjudged_submission("one"))
    ask(store.add_judgement(again, judged("WA", version="v2")))
    assert ask(store.problem_figures(PROBLEM)).verdicts == {"WA": 1}


def test_what_nobody_tried_has_no_figures(store: Store, ask: Ask) -> None:
    """Nothing is divided by nothing."""
    found = ask(store.problem_figures("no/such"))
    assert (found.attempts, found.tests, found.times.time_ms(0.5)) == (0, (), None)


@pytest.mark.parametrize("value", [0.0, 0.1, 1.0, 7.5, 40.0, 999.0, 9_000.0])
def test_a_step_is_within_a_tenth(value: float) -> None:
    """Of times in milliseconds and of memory in MiB."""
    run = Run(0, (), False, "AC", value, int(value * 1024))
    row = result_of(Judgement("AC", 0, 100, 0, (run,), "v"), "")
    step = int(counted(columns(row["times"], 1)).argmax())
    assert time_ms(step) == pytest.approx(value, rel=0.1, abs=0.02)
    step = int(counted(columns(row["memories"], 1)).argmax())
    assert memory_mib(step) == pytest.approx(value, rel=0.1, abs=0.05)


@pytest.mark.slow
def test_a_hundred_thousand_judgements_are_counted_at_once(
    embedded: Store, ask: Ask, database: Path
) -> None:
    """While somebody waits for the page: measured at 0.1 s on an idle machine."""
    add(embedded, ask, "one", judged("A" * 20, names="abcdefghijklmnopqrst"))
    dice = random.Random(7)
    with sqlite3.connect(database) as connection:
        connection.executemany(
            "INSERT INTO results VALUES (?, ?, 'v1', 1, 1, ?, ?, ?, ?, ?)",
            (
                (
                    number,
                    PROBLEM,
                    "AC" if number % 3 else "WA",
                    "" if number % 3 else f"mistake {number % 7}",
                    "A" * 20
                    if number % 3
                    else "A" * (number % 19) + "W" + "A" * (19 - number % 19),
                    "".join(dice.choices("ABCDEFGHIJ", k=20)),
                    "P" * 20,
                )
                for number in range(2, 100_001)
            ),
        )
    connection.close()
    begun = time.perf_counter()
    found = ask(embedded.problem_figures(PROBLEM))
    assert ask(embedded.figures())[0].attempts == found.attempts == 100_000
    took_s = time.perf_counter() - begun
    assert len(found.tests) == 20
    assert took_s < 2, took_s
