"""The embedded database moved into a cluster's: every row, in one transaction, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import Connection, Table, func, insert, select, text

from app.errors import Conflict, NotFound
from app.store.database import explained, sqlite_engine
from app.store.opening import connect_store, open_store
from app.store.postgresql import in_one_transaction
from app.store.schema import metadata

# Is told a table, how many of its rows are there, and how many there will be.
Tell: TypeAlias = Callable[[str, int, int], None]

_BATCH = 500


async def copy(source: Path, url: str, tell: Tell = lambda table, done, total: None) -> int:
    """Copy every table into the database at `url`; returns the number of rows.

    Both are brought up to date first. The source is only read, as of one moment. Nothing is copied
    by halves: where a row is refused, or the counts differ in the end, the target stays empty.
    Raises NotFound (no source), Conflict (the target holds something), StoreError.
    """
    if not source.is_file():
        raise NotFound(f"there is no embedded database {source}")
    await open_store(source).close()
    await (await connect_store(url)).close()
    rows = 0

    def change(target: Connection) -> None:
        nonlocal rows
        _refuse_unless_empty(target)
        with _snapshot(source) as embedded:
            for table in metadata.sorted_tables:
                rows += _table(table, embedded, target, tell)

    await in_one_transaction(url, change)
    return rows


@contextmanager
def _snapshot(source: Path) -> Iterator[Connection]:
    engine = sqlite_engine(source)
    with explained(), engine.connect() as embedded, embedded.begin():
        embedded.exec_driver_sql("BEGIN")  # or each statement would see a moment of its own
        yield embedded
    engine.dispose()


def _refuse_unless_empty(target: Connection) -> None:
    for table in metadata.sorted_tables:
        if target.execute(select(1).select_from(table).limit(1)).first() is not None:
            raise Conflict(
                f"the table {table.name} of the PostgreSQL database holds rows already; "
                "copy into a new database"
            )


def _table(table: Table, embedded: Connection, target: Connection, tell: Tell) -> int:
    total = embedded.scalar(select(func.count()).select_from(table)) or 0
    done = 0
    tell(table.name, done, total)
    found = embedded.execute(select(table).order_by(*table.primary_key.columns))
    while rows := found.mappings().fetchmany(_BATCH):
        target.execute(insert(table).inline(), [dict(row) for row in rows])
        done += len(rows)
        tell(table.name, done, total)
    there = target.scalar(select(func.count()).select_from(table))
    if there != total:
        raise Conflict(f"{table.name}: {there} rows were copied, not {total}")
    if total and table.autoincrement_column is not None:
        _count_on(table.name, table.autoincrement_column.name, target)
    return total


def _count_on(table: str, column: str, target: Connection) -> None:
    """New rows get numbers after the copied ones."""
    sequence = f"pg_get_serial_sequence('{table}', '{column}')"
    greatest = f'(SELECT max("{column}") FROM "{table}")'
    target.execute(text(f"SELECT setval({sequence}, {greatest})"))
