"""Accounts: made, found, changed, deleted. Passwords and recovery codes are kept as hashes only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from app.errors import Forbidden, NotFound
from app.store.database import AnyRow, Database, Transaction
from app.store.members import keep_an_admin
from app.store.owned import forget
from app.store.people import audit_entry, name_key, new_user, token_hash
from app.store.schema import identities, sessions, users
from app.store.submissions import now_ms


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who can sign in."""

    number: int
    name: str
    role: str
    password_hash: str | None
    recovery_hash: str | None
    disabled: bool
    created_ms: int


class Accounts:
    """Questions about accounts."""

    _database: Database

    async def account_named(self, name: str) -> Account | None:
        """The account with this name, or one that looks the same."""
        return await self._account(users.c.name_key == name_key(name))

    async def account(self, number: int) -> Account:
        """Raises NotFound."""
        found = await self._account(users.c.number == number)
        if found is None:
            raise NotFound("there is no such account")
        return found

    async def add_account(self, name: str, password_hash: str, recovery_code: str) -> int:
        """A learner's account; its number. Raises Invalid where the name is taken."""
        async with self._database.writing() as transaction:
            return await new_user(
                self._database, transaction, name, "learner", password_hash, recovery_code
            )

    async def add_first_admin(self, name: str, password_hash: str, recovery_code: str) -> int:
        """The first admin's account; its number. Raises Forbidden where there is an admin already."""
        async with self._database.writing() as transaction:
            if await _admins(transaction):
                raise Forbidden("there is an admin already")
            return await new_user(
                self._database, transaction, name, "admin", password_hash, recovery_code
            )

    async def admins(self) -> int:
        """How many admins can sign in or have a token that counts."""
        async with self._database.reading() as transaction:
            return await _admins(transaction)

    async def set_password(
        self, user: int, password_hash: str, recovery_code: str | None = None
    ) -> None:
        """A new password, perhaps a new recovery code; every session ends."""
        values = {"password_hash": password_hash}
        if recovery_code is not None:
            values["recovery_hash"] = token_hash(recovery_code)
        async with self._database.writing() as transaction:
            await transaction.change(update(users).where(users.c.number == user).values(values))
            await transaction.change(delete(sessions).where(sessions.c.user == user))

    async def refresh_password_hash(self, user: int, old: str, new: str) -> None:
        """The same password, hashed with today's parameters, unless it was changed meanwhile."""
        same = (users.c.number == user) & (users.c.password_hash == old)
        async with self._database.writing() as transaction:
            await transaction.change(update(users).where(same).values(password_hash=new))

    async def set_recovery_code(self, user: int, recovery_code: str) -> None:
        """The old one counts no more."""
        values = {"recovery_hash": token_hash(recovery_code)}
        async with self._database.writing() as transaction:
            await transaction.change(update(users).where(users.c.number == user).values(values))

    async def delete_account(self, user: int) -> None:
        """The account and everything that is its own: sessions, tokens, drafts, submissions.

        The audit log keeps what it did to others' things. Raises Invalid for the last admin.
        """
        async with self._database.writing() as transaction:
            await keep_an_admin(transaction, user)
            await forget(transaction, f"user:{user}")
            await transaction.change(delete(users).where(users.c.number == user))

    async def identity_account(self, issuer: str, subject: str) -> Account | None:
        """The account that this issuer's person signs in to, also where it is disabled."""
        its = (identities.c.issuer == issuer) & (identities.c.subject == subject)
        return await self._account(users.c.number.in_(select(identities.c.user).where(its)))

    async def identity_issuers(self, user: int) -> tuple[str, ...]:
        """With whose word the user can sign in."""
        question = select(identities.c.issuer).where(identities.c.user == user)
        async with self._database.reading() as transaction:
            return tuple(row.issuer for row in await transaction.rows(question))

    async def add_identity(self, user: int, issuer: str, subject: str) -> bool:
        """Let this issuer's person sign in to the account; False where they already have one."""
        values = {"user": user, "issuer": issuer, "subject": subject, "created_ms": now_ms()}
        new = self._database.insert_new(identities).values(values)
        async with self._database.writing() as transaction:
            return await transaction.change(new) > 0

    async def add_account_of(self, name: str, issuer: str, subject: str) -> int:
        """A learner's account without a password, for this issuer's person.

        Raises Invalid where the name is taken.
        """
        async with self._database.writing() as transaction:
            user = await new_user(self._database, transaction, name, "learner")
            values = {"user": user, "issuer": issuer, "subject": subject, "created_ms": now_ms()}
            await transaction.change(insert(identities).values(values))
            await transaction.change(audit_entry(name, "link account", issuer, {}))
        return user

    async def _account(self, condition: ColumnElement[bool]) -> Account | None:
        question = select(users).where(condition)
        async with self._database.reading() as transaction:
            row = await transaction.row(question)
        return None if row is None else _from_row(row)


async def _admins(transaction: Transaction) -> int:
    row = await transaction.row(
        select(func.count()).select_from(users).where(users.c.role == "admin", ~users.c.disabled)
    )
    assert row is not None
    return int(row[0])


def _from_row(row: AnyRow) -> Account:
    return Account(
        row.number,
        row.name,
        row.role,
        row.password_hash,
        row.recovery_hash,
        row.disabled,
        row.created_ms,
    )
