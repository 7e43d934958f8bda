"""Accounts and tokens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.errors import Invalid, NotFound
from app.store import Owner, Store, open_store
from app.store.tests import NewTests
from tests.store.conftest import Place

Ask = Callable[[Any], Any]


def test_a_token_tells_whose_it_is_and_what_it_may_do(store: Store, ask: Ask) -> None:
    """The owner's name and role, and the token's scopes."""
    ask(store.add_user("Ada", "admin"))
    ask(store.add_token("Ada", "laptop", "secret-token", {"admin", "read"}))
    expected = Owner(1, "Ada", "admin", frozenset({"admin", "read"}), token=1)
    assert ask(store.token_owner("secret-token")) == expected
    assert ask(store.token_owner("secret-token")) == expected


@pytest.mark.parametrize("token", ["", "secret-tokeN", "secret-token ", "\ud800", "x" * 100_000])
def test_any_other_token_has_no_owner(store: Store, ask: Ask, token: str) -> None:
    """Whatever a client sends as a token, it is at worst unknown."""
    ask(store.add_user("Ada", "admin"))
    ask(store.add_token("Ada", "laptop", "secret-token", {"admin"}))
    assert ask(store.token_owner(token)) is None


def test_a_revoked_token_has_no_owner(store: Store, ask: Ask) -> None:
    """Revoking is at once and for good; other tokens stay."""
    ask(store.add_user("Ada", "admin"))
    ask(store.add_token("Ada", "laptop", "first-token", {"admin"}))
    ask(store.add_token("Ada", "phone", "other-token", {"admin"}))
    assert ask(store.revoke_tokens("Ada", "laptop")) == 1
    assert ask(store.token_owner("first-token")) is None
    assert ask(store.token_owner("other-token")) is not None


def test_all_tokens_of_a_user_can_be_revoked_at_once(store: Store, ask: Ask) -> None:
    """After a theft nobody remembers names; other people's tokens stay."""
    for name in ("Ada", "Bob"):
        ask(store.add_user(name, "admin"))
        ask(store.add_token(name, "laptop", f"{name}-first", {"admin"}))
        ask(store.add_token(name, "phone", f"{name}-second", {"admin"}))
    assert ask(store.revoke_tokens("Ada")) == 2
    assert ask(store.revoke_tokens("Ada")) == 0
    assert ask(store.token_owner("Ada-second")) is None
    assert ask(store.token_owner("Bob-second")) is not None
    with pytest.raises(NotFound, match="Eve"):
        ask(store.revoke_tokens("Eve"))


def test_the_token_itself_is_in_no_file(ask: Ask, database: Path) -> None:
    """Who steals the database cannot use the tokens in it."""
    store = open_store(database)
    ask(store.add_user("Ada", "admin"))
    ask(store.add_token("Ada", "laptop", "secret-token-in-plain", {"admin"}))
    for file in database.parent.iterdir():
        assert b"secret-token-in-plain" not in file.read_bytes()
    ask(store.close())


@pytest.mark.parametrize("other", ["Ada", "ADA", "\uff21da"], ids=["same", "case", "full width"])
def test_two_names_that_look_alike_are_one(store: Store, ask: Ask, other: str) -> None:
    """Nobody can pass for somebody else by spelling a name differently."""
    ask(store.add_user("Ada", "admin"))
    with pytest.raises(Invalid, match="already"):
        ask(store.add_user(other, "learner"))


def test_a_token_needs_an_account(store: Store, ask: Ask) -> None:
    """A mistyped name is told, and nothing is stored."""
    with pytest.raises(NotFound, match="Bob"):
        ask(store.add_token("Bob", "laptop", "secret-token", {"read"}))


def test_who_did_what_is_on_record(store: Store, ask: Ask, place: Place) -> None:
    """The audit names person, action and subject, in order."""
    ask(store.add_user("Ada", "admin"))
    ask(store.add_token("Ada", "laptop", "secret-token", {"admin"}))
    ask(store.add_test_version(NewTests("family", "", "abc", "[]", "Ada", "added one")))
    rows = place.sql("SELECT who, action, subject FROM audit ORDER BY number")
    assert rows == [
        ("Ada", "add user", "Ada"),
        ("Ada", "add token", "laptop"),
        ("Ada", "change tests", "family"),
    ]
