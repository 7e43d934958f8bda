"""The judge: facts in, verdicts out, and for secret tests nothing that could carry an input."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from app.contract import Argument, Contract, Dict, Leaf, ListOf, Tolerance, Tuple
from app.errors import BoxFault
from app.judge import finished, judge
from app.model import (
    Bonus,
    Call,
    Contents,
    Core,
    Crashed,
    Exceeded,
    Fact,
    Judgement,
    Limits,
    Mistake,
    NotCompiled,
    Outcome,
    Page,
    Printed,
    Raised,
    Returned,
    Run,
    TestCase,
    Unsupported,
    Value,
    Variant,
)

SOURCE = "def double(x):\n    return 2 * x\n"
SECRET = 31.25  # the argument of the secret tests; 62.5 is their answer


@dataclass
class Table:
    """A runner that looks facts up: a function of the argument and the runtime, no box at all."""

    fact: Callable[[Call], Fact | BoxFault]
    order: Callable[[list[int]], list[int]] = list
    calls: list[Call] = field(default_factory=list)
    cpu_s: float = 0.0123
    memory_kib: int = 1500

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        for index in self.order(list(range(len(calls)))):
            self.calls.append(calls[index])
            fact = self.fact(calls[index])
            if isinstance(fact, BoxFault):
                raise fact
            printed = Printed("x = 31.25", 7)
            yield index, Outcome(fact, self.cpu_s, 9.0, self.memory_kib, printed, printed)


def test_case(name: str, sample: bool, argument: float) -> TestCase:
    contents = Contents((argument,), 2 * argument)
    label = "a sample" if sample else "a hidden one"
    return TestCase(name, (label,), sample, lambda: contents, hint="Think of both signs.")


test_case.__test__ = False  # type: ignore[attr-defined]


def a_variant(**changes: Any) -> Variant:
    tests = (
        test_case("one", True, 1.0),
        test_case("two", True, 2.0),
        test_case("three", False, SECRET),
        test_case("four", False, SECRET),
    )
    variant = Variant(
        id="doubling/number",
        title="Double",
        entry_point="double",
        arguments=(Argument("x", Leaf("number")),),
        returns=Leaf("number"),
        tolerance=Tolerance(1e-9, 0.0),
        tests=tests,
        core=Core("", (), (), ()),
        version="v1",
        page=Page("easy", 5, "", ""),
    )
    return replace(variant, **changes)


def right(call: Call) -> Fact:
    argument: Any = call.arguments[0]
    return Returned(2 * argument, True)


def _times(factor: int, argument: Value) -> Value:
    assert isinstance(argument, float)
    return factor * argument


def on_secret_tests(fact: Fact) -> Callable[[Call], Fact]:
    return lambda call: fact if call.arguments[0] == SECRET else right(call)


def judged(
    runner: Table,
    variant: Variant | None = None,
    tests: Sequence[TestCase] | None = None,
    source: str = SOURCE,
) -> tuple[list[Run], Judgement]:
    runs: list[Run] = []
    judging = judge(source, variant or a_variant(), runner, tests)
    return runs, finished(judging, runs.append)


@pytest.mark.parametrize(
    "value",
    [np.zeros(1 << 24, dtype=np.uint8), [[1.0]] * (1 << 17), [np.zeros(1)] * (1 << 17)],
    ids=["bytes that would be floats", "lists of one", "arrays of one"],
)
def test_what_takes_long_to_walk_is_not_kept_for_the_diagnosis(value: Value) -> None:
    """A diagnosis looks at every value dozens of times."""
    variant = a_variant(returns=Leaf("array_like"))
    before_s = time.process_time()
    _, judgement = judged(Table(lambda call: Returned(value, True)), variant)
    assert (judgement.verdict, judgement.diagnosis) == ("WA", None)
    assert time.process_time() - before_s < 4.0


FACTS: dict[str, tuple[Fact, str, str]] = {
    "right": (Returned(62.5, True), "AC", ""),
    "wrong": (Returned(62.0, True), "WA", "wrong value"),
    "changed input": (Returned(62.5, False), "AC", ""),
    "raised": (Raised("ValueError", "bad 31.25", 2), "RTE", "ValueError (line 2)"),
    "exit": (
        Raised("SystemExit", "0", 2),
        "RTE",
        "your code ended the process (SystemExit on line 2)",
    ),
    "out of memory": (Raised("_ArrayMemoryError", "", 1), "MLE", "_ArrayMemoryError (line 1)"),
    "os._exit": (
        Crashed(exit_code=0),
        "RTE",
        "your code ended the process before it returned anything",
    ),
    "kill": (Crashed(signal=9), "RTE", "your code ended the process by signal 9 (kill)"),
    "odd signal": (Crashed(signal=64), "RTE", "your code ended the process by signal 64"),
    "broken result": (
        Crashed(malformed=True),
        "RTE",
        "your code ended the process with a broken result",
    ),
    "busy": (Exceeded("cpu"), "TLE", "stopped after 2 s of CPU time, the limit for one test"),
    "asleep": (
        Exceeded("wall"),
        "TLE",
        "stopped after 4 s by the wall clock, the limit for one test (sleeping and waiting count)",
    ),
    "memory": (
        Exceeded("memory"),
        "MLE",
        "used more than 256 MiB of memory, the limit for one test",
    ),
    "printed": (Exceeded("printed"), "OLE", "printed more than 64 KiB, the limit for one test"),
    "returned": (
        Exceeded("returned"),
        "OLE",
        "returned more than 64 MiB, 4 million values or 64 levels of nesting, the limits for one test",
    ),
    "syntax": (
        NotCompiled("syntax", "'(' was never closed", 3, 7),
        "CE",
        "the source cannot be compiled (line 3)",
    ),
    "no function": (
        NotCompiled("no_entry_point", "", defined=()),
        "CE",
        "no function double",
    ),
    "signature": (
        NotCompiled("signature", "", signature="()"),
        "CE",
        "your double cannot take the arguments: the tests call double(x)",
    ),
}


@pytest.mark.parametrize("name", FACTS)
def test_every_fact_becomes_its_verdict_and_a_line_for_a_secret_test(name: str) -> None:
    """One fact, one verdict; the clock that ran out is named with its limit."""
    fact, verdict, message = FACTS[name]
    _, judgement = judged(Table(on_secret_tests(fact)))
    assert [run.verdict for run in judgement.runs] == ["AC", "AC", verdict, verdict]
    assert judgement.runs[2].feedback.message == message


def test_the_verdict_is_that_of_the_first_failure_in_file_order() -> None:
    """Whatever ended first; all tests run, and the score is the share of those that passed."""
    facts: dict[float, Fact] = {
        1.0: Returned(2.0, True),
        2.0: Exceeded("cpu"),
        SECRET: Returned(0.0, True),
    }
    runner = Table(lambda call: facts[call.arguments[0]], order=lambda order: order[::-1])  # type: ignore[index]
    runs, judgement = judged(runner, a_variant(points=50))
    assert [run.index for run in runs] == [3, 2, 1, 0]
    assert [run.verdict for run in judgement.runs] == ["AC", "TLE", "WA", "WA"]
    assert judgement.verdict == "TLE"
    assert (judgement.score, judgement.points, judgement.bonus) == (12.5, 50, 0)
    assert judgement.message.startswith("1 of 4 tests passed. Test 2 (a sample): stopped after 2 s")


def test_whoever_is_told_may_end_a_judging_early() -> None:
    """What it raises comes through, and no box is asked for after that."""
    table = Table(right)

    def stop(run: Run) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        finished(judge(SOURCE, a_variant(), table), stop)
    assert len(table.calls) == 1


def test_an_accepted_submission_earns_all_points() -> None:
    """And names the version that it was judged with."""
    _, judgement = judged(Table(right))
    assert (judgement.verdict, judgement.score, judgement.points) == ("AC", 100.0, 100)
    assert judgement.package_version == "v1"
    assert judgement.message == "All 4 tests passed."
    assert judgement.diagnosis is None


def test_a_run_of_samples_never_claims_that_all_tests_passed() -> None:
    """It says what is still to come when one submits."""
    variant = a_variant()
    _, judgement = judged(Table(right), variant, variant.tests[:2])
    assert judgement.message == "All 2 samples passed. 2 hidden tests run when you submit."
    _, judgement = judged(Table(right), variant, variant.tests[:1])
    assert judgement.message == "The sample passed. 2 hidden tests run when you submit."
    _, judgement = judged(Table(on_secret_tests(right)), variant, [test_case("own", True, 4.0)])  # type: ignore[arg-type]
    assert judgement.message == "Right on your input. 2 hidden tests run when you submit."


def test_a_trial_earns_nothing() -> None:
    """Samples and custom input are tried, not handed in: there are no points to speak of."""
    variant = a_variant()
    for tests in (variant.tests[:2], [test_case("own", True, 4.0)]):
        _, judgement = judged(Table(right), variant, tests)
        assert (judgement.verdict, judgement.score, judgement.points) == ("AC", 0.0, 0)


def test_a_failed_trial_says_where() -> None:
    """Of the samples which one; of custom input the difference itself."""
    variant = a_variant()
    wrong = Table(lambda call: Returned(5.0, True))
    _, judgement = judged(wrong, variant, variant.tests[:2])
    assert judgement.message == (
        "0 of 2 samples passed. Sample 1 (a sample): 5.0 was returned, expected 2.0: "
        "off by 3, allowed 2e-09"
    )
    _, judgement = judged(wrong, variant, [test_case("own", True, 4.0)])
    assert judgement.message == (
        "On your input: 5.0 was returned, expected 8.0: off by 3, allowed 8e-09"
    )


def test_no_tests_is_a_judging_error_never_a_pass() -> None:
    """A package without tests is our fault."""
    _, judgement = judged(Table(right), a_variant(tests=()))
    assert (judgement.verdict, judgement.score) == ("JE", 0.0)
    assert "there are no tests" in judgement.message


def test_a_fault_of_the_sandbox_is_a_judging_error_and_not_the_learners() -> None:
    """Tests that were not judged say so, the others keep their verdicts, nothing is diagnosed."""
    faulty = Table(
        lambda c: BoxFault("the box lied") if c.arguments[0] == 2.0 else Returned(0.0, True)
    )
    runs, judgement = judged(faulty)
    assert [run.verdict for run in judgement.runs] == ["WA", "JE", "JE", "JE"]
    assert sorted(run.index for run in runs) == [0, 1, 2, 3]
    assert (judgement.verdict, judgement.score, judgement.diagnosis) == ("JE", 0.0, None)
    assert "not your code" in judgement.message
    assert "the box lied" in judgement.message


def test_a_bug_of_ours_is_raised_and_not_swallowed() -> None:
    """An answer that does not fit the contract must not become a wrong answer."""
    broken = replace(test_case("x", True, 1.0), contents=lambda: Contents((1.0,), "two"))
    with pytest.raises(ValueError, match=r"a string was returned"):
        judged(Table(right), a_variant(tests=(broken,)))


# --- Feedback -----------------------------------------------------------------------------------


def test_a_sample_is_told_in_full() -> None:
    """Input, output, answer, printed text with what was cut, exact time, the author's hint."""
    _, judgement = judged(Table(lambda call: Returned(np.float64(7), True)))
    sample = judgement.runs[0]
    told = sample.feedback
    assert told.arguments == (("x", "1.0"),)
    assert (told.returned, told.answer) == ("7.0", "2.0")
    assert (told.stdout, told.stderr) == (Printed("x = 31.25", 7), Printed("x = 31.25", 7))
    assert told.mismatch is not None
    assert told.mismatch.differences[0].error == 5.0
    assert told.hint == "Think of both signs."
    assert (sample.time_ms, sample.memory_kib) == (12.3, 1500)


