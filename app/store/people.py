"""Who may do what. Passwords and tokens are kept as hashes only."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Insert, insert, select, update

from app.errors import Invalid, NotFound
from app.store.database import Database
from app.store.schema import audit, tokens, users
from app.store.submissions import now_ms

# A token's last use is written at most this often: a read should not become a write each time.
USE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose token or session it is, and what a token may do; a session has no scopes of its own."""

    number: int
    name: str
    role: str
    scopes: frozenset[str] | None = None
    token: int | None = None


class People:
    """Questions about accounts and tokens."""

    _database: Database

    async def add_user(self, name: str, role: str, password_hash: str | None = None) -> None:
        """Raises Invalid where the name, or one that looks the same, is taken."""
        values = {
            "name": name,
            "name_key": name_key(name),
            "role": role,
            "password_hash": password_hash,
            "disabled": False,
            "created_ms": now_ms(),
        }
        new = self._database.insert_new(users).values(values)
        async with self._database.writing() as transaction:
            if await transaction.change(new) == 0:
                raise Invalid(f"there is already an account with the name {name}")
            await transaction.change(audit_entry(name, "add user", name, {"role": role}))

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


def token_hash(token: str) -> str:
    """SHA-256, in hexadecimal: enough for a random token of 256 bits, and fast."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def name_key(name: str) -> str:
    """The same for names that differ only in case or in the way they are encoded."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def audit_entry(who: str, action: str, subject: str, details: Mapping[str, object]) -> Insert:
    """Who did what to what, for the transaction that does it."""
    return insert(audit).values(
        at_ms=now_ms(),
        who=who,
        action=action,
        subject=subject,
        details_json=json.dumps(details),
    )
