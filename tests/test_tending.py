"""What is old is forgotten where the host wants that; what is unjudged never."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.errors import NotFound
from app.model import Judgement, Submission
from app.problem.kept import Kept
from app.store import Store, open_store
from app.tending import Tending

JUDGED = Judgement("AC", 1.0, 1, 0, (), "v")


async def _filled(store: Store) -> None:
    """More than one batch of judged ones, and one that still waits."""
    for number in range(250):
        submission = Submission(f"old{number}", "f/v", "")
        await store.add_submission(submission, "guest:1")
        assert await store.add_judgement(submission, JUDGED)
    await store.add_submission(Submission("waits", "f/v", ""), "guest:1")
    await store.add_user("someone", "learner")  # a line of the audit log


@pytest.mark.parametrize("keep", [True, False])
def test_old_submissions_go_only_where_they_shall(tmp_path: Path, keep: bool) -> None:
    async def scenario() -> None:
        store = open_store(tmp_path / "a.sqlite3")
        await _filled(store)
        await asyncio.sleep(0.01)
        age_s = None if keep else 0.001
        await Tending(store, Kept(tmp_path / "cache"), 0, age_s, age_s).once()
        await store.standing("waits")
        if keep:
            assert (await store.standing("old0")).judgement == JUDGED
        else:
            for number in (0, 249):
                with pytest.raises(NotFound):
                    await store.standing(f"old{number}")
            assert await store.forget_audit(-10) == 0
        await store.close()

    asyncio.run(scenario())


def test_a_store_that_is_away_is_asked_again(tmp_path: Path) -> None:
    """Nothing here ends the service."""

    async def scenario() -> None:
        store = open_store(tmp_path / "a.sqlite3")
        await _filled(store)
        tending = Tending(store, Kept(tmp_path / "cache"), 0, 0.0, 0.0, every_s=0.05)
        other = open_store(tmp_path / "a.sqlite3")
        async with other._database.writing():
            task = asyncio.create_task(tending.run())
            await asyncio.sleep(2.3)  # longer than a lock is waited for
            assert not task.done()
            await store.standing("old0")
        async with asyncio.timeout(5):
            while True:
                try:
                    await store.standing("old0")
                except NotFound:
                    break
                await asyncio.sleep(0.02)
        task.cancel()
        await other.close()
        await store.close()

    asyncio.run(scenario())