def test_an_exception_on_a_sample_has_type_message_and_line() -> None:
    """A message of any length stays readable."""
    _, judgement = judged(Table(lambda call: Raised("ValueError", "bad" * 1000, 2)))
    told = judgement.runs[0].feedback
    assert told.exception_type == "ValueError"
    assert told.exception_message == "bad" * 666 + "ba … 1000 more characters"
    assert told.line == 2
    assert told.message.startswith("ValueError: badbad")


SECRET_FACTS: dict[str, Fact] = {
    "a value": Returned(SECRET, True),
    "the right value": Returned(2 * SECRET, True),
    "an input in a list": Returned([SECRET, "31.25"], True),
    "an input as a key": Returned({"31.25": 1.0}, True),
    "an input in a type's name": Returned(Unsupported("E31.25"), True),
    "an input in an exception": Raised("E31.25", "31.25 is it", 2),
    "an input in a syntax error": NotCompiled("syntax", "31.25", 2, 31),
    "an input in a function's name": NotCompiled("no_entry_point", "31.25", defined=("f31.25",)),
    "an input in a signature": NotCompiled("signature", "31.25", signature="(x=31.25)"),
    "not a number": Returned(float("nan"), True),
    "changed input": Returned(2 * SECRET, False),
    "an exit with the input": Raised("SystemExit", "31.25", 2),
}


