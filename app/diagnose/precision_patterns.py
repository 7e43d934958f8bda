"""Patterns of precision: rounded too little or too much, cut off, or computed in float32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from app.contract import Contract, Leaf
from app.diagnose.evidence import Case, Output
from app.diagnose.look import Floats, Look, each_leaf, numbers_only, unrounded
from app.form import align, rounded, with_leaves
from app.model import Diagnosis, Mismatch, Value

_MOST_PLACES = 12


def not_rounded(look: Look) -> Diagnosis | None:
    def exact(contract: Contract) -> Contract:
        return with_leaves(unrounded(contract), lambda leaf: replace(leaf, rtol=1e-10))

    def answer(case: Case, output: Output) -> Value:
        return output.want

    if not look.explained_by(answer, exact, returned=answer):
        return None
    return Diagnosis(
        "not_rounded",
        "The result was not rounded",
        "The numbers are right, but the statement asks for a fixed number of decimal places. Round "
        "what you return, at the very end: `round(x, places)`.",
    )


def rounded_elsewhere(look: Look) -> Diagnosis | None:
    for places in range(_MOST_PLACES + 1):

        def to_places(contract: Contract, places: int = places) -> Contract:
            return with_leaves(
                numbers_only(contract), lambda leaf: replace(leaf, round=places, guard=1e-9)
            )

        def answer(case: Case, output: Output) -> Value:
            return output.want

        def returned(case: Case, output: Output, places: int = places) -> Value:
            contract = with_leaves(output.contract, lambda leaf: replace(leaf, round=places))
            return rounded(output.want, contract)

        if look.explained_by(answer, to_places, returned):
            named = f" to {places} place{'' if places == 1 else 's'}" if look.sample_failed else ""
            return Diagnosis(
                "rounded_elsewhere",
                f"The result was rounded{named}, which is not what is asked for",
                "Rounding to fewer places than asked for, or where no rounding is asked for, loses "
                "digits that are checked. Compute with full precision, and round only what the "
                "statement says, to the places that it says.",
            )
    return None


def truncated(look: Look) -> Diagnosis | None:
    for cut in (np.trunc, np.floor):
        if look.explained_by(each_leaf(cut), unrounded):
            break
    else:
        if not _truncated_where_integers(look):
            return None
    return Diagnosis(
        "truncated",
        "The decimals were cut off",
        "The results are whole numbers where they should not be. `int(x)`, `//` and arrays of "
        "integers (also one made by `zeros_like` of integers) drop everything after the point: "
        "convert to float before you compute.",
    )


def _truncated_where_integers(look: Look) -> bool:
    """Cut off only on tests whose arguments hold whole numbers: an array of integers was reused."""
    if not look.in_form() or not all(
        _has_integers(case.contents.arguments) for case in look.failed
    ):
        return False
    wrong = (output for _, output in look.outputs() if output.wrong)
    return all(_leaves_fit(look, output, np.trunc) for output in wrong)


def _leaves_fit(look: Look, output: Output, change: Callable[[Floats], Floats]) -> bool:
    """Whether every leaf is either right or the changed answer, and one is the changed."""
    changed = False
    for pair in align(output.got, unrounded(output.contract), output.want):
        if isinstance(pair, Mismatch) or pair.want.dtype == object:
            return False
        leaf = Leaf("array_like")
        if look.fits(pair.got, leaf, pair.want):
            continue
        if not look.fits(pair.got, leaf, change(pair.want.astype(np.float64))):
            return False
        changed = True
    return changed


def _has_integers(value: Value) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iu"
    if isinstance(value, dict):
        return any(map(_has_integers, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_integers, value))
    return isinstance(value, int)


def single_precision(look: Look) -> Diagnosis | None:
    if not look.in_form():
        return None
    errors: list[Floats] = []
    on_grid = True
    for case, output in look.outputs():
        if not output.wrong or _is_extreme(case.contents.arguments):
            continue
        numbers = _numbers(output)
        if numbers is None:
            return None
        got, want = numbers
        if not np.all(np.abs(got - want) <= 1e-6 * np.abs(want)):
            return None
        off = got != want
        errors.append((got[off] - want[off]) / want[off])
        on_grid = on_grid and np.array_equal(got, got.astype(np.float32))
    if not _looks_single(errors, on_grid):
        return None
    return Diagnosis(
        "single_precision",
        "Computed in single precision",
        "The results agree to about seven digits and then drift: somewhere an array or a number is "
        "float32. NumPy and Python compute in float64 unless told otherwise; do not convert.",
    )


def _numbers(output: Output) -> tuple[Floats, Floats] | None:
    """All numbers of an output, returned and expected; None if it is not in its form."""
    got, want = [np.empty(0)], [np.empty(0)]
    for pair in align(output.got, unrounded(output.contract), output.want):
        if isinstance(pair, Mismatch) or object in (pair.got.dtype, pair.want.dtype):
            return None
        got.append(pair.got.astype(np.float64).ravel())
        want.append(pair.want.astype(np.float64).ravel())
    return np.concatenate(got), np.concatenate(want)


def _looks_single(errors: Sequence[Floats], on_grid: bool) -> bool:
    """Errors of a float32's size: all results are float32s, or the errors point both ways.

    A small constant that was added errs to one side only.
    """
    worst = [np.max(np.abs(some)) for some in errors if some.size]
    if len(worst) < 2 or min(worst) < 1e-9:
        return False
    signs = set(np.sign(np.concatenate(errors)))
    return on_grid or (len(worst) >= 4 and len(signs) == 2)


def _is_extreme(value: Value) -> bool | np.bool_:
    """Whether a square of the numbers is beyond single precision, which then gives anything."""
    if isinstance(value, dict):
        return any(map(_is_extreme, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_is_extreme, value))
    sizes: Floats | float
    if isinstance(value, np.ndarray | np.integer | np.floating):
        sizes = np.abs(value.astype(np.float64))
    elif isinstance(value, int | float):
        sizes = abs(value)
    else:
        return False
    return np.any((sizes > 1e18) | ((sizes < 1e-18) & (sizes > 0)))
