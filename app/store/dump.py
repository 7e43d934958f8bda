"""A PostgreSQL database as one file, and back, by PostgreSQL's own programs.

They are those of the machine (Debian: `postgresql-client`), and must not be older than the server. The
password goes through their environment: arguments can be read by everybody on the machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from app.errors import Invalid, NotFound, StoreUnavailable

_PACKAGE = "PostgreSQL's client programs are needed (Debian: apt install postgresql-client)"


def dump(url: str, file: Path) -> None:
    """Write the database, jobs and all, as it is at one moment, into a file that does not exist yet.

    Raises Invalid (the file exists), StoreUnavailable.
    """
    if file.exists():
        raise Invalid(f"{file} exists; move it away first")
    making = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        _run(url, "pg_dump", "--format=custom", "--no-owner", f"--file={making}")
        making.chmod(0o600)
        os.link(making, file)  # unlike a rename, never over another one
    except OSError as error:
        raise StoreUnavailable(f"{file}: {error.strerror}") from error
    finally:
        making.unlink(missing_ok=True)


def undump(file: Path, url: str) -> None:
    """Fill an empty database with what `dump` wrote: all of it, or nothing.

    Raises NotFound, StoreUnavailable (also where the database is not empty).
    """
    if not file.exists():
        raise NotFound(f"there is no file {file}")
    _run(url, "pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", str(file))


def _run(url: str, program: str, *arguments: str) -> None:
    path = shutil.which(program)
    if path is None:
        raise StoreUnavailable(f"there is no {program}; {_PACKAGE}")
    address, password = _without_password(url)
    done = subprocess.run(
        [path, *arguments, f"--dbname={address}", "--no-password"],
        env=os.environ | ({"PGPASSWORD": password} if password else {}),
        umask=0o077,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error:" in line] or [done.stderr]
        raise StoreUnavailable(lines[0].strip())


def _without_password(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    names, at, place = parts.netloc.rpartition("@")
    name, _, password = names.partition(":")
    if not password:
        return url, ""
    return urlunsplit(parts._replace(netloc=f"{name}{at}{place}")), unquote(password)