# What a program can spell with text of its own that stands in its source, for one input or another.
SPELT: dict[str, tuple[Fact, Fact]] = {
    "dots in a default value": (
        NotCompiled("signature", "", signature="(x, y=.-.)"),
        NotCompiled("signature", "", signature="(x, y=--.)"),
    ),
    "which functions are defined": (
        NotCompiled("no_entry_point", "", defined=("one", "two")),
        NotCompiled("no_entry_point", "", defined=("two", "one")),
    ),
    "dots for an exception's name": (Raised(".-.", "", 1), Raised("--.", "", 1)),
    "dots for a type's name": (
        Returned(Unsupported(".-."), True),
        Returned(Unsupported("--."), True),
    ),
    "a long name": (Raised("a" * 300, "", 1), Raised("b" * 300, "", 1)),
    "a key": (Returned({".-.": 1.0}, True), Returned({"--.": 1.0}, True)),
}


@pytest.mark.parametrize("name", SPELT)
@pytest.mark.parametrize("returns", [Leaf("number"), Dict((("total", Leaf("number")),))])
def test_a_secret_test_tells_the_same_whatever_a_program_spells(
    name: str, returns: Contract
) -> None:
    """A table of codes in the source makes every text in it sayable; a judge must not say it."""
    codes = f".-. --. {'a' * 300} {'b' * 300}"
    source = f"def one(x): ...\ndef two(x): ...\n# {codes}"
    answer: Value = 2 * SECRET if isinstance(returns, Leaf) else {"total": 2 * SECRET}
    secret = replace(test_case("s", False, SECRET), contents=lambda: Contents((SECRET,), answer))
    variant = a_variant(returns=returns, tests=(secret,))
    told = []
    for fact in SPELT[name]:

        def spell(call: Call, fact: Fact = fact) -> Fact:
            return fact

        _, judgement = judged(Table(spell), variant, source=source)
        told.append(json.dumps(asdict(judgement)))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "returns", [Leaf("number"), Tuple((ListOf(Leaf("array")), Leaf("number")))]
)
@pytest.mark.parametrize("name", SECRET_FACTS)
def test_nothing_of_a_secret_test_is_told(name: str, returns: Contract) -> None:
    """Neither input nor answer stands in any field, however the program tries to carry it out."""
    answer: Value = 2 * SECRET
    if isinstance(returns, Tuple):
        answer = ([np.array([2 * SECRET])], 2 * SECRET)
    secret = replace(test_case("s", False, SECRET), contents=lambda: Contents((SECRET,), answer))
    variant = a_variant(returns=returns, tests=(secret,))
    _, judgement = judged(Table(lambda call: SECRET_FACTS[name]), variant)
    text = json.dumps(asdict(judgement))
    assert "31" not in text
    assert "62" not in text
    told = judgement.runs[0].feedback
    assert (told.arguments, told.returned, told.answer) == ((), "", "")
    assert (told.stdout, told.stderr) == (None, None)
    assert told.mismatch is None or told.mismatch.differences == ()


