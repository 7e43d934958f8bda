"""Control groups for boxes: memory and number of processes, in version 1, 2 or a mix of both.

Each box needs a folder per controller. Folders are used again: making one costs more than all other
layers. One with anything left in it is thrown away instead.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from app.errors import SandboxUnavailable

PREFIX = "allclose-"
PROCESSES = 64
_OWN = "allclose-keeper"  # where our own processes go when version 2 wants a group without any
_LEFTOVER_BYTES = 1 << 20
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Files:
    """The names one version uses."""

    limit: str
    swap: str
    peak: str
    usage: str
    events: str  # holds a line `oom_kill N`
    processes: str = "pids.max"


V1 = Files(
    "memory.limit_in_bytes",
    "memory.memsw.limit_in_bytes",
    "memory.max_usage_in_bytes",
    "memory.usage_in_bytes",
    "memory.oom_control",
)
V2 = Files("memory.max", "memory.swap.max", "memory.peak", "memory.current", "memory.events")


@dataclass(frozen=True, slots=True)
class Parents:
    """The folders in which boxes' groups are made; the same one twice where version 2 has both."""

    memory: Path
    pids: Path
    files: Files
    inside: dict[str, str]  # what a box's /proc/<pid>/cgroup must say, by controller: path prefix


@dataclass(slots=True)
class Group:
    """One box's groups, with descriptors kept open."""

    folders: tuple[Path, ...]
    name: str
    files: Files
    attach: tuple[int, ...]  # descriptors of cgroup.procs: a box joins by writing to them
    peak: int
    usage: int
    events: int
    limit_bytes: int = 0
    killed: int = 0
    base_bytes: int = 0

    def limit(self, limit_bytes: int) -> None:
        """Set the memory limit, and forget the peak so far."""
        if limit_bytes != self.limit_bytes:
            memory = self.folders[0]
            order = (self.files.limit, self.files.swap)
            if self.files is V1 and 0 < self.limit_bytes < limit_bytes:
                order = (self.files.swap, self.files.limit)  # swap may never be below memory
            for name in order:
                text = "0" if name == V2.swap else str(limit_bytes)
                with suppress(FileNotFoundError):
                    _put(memory / name, text)
            self.limit_bytes = limit_bytes

    def used_bytes(self) -> int:
        return int(os.pread(self.usage, 32, 0))

    def peak_bytes(self) -> int:
        return int(os.pread(self.peak, 32, 0)) if self.peak >= 0 else self.used_bytes()

    def oom_kills(self) -> int:
        for line in os.pread(self.events, 512, 0).split(b"\n"):
            if line.startswith(b"oom_kill "):
                return int(line[9:])
        return 0

    def close(self) -> None:
        for descriptor in (*self.attach, self.peak, self.usage, self.events):
            if descriptor >= 0:
                os.close(descriptor)
        for folder in self.folders:
            folder.rmdir()


@dataclass(slots=True)
class Groups:
    """Makes groups below one folder of this keeper, and lends them out again and again."""

    parents: Parents
    folder: str
    _free: list[Group] = field(default_factory=list)
    _count: int = 0
    _closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def lend(self) -> Group:
        with self._lock:
            if self._free:
                return self._free.pop()
            self._count += 1
            return _make(self.parents, self.folder, f"box-{self._count}")

    def give_back(self, group: Group) -> None:
        """After the last process in it was reaped. A group that is not as new is removed."""
        try:
            if group.used_bytes() <= _LEFTOVER_BYTES and not self._closed:
                os.pwrite(group.peak, b"0", 0)
                group.killed = group.oom_kills()
                with self._lock:
                    self._free.append(group)
                return
        except OSError:  # a peak that cannot be forgotten (version 2 before 6.12)
            pass
        group.close()
        if self._closed:
            self.close()

    def seen_from_inside(self, group: Group) -> dict[str, str]:
        """What /proc/<pid>/cgroup says, by controller, of a process in this group."""
        return {
            name: f"{path.rstrip('/')}/{group.name}" for name, path in self.parents.inside.items()
        }

    @property
    def each(self) -> int:
        """How many groups a box joins: one, or one for each controller."""
        return len({self.parents.memory, self.parents.pids})

    def close(self) -> None:
        """Remove them all. What is still lent goes when it is given back."""
        self._closed = True
        with self._lock:
            while self._free:
                self._free.pop().close()
        for parent in {self.parents.memory, self.parents.pids}:
            with suppress(OSError):
                (parent / self.folder).rmdir()


def _make(parents: Parents, folder: str, name: str) -> Group:
    folders = tuple(dict.fromkeys(p / folder / name for p in (parents.memory, parents.pids)))
    for path in folders:
        path.mkdir()
    memory, files = folders[0], parents.files
    _put(folders[-1] / files.processes, str(PROCESSES))
    with suppress(FileNotFoundError):
        _put(memory / "memory.oom.group", "1")
    return Group(
        folders,
        f"{folder}/{name}",
        files,
        tuple(os.open(path / "cgroup.procs", os.O_WRONLY) for path in folders),
        _open_peak(memory / files.peak),
        os.open(memory / files.usage, os.O_RDONLY),
        os.open(memory / files.events, os.O_RDONLY),
    )


def _open_peak(path: Path) -> int:
    """Writable where the peak can be forgotten; -1 where there is none (version 2 before 5.19)."""
    for how in (os.O_RDWR, os.O_RDONLY):
        with suppress(OSError):
            return os.open(path, how)
    return -1


