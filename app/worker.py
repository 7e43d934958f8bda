"""A job becomes a judgement: loaded, judged in a thread beside the event loop, remembered once.

Delivery is at least once: the engine may hand the same id to two workers, and the sweep enqueues
again what has lost its job. The judgement's row is unique, so the second one is dropped.

Faults of the sandbox and of this program are not the learner's: such a judging is tried again, then
ends as a judging error (JE), and the sweep asks for another judging later. A canary must pass before
the worker takes work, and again after a JE; a variant that alone cannot be judged is kept out, and
its submissions are judging errors until its own canary passes.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import structlog

from app.canary import Canary
from app.errors import RequestError, StoreError
from app.judge import OUR_FAULT
from app.judging import Judging, Stopped, judging_error
from app.metrics import Metrics
from app.model import (
    Event,
    JudgedEvent,
    Judgement,
    JudgingEvent,
    Run,
    RunEvent,
    Runner,
    Submission,
    Variant,
)
from app.problem import Catalogue
from app.queue import Queue
from app.store import Store, WorkerState
from app.sweeping import Sweeping

_log = structlog.get_logger()


class Audience(Protocol):
    """Whoever watches submissions."""

    def publish(self, submission_id: str, event: Event) -> None: ...

    def ended(self, submission_id: str) -> None:
        """No more will be told of this one: the store knows what became of it."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How often, how long, how many times."""

    concurrency: int = 1
    attempts: int = 3  # of one judging, where the sandbox fails
    pause_s: float = 0.2  # between attempts
    sweep_s: float = 3.0
    sweep_limit: int = 1000  # submissions that one sweep looks at
    beat_s: float = 1.0  # between reports; a pause is noticed as late
    forget_s: float = 86_400.0  # silence after which a worker is forgotten
    canary_s: float = 5.0  # between canaries that fail
    kept_out_s: float = 30.0  # between canaries of variants that are kept out
    rejudge_s: float = 30.0  # age at which a judging error is judged again
    judgings: int = 3  # of one submission, where each ends in a judging error
    trial_s: float = 3600.0  # age at which trials are deleted
    stop_s: float = 10.0  # that judging in progress gets to finish


@dataclass(frozen=True, slots=True)
class Station:
    """What a worker says of itself: where it is, and what its boxes can do."""

    name: str = "here"
    version: str = ""
    tier: str = ""
    report: str = ""


@dataclass(frozen=True, slots=True)
class _Ended:
    """A judgement; where it is a judging error, why, in words for the admin."""

    judgement: Judgement
    cause: str = ""


