"""How judging goes, and the switch that pauses it. Over REST and as a page."""

from __future__ import annotations

import asyncio
import importlib.metadata
import platform
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request, Response
from pydantic import Field
from starlette.responses import RedirectResponse

from app.store import WorkerState
from app.store.schema import VERSION
from app.store.submissions import now_ms
from app.web.admin_area import area, area_api
from app.web.admin_rejudge_schemas import at
from app.web.admin_rejudges import who
from app.web.form import fields
from app.web.pages import Pages
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.schemas import In, Out

_LISTED_S = 600.0  # a worker that fell silent is shown for so long
_LOST_S = 15.0  # silence after which a worker counts as lost
_ERRORS_S = 86_400.0
_BODY = (400, 408, 413, 415)


class PauseIn(In):
    why: str = Field(default="", max_length=200, pattern=r"^[^\x00]*$")


class PauseOut(Out):
    """Nothing is judged; submissions are taken and wait."""

    why: str
    who: str
    at: datetime


class QueueOut(Out):
    """What is unjudged. `oldest_s`: how long the oldest waits, rejudges apart."""

    submissions: int
    trials: int
    rejudges: int
    oldest_s: float | None


class WorkerOut(Out):
    """A worker, as it says of itself every second or so."""

    name: str
    state: Literal["working", "unfit", "lost"]
    unfit: str
    version: str
    tier: str
    report: str
    since: datetime
    seen_s: float = Field(description="seconds ago")
    places: int
    busy: int
    kept_out: Mapping[str, str] = Field(description="variants that cannot be judged, and why")

    @classmethod
    def of(cls, state: WorkerState) -> WorkerOut:
        seen_s = max(0.0, (now_ms() - state.seen_ms) / 1000)
        return cls(
            name=state.name,
            state="lost" if seen_s > _LOST_S else "unfit" if state.unfit else "working",
            unfit=state.unfit,
            version=state.version,
            tier=state.tier,
            report=state.report,
            since=at(state.since_ms),
            seen_s=round(seen_s, 1),
            places=state.places,
            busy=state.busy,
            kept_out=state.kept_out,
        )


class CauseOut(Out):
    """Judging errors of the last 24 hours with one cause."""

    problem: str
    cause: str
    count: int
    last_at: datetime


class DiskOut(Out):
    free_bytes: int
    total_bytes: int
    database_bytes: int


class ConditionOut(Out):
    """How judging goes."""

    paused: PauseOut | None
    queue: QueueOut
    sandbox: str = Field(description="why programs cannot be judged here; empty: they can")
    workers: list[WorkerOut]
    judging_errors: list[CauseOut]
    left_out: list[str] = Field(description="packages that cannot be loaded, and why")
    refused: list[str] = Field(
        description="what verification beside the service found against packages; they are served"
    )
    disk: DiskOut
    versions: Mapping[str, str]


def api(parts: Parts) -> APIRouter:
    """/api/v1/admin/health, /pause and /resume."""
    routes = area_api(parts)

    @routes.get("/health")
    async def get_condition() -> ConditionOut:
        """Queue, workers, judging errors, disk, versions."""
        return await condition(parts)

    @routes.post("/pause", responses=responses(*_BODY))
    async def pause_judging(why: Annotated[PauseIn, Body()], request: Request) -> PauseOut:
        """Judge nothing until it is resumed. What is in progress ends; what is sent waits."""
        await parts.store.pause(why.why.strip(), who(request))
        return PauseOut(why=why.why.strip(), who=who(request), at=at(now_ms()))

    @routes.post("/resume", status_code=204)
    async def resume_judging(request: Request) -> None:
        """Judge again."""
        await parts.store.resume(who(request))

    return routes


