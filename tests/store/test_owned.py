"""What belongs to somebody: moved when a guest signs in, exported, deleted."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

from app.model import Submission
from app.store import Store
from app.store.owned import owned_tables
from tests.store.examples import judgement

Ask = Callable[[Any], Any]


def user(store: Store, ask: Ask, name: str) -> int:
    ask(store.add_user(name, "learner"))
    return ask(store.account_named(name)).number  # type: ignore[no-any-return]


def solve(store: Store, ask: Ask, owner: str, problem: str) -> str:
    """Submit and be judged; the submission's id."""
    sent = Submission(secrets.token_urlsafe(8), problem, "def f(): pass\n")
    ask(store.add_submission(sent, owner, owner))
    ask(store.add_judgement(sent, judgement()))
    return sent.id


def everything(store: Store, ask: Ask, number: int) -> dict[str, list[Any]]:
    async def read() -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        async for table, row in store.kept_of(number):
            found.setdefault(table, []).append(row)
        return found

    return ask(read())  # type: ignore[no-any-return]


def test_every_table_with_an_owner_takes_part() -> None:
    """A new one does without being named anywhere."""
    assert {"submissions", "drafts", "solved"} <= {table.name for table in owned_tables()}


def test_a_guests_things_become_the_accounts_and_the_newer_draft_stays(
    store: Store, ask: Ask
) -> None:
    """In the transaction that signs in; nothing is left of the guest, nobody else loses anything."""
    ada, bob = user(store, ask, "Ada"), user(store, ask, "Bob")
    mine, guest = f"user:{ada}", "guest:1"
    moved = solve(store, ask, guest, "a/b")
    kept = solve(store, ask, mine, "a/b")
    other = solve(store, ask, f"user:{bob}", "a/b")
    ask(store.save_draft(guest, "a/old", "guest's, older", 0))
    ask(store.save_draft(mine, "a/new", "mine, older", 0))
    ask(asyncio.sleep(0.005))
    ask(store.save_draft(mine, "a/old", "mine, newer", 0))
    ask(store.save_draft(guest, "a/new", "guest's, newer", 0))
    ask(store.save_draft(guest, "a/only", "guest's alone", 0))
    ask(store.add_session(ada, "session", guest=guest))
    found = everything(store, ask, ada)
    assert {row["id"] for row in found["submissions"]} == {moved, kept}
    drafts = {row["problem"]: row["source"] for row in found["drafts"]}
    assert drafts == {
        "a/old": "mine, newer",
        "a/new": "guest's, newer",
        "a/only": "guest's alone",
    }
    assert [row["problem"] for row in found["solved"]] == ["a/b"]
    assert [row["id"] for row in everything(store, ask, bob)["submissions"]] == [other]
    assert ask(store.draft(guest, "a/old")) is None


def test_what_is_exported_holds_no_hash_of_a_secret(store: Store, ask: Ask) -> None:
    """Nor numbers that mean something in this database only."""
    ada = user(store, ask, "Ada")
    ask(store.add_token("Ada", "laptop", "token", {"read"}))
    ask(store.add_session(ada, "session"))
    solve(store, ask, f"user:{ada}", "a/b")
    found = everything(store, ask, ada)
    assert {"sessions", "tokens", "submissions", "solved"} <= set(found)
    for rows in found.values():
        for row in rows:
            assert not [name for name in row if "hash" in name or name in ("number", "user")]


def test_a_deleted_account_leaves_nothing_of_its_own(store: Store, ask: Ask) -> None:
    """And nothing of others goes with it."""
    ada, bob = user(store, ask, "Ada"), user(store, ask, "Bob")
    for number, name in ((ada, "Ada"), (bob, "Bob")):
        ask(store.add_token(name, "laptop", f"token-{name}", {"read"}))
        ask(store.add_session(number, f"session-{name}"))
        solve(store, ask, f"user:{number}", "a/b")
        ask(store.save_draft(f"user:{number}", "a/b", "x", 0))
    before = everything(store, ask, bob)
    ask(store.delete_account(ada))
    assert everything(store, ask, ada) == {}
    assert everything(store, ask, bob) == before
    assert ask(store.account_named("Ada")) is None
    assert ask(store.token_owner("token-Ada")) is None
    assert ask(store.session_owner("session-Ada", 60)) is None
