"""News of judgings reach every process that holds streams; what is lost is healed from the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cluster import fanout
from app.cluster.fanout import Fanout, News, read, written
from app.model import Event, JudgedEvent, JudgingEvent, RunEvent
from app.store import connect_store
from tests.postgres import Server
from tests.store.examples import judgement, submission

_events = st.one_of(
    st.none(),
    st.just(JudgingEvent()),
    st.builds(RunEvent, st.integers(0, 999), st.sampled_from(["AC", "WA"]), st.floats(0, 1e6)),
    st.builds(JudgedEvent, st.sampled_from(["AC", "JE"]), st.floats(0, 100)),
)
_news = st.lists(st.tuples(st.text("abc-_", min_size=22, max_size=22), _events), max_size=300)


@given(_news)
def test_news_come_out_as_they_went_in_and_fit_a_notification(news: list[News]) -> None:
    """In order, in as many payloads as it takes, each below what the server refuses."""
    payloads = list(written("sender", news))
    assert all(len(payload.encode()) < 8000 for payload in payloads)
    assert [one for payload in payloads for one in read(payload)[1]] == news
    assert {read(payload)[0] for payload in payloads} <= {"sender"}


@dataclass
class Watchers:
    """Whoever watches in one process: writes down what it is told."""

    told: list[News] = field(default_factory=list)
    open: set[str] = field(default_factory=set)

    def publish(self, submission_id: str, event: Event) -> None:
        self.told.append((submission_id, event))

    def ended(self, submission_id: str) -> None:
        self.told.append((submission_id, None))

    def unfinished(self) -> Collection[str]:
        return self.open


class Nothing:
    """A store that knows of nothing that would have to be told."""

    async def told_by(self, ids: Collection[str]) -> Mapping[str, JudgedEvent | None]:
        return {}


STORY: list[News] = [
    ("one", JudgingEvent()),
    ("one", RunEvent(0, "AC", 1.5)),
    ("two", None),
    ("one", JudgedEvent("AC", 100.0)),
]


@pytest.mark.postgresql
def test_what_one_process_tells_all_others_hear_once(url: str) -> None:
    """In order; and whoever tells has been told already."""

    async def scenario() -> None:
        processes = [Watchers() for _ in range(3)]
        fanouts = [Fanout(url, watchers, Nothing()) for watchers in processes]
        async with _running(fanouts):
            await _until(lambda: _heard(fanouts[0], processes))
            for name, event in STORY:
                if event is None:
                    fanouts[0].ended(name)
                else:
                    fanouts[0].publish(name, event)
            await _until(lambda: all(len(_story(one)) >= len(STORY) for one in processes))
            await asyncio.sleep(0.05)
        assert [_story(watchers) for watchers in processes] == [STORY] * 3

    asyncio.run(scenario())


@pytest.mark.postgresql
def test_a_verdict_does_not_wait_for_company(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does what waited before it came."""

    async def scenario() -> None:
        monkeypatch.setattr(fanout, "_BATCH_S", 0.01)
        processes = [Watchers() for _ in range(2)]
        fanouts = [Fanout(url, watchers, Nothing()) for watchers in processes]
        async with _running(fanouts):
            await _until(lambda: _heard(fanouts[0], processes))
            monkeypatch.setattr(fanout, "_BATCH_S", 3600)
            await asyncio.sleep(0.1)
            fanouts[0].publish("one", RunEvent(0, "AC", 1.5))
            await asyncio.sleep(0.1)
            fanouts[0].publish("one", JudgedEvent("AC", 100.0))
            await _until(lambda: len(_story(processes[1])) == 2)

    asyncio.run(scenario())


@pytest.mark.postgresql
def test_after_a_lost_connection_news_go_on(postgres: Server, url: str) -> None:
    """What is told meanwhile may be lost; what is told later is not."""
    end = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )

    async def scenario() -> None:
        processes = [Watchers(), Watchers()]
        fanouts = [Fanout(url, watchers, Nothing()) for watchers in processes]
        async with _running(fanouts):
            await _until(lambda: _heard(fanouts[0], processes))
            await asyncio.to_thread(postgres.ask, end, url)
            processes[1].told.clear()
            await _until(lambda: _heard(fanouts[0], processes))

    asyncio.run(scenario())


@pytest.mark.postgresql
def test_a_verdict_that_nobody_told_comes_from_the_store(url: str) -> None:
    """Also for what was deleted; what is not judged yet is left alone."""

    async def scenario() -> None:
        store, watchers = await connect_store(url), Watchers()
        for name in ("judged", "waiting"):
            await store.add_submission(submission(name), "guest:1")
        await store.add_judgement(submission("judged"), judgement("WA"))
        watchers.open = {"judged", "waiting", "gone"}
        fanout = Fanout(url, watchers, store)
        await fanout.heal()
        assert watchers.told == []  # it may be under way just now
        await fanout.heal()
        assert sorted(watchers.told, key=str) == [
            ("gone", None),
            ("judged", JudgedEvent("WA", 100.0)),
        ]
        await store.close()

    asyncio.run(scenario())


def _story(watchers: Watchers) -> list[News]:
    return [news for news in watchers.told if news[0] != "hello"]


def _heard(fanout: Fanout, processes: list[Watchers]) -> bool:
    fanout.publish("hello", JudgingEvent())
    return all(watchers.told for watchers in processes)


@asynccontextmanager
async def _running(fanouts: list[Fanout]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(fanout.run()) for fanout in fanouts]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.05)
