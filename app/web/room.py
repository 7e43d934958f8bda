"""Room in the queue: the one bound on what may wait, whoever sent it."""

from __future__ import annotations

import time

from app.errors import Busy
from app.store import Waiting

_TRIAL_SHARE = 4  # beside the queue of submissions there is room for a quarter as many trials
_REMEMBERED_S = 0.05  # about what one judging takes: earlier there is hardly more room


class Room:
    """Says that the queue is full, and for a moment remembers it.

    A flood is so refused without asking the database each time; what it would have told is the same.
    Trials have room of their own, so that people can still work while submissions flood in.
    """

    def __init__(self) -> None:
        self._full: dict[bool, tuple[float, Busy]] = {}  # trial: until when, and what is told

    def check_remembered(self, trial: bool) -> None:
        """Raises Busy where it was full a moment ago."""
        until_s, busy = self._full.get(trial, (0.0, None))
        if busy is not None and time.monotonic() < until_s:
            raise Busy(str(busy))

    def check(self, waiting: Waiting, limit: int, trial: bool) -> None:
        """Raises Busy where as much waits as may; `limit` is that of submissions."""
        limit = max(1, limit // _TRIAL_SHARE) if trial else limit
        ahead = waiting.trials if trial else waiting.all - waiting.trials
        if ahead < limit:
            return
        what = "run" if trial else "submission"
        waits = f"1 {what} is" if ahead == 1 else f"{ahead} {what}s are"
        busy = Busy(f"{waits} waiting; try again in a moment")
        self._full[trial] = (time.monotonic() + _REMEMBERED_S, busy)
        raise busy
