"""Opening a database: new, old, foreign, or from the future; and what disk and neighbours do to it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app.errors import SchemaMismatch, StoreUnavailable
from app.store import Store, open_store
from app.store.database import sqlite_engine
from app.store.schema import VERSION, metadata
from tests.store.examples import judgement, submission

Ask = Callable[[Any], Any]

MIGRATIONS = Path(open_store.__code__.co_filename).parent / "migrations"


def test_the_migrations_end_at_the_schema(store: Store, database: Path) -> None:
    """A migrated database has exactly the tables that the program is written for."""
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == VERSION
    engine = sqlite_engine(database)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_a_database_is_found_again(database: Path, ask: Ask) -> None:
    """Opening does not touch what is there."""
    first = open_store(database)
    ask(first.add_submission(submission(), "guest:1"))
    ask(first.close())
    second = open_store(database)
    assert ask(second.unjudged_submission("one")) == submission()
    ask(second.close())


def test_only_its_owner_may_look_into_the_folder(store: Store, database: Path) -> None:
    """People's programs are in it; neighbours on the machine need not read them."""
    assert database.parent.stat().st_mode & 0o077 == 0


def test_several_processes_may_open_a_new_database_at_once(database: Path) -> None:
    """The migration runs once, under a lock; the others wait for it."""
    program = (
        "import asyncio, pathlib, sys; from app.store import open_store;"
        "asyncio.run(open_store(pathlib.Path(sys.argv[1])).ready())"
    )
    command = [sys.executable, "-W", "error::DeprecationWarning", "-c", program, str(database)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()


def test_a_schema_from_the_future_is_refused(database: Path, ask: Ask) -> None:
    """An older program must not write into a newer database; it says which schema it found."""
    ask(open_store(database).close())
    _execute(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaMismatch, match=r"9999.*newer"):
        open_store(database)


def test_a_file_of_something_else_is_refused(database: Path) -> None:
    """Neither another program's database nor any other file is touched."""
    database.parent.mkdir()
    _execute(database, "CREATE TABLE recipes (cake TEXT)")
    before = database.read_bytes()
    with pytest.raises(SchemaMismatch, match="not made by Allclose"):
        open_store(database)
    assert database.read_bytes() == before
    database.write_bytes(b"Dear diary, " * 100)
    with pytest.raises(SchemaMismatch, match="not a database"):
        open_store(database)
    assert database.read_bytes().startswith(b"Dear diary")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """The reason is given in one line, with the path."""
    (tmp_path / "data").write_text("a file, not a folder")
    with pytest.raises(StoreUnavailable, match="data"):
        open_store(tmp_path / "data" / "allclose.sqlite3")


@pytest.fixture
def neighbour(database: Path, store: Store) -> Iterator[sqlite3.Connection]:
    """Another process's connection that holds the write lock."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield connection
    connection.close()


def test_a_locked_database_refuses_to_write_and_still_reads(
    store: Store, ask: Ask, neighbour: sqlite3.Connection
) -> None:
    """A lock that stays is StoreUnavailable; nothing of the submission is kept."""
    with pytest.raises(StoreUnavailable, match="locked"):
        ask(store.add_submission(submission(), "guest:1"))
    assert ask(store.unjudged_submissions(10)) == ()
    neighbour.execute("ROLLBACK")
    ask(store.add_submission(submission(), "guest:1"))
    assert len(ask(store.unjudged_submissions(10))) == 1


def test_a_short_lock_is_waited_for_without_holding_up_others(
    store: Store, ask: Ask, neighbour: sqlite3.Connection
) -> None:
    """While one request waits for the lock, the event loop serves the rest."""

    async def both() -> int:
        writing = asyncio.create_task(store.add_submission(submission(), "guest:1"))
        turns = 0
        while not writing.done():
            await asyncio.sleep(0.01)
            turns += 1
            if turns == 10:
                neighbour.execute("ROLLBACK")
        await writing
        return turns

    assert ask(both()) >= 10


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: mounts a small file system")
def test_a_full_disk_refuses_and_keeps_nothing_by_halves(tmp_path: Path, ask: Ask) -> None:
    """What could not be kept whole is not there at all, and room made free is used again."""
    small = tmp_path / "small"
    small.mkdir()
    options = ["-t", "tmpfs", "-o", "size=1m", "tmpfs"]
    if subprocess.run(["mount", *options, str(small)], capture_output=True).returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        store = open_store(small / "allclose.sqlite3")
        ballast = small / "ballast"
        ballast.write_bytes(b"x" * (os.statvfs(small).f_bavail * os.statvfs(small).f_frsize))
        with pytest.raises(StoreUnavailable, match="full"):
            _fill(store, ask)
        kept = {row.id for row in ask(store.unjudged_submissions(200))}
        ballast.unlink()
        assert {f"s{number}" for number in range(len(kept))} == kept
        ask(store.add_submission(submission("after"), "guest:1"))
        assert ask(store.add_judgement(submission("after"), judgement()))
        ask(store.close())
    finally:
        subprocess.run(["umount", str(small)], check=True)


def _fill(store: Store, ask: Ask) -> None:
    for number in range(1000):
        ask(store.add_submission(submission(f"s{number}"), "guest:1"))


def _execute(database: Path, statement: str) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.execute(statement)
    connection.close()