def test_time_and_memory_of_secret_tests_are_coarse() -> None:
    """Tens of milliseconds and whole MiB; the wall clock where it was the one that ran out."""
    _, judgement = judged(Table(right, cpu_s=0.0161, memory_kib=1025))
    assert (judgement.runs[3].time_ms, judgement.runs[3].memory_kib) == (20.0, 2048)
    _, judgement = judged(Table(on_secret_tests(Exceeded("wall"))))
    assert judgement.runs[3].time_ms == 4000.0  # at most the limit: more would tell more


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ValueError", True),
        ("LinAlgError", True),
        ("UFuncTypeError", True),
        ("OwnError", True),
        ("Own", False),
        ("EOwnError", False),
        ("E31", False),
        ("", False),
    ],
)
def test_an_exceptions_name_is_told_if_it_says_nothing_new(name: str, shown: bool) -> None:
    """Built-in, NumPy's, or a word of the source; else it might be made from the input."""
    source = "class OwnError(Exception):\n    pass\n"
    runner = Table(on_secret_tests(Raised(name, "", None)))
    _, judgement = judged(runner, source=source)
    told = judgement.runs[2].feedback
    assert told.exception_type == (name if shown else "an exception")
    assert told.message == told.exception_type


def test_a_type_that_stands_in_the_source_is_named_for_a_secret_test() -> None:
    """So that `return Result(...)` can be understood, and an invented name cannot carry anything."""
    source = "class Result: ..."
    _, judgement = judged(
        Table(on_secret_tests(Returned(Unsupported("Result"), True))), source=source
    )
    expected = "something unsupported was returned, a number is asked for (Result)"
    assert judgement.runs[2].feedback.message == expected
    _, judgement = judged(Table(on_secret_tests(Returned(Unsupported("generator"), True))))
    assert judgement.runs[2].feedback.message.endswith("(generator)")


