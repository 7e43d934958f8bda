"""Memory shared with a box: what it may read, what it may write, and when it can no longer change."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from app.sandbox.encode import Encoder

_EXITING = 0x4  # PF_EXITING, in the flags of /proc/<pid>/stat
_LOOKS = 20


def readable(encoder: Encoder) -> int:
    """Arrays in memory that a box can map but not change: a descriptor for reading only."""
    descriptor = os.memfd_create("arguments", os.MFD_CLOEXEC)
    try:
        for offset, piece in encoder.pieces:
            at = 0
            while at < len(piece):
                at += os.pwrite(descriptor, piece[at:], offset + at)
        return os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(descriptor)


def sealed(size: int) -> int:
    """Shared memory of a fixed size; pages are taken only when they are written."""
    descriptor = os.memfd_create("result", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, size)
    fcntl.fcntl(
        descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    )
    return descriptor


def settled(pid: int) -> bool:
    """Whether no thread of a process that was killed will ever run its own code again.

    Each is in the kernel's exit then. Until that a result in shared memory is the box's to change; to
    wait for its death instead would be to wait until hundreds of megabytes are given back.
    """
    for _ in range(_LOOKS):
        try:
            threads = os.listdir(f"/proc/{pid}/task")
            stats = [Path(f"/proc/{pid}/task/{thread}/stat").read_bytes() for thread in threads]
        except OSError:  # one of them has gone meanwhile
            continue
        if all(int(stat.rpartition(b")")[2].split()[6]) & _EXITING for stat in stats):
            return True
        time.sleep(0.0001)
    return False
