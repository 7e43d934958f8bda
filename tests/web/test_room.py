"""Room in the queue: refused where it is full, told again for a moment without being counted again."""

from __future__ import annotations

import pytest

from app.errors import Busy
from app.store import Waiting
from app.web.room import Room

FULL = Waiting(all=9, own=0, trials=1)


def test_where_it_is_full_the_next_hears_the_same_without_counting() -> None:
    here = Room()
    here.check_remembered(trial=False)
    with pytest.raises(Busy, match="8 submissions are waiting") as told:
        here.check(FULL, 8, trial=False)
    with pytest.raises(Busy) as again:
        here.check_remembered(trial=False)
    assert str(again.value) == str(told.value)


def test_the_two_kinds_are_remembered_apart() -> None:
    here = Room()
    with pytest.raises(Busy):
        here.check(FULL, 8, trial=False)
    here.check_remembered(trial=True)
    here.check(FULL, 8, trial=True)


def test_it_is_forgotten_in_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long before whoever was refused comes again."""
    here, clock = Room(), [100.0]
    monkeypatch.setattr("app.web.room.time.monotonic", lambda: clock[0])
    with pytest.raises(Busy):
        here.check(FULL, 8, trial=False)
    clock[0] += 0.2
    here.check_remembered(trial=False)
    here.check(Waiting(all=8, own=0, trials=1), 8, trial=False)
