"""A job becomes exactly one judgement; faults of ours are never the learner's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from app.errors import BoxFault, Invalid, NotFound, PackageError, StoreUnavailable
from app.judge import judge
from app.model import (
    Call,
    Event,
    JudgedEvent,
    Judgement,
    JudgingEvent,
    Outcome,
    RunEvent,
    Submission,
    Variant,
)
from app.problem import Catalogue, load_catalogue
from app.queue import MemoryQueue
from app.store import Selection, Store, open_store
from app.worker import Pace, Worker
from tests.problem.plain_runner import PlainRunner

BASE = Path(__file__).resolve().parent / "packages" / "base"
PROBLEM = "weighted_mean/plain"
RIGHT = (
    "def weighted_mean(values, weights):\n"
    "    return sum(v * w for v, w in zip(values, weights)) / sum(weights)"
)
WRONG = "def weighted_mean(values, weights):\n    return sum(values) / len(values)"
QUICK = Pace(
    concurrency=2, pause_s=0, sweep_s=0.05, canary_s=0.02, kept_out_s=0.05, rejudge_s=0, stop_s=5
)


class Boxes(PlainRunner):
    """Boxes that can be made to fail, to hold still, or to be counted."""

    def __init__(self) -> None:
        super().__init__()
        self.faults = 0  # how many of the next judgings fail
        self.judgings = 0
        self.gate = threading.Event()
        self.gate.set()

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        self.judgings += 1
        for index, outcome in super().run(calls):
            self.gate.wait(10)
            if self.faults:
                self.faults -= 1
                raise BoxFault("no box could be made")
            yield index, outcome


@dataclass
class Told:
    """An audience that writes down what it is told; None is the end without a verdict."""

    everything: list[tuple[str, Event | None]] = field(default_factory=list)

    def publish(self, submission_id: str, event: Event) -> None:
        self.everything.append((submission_id, event))

    def ended(self, submission_id: str) -> None:
        self.everything.append((submission_id, None))


@dataclass
class Bench:
    """A worker with everything around it, and what it told."""

    store: Store
    queue: MemoryQueue
    boxes: Boxes
    catalogue: Catalogue
    worker: Worker
    told: list[tuple[str, Event | None]]

    async def send(self, name: str, source: str = RIGHT, **changed: Any) -> None:
        submission = replace(Submission(name, PROBLEM, source), **changed)
        await self.store.add_submission(submission, "guest:1")

    async def judged(self, name: str, verdict: str | None = None) -> Judgement:
        """Wait for a judgement, or for one with this verdict."""
        async with asyncio.timeout(20):
            while True:
                found = (await self.store.standing(name)).judgement
                if found is not None and verdict in (None, found.verdict):
                    return found
                await asyncio.sleep(0.01)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not condition():
                await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """What is logged is not shown: printing tracebacks in colour takes seconds."""
    with structlog.testing.capture_logs():
        yield


Scenario = Callable[[Bench], Awaitable[None]]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., None]:
    """Plays a scenario with a worker that runs beside it."""

    def _run(scenario: Scenario, pace: Pace = QUICK, working: bool = True) -> None:
        asyncio.run(_played(tmp_path, scenario, pace, working))

    return _run


async def _played(folder: Path, scenario: Scenario, pace: Pace, working: bool) -> None:
    store, queue, boxes = open_store(folder / "a.sqlite3"), MemoryQueue(), Boxes()
    catalogue = load_catalogue(BASE, folder / "cache", boxes)
    told = Told()
    worker = Worker(store, queue, catalogue, boxes, told, pace)
    task = asyncio.create_task(worker.run()) if working else None
    try:
        await scenario(Bench(store, queue, boxes, catalogue, worker, told.everything))
    finally:
        boxes.gate.set()
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await store.close()


def test_what_is_accepted_is_judged_without_a_job(run: Callable[..., None]) -> None:
    """The sweep finds what lost its job, or never had one: that is what survives a kill."""

    async def scenario(bench: Bench) -> None:
        for name, source in (("right", RIGHT), ("wrong", WRONG)):
            await bench.send(name, source)
        assert (await bench.judged("right")).verdict == "AC"
        assert (await bench.judged("wrong")).verdict == "WA"

    run(scenario)


def test_watchers_are_told_each_run_and_then_the_verdict(run: Callable[..., None]) -> None:
    """In this order, and the verdict only once it is in the store."""

    async def scenario(bench: Bench) -> None:
        await bench.send("one")
        judgement = await bench.judged("one")
        await bench.until(lambda: isinstance(bench.told[-1][1], JudgedEvent))
        kinds = [type(event) for name, event in bench.told if name == "one"]
        assert kinds == [JudgingEvent, *[RunEvent] * len(judgement.runs), JudgedEvent]

    run(scenario)


def test_the_same_job_twice_gives_one_judgement(run: Callable[..., None]) -> None:
    """Delivery is at least once; the second judgement is dropped and not told."""

    async def scenario(bench: Bench) -> None:
        await bench.send("one")
        await asyncio.gather(bench.worker.handle("one"), bench.worker.handle("one"))
        await bench.worker.handle("one")
        assert [event for _, event in bench.told if isinstance(event, JudgedEvent)] == [
            JudgedEvent("AC", 100.0)
        ]

    run(scenario, working=False)


def test_whoever_watches_a_trial_that_is_purged_meanwhile_is_let_go(
    run: Callable[..., None],
) -> None:
    """There will be no verdict to wait for."""

    async def scenario(bench: Bench) -> None:
        bench.boxes.gate.clear()
        await bench.send("tried", trial=True)
        judging = asyncio.create_task(bench.worker.handle("tried"))
        await bench.until(lambda: ("tried", JudgingEvent()) in bench.told)
        await asyncio.sleep(0.01)
        await bench.store.purge_trials(0)
        bench.boxes.gate.set()
        await judging
        await bench.until(lambda: bench.told[-1] == ("tried", None))
        assert not any(isinstance(event, JudgedEvent) for _, event in bench.told)

    run(scenario, working=False)


def test_a_job_for_nothing_is_nothing(run: Callable[..., None]) -> None:
    """A trial may have been purged before its turn came."""

    async def scenario(bench: Bench) -> None:
        await bench.worker.handle("nothing")
        assert bench.told == [("nothing", None)]

    run(scenario, working=False)


@pytest.mark.parametrize("faults", [1, 2])
def test_a_box_that_fails_now_and_then_is_tried_again(
    run: Callable[..., None], faults: int
) -> None:
    """The learner notices nothing but time."""

    async def scenario(bench: Bench) -> None:
        await bench.send("one")
        bench.boxes.faults = faults
        await bench.worker.handle("one")
        assert (await bench.judged("one")).verdict == "AC"
        begun = [event for _, event in bench.told if isinstance(event, JudgingEvent)]
        assert len(begun) == faults + 1

    run(scenario, working=False)


def test_boxes_that_keep_failing_are_a_judging_error_that_is_judged_again(
    run: Callable[..., None],
) -> None:
    """JE first, at no cost to the learner; once the canary passes, the next judging decides."""

    async def scenario(bench: Bench) -> None:
        await bench.until(lambda: bench.worker.fit)
        bench.boxes.faults = QUICK.attempts
        await bench.send("one", WRONG)
        assert (await bench.judged("one", "WA")).verdict == "WA"
        verdicts = [event.verdict for _, event in bench.told if isinstance(event, JudgedEvent)]
        assert verdicts == ["JE", "WA"]

    run(scenario)


def test_while_the_canary_fails_no_work_is_taken(run: Callable[..., None]) -> None:
    """A judge that refuses right programs must not judge; it says why, and tries until it can."""

    async def scenario(bench: Bench) -> None:
        bench.boxes.faults = 5
        await bench.send("one")
        await bench.until(lambda: "no box could be made" in bench.worker.unfit_reason)
        assert bench.told == []
        assert (await bench.judged("one")).verdict == "AC"
        assert bench.worker.fit
        assert bench.worker.unfit_reason == ""

    run(scenario)


def test_a_bug_of_ours_is_a_judging_error(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is raised, the learner is not blamed and the job does not go round for ever."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    async def scenario(bench: Bench) -> None:
        monkeypatch.setattr("app.judging.judge", broken)
        await bench.send("one")
        await bench.worker.handle("one")
        found = await bench.judged("one")
        assert (found.verdict, found.score) == ("JE", 0.0)
        assert "a bug" not in found.message

    run(scenario, working=False)


def test_a_bug_that_meets_the_canary_too_stops_the_work_but_not_the_service(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The net that catches it for a learner catches it for the canary; once mended, work goes on."""
    broken = True

    def sometimes(*given: Any) -> Any:
        if broken:
            raise ZeroDivisionError("a bug")
        return judge(*given)

    async def scenario(bench: Bench) -> None:
        nonlocal broken
        monkeypatch.setattr("app.judging.judge", sometimes)
        await bench.send("one")
        await bench.until(lambda: "the judge failed" in bench.worker.unfit_reason)
        broken = False
        assert (await bench.judged("one")).verdict == "AC"

    run(scenario)


