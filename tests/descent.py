"""Whose children are whose, as the kernel tells it while processes and threads come and go."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def children(pid: int) -> list[int]:
    """The children of all threads of a process; none of one that has gone."""
    found: list[int] = []
    with suppress(OSError):  # the process has gone meanwhile
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):  # that thread has
                children = Path(f"/proc/{pid}/task/{thread}/children").read_text()
                found += map(int, children.split())
    return found


def descendants(pid: int) -> list[int]:
    """All processes below this one."""
    found = children(pid)
    for one in found:
        found += children(one)
    return found
