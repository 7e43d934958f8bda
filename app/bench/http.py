"""A server of its own on a free port, and clients that wait for verdicts."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
    log: Path
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

    def at_rate(self, problem: str, source: str, per_s: float, seconds: float) -> list[float]:
        """Seconds to each verdict, where so many are asked for a second, whoever still waits.

        Counted from when it should have been sent: a slow answer delays nobody's clock.
        """
        begun = time.perf_counter()

        def ask(number: int) -> float:
            due = begun + number / per_s
            time.sleep(max(0.0, due - time.perf_counter()))
            assert self.verdict(problem, source) == "AC"
            return time.perf_counter() - due

        with ThreadPoolExecutor(_CLIENTS * 4) as clients:
            return list(clients.map(ask, range(max(20, round(per_s * seconds)))))

    def waited_ms(self, last: int) -> list[float]:
        """How long the last so many submissions waited for their judging, as the log tells."""
        lines = (json.loads(line) for line in self.log.read_text().splitlines() if line[:1] == "{")
        waited = [float(line["waited_ms"]) for line in lines if line.get("event") == "judged"]
        return waited[-last:]

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
def served(problems: Path, data: Path, temporary: Path | None = None) -> Iterator[Server]:
    """`allclose serve` on these problems, until the block ends; `temporary`: for its own files."""
    command = [sys.executable, "-m", "app", "serve", "--no-verify", "--port", "0"]
    command += ["--problems", str(problems), "--data", str(data)]
    log = data.with_name("server.log")
    own = {} if temporary is None else {"TMPDIR": str(temporary)}
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | {"ALLCLOSE_LOG_FORMAT": "json"} | own,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            host, _, port = line.strip().rpartition("/")[2].rpartition(":")
            if not port.isdigit():
                raise RuntimeError(f"the server did not start: {line!r}")
            yield Server(process.pid, host, int(port), log)
        finally:
            process.terminate()
            process.wait(timeout=30)
