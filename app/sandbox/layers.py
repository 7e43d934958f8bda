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
MS_REMOUNT, MS_NOATIME, MS_BIND, MS_REC, MS_PRIVATE = 32, 1024, 4096, 16384, 1 << 18
MNT_DETACH = 2

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
_SIGKILL, _SIGCHLD = 9, 17

# name: (x86_64, aarch64)
_TABLE = {
    "capset": (126, 91),
    "chdir": (80, 49),
    "clone": (56, 220),
    "close": (3, 57),
    "close_range": (436, 436),
    "exit_group": (231, 94),
    "getpid": (39, 172),
    "getuid": (102, 174),
    "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "mount": (165, 40),
    "openat": (257, 56),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "seccomp": (317, 277),
    "setresgid": (119, 149),
    "setresuid": (117, 147),
    "setsid": (112, 157),
    "socket": (41, 198),
    "write": (1, 64),
}
NUMBERS = {name: row[platform.machine() == "aarch64"] for name, row in _TABLE.items()}

_libc = ctypes.PyDLL(None, use_errno=True)
raw_call = _libc.syscall  # any system call: six integers in, one out, -1 for an error
raw_call.restype = ctypes.c_long
raw_call.argtypes = [ctypes.c_long] * 6
raw_errno = ctypes.get_errno
_compare = _libc.memcmp
_compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


def _call(name: str, *arguments: int) -> int:
    padded = (*arguments, 0, 0, 0, 0, 0)[:5]
    result: int = raw_call(NUMBERS[name], *padded)
    if result < 0:
        code = raw_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def same_memory(left: int, right: int, size: int) -> bool:
    """Whether `size` bytes at two addresses are equal."""
    return bool(_compare(left, right, size) == 0)


def give_back_memory() -> None:
    """Return what is free to the kernel: every page that is left is one more for each box to copy."""
    _libc.malloc_trim(0)


# --- Processes ----------------------------------------------------------------------------------


# A forked child as a sibling: the runtime's parent, the keeper, can wait for it. Fork handlers do
# not run: only for a process with one thread.
AS_SIBLING = CLONE_PARENT | _SIGCHLD


def unshare(namespaces: int) -> None:
    if _libc.unshare(namespaces) != 0:
        code = raw_errno()
        raise OSError(code, f"unshare: {os.strerror(code)}")


def die_with_parent() -> None:
    _call("prctl", _PR_SET_PDEATHSIG, _SIGKILL)


def hide_memory() -> None:
    """No core dumps, no /proc/<pid>/mem, no ptrace by the same user."""
    _call("prctl", _PR_SET_DUMPABLE, 0)


# --- Privileges ---------------------------------------------------------------------------------


def forbid_new_privileges() -> None:
    _call("prctl", _PR_SET_NO_NEW_PRIVS, 1)


def empty_bounding_set() -> None:
    """No capability can come back through an exec (which seccomp forbids as well)."""
    for capability in range(64):
        try:
            _call("prctl", _PR_CAPBSET_DROP, capability)
        except OSError:
            return  # past the last one the kernel knows, or no right to drop: nothing to lose


# --- Mounts -------------------------------------------------------------------------------------


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    texts = [ctypes.create_string_buffer(text.encode()) for text in (source, target, kind, options)]
    one, two, three, four = (ctypes.addressof(text) for text in texts)
    try:
        _call("mount", one, two, three, flags, four)
    except OSError as error:
        raise OSError(error.errno, f"{kind or 'bind'} on {target}: {error.strerror}") from None


def detach(target: str) -> None:
    if _libc.umount2(target.encode(), MNT_DETACH) != 0:
        code = raw_errno()
        raise OSError(code, f"umount {target}: {os.strerror(code)}")


def pivot_root(new_root: str, old_root: str) -> None:
    new, old = (ctypes.create_string_buffer(text.encode()) for text in (new_root, old_root))
    _call("pivot_root", ctypes.addressof(new), ctypes.addressof(old))


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
    found: int = raw_call(NUMBERS["landlock_create_ruleset"], 0, 0, 1, 0, 0)
    return max(found, 0)


def landlock_ruleset(
    readable: Iterable[str], writable: Iterable[str], listable: Iterable[str] = ()
) -> int:
    """A ruleset that handles everything the kernel knows and allows only these trees.

    In what is only `listable`, names can be seen but no file can be read.

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
    ruleset = _call("landlock_create_ruleset", ctypes.addressof(rules), size)
    for path in readable:
        _allow(ruleset, path, _READ & handled)
    for path in listable:
        _allow(ruleset, path, 1 << 3)
    for path in writable:
        _allow(ruleset, path, (_READ | _WRITE | _TRUNCATE) & handled)
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    if not os.path.isdir(path):
        rights &= (1 << 1) | (1 << 2) | _TRUNCATE
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _PathBeneath(rights, beneath)
        _call("landlock_add_rule", ruleset, 1, ctypes.addressof(rule))
    finally:
        os.close(beneath)


# --- seccomp ------------------------------------------------------------------------------------


class Filter(ctypes.Structure):
    """A BPF program as the kernel wants it; keeps its bytes alive."""

    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.c_char_p))

    def __init__(self, program: bytes) -> None:
        super().__init__(len(program) // 8, program)
