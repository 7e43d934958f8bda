"""`allclose user`: people who may change tests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from app.assembly import opened
from app.config import Settings
from app.errors import NotFound
from app.store import Store
from app.web.names import legal_name
from app.web.passwords import Passwords, legal_password
from app.web.secret import new_recovery_code, new_token

_Answer = TypeVar("_Answer")
_LEARNER_SCOPES = frozenset({"read", "submit"})


def add_user(
    settings: Settings, name: str, *, admin: bool, password: str | None = None
) -> tuple[str, str]:
    """Make a user and a first token; the token comes back, and is kept as a hash only.

    With a password the user can sign in on the pages; then a recovery code comes back as well, or
    else an empty text. Raises Invalid where the name is taken or not one, StoreError.
    """
    name = legal_name(name)
    token, code = new_token(), "" if password is None else new_recovery_code()
    scopes = _LEARNER_SCOPES | {"admin"} if admin else _LEARNER_SCOPES

    async def add(store: Store) -> None:
        hashed = None
        if password is not None:
            hashed = await Passwords().hashed(legal_password(password, name))
        role = "admin" if admin else "learner"
        await store.add_user(name, role, hashed, code or None)
        await store.add_token(name, "first", token, scopes)

    asked(settings, add)
    return token, code


def revoke_tokens(settings: Settings, name: str, token: str | None) -> int:
    """Make the user's tokens of the name `token`, or all, worthless; how many were not before.

    Raises NotFound where there is no such user, or no valid token to revoke, StoreError.
    """
    count = asked(settings, lambda store: store.revoke_tokens(name, token))
    if not count:
        called = f" with the name {token}" if token is not None else ""
        raise NotFound(f"{name} has no valid token{called}")
    return count


def asked(settings: Settings, question: Callable[[Store], Awaitable[_Answer]]) -> _Answer:
    """Put one question to the store, and close it again."""

    async def ask() -> _Answer:
        store = await opened(settings)
        try:
            return await question(store)
        finally:
            await store.close()

    return asyncio.run(ask())
