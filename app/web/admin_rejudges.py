"""Rejudges over REST: choose (dry run first), begin, look, release or discard; and requeueing."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Request

from app.queue import priority
from app.store import Rejudge
from app.store.submissions import now_ms
from app.web.admin_area import area_api
from app.web.admin_rejudge_schemas import (
    BegunOut,
    ChangesOut,
    RejudgeIn,
    RejudgeNumber,
    RejudgeOut,
    RejudgesOut,
    RejudgeSummaryOut,
    RequeuedOut,
    SubmissionId,
)
from app.web.identity import person_of
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.schemas import AcceptedOut

_MOST_REJUDGES = 100
_BODY = (400, 408, 413, 415)
DryRunFlag = Annotated[bool, Query(description="Only say which; false judges them again")]
After = Annotated[int, Query(ge=0, le=2**53, description="`next` of the page before")]
Limit = Annotated[int, Query(ge=1, le=200)]


def api(parts: Parts) -> APIRouter:
    """/api/v1/admin/rejudges and what asks for one more judging."""
    routes = area_api(parts)
    _rejudges(routes, parts)
    _requeueing(routes, parts)
    return routes


def _rejudges(routes: APIRouter, parts: Parts) -> None:
    @routes.post("/rejudges", responses=responses(*_BODY))
    async def begin_rejudge(
        chosen: Annotated[RejudgeIn, Body()], request: Request, dry_run: DryRunFlag = True
    ) -> BegunOut:
        """Judge submissions once more, apart from what learners see, after all that is new."""
        selection = chosen.selection()
        found = await parts.store.chosen(selection)
        number = None
        if not dry_run:
            number = await parts.store.begin_rejudge(selection, who(request))
        return BegunOut.of(found, number)

    @routes.get("/rejudges")
    async def list_rejudges() -> RejudgesOut:
        """The newest first."""
        found = await parts.store.rejudges(_MOST_REJUDGES)
        return RejudgesOut(rejudges=[RejudgeSummaryOut.of(rejudge) for rejudge in found])

    @routes.get("/rejudges/{number}", responses=responses(404))
    async def get_rejudge(number: RejudgeNumber) -> RejudgeOut:
        """How far it is, verdicts before and after, and which tests turn them."""
        return await _told(parts, await parts.store.rejudge(number))

    @routes.get("/rejudges/{number}/changes", responses=responses(404))
    async def list_changes(
        number: RejudgeNumber, after: After = 0, limit: Limit = 50
    ) -> ChangesOut:
        """Submissions whose verdict or score would change, test by test."""
        await parts.store.rejudge(number)
        return ChangesOut.of(await parts.store.rejudge_changes(number, limit, after), limit)

    @routes.post("/rejudges/{number}/release", responses=responses(404))
    async def release_rejudge(number: RejudgeNumber, request: Request) -> RejudgeOut:
        """Show its judgements, all at once. Marks are added by it, and never taken away."""
        await parts.store.release_rejudge(number, who(request))
        return await _told(parts, await parts.store.rejudge(number))

    @routes.post("/rejudges/{number}/discard", responses=responses(404))
    async def discard_rejudge(number: RejudgeNumber, request: Request) -> RejudgeOut:
        """Leave everything as it was."""
        await parts.store.discard_rejudge(number, who(request))
        return await _told(parts, await parts.store.rejudge(number))


def _requeueing(routes: APIRouter, parts: Parts) -> None:
    @routes.post("/submissions/{id}/requeue", status_code=202, responses=responses(404))
    async def requeue_submission(id: SubmissionId, request: Request) -> AcceptedOut:
        """Judge one submission once more; its new judgement is shown at once."""
        await requeue(parts, id, who(request))
        return AcceptedOut.of(id)

    @routes.post("/judging-errors/requeue")
    async def requeue_judging_errors(request: Request) -> RequeuedOut:
        """Judge once more whatever shows a judging error."""
        return RequeuedOut(submissions=await parts.store.requeue_judging_errors(who(request)))


async def requeue(parts: Parts, submission_id: str, asked_by: str) -> None:
    """Ask for one more judging, and give it a job. Raises NotFound, Invalid."""
    await parts.store.requeue(submission_id, asked_by)
    await parts.queue.enqueue(submission_id, priority(False, now_ms(), 0))


def who(request: Request) -> str:
    """The name under which the audit log keeps what an admin does."""
    return person_of(request).name or ""


async def _told(parts: Parts, rejudge: Rejudge) -> RejudgeOut:
    moves = await parts.store.rejudge_moves(rejudge.number)
    return RejudgeOut.told(rejudge, moves, await parts.store.rejudge_flips(rejudge.number))
