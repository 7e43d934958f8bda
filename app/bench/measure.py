"""Measures each figure, one after the other, in one run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.bench import processes
from app.bench.figures import Figures, Spread
from app.bench.http import Others, Server, served
from app.bench.large import copies
from app.judge import finished, judge
from app.model import Call, TestCase, Variant
from app.notation import to_json
from app.sandbox import Keeper

_WARM_UP = 10
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Subject:
    """One accepted program, the variant cut down to the tests measured, where the server finds it."""

    source: str
    variant: Variant
    problems: Path


@dataclass(frozen=True, slots=True)
class Floor:
    wall_s: float
    cpu_s: float


def measure(
    subject: Subject,
    keeper: Keeper,
    seconds: float,
    folder: Path,
    tell: Progress,
    others: Others | None = None,
) -> Figures:
    """Every figure, each measured for about `seconds`; `folder` is scratch.

    others   who judges for the server; None: it judges itself, with the embedded database
    """
    tell("floor: bare forks")
    floor = _floor(subject, seconds)
    tell("cold: a new interpreter for each test")
    cold_s = _cold(subject, rounds=3)
    tell("judge: source to judgement")
    judged_s, judged_cpu_s = _judge(subject, keeper, seconds)
    tell("box: one small test")
    box = _box(subject, keeper, seconds)
    tell("large: 100 MB in and out")
    large = copies(keeper, folder)
    keeper.close()  # the server below brings boxes of its own; two sets would share the cores
    tell("http: request to verdict")
    with served(subject.problems, folder / "data", others=others) as server:
        found = _http(server, subject, seconds, tell)
    cores = len(os.sched_getaffinity(0))
    judge_ms = Spread.of(judged_s)
    floor_ms = round(floor.wall_s * 1000, 3)
    return Figures(
        tier=keeper.tier,
        tests=len(subject.variant.tests),
        floor_ms=floor_ms,
        judge_ms=judge_ms,
        ratio_to_floor=round(judge_ms.p50 / floor_ms, 3),
        cpu_ratio=round(judged_cpu_s / floor.cpu_s, 3),
        cold_ms=round(cold_s * 1000, 1),
        speedup_over_cold=round(cold_s * 1000 / judge_ms.p50, 1),
        http_ms=Spread.of(found.walls_s),
        queue_ms=found.queue_ms,
        half_load_ms=Spread.of(found.half_load_s),
        throughput_per_s=round(found.per_s, 1),
        throughput_ratio=round(found.per_s * floor.wall_s / cores, 3),
        box_ms=Spread.of(box).p50,
        large_copies=round(large, 2),
        rss_idle_mib=round(found.idle_mib, 1),
    )


def _floor(subject: Subject, seconds: float) -> Floor:
    """Median wall clock and mean CPU of one submission's calls in bare forks."""
    order = {
        "source": subject.source,
        "entry_point": subject.variant.entry_point,
        "calls": [_arguments(test) for test in subject.variant.tests],
        "warm_up": _WARM_UP,
        "rounds": max(20, round(seconds * 50)),
    }
    done = subprocess.run(
        [sys.executable, "-I", "-m", "app.bench.floor"],
        input=json.dumps(order),
        stdout=subprocess.PIPE,
        env=_one_thread(),
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    walls_s = sorted(found["walls_s"])
    return Floor(walls_s[len(walls_s) // 2], found["cpu_s"])


def _cold(subject: Subject, rounds: int) -> float:
    """Median wall clock of one submission whose tests each start an interpreter, in seconds."""
    script = Path(__file__).with_name("cold.py")
    orders = [
        json.dumps(
            {
                "source": subject.source,
                "entry_point": subject.variant.entry_point,
                "arguments": _arguments(test),
            }
        )
        for test in subject.variant.tests
    ]
    walls_s = []
    for _ in range(rounds):
        start = time.perf_counter()
        for order in orders:
            command = [sys.executable, "-I", str(script)]
            subprocess.run(command, input=order, text=True, check=True, env=_one_thread())
        walls_s.append(time.perf_counter() - start)
    return sorted(walls_s)[rounds // 2]


def _judge(subject: Subject, keeper: Keeper, seconds: float) -> tuple[list[float], float]:
    """Wall clocks of judgements back to back, and the CPU seconds of one, refilling included."""
    for _ in range(_WARM_UP):
        _judged(subject, keeper)
    walls_s: list[float] = []
    before_s, end = processes.cpu_s(os.getpid()), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        _judged(subject, keeper)
        walls_s.append(time.perf_counter() - start)
    return walls_s, (processes.cpu_s(os.getpid()) - before_s) / len(walls_s)


def _judged(subject: Subject, keeper: Keeper) -> None:
    judgement = finished(judge(subject.source, subject.variant, keeper))
    assert judgement.verdict == "AC", judgement.message


def _box(subject: Subject, keeper: Keeper, seconds: float) -> list[float]:
    """Source to result of the first test, in a box that has been waiting."""
    test = subject.variant.tests[0]
    call = Call(subject.source, subject.variant.entry_point, test.contents().arguments)
    walls_s = []
    for round_ in range(max(20, round(seconds * 40))):
        time.sleep(0.015)  # refilled and idle, as between two learners
        start = time.perf_counter()
        for _ in keeper.run([replace(call, seed=round_)]):
            walls_s.append(time.perf_counter() - start)
    return walls_s


@dataclass(frozen=True, slots=True)
class _Http:
    """What clients of a server see."""

    walls_s: list[float]
    queue_ms: float
    per_s: float
    half_load_s: list[float]
    idle_mib: float


def _http(server: Server, subject: Subject, seconds: float, tell: Progress) -> _Http:
    for _ in range(_WARM_UP):
        server.verdict(subject.variant.id, subject.source)
    time.sleep(1.0)
    idle_mib = processes.proportional_mib(server.pid)
    walls_s: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        verdict = server.verdict(subject.variant.id, subject.source)
        walls_s.append(time.perf_counter() - start)
        assert verdict == "AC", verdict
    waited_ms = sorted(server.waited_ms(len(walls_s)))
    tell("throughput: several clients at once")
    per_s = server.throughput_per_s(subject.variant.id, subject.source, seconds)
    tell("half of that, evenly spread")
    half_s = server.at_rate(subject.variant.id, subject.source, per_s / 2, seconds)
    return _Http(walls_s, waited_ms[len(waited_ms) // 2], per_s, half_s, idle_mib)


def _arguments(test: TestCase) -> Sequence[object]:
    return [to_json(value) for value in test.contents().arguments]


def _one_thread() -> dict[str, str]:
    """The environment of a runtime: nothing inherited, one BLAS thread."""
    return {"OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}
