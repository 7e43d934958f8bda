"""What has lost its job gets another, and what was forgotten is looked after, every few seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import structlog

from app.queue import Queue, priority
from app.store import Store

_log = structlog.get_logger()


class Sweeping:
    """One look through the store after another; each does a bounded amount of work.

    rejudge_s   age at which a judging error is judged again
    judgings    of one submission, where each ends in a judging error
    trial_s     age at which trials are deleted
    limit       submissions that one sweep looks at
    """

    def __init__(
        self,
        store: Store,
        queue: Queue,
        *,
        rejudge_s: float,
        judgings: int,
        trial_s: float,
        limit: int,
    ) -> None:
        self._store, self._queue = store, queue
        self._rejudge_s, self._judgings = rejudge_s, judgings
        self._trial_s, self._limit = trial_s, limit

    async def sweep(self, fit: bool, kept_out: Mapping[str, str]) -> None:
        """Give a job to what is unjudged and has none; ask again where the fault was ours.

        fit        whether boxes can judge: until then a judging error would only be repeated
        kept_out   variants whose judging errors wait until they can be judged

        Raises StoreError.
        """
        if fit:
            reopened = await self._store.reopen_judging_errors(
                self._rejudge_s, self._judgings, kept_out
            )
            if reopened:
                _log.info("judging errors are judged again", count=reopened)
        await self._store.finish_releases()
        await self._store.purge_trials(self._trial_s)
        await self._enqueue_again()

    async def _enqueue_again(self) -> None:
        own: Counter[str] = Counter()
        trials = 0
        for one in await self._store.unjudged_submissions(self._limit):
            of = priority(one.trial, one.created_ms, own[one.account], trials, one.rejudge)
            await self._queue.enqueue(one.id, of)
            own[one.account] += 1
            trials += one.trial
