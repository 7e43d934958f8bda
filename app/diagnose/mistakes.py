"""The family's mistakes: does a named wrong program do exactly what the submission did?"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from app.diagnose.evidence import Case, Compare, split
from app.form import Misfit, rounded
from app.model import (
    Crashed,
    Diagnosis,
    Exceeded,
    Fact,
    Mistake,
    Raised,
    Returned,
    Value,
    Variant,
)


def explaining_mistake(
    variant: Variant, cases: Sequence[Case], compare: Compare
) -> Diagnosis | None:
    """The first of the variant's mistakes that explains every failure and predicts no other.

    Where none does alone, the readings of one title together: learners who make the same mistake meet
    the boundary cases, where it does not matter, in different ways. On every test one of them agrees.
    """
    alone = [(mistake,) for mistake in variant.mistakes]
    for readings in (*alone, *_readings(variant.mistakes)):
        if _explain(readings, variant, cases, compare):
            first = _agreeing(readings, variant, cases, compare)
            return Diagnosis(first.name, first.title, first.explanation)
    return None


def _readings(mistakes: Sequence[Mistake]) -> list[tuple[Mistake, ...]]:
    """The mistakes that share a title, title by title."""
    by_title: dict[str, tuple[Mistake, ...]] = {}
    for mistake in mistakes:
        by_title[mistake.title] = (*by_title.get(mistake.title, ()), mistake)
    return [readings for readings in by_title.values() if len(readings) > 1]


def _explain(
    readings: Sequence[Mistake], variant: Variant, cases: Sequence[Case], compare: Compare
) -> bool:
    return all(
        any(_agrees(mistake, variant, case, compare) for mistake in readings)
        for case in cases
        if case.passed or case.seen  # too large to keep: no evidence for or against
    )


def _agreeing(
    readings: Sequence[Mistake], variant: Variant, cases: Sequence[Case], compare: Compare
) -> Mistake:
    """The reading that agrees with the first failure: its words are the nearest."""
    failed = next(case for case in cases if case.seen)
    return next(mistake for mistake in readings if _agrees(mistake, variant, failed, compare))


def _agrees(mistake: Mistake, variant: Variant, case: Case, compare: Compare) -> bool:
    predicted = variant.predict(mistake, case.test)
    agrees = _passes if case.passed else _is_the_same
    return agrees(predicted, variant, case, compare)


def _passes(predicted: Fact | None, variant: Variant, case: Case, compare: Compare) -> bool:
    """Whether the mistake does no harm on a test: a learner who makes it still rounds as asked."""
    if not isinstance(predicted, Returned):
        return False
    if variant.preserve_inputs and not predicted.inputs_unchanged:
        return False
    value = rounded(predicted.value, variant.returns)
    return compare(value, variant.returns, case.contents.answer, variant.tolerance) is None


def _is_the_same(predicted: Fact | None, variant: Variant, case: Case, compare: Compare) -> bool:
    match case.fact, predicted:
        case Returned() as fact, Returned():
            if not any(output.wrong for output in case.outputs):
                # Right numbers: it failed because it changed its inputs.
                return not fact.inputs_unchanged and not predicted.inputs_unchanged
            return _wrong_outputs_equal(predicted.value, variant, case, compare)
        case Raised(type_name=name), Raised(type_name=wider):
            return _is_kind_of(name, wider)
        case Exceeded(limit=limit), Exceeded(limit=other):
            return limit == other
    return isinstance(case.fact, Crashed) and isinstance(predicted, Crashed)


def _wrong_outputs_equal(predicted: Value, variant: Variant, case: Case, compare: Compare) -> bool:
    """Only the outputs that are wrong are looked at. A prediction is unrounded, like an answer."""
    theirs = [value for _, (value,) in split(variant.returns, predicted)]
    if len(theirs) != len(case.outputs):
        return False
    try:
        differ = any(
            output.wrong and compare(output.got, output.contract, other, variant.tolerance)
            for output, other in zip(case.outputs, theirs, strict=True)
        )
    except Misfit:
        return False  # the mistake returns something that no answer could be
    return not differ


def _is_kind_of(name: str, wider: str) -> bool:
    """Whether an exception is the mistake's, or a built-in one derived from it (Exception: any)."""
    if name == wider or wider == "Exception":
        return True
    kind, base = getattr(builtins, name, None), getattr(builtins, wider, None)
    return isinstance(kind, type) and isinstance(base, type) and issubclass(kind, base)
