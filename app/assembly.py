"""Builds the parts from the settings and hands them down. Nothing below this reads a setting."""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from app.alone import alone
from app.cluster import ClusterQueue, Fanout, Silence
from app.config import Settings
from app.errors import SandboxUnavailable, SettingsError, StoreError
from app.examining import Examining
from app.metrics import Backlog, MeasuredRunner, Metrics
from app.model import Call, Outcome, Runner
from app.problem import Catalogue, load_catalogue
from app.problem.kept import Kept
from app.promised import Offer, Promised
from app.proving import Attended, Proving
from app.published import follow, serve_uploaded
from app.queue import MemoryQueue, Queue
from app.sandbox import Keeper
from app.store import Store, connect_store, open_store
from app.tending import Tending
from app.verify import Report
from app.watching import Watching
from app.web.app import create_app
from app.web.events import Events
from app.web.logs import configure_logs
from app.web.parts import Allowance, Allowances, Network, Parts, SandboxState
from app.web.provider import Provider
from app.web.secret import OneTimeKey
from app.web.server import Listening, new_runner, serve, work_until_told
from app.web.set_up import link
from app.worker import Pace, Station, Worker

Work: TypeAlias = Callable[[], Coroutine[Any, Any, Any]]

_LOOK_S = 5.0
_REMEDY = "run `allclose doctor`; ALLCLOSE_MIN_TIER lowers what is asked for"


@dataclass(frozen=True, slots=True)
class Judging:
    """What judging needs, without a server: the problems and the boxes."""

    catalogue: Catalogue
    keeper: Keeper


@contextmanager
def judging(settings: Settings) -> Iterator[Judging]:
    """Problems and boxes, for as long as the block lasts; what was uploaded is that of the server.

    Raises SandboxUnavailable where no box of the tier that policy asks for can be made.
    """
    with Keeper(min_tier=settings.policy_tier) as keeper:
        catalogue = load_catalogue(settings.problems, settings.cache, keeper)
        if settings.cluster or settings.database.exists():
            with asyncio.Runner() as loop, _opened(settings, loop) as store:
                loop.run(serve_uploaded(store, catalogue))
        yield Judging(catalogue, keeper)


def serve_site(settings: Settings, ready: Callable[[str, Sequence[str]], None]) -> None:
    """Serve until told to stop. `ready` is told the URL, and what the host should know.

    Without a safe sandbox everything is served but judging: submissions get 503 with the reason.
    Raises SettingsError, StoreError.
    """
    configure_logs(settings.log_level, settings.log_format)
    _check_folders(settings)
    _networks(settings.metrics_readers)
    if settings.cluster and settings.watch:
        raise SettingsError("ALLCLOSE_WATCH is for authors, on an embedded database")
    by_itself = nullcontext() if settings.cluster else alone(settings.data)
    with by_itself, new_runner() as loop, _opened(settings, loop) as store:
        try:
            keeper = Keeper(min_tier=settings.policy_tier)
        except SandboxUnavailable as error:
            judged_elsewhere = settings.workers == 0
            state = SandboxState("X", judged_elsewhere, str(error), _REMEDY)
            _serve(settings, loop, store, _NoBoxes(state.reason), state, ready)
            return
        with keeper:
            state = SandboxState(keeper.tier, True, "; ".join(keeper.report))
            _serve(settings, loop, store, keeper, state, ready)


def work(settings: Settings, ready: Callable[[Sequence[str]], None]) -> None:
    """Judge for a cluster until told to stop. `ready` is told what the host should know.

    Raises SettingsError, StoreError, SandboxUnavailable.
    """
    configure_logs(settings.log_level, settings.log_format)
    if not settings.cluster:
        raise SettingsError(
            "`allclose work` judges for a cluster: ALLCLOSE_DATABASE_URL names its database"
        )
    with (
        new_runner() as loop,
        _opened(settings, loop) as store,
        Keeper(min_tier=settings.policy_tier) as keeper,
    ):
        metrics = Metrics()
        store, runner = store.timed(metrics.stored), MeasuredRunner(keeper, metrics)
        catalogue = load_catalogue(None, settings.cache, runner)
        promised = Promised(store, catalogue)
        loop.run(promised.look())
        queue = ClusterQueue(settings.cluster)
        news = Fanout(settings.cluster, Silence(), store)
        station = _station(keeper.tier, "")
        worker = Worker(
            store,
            queue,
            catalogue,
            runner,
            news,
            _pace(settings),
            metrics,
            station,
            promised.variant,
        )
        ready([f"sandbox tier {keeper.tier}", *map(str, catalogue.broken)])
        telling = partial(news.run, listening=False)
        examining = Examining(store, catalogue, runner, settings.cache, _katex(settings))
        looking = partial(_look, store, worker, keeper, metrics)
        with metrics.listening(settings.host, settings.work_port):
            work_until_told(
                loop,
                _side_by_side(worker.run, examining.run, promised.follow, telling, looking),
            )


