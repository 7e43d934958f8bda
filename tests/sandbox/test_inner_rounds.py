"""Making a call may run programs itself: big tests are generated when they are first asked for."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import overload

from app.model import Call, Returned
from app.sandbox import Keeper

SOURCE = "def f(x):\n    return x + 1\n"


class Lazy(Sequence[Call]):
    """Calls whose argument another program has to make first."""

    def __init__(self, keeper: Keeper, count: int) -> None:
        self._keeper, self._count = keeper, count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Call]: ...
    def __getitem__(self, index: int | slice) -> Call | Sequence[Call]:
        assert isinstance(index, int)
        ((_, outcome),) = self._keeper.run([Call(SOURCE, "f", (index,))])
        assert isinstance(outcome.fact, Returned)
        return Call(SOURCE, "f", (outcome.fact.value,))


def test_rounds_inside_rounds_never_wait_for_each_other(best: Keeper) -> None:
    """More judgings than cores, each making its calls by running programs: all of them end."""
    found: list[dict[int, object]] = []

    def judging() -> None:
        facts = {index: outcome.fact for index, outcome in best.run(Lazy(best, 6))}
        found.append({i: f.value for i, f in facts.items() if isinstance(f, Returned)})

    threads = [threading.Thread(target=judging, daemon=True) for _ in range(best.cores + 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert found == [{index: index + 2 for index in range(6)}] * len(threads)
