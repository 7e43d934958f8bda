"""Who is signed in where. The cookie's value is kept as a hash only."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from app.store.database import Database
from app.store.people import USE_MS, Owner, token_hash
from app.store.schema import sessions, users
from app.store.submissions import now_ms


class Sessions:
    """Questions about sessions."""

    _database: Database

    async def add_session(self, user: int, session: str) -> None:
        """Keep the hash of `session`, which must be random."""
        now = now_ms()
        values = {
            "user": user,
            "session_hash": token_hash(session),
            "created_ms": now,
            "used_ms": now,
        }
        async with self._database.writing() as transaction:
            await transaction.change(insert(sessions).values(values))

    async def session_owner(self, session: str, unused_s: float) -> Owner | None:
        """Who is signed in; None if the session ended, was unused for too long, or the account is
        disabled."""
        hashed, now = token_hash(session), now_ms()
        question = (
            select(users.c.number, users.c.name, users.c.role, sessions.c.used_ms)
            .join_from(sessions, users)
            .where(
                sessions.c.session_hash == hashed,
                sessions.c.used_ms > now - int(unused_s * 1000),
                ~users.c.disabled,
            )
        )
        async with self._database.reading() as transaction:
            row = await transaction.row(question)
        if row is None:
            return None
        if row.used_ms < now - USE_MS:
            used = update(sessions).where(sessions.c.session_hash == hashed).values(used_ms=now)
            async with self._database.writing(repeatable=True) as transaction:
                await transaction.change(used)
        return Owner(row.number, row.name, row.role)

    async def end_session(self, session: str) -> None:
        """Sign out there."""
        ended = delete(sessions).where(sessions.c.session_hash == token_hash(session))
        async with self._database.writing() as transaction:
            await transaction.change(ended)
