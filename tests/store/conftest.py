"""A store of each engine. The same contract holds for all of them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection

from app.store import Store, connect_store, open_store
from app.store.database import sqlite_engine
from app.store.postgresql import in_one_transaction
from tests.postgres import Server

T = TypeVar("T")

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]


@pytest.fixture
def ask() -> Iterator[Callable[[Coroutine[Any, Any, T]], T]]:
    """Puts one question to a store, and waits for the answer."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where an embedded database is made."""
    return tmp_path / "data" / "allclose.sqlite3"


@dataclass(frozen=True)
class Place:
    """Where a database is, and a look into it that is not the program's."""

    file: Path
    server: Server | None = None
    url: str = ""

    async def open(self) -> Store:
        return await connect_store(self.url) if self.url else open_store(self.file)

    def sql(self, question: str) -> list[tuple[Any, ...]]:
        """Rows; the question must be valid on both engines."""
        if self.server is not None:
            return self.server.ask(question, self.url)
        connection = sqlite3.connect(self.file)
        with connection:
            rows = connection.execute(question).fetchall()
        connection.close()
        return rows

    def change(self, statement: str) -> None:
        """Behind the program's back."""

        def _change(connection: Connection) -> None:
            connection.exec_driver_sql(statement)

        self.look(_change)

    def look(self, do: Callable[[Connection], None]) -> None:
        """Do something with a plain connection, in a transaction."""
        if self.url:
            asyncio.run(in_one_transaction(self.url, do))
            return
        self.file.parent.mkdir(exist_ok=True)
        engine = sqlite_engine(self.file)
        with engine.connect() as connection, connection.begin():
            do(connection)
        engine.dispose()


@pytest.fixture(params=ENGINES)
def empty(request: pytest.FixtureRequest, database: Path) -> Place:
    """A database of each engine that holds nothing yet."""
    if request.param == "sqlite":
        return Place(database)
    server: Server = request.getfixturevalue("postgres")
    return Place(database, server, server.create())


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, database: Path) -> Place:
    """A database of each engine; that on a server has its schema already."""
    if request.param == "sqlite":
        return Place(database)
    server: Server = request.getfixturevalue("postgres")
    template: str = request.getfixturevalue("migrated")
    return Place(database, server, server.create(template))


@pytest.fixture
def store(place: Place, ask: Callable[[Coroutine[Any, Any, Any]], Any]) -> Iterator[Store]:
    opened = ask(place.open())
    yield opened
    ask(opened.close())


@pytest.fixture
def embedded(database: Path, ask: Callable[[Coroutine[Any, Any, Any]], Any]) -> Iterator[Store]:
    """The store in `database`, for what is about files."""
    opened = open_store(database)
    yield opened
    ask(opened.close())
