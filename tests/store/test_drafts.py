"""Programs as they are being written: kept for one owner, never overwritten unseen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from app.store import Store

Ask = Callable[[Any], Any]


def test_a_draft_comes_back_as_it_was_saved(store: Store, ask: Ask) -> None:
    """Only to its owner, and only for its problem; each save is the next revision."""
    text = "def f():\n    return 'é\u202e'\n"
    assert ask(store.draft("user:1", "a/b")) is None
    assert ask(store.save_draft("user:1", "a/b", text, 0)).revision == 1
    assert ask(store.save_draft("user:1", "a/b", text + "#", 1)).revision == 2
    found = ask(store.draft("user:1", "a/b"))
    assert (found.source, found.revision) == (text + "#", 2)
    assert ask(store.draft("user:2", "a/b")) is None
    assert ask(store.draft("user:1", "a/c")) is None


def test_a_save_over_a_revision_that_passed_is_refused(store: Store, ask: Ask) -> None:
    """Of two tabs that knew the same revision, the second one is told; nothing is lost."""
    ask(store.save_draft("user:1", "a/b", "first", 0))
    assert ask(store.save_draft("user:1", "a/b", "from one tab", 1)) is not None
    for known in (0, 1, 3):
        assert ask(store.save_draft("user:1", "a/b", "from the other", known)) is None
    assert ask(store.draft("user:1", "a/b")).source == "from one tab"


def test_a_draft_is_deleted_only_as_it_was_known(store: Store, ask: Ask) -> None:
    """Deleting is a change like any other, unless it is meant for whatever is there."""
    ask(store.save_draft("user:1", "a/b", "first", 0))
    assert not ask(store.delete_draft("user:1", "a/b", 2))
    assert ask(store.delete_draft("user:1", "a/b", 1))
    ask(store.save_draft("user:1", "a/b", "again", 0))
    assert ask(store.delete_draft("user:1", "a/b"))
    assert not ask(store.delete_draft("user:1", "a/b"))


def test_drafts_of_guests_who_never_came_back_are_deleted(store: Store, ask: Ask) -> None:
    """Cookies get lost; accounts keep what they have."""
    for owner in ("guest:1", "user:1"):
        ask(store.save_draft(owner, "a/b", "text", 0))
    assert ask(store.purge_guest_drafts(3600)) == 0
    ask(asyncio.sleep(0.005))
    assert ask(store.purge_guest_drafts(0)) == 1
    assert ask(store.draft("user:1", "a/b")) is not None
