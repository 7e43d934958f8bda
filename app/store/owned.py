"""What belongs to somebody: whatever table has an `owner`. Moved, exported and deleted as one.

A new table that has the column takes part without a word here. Where an owner has at most one row
for something (a unique constraint with `owner`), of two rows the one that was saved last stays.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

from sqlalchemy import (
    ColumnElement,
    Delete,
    FromClause,
    Table,
    UniqueConstraint,
    Update,
    delete,
    exists,
    select,
    true,
    update,
)

from app.store.database import AnyRow, Database, Transaction
from app.store.schema import judgements, metadata, submissions
from app.store.solved import merge_solved

_BATCH = 200
_SAVED = "saved_ms"
_INSIDE = {
    "number",
    "owner",
    "account",
    "user",
}  # columns that mean something in this database only


def owned_tables() -> tuple[Table, ...]:
    """Tables in which each row belongs to a user or a guest."""
    return tuple(table for table in metadata.sorted_tables if "owner" in table.c)


class Owned:
    """Questions about everything that somebody owns."""

    _database: Database

    async def kept_of(self, user: int) -> AsyncIterator[tuple[str, Mapping[str, object]]]:
        """All that is kept of a user but the account: each row with the name of its table.

        A few rows are in memory at a time; the rows of a table follow each other. Hashes of what is
        secret are left out.
        """
        for table in metadata.sorted_tables:
            if "user" in table.c:
                question = select(table).where(table.c.user == user)
                async with self._database.reading() as transaction:
                    few = await transaction.rows(question)
                for row in few:
                    yield table.name, _outside(row)
        for table in owned_tables():
            last = 0
            while rows := await self._batch(table, f"user:{user}", last):
                for row in rows:
                    last = row.number
                    yield table.name, _outside(row)

    async def _batch(self, table: Table, owner: str, last: int) -> Sequence[AnyRow]:
        question = select(table)
        if table is submissions:
            shown = (judgements.c.submission == table.c.number) & (
                judgements.c.judging_number == table.c.current_judging_number
            )
            question = select(table, judgements.c.body_json.label("judgement_json")).join_from(
                table, judgements, shown, isouter=True
            )
        question = (
            question.where(table.c.owner == owner, table.c.number > last)
            .order_by(table.c.number)
            .limit(_BATCH)
        )
        async with self._database.reading() as transaction:
            return await transaction.rows(question)


async def move(transaction: Transaction, guest: str, user: str) -> None:
    """Everything of the guest becomes the user's."""
    await merge_solved(transaction, guest, user)
    for table in owned_tables():
        for statement in _moving(table, guest, user):
            await transaction.change(statement)


async def forget(transaction: Transaction, owner: str) -> None:
    """Everything of the owner is deleted, judgements with their submissions."""
    for table in reversed(owned_tables()):
        await transaction.change(delete(table).where(table.c.owner == owner))


def _outside(row: AnyRow) -> Mapping[str, object]:
    return {
        name: value
        for name, value in row._asdict().items()
        if name not in _INSIDE and not name.endswith("_hash")
    }


def _moving(table: Table, guest: str, user: str) -> Iterator[Update | Delete]:
    mine, theirs = table.c.owner == user, table.c.owner == guest
    keys = _one_each(table)
    if keys:
        other = table.alias("other")
        same = _all(other.c[key] == table.c[key] for key in keys)
        if _SAVED in table.c:
            newer = same & (other.c.owner == guest) & (other.c[_SAVED] > table.c[_SAVED])
            yield delete(table).where(mine, _there(other, newer))
        yield delete(table).where(theirs, _there(other, same & (other.c.owner == user)))
    yield update(table).where(theirs).values(owner=user)


def _there(table: FromClause, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists(select(1).select_from(table).where(condition))


def _all(conditions: Iterator[ColumnElement[bool]]) -> ColumnElement[bool]:
    found: ColumnElement[bool] = true()
    for condition in conditions:
        found = found & condition
    return found


def _one_each(table: Table) -> tuple[str, ...]:
    """Of what an owner has at most one row: the columns that are unique together with `owner`."""
    for constraint in table.constraints:
        names = [column.name for column in getattr(constraint, "columns", ())]
        if isinstance(constraint, UniqueConstraint) and "owner" in names:
            return tuple(name for name in names if name != "owner")
    return ()
