"""How much memory a box has in use, asked of the kernel where no control group counts.

A process may outlive its first thread, and /proc then shows nothing under its own number: all of its
threads share one memory, so the first that still has any will do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

_PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024


def now_kib(pid: int) -> int:
    """What is resident now; 0 if it is dead."""
    for text in _each_thread(pid, "statm"):
        fields = text.split()
        if len(fields) > 1 and fields[1] != b"0":
            return int(fields[1]) * _PAGE_KIB
    return 0


def highest_kib(pid: int) -> int:
    """The most that was ever resident; asked while it lives, for a dying process has none."""
    for text in _each_thread(pid, "status"):
        _, found, rest = text.partition(b"\nVmHWM:")
        if found:
            return int(rest.split(maxsplit=1)[0])
    return 0


def _each_thread(pid: int, name: str) -> Iterator[bytes]:
    """A file of /proc for the process, and then for each of its threads."""
    yield _read(f"/proc/{pid}/{name}")
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:
        yield _read(f"/proc/{pid}/task/{thread}/{name}")


def _read(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(4096)
    except OSError:
        return b""