def test_a_package_that_cannot_be_judged_keeps_nobody_else_waiting(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its submissions are judging errors, the others' are judged; once mended, it is judged too."""
    broken = {PROBLEM}

    def unless_broken(source: str, variant: Variant, *given: Any) -> Any:
        if variant.id in broken:
            raise PackageError("the core fails", "core.py")
        return judge(source, variant, *given)

    async def scenario(bench: Bench) -> None:
        monkeypatch.setattr("app.judging.judge", unless_broken)
        await bench.send("one")
        await bench.judged("one", "JE")
        await bench.until(lambda: bench.worker.fit)
        await bench.send("two")
        await bench.send("other", problem="weighted_mean/report")
        assert (await bench.judged("two")).verdict == "JE"
        assert (await bench.judged("other")).verdict == "CE"  # another entry point
        assert bench.worker.fit
        await asyncio.sleep(0.3)  # several sweeps: being kept out costs no judgings
        broken.clear()
        for name in ("one", "two"):
            await bench.judged(name, "AC")
            assert (await bench.store.standing(name)).submission.judging_number == 2

    run(scenario)


def test_a_package_that_is_broken_from_the_start_stops_nobody(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another package's canary shows that boxes work."""

    def unless_broken(source: str, variant: Variant, *given: Any) -> Any:
        if variant.id == PROBLEM:
            raise PackageError("the core fails", "core.py")
        return judge(source, variant, *given)

    async def scenario(bench: Bench) -> None:
        monkeypatch.setattr("app.judging.judge", unless_broken)
        await bench.until(lambda: bench.worker.fit)

    run(scenario)


def test_a_suspect_that_was_taken_away_holds_up_nobody(run: Callable[..., None]) -> None:
    """Its canary can never pass again; what is left is judged."""

    async def scenario(bench: Bench) -> None:
        await bench.until(lambda: bench.worker.fit)
        bench.boxes.faults = 1_000
        await bench.send("one")
        await bench.judged("one", "JE")
        bench.catalogue.drop("weighted_mean")
        await bench.until(lambda: bench.worker.fit)

    run(scenario)


@pytest.mark.parametrize(
    ("changed", "what_next"),
    [
        ({}, "It will be judged again."),
        ({"trial": True}, "Please try again in a moment."),
        ({"judging_number": QUICK.judgings}, "Please try again in a moment."),
    ],
)
def test_another_judging_is_promised_only_where_there_will_be_one(
    run: Callable[..., None], changed: dict[str, Any], what_next: str
) -> None:
    """Trials are not judged again, and nothing for ever."""

    async def scenario(bench: Bench) -> None:
        bench.boxes.faults = QUICK.attempts
        await bench.send("one", **changed)
        await bench.worker.handle("one")
        assert (await bench.judged("one", "JE")).message.endswith(what_next)

    run(scenario, working=False)


def test_a_problem_that_was_taken_away_is_told_so(run: Callable[..., None]) -> None:
    """A submission may outlive its problem; the worker goes on."""

    async def scenario(bench: Bench) -> None:
        await bench.send("one", problem="weighted_mean/gone")
        await bench.worker.handle("one")
        found = await bench.judged("one")
        assert found.verdict == "JE"
        assert "weighted_mean/gone" in found.message
        assert not bench.worker._alarm.is_set()

    run(scenario, working=False)


def test_a_trial_runs_samples_or_ones_own_input(run: Callable[..., None]) -> None:
    """With everything shown; of secret tests nothing is run."""

    async def scenario(bench: Bench) -> None:
        arguments = {"values": [1.0, 3.0], "weights": [1.0, 3.0]}
        await bench.send("samples", trial=True)
        await bench.send("own", WRONG, trial=True, arguments=arguments)
        samples, own = await bench.judged("samples"), await bench.judged("own")
        assert [run.sample for run in samples.runs] == [True, True]
        assert (own.verdict, own.runs[0].feedback.answer) == ("WA", "2.5")

    run(scenario)


def test_input_that_the_reference_cannot_take_is_told_so(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the learner's words, not the reference's own; nothing is suspected over it."""

    def refused(*_: object) -> None:
        raise Invalid("the reference cannot take this input") from ValueError("core.py, line 3")

    async def scenario(bench: Bench) -> None:
        monkeypatch.setattr("app.judging.answer.custom_case", refused)
        await bench.send("own", trial=True, arguments={"values": [1.0], "weights": [1.0]})
        await bench.worker.handle("own")
        found = await bench.judged("own")
        assert found.verdict == "JE"
        assert found.message == "The reference cannot take this input."
        assert not bench.worker._alarm.is_set()

    run(scenario, working=False)


def test_old_trials_are_purged(run: Callable[..., None]) -> None:
    """By the sweep, judged or not; submissions stay."""

    async def scenario(bench: Bench) -> None:
        await bench.send("kept")
        await bench.send("tried", trial=True)
        await asyncio.sleep(0.02)
        await bench.worker.sweep()
        await bench.store.standing("kept")
        with pytest.raises(NotFound):
            await bench.store.standing("tried")

    run(scenario, pace=Pace(trial_s=0.001), working=False)


def test_stopping_waits_for_what_is_being_judged(run: Callable[..., None]) -> None:
    """A verdict that is nearly there is not thrown away."""

    async def scenario(bench: Bench) -> None:
        working = asyncio.create_task(bench.worker.run())
        await bench.until(lambda: bench.worker.fit)
        bench.boxes.gate.clear()
        await bench.send("one")
        await bench.until(lambda: ("one", JudgingEvent()) in bench.told)
        working.cancel()
        await asyncio.sleep(0.05)
        assert not working.done()
        bench.boxes.gate.set()
        with suppress(asyncio.CancelledError):
            await working
        assert (await bench.judged("one")).verdict == "AC"

    run(scenario, working=False)


def test_what_cannot_be_finished_in_time_is_left_for_the_next_one(
    run: Callable[..., None],
) -> None:
    """Handed back unjudged, neither lost nor a judging error."""

    async def scenario(bench: Bench) -> None:
        working = asyncio.create_task(bench.worker.run())
        await bench.until(lambda: bench.worker.fit)
        slow = "import time\n" + RIGHT.replace("    return", "    time.sleep(0.2)\n    return")
        await bench.send("one", slow)
        await bench.until(lambda: any(isinstance(event, RunEvent) for _, event in bench.told))
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
        assert await bench.store.unjudged_submission("one") is not None
        assert not any(isinstance(event, JudgedEvent) for _, event in bench.told)

    run(scenario, pace=Pace(sweep_s=0.05, stop_s=0.1), working=False)


def test_a_store_that_is_away_costs_time_but_no_submission(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judgement that could not be written is made again once it can be."""

    async def scenario(bench: Bench) -> None:
        add = bench.store.add_judgement
        away = 2

        async def sometimes(submission: Submission, judgement: Judgement, cause: str) -> bool:
            nonlocal away
            if away:
                away -= 1
                raise StoreUnavailable("the disk is full")
            return await add(submission, judgement, cause)

        monkeypatch.setattr(bench.store, "add_judgement", sometimes)
        await bench.send("one")
        assert (await bench.judged("one")).verdict == "AC"
        assert [event.verdict for _, event in bench.told if isinstance(event, JudgedEvent)] == [
            "AC"
        ]

    run(scenario)


def test_the_event_loop_goes_on_while_judging(run: Callable[..., None]) -> None:
    """Judging happens beside it: heartbeats, requests and streams are served meanwhile."""

    async def scenario(bench: Bench) -> None:
        bench.boxes.gate.clear()
        await bench.send("one")
        judging = asyncio.create_task(bench.worker.handle("one"))
        turns = 0
        while turns < 20:
            await asyncio.sleep(0.001)
            turns += 1
        assert not judging.done()
        bench.boxes.gate.set()
        await judging

    run(scenario, working=False)


def test_nobody_hears_of_a_rejudge_and_what_is_new_goes_first(run: Callable[..., None]) -> None:
    """It is judged in the background: its submission shows what it showed, and is not told about."""

    async def scenario(bench: Bench) -> None:
        await bench.send("old", WRONG)
        await bench.judged("old")
        heard = len([name for name, _ in bench.told if name == "old"])
        bench.boxes.gate.clear()
        number = await bench.store.begin_rejudge(Selection(), "Ada")
        await bench.send("new")
        bench.boxes.gate.set()
        await bench.judged("new")
        while not (await bench.store.rejudge(number)).finished:
            await asyncio.sleep(0.01)
        assert len([name for name, _ in bench.told if name == "old"]) == heard
        assert (await bench.store.standing("old")).submission.judging_number == 2

    run(scenario)


def test_a_pause_holds_back_work_until_it_is_resumed(run: Callable[..., None]) -> None:
    """Also over a restart, for the switch is in the store; what is sent meanwhile waits."""

    async def scenario(bench: Bench) -> None:
        await bench.send("first")
        await bench.judged("first")
        await bench.store.pause("moving disks", "Ada")
        await bench.worker.report()
        judgings = bench.boxes.judgings
        await bench.send("second")
        await asyncio.sleep(5 * QUICK.sweep_s)
        assert bench.boxes.judgings == judgings
        await bench.store.resume("Ada")
        assert (await bench.judged("second")).verdict == "AC"

    run(scenario, replace(QUICK, beat_s=0.02))


def test_a_worker_tells_an_admin_why_judging_failed(run: Callable[..., None]) -> None:
    """A learner reads that it is our fault; the cause is kept, and the report says who works."""

    async def scenario(bench: Bench) -> None:
        await bench.send("first")
        await bench.judged("first")
        bench.boxes.faults = QUICK.attempts
        await bench.send("second")
        await bench.judged("second", "AC")
        (error,) = await bench.store.judging_errors(60)
        assert (error.cause, error.count) == ("no box could be made", 1)
        await bench.worker.report()
        (state,) = await bench.store.workers(60)
        assert (state.places, state.unfit) == (QUICK.concurrency, "")

    run(scenario)
