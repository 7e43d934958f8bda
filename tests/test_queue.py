"""Carrying ids: in order of priority, at most so many at a time, and none twice at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from app.queue import MemoryQueue, Queue, priority

Scenario = Callable[[Queue], Coroutine[Any, Any, None]]


class Carried:
    """What the handler was given, and how many at the same time."""

    def __init__(self, takes_s: float = 0.0) -> None:
        self.takes_s = takes_s
        self.ids: list[str] = []
        self.now = 0
        self.most = 0

    async def __call__(self, submission_id: str) -> None:
        self.ids.append(submission_id)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(self.takes_s)
        self.now -= 1

    async def all_of(self, count: int) -> None:
        async with asyncio.timeout(10):
            while len(self.ids) < count or self.now:
                await asyncio.sleep(0.001)


async def running(queue: Queue, handler: Callable[[str], Awaitable[None]], concurrency: int) -> Any:
    task = asyncio.create_task(queue.run(handler, concurrency))
    await asyncio.sleep(0)
    return task


async def cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def test_higher_priorities_go_first_and_equals_in_order() -> None:
    """What waits is handed out by priority, and then by age."""

    async def scenario() -> None:
        queue, carried = MemoryQueue(), Carried()
        for name, of in (("low", -5), ("first", 0), ("second", 0), ("high", 5)):
            await queue.enqueue(name, of)
        task = await running(queue, carried, 1)
        await carried.all_of(4)
        await cancelled(task)
        assert carried.ids == ["high", "first", "second", "low"]

    asyncio.run(scenario())


def test_what_comes_while_it_runs_is_handed_out_at_once() -> None:
    """An idle queue does not wait for a poll."""

    async def scenario() -> None:
        queue, carried = MemoryQueue(), Carried()
        task = await running(queue, carried, 2)
        for number in range(50):
            await queue.enqueue(str(number), 0)
            await carried.all_of(number + 1)
        await cancelled(task)
        assert carried.ids == [str(number) for number in range(50)]

    asyncio.run(scenario())


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_than_so_many_at_a_time(concurrency: int) -> None:
    """Also when many wait; and all of them are busy then."""

    async def scenario() -> None:
        queue, carried = MemoryQueue(), Carried(takes_s=0.01)
        for number in range(12):
            await queue.enqueue(str(number), 0)
        task = await running(queue, carried, concurrency)
        await carried.all_of(12)
        await cancelled(task)
        assert carried.most == concurrency

    asyncio.run(scenario())


def test_an_id_with_a_job_gets_no_second_one_until_it_is_done() -> None:
    """The sweep may enqueue everything again, as often as it likes."""

    async def scenario() -> None:
        queue, carried = MemoryQueue(), Carried(takes_s=0.02)
        await queue.enqueue("one", 0)
        await queue.enqueue("one", 9)
        task = await running(queue, carried, 2)
        await asyncio.sleep(0.01)
        await queue.enqueue("one", 0)
        await carried.all_of(1)
        assert carried.ids == ["one"]
        await queue.enqueue("one", 0)
        await carried.all_of(2)
        await cancelled(task)
        assert carried.ids == ["one", "one"]

    asyncio.run(scenario())


def test_a_handler_that_fails_costs_its_own_job_only() -> None:
    """The id may be enqueued again; the others are handed out as if nothing had happened."""

    async def scenario() -> None:
        queue, carried = MemoryQueue(), Carried()

        async def failing(submission_id: str) -> None:
            await carried(submission_id)
            if submission_id == "bad":
                raise RuntimeError("on purpose")

        for name in ("bad", "good"):
            await queue.enqueue(name, 0)
        task = await running(queue, failing, 1)
        await carried.all_of(2)
        await asyncio.sleep(0.05)
        await queue.enqueue("bad", 0)
        await carried.all_of(3)
        await cancelled(task)
        assert carried.ids == ["bad", "good", "bad"]

    asyncio.run(scenario())


def test_cancelled_it_waits_for_what_is_in_hand_and_hands_out_no_more() -> None:
    """What is left waits for the next run, which may be in another mood."""

    async def scenario() -> None:
        queue, carried = MemoryQueue(), Carried(takes_s=0.05)
        for name in ("one", "two", "three"):
            await queue.enqueue(name, 0)
        task = await running(queue, carried, 1)
        await asyncio.sleep(0.02)
        await cancelled(task)
        assert (carried.ids, carried.now) == (["one"], 0)
        task = await running(queue, carried, 1)
        await carried.all_of(3)
        await cancelled(task)
        assert carried.ids == ["one", "two", "three"]

    asyncio.run(scenario())


NOW_MS = 1_800_000_000_000


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (priority(False, NOW_MS, 0), priority(False, NOW_MS + 1000, 0)),
        (priority(False, NOW_MS, 0), priority(False, NOW_MS, 1)),
        (priority(True, NOW_MS, 0), priority(False, NOW_MS - 60_000, 0)),
        (priority(False, NOW_MS, 0), priority(True, NOW_MS + 1000, 0, trials=100)),
        (priority(False, NOW_MS, 99), priority(False, NOW_MS - 60_000, 0, rejudge=True)),
        (priority(False, NOW_MS - 700_000, 0), priority(True, NOW_MS, 0)),
        (priority(False, NOW_MS - 3_000_000, 99), priority(False, NOW_MS, 0)),
        (priority(False, NOW_MS + 29_000, 0), priority(False, NOW_MS, 1)),
        (priority(False, NOW_MS + 290_000, 0), priority(False, NOW_MS, 10)),
    ],
    ids=[
        "who came first",
        "who has fewer waiting",
        "a trial, before what waits",
        "a submission, before the newest of a hundred trials",
        "what is new, before a rejudge",
        "what has waited too long, before a trial",
        "what has waited long, however much its account sends",
        "the first of an account, before the second of one whose first is slow",
        "the first of an account, before the tenth of one whose programs are slow",
    ],
)
def test_who_goes_first(first: int, second: int) -> None:
    """Fair between accounts and kinds, and whatever else comes, every turn comes."""
    assert first > second


def test_priorities_are_of_32_bits() -> None:
    """Also in fifty years, for whoever has sent most; engines hold no more."""
    later_ms = NOW_MS + 50 * 365 * 86_400_000
    for at_ms in (NOW_MS, later_ms):
        assert abs(priority(False, at_ms, 10_000, rejudge=True)) < 2**31


def test_one_account_cannot_starve_another() -> None:
    """One has 500 waiting, another comes a moment later with one: it is among the next few."""

    async def scenario() -> None:
        queue, carried = MemoryQueue(), Carried()
        for number in range(500):
            await queue.enqueue(f"a{number}", priority(False, NOW_MS, number))
        await queue.enqueue("b", priority(False, NOW_MS + 900, 0))
        task = await running(queue, carried, 1)
        await carried.all_of(501)
        await cancelled(task)
        assert carried.ids.index("b") <= 1

    asyncio.run(scenario())
