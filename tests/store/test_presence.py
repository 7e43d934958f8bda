"""How many people have a page open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.store import Store
from app.store.submissions import now_ms

Ask = Callable[[Any], Any]


def test_each_person_counts_once(store: Store, ask: Ask) -> None:
    """However many tabs tell that they are open."""
    assert [ask(store.seen("a/b", who)) for who in ("guest:1", "guest:1", "user:1")] == [1, 1, 2]
    assert ask(store.present("a/b")) == 2
    assert ask(store.present("a/c")) == 0


def test_who_closes_the_page_is_gone_at_once(store: Store, ask: Ask) -> None:
    """Nobody has to wait until they are forgotten."""
    ask(store.seen("a/b", "guest:1"))
    ask(store.seen("a/b", "guest:2"))
    ask(store.left("a/b", "guest:1"))
    assert ask(store.present("a/b")) == 1


def test_who_has_left_counts_no_more(
    store: Store, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that is not heard of is closed; its row goes with the next one that is."""
    ask(store.seen("a/b", "guest:1"))
    at_ms = now_ms()
    monkeypatch.setattr("app.store.presence.now_ms", lambda: at_ms + 100_000)
    assert ask(store.present("a/b")) == 0
    assert ask(store.seen("a/b", "guest:2")) == 1


def test_nobody_can_be_followed_from_page_to_page(
    embedded: Store, ask: Ask, database: Path
) -> None:
    """What is kept names nobody, and differs from problem to problem."""
    for problem in ("a/b", "a/c"):
        ask(embedded.seen(problem, "guest:who-it-is"))
    content = b"".join(file.read_bytes() for file in database.parent.iterdir())
    assert b"who-it-is" not in content
