"""Small real attacks that `doctor` runs inside a real box, each against one layer.

A probe's function is called in a box and returns "" if it was refused, else what it got. What
must come of it instead of a return is said by `ends`: a limit that stops it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from app.model import Limits
from app.runtime_kinds import RuntimeName

Layer = Literal[
    "seccomp", "landlock", "private root", "namespaces", "uid", "capabilities", "limits", "memory",
    "descriptors", "environment", "runtime",
]  # fmt: skip


_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Probe:
    layer: Layer
    attempt: str  # in words
    source: str
    tiers: str = "ABC"  # where it has to be refused
    ends: str = ""  # "cpu", "wall", "memory", "printed" or "returned": the limit that stops it
    limits: Limits = _LIMITS
    runtime: RuntimeName = "numpy"


_SYSCALL = """
import ctypes, errno
def probe():
    call = ctypes.CDLL(None, use_errno=True).syscall
    if call({number}, {arguments}) == -1 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS):
        return ""
    return "not refused"
"""

_TRY = """
import os, sys, socket, fcntl, threading
def probe():
    try:
        got = {expression}
    except OSError:
        return ""
    return f"got {{got!r:.80}}"
"""


def _syscall(attempt: str, number: int, *arguments: int) -> Probe:
    padded = ", ".join(str(argument) for argument in (*arguments, 0, 0, 0, 0)[:5])
    return Probe("seccomp", attempt, _SYSCALL.format(number=number, arguments=padded))


def _refused(layer: Layer, attempt: str, expression: str, tiers: str = "ABC") -> Probe:
    return Probe(layer, attempt, _TRY.format(expression=expression), tiers)


def _empty(layer: Layer, attempt: str, source: str, tiers: str = "ABC") -> Probe:
    """What `got` ends up as must be false."""
    body = "\n".join(f"    {line}" for line in source.strip().splitlines())
    whole = f"import os\ndef probe():\n{body}\n    return repr(got)[:80] if got else ''\n"
    return Probe(layer, attempt, whole, tiers)


_KNOWN_VARIABLES = """
known = {
    "PYTHONHASHSEED", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
    "MALLOC_ARENA_MAX", "LC_ALL", "HOME", "TMPDIR",
}
got = set(os.environ) - known
"""

_DESCRIPTORS = """
got = []
for number in range(4, 64):
    try:
        os.fstat(number)
        got.append(number)
    except OSError:
        pass
"""

_SYSTEM_FILES = "got = [p for p in ('/proc/self', '/dev/null', '/sys/fs') if os.path.exists(p)]"

_LOOP = "def probe():\n    while True:\n        pass\n"
_SLEEP = "import time\ndef probe():\n    time.sleep(60)\n"
_PRINT = "def probe():\n    while True:\n        print('x' * 9999)\n"
_HOARD = "def probe():\n    kept = []\n    while True:\n        kept.append(bytearray(1 << 20))\n"
_RETURN = "def probe():\n    return [0.0] * (1 << 20)\n"

_NUMPY = """
try:
    import numpy
except ModuleNotFoundError:
    got = ""
else:
    got = numpy.__file__
"""

_THREADS = """
import threading, time
def probe():
    for count in range(1000):
        try:
            threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
        except RuntimeError:
            return ""
    return "1000 threads"
"""

# On a very slow machine the clocks must not run out before what is tried is refused.
_PATIENT = Limits(time_s=60, wall_s=120, memory_mib=32, returned_mib=1)

# System call numbers are those of x86_64; elsewhere the same numbers are other calls, which the
# filter does not know either.
PROBES = (
    _refused("seccomp", "fork a process", "os.fork()"),
    _refused("seccomp", "execute a program", "os.execv('/bin/sh', ['sh'])"),
    _refused("seccomp", "open a network socket", "socket.socket()"),
    _refused("seccomp", "open a local socket", "socket.socket(socket.AF_UNIX)"),
    _refused("seccomp", "signal the parent", "os.kill(os.getppid() or 1, 0)"),
    _refused("seccomp", "lock a file that boxes share", "fcntl.flock(0, fcntl.LOCK_EX)"),
    _refused("seccomp", "take a record lock", "fcntl.lockf(3, fcntl.LOCK_EX)"),
    _refused("seccomp", "make anonymous memory files", "os.memfd_create('x')"),
    _refused("seccomp", "raise its priority", "os.nice(-5)"),
    _syscall("trace another process", 101, 16, 1),
    _syscall("read another process's memory", 310, 1),
    _syscall("make a user namespace", 272, 0x10000000),
    _syscall("mount", 165),
    _syscall("load a BPF program", 321, 5),
    _syscall("set up io_uring", 425, 8),
    _syscall("use the kernel's keyring", 250),
    _syscall("change its execution domain", 135, 0x0400000),
    _refused("landlock", "list the root folder", "os.listdir('/')"),
    _refused("landlock", "read /etc/passwd", "open('/etc/passwd').read()"),
    _refused("landlock", "write beside the standard library", "open(os.__file__ + '.x', 'w')"),
    _empty(
        "private root", "see that /etc/shadow exists", "got = os.path.exists('/etc/shadow')", "AB"
    ),
    _empty("private root", "see /proc, /dev or /sys", _SYSTEM_FILES, "AB"),
    _empty("namespaces", "have others before it in its namespace", "got = os.getpid() != 1", "AB"),
    _empty("uid", "be root", "got = 0 in (os.getuid(), os.geteuid(), os.getgid())"),
    _empty("descriptors", "find a descriptor beyond the first four", _DESCRIPTORS),
    _empty("environment", "find anything of the service in the environment", _KNOWN_VARIABLES),
    Probe("limits", "start a thousand threads", _THREADS),
    Probe("limits", "loop for ever", _LOOP, ends="cpu", limits=Limits(time_s=0.1)),
    Probe("limits", "sleep for ever", _SLEEP, ends="wall", limits=Limits(wall_s=0.1)),
    Probe("limits", "print for ever", _PRINT, ends="printed", limits=_PATIENT),
    Probe("limits", "return too much", _RETURN, ends="returned", limits=_PATIENT),
    Probe("memory", "take too much memory", _HOARD, ends="memory", limits=_PATIENT),
    replace(_empty("runtime", "import NumPy where it must not exist", _NUMPY), runtime="python"),
)
