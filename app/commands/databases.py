"""`allclose db`: the database as one file, and back."""

from __future__ import annotations

from pathlib import Path

from app.config import Settings
from app.store import backup
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
