"""Guards against getting slower: ratios taken in one run, with room, the best of several rounds.

Nothing here knows how fast a machine is. What each ratio is compared with was measured a moment
before or after it, and a round that a neighbour disturbed is made up for by the next.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from app.compare import compare
from app.contract import Leaf, Tolerance
from app.model import Call, Exceeded, Limits, Returned
from app.sandbox import Keeper

_ROUNDS = 8
_SOURCE = "import math\ndef f(x):\n    return [math.sqrt(v) for v in x]\n"
_ARGUMENTS = ([1.0, 4.0, 9.0],)
_TESTS = 8

# What it may cost at most, in units of what it is compared with; in brackets what it does cost.
_JUDGE_TO_FLOOR = 3.0  # (0.6 to 1)
_BOX_TO_FLOOR = 3.0  # (0.5 to 0.7)
_COMPARE_TO_SUBTRACT = 8.0  # (2)
_REPORTED_TO_RAN = 1.2  # (1.01)
_BOX_KIB = 3072  # (1450)


@pytest.fixture(scope="module")
def best() -> Iterator[Keeper]:
    """A keeper of the best tier that this machine gives."""
    with Keeper() as made:
        yield made


def least(measured: Callable[[], float], enough: float) -> float:
    """The best of several rounds; the first that will do ends them."""
    best = float("inf")
    for _ in range(_ROUNDS):
        best = min(best, measured())
        if best <= enough:
            break
    return best


def took_s(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def cpu_s(work: Callable[[], object]) -> float:
    """What this thread alone took: neighbours who want the core count less."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def floor_s() -> float:
    """The same calls in bare forks of a warm interpreter: the best of a few rounds, in seconds."""
    order = {
        "source": _SOURCE,
        "entry_point": "f",
        "calls": [_ARGUMENTS] * _TESTS,
        "warm_up": 2,
        "rounds": 10,
    }
    done = subprocess.run(
        [sys.executable, "-m", "app.bench.floor"],
        input=json.dumps(order),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return float(min(json.loads(done.stdout)["walls_s"]))


def test_a_submission_costs_little_more_than_bare_forks(best: Keeper) -> None:
    """The boxes of one submission, from source to facts, against the same calls in bare forks."""
    calls = [Call(_SOURCE, "f", _ARGUMENTS)] * _TESTS

    def judged() -> None:
        assert all(o.fact == Returned([1.0, 2.0, 3.0], True) for _, o in best.run(calls))

    def ratio() -> float:
        return min(took_s(judged) for _ in range(10)) / floor_s()

    assert least(ratio, _JUDGE_TO_FLOOR) <= _JUDGE_TO_FLOOR


def test_a_box_that_waited_answers_about_as_fast_as_a_bare_fork(best: Keeper) -> None:
    """Made, locked in and warm before anyone asked for it: what is left is the call and its end."""
    call = Call(_SOURCE, "f", _ARGUMENTS)

    def answered_s() -> float:
        time.sleep(0.06)  # idle, as between two learners
        return took_s(lambda: next(best.run([call])))

    def ratio() -> float:
        return min(answered_s() for _ in range(10)) / (floor_s() / _TESTS)

    assert least(ratio, _BOX_TO_FLOOR) <= _BOX_TO_FLOOR


def test_a_waiting_box_has_little_memory_of_its_own(best: Keeper) -> None:
    """Boxes share the pages of their runtime: what only they have stays small, even rehearsed."""
    dict(best.run([Call(_SOURCE, "f", _ARGUMENTS)]))
    best.waiting()
    time.sleep(0.2)
    _, *boxes = sorted(best.waiting(), key=_started)  # the runtime came first
    assert boxes
    try:
        private_kib = [_private_dirty_kib(pid) for pid in boxes]
    except PermissionError:
        pytest.skip("only root can look at the memory of a box")
    assert max(private_kib) <= _BOX_KIB


def test_a_time_limit_is_told_soon_after_it_ran_out(best: Keeper) -> None:
    """Killing, collecting and telling add little to the time that the program was given."""
    limits = Limits(time_s=0.2)
    call = Call("def f():\n    while True: pass\n", "f", (), limits=limits)

    def ratio() -> float:
        start = time.perf_counter()
        [(_, outcome)] = best.run([call])
        assert outcome.fact == Exceeded("cpu")
        told = (time.perf_counter() - start) / outcome.wall_s
        return max(told, outcome.cpu_s / limits.time_s)

    assert least(ratio, _REPORTED_TO_RAN) <= _REPORTED_TO_RAN


def test_comparing_arrays_is_a_few_passes_over_them() -> None:
    """A million numbers against a million, in units of one subtraction of the same arrays."""
    answer = np.random.default_rng(7).standard_normal(1_000_000)
    returned, tolerance = answer + 1e-12, Tolerance(1e-9, 1e-9)

    def compared() -> None:
        assert compare(returned, Leaf("array"), answer, tolerance) is None

    def ratio() -> float:
        compared()
        return min(cpu_s(compared) for _ in range(3)) / min(
            cpu_s(lambda: np.subtract(returned, answer)) for _ in range(3)
        )

    assert least(ratio, _COMPARE_TO_SUBTRACT) <= _COMPARE_TO_SUBTRACT


def _started(pid: int) -> int:
    """Start time of a process, in the kernel's ticks since boot."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


def _private_dirty_kib(pid: int) -> int:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(
        int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_Dirty:")
    )
