"""Source, variant, runner: runs, one by one as they end, and then the judgement.

The only place where facts become verdicts. Answers stay on this side: what goes to a box is the
source, the arguments and a seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never, overload

import numpy as np

from app import feedback
from app.compare import compare
from app.diagnose import Result, diagnose
from app.errors import SandboxError
from app.model import (
    Bonus,
    Call,
    Crashed,
    Exceeded,
    Fact,
    Feedback,
    Judgement,
    Limits,
    Mismatch,
    NotCompiled,
    Outcome,
    Raised,
    Returned,
    Run,
    Runner,
    TestCase,
    Value,
    Variant,
    Verdict,
)
from app.runtime_kinds import RUNTIMES

# A handful of large arrays. What does not fit is no evidence for or against an explanation.
_SHELF_BYTES = 64 * 2**20
_CONTAINER_BYTES = 512

OUR_FAULT = "The judge failed, not your code. This does not count; it will be judged again."


def judge(
    source: str, variant: Variant, runner: Runner, tests: Sequence[TestCase] | None = None
) -> Generator[Run, None, Judgement]:
    """Yields each run as it ends, in any order, and returns the judgement.

    tests   those of the variant; for a trial its samples, or one custom case. A trial earns no
            points, no bonus, and never claims that all tests passed.

    A failure of the sandbox is a judging error (JE). Anything else that is raised is our own bug
    or a broken package, and is left to whoever called.
    """
    chosen = variant.tests if tests is None else tuple(tests)
    judged: dict[int, _Judged] = {}
    shelf = _Shelf()
    bonus, fault = _Earned(0, ""), "" if chosen else "there are no tests"
    try:
        for index, outcome in runner.run(_Calls(source, variant, chosen)):
            judged[index] = _judged(source, variant, chosen[index], index, outcome, shelf)
            yield judged[index].run
        if (
            variant.bonus
            and tests is None
            and _overall([one.run for one in judged.values()]) == "AC"
        ):
            bonus = _earned(source, variant, variant.bonus, runner)
    except SandboxError as error:
        fault = str(error) or type(error).__name__
    for index in range(len(chosen)):
        if index not in judged:
            judged[index] = _Judged(_unjudged(chosen[index], index))
            yield judged[index].run
    in_order = [judged[index] for index in range(len(chosen))]
    judgement = _judgement(variant, chosen, in_order, bonus, fault, trial=tests is not None)
    if judgement.verdict in ("AC", "CE", "JE"):
        return judgement
    results = [
        Result(test, one.run.verdict == "AC", one.fact)
        for test, one in zip(chosen, in_order, strict=True)
    ]
    return replace(judgement, diagnosis=diagnose(variant, results, compare))


def finished(
    judging: Generator[Run, None, Judgement], tell: Callable[[Run], None] = lambda run: None
) -> Judgement:
    """The judgement at the end of a judging; `tell` hears each run, and may raise to end it early."""
    try:
        while True:
            tell(next(judging))
    except StopIteration as end:
        judgement = end.value
        assert isinstance(judgement, Judgement)
        return judgement
    finally:
        judging.close()


class _Calls(Sequence[Call]):
    """The calls of a judgement, made one by one: the arguments of a big test are not held."""

    def __init__(
        self, source: str, variant: Variant, tests: Sequence[TestCase], bonus: Bonus | None = None
    ):
        self._source, self._variant, self._tests, self._bonus = source, variant, tests, bonus

    def __len__(self) -> int:
        return len(self._tests)

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Call]: ...
    def __getitem__(self, index: int | slice) -> Call | Sequence[Call]:
        if isinstance(index, slice):
            return [self[one] for one in range(len(self))[index]]
        arguments = self._tests[index].contents().arguments
        call = Call(
            self._source,
            self._variant.entry_point,
            arguments,
            _seed(self._variant, range(len(self))[index]),
            limits=self._variant.limits,
        )
        if self._bonus is None:
            return call
        without_arrays = tuple(map(_without_arrays, arguments))
        return replace(call, runtime=self._bonus.runtime, arguments=without_arrays)


def _seed(variant: Variant, index: int) -> int:
    """32 bits, the same for the same version and test: a rejudge throws the same dice."""
    digest = hashlib.sha256(f"{variant.version}/{index}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


def _without_arrays(value: Value) -> Value:
    """The same numbers where NumPy does not exist: arrays as nested lists, plain scalars."""
    match value:
        case np.ndarray():
            return value.tolist()
        case np.generic():
            return value.item()
        case list():
            return [_without_arrays(item) for item in value]
        case tuple():
            return tuple(_without_arrays(item) for item in value)
        case dict():
            return {key: _without_arrays(item) for key, item in value.items()}
        case _:
            return value


# --- One test -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judged:
    """A run as it is told, and what the end of the judgement needs of it.

    fact       of a failed test, for the diagnosis; None if its value was too large to wait
    revealed   the run in full, where the variant may reveal it
    """

    run: Run
    fact: Fact | None = None
    revealed: Run | None = None


@dataclass(slots=True)
class _Shelf:
    """Holds the values of failed tests until the diagnosis, up to a size for all of them."""

    room: int = _SHELF_BYTES

    def kept(self, fact: Fact) -> Fact | None:
        if not isinstance(fact, Returned):
            return fact
        size = _bytes_in(fact.value, self.room)
        if size > self.room:
            return None
        self.room -= size
        return fact


def _bytes_in(value: Value, enough: int) -> int:
    """About how many bytes a diagnosis needs for a value; counting stops at `enough`.

    It looks at numbers as float64, and walks containers again and again.
    """
    size, stack = 0, [value]
    while stack and size <= enough:
        one = stack.pop()
        if isinstance(one, np.ndarray):
            size += one.size * max(one.itemsize, 8) + _CONTAINER_BYTES
        elif isinstance(one, dict):
            stack.extend(one.values())
            size += _CONTAINER_BYTES
        elif isinstance(one, list | tuple):
            stack.extend(one)
            size += _CONTAINER_BYTES
        size += 64
    return size


def _judged(
    source: str, variant: Variant, test: TestCase, index: int, outcome: Outcome, shelf: _Shelf
) -> _Judged:
    contents = test.contents()
    mismatch = _mismatch(outcome.fact, variant, contents.answer)
    verdict = _verdict(outcome.fact, mismatch)
    failed = verdict != "AC"
    time_ms, memory_kib = _cost(outcome)
    full = None
    if test.sample or (failed and variant.reveal == "first_failure"):
        told = feedback.in_full(source, variant, test, contents, outcome, mismatch, failed)
        exact_ms = round(time_ms, 3)
        full = Run(index, test.labels, test.sample, verdict, exact_ms, memory_kib, told, test.name)
    fact = shelf.kept(outcome.fact) if failed else None
    if full and test.sample:
        return _Judged(full, fact)
    told = feedback.cut(source, variant, test, outcome, mismatch, failed)
    tens_ms = min(round(time_ms / 10) * 10.0, _limit_ms(outcome, variant.limits))
    whole_mib = -(-memory_kib // 1024)
    coarse = Run(
        index, test.labels, test.sample, verdict, tens_ms, whole_mib * 1024, told, test.name
    )
    return _Judged(coarse, fact, full)


def _mismatch(fact: Fact, variant: Variant, answer: Value) -> Mismatch | None:
    if not isinstance(fact, Returned):
        return None
    mismatch = compare(fact.value, variant.returns, answer, variant.tolerance)
    if mismatch or fact.inputs_unchanged or not variant.preserve_inputs:
        return mismatch
    return Mismatch("inputs", "", feedback.CHANGED_INPUT, feedback.CHANGED_INPUT)


_OVER: dict[str, Verdict] = {
    "cpu": "TLE",
    "wall": "TLE",
    "memory": "MLE",
    "printed": "OLE",
    "returned": "OLE",
}


def _verdict(fact: Fact, mismatch: Mismatch | None) -> Verdict:
    """Facts first, verdicts once: this is the once."""
    match fact:
        case Returned():
            return "WA" if mismatch else "AC"
        case NotCompiled():
            return "CE"
        case Raised(type_name="MemoryError" | "_ArrayMemoryError", line=int()):
            return "MLE"  # without a line it is the compiler's: nested too deeply, not too large
        case Raised() | Crashed():
            return "RTE"
        case Exceeded(limit=limit):
            return _OVER[limit]
        case _:
            assert_never(fact)


def _cost(outcome: Outcome) -> tuple[float, int]:
    """Milliseconds and KiB. CPU time counts, unless it was the wall clock that ran out."""
    return (outcome.wall_s if _asleep(outcome) else outcome.cpu_s) * 1000, outcome.memory_kib


def _limit_ms(outcome: Outcome, limits: Limits) -> float:
    return (limits.wall_s if _asleep(outcome) else limits.time_s) * 1000


def _asleep(outcome: Outcome) -> bool:
    return isinstance(outcome.fact, Exceeded) and outcome.fact.limit == "wall"


def _unjudged(test: TestCase, index: int) -> Run:
    return Run(
        index, test.labels, test.sample, "JE", 0.0, 0, Feedback(message=OUR_FAULT), test.name
    )


# --- The bonus ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Earned:
    points: int
    message: str


def _earned(source: str, variant: Variant, bonus: Bonus, runner: Runner) -> _Earned:
    """The same tests again in the bonus's runtime; the first that fails says why it is lost."""
    lost: dict[int, str] = {}
    for index, outcome in runner.run(_Calls(source, variant, variant.tests, bonus)):
        test = variant.tests[index]
        contents = test.contents()
        mismatch = _mismatch(outcome.fact, variant, contents.answer)
        if _verdict(outcome.fact, mismatch) != "AC":
            lost[index] = feedback.cut(source, variant, test, outcome, mismatch, True).message
    where = RUNTIMES[bonus.runtime].where
    if not lost:
        return _Earned(bonus.points, f"Bonus: {bonus.points} points, it works {where} too.")
    first = min(lost)
    why = f"{where} test {first + 1} fails: {lost[first]}"
    return _Earned(0, f"No bonus: {why}.")


