"""Accounts as an admin sees and changes them. The last admin stays one, whoever asks."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, Update, delete, func, select, update

from app.errors import Invalid, NotFound
from app.store.database import AnyRow, Database, Transaction
from app.store.owned import forget
from app.store.people import audit_entry, name_key, new_user
from app.store.schema import sessions, tokens, users
from app.store.submissions import now_ms

_U = users.c
_SESSIONS = select(func.count()).where(sessions.c.user == _U.number).scalar_subquery()
_TOKENS = (
    select(func.count())
    .where(tokens.c.user == _U.number, tokens.c.revoked_ms.is_(None))
    .scalar_subquery()
)
_SEEN = select(func.max(sessions.c.used_ms)).where(sessions.c.user == _U.number).scalar_subquery()
_MEMBERS = select(
    users, _SESSIONS.label("sessions"), _TOKENS.label("tokens"), _SEEN.label("seen_ms")
).order_by(_U.number)
ROLES = ("learner", "author", "admin")


@dataclass(frozen=True, slots=True)
class Member:
    """An account: who may do what, and by how many ways they get in now."""

    number: int
    name: str
    role: str
    disabled: bool
    has_password: bool
    created_ms: int
    seen_ms: int | None  # by a session that has not ended
    sessions: int
    tokens: int


class Members:
    """Questions about accounts, asked by an admin, who is named in the audit log."""

    _database: Database

    async def members(
        self, search: str = "", role: str = "", after: int = 0, limit: int = 50
    ) -> tuple[Member, ...]:
        """Accounts with this in their name, the oldest first, beyond the number `after`."""
        question = _MEMBERS.where(_U.number > after).limit(limit)
        if search:
            question = question.where(_U.name_key.contains(name_key(search), autoescape=True))
        if role:
            question = question.where(_U.role == role)
        return await self._members(question)

    async def count_members(self) -> int:
        """How many accounts there are."""
        async with self._database.reading() as transaction:
            row = await transaction.row(select(func.count()).select_from(users))
        return 0 if row is None else int(row[0])

    async def member(self, number: int) -> Member:
        """Raises NotFound."""
        found = await self._members(_MEMBERS.where(_U.number == number))
        if not found:
            raise NotFound("there is no such account")
        return found[0]

    async def add_member(self, name: str, role: str, password_hash: str, who: str) -> int:
        """An account; its number. Raises Invalid where the name is taken."""
        async with self._database.writing() as transaction:
            return await new_user(self._database, transaction, name, role, password_hash, who=who)

    async def set_role(self, number: int, role: str, who: str) -> None:
        """Raises NotFound, and Invalid where nobody would be an admin any more."""
        async with self._database.writing() as transaction:
            name = await _changed(transaction, number, role != "admin", _U.role != role, role=role)
            if name is not None:
                await transaction.change(audit_entry(who, "set role", name, {"role": role}))

    async def set_disabled(self, number: int, disabled: bool, who: str) -> None:
        """A disabled account gets in by nothing, and keeps everything it has.

        Raises NotFound, and Invalid where nobody would be an admin any more.
        """
        async with self._database.writing() as transaction:
            other = _U.disabled if not disabled else ~_U.disabled
            name = await _changed(transaction, number, disabled, other, disabled=disabled)
            if name is not None:
                action = "disable user" if disabled else "enable user"
                await transaction.change(audit_entry(who, action, name, {}))
            if disabled:
                await transaction.change(delete(sessions).where(sessions.c.user == number))

    async def reset_password(self, number: int, password_hash: str, who: str) -> None:
        """The old password and recovery code count no more, and every session ends.

        Raises NotFound.
        """
        async with self._database.writing() as transaction:
            name = await _name(transaction, number)
            values = {"password_hash": password_hash, "recovery_hash": None}
            await transaction.change(_of(number).values(values))
            await transaction.change(delete(sessions).where(sessions.c.user == number))
            await transaction.change(audit_entry(who, "reset password", name, {}))

    async def revoke_access(self, number: int, who: str) -> None:
        """Every session ends and every token counts no more. Raises NotFound."""
        async with self._database.writing() as transaction:
            name = await _name(transaction, number)
            await transaction.change(delete(sessions).where(sessions.c.user == number))
            counting = (tokens.c.user == number) & tokens.c.revoked_ms.is_(None)
            await transaction.change(update(tokens).where(counting).values(revoked_ms=now_ms()))
            await transaction.change(audit_entry(who, "revoke access", name, {}))

    async def delete_member(self, number: int, who: str) -> None:
        """The account and everything that is its own.

        Raises NotFound, and Invalid where nobody would be an admin any more.
        """
        async with self._database.writing() as transaction:
            name = await _name(transaction, number)
            await keep_an_admin(transaction, number)
            await forget(transaction, f"user:{number}")
            await transaction.change(delete(users).where(_U.number == number))
            await transaction.change(audit_entry(who, "delete user", name, {}))

    async def _members(self, question: Select[tuple[object, ...]]) -> tuple[Member, ...]:
        async with self._database.reading() as transaction:
            rows = await transaction.rows(question)
        return tuple(map(_member, rows))


async def keep_an_admin(transaction: Transaction, number: int) -> None:
    """Raises Invalid where the account is the only one left that may administrate."""
    admins = select(_U.number).where(_U.role == "admin", ~_U.disabled).with_for_update()
    if {row.number for row in await transaction.rows(admins)} == {number}:
        raise Invalid("this is the last admin: make somebody else an admin first")


async def _changed(
    transaction: Transaction,
    number: int,
    less: bool,
    other: ColumnElement[bool],
    **values: object,
) -> str | None:
    """Change an account where it is not like that already; its name, if it was changed.

    less    whether it may do less afterwards
    """
    name = await _name(transaction, number)
    if less:
        await keep_an_admin(transaction, number)
    return name if await transaction.change(_of(number).where(other).values(values)) else None


def _of(number: int) -> Update:
    return update(users).where(_U.number == number)


async def _name(transaction: Transaction, number: int) -> str:
    row = await transaction.row(select(_U.name).where(_U.number == number))
    if row is None:
        raise NotFound("there is no such account")
    return str(row.name)


def _member(row: AnyRow) -> Member:
    return Member(
        number=row.number,
        name=row.name,
        role=row.role,
        disabled=row.disabled,
        has_password=row.password_hash is not None,
        created_ms=row.created_ms,
        seen_ms=row.seen_ms,
        sessions=row.sessions,
        tokens=row.tokens,
    )
