"""CPU seconds and memory of a process and all below it, as /proc tells them."""

from __future__ import annotations

import os
from pathlib import Path

TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def tree(root: int) -> list[int]:
    """`root` and every process below it that is alive now."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, []))
    return found


def cpu_s(root: int) -> float:
    """CPU seconds of the whole tree, those of children already reaped included."""
    total = 0
    for pid in tree(root):
        if fields := _stat(pid):
            total += sum(int(ticks) for ticks in fields[11:15])
    return total * TICK_S


def proportional_mib(root: int) -> float:
    """Proportional set size of the whole tree: pages shared by n processes count 1/n each."""
    total_kib = 0
    for pid in tree(root):
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:  # ended in the meantime
            continue
        total_kib += sum(
            int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")
        )
    return total_kib / 1024


def _stat(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat after the name, which may hold spaces and brackets."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
