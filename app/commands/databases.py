"""`allclose db`: the database as one file, and back; and moved into a cluster's."""

from __future__ import annotations

import asyncio
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID

from app.config import Settings
from app.errors import SettingsError
from app.store import backup, copying
from app.store.dump import dump, undump


def back_up(settings: Settings, file: Path) -> None:
    """Raises NotFound, Invalid, StoreError."""
    if settings.cluster:
        dump(settings.cluster, file)
    else:
        backup.back_up(settings.database, file)
    print(f"{file}: {file.stat().st_size / 2**20:.1f} MiB, looked through and whole")


def restore(settings: Settings, file: Path) -> None:
    """Raises NotFound, Invalid, StoreError."""
    if settings.cluster:
        undump(file, settings.cluster)
    else:
        backup.restore(file, settings.database)
    print(f"The database is as it was when {file} was made")


def copy(settings: Settings, console: Console) -> None:
    """Raises SettingsError, NotFound, Conflict, StoreError."""
    if not settings.cluster:
        raise SettingsError("ALLCLOSE_DATABASE_URL names the PostgreSQL database to copy into")
    with Progress(console=console, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def tell(table: str, done: int, total: int) -> None:
            if table not in tasks:
                tasks[table] = bars.add_task(table, total=total)
            bars.update(tasks[table], completed=done)

        rows = asyncio.run(copying.copy(settings.database, settings.cluster, tell))
    print(f"{rows} rows of {settings.database} are in the PostgreSQL database, every table counted")
