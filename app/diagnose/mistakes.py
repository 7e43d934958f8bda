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
    """The first of the variant's mistakes that explains every failure and predicts no other."""
    for mistake in variant.mistakes:
        if _explains(mistake, variant, cases, compare):
            return Diagnosis(mistake.name, mistake.title, mistake.explanation)
    return None


def _explains(mistake: Mistake, variant: Variant, cases: Sequence[Case], compare: Compare) -> bool:
    for case in cases:
        if not case.passed and not case.seen:
            continue  # too large to keep: no evidence for or against
        predicted = variant.predict(mistake, case.test)
        if predicted is None:
            return False
        agrees = _passes if case.passed else _is_the_same
        if not agrees(predicted, variant, case, compare):
            return False
    return True


def _passes(predicted: Fact, variant: Variant, case: Case, compare: Compare) -> bool:
    """Whether the mistake does no harm on a test: a learner who makes it still rounds as asked."""
    if not isinstance(predicted, Returned):
        return False
    if variant.preserve_inputs and not predicted.inputs_unchanged:
        return False
    value = rounded(predicted.value, variant.returns)
    return compare(value, variant.returns, case.contents.answer, variant.tolerance) is None


def _is_the_same(predicted: Fact, variant: Variant, case: Case, compare: Compare) -> bool:
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
        case Crashed(), Crashed():
            return True
        case _:
            return False


def _wrong_outputs_equal(predicted: Value, variant: Variant, case: Case, compare: Compare) -> bool:
    """Only the outputs that are wrong are looked at. A prediction is unrounded, like an answer."""
    theirs = [values[0] for _, values in split(variant.returns, predicted)]
    if len(theirs) != len(case.outputs):
        return False
    try:
        return not any(
            output.wrong and compare(output.got, output.contract, other, variant.tolerance)
            for output, other in zip(case.outputs, theirs, strict=True)
        )
    except Misfit:
        return False  # the mistake returns something that no answer could be


def _is_kind_of(name: str, wider: str) -> bool:
    """Whether an exception is the mistake's, or a built-in one derived from it (Exception: any)."""
    if name == wider or wider == "Exception":
        return True
    kind, base = getattr(builtins, name, None), getattr(builtins, wider, None)
    return isinstance(kind, type) and isinstance(base, type) and issubclass(kind, base)
