"""A backup is whole or not there, sees one moment, and brings everything back."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from app.errors import AllcloseError, Invalid, NotFound, SchemaMismatch, StoreUnavailable
from app.model import Submission
from app.store import Store, open_store
from app.store.backup import back_up, restore

T = TypeVar("T")


def asked(path: Path, question: Callable[[Store], Awaitable[T]]) -> T:
    async def ask() -> T:
        store = open_store(path)
        try:
            return await question(store)
        finally:
            await store.close()

    return asyncio.run(ask())


async def _filled(store: Store) -> None:
    for number in range(20):
        submission = Submission(f"s{number}", "f/v", "x" * 10_000)
        await store.add_submission(submission, "guest:1")


def test_everything_comes_back(tmp_path: Path) -> None:
    """From one file that only its owner may read, without companions."""
    database, file = tmp_path / "data" / "allclose.sqlite3", tmp_path / "kept"
    asked(database, _filled)
    back_up(database, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "kept"]
    elsewhere = tmp_path / "new" / "allclose.sqlite3"
    restore(file, elsewhere)
    found = asked(elsewhere, lambda store: store.unjudged_submissions(100))
    assert [one.id for one in found] == [f"s{number}" for number in range(20)]


def test_a_backup_is_made_while_others_write(tmp_path: Path) -> None:
    """Neither waits for the other, and the copy is one moment: rows that belong together are both there."""
    database = tmp_path / "allclose.sqlite3"
    asked(database, _filled)
    stop = threading.Event()

    def write() -> None:
        with sqlite3.connect(database, isolation_level=None, timeout=10) as connection:
            while not stop.is_set():
                connection.execute("BEGIN IMMEDIATE")
                for table in ("one", "two"):
                    connection.execute(
                        "INSERT INTO audit (at_ms, who, action, subject, details_json)"
                        f" VALUES (1, 'x', '{table}', '', '')"
                    )
                connection.execute("COMMIT")
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            file = tmp_path / f"kept{number}"
            back_up(database, file)
            with sqlite3.connect(file) as copy:
                rows = copy.execute("SELECT action, count(*) FROM audit GROUP BY action").fetchall()
            copy.close()
            assert len({count for _, count in rows}) <= 1
    finally:
        stop.set()
        writer.join()


def _nothing(folder: Path) -> None:
    back_up(folder / "none", folder / "kept")


def _twice(folder: Path) -> None:
    asked(folder / "db", _filled)
    back_up(folder / "db", folder / "kept")
    back_up(folder / "db", folder / "kept")


def _over_a_database(folder: Path) -> None:
    asked(folder / "db", _filled)
    back_up(folder / "db", folder / "kept")
    restore(folder / "kept", folder / "db")


def _of_something_else(folder: Path) -> None:
    sqlite3.connect(folder / "other").close()
    restore(folder / "other", folder / "db")


def _of_no_database(folder: Path) -> None:
    (folder / "text").write_text("no database " * 1000)
    restore(folder / "text", folder / "db")


def _of_a_damaged_one(folder: Path) -> None:
    asked(folder / "db", _filled)
    back_up(folder / "db", folder / "kept")
    content = bytearray((folder / "kept").read_bytes())
    content[len(content) // 2 : len(content) // 2 + 20_000] = b"\xff" * 20_000
    (folder / "damaged").write_bytes(content)
    restore(folder / "damaged", folder / "new")


def _nowhere(folder: Path) -> None:
    asked(folder / "db", _filled)
    back_up(folder / "db", folder / "no" / "such" / "folder")


@pytest.mark.parametrize(
    ("attempt", "error"),
    [
        (_nothing, NotFound),
        (_twice, Invalid),
        (_over_a_database, Invalid),
        (_of_something_else, SchemaMismatch),
        (_of_no_database, StoreUnavailable),
        (_of_a_damaged_one, StoreUnavailable),
        (_nowhere, StoreUnavailable),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    attempt: Callable[[Path], None], error: type[AllcloseError], tmp_path: Path
) -> None:
    """No file is overwritten, and nothing half made is left."""
    with pytest.raises(error):
        attempt(tmp_path)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    assert not (tmp_path / "new").exists()
