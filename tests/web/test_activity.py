"""A year of days, drawn and in words."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from app.web.activity import CELL, calendar

TODAY = date(2026, 3, 4)  # a Wednesday


def test_the_calendar_ends_today_and_begins_a_year_before_on_a_monday() -> None:
    """53 columns of weeks; the days of this week that are still to come are not drawn."""
    made = calendar({}, TODAY)
    assert made.width == 53 * CELL
    assert len(made.days) == 52 * 7 + 3
    last = made.days[-1]
    assert (last.x, last.y) == (52 * CELL, 2 * CELL)
    assert last.title == "4 March 2026: 0 submissions"


@pytest.mark.parametrize(
    ("count", "level"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (8, 4), (99, 4)]
)
def test_a_day_with_more_is_drawn_stronger(count: int, level: int) -> None:
    """In four steps."""
    made = calendar({TODAY: count} if count else {}, TODAY)
    assert made.days[-1].level == level


def test_the_same_is_said_in_words() -> None:
    """For who does not see the drawing: in a sentence, and by month."""
    days = {TODAY: 1, TODAY - timedelta(days=3): 5, TODAY - timedelta(days=4): 5}
    days |= {TODAY - timedelta(days=600): 7}
    made = calendar(days, TODAY)
    assert made.summary == "11 submissions on 3 days of the last year; most on 1 March 2026 (5)."
    assert [(month.name, month.days, month.submissions) for month in made.months] == [
        ("March 2026", 2, 6),
        ("February 2026", 1, 5),
    ]
    assert calendar({}, TODAY).summary == "Nothing was submitted in the last year."