def _put(path: Path, text: str) -> None:
    """Write to a file of the kernel's; never make one, which it would refuse with another error."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


# --- Finding a place ----------------------------------------------------------------------------


def open_groups() -> Groups:
    """A place for the groups of one keeper; those of dead keepers are swept from it.

    Raises SandboxUnavailable with what stands in the way.
    """
    folder, reasons = own_name(), list[str]()
    parents = find(folder, reasons)
    if parents is None:
        raise SandboxUnavailable("no writable cgroup: " + "; ".join(reasons))
    sweep(parents)
    return Groups(parents, folder)


def find(folder: str, reasons: list[str]) -> Parents | None:
    """A place where groups can be made, tried by making one. `reasons` collects why not."""
    mounts, own = Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text()
    for parents in candidates(mounts, own, reasons):
        try:
            for parent in {parents.memory, parents.pids}:
                (parent / folder).mkdir(exist_ok=True)
                if parents.files is V2:
                    _put(parent / folder / "cgroup.subtree_control", "+memory +pids")
            trial = _make(parents, folder, "trial")
            trial.limit(64 * _MIB)
            trial.close()
        except OSError as error:
            reasons.append(f"{parents.memory}: {error.strerror}")
            for parent in {parents.memory, parents.pids}:
                with suppress(OSError):
                    (parent / folder).rmdir()
            continue
        return parents
    return None


def candidates(mountinfo: str, own: str, reasons: list[str]) -> Iterator[Parents]:
    """Our own groups, by controller, where their hierarchies are mounted.

    `mountinfo` and `own` are the texts of /proc/self/mountinfo and /proc/self/cgroup.
    """
    mine, mounts = _own_groups(own), _mounts(mountinfo)
    if "memory" in mine and "memory" in mounts and "pids" in mine and "pids" in mounts:
        memory, pids = (_below(mounts[name], mine[name]) for name in ("memory", "pids"))
        yield Parents(memory, pids, V1, {name: mine[name] for name in ("memory", "pids")})
    if "" in mine and "" in mounts:
        group = mine[""].removesuffix(f"/{_OWN}")
        unified = _below(mounts[""], group)
        if {"memory", "pids"} <= set(_words(unified / "cgroup.controllers")):
            enable(unified)
            yield Parents(unified, unified, V2, {"": group})
    elif not mounts:
        reasons.append("no cgroup file system is mounted")


def enable(unified: Path) -> None:
    """Let children of our group have controllers, as far as version 2 allows.

    A group with processes in it cannot: they move to a child, if all of them are this process.
    """
    control = unified / "cgroup.subtree_control"
    if {"memory", "pids"} <= set(_words(control)):
        return
    with suppress(OSError):
        _put(control, "+memory +pids")
        return
    with suppress(OSError):
        if _words(unified / "cgroup.procs") == [str(os.getpid())]:
            own = unified / _OWN
            own.mkdir(exist_ok=True)
            _put(own / "cgroup.procs", "0")
            _put(control, "+memory +pids")


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


def _own_groups(text: str) -> dict[str, str]:
    """Controller ("" is version 2) -> path of our own group."""
    found = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            found[controller] = path
    return found


def _mounts(text: str) -> dict[str, tuple[str, Path]]:
    """Controller ("" is version 2) -> (root of the mount inside the hierarchy, where it is)."""
    found: dict[str, tuple[str, Path]] = {}
    for line in text.splitlines():
        fields, _, tail = line.partition(" - ")
        kind, _, options = tail.split(" ", 2)
        root, place = fields.split(" ")[3:5]
        if kind == "cgroup2":
            found.setdefault("", (root, Path(place)))
        elif kind == "cgroup":
            for option in options.split(" ")[-1].split(","):
                if option in {"memory", "pids"}:
                    found.setdefault(option, (root, Path(place)))
    return found


def _below(mounted: tuple[str, Path], group: str) -> Path:
    root, place = mounted
    inner = group.removeprefix(root) if root != "/" else group
    return place / inner.lstrip("/")


# --- After a keeper that died -------------------------------------------------------------------


_numbers = itertools.count(1)


def own_name() -> str:
    """A name that says whose it is, so that a later keeper can tell when it is stale."""
    return f"{PREFIX}{os.getpid()}-{_started(os.getpid())}-{next(_numbers)}"


def _started(pid: int) -> int:
    """Start time of a process, in the kernel's ticks since boot; 0 if there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[19])


def is_stale(name: str) -> bool:
    """Whether the keeper that made a thing of this name is gone."""
    parts = name.removeprefix(PREFIX).split("-")
    if not name.startswith(PREFIX) or len(parts) < 2 or not (parts[0] + parts[1]).isdigit():
        return False
    return _started(int(parts[0])) != int(parts[1])


def sweep(parents: Parents) -> int:
    """Remove the groups of keepers that died, and end what may still be in them."""
    removed = 0
    for parent in {parents.memory, parents.pids}:
        for folder in list(parent.glob(f"{PREFIX}*-*")):
            if not is_stale(folder.name):
                continue
            for group in [path for path in folder.iterdir() if path.is_dir()]:
                for pid in _words(group / "cgroup.procs"):
                    with suppress(OSError):
                        os.kill(int(pid), 9)
                with suppress(OSError):
                    group.rmdir()
            with suppress(OSError):
                folder.rmdir()
                removed += 1
    return removed
