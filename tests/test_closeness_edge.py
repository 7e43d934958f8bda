"""At the very edge of what is allowed: exact where float64 is not, and quick everywhere else."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from app import closeness
from app.closeness import Allowed, examine, on_grid

LARGEST = sys.float_info.max
STEPS = range(-3, 4)


def _float(chosen: random.Random, exponent: int) -> float:
    """A number of that size, with few digits or all, down to the subnormal ones."""
    digits = chosen.choice((2, 10, 53))
    sign = chosen.choice((-1, 1))
    return sign * math.ldexp(chosen.randrange(1, 2**digits), exponent - digits)


def _near(number: Fraction) -> list[float]:
    """The floats around a number, as far as there are any."""
    try:
        middle = float(number)
    except OverflowError:
        middle = LARGEST if number > 0 else -LARGEST
    found = []
    for step in STEPS:
        one = middle
        for _ in range(abs(step)):
            one = math.nextafter(one, math.copysign(math.inf, step))
        found.append(one)
    return [one for one in found if math.isfinite(one)]


def _bound(want: float, got: float, allowed: Allowed) -> Fraction:
    bound = allowed.atol + Fraction(allowed.rtol) * abs(Fraction(want))
    if allowed.places is not None:
        bound += Fraction(math.ulp(max(abs(got), abs(want))))
    return bound


def _around_the_edge(wants: list[Any], allowed: Allowed) -> list[tuple[float, Any]]:
    """What may be returned for each answer within a few floats of the edge, on both sides."""
    pairs = []
    for want in wants:
        for bound in (_bound(want, want, allowed), -_bound(want, want, allowed)):
            pairs += [(got, want) for got in _near(Fraction(want) + bound)]
    return pairs


def _decided(pairs: list[tuple[Any, Any]], got: Any, want: Any, allowed: Allowed) -> None:
    """Each pair as fractions say."""
    refused = [
        place
        for place, (one, other) in enumerate(pairs)
        if abs(Fraction(one) - Fraction(other)) > _bound(other, one, allowed)
    ]
    found = examine(
        np.array([one for one, _ in pairs], got),
        np.array([other for _, other in pairs], want),
        allowed,
    ).value
    assert (found.count, found.first) == (len(refused), refused[:5])


SIZES = [-1080, -1074, -1050, -1023, -1021, -990, -200, -3, 0, 1, 60, 900, 1022, 1024]


@pytest.mark.parametrize("tight", [1023, 1000, 60, 30, 3, 0, -1])
def test_the_edge_is_exact_for_numbers_of_every_size(tight: int) -> None:
    """Whether the allowed error is a share of the answer, a number, or a sum of both alike."""
    chosen = random.Random(tight)
    for size in SIZES:
        rtol = abs(_float(chosen, -tight))
        atol = Fraction(abs(_float(chosen, min(max(size - tight, -1074), 1024))))
        wants = [_float(chosen, size) for _ in range(3)] + [LARGEST] * (size == 1024)
        for bounds in ((rtol, Fraction(0)), (0.0, atol), (rtol, atol)):
            allowed = Allowed(*bounds)
            _decided(_around_the_edge(wants, allowed), float, float, allowed)


def test_where_several_roundings_meet_the_edge_is_still_exact() -> None:
    """A share of the answer plus a number, neither of few digits: float64 is often wrong here."""
    chosen = random.Random(7)
    for _ in range(40):
        allowed = Allowed(abs(_float(chosen, 0)), Fraction(abs(_float(chosen, 1))))
        wants = [_float(chosen, 1) for _ in range(4)]
        _decided(_around_the_edge(wants, allowed), float, float, allowed)


def test_a_bound_that_float64_rounds_to_infinity_is_still_a_bound() -> None:
    """Where the error is as large as a float64 can be and yet larger than what is allowed."""
    unit = math.ulp(LARGEST)
    want = 0.3 * unit
    for rtol in np.arange(2.1e16, 2.1e16 + 400, 4).tolist():
        share = Fraction(rtol) * Fraction(want) / Fraction(unit)
        atol = Fraction(LARGEST) - (math.floor(share) + Fraction(1, 2)) * Fraction(unit)
        assert float(atol) == atol
        _decided([(-LARGEST, want), (LARGEST, -want)], float, float, Allowed(rtol, atol))


@pytest.mark.parametrize("places", [-300, -9, -1, 0, 7, 20, 300])
@pytest.mark.parametrize("guard", [0.0, 1e-12, 0.1])
def test_the_edge_of_rounding_is_exact_for_numbers_of_every_size(places: int, guard: float) -> None:
    """Half a unit, the guard and one ulp, also where there is nothing larger than an ulp."""
    chosen = random.Random(places * 10 + int(guard > 0))
    allowed = Allowed(guard, Fraction(10) ** -places / 2, places)
    unit = round(-places * math.log2(10))
    sizes = [size for size in (-1074, unit, unit + 10, unit + 40, 1022, 1024) if size <= 1024]
    wants = [_float(chosen, size) for size in sizes for _ in range(4)]
    _decided(_around_the_edge([*wants, LARGEST], allowed), float, float, allowed)


LONG = [2**53 + 1, 2**54 + 1, 2**54 + 3, 2**62 - 1, 2**63 - 1, 2**63 - 513, -(2**63), 1 - 2**60]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, np.bool_])
def test_an_integer_is_itself_beside_any_other_type(dtype: Any) -> None:
    """Float64 holds no odd integer beyond 2^53: no digit is lost on either side."""
    numbers = [*LONG, 0, 1, -1, 5, 2047, 2048, -2049, 10**9 + 7]
    near = [0, 0.1, 1, 2.5, 127, 255, 2**20 + 0.5, -1]
    for rtol, atol in product((0.0, 0.5), (0, 3, 511)):
        pairs = []
        for number in numbers:
            bound = Fraction(rtol) * abs(number) + atol
            edges = [float(number + sign * bound + step) for sign in (1, -1) for step in (-1, 0, 1)]
            with np.errstate(all="ignore"):
                others = np.array(edges + near).astype(dtype).tolist()
            pairs += [(other, number) for other in others]
        allowed = Allowed(rtol, Fraction(atol))
        _decided(pairs, dtype, np.int64, allowed)
        _decided([(number, other) for other, number in pairs], np.int64, dtype, allowed)


@pytest.mark.parametrize("places", [-9, -3, 0])
@pytest.mark.parametrize("guard", [0.0, 1e-12, 0.1])
def test_the_edge_of_rounding_is_exact_for_integers(places: int, guard: float) -> None:
    """Their ulp is that of the float64 nearest to them, also for the most negative one."""
    allowed = Allowed(guard, Fraction(10) ** -places / 2, places)
    beside = _around_the_edge([*LONG, 7, -70, -12345], allowed)
    _decided(beside, float, np.int64, allowed)
    _decided([(want, got) for got, want in beside], np.int64, float, allowed)
    whole = [(int(got), want) for got, want in beside if abs(got) < 2**63]
    _decided(whole, np.int64, np.int64, allowed)


def _counted(monkeypatch: pytest.MonkeyPatch, name: str, size: Callable[..., int]) -> list[int]:
    """Notes how much a function of the module gets, each time that it is called."""
    seen: list[int] = []
    function = getattr(closeness, name)

    def counted(*arguments: Any) -> Any:
        seen.append(size(*arguments))
        return function(*arguments)

    monkeypatch.setattr(closeness, name, counted)
    return seen


MANY = np.arange(-3.0, 5.0, 1 / 128)


@pytest.mark.parametrize(
    ("got", "want", "rtol", "atol"),
    [
        (MANY, MANY, 0.0, 0.0),
        (MANY * 1.24, MANY, 0.25, 0.0),
        (MANY + 0.24, MANY, 0.0, 0.25),
        (MANY * 1.24 + 0.24, MANY, 0.25, 0.25),
        (np.arange(1000), np.arange(1000), 0.0, 0.0),
        (np.arange(1000), np.arange(1000.0), 0.0, 0.0),
        (np.array([2**70, 5], object), np.array([2**70, 5], object), 0.0, 0.0),
    ],
)
def test_what_is_clearly_right_needs_no_second_look(
    got: Any, want: Any, rtol: float, atol: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nearly all numbers of nearly all programs are equal to the answer or well inside."""
    looks = _counted(monkeypatch, "_settled", lambda got, want, error, rest, _: rest.size)
    assert examine(got, want, Allowed(rtol, Fraction(atol))).value.count == 0
    assert sum(looks) == 0


