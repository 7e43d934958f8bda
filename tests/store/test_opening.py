"""Opening a database: new, old, foreign, or from the future; and what disk and neighbours do to it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, Table

from app.errors import Invalid, SchemaMismatch, SettingsError, StoreUnavailable
from app.store import Store, connect_store, open_store
from app.store.schema import VERSION, metadata
from tests.postgres import Server
from tests.store.conftest import Place
from tests.store.examples import judgement, submission

Ask = Callable[[Any], Any]

MIGRATIONS = Path(open_store.__code__.co_filename).parent / "migrations"


def test_the_migrations_end_at_the_schema(ask: Ask, place: Place) -> None:
    """A migrated database has exactly the tables that the program is written for."""
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == VERSION
    ask(ask(place.open()).close())
    place.look(_is_as_the_program_wants_it)


def _is_as_the_program_wants_it(connection: Connection) -> None:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    assert compare_metadata(context, metadata) == []


@pytest.mark.parametrize("released", ["0001"])
def test_every_released_schema_is_brought_up_to_date_with_its_data(
    ask: Ask, empty: Place, released: str
) -> None:
    """What was accepted and judged under it is there as before, and the rest can be asked of it."""
    rows = json.loads((Path(__file__).parent / "released" / f"{released}.json").read_text())
    empty.look(lambda connection: _written_by_an_older_program(connection, released, rows))
    store = ask(empty.open())
    standing = ask(store.standing("one"))
    assert standing.submission == submission()
    assert standing.judgement == judgement("WA")
    assert ask(store.unjudged_submission("two")) == submission("two", trial=True)
    assert ask(store.token_owner("secret-token")).name == "Ada"
    assert [version.version for version in ask(store.current_test_versions())] == ["abc"]
    ask(store.add_submission(submission("three"), "guest:1"))
    assert ask(store.add_judgement(submission("three"), judgement()))
    ask(store.close())
    empty.look(_is_as_the_program_wants_it)


def _written_by_an_older_program(
    connection: Connection, released: str, rows: dict[str, list[dict[str, Any]]]
) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, released)
    for name, of_table in rows.items():
        table = Table(name, MetaData(), autoload_with=connection)
        connection.execute(table.insert(), of_table)


def test_a_database_is_found_again(place: Place, ask: Ask) -> None:
    """Opening does not touch what is there."""
    first = ask(place.open())
    ask(first.add_submission(submission(), "guest:1"))
    ask(first.close())
    second = ask(place.open())
    assert ask(second.unjudged_submission("one")) == submission()
    ask(second.close())


def test_only_its_owner_may_look_into_the_folder(ask: Ask, database: Path) -> None:
    """People's programs are in it; neighbours on the machine need not read them."""
    ask(open_store(database).close())
    assert database.parent.stat().st_mode & 0o077 == 0


def test_several_processes_may_open_a_new_database_at_once(empty: Place) -> None:
    """The migration runs once, under a lock; the others wait for it."""
    program = (
        "import asyncio, pathlib, sys; from app.store import connect_store, open_store\n"
        "async def opened():\n"
        "    file, url = sys.argv[1:]\n"
        "    store = await connect_store(url) if url else open_store(pathlib.Path(file))\n"
        "    await store.ready()\n"
        "    await store.close()\n"
        "asyncio.run(opened())"
    )
    options = ["-W", "error::DeprecationWarning", "-c", program]
    start = [sys.executable, *options, str(empty.file), empty.url]
    processes = [subprocess.Popen(start, stderr=subprocess.PIPE) for _ in range(3)]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()


def test_a_schema_from_the_future_is_refused(place: Place, ask: Ask) -> None:
    """An older program must not write into a newer database; it says which schema it found."""
    ask(ask(place.open()).close())
    place.change("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaMismatch, match=r"9999.*newer"):
        ask(place.open())


@pytest.mark.postgresql
def test_a_database_of_something_else_is_refused(postgres: Server, ask: Ask) -> None:
    """Another program's tables on the server are not touched."""
    url = postgres.create()
    postgres.ask("CREATE TABLE recipes (cake TEXT)", url)
    with pytest.raises(SchemaMismatch, match="not made by Allclose"):
        ask(connect_store(url))
    tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
    assert postgres.ask(tables, url) == [("recipes",)]


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


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://ada:secret@127.0.0.1:1/allclose", "cannot be reached"),
        ("postgresql://ada:secret@nowhere.invalid/allclose", "cannot be reached"),
        ("postgresql://ada:secret@127.0.0.1:port/allclose", "not the address of a database"),
        ("postgresql://ada:secret@/nothing?host=FOLDER", "no such|refuses"),
    ],
    ids=["nobody listens", "no such host", "no port", "no such database or user"],
)
def test_a_wrong_address_is_told_without_the_password(
    postgres: Server, ask: Ask, url: str, told: str
) -> None:
    """One line that says what to look at; the password is in none."""
    with pytest.raises((SettingsError, StoreUnavailable), match=told) as raised:
        ask(connect_store(url.replace("FOLDER", str(postgres.folder))))
    assert "secret" not in str(raised.value)


@pytest.mark.postgresql
def test_text_that_no_database_holds_is_the_clients_fault(postgres: Server, ask: Ask) -> None:
    """PostgreSQL has no NUL in its texts, and SQLite does not mind: nothing fails inside."""
    store = ask(connect_store(postgres.create()))
    with pytest.raises(Invalid):
        ask(store.standing("a\0b"))
    ask(store.close())


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """The reason is given in one line, with the path."""
    (tmp_path / "data").write_text("a file, not a folder")
    with pytest.raises(StoreUnavailable, match="data"):
        open_store(tmp_path / "data" / "allclose.sqlite3")


@pytest.fixture
def neighbour(database: Path, embedded: Store) -> Iterator[sqlite3.Connection]:
    """Another process's connection that holds the write lock."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield connection
    connection.close()


def test_a_locked_database_refuses_to_write_and_still_reads(
    embedded: Store, ask: Ask, neighbour: sqlite3.Connection
) -> None:
    """A lock that stays is StoreUnavailable; nothing of the submission is kept."""
    with pytest.raises(StoreUnavailable, match="locked"):
        ask(embedded.add_submission(submission(), "guest:1"))
    assert ask(embedded.unjudged_submissions(10)) == ()
    neighbour.execute("ROLLBACK")
    ask(embedded.add_submission(submission(), "guest:1"))
    assert len(ask(embedded.unjudged_submissions(10))) == 1


def test_a_short_lock_is_waited_for_without_holding_up_others(
    embedded: Store, ask: Ask, neighbour: sqlite3.Connection
) -> None:
    """While one request waits for the lock, the event loop serves the rest."""

    async def both() -> int:
        writing = asyncio.create_task(embedded.add_submission(submission(), "guest:1"))
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