@pytest.mark.parametrize(
    ("defined", "message"),
    [
        (("Double",), "no function double; you defined Double"),
        (("helper", "dubble", "main"), "no function double; you defined dubble"),
        (("a", "b", "c", "d"), "no function double; you defined a, b, c"),
        ((), "no function double; your code defines no function"),
        (
            ("dоuble",),
            'no function double; you defined dоuble, where "о" is cyrillic small letter o',
        ),
    ],
)
def test_a_missing_function_comes_with_the_nearest_miss(
    defined: tuple[str, ...], message: str
) -> None:
    """A sample tells it. Which names are defined could depend on a secret input: not a word there."""
    source = "\n".join(f"def {name}(x): ..." for name in defined)
    fact = NotCompiled("no_entry_point", "", defined=defined)
    _, judgement = judged(Table(lambda call: fact), source=source)
    assert judgement.verdict == "CE"
    assert judgement.message == message
    assert judgement.runs[0].feedback.message == message
    assert judgement.runs[3].feedback.message == "no function double"


def test_a_wrong_signature_says_which_arguments_the_tests_pass() -> None:
    """A sample shows the learner's own signature, of which a default value can spell an input."""
    fact = NotCompiled("signature", "", signature="(x, y)")
    _, judgement = judged(Table(lambda call: fact), source="def double(x, y): ...")
    asked = "cannot take the arguments: the tests call double(x)"
    assert [run.feedback.message for run in judgement.runs] == [
        *[f"double(x, y) {asked}"] * 2,
        *[f"your double {asked}"] * 2,
    ]
    _, judgement = judged(Table(lambda call: replace(fact, signature="(q)")))
    assert judgement.runs[0].feedback.message.startswith("double(q) cannot take")
    assert judgement.runs[3].feedback.message.startswith("your double cannot take")


