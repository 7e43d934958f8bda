"""Tokens of scripts. The token itself is shown once; its hash is kept."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, insert, select, update

from app.errors import Invalid, NotFound
from app.store.database import AnyRow, Database
from app.store.people import audit_entry, name_key, token_hash
from app.store.schema import tokens, users
from app.store.submissions import now_ms

# A token's last use is written at most this often: a read should not become a write each time.
USE_MS = 60_000
MOST_TOKENS = 20  # of one account that count at the same time


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose token or session it is, and what a token may do; a session has no scopes of its own."""

    number: int
    name: str
    role: str
    scopes: frozenset[str] | None = None
    token: int | None = None


@dataclass(frozen=True, slots=True)
class TokenSeen:
    """A token as its user sees it: all but what it is."""

    number: int
    name: str
    scopes: tuple[str, ...]
    created_ms: int
    used_ms: int | None


class Tokens:
    """Questions about tokens."""

    _database: Database

    async def add_token(self, user: str, name: str, token: str, scopes: Collection[str]) -> None:
        """Keep the hash of `token`, which must be random. Raises NotFound for an unknown user."""
        question = select(users.c.number).where(users.c.name_key == name_key(user))
        async with self._database.writing() as transaction:
            row = await transaction.row(question)
            if row is None:
                raise NotFound(f"there is no account with the name {user}")
            values = {
                "user": row.number,
                "name": name,
                "token_hash": token_hash(token),
                "scopes": " ".join(sorted(scopes)),
                "created_ms": now_ms(),
            }
            await transaction.change(insert(tokens).values(values))
            await transaction.change(audit_entry(user, "add token", name, {}))

    async def revoke_tokens(self, user: str, name: str | None = None) -> int:
        """Revoke the user's tokens of that name, or all; returns how many were valid until now.

        Raises NotFound for an unknown user.
        """
        question = select(users.c.number).where(users.c.name_key == name_key(user))
        revoked = update(tokens).where(tokens.c.revoked_ms.is_(None))
        if name is not None:
            revoked = revoked.where(tokens.c.name == name)
        async with self._database.writing() as transaction:
            row = await transaction.row(question)
            if row is None:
                raise NotFound(f"there is no account with the name {user}")
            of_user = revoked.where(tokens.c.user == row.number)
            count = await transaction.change(of_user.values(revoked_ms=now_ms()))
            subject, details = name or "all", {"tokens": count}
            await transaction.change(audit_entry(user, "revoke token", subject, details))
        return count

    async def token_owner(self, token: str) -> Owner | None:
        """Who may act with this token; None if it is unknown, revoked, or the account disabled."""
        hashed = token_hash(token)
        question = (
            select(users, tokens.c.number.label("token"), tokens.c.scopes, tokens.c.used_ms)
            .join_from(tokens, users)
            .where(tokens.c.token_hash == hashed, tokens.c.revoked_ms.is_(None), ~users.c.disabled)
        )
        async with self._database.reading() as transaction:
            row = await transaction.row(question)
        if row is None:
            return None
        if (row.used_ms or 0) < now_ms() - USE_MS:
            used = update(tokens).where(tokens.c.token_hash == hashed).values(used_ms=now_ms())
            async with self._database.writing() as transaction:
                await transaction.change(used)
        scopes = frozenset(row.scopes.split())
        return Owner(row.number, row.name, row.role, scopes, row.token)

    async def add_own_token(
        self, user: int, name: str, token: str, scopes: Collection[str]
    ) -> TokenSeen:
        """Keep the hash of a token that the user made for themselves.

        Raises Invalid where a token of that name counts already, or as many as may.
        """
        counting = (tokens.c.user == user) & tokens.c.revoked_ms.is_(None)
        many = select(func.count()).select_from(tokens).where(counting)
        async with self._database.writing() as transaction:
            if await transaction.row(
                select(tokens.c.number).where(counting, tokens.c.name == name)
            ):
                raise Invalid(f"there is already a token with the name {name}")
            row = await transaction.row(many)
            if row is not None and row[0] >= MOST_TOKENS:
                raise Invalid(f"there are {row[0]} tokens already; revoke one that is not used")
            values = {
                "user": user,
                "name": name,
                "token_hash": token_hash(token),
                "scopes": " ".join(sorted(scopes)),
                "created_ms": now_ms(),
            }
            await transaction.change(insert(tokens).values(values))
            made = await transaction.row(select(tokens).where(counting, tokens.c.name == name))
        assert made is not None
        return _seen(made)

    async def tokens_of(self, user: int) -> tuple[TokenSeen, ...]:
        """The user's tokens that count, oldest first."""
        question = (
            select(tokens)
            .where(tokens.c.user == user, tokens.c.revoked_ms.is_(None))
            .order_by(tokens.c.number)
        )
        async with self._database.reading() as transaction:
            return tuple(_seen(row) for row in await transaction.rows(question))

    async def revoke_own_token(self, user: int, number: int) -> None:
        """Raises NotFound where the user has no such token, or it was revoked."""
        revoked = (
            update(tokens)
            .where(tokens.c.user == user, tokens.c.number == number, tokens.c.revoked_ms.is_(None))
            .values(revoked_ms=now_ms())
        )
        async with self._database.writing() as transaction:
            if not await transaction.change(revoked):
                raise NotFound("there is no such token")


def _seen(row: AnyRow) -> TokenSeen:
    return TokenSeen(row.number, row.name, tuple(row.scopes.split()), row.created_ms, row.used_ms)