def router(pages: Pages) -> APIRouter:
    """/admin, the front page, and /admin/health."""
    routes = area(pages)
    store = pages.parts.store

    @routes.get("")
    async def overview(request: Request) -> Response:
        members, problems = await store.count_members(), len(pages.parts.catalogue.variants)
        found = {"members": members, "problems": problems, **await shown(pages)}
        return pages.page(request, "admin_overview.html", **found)

    @routes.get("/health")
    async def health(request: Request) -> Response:
        return pages.page(request, "admin_health.html", **await shown(pages))

    @routes.post("/pause")
    async def pause(request: Request) -> Response:
        (why,) = await fields(request, "why")
        await store.pause(PauseIn(why=why.strip()).why, who(request))
        return _see()

    @routes.post("/resume")
    async def resume(request: Request) -> Response:
        await store.resume(who(request))
        return _see()

    @routes.post("/judging-errors/requeue")
    async def requeue(request: Request) -> Response:
        await store.requeue_judging_errors(who(request))
        return _see()

    return routes


async def condition(parts: Parts) -> ConditionOut:
    """Everything that an admin may want to know about judging."""
    store = parts.store
    queued, paused, sandbox = await store.queued(), await store.paused(), parts.sandbox()
    database = await store.about_database()
    usage = await asyncio.to_thread(shutil.disk_usage, parts.data)
    waits_s = None if queued.oldest_ms is None else (now_ms() - queued.oldest_ms) / 1000
    return ConditionOut(
        paused=None
        if paused is None
        else PauseOut(why=paused.why, who=paused.who, at=at(paused.at_ms)),
        queue=QueueOut(
            submissions=queued.submissions,
            trials=queued.trials,
            rejudges=queued.rejudges,
            oldest_s=None if waits_s is None else round(max(0.0, waits_s), 1),
        ),
        sandbox="" if sandbox.allowed else sandbox.reason or f"tier {sandbox.tier}",
        workers=[WorkerOut.of(state) for state in await store.workers(_LISTED_S)],
        judging_errors=[
            CauseOut(**asdict(error) | {"last_at": at(error.last_ms)})
            for error in await store.judging_errors(_ERRORS_S)
        ],
        left_out=[str(error) for error in parts.catalogue.broken],
        refused=[told for found in parts.broken_promises().values() for told in found],
        disk=DiskOut(
            free_bytes=usage.free, total_bytes=usage.total, database_bytes=database.size_bytes
        ),
        versions={
            "Allclose": importlib.metadata.version("allclose"),
            "database": f"{database.engine}, schema {VERSION}",
            "Python": platform.python_version(),
            "NumPy": importlib.metadata.version("numpy"),
            "kernel": platform.release(),
        },
    )


async def shown(pages: Pages) -> dict[str, Any]:
    """What the page of health shows, and the front page of the area a part of."""
    found = await condition(pages.parts)
    return {"condition": found, "troubles": troubles(found)}


def troubles(found: ConditionOut) -> list[str]:
    """What an admin should see to, the worst first."""
    told = [f"Nothing is judged: {found.sandbox}"] if found.sandbox else []
    if not any(worker.state == "working" for worker in found.workers):
        told.append("No worker takes work.")
    for worker in found.workers:
        if worker.state == "lost":
            told.append(
                f"The worker {worker.name} has not been heard of for {worker.seen_s:.0f} s."
            )
        elif worker.unfit:
            told.append(f"The worker {worker.name} takes no work: {worker.unfit}")
        told += [f"{problem} cannot be judged: {why}" for problem, why in worker.kept_out.items()]
    told += [f"A package is left out: {reason}" for reason in found.left_out]
    told += [f"A package breaks a promise: {reason}" for reason in found.refused]
    if count := sum(cause.count for cause in found.judging_errors):
        plural = "" if count == 1 else "s"
        told.append(f"{count} judging error{plural} within a day.")
    if found.disk.free_bytes < found.disk.total_bytes // 20:
        told.append("The disk is nearly full.")
    return list(dict.fromkeys(told))


def _see() -> Response:
    return RedirectResponse("/admin/health", status_code=303)
