"""A database as one file, and back: SQLite's online backup, or PostgreSQL's own programs.

A backup sees one moment, while the service goes on. It holds everything that people sent, so only
its owner may read it; it is whole or not there, and has been looked through.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.errors import Invalid, NotFound, SchemaMismatch, StoreUnavailable

_PAGES = 1000  # copied at once; between them the service may write


def back_up(database: Path, file: Path) -> None:
    """Copy the embedded database into a file that does not exist yet.

    Raises NotFound, Invalid (the file exists), StoreUnavailable (it cannot be written, or the copy
    is damaged).
    """
    if not database.exists():
        raise NotFound(f"there is no database {database}")
    _copy(database, file)


def restore(file: Path, database: Path) -> None:
    """Make the embedded database from a backup; there must be none yet.

    Raises NotFound, Invalid (there is a database), SchemaMismatch, StoreUnavailable.
    """
    if not file.exists():
        raise NotFound(f"there is no file {file}")
    with (
        _told(file),
        closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as found,
    ):
        tables = {row[0] for row in found.execute("SELECT name FROM sqlite_master")}
    if "alembic_version" not in tables:
        raise SchemaMismatch(f"{file} was not made by Allclose")
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _copy(file, database)


def _copy(source: Path, target: Path) -> None:
    if target.exists():
        raise Invalid(f"{target} exists; move it away first")
    making = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with _told(target):
            os.close(os.open(making, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            with (
                closing(sqlite3.connect(source)) as old,
                closing(sqlite3.connect(making)) as new,
            ):
                old.backup(new, pages=_PAGES, sleep=0.01)
                new.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
                _look_through(new, source)
            _synced(making)
            os.link(making, target)  # unlike a rename, never over another one
    finally:
        making.unlink(missing_ok=True)


def _look_through(copy: sqlite3.Connection, source: Path) -> None:
    """Raises StoreUnavailable where anything is damaged."""
    found = [row[0] for row in copy.execute("PRAGMA integrity_check")]
    if found != ["ok"] or copy.execute("PRAGMA foreign_key_check").fetchone():
        raise StoreUnavailable(f"{source} is damaged: {found[0]}")


def _synced(path: Path) -> None:
    for place in (path, path.parent):
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise Invalid(f"{path} exists; move it away first") from error
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise StoreUnavailable(f"{path}: {reason}") from error
