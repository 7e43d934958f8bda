"""Does something grow? A straight line through samples, and how sure its slope is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slope:
    """First and last value, and growth a minute with its standard error."""

    first: float
    last: float
    a_minute: float
    error: float

    @property
    def flat(self) -> bool:
        """It does not grow: within noise, or by less than a hundredth of the value in ten minutes."""
        return self.a_minute <= max(3 * self.error, abs(self.last) * 0.001)


def slope(times_s: Sequence[float], values: Sequence[float]) -> Slope:
    """By least squares; `times_s` and `values` are of one length, at least 3."""
    count = len(times_s)
    minutes = [time_s / 60 for time_s in times_s]
    middle, mean = sum(minutes) / count, sum(values) / count
    spread = sum((one - middle) ** 2 for one in minutes)
    pairs = list(zip(minutes, values, strict=True))
    growth = sum((x - middle) * (y - mean) for x, y in pairs) / spread
    rest = sum((y - mean - growth * (x - middle)) ** 2 for x, y in pairs)
    error = math.sqrt(rest / (count - 2) / spread) if count > 2 else math.inf
    return Slope(values[0], values[-1], growth, error)