@pytest.mark.parametrize("off", [0, 1, 100])
def test_only_at_the_very_edge_fractions_decide(off: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fraction costs a thousand times what float64 does: it is for a few ulps around the edge."""
    exact = _counted(monkeypatch, "Fraction", lambda *_: 1)
    want = np.linspace(1.0, 2.0, 500)
    allowed = Allowed(0.5, Fraction(1, 4))
    exact.clear()
    bound = want * 0.5 + 0.25
    for got in (want + bound * (1 + off * 2.0**-52), want - bound * (1 - off * 2.0**-52)):
        examine(got, want, allowed)
    assert bool(exact) == (off < 100)


def test_an_ulp_of_a_number_is_no_edge_where_nothing_is_rounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may be much of a narrow tolerance, and then all that is just outside would cost fractions."""
    allowed = Allowed(0.0, Fraction(1, 4))
    exact = _counted(monkeypatch, "Fraction", lambda *_: 1)
    want = 2.0**20
    assert examine(np.array([want + 0.25 + 2.0**-32]), np.array([want]), allowed).value.count == 1
    assert not exact
    rounded = Allowed(1e-12, Fraction(1, 200), places=2)
    exact.clear()
    assert examine(np.array([1.5]), np.array([1.25]), rounded).value.count == 1
    assert not exact


def test_the_largest_number_has_an_ulp_too() -> None:
    """It is no more on every grid than others."""
    assert not on_grid(np.array([LARGEST, -LARGEST, LARGEST / 2]), -300).any()


def test_beyond_the_budget_a_rounded_number_may_be_an_ulp_outside_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As float64 has it; no fraction decides."""
    monkeypatch.setattr(closeness, "_Decisions", partial(closeness._Decisions, left=0))
    want = np.array([1.245, 1.245, 1.245, -7.0, 1.0])
    got = np.array([1.25, 1.24, 1.26, -8.0, LARGEST])
    assert examine(got, want, Allowed(0.0, Fraction(1, 200), 2)).value.first == [2, 3, 4]


def test_fractions_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for all numbers of a leaf; beyond it float64 has its word."""
    budget = 17
    monkeypatch.setattr(closeness, "_CHUNK", 10)
    monkeypatch.setattr(closeness, "_Decisions", partial(closeness._Decisions, left=budget))
    exact = _counted(monkeypatch, "Fraction", lambda *_: 1)
    costs = []
    for edges in (1, budget, budget + 1, 3 * budget):
        exact.clear()
        want = np.ones(100)
        assert (
            examine(
                want + 0.5 * (np.arange(100) < edges), want, Allowed(0.5, Fraction(0))
            ).value.count
            == 0
        )
        costs.append(len(exact))
    assert costs[1] == budget * costs[0]
    assert costs[1:] == costs[1:2] * 3
