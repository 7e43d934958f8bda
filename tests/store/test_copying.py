"""The embedded database moved into a cluster's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.errors import Conflict, NotFound
from app.store import Store, connect_store
from app.store.copying import copy
from tests.postgres import Server
from tests.store.examples import judgement, submission

Ask = Callable[[Any], Any]

pytestmark = pytest.mark.postgresql


def test_everything_is_there_afterwards_and_goes_on(
    embedded: Store, database: Path, postgres: Server, ask: Ask
) -> None:
    """Judgements, accounts, what still waits; and new rows come after the copied ones."""
    for name in ("judged", "waiting"):
        ask(embedded.add_submission(submission(name), "guest:1"))
    ask(embedded.add_judgement(submission("judged"), judgement("WA")))
    ask(embedded.add_user("Ada", "admin"))
    url, told = postgres.create(), []

    rows = ask(copy(database, url, lambda table, done, total: told.append((table, done, total))))

    assert ("submissions", 2, 2) in told
    assert sum(done for _, done, total in told if done == total) == rows
    store = ask(connect_store(url))
    assert ask(store.standing("judged")).judgement == judgement("WA")
    assert [one.id for one in ask(store.unjudged_submissions(10))] == ["waiting"]
    ask(store.add_submission(submission("new"), "guest:1"))
    assert ask(store.add_judgement(submission("new"), judgement()))
    ask(store.add_user("Bob", "learner"))
    ask(store.close())


def test_a_database_that_holds_something_is_refused(
    embedded: Store, database: Path, postgres: Server, ask: Ask
) -> None:
    """Two installations are not mixed; both stay as they were."""
    ask(embedded.add_submission(submission("embedded"), "guest:1"))
    url = postgres.create()
    store = ask(connect_store(url))
    ask(store.add_submission(submission("there"), "guest:1"))
    with pytest.raises(Conflict, match="submissions"):
        ask(copy(database, url))
    assert [one.id for one in ask(store.unjudged_submissions(10))] == ["there"]
    ask(store.close())


def test_what_is_not_there_is_not_copied(tmp_path: Path, postgres: Server, ask: Ask) -> None:
    """A mistyped folder is told, and no database is made in it."""
    with pytest.raises(NotFound, match="no embedded database"):
        ask(copy(tmp_path / "nothing", postgres.url()))
    assert not (tmp_path / "nothing").exists()
