"""The form of a problem's page, for browsers without scripts: it runs or submits, and keeps what was sent."""

from __future__ import annotations

from starlette.requests import Request

from app.web.drafting import SAVES
from app.web.form import posted_program
from app.web.identity import lasting_owner, person_of, require
from app.web.parts import Parts
from app.web.schemas import SubmissionIn
from app.web.submitting import submit

WAIT_S = 10.0


async def taken(parts: Parts, request: Request, problem: str) -> str:
    """Keep the program as the draft, run or submit it, and wait a little. Returns the submission's id.

    Raises what `submit` raises, and Invalid for what is no program; then the draft is kept all the
    same, if it can be.
    """
    given = await posted_program(request, parts.catalogue.get(problem).id)
    await _keep(parts, request, given)
    return await submit(parts, given, request, WAIT_S)


async def _keep(parts: Parts, request: Request, given: SubmissionIn) -> None:
    """Over whatever was kept: the page that was sent has shown it. A save at the same moment wins."""
    person = person_of(request)
    require(person, scope="submit")
    if lasting_owner(request) is None:
        return
    parts.rates.take(request, SAVES[person.role == "guest"], person.share)
    draft = await parts.store.draft(person.owner, given.problem)
    revision = 0 if draft is None else draft.revision
    await parts.store.save_draft(person.owner, given.problem, given.source, revision)
