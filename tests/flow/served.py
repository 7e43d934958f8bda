"""The real command with real boxes, in a process of its own, for tests of the whole way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent.parent
BASE = ROOT / "tests" / "packages" / "base"
PROBLEM = "weighted_mean/plain"

RIGHT = (
    "def weighted_mean(values, weights):\n"
    "    return sum(v * w for v, w in zip(values, weights)) / sum(weights)\n"
)
WRONG = "def weighted_mean(values, weights):\n    return sum(values) / len(values)\n"
BROKEN = "def weighted_mean(values, weights):\n    return values / 'a'\n"
ENDLESS = (  # on the first test only, so that one does not wait eleven times
    "def weighted_mean(values, weights):\n"
    "    while list(weights) == [1.0, 1.0, 1.0]:\n"
    "        pass\n"
    "    return sum(v * w for v, w in zip(values, weights)) / sum(weights)\n"
)


@dataclass(frozen=True)
class Served:
    """A service, and a client of its API."""

    process: subprocess.Popen[str]
    api: httpx.Client
    data: Path

    def send(self, source: str, problem: str = PROBLEM) -> str:
        """Its id; it must be accepted."""
        answer = self.api.post("/submissions", json={"problem": problem, "source": source})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["id"])

    def judged(self, submission_id: str, within_s: float = 60) -> dict[str, Any]:
        """The submission once it is judged."""
        deadline = time.monotonic() + within_s
        while True:
            found: dict[str, Any] = self.api.get(f"/submissions/{submission_id}").json()
            if found["state"] == "judged":
                return found
            assert time.monotonic() < deadline, found
            time.sleep(0.02)

    def kill(self) -> None:
        """As a power cut would: nobody is asked."""
        self.process.kill()
        self.process.wait(timeout=30)

    def stop(self) -> int:
        """As a service manager would; returns the exit code."""
        self.process.terminate()
        return self.process.wait(timeout=30)


@contextmanager
def served(data: Path, problems: Path = BASE, **settings: str) -> Iterator[Served]:
    """`allclose serve` on a free port, until the block ends."""
    environment = {name: value for name, value in os.environ.items() if "ALLCLOSE_" not in name}
    environment |= {f"ALLCLOSE_{name.upper()}": value for name, value in settings.items()}
    command = [sys.executable, "-m", "app", "serve", "--no-verify", "--port", "0"]
    log = data.parent / "log"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [*command, "--data", str(data), "--problems", str(problems)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, log.read_text()
        with httpx.Client(base_url=f"{found.group(0)}/api/v1", timeout=60) as api:
            yield Served(process, api, data)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
        process.wait()
        process.stdout.close()
