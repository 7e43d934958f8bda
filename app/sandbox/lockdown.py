"""The order in which a fresh box locks itself in, and how it proves that each layer holds.

Every line is a promise of the policy: the keeper gives the box nothing to run unless the set that
comes back is exactly what policy asks for, and its own look from outside agrees.
Runs inside: the standard library only.
"""

from __future__ import annotations

import errno
import os
import resource
import socket
from dataclasses import dataclass

from app.sandbox import jail, layers

_MIB = 1 << 20
_TMPFS = layers.MS_NOSUID | layers.MS_NODEV | layers.MS_NOEXEC


@dataclass(frozen=True, slots=True)
class Lock:
    """What every box of one runtime has in common."""

    namespaces: bool
    own_uid: bool
    hide_memory: bool  # now; else when the call comes, because the keeper still has to look
    scratch_mib: int
    filter: layers.Filter


def shut(lock: Lock, uid: int, descriptors: list[int]) -> list[str]:
    """Lock this process in, in this order, and give the layers that were seen to hold."""
    channel, stdout, stderr, *cgroups = descriptors
    for cgroup in cgroups:
        os.write(cgroup, b"0")
    os.dup2(channel, 3)
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    layers.close_from(5)
    os.setsid()
    if lock.namespaces:
        options = f"size={lock.scratch_mib}m,nr_inodes=1024,mode=700,uid={uid},gid={uid}"
        layers.mount("tmpfs", jail.BOX, "tmpfs", _TMPFS, options)
    if lock.own_uid:
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    layers.drop_capabilities()
    if lock.namespaces:
        os.chdir(jail.BOX)
    if lock.hide_memory:
        layers.hide_memory()
    layers.die_with_parent()
    layers.restrict_by(4)
    os.close(4)
    held = _before_filter(lock, uid)
    layers.filter_syscalls(lock.filter)
    return held + _after_filter()


def _before_filter(lock: Lock, uid: int) -> list[str]:
    """Layers that can be asked about only while the calls for asking are still allowed."""
    held = []
    if os.getsid(0) == os.getpid():
        held.append("session")
    if not layers.has_capabilities():
        held.append("capabilities")
    if layers.new_privileges_forbidden():
        held.append("no_new_privs")
    if lock.own_uid and os.getresuid() == os.getresgid() == (uid, uid, uid) and not os.getgroups():
        held.append("uid")
    if layers.memory_is_hidden():
        held.append("hidden_memory")
    if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0):
        held.append("limits")
    if os.getpid() == 1:
        held.append("pid")
    if lock.namespaces and os.statvfs(".").f_flag & (os.ST_NOEXEC | os.ST_NODEV | os.ST_NOSUID):
        held.append("scratch")
    return held


def _after_filter() -> list[str]:
    """Try a few things that must fail, each because of one layer."""
    held = []
    try:
        os.close(os.open("/", os.O_RDONLY))
    except PermissionError:
        held.append("landlock")
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
    except PermissionError as error:
        if error.errno == errno.EPERM:
            held.append("seccomp")
    return held
