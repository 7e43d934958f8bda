"""The kernel's doors, one thin function for each: what the runtime and the box lock themselves in with.

Runs on both sides of the jail, so it imports only the standard library. Every function does one
thing or raises OSError naming it. The library handle keeps the GIL: a box is cloned in the middle
of a call, and its copy of the interpreter must own the lock.
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterable

CLONE_PARENT = 0x8000
CLONE_NEWNS = 0x20000
CLONE_NEWUTS = 0x4000000
CLONE_NEWIPC = 0x8000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MNT_DETACH = 2

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_GET_DUMPABLE, _PR_CAPBSET_DROP = 1, 4, 3, 24
_PR_SET_NO_NEW_PRIVS, _PR_GET_NO_NEW_PRIVS = 38, 39
_SIGKILL, _SIGCHLD = 9, 17
_SECCOMP_SET_MODE_FILTER, _SECCOMP_FILTER_FLAG_SPEC_ALLOW = 1, 4

# name: (x86_64, aarch64)
_NUMBERS = {
    "clone": (56, 220),
    "pivot_root": (155, 41),
    "capget": (125, 90),
    "capset": (126, 91),
    "seccomp": (317, 277),
    "close_range": (436, 436),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}
_COLUMN = {"x86_64": 0, "aarch64": 1}.get(platform.machine(), 0)
_NR = {name: numbers[_COLUMN] for name, numbers in _NUMBERS.items()}

_libc = ctypes.PyDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long
_prctl = _libc.prctl
_mount = _libc.mount
_mount.argtypes = [
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_ulong,
    ctypes.c_char_p,
]
_long, _get_errno = ctypes.c_long, ctypes.get_errno
_compare = _libc.memcmp
_compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


def _failed(what: str) -> OSError:
    code = _get_errno()
    return OSError(code, f"{what}: {os.strerror(code)}")


def _call(name: str, *arguments: object) -> int:
    result: int = _syscall(_long(_NR[name]), *arguments)
    if result < 0:
        raise _failed(name)
    return result


def same_memory(left: int, right: int, size: int) -> bool:
    """Whether `size` bytes at two addresses are equal."""
    return bool(_compare(left, right, size) == 0)


# --- Processes ----------------------------------------------------------------------------------


def clone(namespaces: int) -> int:
    """Fork a child into fresh namespaces, as a sibling: the caller's parent can wait for it.

    Returns 0 in the child. Only for a process with one thread: fork handlers do not run.
    """
    nothing = _long(0)
    flags = _long(namespaces | CLONE_PARENT | _SIGCHLD)
    return _call("clone", flags, nothing, nothing, nothing, nothing)


def unshare(namespaces: int) -> None:
    if _libc.unshare(namespaces) != 0:
        raise _failed("unshare")


def close_from(first: int) -> None:
    """Close every descriptor from `first` up."""
    _call("close_range", _long(first), _long(0xFFFFFFFF), _long(0))


def die_with_parent() -> None:
    if _prctl(_PR_SET_PDEATHSIG, _long(_SIGKILL), _long(0), _long(0), _long(0)) != 0:
        raise _failed("PR_SET_PDEATHSIG")


def hide_memory() -> None:
    """No core dumps, no /proc/<pid>/mem, no ptrace by the same user."""
    if _prctl(_PR_SET_DUMPABLE, _long(0), _long(0), _long(0), _long(0)) != 0:
        raise _failed("PR_SET_DUMPABLE")


def memory_is_hidden() -> bool:
    return bool(_prctl(_PR_GET_DUMPABLE, _long(0), _long(0), _long(0), _long(0)) == 0)


# --- Privileges ---------------------------------------------------------------------------------


def forbid_new_privileges() -> None:
    if _prctl(_PR_SET_NO_NEW_PRIVS, _long(1), _long(0), _long(0), _long(0)) != 0:
        raise _failed("PR_SET_NO_NEW_PRIVS")


def new_privileges_forbidden() -> bool:
    return bool(_prctl(_PR_GET_NO_NEW_PRIVS, _long(0), _long(0), _long(0), _long(0)) == 1)


def empty_bounding_set() -> None:
    """No capability can come back through an exec (which seccomp forbids as well)."""
    for capability in range(64):
        if _prctl(_PR_CAPBSET_DROP, _long(capability), _long(0), _long(0), _long(0)) != 0:
            return  # past the last one the kernel knows, or no right to drop: nothing to lose


_cap_header = (ctypes.c_uint32 * 2)(0x20080522, 0)
_cap_nothing = (ctypes.c_uint32 * 6)()
_cap_seen = (ctypes.c_uint32 * 6)()


def drop_capabilities() -> None:
    _call("capset", _cap_header, _cap_nothing)


def has_capabilities() -> bool:
    """Whether any effective or permitted capability is left."""
    _call("capget", _cap_header, _cap_seen)
    return any((_cap_seen[0], _cap_seen[1], _cap_seen[3], _cap_seen[4]))


# --- Mounts -------------------------------------------------------------------------------------


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    if _mount(source.encode(), target.encode(), kind.encode(), flags, options.encode()) != 0:
        raise _failed(f"mount {kind or 'bind'} on {target}")


def detach(target: str) -> None:
    if _libc.umount2(target.encode(), MNT_DETACH) != 0:
        raise _failed(f"umount {target}")


def pivot_root(new_root: str, old_root: str) -> None:
    _call("pivot_root", ctypes.c_char_p(new_root.encode()), ctypes.c_char_p(old_root.encode()))


# --- Landlock -----------------------------------------------------------------------------------

_READ = (1 << 2) | (1 << 3)  # files and folders; executing is never allowed
_WRITE = (1 << 1) | (1 << 4) | (1 << 5) | (1 << 7) | (1 << 8)
_SINCE = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # rights by ABI version
_TRUNCATE = 1 << 14
_NET_SINCE, _SCOPE_SINCE = 4, 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def landlock_version() -> int:
    """ABI version of Landlock, or 0 where the kernel has none."""
    found: int = _syscall(_long(_NR["landlock_create_ruleset"]), None, _long(0), _long(1))
    return max(found, 0)


def landlock_ruleset(readable: Iterable[str], writable: Iterable[str]) -> int:
    """A ruleset that handles everything the kernel knows and allows only these trees.

    Made once by the runtime; each box restricts itself with it. Connecting, binding, signals and
    abstract sockets are handled without any rule that allows them, where the version has them.
    """
    version = landlock_version()
    if version == 0:
        raise OSError(38, "landlock_create_ruleset: this kernel has no Landlock")
    handled = sum(rights for since, rights in _SINCE.items() if since <= version)
    rules = _Ruleset(
        handled, 3 if version >= _NET_SINCE else 0, 3 if version >= _SCOPE_SINCE else 0
    )
    size = 24 if version >= _SCOPE_SINCE else 16 if version >= _NET_SINCE else 8
    ruleset = _call("landlock_create_ruleset", ctypes.byref(rules), _long(size), _long(0))
    for path in readable:
        _allow(ruleset, path, _READ & handled)
    for path in writable:
        _allow(ruleset, path, (_READ | _WRITE | _TRUNCATE) & handled)
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    if not os.path.isdir(path):
        rights &= (1 << 1) | (1 << 2) | _TRUNCATE
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _PathBeneath(rights, beneath)
        _call("landlock_add_rule", _long(ruleset), _long(1), ctypes.byref(rule), _long(0))
    finally:
        os.close(beneath)


def restrict_by(ruleset: int) -> None:
    _call("landlock_restrict_self", _long(ruleset), _long(0))


# --- seccomp ------------------------------------------------------------------------------------


class Filter(ctypes.Structure):
    """A BPF program as the kernel wants it; keeps its bytes alive."""

    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.c_char_p))

    def __init__(self, program: bytes) -> None:
        super().__init__(len(program) // 8, program)
        self.reference = ctypes.byref(self)


def filter_syscalls(program: Filter) -> None:
    """Load exported bytes. SPEC_ALLOW: kernels before 5.16 otherwise slow the whole process down."""
    flags = _long(_SECCOMP_FILTER_FLAG_SPEC_ALLOW)
    _call("seccomp", _long(_SECCOMP_SET_MODE_FILTER), flags, program.reference)
