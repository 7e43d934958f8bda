"""Uploaded tests, version by version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.store import Store

Ask = Callable[[Any], Any]


def test_the_newest_version_of_each_family_is_current(store: Store, ask: Ask) -> None:
    """An upload replaces what was uploaded for that family before, and no other family's."""
    assert ask(store.current_test_versions()) == ()
    for family, version in (("b", "b1"), ("a", "a1"), ("b", "b2")):
        ask(store.add_test_version(family, version, f'["{version}"]', "Ada"))
    current = ask(store.current_test_versions())
    assert [(v.family, v.version, v.tests_json, v.author) for v in current] == [
        ("a", "a1", '["a1"]', "Ada"),
        ("b", "b2", '["b2"]', "Ada"),
    ]
