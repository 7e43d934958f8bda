"""Uploaded tests, version by version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.errors import Conflict, NotFound
from app.store import Store
from app.store.tests import ExaminedTests, NewTests

Ask = Callable[[Any], Any]


def new(family: str, base: str, version: str) -> NewTests:
    return NewTests(family, base, version, f'["{version}"]', "Ada", f"made {version}")


def test_the_newest_version_of_each_family_is_current(store: Store, ask: Ask) -> None:
    """An upload replaces what was uploaded for that family before, and no other family's."""
    assert ask(store.current_test_versions()) == ()
    for family, base, version in (("b", "", "b1"), ("a", "", "a1"), ("b", "b1", "b2")):
        ask(store.add_test_version(new(family, base, version)))
    current = ask(store.current_test_versions())
    assert [(v.family, v.version, v.tests_json, v.author) for v in current] == [
        ("a", "a1", '["a1"]', "Ada"),
        ("b", "b2", '["b2"]', "Ada"),
    ]
    assert ask(store.current_test_version("b")).version == "b2"
    assert ask(store.current_test_version("c")) is None


def test_of_two_changes_to_one_version_the_second_is_refused(store: Store, ask: Ask) -> None:
    """Whoever looked at what is not current any more must look again; nothing is lost."""
    ask(store.add_test_version(new("a", "", "a1")))
    ask(store.add_test_version(new("a", "a1", "a2")))
    for stale in ("", "a1", "unknown"):
        with pytest.raises(Conflict, match="changed meanwhile"):
            ask(store.add_test_version(new("a", stale, "a3")))
    assert [v.version for v in ask(store.test_versions("a"))] == ["a2", "a1"]


def test_every_version_can_be_found_by_its_content(store: Store, ask: Ask) -> None:
    """Also one that was gone back to; another family's is not found."""
    for base, version in (("", "v1"), ("v1", "v2"), ("v2", "v1")):
        ask(store.add_test_version(new("a", base, version)))
    assert ask(store.test_version_by_hash("a", "v2")).tests_json == '["v2"]'
    assert ask(store.test_version_by_hash("a", "v1")).change == "made v1"
    for family, version in (("a", "v3"), ("b", "v1")):
        with pytest.raises(NotFound):
            ask(store.test_version_by_hash(family, version))


def test_what_was_examined_is_kept_for_its_family(store: Store, ask: Ask) -> None:
    """Whoever has the token gets exactly what was accepted."""
    examined = ExaminedTests("token", "a", "v1", "[]")
    ask(store.keep_examined_tests(examined))
    assert ask(store.examined_tests("a", "token")) == examined
    for family, token in (("b", "token"), ("a", "other")):
        with pytest.raises(NotFound, match="more than a day"):
            ask(store.examined_tests(family, token))
