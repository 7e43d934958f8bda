"""How far apart two values of a variant's form are, in units of what is allowed there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from app.closeness import allowed_for
from app.compare import compare
from app.form import Pair, align
from app.model import Fact, Returned, TestCase, Value, Variant


def passes(variant: Variant, test: TestCase, fact: Fact) -> bool:
    """Whether a program that did this would pass the test."""
    if not isinstance(fact, Returned):
        return False
    if variant.preserve_inputs and not fact.inputs_unchanged:
        return False
    answer = test.contents().answer
    return compare(fact.value, variant.returns, answer, variant.tolerance) is None


def worst_ratio(variant: Variant, value: Value, answer: Value, *, guards: bool = False) -> float:
    """The largest error of a value in the right form, as a share of the allowed error.

    Leaves that ask for rounding are left out, since correct rounding uses the whole half unit;
    with `guards` they are held, unrounded, against their guard instead.
    """
    return max(_ratios(variant, value, answer, guards), default=0.0)


def _ratios(variant: Variant, value: Value, answer: Value, guards: bool) -> Iterator[float]:
    for found in align(value, variant.returns, answer):
        if not isinstance(found, Pair):
            yield math.inf
        elif found.leaf.round is None:
            allowed = allowed_for(found.leaf, variant.tolerance)
            yield _largest(found.got, found.want, allowed.rtol, float(allowed.atol))
        elif guards:
            yield _largest(found.got, found.want, found.leaf.guard, 0.0)


def _largest(got: Any, want: Any, rtol: float, atol: float) -> float:
    """The largest |got - want| / (atol + rtol*|want|); 0/0 is 0, and NaN equals NaN."""
    one, two = (np.asarray(a, dtype=np.float64).ravel() for a in (got, want))
    if not one.size:
        return 0.0
    with np.errstate(all="ignore"):
        error = np.abs(one - two)
        error[(one == two) | (np.isnan(one) & np.isnan(two))] = 0.0
        ratio = error / (atol + rtol * np.abs(two))
    ratio[error == 0.0] = 0.0
    ratio[np.isnan(ratio)] = math.inf
    return float(ratio.max())


def ulps_apart(one: Value, other: Value) -> float:
    """The largest distance of two values of the same form in units of the last place; else infinity.

    Exact: decided with fractions. Types may differ between a number and a NumPy scalar.
    """
    match one, other:
        case (np.ndarray(), np.ndarray()):
            if one.shape != other.shape:
                return math.inf
            if np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"):
                return 0.0
            return max(map(ulps_apart, one.ravel().tolist(), other.ravel().tolist()), default=0.0)
        case (dict(), dict()) if list(one) == list(other):
            return max((ulps_apart(one[key], other[key]) for key in one), default=0.0)
        case (list() | tuple(), list() | tuple()) if len(one) == len(other):
            return max(map(ulps_apart, one, other), default=0.0)
        case (np.generic() | np.ndarray(), _) | (_, np.generic() | np.ndarray()):
            return ulps_apart(_plain(one), _plain(other))
        case (float(), float()):
            if one == other or (math.isnan(one) and math.isnan(other)):
                return 0.0
            if not (math.isfinite(one) and math.isfinite(other)):
                return math.inf
            return float(abs(Fraction(one) - Fraction(other)) / Fraction(math.ulp(other)))
        case _:
            return 0.0 if type(one) is type(other) and one == other else math.inf


def _plain(value: Value) -> Value:
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    return value.tolist() if isinstance(value, np.ndarray) else value
