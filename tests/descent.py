"""Whose children are whose, as the kernel tells it while processes and threads come and go."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def children(pid: int) -> list[int]:
    """The children of all threads of a process; none of one that has gone."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # that thread has ended meanwhile
            found += [int(child) for child in path.read_text().split()]
    return found


def descendants(pid: int) -> list[int]:
    """All processes below this one."""
    found = children(pid)
    for one in found:
        found += children(one)
    return found
