"""Uploaded packages: kept by content, examined by one at a time, published one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.errors import Conflict, Forbidden, NotFound
from app.store import Store

Ask = Callable[[Any], Any]


def add(store: Store, family: str, content: bytes, owner: str = "user:1", own: bool = True) -> Any:
    return store.add_package(
        family, content.hex(), content, owner=owner, author="Ada", own_only=own
    )


def test_a_package_is_kept_by_its_content(store: Store, ask: Ask) -> None:
    """The same again changes nothing; an archive never changes."""
    for _ in range(2):
        ask(add(store, "ridge", b"one"))
    assert ask(store.package_by_hash(b"one".hex())) == b"one"
    [upload] = ask(store.package_uploads("ridge"))
    assert (upload.state, upload.author, upload.owner) == ("waiting", "Ada", "user:1")
    with pytest.raises(NotFound):
        ask(store.package_by_hash("ff"))


def test_a_family_belongs_to_who_uploaded_it_first(store: Store, ask: Ask) -> None:
    """Another author is refused, and nothing of theirs is kept; an admin is not asked."""
    ask(add(store, "ridge", b"one", "user:1"))
    with pytest.raises(Forbidden, match="another author's"):
        ask(add(store, "ridge", b"two", "user:2"))
    with pytest.raises(NotFound):
        ask(store.package_by_hash(b"two".hex()))
    ask(add(store, "ridge", b"two", "user:3", own=False))
    assert ask(store.package_owner("ridge")) == "user:1"
    assert ask(store.package_owner("other")) is None


def test_uploads_are_examined_in_turn_and_by_one_each(store: Store, ask: Ask) -> None:
    """Nobody gets what another examines; what the gate said stays."""
    ask(add(store, "ridge", b"one"))
    ask(add(store, "lasso", b"two"))
    first, second = ask(store.claim_package()), ask(store.claim_package())
    assert (first.family, second.family) == ("ridge", "lasso")
    assert ask(store.claim_package()) is None
    ask(store.package_progress("ridge", first.hash, "ridge/plain", 3, 8))
    going = ask(store.package_upload("ridge", first.hash))
    assert (going.state, going.progress, going.done, going.total) == (
        "examining", "ridge/plain", 3, 8,
    )  # fmt: skip
    ask(store.package_examined("ridge", first.hash, "kept", "{}"))
    assert ask(store.package_upload("ridge", first.hash)).state == "kept"
    ask(store.package_examined("lasso", second.hash, "waiting", None))
    assert ask(store.claim_package()).family == "lasso"


def test_what_was_refused_is_examined_again_when_it_is_sent_again(store: Store, ask: Ask) -> None:
    """The gate may have been mended; what was let through stays let through."""
    for content, state in ((b"one", "refused"), (b"two", "kept")):
        ask(add(store, "ridge", content))
        ask(store.package_examined("ridge", content.hex(), state, "{}"))  # type: ignore[arg-type]
        ask(add(store, "ridge", content))
    second, first = ask(store.package_uploads("ridge"))
    assert (first.state, first.report_json) == ("waiting", None)
    assert (second.state, second.report_json) == ("kept", "{}")


def test_what_was_refused_is_forgotten_in_time(store: Store, ask: Ask) -> None:
    """With its archive; but nothing that was let through, and not who came first to a family."""
    for family, content, state in (
        ("ridge", b"first", "refused"),
        ("ridge", b"second", "refused"),
        ("ridge", b"third", "kept"),
        ("lasso", b"only", "refused"),
        ("other", b"second", "kept"),
    ):
        ask(add(store, family, content))
        ask(store.package_examined(family, content.hex(), state, "{}"))  # type: ignore[arg-type]
    assert ask(store.forget_refused_packages(60)) == 0
    assert ask(store.forget_refused_packages(-60)) == 2
    left = {(one.family, bytes.fromhex(one.hash)) for one in ask(store.package_uploads())}
    assert left == {("ridge", b"first"), ("ridge", b"third"), ("other", b"second")}
    assert ask(store.package_owner("ridge")) == "user:1"
    assert ask(store.package_by_hash(b"second".hex())) == b"second"
    with pytest.raises(NotFound):
        ask(store.package_by_hash(b"only".hex()))
    assert ask(store.forget_refused_packages(-60)) == 0


def test_only_what_passed_the_gate_is_published(store: Store, ask: Ask) -> None:
    """Publications follow one another; taking one back is one of them."""
    ask(add(store, "ridge", b"one"))
    key = b"one".hex()
    with pytest.raises(Conflict, match="has not passed the gate: waiting"):
        ask(store.publish_package("ridge", key, "Ada"))
    ask(store.package_examined("ridge", key, "kept", "{}"))
    ask(store.publish_package("ridge", key, "Ada"))
    assert [p.hash for p in ask(store.current_publications())] == [key]
    ask(store.publish_package("ridge", None, "Ada"))
    assert [p.hash for p in ask(store.current_publications())] == [None]
    assert [p.hash for p in ask(store.publications("ridge"))] == [None, key]
    with pytest.raises(NotFound):
        ask(store.publish_package("ridge", "ff", "Ada"))
