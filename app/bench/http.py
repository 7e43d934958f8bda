"""A server of its own on a free port, and clients that wait for verdicts."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_CLIENTS = 4


@dataclass(frozen=True, slots=True)
class Server:
    """A running `allclose serve`; one kept-alive connection a thread."""

    pid: int
    host: str
    port: int
    _local: threading.local = field(default_factory=threading.local)

    def verdict(self, problem: str, source: str) -> str:
        """POST with wait, to the verdict."""
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
            self._local.connection = connection
        body = json.dumps({"problem": problem, "source": source})
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/api/v1/submissions?wait=30", body, headers)
        answer = json.loads(connection.getresponse().read())
        return str(answer.get("verdict") or answer)

    def throughput_per_s(self, problem: str, source: str, seconds: float) -> float:
        """Judgements a second with several clients, each sending the next when it has a verdict."""
        end = time.perf_counter() + seconds
        done: list[int] = []

        def client() -> None:
            count = 0
            while time.perf_counter() < end:
                count += self.verdict(problem, source) == "AC"
            done.append(count)

        threads = [threading.Thread(target=client) for _ in range(_CLIENTS)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(done) / (time.perf_counter() - start)


@contextmanager
def served(problems: Path, data: Path) -> Iterator[Server]:
    """`allclose serve` on these problems, until the block ends."""
    command = [sys.executable, "-m", "app", "serve", "--port", "0"]
    command += ["--problems", str(problems), "--data", str(data)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            host, _, port = line.strip().rpartition("/")[2].rpartition(":")
            if not port.isdigit():
                raise RuntimeError(f"the server did not start: {line!r}")
            yield Server(process.pid, host, int(port))
        finally:
            process.terminate()
            process.wait(timeout=30)
