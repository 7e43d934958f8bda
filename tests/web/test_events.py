"""Server-sent events: live, replayed to latecomers, resumed after a lost connection."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from app.model import Event, JudgedEvent, Judgement, JudgingEvent, Run, RunEvent
from app.web.events import LAST, Events, Told, follow, replay
from tests.web.started import BASE, PROBLEM, RIGHT, started


@dataclass(frozen=True)
class Sent:
    """One event as it came over the wire."""

    name: str
    data: dict[str, object]
    id: str


def received(lines: list[str]) -> list[Sent]:
    """What a browser makes of a stream's lines."""
    events, fields = [], dict[str, str]()
    for line in lines:
        if not line and "data" in fields:
            events.append(Sent(fields["event"], json.loads(fields["data"]), fields["id"]))
            fields = {}
        name, _, value = line.partition(": ")
        fields[name] = value
    return events


def test_a_watcher_is_told_test_by_test(api: httpx.Client) -> None:
    """Judging begins, each test ends, the verdict comes last and ends the stream."""
    made = api.post("/submissions", json={"problem": PROBLEM, "source": RIGHT}).json()
    events = received(api.get(f"/submissions/{made['id']}/events").text.splitlines())
    assert [event.name for event in events] == ["judging", *["run"] * 11, "judged"]
    assert {event.data["index"] for event in events[1:-1]} == set(range(11))
    assert all(set(event.data) == {"index", "verdict", "time_ms"} for event in events[1:-1])
    assert events[-1].data == {"verdict": "AC", "score": 100.0}


def test_events_come_while_it_is_judged(api: httpx.Client) -> None:
    """The first runs are told before the last one has ended."""
    slow = "import time\ndef weighted_mean(values, weights):\n    time.sleep(0.1)\n" + RIGHT
    made = api.post("/submissions", json={"problem": PROBLEM, "source": slow}).json()
    with api.stream("GET", f"/submissions/{made['id']}/events") as stream:
        for line in stream.iter_lines():
            if line == "event: run":
                break
        assert api.get(f"/submissions/{made['id']}").json()["state"] in ("judging", "judged")


def test_whoever_comes_late_is_told_everything(api: httpx.Client) -> None:
    """A judged submission replays its whole story, with ids, and ends."""
    made = api.post("/submissions?wait=30", json={"problem": PROBLEM, "source": RIGHT}).json()
    url = f"/submissions/{made['id']}/events"
    events = received(api.get(url).text.splitlines())
    assert [event.name for event in events] == ["judging", *["run"] * 11, "judged"]
    assert events[-1].id == LAST
    assert len({event.id for event in events}) == len(events)


def test_whoever_has_seen_the_end_is_told_to_stay_away(api: httpx.Client) -> None:
    """A browser reconnects for ever unless it gets 204."""
    made = api.post("/submissions?wait=30", json={"problem": PROBLEM, "source": RIGHT}).json()
    url = f"/submissions/{made['id']}/events"
    assert api.get(url, headers={"Last-Event-ID": LAST}).status_code == 204


def test_a_server_that_stops_lets_its_watchers_go(tmp_path: Path) -> None:
    """An open stream does not hold up the end; the browser reconnects to the next process."""
    with started(tmp_path, BASE, "worker=no") as site, httpx.Client(base_url=site.url) as client:
        made = client.post("/api/v1/submissions", json={"problem": PROBLEM, "source": RIGHT})
        with client.stream("GET", made.json()["events_url"], timeout=30) as stream:
            lines = stream.iter_lines()
            assert next(lines) == ": watching"
            site.process.terminate()
            assert received(list(lines)) == []
        assert site.process.wait(timeout=30) == 0


@pytest.mark.parametrize("rude", [False, True], ids=["closed", "reset"])
def test_watchers_may_leave_at_any_moment(tmp_path: Path, rude: bool) -> None:
    """Between two events or in the middle of one: no fault is logged, and nothing is left of them."""
    slow = (
        "import time\ndef weighted_mean(values, weights):\n    time.sleep(0.05)\n    return 0.0\n"
    )
    with started(tmp_path, BASE) as site, httpx.Client(base_url=site.url, timeout=30) as client:
        address = urlsplit(site.url)
        descriptors = Path(f"/proc/{site.process.pid}/fd")
        before = len(list(descriptors.iterdir()))
        made = client.post("/api/v1/submissions", json={"problem": PROBLEM, "source": slow}).json()
        request = f"GET {made['events_url']} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        for wait_ms in range(60):
            with socket.create_connection((address.hostname, address.port)) as connection:
                connection.sendall(request)
                time.sleep(wait_ms / 5000)
                if rude:
                    linger = struct.pack("ii", 1, 0)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        assert received(client.get(made["events_url"]).text.splitlines())[-1].name == "judged"
        assert len(list(descriptors.iterdir())) <= before + 5
        assert '"level": "error"' not in site.log.read_text()


