"""`allclose user`: people who may change tests."""

from __future__ import annotations

import asyncio

from app.config import Settings
from app.store import open_store
from app.web.accounts import new_token

_LEARNER_SCOPES = frozenset({"read", "submit"})


def add_user(settings: Settings, name: str, *, admin: bool) -> str:
    """Make a user and a first token; the token comes back, and is kept as a hash only.

    Raises Invalid where the name is taken or not one, StoreError.
    """
    token = new_token()
    scopes = _LEARNER_SCOPES | {"admin"} if admin else _LEARNER_SCOPES

    async def add() -> None:
        store = open_store(settings.database)
        try:
            await store.add_user(name, "admin" if admin else "learner")
            await store.add_token(name, "first", token, scopes)
        finally:
            await store.close()

    asyncio.run(add())
    return token
