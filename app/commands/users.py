"""`allclose user`: people who may change tests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from app.config import Settings
from app.errors import NotFound
from app.store import Store, open_store
from app.web.secret import new_token

_Answer = TypeVar("_Answer")
_LEARNER_SCOPES = frozenset({"read", "submit"})


def add_user(settings: Settings, name: str, *, admin: bool) -> str:
    """Make a user and a first token; the token comes back, and is kept as a hash only.

    Raises Invalid where the name is taken or not one, StoreError.
    """
    token = new_token()
    scopes = _LEARNER_SCOPES | {"admin"} if admin else _LEARNER_SCOPES

    async def add(store: Store) -> None:
        await store.add_user(name, "admin" if admin else "learner")
        await store.add_token(name, "first", token, scopes)

    _asked(settings, add)
    return token


def revoke_tokens(settings: Settings, name: str, token: str | None) -> int:
    """Make the user's tokens of the name `token`, or all, worthless; how many were not before.

    Raises NotFound where there is no such user, or no valid token to revoke, StoreError.
    """
    count = _asked(settings, lambda store: store.revoke_tokens(name, token))
    if not count:
        called = f" with the name {token}" if token is not None else ""
        raise NotFound(f"{name} has no valid token{called}")
    return count


def _asked(settings: Settings, question: Callable[[Store], Awaitable[_Answer]]) -> _Answer:
    async def ask() -> _Answer:
        store = open_store(settings.database)
        try:
            return await question(store)
        finally:
            await store.close()

    return asyncio.run(ask())
