"""Transactions on PostgreSQL, for many processes on many machines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal

from sqlalchemy import Connection, Executable, Insert, Table, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from app.postgresql import connect, explained
from app.store.database import LOCK_S, AnyRow, Transaction

# Connections of one process, for each of the two kinds of commit.
_STEADY, _AT_MOST = 4, 10


class _Awaited:
    """A transaction on a connection that has to be waited for."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def rows(self, statement: Executable, **values: object) -> Sequence[AnyRow]:
        return (await self._connection.execute(statement, values)).all()

    async def row(self, statement: Executable, **values: object) -> AnyRow | None:
        return (await self._connection.execute(statement, values)).first()

    async def change(self, statement: Executable, **values: object) -> int:
        result = await self._connection.execute(statement, values)
        count: int = result.rowcount
        return count

    async def connection(self) -> object:
        return (await self._connection.get_raw_connection()).driver_connection


class PostgresDatabase:
    """A database on a server; connections are opened as they are needed, and again when lost."""

    def __init__(self, url: str) -> None:
        self._synced = _engine(url, "on")
        self._unsynced = _engine(url, "off")
        self._reader = self._synced.execution_options(isolation_level="AUTOCOMMIT")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        with explained():
            async with self._reader.connect() as connection:
                yield _Awaited(connection)

    def counting(self) -> AbstractAsyncContextManager[Transaction]:
        return self.reading()  # it is another machine that reads

    @asynccontextmanager
    async def writing(self, *, repeatable: bool = False) -> AsyncIterator[Transaction]:
        engine = self._unsynced if repeatable else self._synced
        with explained():
            async with engine.begin() as connection:
                yield _Awaited(connection)

    def insert_new(self, table: Table) -> Insert:
        return postgresql.insert(table).on_conflict_do_nothing()

    def about(self) -> Executable:
        return text(
            "SELECT 'PostgreSQL ' || current_setting('server_version') AS engine, "
            "pg_database_size(current_database()) AS bytes"
        )

    async def close(self) -> None:
        for engine in (self._synced, self._unsynced):
            await engine.dispose()


async def in_one_transaction(url: str, change: Callable[[Connection], None]) -> None:
    """Do something large that is written for a plain connection, such as a migration."""
    engine = create_async_engine(
        "postgresql+asyncpg://",
        poolclass=NullPool,
        async_creator=lambda: connect(url, answer_s=None),
    )
    with explained():
        async with engine.begin() as connection:
            await connection.run_sync(change)
        await engine.dispose()


def _engine(url: str, synchronous_commit: Literal["on", "off"]) -> AsyncEngine:
    """`off` does not wait for the disk: a commit may be lost in a power cut, never by halves."""
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: connect(url, synchronous_commit=synchronous_commit),
        pool_size=_STEADY,
        max_overflow=_AT_MOST - _STEADY,
        pool_timeout=LOCK_S,
        pool_use_lifo=True,
        execution_options={"preserve_rowcount": True},
    )
