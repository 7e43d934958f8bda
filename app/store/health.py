"""How judging goes: who works, what waits, what went wrong, and whether it is paused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, case, delete, func, insert, select, update

from app.store.database import Database
from app.store.people import audit_entry
from app.store.schema import judgements, results, submissions, switches, workers
from app.store.submissions import now_ms

_S, _J, _W = submissions.c, judgements.c, workers.c
_PAUSE = switches.c.name == "pause"
_QUEUE = select(
    func.sum(case((_S.trial, 1), else_=0)).label("trials"),
    func.sum(case((_S.trial, 0), (_S.rejudge.is_(None), 1), else_=0)).label("submissions"),
    func.sum(case((_S.rejudge.is_not(None), 1), else_=0)).label("rejudges"),
    func.min(case((_S.rejudge.is_(None), _S.created_ms))).label("oldest_ms"),
).where(_S.judged_number < _S.judging_number)
_ERRORS = (
    select(
        results.c.problem,
        results.c.cause,
        func.count().label("many"),
        func.max(_J.created_ms).label("last_ms"),
    )
    .join_from(judgements, results, results.c.judgement == _J.number)
    .where(_J.verdict == "JE", _J.created_ms >= bindparam("since_ms"))
    .group_by(results.c.problem, results.c.cause)
    .order_by(func.max(_J.created_ms).desc())
    .limit(bindparam("limit"))
)


@dataclass(frozen=True, slots=True)
class WorkerState:
    """What a worker says of itself.

    places     judgings that it does at the same time; `busy` of them are in progress
    unfit      why it takes no work; empty where it does
    kept_out   variants that it cannot judge, and why
    """

    name: str
    version: str
    tier: str
    report: str
    since_ms: int
    seen_ms: int
    places: int
    busy: int
    unfit: str
    kept_out: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing is judged until somebody resumes; submissions are taken and wait."""

    why: str
    who: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Queued:
    """What is unjudged, and since when the oldest of it waits (rejudges do not wait)."""

    submissions: int
    trials: int
    rejudges: int
    oldest_ms: int | None


@dataclass(frozen=True, slots=True)
class ErrorCause:
    """Judging errors of one problem with one cause."""

    problem: str
    cause: str
    count: int
    last_ms: int


@dataclass(frozen=True, slots=True)
class AboutDatabase:
    """What keeps everything, and how large it is."""

    engine: str
    size_bytes: int


class Health:
    """Questions about the machinery."""

    _database: Database

    async def report_worker(self, state: WorkerState) -> None:
        """Keep what a worker says of itself, in the place of what it said before."""
        values = {
            "version": state.version,
            "tier": state.tier,
            "report": state.report,
            "since_ms": state.since_ms,
            "seen_ms": state.seen_ms,
            "places": state.places,
            "busy": state.busy,
            "unfit": state.unfit,
            "kept_out_json": json.dumps(dict(state.kept_out)),
        }
        async with self._database.writing(repeatable=True) as transaction:
            again = update(workers).where(_W.name == state.name).values(values)
            if await transaction.change(again) == 0:
                new = self._database.insert_new(workers)
                await transaction.change(new.values(name=state.name, **values))

    async def forget_workers(self, name: str, age_s: float) -> None:
        """Forget a worker that stops, and those that have not been heard of for so long."""
        old = _W.seen_ms < now_ms() - int(age_s * 1000)
        async with self._database.writing(repeatable=True) as transaction:
            await transaction.change(delete(workers).where((_W.name == name) | old))

    async def workers(self, age_s: float) -> tuple[WorkerState, ...]:
        """The workers that were heard of within so many seconds."""
        since_ms = now_ms() - int(age_s * 1000)
        question = select(workers).where(_W.seen_ms >= since_ms).order_by(_W.name)
        async with self._database.reading() as transaction:
            rows = await transaction.rows(question)
        return tuple(
            WorkerState(
                row.name,
                row.version,
                row.tier,
                row.report,
                row.since_ms,
                row.seen_ms,
                row.places,
                row.busy,
                row.unfit,
                json.loads(row.kept_out_json),
            )
            for row in rows
        )

    async def pause(self, why: str, who: str) -> None:
        """Judge nothing until it is resumed; a pause that is there already gets this reason."""
        values = {"name": "pause", "why": why, "who": who, "at_ms": now_ms()}
        async with self._database.writing() as transaction:
            await transaction.change(delete(switches).where(_PAUSE))
            await transaction.change(insert(switches).values(values))
            await transaction.change(audit_entry(who, "pause judging", "judging", {"why": why}))

    async def resume(self, who: str) -> None:
        """Judge again."""
        async with self._database.writing() as transaction:
            if await transaction.change(delete(switches).where(_PAUSE)):
                await transaction.change(audit_entry(who, "resume judging", "judging", {}))

    async def paused(self) -> Pause | None:
        """Whether judging is paused, why and by whom."""
        async with self._database.reading() as transaction:
            row = await transaction.row(select(switches).where(_PAUSE))
        return None if row is None else Pause(row.why, row.who, row.at_ms)

    async def queued(self) -> Queued:
        """What waits for its judgement."""
        async with self._database.reading() as transaction:
            row = await transaction.row(_QUEUE)
        assert row is not None
        return Queued(row.submissions or 0, row.trials or 0, row.rejudges or 0, row.oldest_ms)

    async def about_database(self) -> AboutDatabase:
        """Which engine, and its size."""
        async with self._database.reading() as transaction:
            row = await transaction.row(self._database.about())
        assert row is not None
        return AboutDatabase(row.engine, row.bytes)

    async def judging_errors(self, age_s: float, limit: int = 100) -> tuple[ErrorCause, ...]:
        """The judging errors of the last so many seconds, by problem and cause, newest first."""
        since_ms = now_ms() - int(age_s * 1000)
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_ERRORS, since_ms=since_ms, limit=limit)
        return tuple(ErrorCause(row.problem, row.cause, row.many, row.last_ms) for row in rows)
