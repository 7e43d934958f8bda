"""Processes of the service that can be killed and started again, and all that they started."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.descent import descendants
from tests.flow.served import BASE, ROOT


@dataclass
class Program:
    """`allclose serve` or `allclose work` on the small base package, in a folder of its own."""

    data: Path
    command: str
    settings: dict[str, str]
    problems: Path = BASE
    prefix: tuple[str, ...] = ()  # what it is run by, such as `ip netns exec NAME`
    url: str | None = None
    ready: bool = False
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)
    _begun: float = 0.0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def running(self) -> bool:
        """Also notices when it has become ready."""
        if self._process is None or self._process.poll() is not None:
            self.url, self.ready = None, False
            return False
        self._look()
        return True

    def start(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        clean = {name: value for name, value in os.environ.items() if "ALLCLOSE_" not in name}
        port = ["--port", "0"] if self.command == "serve" else []
        folders = ["--data", str(self.data), "--problems", str(self.problems)]
        self._output.write_text("")
        with self._output.open("w") as output, self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*self.prefix, sys.executable, "-m", "app", self.command, *port, *folders],
                cwd=ROOT,
                env=clean | self.settings,
                stdout=output,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self.url, self.ready = None, False

    def wait_ready(self, within_s: float = 240) -> None:
        """Until it serves and an accepted program was accepted, or judges.

        Whoever finds no database at its start ends, and is started again, as by a service manager.
        """
        deadline = time.monotonic() + within_s
        while True:
            if not self.running:
                self.start()
            if self.ready:
                return
            assert time.monotonic() < deadline, self.log.read_text()[-3000:]
            time.sleep(0.05)

    def kill(self) -> None:
        """As a power cut would: nobody is asked."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=30)
        self.url, self.ready = None, False

    def stop(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def log(self) -> Path:
        return self.data.with_suffix(".log")

    @property
    def _output(self) -> Path:
        return self.data.with_suffix(".out")

    def _look(self) -> None:
        if self.ready:
            return
        said = self._output.read_text()
        if self.command == "work":
            self.ready = "judges" in said
            return
        found = re.search(r"http://\S+", said)
        if found is None:
            return
        with suppress(httpx.HTTPError):
            answered = httpx.get(f"{found.group(0)}/readyz", timeout=5).status_code == 200
            self.url, self.ready = found.group(0), answered


class Alive:
    """Everything that was ever seen below some programs, to be looked for at the end."""

    def __init__(self) -> None:
        self._seen: dict[int, str] = {}

    def note(self, program: Program) -> None:
        if program.pid is not None:
            for pid in [program.pid, *descendants(program.pid)]:
                begun = _begun(pid)
                if begun is not None:
                    self._seen[pid] = begun

    def left(self, within_s: float) -> list[int]:
        """Pids of those that still run, after some time to end in."""
        deadline = time.monotonic() + within_s
        while left := [pid for pid, begun in self._seen.items() if _begun(pid) == begun]:
            if time.monotonic() > deadline:
                return left
            time.sleep(0.1)
        return []


def _begun(pid: int) -> str | None:
    """When it began, which tells it from a later one with its number; None: it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]
