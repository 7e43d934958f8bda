"""A clock that jumps decides nothing: durations are monotonic, times of day only tell people something."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from pathlib import Path

import pytest

from app.model import Judgement, Submission
from app.problem import load_catalogue
from app.problem.kept import Kept
from app.queue import MemoryQueue
from app.store import open_store
from app.tending import Tending
from app.web.events import Events
from app.worker import Pace, Worker
from tests.problem.plain_runner import PlainRunner
from tests.test_worker import BASE, PROBLEM, RIGHT

APP = Path(__file__).resolve().parents[1] / "app"
# Who may look at the clock on the wall, and why.
MAY_LOOK = {
    "store/submissions.py": "when something was kept",
    "worker.py": "how long something waited, for people who look",
    "web/rates.py": "when a rate's minute is over, which the library counts by it",
    "web/record.py": "which day it is",
    "web/oidc.py": "whether what a provider signed is still valid, which it tells by the clock",
    "problem/kept.py": "whether a killed process left a folder",
    "tending.py": "whether the clock has jumped",
}
DAY_S = 86_400


def test_few_places_look_at_the_clock_on_the_wall() -> None:
    """A timeout or a duration by it would be wrong after a jump."""
    reads = re.compile(r"\btime\.time(_ns)?\(|\bdatetime\.(now|utcnow|today)\(")
    found = {
        str(path.relative_to(APP)) for path in APP.rglob("*.py") if reads.search(path.read_text())
    }
    assert found <= set(MAY_LOOK)


@pytest.mark.parametrize("jump_s", [-DAY_S, DAY_S])
def test_what_is_sent_around_a_jump_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump_s: int
) -> None:
    """Some before it, some after it; by the queue and by the sweep; each once."""
    real = time.time_ns

    async def scenario() -> None:
        store, queue, boxes = open_store(tmp_path / "a.sqlite3"), MemoryQueue(), PlainRunner()
        catalogue = load_catalogue(BASE, tmp_path / "cache", boxes)
        for number in range(4):
            if number == 2:
                monkeypatch.setattr(time, "time_ns", lambda: real() + jump_s * 10**9)
            await store.add_submission(Submission(f"s{number}", PROBLEM, RIGHT), "guest:1")
        worker = Worker(store, queue, catalogue, boxes, Events(), Pace(sweep_s=0.05))
        task = asyncio.create_task(worker.run())
        async with asyncio.timeout(30):
            while await store.unjudged_submissions(10):
                await asyncio.sleep(0.02)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        for number in range(4):
            judgement = (await store.standing(f"s{number}")).judgement
            assert judgement is not None
            assert judgement.verdict == "AC"
        await store.close()

    asyncio.run(scenario())


def test_a_jump_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A year passes in a second: what is a second old stays."""

    async def scenario() -> None:
        store = open_store(tmp_path / "a.sqlite3")
        submission = Submission("one", "f/v", "")
        await store.add_submission(submission, "guest:1")
        await store.add_judgement(submission, Judgement("AC", 1.0, 1, 0, (), "v"))
        tending = Tending(store, Kept(tmp_path / "cache"), 0, 30 * DAY_S, 30 * DAY_S)
        real_ns, real = time.time_ns, time.time
        monkeypatch.setattr(time, "time_ns", lambda: real_ns() + 365 * DAY_S * 10**9)
        monkeypatch.setattr(time, "time", lambda: real() + 365 * DAY_S)
        await tending.once()
        await store.standing("one")
        await store.close()

    asyncio.run(scenario())
