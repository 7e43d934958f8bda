"""A server of its own on a free port, workers if asked for, and clients that wait for verdicts."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_CLIENTS = 4


@dataclass(frozen=True, slots=True)
class Server:
    """A running `allclose serve`; one kept-alive connection a thread."""

    pid: int
    host: str
    port: int
    logs: tuple[Path, ...]
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
        lines = (line for log in self.logs for line in log.read_text().splitlines())
        found = [json.loads(line) for line in lines if line[:1] == "{"]
        judged = sorted(
            (line["timestamp"], float(line["waited_ms"]))
            for line in found
            if line.get("event") == "judged"
        )
        return [waited_ms for _, waited_ms in judged[-last:]]

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


@dataclass(frozen=True, slots=True)
class Others:
    """Worker processes that judge for the server, by a PostgreSQL database that is filled."""

    workers: int
    database_url: str


@contextmanager
def served(
    problems: Path, data: Path, temporary: Path | None = None, others: Others | None = None
) -> Iterator[Server]:
    """`allclose serve` on these problems, until the block ends; `temporary`: for its own files."""
    logs = [data.with_name("server.log")]
    where = ["--problems", str(problems), "--data", str(data)]
    settings = {"LOG_FORMAT": "json", "GUEST_SUBMISSIONS_A_MINUTE": "0", "QUEUE_SHARE": "1000"}
    if others is not None:
        settings |= {"DATABASE_URL": others.database_url}
        if others.workers:
            settings |= {"WORKERS": "0"}
    with ExitStack() as processes:
        server = processes.enter_context(
            _started(["serve", "--no-verify", "--port", "0", *where], settings, logs[0], temporary)
        )
        line = _first_line(server)
        host, _, port = line.strip().rpartition("/")[2].rpartition(":")
        if not port.isdigit():
            raise RuntimeError(f"the server did not start: {logs[0].read_text()[-2000:]}")
        for number in range(others.workers if others else 0):
            assert others is not None
            logs.append(data.with_name(f"worker-{number}.log"))
            each = max(1, -(-len(os.sched_getaffinity(0)) // others.workers))
            settings |= {"WORKERS": str(each)}
            worker = processes.enter_context(
                _started(["work", *where], settings, logs[-1], temporary)
            )
            _first_line(worker)
        yield Server(server.pid, host, int(port), tuple(logs))


@contextmanager
def _started(
    command: list[str], settings: Mapping[str, str], log: Path, temporary: Path | None
) -> Iterator[subprocess.Popen[str]]:
    """The command with these settings and no others, ended with the block."""
    environment = {name: value for name, value in os.environ.items() if "ALLCLOSE_" not in name}
    environment |= {f"ALLCLOSE_{name}": value for name, value in settings.items()}
    if temporary is not None:
        environment["TMPDIR"] = str(temporary)
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "app", *command],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()
            process.wait(timeout=30)


def _first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()
