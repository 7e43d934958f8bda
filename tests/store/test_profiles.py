"""What people chose to show of themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.errors import NotFound
from app.store import Profile, Store
from tests.store.examples import submission
from tests.store.test_progress import accepted, sent

Ask = Callable[[Any], Any]
PROBLEM = submission().problem


def add(store: Store, ask: Ask, *names: str) -> None:
    for name in names:
        ask(store.add_user(name, "learner"))


def test_nothing_is_shown_until_its_owner_says_so(store: Store, ask: Ask) -> None:
    """And nothing any more once they changed their mind."""
    add(store, ask, "Ada")
    assert ask(store.profile(1)) == Profile(public=False, ranked=False)
    with pytest.raises(NotFound):
        ask(store.public_profile("Ada"))
    ask(store.choose_profile(1, Profile(public=True)))
    assert ask(store.public_profile("ADA")).name == "Ada"
    ask(store.choose_profile(1, Profile(ranked=True)))
    assert ask(store.profile(1)) == Profile(ranked=True)
    with pytest.raises(NotFound):
        ask(store.public_profile("Ada"))


def test_only_who_wants_to_be_listed_is_listed(store: Store, ask: Ask) -> None:
    """The quickest first, on this version of the problem only."""
    add(store, ask, "Ada", "Bob", "Eve", "Old")
    for number, (version, time_ms) in enumerate(
        [("v", 20.0), ("v", 10.0), ("v", 5.0), ("older", 1.0)], start=1
    ):
        sent(store, ask, f"s{number}", accepted(version, time_ms), f"user:{number}")
        ask(store.choose_profile(number, Profile(ranked=number != 3)))
    assert [each.name for each in ask(store.ranking(PROBLEM, "v"))] == ["Bob", "Ada"]
    assert ask(store.ranking("another/one", "v")) == ()
