"""What the keeper tells of a call: facts, lines, output, time and memory."""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
import pytest

from app.errors import SandboxUnavailable
from app.model import (
    Call,
    Crashed,
    Exceeded,
    Fact,
    Limits,
    NotCompiled,
    Outcome,
    Raised,
    Returned,
    Unsupported,
)
from app.runtime_kinds import RuntimeName
from app.sandbox import Keeper
from app.sandbox.box import Box
from tests.sandbox.conftest import keeper_of


def outcome_of(
    keeper: Keeper, source: str, *arguments: object, runtime: RuntimeName = "numpy", **limits: float
) -> Outcome:
    call = Call(source, "f", arguments, 7, runtime, replace(Limits(), **limits))  # type: ignore[arg-type]
    [(index, outcome)] = keeper.run([call])
    assert index == 0
    return outcome


FACTS: dict[str, tuple[str, Fact]] = {
    "a number": ("def f(x):\n    return x + 1\n", Returned(4.0, True)),
    "nothing": ("def f(x):\n    pass\n", Returned(None, True)),
    "raised in a helper": (
        "def g(x):\n    return x['k']\n\ndef f(x):\n    return g({})\n",
        Raised("KeyError", "'k'", 2),
    ),
    "raised inside the library": (
        "import json\ndef f(x):\n    return json.loads('?')\n",
        Raised("JSONDecodeError", "Expecting value: line 1 column 1 (char 0)", 3),
    ),
    "raised at import": ("x = 1\ny = x / 0\n", Raised("ZeroDivisionError", "division by zero", 2)),
    "asked to exit": ("def f(x):\n    raise SystemExit('done')\n", Raised("SystemExit", "done", 2)),
    "left": ("import os\ndef f(x):\n    os._exit(3)\n", Crashed(exit_code=3)),
    "ran out of memory": ("def f(x):\n    return [0] * 10**10\n", Exceeded("memory")),
    "returned too much": ("def f(x):\n    return 'x' * 10**8\n", Exceeded("returned")),
    "a syntax error": ("def f(x):\n    return )\n", NotCompiled("syntax", "unmatched ')'", 2, 12)),
    "no such function": (
        "def g(x):\n    return 1\nclass H: pass\n",
        NotCompiled("no_entry_point", "there is no function f", defined=("g",)),
    ),
    "not a function": (
        "f = 3\n",
        NotCompiled("no_entry_point", "f is not a function, but int"),
    ),
    "too few parameters": (
        "def f():\n    return 1\n",
        NotCompiled(
            "signature", "the tests pass 1 positional argument: too many positional arguments", signature="()"
        ),
    ),
    "a set": ("def f(x):\n    return {1}\n", Returned(Unsupported("set"), True)),
    "bytes in a list": ("def f(x):\n    return [b'x', 1]\n", Returned([Unsupported("bytes"), 1], True)),
}  # fmt: skip


@pytest.mark.parametrize("name", FACTS)
def test_a_program_is_told_as_a_fact(keeper: Keeper, name: str) -> None:
    """Whatever a program does comes back as one fact, the same in every tier."""
    source, fact = FACTS[name]
    assert outcome_of(keeper, source, 3.0).fact == fact


