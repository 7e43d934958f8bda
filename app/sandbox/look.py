"""The look from outside: what the kernel says about a box, before it is given anything to run."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from app.sandbox.plan import Plan

_FRESH = ("pid", "mnt", "ipc")  # each box's own
_JAILED = ("net", "uts")  # the runtime's, shared by its boxes
_FIELDS = re.compile(rb"^(Uid|Gid|NSpid|VmRSS|Threads|Cap...|NoNewPrivs|Seccomp\w*):\t(.*)$", re.M)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a box is compared with: the keeper's own process, and its runtime."""

    keeper: dict[str, int]
    runtime: dict[str, int]
    filters: int  # seccomp filters that the keeper itself is under

    @classmethod
    def of(cls, runtime_pid: int, plan: Plan) -> Surroundings:
        names = (*_FRESH, *_JAILED, "user") if plan.namespaces else ()
        filters = _status(os.getpid()).get(b"Seccomp_filters", b"0")
        return cls(_spaces(os.getpid(), names), _spaces(runtime_pid, names), int(filters))


@dataclass(frozen=True, slots=True)
class Seen:
    """What is wrong with a box ("" if nothing is), and how much memory it has resident."""

    wrong: str
    resident_kib: int


def look(pid: int, uid: int, plan: Plan, around: Surroundings, groups: dict[str, str]) -> Seen:
    """Compare a waiting box with policy. `groups`: the cgroup it must be in, by controller."""
    status = _status(pid)
    resident = status.get(b"VmRSS", b"0 kB").split()[0]
    wrong = (
        _wrong_status(status, uid, plan, around)
        or (plan.namespaces and _wrong_spaces(pid, plan, around))
        or (plan.cgroup and _wrong_group(pid, groups))
        or ""
    )
    return Seen(wrong, int(resident))


def _wrong_status(status: dict[bytes, bytes], uid: int, plan: Plan, around: Surroundings) -> str:
    four = b"\t".join([b"%d" % uid] * 4)
    if plan.own_uid and not (status[b"Uid"] == status[b"Gid"] == four):
        return f"its uid is {status[b'Uid'].split()[0].decode()}, not {uid}"
    if status[b"NoNewPrivs"] != b"1":
        return "it may gain privileges"
    if status[b"Seccomp"] != b"2":
        return "seccomp is not in force"
    if int(status.get(b"Seccomp_filters", around.filters + 1)) != around.filters + 1:
        return "it has another number of seccomp filters"
    if any(int(status[name], 16) for name in (b"CapInh", b"CapPrm", b"CapEff", b"CapAmb")):
        return "it holds capabilities"
    if status[b"Threads"] != b"1":
        return "it has more than one thread"
    if plan.namespaces and not status[b"NSpid"].endswith(b"\t1"):
        return "it is not the first process of its own namespace"
    return ""


def _wrong_spaces(pid: int, plan: Plan, around: Surroundings) -> str:
    for name in _FRESH:
        space = _space(pid, name)
        if space in (around.keeper[name], around.runtime[name]):
            return f"its {name} namespace is not its own"
    for name in (*_JAILED, "user") if plan.user_namespace else _JAILED:
        space = _space(pid, name)
        if space == around.keeper[name] or space != around.runtime[name]:
            return f"its {name} namespace is not the jail's"
    return ""


def _wrong_group(pid: int, groups: dict[str, str]) -> str:
    text = _read(f"/proc/{pid}/cgroup").decode()
    if all(f":{controller}:{path}\n" in text for controller, path in groups.items()):
        return ""
    seen = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):  # several may share a hierarchy
            seen[controller] = path
    for controller, path in groups.items():
        if seen.get(controller) != path:
            return f"it is in cgroup {seen.get(controller)}, not {path}"
    return ""


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 8192)
    finally:
        os.close(descriptor)


def _status(pid: int) -> dict[bytes, bytes]:
    return dict(_FIELDS.findall(_read(f"/proc/{pid}/status")))


def _spaces(pid: int, names: tuple[str, ...]) -> dict[str, int]:
    return {name: _space(pid, name) for name in names}


def _space(pid: int, name: str) -> int:
    return os.stat(f"/proc/{pid}/ns/{name}").st_ino
