"""What outlives what: runtimes that die, keepers that are killed, and what is left afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from app.errors import BoxFault, SandboxUnavailable
from app.model import Call, Returned
from app.sandbox import Keeper
from app.sandbox.cgroups import PREFIX, is_stale, open_groups, own_name
from tests.descent import children
from tests.sandbox.conftest import keeper_of

ROOT = Path(__file__).resolve().parents[2]
ONE = Call("def f():\n    return 1\n", "f", ())


def _works(keeper: Keeper) -> bool:
    return dict(keeper.run([ONE]))[0].fact == Returned(1, True)


def _groups() -> set[str]:
    """Folders of keepers of this process, in every hierarchy."""
    found = set()
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        root = Path("/sys/fs/cgroup", controllers, path.lstrip("/"))
        found |= {str(folder) for folder in root.glob(f"{PREFIX}{os.getpid()}-*")}
    return found


def _traces() -> tuple[set[int], set[str], set[Path], int]:
    """Processes, groups, folders and descriptors of this process."""
    folders = set(Path("/tmp").glob(f"{PREFIX}{os.getpid()}-*"))
    return set(children(os.getpid())), _groups(), folders, len(os.listdir("/proc/self/fd"))


def _calm() -> tuple[set[int], set[str], set[Path], int]:
    """When other keepers of this process have tidied up."""
    last, now = None, _traces()
    while now != last:
        time.sleep(0.1)
        last, now = now, _traces()
    return now


@pytest.mark.parametrize("tier", ["A", "B", "C"])
def test_closing_leaves_nothing(tier: str) -> None:
    """No process, group, folder or descriptor of a closed keeper is left."""
    before = _calm()
    with keeper_of(tier) as keeper:  # type: ignore[arg-type]
        assert _works(keeper)
    after = _traces()
    assert after == before


@pytest.mark.parametrize("tier", ["A", "C"])
def test_what_ended_is_gone_a_moment_later_without_another_run(tier: str) -> None:
    """An outcome is told before its box is dead: its end keeps nobody waiting, and is seen to."""
    others, *_ = _calm()
    with keeper_of(tier) as keeper:  # type: ignore[arg-type]
        for _, outcome in keeper.run([ONE, ONE, ONE]):
            assert outcome.fact == Returned(1, True)
            assert outcome.memory_kib >= 0
        deadline = time.monotonic() + 10
        while left := set(children(os.getpid())) - others - keeper.waiting():
            assert time.monotonic() < deadline, left
            time.sleep(0.01)
        assert len(keeper.waiting()) == keeper.ready + 1  # the runtime, and boxes for the next


def test_a_runtime_that_dies_is_replaced() -> None:
    """The next run starts another; what waited is thrown away with it."""
    with Keeper(ready_ahead=2) as keeper:
        assert _works(keeper)
        runtime = _runtime_of(keeper)
        os.kill(runtime, signal.SIGKILL)
        until = time.monotonic() + 10
        while runtime in keeper.waiting() and time.monotonic() < until:
            assert _works(keeper)
        assert runtime not in keeper.waiting()
        assert _works(keeper)


def test_a_runtime_that_died_unnoticed_is_found_out_by_whoever_needs_a_box() -> None:
    """What keeps boxes ready meets a dead runtime without a word; the next call gets another."""
    with Keeper(ready_ahead=2) as keeper:
        assert _works(keeper)
        runtime = _runtime_of(keeper)
        os.kill(runtime, signal.SIGKILL)
        while _runs(runtime):
            time.sleep(0.01)
        for _ in range(8):  # the boxes that wait are used up, and no more can be ordered
            with suppress(BoxFault):
                assert _works(keeper)
        assert _works(keeper)
        assert runtime not in keeper.waiting()


def _runtime_of(keeper: Keeper) -> int:
    """Of all that waits, the process that is there longest."""
    return min(keeper.waiting(), key=_started)


def _started(pid: int) -> tuple[int, int]:
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(stat[19]), pid


def test_a_waiting_box_that_dies_is_no_ones_fault_but_ours() -> None:
    """A box that was killed while it waited is told as a fault, or replaced; never as a verdict."""
    with Keeper(ready_ahead=2) as keeper:
        assert _works(keeper)
        time.sleep(0.1)
        for pid in keeper.waiting() - {_runtime_of(keeper)}:
            os.kill(pid, signal.SIGKILL)
        for _ in range(4):
            try:
                assert _works(keeper)
            except BoxFault:
                continue
        assert _works(keeper)


_KILLED = """
import os, sys, time
from app.model import Call
from app.sandbox import Keeper
from tests.descent import children
keeper = Keeper(force_tier=sys.argv[1], ready_ahead=3)
started = keeper.run([
    Call("def f(): return 1", "f", ()),
    Call("def f():\\n  while True: pass", "f", ()),
])
next(started)
pids = set(children(os.getpid()))
while len(pids) < 3:  # one that just ends may hide another from those who look
    pids |= set(children(os.getpid()))
print(*pids, flush=True)
time.sleep(60)
"""


@pytest.fixture
def killed(request: pytest.FixtureRequest) -> tuple[int, set[int]]:
    """A process with a keeper, a running box and waiting ones, killed without warning."""
    process = subprocess.Popen(
        [sys.executable, "-c", _KILLED, request.param], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    return process.pid, {int(pid) for pid in line.split()}


@pytest.mark.parametrize("killed", ["A", "C"], indirect=True)
def test_all_die_with_a_killed_keeper(killed: tuple[int, set[int]]) -> None:
    """Runtimes, waiting boxes and a box in an endless loop are gone a moment later."""
    _, pids = killed
    assert len(pids) >= 3  # a runtime, a box that runs and one that waits or has ended
    until = time.monotonic() + 5
    while time.monotonic() < until and any(_runs(pid) for pid in pids):
        time.sleep(0.02)
    assert [pid for pid in pids if _runs(pid)] == []


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize("killed", ["A"], indirect=True)
def test_groups_of_a_killed_keeper_are_swept(killed: tuple[int, set[int]]) -> None:
    """The next keeper removes what the dead one could not."""
    pid, _ = killed
    time.sleep(0.3)
    with keeper_of("A", ready_ahead=0):
        pass
    assert not list(Path("/sys/fs/cgroup").glob(f"**/{PREFIX}{pid}-*"))


@pytest.mark.parametrize("killed", ["C"], indirect=True)
def test_roots_of_a_killed_keeper_are_swept(killed: tuple[int, set[int]]) -> None:
    """The copies that a dead keeper's boxes had as their root are removed by the next."""
    pid, _ = killed
    time.sleep(0.3)
    with keeper_of("C", ready_ahead=0):
        pass
    assert not list(Path(tempfile.gettempdir()).glob(f"{PREFIX}{pid}-*"))


def test_a_living_keepers_things_are_not_stale() -> None:
    """A name tells whose it is; the same pid with another start is another process."""
    assert not is_stale(own_name())
    assert is_stale(f"{PREFIX}{os.getpid()}-1-1")
    assert is_stale(f"{PREFIX}4194304-5-1")
    assert not is_stale(f"{PREFIX}keeper")
    assert not is_stale("another-1-2")


def test_groups_are_used_again_only_as_new() -> None:
    """A group that comes back clean is lent again, with its peak forgotten."""
    try:
        groups = open_groups()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    first = groups.lend()
    first.limit(64 << 20)
    groups.give_back(first)
    again = groups.lend()
    assert again is first
    assert again.peak_bytes() <= 1 << 20
    groups.give_back(again)
    groups.close()
    assert not any(groups.folder in path for path in _groups())