LIMITS: dict[str, tuple[str, dict[str, float], str]] = {
    "loops": ("def f():\n    while True: pass\n", {"time_s": 0.2}, "cpu"),
    "sleeps": ("import time\ndef f():\n    time.sleep(9)\n", {"wall_s": 0.2}, "wall"),
    "hoards": (
        "def f():\n    a = []\n    while True: a.append(bytearray(10**6))\n",
        {"memory_mib": 32},
        "memory",
    ),
    "prints": ("def f():\n    while True: print('x' * 99)\n", {"printed_kib": 4}, "printed"),
    "returns a lot": ("def f():\n    return [1.0] * 10**6\n", {"returned_mib": 1}, "returned"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_ends_a_program(keeper: Keeper, name: str) -> None:
    """Each limit is told by its name."""
    source, limits, limit = LIMITS[name]
    assert outcome_of(keeper, source, **limits).fact == Exceeded(limit)  # type: ignore[arg-type]


NAN = struct.unpack("<d", b"\x01\x02\x03\x04\x05\x06\xf8\x7f")[0]

VALUES: dict[str, object] = {
    "plain": [None, True, False, 0, -1, 1 << 63, -(1 << 200), "ü€😀", "", 1.5],
    "negative zero and infinities": [-0.0, float("inf"), float("-inf")],
    "complex": [1 - 2j, complex(-0.0, 5.0)],
    "containers": {"a": (1, [2, ()]), 5: {}, "": [[], [[]]]},
    "scalars": [np.float32(0.1), np.int8(-3), np.bool_(True), np.complex64(1j), np.uint64(2**64 - 1)],
    "deep": reduce(lambda inner, _: [inner], range(60), 1.0),  # type: ignore[arg-type,return-value]
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_a_value_crosses_unchanged(best: Keeper, name: str) -> None:
    """Types are kept exactly, there and back."""
    value = VALUES[name]
    fact = outcome_of(best, "def f(x):\n    return x\n", value).fact
    assert isinstance(fact, Returned)
    assert fact.inputs_unchanged
    assert repr(fact.value) == repr(value)


def test_bits_of_a_nan_cross_unchanged(best: Keeper) -> None:
    """A NaN keeps its payload, alone and in an array."""
    fact = outcome_of(best, "def f(x, a):\n    return [x, a]\n", NAN, np.array([NAN])).fact
    assert isinstance(fact, Returned)
    assert isinstance(fact.value, list)
    alone, array = fact.value
    assert struct.pack("<d", alone) == struct.pack("<d", NAN) == array.tobytes()


ARRAYS: dict[str, np.ndarray] = {
    "empty": np.empty((0, 3)),
    "no axes": np.array(3.0),
    "integers": np.arange(6, dtype=np.int16).reshape(2, 3),
    "booleans": np.array([True, False]),
    "half": np.array([1, 2], dtype=np.float16),
    "long": np.array([1, 2], dtype=np.longdouble),
    "complex": np.array([1j, 2], dtype=np.complex64),
    "columns first": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "strided": np.arange(10.0)[::-3],
    "large": np.arange(1e6),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_crosses_unchanged(keeper: Keeper, name: str) -> None:
    """Shape, dtype and bytes are kept, through the stream and through shared memory."""
    array = ARRAYS[name]
    source = "def f(x):\n    assert x.flags.writeable and x.flags.aligned\n    return x\n"
    fact = outcome_of(keeper, source, array).fact
    assert isinstance(fact, Returned), fact
    assert isinstance(fact.value, np.ndarray)
    assert (fact.value.dtype, fact.value.shape) == (array.dtype, array.shape)
    assert fact.value.tobytes() == array.tobytes()


@pytest.mark.parametrize("size", [3, 10**6])
def test_changed_arguments_are_told(keeper: Keeper, size: int) -> None:
    """One changed bit is seen, in a small array and in a large one; the caller's stays as it was."""
    array = np.ones(size)
    fact = outcome_of(keeper, "def f(x):\n    x[-1] = 1.0000000000000002\n", array).fact
    assert fact == Returned(None, False)
    assert (array == 1.0).all()


def test_changed_lists_are_told(best: Keeper) -> None:
    """A list that grew, or holds 1 for 1.0, is no longer what it was."""
    assert outcome_of(best, "def f(x):\n    x.append(1)\n", [1.0]).fact == Returned(None, False)
    assert outcome_of(best, "def f(x):\n    x[0] = 1\n", [1.0]).fact == Returned(None, False)
    assert outcome_of(best, "def f(x):\n    x[0] = 1.0\n", [1.0]).fact == Returned(None, True)


def test_output_is_kept_apart_and_cut_with_a_count(keeper: Keeper) -> None:
    """Both streams arrive, also when the program is stopped; what does not fit is counted."""
    source = "import sys\ndef f():\n    print('ä')\n    print('e', file=sys.stderr)\n    while True: pass\n"
    outcome = outcome_of(keeper, source, time_s=0.1)
    assert (outcome.stdout.text, outcome.stderr.text) == ("ä\n", "e\n")
    flood = outcome_of(keeper, "def f():\n    print('x' * 5000)\n", printed_kib=1)
    assert flood.fact == Exceeded("printed")
    assert (len(flood.stdout.text), flood.stdout.cut_bytes) == (1024, 5001 - 1024)


def test_numpy_is_nowhere_in_the_python_runtime(keeper: Keeper) -> None:
    """The import fails as it does where NumPy is not installed, and arrays arrive as lists."""
    source = "def f(x):\n    return x\n"
    assert outcome_of(keeper, source, np.eye(2), runtime="python").fact == Returned(
        [[1.0, 0.0], [0.0, 1.0]], True
    )
    fact = outcome_of(keeper, "import numpy\n", runtime="python").fact
    assert fact == Raised("ModuleNotFoundError", "No module named 'numpy'", 1)


def test_random_numbers_follow_the_seed(keeper: Keeper) -> None:
    """The same seed gives the same numbers in another box, another seed gives others."""
    source = "import random\nimport numpy as np\ndef f():\n    return [random.random(), np.random.rand()]\n"
    facts = [dict(keeper.run([Call(source, "f", (), seed)]))[0].fact for seed in (1, 1, 2)]
    assert facts[0] == facts[1] != facts[2]


def test_time_and_memory_are_those_of_the_program(keeper: Keeper) -> None:
    """CPU time, wall clock and memory grow with what the program uses, and not otherwise."""
    idle = outcome_of(keeper, "import time\ndef f():\n    time.sleep(0.2)\n")
    busy = outcome_of(
        keeper, "def f():\n    kept = bytearray(b'x') * (64 << 20)\n    sum(range(3_000_000))\n"
    )
    assert idle.wall_s >= 0.2 > 0.1 > idle.cpu_s
    assert busy.cpu_s > idle.cpu_s
    assert idle.memory_kib < 16 * 1024 < 64 * 1024 <= busy.memory_kib < 160 * 1024


def test_calls_run_side_by_side_and_are_told_as_they_end(keeper: Keeper) -> None:
    """With two cores a short program is not kept waiting by a long one."""
    if keeper.cores < 2:
        pytest.skip("one core")
    source = "import time\ndef f(s):\n    time.sleep(s)\n    return s\n"
    calls = [Call(source, "f", (pause,)) for pause in (0.5, 0.0, 0.0, 0.0)]
    order = [index for index, _ in keeper.run(calls)]
    assert sorted(order) == [0, 1, 2, 3]
    assert order[-1] == 0


def test_calls_are_made_one_by_one(best: Keeper) -> None:
    """The arguments of a big test are asked for only when a box is there for it."""
    made: list[int] = []

    class Calls(Sequence[Call]):
        def __len__(self) -> int:
            return 20

        def __getitem__(self, index):  # type: ignore[no-untyped-def]
            made.append(index)
            return Call("def f(x):\n    return x\n", "f", (index,))

    for count, _ in enumerate(best.run(Calls()), 1):
        assert len(made) <= count + 3 * best.cores
    assert made == list(range(20))


def test_several_threads_share_a_keeper(best: Keeper) -> None:
    """Each gets the answers to its own calls."""
    wrong: list[object] = []

    def work(number: int) -> None:
        calls = [Call("def f(x):\n    return x\n", "f", ([number, at],)) for at in range(10)]
        for index, outcome in best.run(calls):
            if outcome.fact != Returned([number, index], True):
                wrong.append(outcome)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_whoever_stops_listening_leaves_nothing_running(best: Keeper) -> None:
    """Closing the iterator ends its boxes and gives their places back."""
    call = Call("import time\ndef f():\n    time.sleep(9)\n", "f", ())
    quick = Call("def f():\n    return 1\n", "f", ())
    for _ in range(3):
        started = best.run([quick, call, call])
        next(started)
        started.close()  # type: ignore[attr-defined]
    assert dict(best.run([quick]))[0].fact == Returned(1, True)


def test_a_text_that_is_none_needs_no_box(best: Keeper) -> None:
    """Half of a surrogate pair does not compile, and breaks nothing else."""
    calls = [Call("x = '\ud800'", "f", ()), Call("def f():\n    return 1\n", "f", ())]
    facts = {index: outcome.fact for index, outcome in best.run(calls)}
    assert facts[0] == NotCompiled("syntax", "the source is not valid Unicode text")
    assert facts[1] == Returned(1, True)


def test_thirty_threads_end_at_once(best: Keeper) -> None:
    """A box full of threads is killed and collected like any other: compared with an empty one."""
    many = """
import threading, time
def f():
    for _ in range(30):
        threading.Thread(target=time.sleep, args=(9,)).start()
"""
    walls_s = []
    for source in ("def f():\n    return 1\n", many):
        start = time.monotonic()
        outcome = outcome_of(best, source)
        walls_s.append(time.monotonic() - start - outcome.wall_s)
    assert walls_s[1] < walls_s[0] + 0.25


def test_a_time_limit_is_reported_soon_after_it_ran_out(best: Keeper) -> None:
    """The clock is outside: a loop is told as soon as its CPU time is used up."""
    outcome = outcome_of(best, "def f():\n    while True: pass\n", time_s=0.5)
    assert outcome.fact == Exceeded("cpu")
    assert 0.5 <= outcome.cpu_s < 0.6


def test_what_comes_too_late_is_late_though_nobody_looked_meanwhile(best: Keeper) -> None:
    """Whoever takes the outcomes may be busy with one of them; a limit stays a limit."""
    source = (
        "import time\n"
        "def f(until_s):\n"
        "    while time.process_time() < until_s: pass\n"
        "    return until_s\n"
    )
    limits = Limits(time_s=0.3, wall_s=5.0)
    calls = [Call(source, "f", (until_s,), 1, limits=limits) for until_s in (0.0, 0.5)]
    facts: dict[int, Fact] = {}
    for index, outcome in best.run(calls):
        facts[index] = outcome.fact
        time.sleep(1.0)
    assert facts == {0: Returned(0.0, True), 1: Exceeded("cpu")}


def test_a_box_that_cannot_be_tidied_keeps_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one fault would leave processes and descriptors behind for good."""
    with keeper_of("C") as keeper:
        pool, seen = keeper._pool, list[Box]()
        discard = pool.discard

        def fails_once(box: Box) -> None:
            seen.append(box)
            if len(seen) == 1:
                raise OSError("busy")
            discard(box)

        asleep = "import time\ndef f(seconds):\n    time.sleep(seconds)\n"
        round_ = keeper.run([Call(asleep, "f", (seconds,), 1) for seconds in (0.2, 9.0, 9.0)])
        next(round_)
        monkeypatch.setattr(pool, "discard", fails_once)
        round_.close()  # type: ignore[attr-defined]
        keeper.waiting()
        assert len(seen) >= 2
        assert [box.pid for box in seen[1:]] == [None] * (len(seen) - 1)
        discard(seen[0])


def test_a_closed_keeper_says_so() -> None:
    """After closing, a run is refused as the sandbox's fault."""
    keeper = Keeper(ready_ahead=0)
    keeper.close()
    with pytest.raises(SandboxUnavailable):
        list(keeper.run([Call("", "f", ())]))


def test_a_tier_below_policy_is_refused() -> None:
    """Asking for more than there is raises, with the reasons; never a silent downgrade."""
    with keeper_of("C", ready_ahead=0) as keeper:
        assert keeper.tier == "C"
    with pytest.raises(SandboxUnavailable, match="no box of tier"):
        Keeper("A", force_tier="C")


def test_a_large_result_cannot_change_once_it_was_told(keeper: Keeper) -> None:
    """It is in memory that the box shares, and a thread of it writes there until it is killed."""
    source = """
import os, struct, threading
import numpy as np

def f(values):
    def write():
        count = 0
        while True:
            count += 1
            for descriptor in range(3, 12):
                try:
                    os.pwrite(descriptor, struct.pack("d", count) * 4096, 0)
                except OSError:
                    pass

    threading.Thread(target=write, daemon=True).start()
    return np.zeros_like(values)
"""
    call, changed = Call(source, "f", (np.ones(500_000),)), 0
    for _ in range(10):
        for _, outcome in keeper.run([call]):
            if isinstance(outcome.fact, Returned):
                assert isinstance(outcome.fact.value, np.ndarray)
                told = outcome.fact.value[:4096].copy()  # at once: what it was judged by
                changed += bool(told.any())
                time.sleep(0.02)
                assert np.array_equal(told, outcome.fact.value[:4096])
    assert changed, "the attack does not reach the memory, and shows nothing"