async def _look(store: Store, worker: Worker, keeper: Keeper, metrics: Metrics) -> None:
    """Note how things stand, for whoever reads the metrics of a process that serves no pages."""
    while True:
        with suppress(StoreError):
            of = await store.backlog()
            submissions = Backlog(of.submissions, of.oldest_submission_s)
            trials = Backlog(of.trials, of.oldest_trial_s)
            metrics.now(submissions, trials, worker.fit, keeper.ready, watchers=0)
        await asyncio.sleep(_LOOK_S)


def _katex(settings: Settings) -> Path | None:
    """The script with which formulas are tried; None where nothing has been built."""
    katex = settings.static / "katex.js"
    return katex if katex.exists() else None


def _station(tier: str, report: str) -> Station:
    return Station(
        name=f"{socket.gethostname()}:{os.getpid()}",
        version=importlib.metadata.version("allclose"),
        tier=tier,
        report=report,
    )


def _pace(settings: Settings) -> Pace:
    return Pace(
        concurrency=settings.workers or 1,
        trial_s=settings.trial_hours * 3600,
        stop_s=settings.stop_s,
        sweep_limit=settings.queue_limit,
    )


def _serve(
    settings: Settings,
    loop: asyncio.Runner,
    store: Store,
    runner: Runner,
    sandbox: SandboxState,
    ready: Callable[[str, Sequence[str]], None],
) -> None:
    metrics, keeper = Metrics(), runner
    store, runner = store.timed(metrics.stored), MeasuredRunner(runner, metrics)
    catalogue = load_catalogue(settings.problems, settings.cache, runner)
    loop.run(serve_uploaded(store, catalogue))
    offer = Offer(store, catalogue, settings.problems) if settings.cluster else None
    if offer:
        loop.run(offer.make())
    events = Events()
    queue: Queue = ClusterQueue(settings.cluster) if settings.cluster else MemoryQueue()
    news = Fanout(settings.cluster, events, store) if settings.cluster else None
    attended, reports = Attended(runner), dict[str, Report]()
    worker = Worker(
        store,
        queue,
        catalogue,
        attended,
        news or events,
        _pace(settings),
        metrics,
        _station(sandbox.tier, sandbox.reason),
        Promised(store, catalogue, offer.version).variant if offer else None,
    )
    parts = Parts(
        catalogue=catalogue,
        store=store,
        queue=queue,
        events=events,
        sandbox=lambda: sandbox,
        runner=runner,
        static=settings.static,
        data=settings.data,
        metrics=metrics,
        metrics_readers=_networks(settings.metrics_readers),
        boxes=lambda: keeper.ready if isinstance(keeper, Keeper) else 0,
        unfit=lambda: worker.unfit_reason if settings.workers else "",
        broken_promises=lambda: {n: r.told for n, r in reports.items() if not r.kept},
        queue_limit=settings.queue_limit,
        allowances=_allowances(settings),
        guest_submissions=settings.guest_submissions,
        sign_up=settings.sign_up,
        session_s=settings.session_days * 86400,
        provider=_provider(settings),
        set_up=OneTimeKey() if not loop.run(store.admins()) else OneTimeKey(""),
        version=offer.version if offer else _unnamed,
        wait_s=settings.wait_limit_s,
    )
    watching = Watching(
        problems=settings.problems,
        cache=settings.cache,
        katex=_katex(settings),
        catalogue=catalogue,
        runner=runner,
        watch=settings.watch,
        reports=reports,
    )
    examining = Examining(store, catalogue, runner, settings.cache, watching.katex)
    proving = Proving(_examination(settings), lambda: attended.busy, reports=reports)
    tending = Tending(
        store,
        Kept(settings.cache),
        settings.cache_mib * 2**20,
        _seconds(settings.submission_days),
        _seconds(settings.audit_days),
        settings.session_days * 86400,
    )
    notes = [str(error) for error in catalogue.broken]
    if not sandbox.allowed:
        notes.append(f"nothing will be judged: {sandbox.reason}; {sandbox.remedy}")
    serve(
        create_app(parts),
        events,
        Listening(
            settings.host, settings.port, settings.proxies, settings.stop_s, settings.connections
        ),
        work=_side_by_side(
            *([worker.run] if settings.workers and sandbox.allowed else []),
            *([watching.run, tending.run, examining.run] if sandbox.allowed else []),
            partial(follow, store, catalogue),
            *([news.run] if news else []),
            *([proving.run] if settings.verify and sandbox.allowed else []),
            asyncio.Event().wait,
        ),
        ready=lambda url: ready(
            url, [f"sandbox tier {sandbox.tier}", *notes, *_first_admin(url, parts.set_up)]
        ),
        runner=loop,
    )


