"""Runs a program under other people's restrictions, as `python confine.py HOW... -- COMMAND...`:

    user       as an ordinary user, without groups
    no-userns  without the right to make user namespaces (a system call filter, as distributions do)
    container  as a container's default profile does it: no new namespaces, no mounts, few
               capabilities, and control groups that cannot be written
    no-landlock, no-seccomp    as on a kernel without them

It imports only the standard library and libseccomp's wrapper, which is handed in by PYTHONPATH.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

import pyseccomp as seccomp  # type: ignore[import-untyped]

_NAMESPACES = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
_MOUNTS = (
    "mount",
    "umount2",
    "pivot_root",
    "fsopen",
    "fsmount",
    "move_mount",
    "open_tree",
    "setns",
)
# What a container's root keeps by default; among what it loses are SYS_ADMIN and SYS_RESOURCE.
_KEPT = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}


def main(how: set[str], command: list[str]) -> None:
    if "container" in how:
        _hide_control_groups()
        for capability in set(range(41)) - _KEPT:
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    rules.set_attr(seccomp.Attr.CTL_NNP, 0 if os.geteuid() == 0 else 1)
    for name in _forbidden(how):
        rules.add_rule(seccomp.ERRNO(errno.EPERM), name)
    if how & {"container", "no-userns"}:
        flags = _NAMESPACES if "container" in how else 0x10000000
        for bit in (1 << n for n in range(32) if flags >> n & 1):
            for name in ("clone", "unshare"):
                has = seccomp.Arg(0, seccomp.MASKED_EQ, bit, bit)
                rules.add_rule(seccomp.ERRNO(errno.EPERM), name, has)
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    rules.load()
    if "user" in how:
        os.setgroups([])
        os.setresgid(54_321, 54_321, 54_321)
        os.setresuid(54_321, 54_321, 54_321)
    os.execv(command[0], command)


def _forbidden(how: set[str]) -> list[str]:
    names = [*_MOUNTS] if "container" in how else []
    if "no-landlock" in how:
        names += ["landlock_create_ruleset"]
    if "no-seccomp" in how:
        names += ["seccomp"]
    return names


def _hide_control_groups() -> None:
    """An empty folder over them, in a mount namespace of our own; needs root."""
    libc = ctypes.CDLL(None, use_errno=True)
    for done in (
        libc.unshare(0x20000),
        libc.mount(b"none", b"/", None, 1 << 18 | 16384, None),
        libc.mount(b"tmpfs", b"/sys/fs/cgroup", b"tmpfs", 1, None),
    ):
        if done != 0:
            raise OSError(ctypes.get_errno(), "cannot hide the control groups")


if __name__ == "__main__":
    end = sys.argv.index("--")
    main(set(sys.argv[1:end]), sys.argv[end + 1 :])
