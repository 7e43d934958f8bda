"""What counts very many rows runs beside everything else that is asked of an embedded database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from sqlalchemy import text

from app.model import Submission
from app.store import Store

Ask = Callable[[Any], Any]
LONG = text(
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < :most) "
    "SELECT count(*) FROM n"
)


async def counted(store: Store, most: int) -> int:
    async with store._database.counting() as transaction:
        [row] = await transaction.rows(LONG, most=most)
    return int(row[0])


def test_nobody_waits_for_who_counts(embedded: Store, ask: Ask) -> None:
    """Submissions are taken in and judged meanwhile."""

    async def scenario() -> int:
        counting, sent = asyncio.create_task(counted(embedded, 2_000_000)), 0
        while not counting.done():
            await embedded.add_submission(Submission(f"sent {sent}", "f/v", ""), "guest:1")
            sent += 1
            await asyncio.sleep(0.005)
        assert await counting == 2_000_000
        return sent

    assert ask(scenario()) > 3


def test_who_gives_up_counting_leaves_its_connection_in_order(embedded: Store, ask: Ask) -> None:
    """A thread cannot be cancelled: the next one waits until it is done."""

    async def scenario() -> int:
        counting = asyncio.create_task(counted(embedded, 500_000))
        await asyncio.sleep(0.01)
        counting.cancel()
        others = [asyncio.create_task(counted(embedded, most)) for most in (5, 7)]
        await asyncio.gather(counting, return_exceptions=True)
        assert counting.cancelled()
        return sum([await other for other in others])

    assert ask(scenario()) == 12