def _examination(settings: Settings) -> tuple[str, ...]:
    """The command that examines what this service serves."""
    folders = ("--problems", str(settings.problems), "--data", str(settings.data))
    options = ("--beside", "--min-tier", settings.policy_tier)
    return (sys.executable, "-m", "app", "verify", *options, *folders)


def _unnamed(family: str) -> tuple[str, str]:
    """Who judges alone has what is served at hand, and need not name it."""
    return "", ""


def _provider(settings: Settings) -> Provider | None:
    """Raises SettingsError where one is set and the libraries for it are not installed."""
    if not settings.oidc_issuer:
        return None
    try:
        from app.web.oidc import OpenIdProvider
    except ImportError as missing:
        raise SettingsError(
            f"ALLCLOSE_OIDC_ISSUER needs {missing.name}, which is not installed: "
            "pip install 'allclose[oauth]'"
        ) from missing
    secret = settings.oidc_client_secret.get_secret_value()
    return OpenIdProvider(settings.oidc_issuer, settings.oidc_client_id, secret, settings.oidc_name)


def _first_admin(url: str, key: OneTimeKey) -> list[str]:
    """How a new installation gets its first admin."""
    if not key.value:
        return []
    place = urlsplit(url)
    if place.hostname not in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::"):
        return ["there is no admin yet: allclose user add --admin NAME"]
    here = f"http://{'[::1]' if ':' in (place.hostname or '') else '127.0.0.1'}:{place.port}"
    return [
        "there is no admin yet: allclose user add --admin NAME, "
        f"or once, in a browser on this machine: {link(here, key)}"
    ]


def _allowances(settings: Settings) -> Allowances:
    share = settings.queue_share
    return Allowances(
        guest=Allowance(
            settings.guest_submissions_a_minute,
            settings.guest_runs_a_minute,
            settings.guest_queue_share or share,
        ),
        account=Allowance(
            settings.account_submissions_a_minute, settings.account_runs_a_minute, share
        ),
        token=Allowance(
            settings.token_submissions_a_minute,
            settings.token_runs_a_minute,
            settings.token_queue_share or share,
        ),
    )


def _side_by_side(*works: Work) -> Work:
    """The worker, and what looks after packages and old rows; all end when they are cancelled."""

    async def run() -> None:
        async with asyncio.TaskGroup() as tasks:
            for work in works:
                tasks.create_task(work())

    return run


def _seconds(days: float | None) -> float | None:
    return None if days is None else days * 86_400


class _NoBoxes:
    """Stands where a keeper would, where no safe box can be made."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        raise SandboxUnavailable(self._reason)


async def opened(settings: Settings) -> Store:
    """The cluster's store, or the embedded one. Raises SettingsError, StoreError."""
    if settings.cluster:
        return await connect_store(settings.cluster)
    return open_store(settings.database)


@contextmanager
def _opened(settings: Settings, loop: asyncio.Runner) -> Iterator[Store]:
    store = loop.run(opened(settings))
    try:
        yield store
    finally:
        loop.run(store.close())


def _networks(written: str) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(one.strip()) for one in written.split(",") if one.strip())
    except ValueError as error:
        raise SettingsError(f"ALLCLOSE_METRICS_READERS: {error}") from None


def _check_folders(settings: Settings) -> None:
    """A folder that is missing is told before anything starts."""
    if not settings.problems.is_dir():
        raise SettingsError(
            f"there is no folder {settings.problems}; start in a clone of the repository, "
            "or name the folder of the problem packages with --problems"
        )
    if not os.access(settings.problems, os.R_OK | os.X_OK):
        raise SettingsError(f"the folder {settings.problems} cannot be read")
