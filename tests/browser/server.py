"""`allclose serve` in a process of its own, which can be stopped and started again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parent.parent.parent
START_S = 60.0


class Server:
    """One data folder and one port, for as long as the block lasts."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Returns when programs can be submitted."""
        command = [sys.executable, "-m", "app", "serve", "--no-verify"]
        command += ["--port", str(self._port), "--data", str(self._data)]
        with (self._data / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        until = time.monotonic() + START_S
        while not self._ready():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < until, self.log
            time.sleep(0.1)

    def stop(self, *, at_once: bool = False) -> None:
        """As a service manager would, or as a power cut would."""
        if self._process is None:
            return
        if at_once:
            self._process.kill()
        else:
            self._process.terminate()
        self._process.wait(timeout=60)
        self._process = None

    @property
    def log(self) -> str:
        return (self._data / "log").read_text()

    def _ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
