"""Ten times what the machine can judge: what becomes of the accepted, the refused and everybody else?

    python -m tests.flow.overload --seconds 120 [--times 10]

Prints figures as JSON. The load comes from this machine too, so both share its processors.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from app.bench.processes import proportional_mib
from tests.flow.line import Line
from tests.flow.served import PROBLEM, RIGHT, WRONG, Served, served

QUEUE_LIMIT = 200
_LINES = 48
_ADDRESSES = 400
_EVERY_S = 0.1  # between looks at pages
_SOURCES = ((RIGHT, "AC"), (WRONG, "WA"))


@dataclass
class Seen:
    """What happened, while it happens; times in seconds."""

    accepted: dict[str, str] = field(default_factory=dict)  # id -> the verdict it must get
    statuses: Counter[int] = field(default_factory=Counter)
    without_retry: int = 0
    refused_s: list[float] = field(default_factory=list)
    page_s: list[float] = field(default_factory=list)
    health_s: list[float] = field(default_factory=list)
    run_s: list[float] = field(default_factory=list)
    runs_failed: int = 0
    memory_mib: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Figures:
    """Times in milliseconds unless their name says otherwise."""

    capacity_per_s: float
    offered_per_s: float
    accepted: int
    refused: int
    other_answers: int
    refused_without_retry_after: int
    refused_p95: float
    page_p50: float
    page_p95: float
    health_p50: float
    health_p95: float
    runs: int
    runs_failed: int
    run_p50: float
    run_p95: float
    judged_while_flooded: int
    memory_begin_mib: float
    memory_end_mib: float
    drained_s: float
    lost: int
    judged_twice: int
    wrong_verdicts: int
    most_overtaken_s: float


async def measure(service: Served, seconds: float, times: float) -> Figures:
    host, port = str(service.api.base_url.host), service.api.base_url.port or 80

    def line() -> Line:
        return Line(host, port)

    seen = Seen()
    capacity = await _capacity(line, min(5.0, max(2.0, seconds / 10)))
    begun = time.monotonic()
    end = begun + seconds
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_flood(line, seen, capacity * times, end))
        tasks.create_task(_look(line(), seen.page_s, f"/problems/{PROBLEM}", end))
        tasks.create_task(_look(line(), seen.health_s, "/livez", end))
        tasks.create_task(_look(line(), seen.health_s, "/readyz", end))
        tasks.create_task(_try(line(), seen, end))
        tasks.create_task(_weigh(service.process.pid, seen, end))
    offered = sum(seen.statuses.values()) / (time.monotonic() - begun)
    judged_while = _judged(service.data)
    drained_s = await _drained(line(), len(seen.accepted), service.data)
    found = _verdicts(service.data)
    refused = seen.statuses[503] + seen.statuses[429]
    return Figures(
        capacity_per_s=round(capacity, 1),
        offered_per_s=round(offered, 1),
        accepted=len(seen.accepted),
        refused=refused,
        other_answers=sum(seen.statuses.values()) - refused - len(seen.accepted),
        refused_without_retry_after=seen.without_retry,
        refused_p95=_ms(seen.refused_s, 0.95),
        page_p50=_ms(seen.page_s, 0.5),
        page_p95=_ms(seen.page_s, 0.95),
        health_p50=_ms(seen.health_s, 0.5),
        health_p95=_ms(seen.health_s, 0.95),
        runs=len(seen.run_s),
        runs_failed=seen.runs_failed,
        run_p50=_ms(seen.run_s, 0.5),
        run_p95=_ms(seen.run_s, 0.95),
        judged_while_flooded=judged_while,
        memory_begin_mib=round(_mean(seen.memory_mib[: len(seen.memory_mib) // 4 or 1]), 1),
        memory_end_mib=round(_mean(seen.memory_mib[-len(seen.memory_mib) // 4 or -1 :]), 1),
        drained_s=round(drained_s, 1),
        lost=sum(not found.get(one) for one in seen.accepted),
        judged_twice=sum(len(verdicts) > 1 for verdicts in found.values()),
        wrong_verdicts=sum(found.get(one, [""])[:1] != [v] for one, v in seen.accepted.items()),
        most_overtaken_s=round(_overtaken_s(service.data), 1),
    )


async def _capacity(line: Callable[[], Line], seconds: float) -> float:
    """Judgements a second, four clients each sending the next when it has a verdict."""
    end, done = time.monotonic() + seconds, 0

    async def client() -> None:
        nonlocal done
        here = line()
        while time.monotonic() < end:
            sent = {"problem": PROBLEM, "source": RIGHT}
            answer = await here.ask("POST", "/api/v1/submissions?wait=30", sent)
            done += answer.status == 200
        here.close()

    await asyncio.gather(*[client() for _ in range(4)])
    return done / seconds


async def _flood(line: Callable[[], Line], seen: Seen, per_s: float, end: float) -> None:
    """So many a second, whatever becomes of them, from many addresses."""
    idle: asyncio.Queue[Line] = asyncio.Queue()
    for _ in range(_LINES):
        idle.put_nowait(line())
    begun, number, sending = time.monotonic(), 0, set[asyncio.Task[None]]()

    async def send(number: int, here: Line) -> None:
        source, verdict = _SOURCES[number % len(_SOURCES)]
        address = f"198.18.{number % _ADDRESSES // 200}.{number % 200 + 1}"
        start = time.monotonic()
        sent = {"problem": PROBLEM, "source": source}
        answer = await here.ask("POST", "/api/v1/submissions", sent, address)
        seen.statuses[answer.status] += 1
        if answer.status == 202:
            seen.accepted[answer.json()["id"]] = verdict
        else:
            seen.refused_s.append(time.monotonic() - start)
            seen.without_retry += "retry-after" not in answer.headers
        idle.put_nowait(here)

    while (now := time.monotonic()) < end:
        await asyncio.sleep(max(0.0, begun + number / per_s - now))
        task = asyncio.create_task(send(number, await idle.get()))
        sending.add(task)
        task.add_done_callback(sending.discard)
        number += 1
    await asyncio.gather(*sending)
    while not idle.empty():
        idle.get_nowait().close()


async def _look(here: Line, took_s: list[float], path: str, end: float) -> None:
    while time.monotonic() < end:
        start = time.monotonic()
        answer = await here.ask("GET", path)
        took_s.append(time.monotonic() - start)
        assert answer.status == 200, answer
        await asyncio.sleep(_EVERY_S)
    here.close()


async def _try(here: Line, seen: Seen, end: float) -> None:
    """Somebody who works: runs the samples, looks, runs them again."""
    while time.monotonic() < end:
        start = time.monotonic()
        sent = {"problem": PROBLEM, "source": RIGHT}
        answer = await here.ask("POST", "/api/v1/runs?wait=30", sent, "203.0.113.5")
        if answer.status == 200 and answer.json()["verdict"] == "AC":
            seen.run_s.append(time.monotonic() - start)
        else:
            seen.runs_failed += 1
        await asyncio.sleep(0.5)
    here.close()


async def _weigh(pid: int, seen: Seen, end: float) -> None:
    while time.monotonic() < end:
        seen.memory_mib.append(await asyncio.to_thread(proportional_mib, pid))
        await asyncio.sleep(1)


async def _drained(here: Line, accepted: int, data: Path) -> float:
    """Seconds until nothing waits any more."""
    begun, deadline = time.monotonic(), time.monotonic() + 600
    while _rows(data, "SELECT count(*) FROM submissions WHERE judged_number < judging_number")[0][
        0
    ]:
        assert time.monotonic() < deadline, f"of {accepted} some are still not judged"
        await asyncio.sleep(0.2)
    assert (await here.ask("GET", "/readyz")).status == 200
    here.close()
    return time.monotonic() - begun


def _judged(data: Path) -> int:
    return int(_rows(data, "SELECT count(*) FROM judgements")[0][0])


def _verdicts(data: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    query = "SELECT s.id, j.verdict FROM submissions s JOIN judgements j ON j.submission = s.number"
    for one, verdict in _rows(data, query):
        found.setdefault(one, []).append(verdict)
    return found


def _overtaken_s(data: Path) -> float:
    """By how much, at most, a submission was judged before one that had come earlier."""
    query = (
        "SELECT s.created_ms FROM judgements j JOIN submissions s ON s.number = j.submission "
        "WHERE NOT s.trial ORDER BY j.number"
    )
    newest, most = 0, 0
    for (created_ms,) in _rows(data, query):
        newest = max(newest, created_ms)
        most = max(most, newest - created_ms)
    return most / 1000


def _rows(data: Path, query: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(data / "allclose.sqlite3", timeout=10)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def _ms(walls_s: list[float], share: float) -> float:
    ordered = sorted(walls_s) or [0.0]
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000, 1)


def _mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def run(seconds: float, times: float, folder: Path, queue_limit: int = QUEUE_LIMIT) -> Figures:
    limit = str(queue_limit)
    with served(folder / "data", queue_limit=limit, guest_submissions_a_minute="0") as service:
        return asyncio.run(measure(service, seconds, times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--times", type=float, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="allclose-overload-") as folder:
        print(json.dumps(asdict(run(given.seconds, given.times, Path(folder))), indent=1))


if __name__ == "__main__":
    main()
