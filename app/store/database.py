"""Transactions, whichever engine is below.

SQLite is called inline: a transaction takes 0.1 ms, and a hop to another thread would take longer.
So a transaction's body must await nothing but the transaction; it then runs without interruption.
What counts very many rows, for an admin, is the exception (`counting`): nobody else waits for it.

Writers take SQLite's lock when they begin, so that only beginning can meet a lock of another
process. That wait is a sleep on the event loop, never a blocked loop, and ends after `LOCK_S`.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    Insert,
    RootTransaction,
    Row,
    Table,
    create_engine,
    event,
    text,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

from app.errors import StoreUnavailable

AnyRow: TypeAlias = Row[*tuple[Any, ...]]

LOCK_S = 2.0
_RETRY_S = 0.02
_BUSY_S = 0.005
OPEN_S = 30.0  # for a lock while opening; nobody is served yet

# Each is outside the program's power and may pass: try again later.
_REASONS = {
    sqlite3.SQLITE_BUSY: "the database is locked by another process",
    sqlite3.SQLITE_LOCKED: "the database is locked",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk does not answer",
    sqlite3.SQLITE_READONLY: "the database cannot be written",
    sqlite3.SQLITE_CANTOPEN: "the database file cannot be opened",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
    sqlite3.SQLITE_CORRUPT: "the database file is damaged",
    sqlite3.SQLITE_PROTOCOL: "the database is locked by another process",
}


class Transaction(Protocol):
    """All of it happens, or nothing."""

    async def rows(self, statement: Executable, **values: object) -> Sequence[AnyRow]: ...

    async def row(self, statement: Executable, **values: object) -> AnyRow | None: ...

    async def change(self, statement: Executable, **values: object) -> int:
        """The number of rows that were changed."""
        ...

    async def connection(self) -> object:
        """The driver's own connection, within this transaction once something was changed, for a
        queue that keeps its jobs in the same database; None where no queue can."""
        ...


class Database(Protocol):
    """What the questions are put to."""

    def reading(self) -> AbstractAsyncContextManager[Transaction]:
        """For one statement, which sees one moment of the database by itself."""
        ...

    def counting(self) -> AbstractAsyncContextManager[Transaction]:
        """The same for a statement that may read all there is: it runs beside everything else."""
        ...

    def writing(self, *, repeatable: bool = False) -> AbstractAsyncContextManager[Transaction]:
        """`repeatable`: what is written can be made again, so a power cut may take it back."""
        ...

    def insert_new(self, table: Table) -> Insert:
        """An insert that does nothing where a unique row is there already."""
        ...

    def about(self) -> Executable:
        """Asks for `engine`, name and version, and `bytes`, the size of the database."""
        ...

    async def close(self) -> None: ...


class _Inline:
    """A transaction on a connection that answers at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def rows(self, statement: Executable, **values: object) -> Sequence[AnyRow]:
        return self._connection.execute(statement, values).all()

    async def row(self, statement: Executable, **values: object) -> AnyRow | None:
        return self._connection.execute(statement, values).first()

    async def change(self, statement: Executable, **values: object) -> int:
        return self._connection.execute(statement, values).rowcount

    async def connection(self) -> object:
        return None


class _Aside(_Inline):
    """A transaction whose long statement runs in a thread."""

    async def rows(self, statement: Executable, **values: object) -> Sequence[AnyRow]:
        work = asyncio.create_task(asyncio.to_thread(self._rows, statement, values))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait([work])  # a thread goes on, and the connection is still its own
            raise

    def _rows(self, statement: Executable, values: dict[str, object]) -> Sequence[AnyRow]:
        return self._connection.execute(statement, values).all()


class SqliteDatabase:
    """One file, used by a connection for each kind of transaction: all from one thread but one."""

    def __init__(self, path: Path) -> None:
        self._engines = (
            sqlite_engine(path),
            sqlite_engine(path, synchronous="NORMAL"),
            sqlite_engine(path, threads=True),
        )
        synced, unsynced, aside = self._engines
        with explained():
            self._reader = synced.connect()
            self._writer = synced.connect().execution_options(writing=True)
            self._repeater = unsynced.connect().execution_options(writing=True)
            self._counter = aside.connect()
        self._counting = asyncio.Lock()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        with explained(), self._reader.begin():
            yield _Inline(self._reader)

    @asynccontextmanager
    async def counting(self) -> AsyncIterator[Transaction]:
        async with self._counting:
            with explained(), self._counter.begin():
                yield _Aside(self._counter)

    @asynccontextmanager
    async def writing(self, *, repeatable: bool = False) -> AsyncIterator[Transaction]:
        connection = self._repeater if repeatable else self._writer
        with explained():
            transaction = await _begun(connection)
            with transaction:
                yield _Inline(connection)

    def insert_new(self, table: Table) -> Insert:
        return sqlite.insert(table).on_conflict_do_nothing()

    def about(self) -> Executable:
        return text(
            "SELECT 'SQLite ' || sqlite_version() AS engine, page_count * page_size AS bytes "
            "FROM pragma_page_count(), pragma_page_size()"
        )

    async def close(self) -> None:
        for connection in (self._reader, self._writer, self._repeater, self._counter):
            connection.close()
        for engine in self._engines:
            engine.dispose()


async def _begun(connection: Connection) -> RootTransaction:
    """A transaction with the write lock, however often it takes to get it within LOCK_S."""
    deadline = time.monotonic() + LOCK_S
    while True:
        try:
            return connection.begin()
        except DatabaseError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        await asyncio.sleep(_RETRY_S)


def sqlite_engine(
    path: Path,
    synchronous: Literal["FULL", "NORMAL"] = "FULL",
    busy_s: float = _BUSY_S,
    *,
    threads: bool = False,
) -> Engine:
    """Connections to a file in WAL mode. FULL syncs at every commit, and so outlives a power cut.

    busy_s   how long SQLite itself waits for a lock; the event loop stands still meanwhile
    threads  whether a connection goes from thread to thread; one at a time all the same
    """
    # A process that opens or closes the database last may lock it for a moment.
    engine = create_engine(
        f"sqlite:///{path}",
        poolclass=NullPool,
        connect_args={"timeout": OPEN_S, "check_same_thread": not threads},
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # sqlite3 would otherwise begin by rules of its own
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute("PRAGMA journal_size_limit = 67108864")
        connection.execute(f"PRAGMA busy_timeout = {busy_s * 1000:.0f}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writing", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the disk or another process does to the database into StoreUnavailable."""
    try:
        yield
    except DatabaseError as error:
        reason = _REASONS.get(_code(error))
        if reason is None:
            raise
        raise StoreUnavailable(reason) from error


def _code(error: DatabaseError) -> int:
    """SQLite's primary result code; the extended ones carry it in their lowest byte."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else -1