def test_a_syntax_error_is_told_with_line_and_column_on_a_sample() -> None:
    """In the editor's numbering, which is the sandbox's."""
    _, judgement = judged(Table(lambda call: NotCompiled("syntax", "'(' was never closed", 3, 7)))
    told = judgement.runs[0].feedback
    assert (told.line, told.column) == (3, 7)
    assert judgement.message == "the source cannot be compiled: '(' was never closed (line 3)"


def test_changed_inputs_are_a_failure_only_where_they_must_be_preserved() -> None:
    """Elsewhere a remark; and a wrong value goes before."""
    changed = Table(lambda call: Returned(_times(2, call.arguments[0]), False))
    _, judgement = judged(changed)
    assert judgement.verdict == "AC"
    assert {run.feedback.remark for run in judgement.runs} == {
        "your code changed its input: allowed here, but whoever calls it may not expect that"
    }
    _, judgement = judged(changed, a_variant(preserve_inputs=True))
    assert judgement.verdict == "WA"
    assert {run.feedback.message for run in judgement.runs} == {"your code changed its input"}
    assert {run.feedback.remark for run in judgement.runs} == {""}
    wrong = Table(lambda call: Returned(0.0, False))
    _, judgement = judged(wrong, a_variant(preserve_inputs=True))
    assert {run.feedback.mismatch and run.feedback.mismatch.kind for run in judgement.runs} == {
        "value"
    }


def test_the_first_failing_secret_test_may_be_revealed_and_only_that_one() -> None:
    """Where the variant opts in; live runs are cut all the same, since the first is not yet known."""
    wrong = Table(lambda call: Returned(1.0, True), order=lambda order: order[::-1])
    runs, judgement = judged(wrong, a_variant(reveal="first_failure"))
    assert [bool(run.feedback.arguments) for run in judgement.runs] == [True, True, True, False]
    assert judgement.runs[2].feedback.answer == "62.5"
    live = {run.index: run for run in runs}
    assert not live[2].feedback.arguments
    _, judgement = judged(Table(right), a_variant(reveal="first_failure"))
    assert not judgement.runs[2].feedback.arguments


# --- What crosses to the box --------------------------------------------------------------------


def test_a_call_carries_source_arguments_limits_and_a_seed_that_a_rejudge_repeats() -> None:
    """The seed differs by test and by version, and nothing of the answer is in the call."""
    first, again, other = Table(right), Table(right), Table(right)
    limits = Limits(time_s=1.0)
    judged(first, a_variant(limits=limits))
    judged(again, a_variant(limits=limits))
    judged(other, a_variant(limits=limits, version="v2"))
    assert first.calls == again.calls
    assert first.calls[0] == Call(SOURCE, "double", (1.0,), first.calls[0].seed, "numpy", limits)
    seeds = {call.seed for runner in (first, other) for call in runner.calls}
    assert len(seeds) == 8
    assert all(0 <= seed < 2**32 for seed in seeds)


def test_contents_are_read_when_needed_and_not_held() -> None:
    """A runner that takes one call after another holds one test's arguments at a time."""
    read: list[str] = []

    def contents(name: str) -> Callable[[], Contents]:
        def read_now() -> Contents:
            read.append(name)
            return Contents((1.0,), 2.0)

        return read_now

    tests = tuple(replace(test_case(n, False, 1.0), contents=contents(n)) for n in "ab")
    judging = judge(SOURCE, a_variant(tests=tests), Table(right))
    next(judging)
    assert "b" not in read
    judging.close()


# --- The bonus ----------------------------------------------------------------------------------

BONUS = Bonus("python", 10, "plain Python")


