"""Starts and ends the process of a site."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Lines: TypeAlias = list[dict[str, Any]]

ROOT = Path(__file__).resolve().parent.parent.parent
BASE = ROOT / "tests" / "packages" / "base"

RIGHT = (
    "def weighted_mean(values, weights):\n"
    "    return sum(v * w for v, w in zip(values, weights)) / sum(weights)\n"
)
WRONG = "def weighted_mean(values, weights):\n    return sum(values) / len(values)\n"
PROBLEM = "weighted_mean/plain"


@dataclass(frozen=True)
class Site:
    url: str
    data: Path
    process: subprocess.Popen[str]
    log: Path

    def stop(self) -> int:
        """As a service manager would; returns the exit code."""
        self.process.terminate()
        return self.process.wait(timeout=30)

    def logged(self, status: int, enough: Callable[[Lines], object]) -> Lines:
        """Requests answered so, once enough are in the log: a line comes after its answer."""
        end = time.monotonic() + 20
        while True:
            text = self.log.read_text().rpartition("\n")[0]
            lines = [json.loads(line) for line in text.splitlines() if line[:1] == "{"]
            found = [line for line in lines if line.get("status") == status]
            if enough(found):
                return found
            assert time.monotonic() < end, found
            time.sleep(0.02)


@contextmanager
def started(data: Path, problems: Path, *options: str) -> Iterator[Site]:
    """A site on a port of its own, until the block ends."""
    data.mkdir(parents=True, exist_ok=True)
    log = data / "log"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.site", str(data), str(problems), *options],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http"), log.read_text()
        yield Site(url, data, process, log)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
