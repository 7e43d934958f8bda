"""Opening the database: created or migrated first, under its lock."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import Connection, false, inspect, select, text
from sqlalchemy.exc import DatabaseError

from app.errors import SchemaMismatch, StoreUnavailable
from app.store.accounts import Accounts
from app.store.audit_log import AuditLog
from app.store.database import OPEN_S, Database, SqliteDatabase, explained, sqlite_engine
from app.store.drafts import Drafts
from app.store.health import Health
from app.store.members import Members
from app.store.offers import Offers
from app.store.owned import Owned
from app.store.packages import Packages
from app.store.people import People
from app.store.places import Places
from app.store.presence import Presence
from app.store.profiles import Profiles
from app.store.progress import Progress
from app.store.rejudge_looks import RejudgeLooks
from app.store.rejudges import Rejudges
from app.store.releasing import Releasing
from app.store.retention import Retention
from app.store.schema import VERSION, users
from app.store.sessions import Sessions
from app.store.statistics import Statistics
from app.store.submissions import Submissions
from app.store.tests import Tests
from app.store.timed import Observe, TimedDatabase
from app.store.tokens import Tokens
from app.store.waiting import WhatWaits

# Any number that no other program takes for its own lock on the same server.
_MIGRATING = 5_215_300_941
# Taking a lock is writing, for a server; SQLite has taken its own by then.
_COULD_WRITE = select(users.c.number).where(false()).with_for_update()


class Store(
    Submissions,
    WhatWaits,
    Places,
    Progress,
    Drafts,
    Presence,
    Profiles,
    Tests,
    People,
    Accounts,
    Sessions,
    Tokens,
    Owned,
    Retention,
    Rejudges,
    Releasing,
    RejudgeLooks,
    Health,
    Members,
    AuditLog,
    Packages,
    Statistics,
    Offers,
):
    """Every question that the program asks of its database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._listed = set()

    def timed(self, observe: Observe) -> Store:
        """The same store, whose transactions are told to `observe`."""
        return Store(TimedDatabase(self._database, observe))

    async def ready(self) -> None:
        """Raises StoreUnavailable unless something could be written now."""
        async with self._database.writing() as transaction:
            await transaction.row(_COULD_WRITE)

    async def close(self) -> None:
        await self._database.close()


def open_store(path: Path) -> Store:
    """The embedded database in the file `path`, made or brought up to date if need be.

    Use the store from the thread that opened it.
    Raises StoreUnavailable (a folder that cannot be written, a lock that stays) and SchemaMismatch.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # people's programs are in it
    except OSError as error:
        raise StoreUnavailable(f"{path.parent} cannot be made: {error.strerror}") from error
    try:
        with explained():
            _migrate(path)
    except StoreUnavailable as error:
        raise StoreUnavailable(f"{path}: {error}") from error
    except DatabaseError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_NOTADB:
            raise
        raise SchemaMismatch(f"{path} is not a database") from error
    except SchemaMismatch as error:
        raise SchemaMismatch(f"{path}: {error}") from error
    return Store(SqliteDatabase(path))


async def connect_store(url: str) -> Store:
    """The database on a PostgreSQL server, made or brought up to date if need be.

    Use the store on the event loop that it was opened on.
    Raises SettingsError (no such address), StoreUnavailable and SchemaMismatch.
    """
    # Only a cluster pays for importing SQLAlchemy's asynchronous half.
    from app.store.postgresql import PostgresDatabase, in_one_transaction

    def migrate(connection: Connection) -> None:
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
        found = _version(connection)
        if found != VERSION:
            _upgrade(connection, found)

    await in_one_transaction(url, migrate)
    return Store(PostgresDatabase(url))


def _migrate(path: Path) -> None:
    """Bring the schema to VERSION; of several processes that start at once, one does it."""
    engine = sqlite_engine(path, busy_s=OPEN_S)
    with engine.connect() as connection:
        with connection.begin():
            _version(connection)  # what is not ours is not even switched to WAL
        dbapi = connection.connection.dbapi_connection
        assert dbapi is not None
        cursor = dbapi.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.close()  # an open statement would keep the transaction below from committing
        with connection.execution_options(writing=True).begin():
            found = _version(connection)
            if found != VERSION:
                _upgrade(connection, found)
    engine.dispose()


def _version(connection: Connection) -> str | None:
    """The migration that the database is at; None: it is empty."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise SchemaMismatch("this database was not made by Allclose")
    row = connection.exec_driver_sql("SELECT version_num FROM alembic_version").first()
    return str(row[0]) if row else None


def _upgrade(connection: Connection, found: str | None) -> None:
    # Only a start that migrates pays for importing Alembic.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        if found is not None:
            ScriptDirectory.from_config(config).get_revision(found)
    except CommandError as error:
        raise SchemaMismatch(
            f"the database has schema {found}, this Allclose knows up to {VERSION}; run a newer one"
        ) from error
    command.upgrade(config, VERSION)
