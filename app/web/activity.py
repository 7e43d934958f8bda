"""A year of days as a small calendar, and the same in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from app.web.record import YEAR_DAYS
from app.web.results import spoken

CELL = 12  # width and height of a day, with the gap
# From so many submissions on, a day is drawn stronger.
_LEVELS = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class Day:
    x: int
    y: int
    level: int  # 0: nothing was submitted, 4: most
    title: str


@dataclass(frozen=True, slots=True)
class Month:
    name: str
    days: int
    submissions: int


@dataclass(frozen=True, slots=True)
class Calendar:
    """Columns are weeks from Monday, the last one is this week. `labels` stand over columns."""

    width: int
    days: tuple[Day, ...]
    labels: tuple[tuple[int, str], ...]
    months: tuple[Month, ...]  # those in which something was submitted, newest first
    summary: str


def calendar(days: Mapping[date, int], today: date) -> Calendar:
    """The last 53 weeks, up to today."""
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(days=YEAR_DAYS - 7)
    shown = [first + timedelta(days=n) for n in range((today - first).days + 1)]
    mondays = shown[::7]
    return Calendar(
        width=len(mondays) * CELL,
        days=tuple(
            Day((n // 7) * CELL, (n % 7) * CELL, _level(days.get(day, 0)), _title(day, days))
            for n, day in enumerate(shown)
        ),
        labels=tuple(
            (n * CELL, day.strftime("%b"))
            for n, day in enumerate(mondays)
            if day.day <= 7 and n < len(mondays) - 2
        ),
        months=_months({day: count for day, count in days.items() if first <= day <= today}),
        summary=_summary({day: count for day, count in days.items() if first <= day <= today}),
    )


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _level(count: int) -> int:
    return sum(count >= least for least in _LEVELS)


def _title(day: date, days: Mapping[date, int]) -> str:
    return f"{spoken(day)}: {counted(days.get(day, 0), 'submission')}"


def _months(days: Mapping[date, int]) -> tuple[Month, ...]:
    found: dict[date, list[int]] = {}
    for day, count in days.items():
        found.setdefault(day.replace(day=1), []).append(count)
    return tuple(
        Month(first.strftime("%B %Y"), len(found[first]), sum(found[first]))
        for first in sorted(found, reverse=True)
    )


def _summary(days: Mapping[date, int]) -> str:
    if not days:
        return "Nothing was submitted in the last year."
    best = max(days, key=lambda day: (days[day], day))
    return (
        f"{counted(sum(days.values()), 'submission')} on {counted(len(days), 'day')} of the last year; "
        f"most on {spoken(best)} ({days[best]})."
    )
