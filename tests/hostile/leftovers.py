"""What an attack may leave behind: looked for before and after, everywhere a process can put it.

What other programs of this machine do meanwhile is not looked at: things are told apart by whose
they are, below which process, or by where a jail is built.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app.sandbox.plan import UID_BASE, UID_COUNT
from app.sandbox.runtimes import STAGES
from tests.descent import children

_A_BOX = 6  # descriptors that the keeper holds of a box, at most


@dataclass(frozen=True, slots=True)
class Traces:
    """Everything by name, so that a difference names itself."""

    processes: frozenset[str]
    in_groups: frozenset[str]
    mounts: frozenset[str]
    files: frozenset[str]
    shared_memory: frozenset[str]
    descriptors: int
    sockets: int
    ready: int  # runtimes and boxes that wait for the next run

    def more_than(self, before: Traces) -> list[str]:
        """What is there now and was not before."""
        found = []
        for name in ("processes", "in_groups", "mounts", "files", "shared_memory"):
            found += [f"{name}: {item}" for item in getattr(self, name) - getattr(before, name)]
        more = self.descriptors - before.descriptors
        if more > _A_BOX * max(0, self.ready - before.ready):  # refilled since: each holds its own
            found.append(f"descriptors: {more} more")
        if self.sockets > before.sockets:
            found.append(f"sockets: {self.sockets - before.sockets} more")
        return found


def _descriptors() -> int:
    """Those of control groups apart: groups are used again and again, and as many are kept open as
    were ever needed at one time."""
    found = 0
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one with which this is listed
            found += not re.search(r"/allclose-[^/]+/box-\d+/", os.readlink(descriptor))
    return found


def look(waiting: frozenset[int]) -> Traces:
    """Now. `waiting`: boxes that are ready for the next run, and belong here."""
    return Traces(
        frozenset(_processes(waiting)),
        frozenset(_in_groups(waiting)),
        frozenset(_mounts()),
        frozenset(_files()),
        frozenset(_shared_memory()),
        _descriptors(),
        sum(_sockets()),
        len(waiting),
    )


def _processes(waiting: frozenset[int]) -> Iterator[str]:
    """Everything that this process started, directly or not, and that has not been collected.

    But for the database server of other tests, which makes and ends processes as it likes.
    """
    parents = [os.getpid()]
    for parent in parents:
        named = {pid: _name(pid) for pid in children(parent)}
        named = {pid: name for pid, name in named.items() if name != "postgres"}
        parents += named
        yield from (f"{pid} {name}" for pid, name in named.items() if pid not in waiting)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "(gone)"


def _in_groups(waiting: frozenset[int]) -> Iterator[str]:
    """Processes in the groups of this process's keepers, in whichever version is mounted."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        root = Path("/sys/fs/cgroup", controllers, path.lstrip("/"))
        for folder in root.glob(f"allclose-{os.getpid()}-*"):
            for group in folder.glob("box-*/cgroup.procs"):
                with suppress(OSError):
                    for pid in group.read_text().split():
                        if int(pid) not in waiting:
                            yield f"{group.parent.name} {pid}"


def _mounts() -> Iterator[str]:
    """Mounts where jails are built."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        if line.split()[4] in STAGES:
            yield line


def _is_ours(uid: int) -> bool:
    """Whether it can be a box's, where each has a user of its own."""
    return UID_BASE <= uid < UID_BASE + UID_COUNT


def _files() -> Iterator[str]:
    for folder in ("/tmp", "/var/tmp", "/run", "/dev/mqueue"):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):  # someone else's, and gone already
                    if entry.is_file(follow_symlinks=False) and _is_ours(entry.stat().st_uid):
                        yield entry.path


def _shared_memory() -> Iterator[str]:
    with suppress(OSError), os.scandir("/dev/shm") as entries:
        for entry in entries:
            with suppress(OSError):
                if _is_ours(entry.stat(follow_symlinks=False).st_uid):
                    yield entry.path
    for kind in ("shm", "sem", "msg"):
        names, *lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
        place = names.split().index("cuid")  # who made it
        yield from (f"{kind} {line}" for line in lines if _is_ours(int(line.split()[place])))


def _sockets() -> Iterator[int]:
    """Sockets that this process holds."""
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            yield os.readlink(f"/proc/self/fd/{name}").startswith("socket:")
