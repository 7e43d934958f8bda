"""Patterns of value: the answer, but negated, reversed, scaled, or not computed at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from app.contract import Leaf
from app.diagnose.evidence import Case, Output
from app.diagnose.look import Floats, Look, Pattern, each_leaf, numbers_only
from app.form import rounded
from app.model import Diagnosis, Value

# A constant that fits two tests may be chance (both have a norm of 5 and a limit of 1, say).
_TESTS_FOR_A_CONSTANT = 3

# A factor nearer to 1 than that is not told from errors of other kinds.
_NEAR_ONE = 1e-8

_NUMBERS = frozenset((int, float, np.float64, np.float32, np.int64))


def transformed(
    change: Callable[[Floats], Floats], name: str, title: str, explanation: str
) -> Pattern:
    """The pattern of an answer whose every array of numbers was changed in one way."""

    def pattern(look: Look) -> Diagnosis | None:
        if look.explained_by(each_leaf(change), numbers_only):
            return Diagnosis(name, title, explanation)
        return None

    return pattern


def returned_unchanged(look: Look) -> Diagnosis | None:
    for number, argument in enumerate(look.variant.arguments):

        def given(case: Case, output: Output, number: int = number) -> Value:
            return case.contents.arguments[number]

        if not isinstance(argument.contract, Leaf) and look.explained_by(given, numbers_only):
            return Diagnosis(
                "returned_unchanged",
                f"{argument.name} came back unchanged",
                f"On every test that fails, what is returned is `{argument.name}` as it was handed "
                "over. Is the changed copy returned, and is the condition ever true?",
            )
    return None


def in_reverse(look: Look) -> Diagnosis | None:
    def backwards(case: Case, output: Output) -> Value:
        whole = output.want
        return list(reversed(whole)) if isinstance(whole, list | tuple) else whole

    each = each_leaf(lambda numbers: numbers[::-1] if numbers.ndim else numbers)
    if any(look.explained_by(predict, numbers_only) for predict in (backwards, each)):
        return Diagnosis(
            "reversed",
            "The order is reversed",
            "The right numbers, last one first. `insert(0, ...)`, popping from the end and loops "
            "over `reversed(...)` are the usual causes.",
        )
    return None


def rearranged(look: Look) -> Diagnosis | None:
    """The right numbers in another shape, or in another order."""
    if not look.in_form():
        return None
    wrong = [output for _, output in look.outputs() if output.wrong]
    if all(_has_other_shape(output) and _same_numbers(look, output, False) for output in wrong):
        return Diagnosis(
            "reshaped",
            "Right numbers in the wrong shape",
            "Every number is right and in order, but the arrays or lists that hold them have "
            "another shape than the statement asks for: flattened, nested once more, or with an "
            "axis of length 1.",
        )
    if all(_same_numbers(look, o, True) and not _same_numbers(look, o, False) for o in wrong):
        return Diagnosis(
            "permuted",
            "Right numbers in the wrong order",
            "The numbers are all there, but in another order: sorted, shuffled, or taken along "
            "another axis.",
        )
    return None


def _has_other_shape(output: Output) -> bool:
    """Other lengths or another nesting; neither another type of number nor other keys are a shape."""
    return _nesting(output.got) != _nesting(output.want)


def _nesting(value: Value) -> tuple[object, ...]:
    """The shape of an array; for containers as well, where all that they hold has one shape."""
    if isinstance(value, np.ndarray):
        return (*value.shape,)
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list | tuple):
        return ()
    if _NUMBERS.issuperset(map(type, value)):  # the common case, which may be long
        return (len(value),)
    within = tuple(map(_nesting, value))
    return (len(value), *within[0]) if len(set(within)) == 1 else within


def _same_numbers(look: Look, output: Output, in_any_order: bool) -> bool:
    got, want = _flat(output.got), _flat(rounded(output.want, output.contract))
    if got is None or want is None:
        return False
    if in_any_order:
        got, want = np.sort(got), np.sort(want)
    return look.fits(got, Leaf("array_like"), want)


def _flat(value: Value) -> Floats | None:
    """All numbers of a value in order; None if it holds anything else, or too large a number."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list | tuple):
        value = [value]
    if not _NUMBERS.issuperset(map(type, value)):
        parts = [_flat_array(item) for item in value]
        known = [part for part in parts if part is not None]
        return np.concatenate([np.empty(0), *known]) if len(known) == len(parts) else None
    try:
        return np.array(value, dtype=np.float64)
    except OverflowError:
        return None


def _flat_array(value: Value) -> Floats | None:
    if isinstance(value, np.ndarray | np.generic):
        return value.astype(np.float64).ravel() if value.dtype.kind in "fiu" else None
    nested = isinstance(value, list | tuple | dict) or type(value) in _NUMBERS
    return _flat(value) if nested else None


def times_a_constant(look: Look) -> Diagnosis | None:
    wrong = [(case, output) for case, output in look.outputs() if output.wrong]
    if len({case.test.name for case, _ in wrong}) < _TESTS_FOR_A_CONSTANT:
        return None
    constant = _ratio([output for _, output in wrong])
    if constant is None:
        return None
    if not look.explained_by(each_leaf(lambda numbers: numbers * constant), numbers_only):
        return None
    # The one that is named is read off a sample: that of a secret test could spell its input.
    seen = _ratio([output for case, output in wrong if case.test.sample])
    named = "" if seen is None else f" ({_factor_written(seen)})"
    return Diagnosis(
        "times_a_constant",
        f"Off by a constant factor{named}",
        "Every wrong number is the right one times the same constant, on every test. Look for a "
        "factor that is missing or one too many: a 2, a mean in place of a sum, a unit.",
    )


def _factor_written(constant: float) -> str:
    """In six digits; a factor that would look like 1 by its distance from 1."""
    written, off = f"{constant:.6g}", f"{constant - 1:+.2g}"
    return f"1 {off[0]} {off[1:]}" if written == "1" else written


def _ratio(wrong: Sequence[Output]) -> float | None:
    """The factor between the largest numbers, which tell it best; None if there is none."""
    found: list[tuple[float, float]] = []
    for output in wrong:
        got, want = _flat(output.got), _flat(output.want)
        if got is None or want is None or got.shape != want.shape or not np.any(want):
            return None
        sizes = np.abs(want)
        place = np.argmax(sizes)
        if np.isfinite(got[place]) and got[place]:
            found.append((sizes[place], got[place] / want[place]))
    if not found:
        return None
    _, ratio = max(found)
    if abs(ratio - 1) < _NEAR_ONE:
        return None
    return ratio
