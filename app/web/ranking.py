"""Places in a list of programs, with honest ties."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.store import Standout

# Times of secret tests are told in these steps; nothing finer is a difference between programs.
STEP_MS = 10


@dataclass(frozen=True, slots=True)
class Place:
    """One person's best. Who cannot be told apart shares a rank; the next one is counted on."""

    rank: int
    name: str
    public: bool
    time_ms: int
    memory_mib: int
    bonus: int


def ranked(standouts: Sequence[Standout]) -> tuple[Place, ...]:
    """By time, then memory, both as coarse as they are shown; equals by name."""

    def figures(standout: Standout) -> tuple[int, int]:
        steps = max(1, math.ceil(standout.time_ms / STEP_MS))
        return steps * STEP_MS, math.ceil(standout.memory_kib / 1024)

    ordered = sorted(standouts, key=lambda each: (*figures(each), each.name.casefold()))
    places: list[Place] = []
    for position, each in enumerate(ordered, start=1):
        time_ms, memory_mib = figures(each)
        before = places[-1] if places else None
        tied = before is not None and (before.time_ms, before.memory_mib) == (time_ms, memory_mib)
        rank = before.rank if tied and before is not None else position
        places.append(Place(rank, each.name, each.public, time_ms, memory_mib, each.bonus))
    return tuple(places)
