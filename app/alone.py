"""One server a data folder: its queue is in its memory, and a second one would judge the same rows."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.errors import SettingsError

_NAME = "serving"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder for as long as the block lasts; the kernel lets go where the process dies.

    Raises SettingsError where another server holds it. A folder in which nothing can be locked is
    left to whoever writes there next, and says what is wrong with it.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):  # a file system without locks
            _lock(held, folder)
        yield
    finally:
        os.close(held)


def _lock(held: int, folder: Path) -> None:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SettingsError(
            f"another server uses the data folder {folder}; stop it, or name another with --data "
            "(several servers share a PostgreSQL database: ALLCLOSE_DATABASE_URL)"
        ) from None
