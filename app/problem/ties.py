"""Answers that lie on a rounding tie: both neighbours are right there, and a test should say so."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from app.contract import Contract
from app.form import Pair, align
from app.model import Value

TIE_LABEL = "rounding tie"
_HALF = Fraction(1, 2)


def ties(contract: Contract, answer: Value) -> Iterator[float]:
    """The numbers of an answer that are within one ulp of a tie, on leaves that ask for rounding."""
    for found in align(answer, contract, answer):
        if isinstance(found, Pair) and found.leaf.round is not None:
            for number in np.asarray(found.want).ravel().tolist():
                if isinstance(number, float) and on_tie(number, found.leaf.round):
                    yield number


def on_tie(number: float, places: int) -> bool:
    """Whether `number` is half way between two numbers of `places` decimals, to one ulp."""
    if not np.isfinite(number):
        return False
    scaled = Fraction(number) * 10**places
    # Where the ulp is as wide as the grid, there is no half way to speak of.
    slack = Fraction(float(np.spacing(abs(number)))) * 10**places
    return bool(slack < _HALF / 4 and abs(scaled % 1 - _HALF) <= slack)
