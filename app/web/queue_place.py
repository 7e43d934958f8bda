"""How many come before somebody who waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app.store import Store

_FRESH_S = 1.0


@dataclass(slots=True)
class QueuePlaces:
    """The order of the queue, asked of the store at most once a second, however many wait."""

    _places: dict[str, int] = field(default_factory=dict)
    _read_s: float = -_FRESH_S

    async def place(
        self, store: Store, submission_id: str, judging: Callable[[str], bool]
    ) -> int | None:
        """1: it is next. Those that are being judged come before nobody; None: it waits no more."""
        if time.monotonic() - self._read_s >= _FRESH_S:
            self._read_s = time.monotonic()
            self._places = await store.queue_places()
        mine = self._places.get(submission_id)
        if mine is None:
            return None
        return 1 + sum(place < mine and not judging(id_) for id_, place in self._places.items())