def test_a_silent_stream_is_kept_open() -> None:
    """Proxies close what says nothing; news after a silence still come."""

    async def scenario() -> list[Told | None]:
        events = Events()
        with events.watching("a") as watch:
            async with asyncio.timeout(5):
                stream = follow(watch, silence_s=0.01)
                first = await anext(stream)
                events.publish("a", JUDGED)
                return [first, *[one async for one in stream if one]]

    silence, news = asyncio.run(scenario())
    assert silence is None
    assert news is not None
    assert news.event == JUDGED


# --- The hub itself -----------------------------------------------------------------------------

RUNS: list[Event] = [RunEvent(index, "AC", 1.0) for index in range(3)]
JUDGED = JudgedEvent("AC", 100.0)


async def told(events: Events, submission_id: str, after: str = "") -> list[Told]:
    with events.watching(submission_id, after) as watch:
        async with asyncio.timeout(5):
            return [one async for one in follow(watch) if one]


def test_a_watcher_gets_what_was_told_before_and_what_follows() -> None:
    """Nothing is missed and nothing comes twice, wherever in the judging one begins to watch."""

    async def scenario() -> None:
        for begin in range(5):
            events = Events()
            story: list[Event] = [JudgingEvent(), *RUNS, JUDGED]
            for event in story[:begin]:
                events.publish("a", event)
            watching = asyncio.create_task(told(events, "a"))
            await asyncio.sleep(0)
            for event in story[begin:]:
                events.publish("a", event)
            assert [one.event for one in await watching] == story

    asyncio.run(scenario())


@pytest.mark.parametrize("seen", range(4))
def test_a_lost_connection_is_resumed_after_the_last_event_seen(seen: int) -> None:
    """Only what was missed is sent again."""

    async def scenario() -> None:
        events = Events()
        story: list[Event] = [JudgingEvent(), *RUNS]
        for event in story:
            events.publish("a", event)
        with events.watching("a") as watch:
            ids = [(await watch.next()) for _ in story]
        last = ids[seen]
        assert last is not None
        watching = asyncio.create_task(told(events, "a", after=last.id))
        await asyncio.sleep(0)
        events.publish("a", JUDGED)
        assert [one.event for one in await watching] == [*story[seen + 1 :], JUDGED]

    asyncio.run(scenario())


def test_a_judging_that_begins_again_is_told_from_its_beginning() -> None:
    """An id of the earlier attempt means nothing in the new one."""

    async def scenario() -> None:
        events = Events()
        for event in [JudgingEvent(), *RUNS[:2]]:
            events.publish("a", event)
        with events.watching("a") as watch:
            first = [await watch.next() for _ in range(3)][-1]
        assert first is not None
        events.publish("a", JudgingEvent())
        events.publish("a", RUNS[2])
        watching = asyncio.create_task(told(events, "a", after=first.id))
        await asyncio.sleep(0)
        events.publish("a", JUDGED)
        assert [one.event for one in await watching] == [JudgingEvent(), RUNS[2], JUDGED]

    asyncio.run(scenario())


def test_watchers_hear_of_their_own_submission_only() -> None:
    """And nothing is kept of what nobody watches once it is judged."""

    async def scenario() -> None:
        events = Events()
        watching = asyncio.create_task(told(events, "a"))
        await asyncio.sleep(0)
        for event in [JudgingEvent(), RUNS[0], JUDGED]:
            events.publish("b", event)
        assert events.judging("b") is False
        events.publish("a", JudgingEvent())
        assert events.judging("a") is True
        events.publish("a", JUDGED)
        assert [one.event for one in await watching] == [JudgingEvent(), JUDGED]
        assert events.judging("a") is False

    asyncio.run(scenario())


def test_after_the_end_of_the_process_watching_ends_at_once() -> None:
    """Also for whoever comes between the signal and the end."""

    async def scenario() -> None:
        events = Events()
        watching = asyncio.create_task(told(events, "a"))
        await asyncio.sleep(0)
        events.close()
        assert await watching == []
        assert await told(events, "a") == []

    asyncio.run(scenario())


def test_a_replay_tells_the_same_story() -> None:
    """From the judgement alone, as the store has it."""
    runs = tuple(Run(index, ("a",), False, "WA", 2.0, 1024) for index in range(2))
    judgement = Judgement("WA", 0.0, 100, 0, runs, "version")
    assert [one.event for one in replay(judgement)] == [
        JudgingEvent(),
        RunEvent(0, "WA", 2.0),
        RunEvent(1, "WA", 2.0),
        JudgedEvent("WA", 0.0),
    ]