def with_numpy_only(call: Call) -> Fact:
    if call.runtime == "numpy":
        return right(call)
    return Raised("ModuleNotFoundError", "No module named 'numpy'", 1)


def test_a_bonus_is_earned_by_passing_again_where_numpy_does_not_exist() -> None:
    """On top of the points, and only after an AC."""
    runner = Table(right)
    _, judgement = judged(runner, a_variant(bonus=BONUS))
    assert (judgement.score, judgement.bonus) == (100.0, 10)
    assert judgement.message.startswith("All 4 tests passed. Bonus: 10 points")
    assert [call.runtime for call in runner.calls] == ["numpy"] * 4 + ["python"] * 4
    failing = Table(on_secret_tests(Returned(0.0, True)))
    _, judgement = judged(failing, a_variant(bonus=BONUS))
    assert judgement.bonus == 0
    assert {call.runtime for call in failing.calls} == {"numpy"}


def test_a_lost_bonus_says_why_and_costs_nothing() -> None:
    """The first test that fails there, told as for a secret test."""
    runs, judgement = judged(Table(with_numpy_only), a_variant(bonus=BONUS))
    assert (judgement.verdict, judgement.score, judgement.bonus) == ("AC", 100.0, 0)
    assert judgement.message == (
        "All 4 tests passed. No bonus: in plain Python, without NumPy, test 1 fails: "
        "ModuleNotFoundError (line 1)."
    )
    assert len(runs) == 4


def test_a_trial_is_not_run_for_a_bonus() -> None:
    """Samples alone earn nothing."""
    variant = a_variant(bonus=BONUS)
    runner = Table(right)
    _, judgement = judged(runner, variant, variant.tests[:2])
    assert judgement.bonus == 0
    assert len(runner.calls) == 2


def test_arguments_hold_no_arrays_where_numpy_does_not_exist() -> None:
    """The same numbers in lists and plain Python numbers, at any depth."""
    arguments = ({"w": [np.array([[1.0]]), (np.float64(2), np.array(3))]}, np.arange(2), "text")
    given = replace(test_case("g", True, 1.0), contents=lambda: Contents(arguments, 2.0))
    runner = Table(lambda call: Returned(2.0, True))
    names = tuple(Argument(name, Leaf("array_like")) for name in "abc")
    judged(runner, a_variant(tests=(given,), arguments=names, bonus=BONUS))
    assert runner.calls[1].arguments == ({"w": [[[1.0]], (2.0, 3)]}, [0, 1], "text")
    scalar = runner.calls[1].arguments[0]["w"][1][0]
    assert type(scalar) is float


# --- The diagnosis ------------------------------------------------------------------------------


def test_a_diagnosis_is_asked_for_only_after_a_failure() -> None:
    """Predictions cost boxes: a right program must not wait for them."""
    asked: list[str] = []

    def predict(mistake: Mistake, test: TestCase) -> Fact:
        asked.append(test.name)
        return Returned(_times(3, test.contents().arguments[0]), True)

    mistake = Mistake("tripled", "Tripled", "Three is one too many.", "")
    variant = a_variant(mistakes=(mistake,), predict=predict)
    _, judgement = judged(Table(right), variant)
    assert (judgement.diagnosis, asked) == (None, [])
    tripled = Table(lambda call: Returned(_times(3, call.arguments[0]), True))
    _, judgement = judged(tripled, variant)
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.title == "Tripled"
    assert asked


def test_values_too_large_to_wait_are_no_evidence() -> None:
    """The diagnosis then rests on the others, or there is none."""
    huge = np.zeros(10**7)

    def negated_or_huge(call: Call) -> Fact:
        argument = call.arguments[0]
        return Returned(huge if argument == SECRET else _times(-2, argument), True)

    mixed = Table(negated_or_huge)
    _, judgement = judged(mixed)
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.name == "negated"
    _, judgement = judged(Table(lambda call: Returned([huge, huge], True)))
    assert judgement.diagnosis is None
