"""What is counted while the service runs, in the words of the story; Prometheus reads it.

Nothing here is global: `assembly` makes one `Metrics` and hands it down, and a test has its own.
Labels take few values, all of them ours: a verdict, a kind, the template of a route. What strangers
send never becomes a label, or they could fill the memory of whoever collects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    start_http_server,
)

from app.errors import SettingsError
from app.model import Call, Crashed, Exceeded, Fact, NotCompiled, Outcome, Raised, Runner, Verdict

# Whose fault a judging error is: the sandbox's, a package's, a bug of ours, or that of a problem
# that is gone or cannot take this input.
Fault: TypeAlias = Literal["sandbox", "package", "bug", "request"]
Access: TypeAlias = Literal["read", "write"]

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_WALL_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)
_SHORT_S = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2)


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits for a judgement now, of one kind."""

    waiting: int
    oldest_s: float


class Metrics:
    """Counters of one process, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._judging()
        self._boxes_and_store()
        self._web()

    def _judging(self) -> None:
        of = self._registry
        self._accepted = Counter("allclose_accepted_total", "Taken in.", ["kind"], registry=of)
        self._judgements = Counter(
            "allclose_judgements_total", "Judged, by verdict.", ["kind", "verdict"], registry=of
        )
        self._judging_s = Histogram(
            "allclose_judging_seconds",
            "From the beginning of a judging to its judgement.",
            ["kind"],
            buckets=_WALL_S,
            registry=of,
        )
        self._waited_s = Histogram(
            "allclose_waited_seconds",
            "From being taken in to the beginning of the first judging.",
            ["kind"],
            buckets=_WALL_S,
            registry=of,
        )
        self._faults = Counter(
            "allclose_judging_faults_total",
            "Attempts to judge that failed by a fault of ours, by reason.",
            ["reason"],
            registry=of,
        )
        self._waiting = Gauge(
            "allclose_queue_waiting", "Waiting for a judgement now.", ["kind"], registry=of
        )
        self._oldest_s = Gauge(
            "allclose_queue_oldest_seconds",
            "Age of what has waited longest.",
            ["kind"],
            registry=of,
        )
        self._fit = Gauge("allclose_fit", "1 where the canary passed last time.", registry=of)

    def _boxes_and_store(self) -> None:
        of = self._registry
        self._runs = Counter(
            "allclose_runs_total", "Calls that ran in a box, by outcome.", ["fact"], registry=of
        )
        self._box_cpu_s = Counter(
            "allclose_box_cpu_seconds_total", "CPU time spent in boxes.", registry=of
        )
        self._box_s = Histogram(
            "allclose_box_seconds",
            "Wall clock of one call in its box.",
            buckets=(*_SHORT_S, 10),
            registry=of,
        )
        self._boxes = Gauge("allclose_boxes_waiting", "Boxes kept ready now.", registry=of)
        self._store_s = Histogram(
            "allclose_store_seconds",
            "Transactions of the database.",
            ["access"],
            buckets=_SHORT_S,
            registry=of,
        )
        self._store_failures = Counter(
            "allclose_store_failures_total",
            "Transactions that the database refused: locked, full, unreachable.",
            ["access"],
            registry=of,
        )

    def _web(self) -> None:
        of = self._registry
        self._requests = Counter(
            "allclose_http_requests_total",
            "Answered requests, by the template of their route.",
            ["method", "route", "status"],
            registry=of,
        )
        self._request_s = Histogram(
            "allclose_http_request_seconds",
            "From a request's head to the end of its answer; streams and held replies too.",
            ["route"],
            buckets=_WALL_S,
            registry=of,
        )
        self._refused = Counter(
            "allclose_refused_total",
            "Requests refused on purpose: TooManyRequests is over a rate or share, Busy a full queue.",
            ["reason"],
            registry=of,
        )
        self._watchers = Gauge(
            "allclose_watchers", "Open event streams and held replies.", registry=of
        )

    # --- Told as it happens ---------------------------------------------------------------------

    def accepted(self, trial: bool) -> None:
        self._accepted.labels(_kind(trial)).inc()

    def judged(self, trial: bool, verdict: Verdict, took_s: float) -> None:
        self._judgements.labels(_kind(trial), verdict).inc()
        self._judging_s.labels(_kind(trial)).observe(took_s)

    def waited(self, trial: bool, waited_s: float) -> None:
        self._waited_s.labels(_kind(trial)).observe(waited_s)

    def failed(self, reason: Fault) -> None:
        self._faults.labels(reason).inc()

    def ran(self, outcome: Outcome) -> None:
        self._runs.labels(_name(outcome.fact)).inc()
        self._box_cpu_s.inc(outcome.cpu_s)
        self._box_s.observe(outcome.wall_s)

    def stored(self, access: Access, took_s: float, failed: bool) -> None:
        self._store_s.labels(access).observe(took_s)
        if failed:
            self._store_failures.labels(access).inc()

    def answered(self, method: str, route: str, status: int, took_s: float) -> None:
        """`route` is a template, or empty where no route answered."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route or "none", status).inc()
        self._request_s.labels(route or "none").observe(took_s)

    def refused(self, reason: type[Exception]) -> None:
        """By the class in the table of errors, of which there are few."""
        self._refused.labels(reason.__name__).inc()

    # --- Looked up when it is asked for ---------------------------------------------------------

    def now(
        self, submissions: Backlog, trials: Backlog, fit: bool, boxes: int, watchers: int
    ) -> None:
        """How things stand."""
        for kind, backlog in (("submission", submissions), ("trial", trials)):
            self._waiting.labels(kind).set(backlog.waiting)
            self._oldest_s.labels(kind).set(backlog.oldest_s)
        self._fit.set(fit)
        self._boxes.set(boxes)
        self._watchers.set(watchers)

    @contextmanager
    def listening(self, host: str, port: int | None) -> Iterator[None]:
        """Answer `/metrics` at this address, for a process that serves nothing else; None: nowhere.

        Raises SettingsError where the address cannot be had.
        """
        if port is None:
            yield
            return
        try:
            server, thread = start_http_server(port, host, self._registry)
        except OSError as error:
            raise SettingsError(f"ALLCLOSE_WORK_PORT: {error.strerror}") from error
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def text(self) -> bytes:
        """Everything, in Prometheus's text format."""
        return generate_latest(self._registry)


@dataclass(frozen=True, slots=True)
class MeasuredRunner:
    """A runner whose outcomes are counted."""

    runner: Runner
    metrics: Metrics

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        for index, outcome in self.runner.run(calls):
            self.metrics.ran(outcome)
            yield index, outcome


def _kind(trial: bool) -> str:
    return "trial" if trial else "submission"


def _name(fact: Fact) -> str:
    match fact:
        case Raised():
            return "raised"
        case NotCompiled():
            return "not compiled"
        case Exceeded(limit=limit):
            return f"exceeded {limit}"
        case Crashed():
            return "crashed"
    return "returned"
