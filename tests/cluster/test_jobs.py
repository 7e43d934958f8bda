"""The queue of many machines keeps the promises of the queue in memory, and those of its database."""

from __future__ import annotations

import asyncio

import pytest

from app.cluster.jobs import ClusterQueue, Pulse
from app.errors import StoreUnavailable
from app.store import Store, connect_store
from tests.postgres import Server
from tests.store.examples import submission
from tests.test_queue import Carried, cancelled, running

pytestmark = pytest.mark.postgresql

QUICK = Pulse(heartbeat_s=30, poll_s=0.1)  # a busy machine must not look like a dead worker


async def sent(queue: ClusterQueue, *names: str, priority: int = 0) -> None:
    """Returns when the jobs are there: without a transaction they are made in the background."""
    for name in names:
        await queue.enqueue(name, priority)
    while queue._sending is not None:
        await asyncio.sleep(0.005)


def test_higher_priorities_go_first_and_equals_in_order(url: str) -> None:
    """What waits is handed out by priority, and then by age."""

    async def scenario() -> None:
        queue, carried = ClusterQueue(url, QUICK), Carried()
        for name, of in (("low", -5), ("first", 0), ("second", 0), ("high", 5)):
            await sent(queue, name, priority=of)
        task = await running(queue, carried, 1)
        await carried.all_of(4)
        await cancelled(task)
        assert carried.ids == ["high", "first", "second", "low"]

    asyncio.run(scenario())


def test_each_id_is_handed_to_one_worker_of_many(url: str) -> None:
    """All of them are busy, none with more than it may, and no id comes twice."""

    async def scenario() -> None:
        queues = [ClusterQueue(url, QUICK) for _ in range(3)]
        workers = [Carried(takes_s=0.03) for _ in queues]
        names = [str(number) for number in range(30)]
        await sent(queues[0], *names)
        tasks = [await running(q, w, 2) for q, w in zip(queues, workers, strict=True)]
        async with asyncio.timeout(20):
            while sum(len(worker.ids) for worker in workers) < len(names):
                await asyncio.sleep(0.01)
        for task in tasks:
            await cancelled(task)
        assert sorted(name for worker in workers for name in worker.ids) == sorted(names)
        assert all(worker.ids and worker.most <= 2 for worker in workers)

    asyncio.run(scenario())


def test_an_id_with_a_job_gets_no_second_one_until_it_is_done(url: str) -> None:
    """Several workers sweep at the same time, as often as they like."""

    async def scenario() -> None:
        queue, carried = ClusterQueue(url, QUICK), Carried(takes_s=0.3)
        other = ClusterQueue(url, QUICK)
        await sent(queue, "one")
        await sent(other, "one", priority=9)
        task = await running(queue, carried, 2)
        async with asyncio.timeout(10):
            while not carried.now:
                await asyncio.sleep(0.01)
        await sent(other, "one")
        await carried.all_of(1)
        await asyncio.sleep(0.3)
        assert carried.ids == ["one"]
        await sent(other, "one")
        await carried.all_of(2)
        await cancelled(task)

    asyncio.run(scenario())


def test_cancelled_it_waits_for_what_is_in_hand_and_hands_out_no_more(url: str) -> None:
    """What is left waits for another worker, or for the next run."""

    async def scenario() -> None:
        queue, carried = ClusterQueue(url, QUICK), Carried(takes_s=0.2)
        await sent(queue, "one", "two", "three")
        task = await running(queue, carried, 1)
        async with asyncio.timeout(10):
            while not carried.now:
                await asyncio.sleep(0.005)
        await cancelled(task)
        assert (carried.ids, carried.now) == (["one"], 0)
        task = await running(queue, carried, 1)
        await carried.all_of(3)
        await cancelled(task)

    asyncio.run(scenario())


class Failure(Exception):
    pass


def test_there_is_never_a_submission_without_its_job_or_a_job_without_it(
    postgres: Server, url: str
) -> None:
    """Both are made in one transaction; where it fails, there is neither."""
    jobs = "SELECT dedupe_key FROM pgqueuer.pgqueuer"

    async def scenario() -> None:
        store, queue = await connect_store(url), ClusterQueue(url, QUICK)

        async def job(connection: object) -> None:
            await queue.enqueue("one", 0, connection)

        async def failing(connection: object) -> None:
            await queue.enqueue("two", 0, connection)
            raise Failure

        await store.add_submission(submission(), "guest:1", None, job)
        with pytest.raises(Failure):
            await store.add_submission(submission("two"), "guest:1", None, failing)
        assert [one.id for one in await store.unjudged_submissions(10)] == ["one"]
        await store.close()

    asyncio.run(scenario())
    assert postgres.ask(jobs, url) == [("one",)]


_END = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def test_told_to_stop_it_stops_though_its_last_words_are_not_heard(
    postgres: Server, url: str
) -> None:
    """The connections are gone by the time that the job in hand ends."""

    async def scenario() -> None:
        queue, carried = ClusterQueue(url, QUICK), Carried(takes_s=0.5)
        await sent(queue, "one", "two")
        task = await running(queue, carried, 1)
        async with asyncio.timeout(10):
            while not carried.now:
                await asyncio.sleep(0.005)
        await asyncio.to_thread(postgres.ask, _END, url)
        async with asyncio.timeout(20):
            await cancelled(task)
        assert task.cancelled()
        assert (carried.ids, carried.now) == (["one"], 0)

    asyncio.run(scenario())


def test_lost_connections_are_made_again_and_no_job_is_lost(postgres: Server, url: str) -> None:
    """An administrator may end every connection; the worker goes on by itself."""

    async def scenario() -> None:
        store, queue = await connect_store(url), ClusterQueue(url, Pulse(2, 0.1))
        carried = Carried(takes_s=0.02)
        task = await running(queue, carried, 2)
        for number in range(40):
            await sent(queue, str(number))
            if number % 10 == 5:
                await asyncio.to_thread(postgres.ask, _END, url)
                await _recovered(store)
        async with asyncio.timeout(30):
            while len(set(carried.ids)) < 40:
                await sent(queue, *(str(n) for n in range(40) if str(n) not in carried.ids))
                await asyncio.sleep(0.1)
        await cancelled(task)
        await store.close()

    asyncio.run(scenario())


async def _recovered(store: Store) -> None:
    """The first to use a connection that is gone is told so; the others get new ones."""
    async with asyncio.timeout(10):
        while True:
            try:
                await store.ready()
                return
            except StoreUnavailable:
                await asyncio.sleep(0.01)
