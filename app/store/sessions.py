"""Who is signed in where. The cookie's value is kept as a hash only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Delete, delete, insert, select, update

from app.store.database import Database
from app.store.owned import move
from app.store.people import token_hash
from app.store.schema import sessions, users
from app.store.submissions import now_ms
from app.store.tokens import USE_MS, Owner


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """A session as its user sees it; `here`: the one that asks."""

    created_ms: int
    used_ms: int
    here: bool


class Sessions:
    """Questions about sessions."""

    _database: Database

    async def add_session(
        self, user: int, session: str, *, guest: str | None = None, instead_of: str = ""
    ) -> None:
        """Keep the hash of `session`, which must be random.

        What the guest of that name owns becomes the user's; the session that was there before ends.
        """
        now = now_ms()
        values = {
            "user": user,
            "session_hash": token_hash(session),
            "created_ms": now,
            "used_ms": now,
        }
        async with self._database.writing() as transaction:
            await transaction.change(insert(sessions).values(values))
            await transaction.change(_ended(instead_of))
            if guest is not None:
                await move(transaction, guest, f"user:{user}")

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
        async with self._database.writing() as transaction:
            await transaction.change(_ended(session))

    async def end_sessions(self, user: int) -> None:
        """Sign out everywhere."""
        async with self._database.writing() as transaction:
            await transaction.change(delete(sessions).where(sessions.c.user == user))

    async def purge_sessions(self, unused_s: float) -> int:
        """Delete sessions that ended by being unused; returns how many."""
        old = delete(sessions).where(sessions.c.used_ms < now_ms() - int(unused_s * 1000))
        async with self._database.writing(repeatable=True) as transaction:
            return await transaction.change(old)

    async def sessions_of(self, user: int, session: str) -> tuple[SessionSeen, ...]:
        """Where the user is signed in, the latest first; `session` is the one that asks."""
        question = (
            select(sessions).where(sessions.c.user == user).order_by(sessions.c.used_ms.desc())
        )
        async with self._database.reading() as transaction:
            rows = await transaction.rows(question)
        here = token_hash(session)
        return tuple(
            SessionSeen(row.created_ms, row.used_ms, row.session_hash == here) for row in rows
        )


def _ended(session: str) -> Delete:
    return delete(sessions).where(sessions.c.session_hash == token_hash(session))
