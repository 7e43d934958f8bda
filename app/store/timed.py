"""A database whose transactions are timed."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Literal, TypeAlias

from sqlalchemy import Executable, Insert, Table

from app.errors import StoreError
from app.store.database import Database, Transaction

Access: TypeAlias = Literal["read", "write"]

# Is told what kind of transaction took how many seconds, and whether the database refused it.
Observe: TypeAlias = Callable[[Access, float, bool], None]


class TimedDatabase:
    """Does what the database below it does, and tells how long that took."""

    def __init__(self, database: Database, observe: Observe) -> None:
        self._database, self._observe = database, observe

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        with self._timed("read"):
            async with self._database.reading() as transaction:
                yield transaction

    def counting(self) -> AbstractAsyncContextManager[Transaction]:
        return (
            self._database.counting()
        )  # long, and nobody waits for it: it says nothing of the rest

    @asynccontextmanager
    async def writing(self, *, repeatable: bool = False) -> AsyncIterator[Transaction]:
        with self._timed("write"):
            async with self._database.writing(repeatable=repeatable) as transaction:
                yield transaction

    def insert_new(self, table: Table) -> Insert:
        return self._database.insert_new(table)

    def about(self) -> Executable:
        return self._database.about()

    async def close(self) -> None:
        await self._database.close()

    @contextmanager
    def _timed(self, access: Access) -> Iterator[None]:
        begun, refused = time.perf_counter(), False
        try:
            yield
        except StoreError:
            refused = True
            raise
        finally:
            self._observe(access, time.perf_counter() - begun, refused)
