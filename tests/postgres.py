"""A PostgreSQL server of one's own, for tests: nobody's password, nobody's port, gone at the end.

Nothing of it outlives a power cut, and it is fast for that.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg

_CONFIGURATION = """
listen_addresses = ''
fsync = off
full_page_writes = off
autovacuum_naptime = 10s
max_connections = 200
shared_buffers = 64MB
"""


@dataclass
class Server:
    """A server that listens on a socket in its own folder."""

    folder: Path
    _process: subprocess.Popen[bytes] | None = None
    _names: Iterator[int] = field(default_factory=lambda: count(1))

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def start(self) -> None:
        """Returns when it takes connections."""
        command = [str(_programs() / "postgres"), "-D", str(self.folder / "data")]
        with (self.folder / "log").open("a") as log:
            self._process = subprocess.Popen(
                # It must not outlive the tests, however they end.
                [*_unprivileged("--pdeathsig", "QUIT"), *command, "-k", str(self.folder)],
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        deadline = time.monotonic() + 30
        while True:
            try:
                self.ask("SELECT 1")
                return
            except (OSError, asyncpg.PostgresError):
                alive = self._process.poll() is None and time.monotonic() < deadline
                assert alive, (self.folder / "log").read_text()
                time.sleep(0.02)

    def stop(self) -> None:
        """At once, as in a power cut, but waited for."""
        assert self._process is not None
        self._process.send_signal(3)
        self._process.wait(timeout=30)

    def create(self, template: str = "template1") -> str:
        """The address of a new database."""
        name = f"test_{next(self._names)}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def ask(self, question: str, url: str | None = None) -> list[tuple[Any, ...]]:
        """What the database says, by a connection that is none of the program's."""

        async def answer() -> list[tuple[Any, ...]]:
            connection = await asyncpg.connect(url or self.url())
            try:
                return [tuple(row) for row in await connection.fetch(question)]
            finally:
                await connection.close()

        return asyncio.run(answer())


@contextmanager
def running_server(network: str = "") -> Iterator[Server]:
    """A new server, until the block ends.

    network   believe whoever comes from there, on any address and the usual port
    """
    # Sockets want short paths, and pytest's own folders are closed to the user `postgres`.
    folder = Path(tempfile.mkdtemp(prefix="allclose-postgres-"))
    server = Server(folder)
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        initdb = [_programs() / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust"]
        quick = ["--no-sync", "--encoding", "UTF8", "--locale", "C"]
        subprocess.run(
            [*_unprivileged(), *map(str, initdb), *quick],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
        )
        with (folder / "data" / "postgresql.conf").open("a") as configuration:
            configuration.write(_CONFIGURATION)
            if network:
                configuration.write("listen_addresses = '*'\n")
        if network:
            with (folder / "data" / "pg_hba.conf").open("a") as believed:
                believed.write(f"host all all {network} trust\n")
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def installed() -> bool:
    """Whether this machine has PostgreSQL, from Debian's package."""
    return bool(list(Path("/usr/lib/postgresql").glob("*/bin/postgres")))


def _programs() -> Path:
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))


def _unprivileged(*more: str) -> list[str]:
    """PostgreSQL refuses to run as root."""
    as_user = ["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    return ["setpriv", *(as_user if os.geteuid() == 0 else []), *more, "--"]
