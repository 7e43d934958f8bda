"""Right, wrong, slow, hostile and large programs for minutes on end: is every verdict right, and does
anything grow?

What is counted belongs to the server alone: its process tree, its descriptors, its mounts, its groups,
a folder for temporary files that only it has, its database.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.bench import processes
from app.bench.http import Server
from app.bench.slopes import Slope, slope

MAY_GROW = frozenset({"database_kib"})  # it keeps what was sent
_LONGEST_S = 15.0  # between two looks
_WARM = 0.3  # of the time, in which caches and pools are filled

# What a program of each kind does before, or instead of, what is right; and the verdicts it may get.
_KINDS: Mapping[str, tuple[int, str, frozenset[str]]] = {
    "right": (30, "", frozenset({"AC"})),
    "large": (5, "#" + "x" * 60_000, frozenset({"AC"})),
    "slow": (5, "import time\ntime.sleep(0.05)", frozenset({"AC"})),
    "wrong": (20, "def {name}(*a, **k):\n    return 'x'", frozenset({"WA"})),
    "raises": (10, "def {name}(*a, **k):\n    return 1 / 0", frozenset({"RTE"})),
    "broken": (10, "def {name}(:", frozenset({"CE"})),
    "exits": (5, "def {name}(*a, **k):\n    import os\n    os._exit(0)", frozenset({"RTE"})),
    "hoards": (3, "def {name}(*a, **k):\n    return 'x' * 10**11", frozenset({"MLE"})),
    "shouts": (3, "def {name}(*a, **k):\n    print('x' * 10**6)", frozenset({"OLE"})),
    "forks": (
        3,
        "def {name}(*a, **k):\n    import os\n    while True:\n        os.fork()",
        frozenset({"RTE"}),
    ),
    "endless": (1, "def {name}(*a, **k):\n    while True: pass", frozenset({"TLE"})),
}
_INSTEAD = frozenset(_KINDS) - {"right", "large", "slow"}


@dataclass(frozen=True, slots=True)
class Soaked:
    """What was sent, what was wrong, and what grew."""

    judged: dict[str, int]
    wrong: tuple[str, ...]
    grew: dict[str, Slope]

    @property
    def all_flat(self) -> bool:
        """Nothing grew that must not."""
        return all(one.flat for name, one in self.grew.items() if name not in MAY_GROW)


def soak(
    server: Server,
    problem: str,
    entry_point: str,
    right: str,
    minutes: float,
    look: Callable[[], dict[str, float]],
    tell: Callable[[str], None],
) -> Soaked:
    """One program after another until the time is over; `look` is asked now and then."""
    begun = time.monotonic()
    end = begun + minutes * 60
    every_s = min(_LONGEST_S, minutes * 60 / 20)
    judged: Counter[str] = Counter()
    wrong: list[str] = []
    times_s: list[float] = []
    looks: list[dict[str, float]] = []
    for kind, source in _programs(entry_point, right):
        now = time.monotonic()
        if now > end:
            break
        if now - begun > len(looks) * every_s:
            times_s.append(now - begun)
            looks.append(look())
            tell(_line(now - begun, sum(judged.values()), looks[-1]))
        verdict = server.verdict(problem, source)
        judged[kind] += 1
        if verdict not in _KINDS[kind][2]:
            wrong.append(f"{kind}: {verdict}")
    warm = int(len(looks) * _WARM)
    grew = {name: slope(times_s[warm:], [one[name] for one in looks[warm:]]) for name in looks[0]}
    return Soaked(dict(judged), tuple(wrong), grew)


def everything(server: Server, temporary: Path, data: Path) -> dict[str, float]:
    """What must not grow, and the database, which may."""
    pids = processes.tree(server.pid)
    return {
        "memory_mib": round(processes.proportional_mib(server.pid), 1),
        "descriptors": float(sum(_entries(Path(f"/proc/{pid}/fd")) for pid in pids)),
        "processes": float(len(pids)),
        "groups": float(_groups(server.pid)),
        "mounts": float(_lines(Path(f"/proc/{server.pid}/mountinfo"))),
        "temporary_files": float(sum(1 for _ in temporary.rglob("*"))),
        "database_kib": sum(path.stat().st_size for path in data.glob("*.sqlite3*")) / 1024,
    }


def _programs(entry_point: str, right: str) -> Iterator[tuple[str, str]]:
    """In an order that is the same each time."""
    dice = random.Random(1)
    names = list(_KINDS)
    weights = [_KINDS[name][0] for name in names]
    while True:
        [kind] = dice.choices(names, weights)
        text = _KINDS[kind][1].replace("{name}", entry_point)
        yield kind, text if kind in _INSTEAD else f"{text}\n{right}"


def _groups(pid: int) -> int:
    """Control groups of this server's boxes: their folder is named after its process."""
    folders = Path("/sys/fs/cgroup").rglob(f"allclose-{pid}-*")
    return sum(1 for folder in folders for entry in folder.iterdir() if entry.is_dir())


def _entries(folder: Path) -> int:
    try:
        return sum(1 for _ in folder.iterdir())
    except OSError:  # ended meanwhile
        return 0


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def _line(passed_s: float, judged: int, found: dict[str, float]) -> str:
    values = " ".join(f"{name}={value:g}" for name, value in found.items())
    return f"{passed_s:6.0f} s, {judged} judged: {values}"
