"""Charts as plain geometry, drawn by the templates as SVG. Beside each stands a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.store.statistics import Spread

WIDTH, HEIGHT = 600.0, 120.0
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle, and what it says."""

    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    words: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars over an axis on which every octave is as wide; `rows` say the same as a table."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    rows: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a row that is as long as all pieces."""

    x: float
    width: float
    kind: str
    title: str


def shares(counts: Sequence[tuple[str, str, int]]) -> tuple[Part, ...]:
    """One row of pieces; each is (kind, title, how many)."""
    total = sum(count for _, _, count in counts)
    parts, x = [], 0.0
    for kind, title, count in counts:
        width = WIDTH * count / total if total else 0.0
        parts.append(Part(round(x, 2), round(width, 2), kind, f"{title}: {count}"))
        x += width
    return tuple(part for part in parts if part.width > 0)


def histogram(spread: Spread, amount: Callable[[float], float], unit: str) -> Histogram | None:
    """None where there is nothing to show. `amount` is that of a step."""
    used = [step for step, count in enumerate(spread.counts) if count]
    if not used:
        return None
    low, high = max(0, used[0] - 2), used[-1] + 2
    slot = WIDTH / (high - low + 1)
    most = max(spread.counts)
    bars = tuple(
        Bar(
            x=round((step - low) * slot + slot * 0.08, 2),
            y=round(HEIGHT * (1 - spread.counts[step] / most), 2),
            width=round(slot * 0.84, 2),
            height=round(HEIGHT * spread.counts[step] / most, 2),
            title=f"about {written(amount(step))} {unit}: {spread.counts[step]}",
        )
        for step in used
    )
    every = max(1, (high - low) // _TICKS)
    ticks = tuple(
        Tick(round((step - low + 0.5) * slot, 2), written(amount(step)))
        for step in range(low, high + 1, every)
    )
    rows = tuple((f"{written(amount(step))} {unit}", spread.counts[step]) for step in used)
    return Histogram(bars, ticks, rows)


def written(amount: float) -> str:
    """Two digits are as much as is known."""
    return f"{amount:.2g}" if amount < 10 else f"{float(f'{amount:.2g}'):.0f}"