class Worker:
    """Takes jobs, judges, remembers. Lives on the event loop; `run` ends when it is cancelled."""

    def __init__(
        self,
        store: Store,
        queue: Queue,
        catalogue: Catalogue,
        runner: Runner,
        audience: Audience,
        pace: Pace | None = None,
        metrics: Metrics | None = None,
        station: Station | None = None,
        promised: Callable[[Submission], Awaitable[Variant]] | None = None,
    ) -> None:
        self._store = store
        self._queue = queue
        self._catalogue = catalogue
        self._audience = audience
        self._pace = pace or Pace()
        self._metrics = metrics or Metrics()
        self._judging = Judging(runner, self._metrics)
        self._station = station or Station()
        self._sweeping = Sweeping(
            store,
            queue,
            rejudge_s=self._pace.rejudge_s,
            judgings=self._pace.judgings,
            trial_s=self._pace.trial_s,
            limit=self._pace.sweep_limit,
        )
        self._promised = promised or self._current
        self._since_ms = time.time_ns() // 1_000_000
        self._busy = 0
        self._canary = Canary(catalogue, self._judging.tried)
        self._suspects: set[str] = set()  # variants whose last judging failed
        self._kept_out: dict[str, str] = {}  # variants that cannot be judged, where others can
        self._alarm = asyncio.Event()
        self._go = asyncio.Event()  # nobody has paused judging
        self._threads = ThreadPoolExecutor(self._pace.concurrency, "judge")
        self.fit = False
        self.unfit_reason = "no canary has run yet"

    async def run(self) -> None:
        """Judge until cancelled; then finish, or hand back, what is in progress."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._report_forever())
                tasks.create_task(self._sweep_forever())
                tasks.create_task(self._work_forever())
                tasks.create_task(self._readmit_forever())
        finally:
            self._judging.stop()
            self._threads.shutdown(wait=False, cancel_futures=True)
            with suppress(StoreError):
                await self._store.forget_workers(self._station.name, self._pace.forget_s)

    async def handle(self, submission_id: str) -> None:
        """Judge one submission, unless it has been judged."""
        with structlog.contextvars.bound_contextvars(submission=submission_id):
            self._busy += 1
            try:
                await self._judge_once(submission_id)
            except StoreError as error:
                _log.warning("not remembered; it will be judged again", reason=str(error))
            except Stopped:
                _log.info("handed back")
            finally:
                self._busy -= 1

    async def _judge_once(self, submission_id: str) -> None:
        submission = await self._store.unjudged_submission(submission_id)
        if submission is None:
            self._audience.ended(submission_id)
            return
        with structlog.contextvars.bound_contextvars(request=submission.request):
            await self._judge_and_tell(submission)

    async def _judge_and_tell(self, submission: Submission) -> None:
        submission_id = submission.id
        waited_s = _waited_s(submission)
        if submission.judging_number == 1:
            self._metrics.waited(submission.trial, waited_s)
        begun = time.perf_counter()
        ended = await self._judged(submission)
        judgement = ended.judgement
        if not await self._store.add_judgement(submission, judgement, ended.cause):
            _log.info("judged already, or gone")
            self._audience.ended(submission_id)
            return
        took_s = time.perf_counter() - begun
        self._metrics.judged(submission.trial, judgement.verdict, took_s)
        _log.info(
            "judged",
            verdict=judgement.verdict,
            waited_ms=round(waited_s * 1000),
            took_ms=round(took_s * 1000, 1),
        )
        self._publish(submission, JudgedEvent(judgement.verdict, judgement.score))

    def _publish(self, submission: Submission, event: Event) -> None:
        """Tell whoever watches; of a rejudge nobody hears before it is released."""
        if not submission.rejudge:
            self._audience.publish(submission.id, event)

    async def sweep(self) -> None:
        """Give a job to what has lost its own. Raises StoreError."""
        await self._sweeping.sweep(self.fit, self._kept_out)

    async def report(self) -> None:
        """Say how it goes here, and obey whoever paused or resumed judging."""
        if await self._store.paused() is None:
            self._go.set()
        elif self._go.is_set():
            _log.info("paused")
            self._go.clear()
            self._alarm.set()
        station = self._station
        await self._store.report_worker(
            WorkerState(
                name=station.name,
                version=station.version,
                tier=station.tier,
                report=station.report,
                since_ms=self._since_ms,
                seen_ms=time.time_ns() // 1_000_000,
                places=self._pace.concurrency,
                busy=self._busy,
                unfit=self.unfit_reason,
                kept_out=dict(self._kept_out),
            )
        )

    async def _report_forever(self) -> None:
        while True:
            try:
                await self.report()
            except StoreError as error:
                _log.warning("not reported", reason=str(error))
            await asyncio.sleep(self._pace.beat_s)

    async def _sweep_forever(self) -> None:
        while True:
            try:
                await self.sweep()
            except StoreError as error:
                _log.warning("sweep failed", reason=str(error))
            await asyncio.sleep(self._pace.sweep_s)

    async def _work_forever(self) -> None:
        while True:
            await self._go.wait()
            await self._pass_canary()
            await self._work_until_alarm()

    async def _work_until_alarm(self) -> None:
        """Take jobs until a judging error or a pause sounds the alarm, or the worker is cancelled."""
        self._alarm.clear()
        if not self._go.is_set():
            return
        working = asyncio.create_task(self._queue.run(self.handle, self._pace.concurrency))
        alarm = asyncio.create_task(self._alarm.wait())
        try:
            await asyncio.wait({working, alarm}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self._finish(working)
            raise
        finally:
            alarm.cancel()
        working.cancel()
        await asyncio.wait({working})
        if not working.cancelled():
            working.result()

    async def _finish(self, working: asyncio.Task[None]) -> None:
        """Let what is in progress end; after `stop_s` it ends with the test that it is at."""
        working.cancel()
        done, _ = await asyncio.wait({working}, timeout=self._pace.stop_s)
        if not done:
            self._judging.stop()
            await asyncio.wait({working}, timeout=self._pace.stop_s)

    async def _judged(self, submission: Submission) -> _Ended:
        """The judgement, or a judging error where the fault is ours, however often it is tried."""
        if submission.problem in self._kept_out:
            return _Ended(self._ours(submission, ""), self._kept_out[submission.problem])
        for attempt in range(self._pace.attempts):
            if attempt:
                await asyncio.sleep(self._pace.pause_s)
            self._publish(submission, JudgingEvent())
            try:
                judgement = await self._in_thread(submission)
            except RequestError as error:
                # The problem was taken away, or the reference cannot take this custom input.
                _log.warning(
                    "cannot be judged", reason=str(error), cause=str(error.__cause__ or "")
                )
                self._metrics.failed("request")
                cause = str(error.__cause__ or error)
                return _Ended(judging_error(_sentence(str(error)), ""), cause)
            if judgement.verdict != "JE":
                return _Ended(judgement)
            _log.warning("judging error", attempt=attempt + 1, reason=judgement.message)
        return self._alarmed(submission, judgement)

    def _alarmed(self, submission: Submission, failed: Judgement) -> _Ended:
        """A judging error; no more work until canaries tell whether boxes or this variant fail."""
        self._suspects.add(submission.problem)
        self.fit = False
        self.unfit_reason = f"a judging error in {submission.problem}: {failed.message}"
        self._alarm.set()
        cause = failed.message.removeprefix(OUR_FAULT).strip().removeprefix("(").removesuffix(")")
        return _Ended(self._ours(submission, failed.package_version), cause)

    def _ours(self, submission: Submission, version: str) -> Judgement:
        """A judging error that promises another judging only where there will be one."""
        again = not submission.trial and submission.judging_number < self._pace.judgings
        what_next = "It will be judged again." if again else "Please try again in a moment."
        message = f"This is our fault and does not count. {what_next}"
        return judging_error(message, version)

    async def _in_thread(self, submission: Submission) -> Judgement:
        loop = asyncio.get_running_loop()
        variant = await self._promised(submission)

        def tell(run: Run) -> None:
            event = RunEvent(run.index, run.verdict, run.time_ms)
            loop.call_soon_threadsafe(self._publish, submission, event)

        here = contextvars.copy_context()  # so that lines from the thread name the submission too
        judging = partial(here.run, self._judging.judged, submission, variant, tell)
        return await loop.run_in_executor(self._threads, judging)

    async def _current(self, submission: Submission) -> Variant:
        return self._catalogue.get(submission.problem)

    async def _pass_canary(self) -> None:
        """Come back when there is something that can be judged; what cannot is kept out."""
        loop = asyncio.get_running_loop()
        look = self._canary.look
        while (found := await loop.run_in_executor(self._threads, look, self._suspects)).unfit:
            self.fit, self.unfit_reason = False, found.unfit
            _log.error("canary failed; no work is taken", reason=found.unfit)
            await asyncio.sleep(self._pace.canary_s)
        for problem, reason in found.broken.items():
            _log.error("kept out: it cannot be judged", problem=problem, reason=reason)
        self._kept_out.update(found.broken)
        self._suspects.clear()
        self.fit, self.unfit_reason = True, ""

    async def _readmit_forever(self) -> None:
        """Let variants in again that can be judged since their package was mended."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._pace.kept_out_s)
            for problem in sorted(self._kept_out):
                failing = self._canary.failing
                if not await loop.run_in_executor(self._threads, failing, problem):
                    del self._kept_out[problem]
                    _log.info("let in again", problem=problem)


def _waited_s(submission: Submission) -> float:
    """By the clock on the wall, which may jump: for people who look, nothing is decided by it."""
    if submission.created_ms is None:
        return 0.0
    return max(0.0, time.time() - submission.created_ms / 1000)


def _sentence(message: str) -> str:
    return f"{message[:1].upper()}{message[1:]}{'' if message.endswith('?') else '.'}"