# --- The whole ----------------------------------------------------------------------------------


def _judgement(
    variant: Variant,
    tests: Sequence[TestCase],
    judged: Sequence[_Judged],
    bonus: _Earned,
    fault: str,
    trial: bool,
) -> Judgement:
    runs = [one.run for one in judged]
    verdict: Verdict = "JE" if fault else _overall(runs)
    passed = sum(run.verdict == "AC" for run in runs)
    revealed = next((one.revealed for one in judged if one.revealed), None)
    if revealed and not trial:
        runs[revealed.index] = revealed
    points = 0 if trial else variant.points
    return Judgement(
        verdict,
        score=0.0 if verdict == "JE" else round(points * passed / len(runs), 2),
        points=points,
        bonus=bonus.points,
        runs=tuple(runs),
        package_version=variant.version,
        message=_message(variant, tests, runs, fault, trial) + (f" {bonus.message}".rstrip()),
    )


def _overall(runs: Sequence[Run]) -> Verdict:
    """That of the first test that failed, in file order; a judging error anywhere goes before."""
    if any(run.verdict == "JE" for run in runs):
        return "JE"
    in_order = sorted(runs, key=lambda run: run.index)
    return next((run.verdict for run in in_order if run.verdict != "AC"), "AC")


def _message(
    variant: Variant, tests: Sequence[TestCase], runs: Sequence[Run], fault: str, trial: bool
) -> str:
    """One or two sentences for the top of the verdict."""
    verdict = _overall(runs)
    if fault or verdict == "JE":
        return f"{OUR_FAULT} ({fault or 'a test was not judged'})"
    if verdict == "CE":
        return next(run.feedback.message for run in runs if run.verdict == "CE")
    custom = trial and any(all(test is not own for own in variant.tests) for test in tests)
    kind = "sample" if trial else "test"
    if verdict == "AC":
        right = "Right on your input." if custom else f"{_all(len(runs), kind)} passed."
        return f"{right} {_still_to_come(variant)}" if trial else right
    first = next(run for run in runs if run.verdict != "AC")
    if custom:
        return f"On your input: {first.feedback.message}"
    passed = sum(run.verdict == "AC" for run in runs)
    labels = f" ({', '.join(first.labels)})" if first.labels else ""
    which = f"{kind.capitalize()} {first.index + 1}{labels}"
    return f"{passed} of {len(runs)} {kind}s passed. {which}: {first.feedback.message}"


def _all(count: int, noun: str) -> str:
    return f"The {noun}" if count == 1 else f"All {count} {noun}s"


def _still_to_come(variant: Variant) -> str:
    """Passing the samples is not passing: says what a submission adds."""
    secret = sum(not test.sample for test in variant.tests)
    return f"{secret} hidden {'test runs' if secret == 1 else 'tests run'} when you submit."
