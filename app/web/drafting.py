"""Drafts over REST. Each save says from which revision it was made, so that none overwrites another
unseen: `If-None-Match: *` for the first one, then `If-Match` with the ETag of the one before."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response
from pydantic import AfterValidator, Field
from starlette.exceptions import HTTPException

from app.errors import NotFound, Outdated
from app.store import Draft
from app.web.body import json_route
from app.web.identity import documented, identifier, person_of
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.rates import Rate
from app.web.schemas import API, SOURCE_KIB, In, Out, legal_source

IfMatch = Annotated[str, Header(description='The revision that is known, say `"4"`; `*` for any')]
IfNoneMatch = Annotated[str, Header(description="`*`: there is no draft yet")]

# A page saves at every pause; behind one address of guests may be a classroom.
SAVES = {False: Rate("draft saves", 240), True: Rate("draft saves", 4800)}

_TAG = re.compile(r'"([1-9][0-9]{0,8})"')
_UNSAID = "say what is known: If-None-Match: * for a first draft, else If-Match with its ETag"
_CHANGED = "the draft was changed meanwhile; read it, then decide which of the two to keep"


class DraftIn(In):
    """A program as it is now."""

    source: Annotated[str, AfterValidator(legal_source)] = Field(
        description=f"Python, or not yet; at most {SOURCE_KIB} KiB in UTF-8"
    )


class SavedOut(Out):
    """Which revision it became, and when."""

    problem: str
    revision: int
    saved_at: datetime


class DraftOut(SavedOut):
    """A draft as it was saved last."""

    source: str


def router(parts: Parts) -> APIRouter:
    """The routes under /api/v1/drafts; each sees one's own drafts only."""
    api = APIRouter(
        prefix=f"{API}/drafts",
        route_class=json_route(admit=identifier(parts)),
        responses=responses(401, 403),
        dependencies=[documented],
        tags=["drafts"],
    )

    async def known(owner: str, problem: str, if_match: str, if_none_match: str) -> int:
        """The revision that the client has before its eyes; 0: none. Raises Outdated."""
        if if_none_match.strip() == "*":
            return 0
        if not if_match:
            raise HTTPException(428, _UNSAID)
        if if_match.strip() == "*":
            draft = await parts.store.draft(owner, problem)
            if draft is None:
                raise Outdated(_CHANGED)
            return draft.revision
        tag = _TAG.fullmatch(if_match.strip())
        if tag is None:
            raise Outdated(_CHANGED)
        return int(tag[1])

    @api.get("/{family}/{variant}", responses=responses(404, 422, 503))
    async def get_draft(
        family: str, variant: str, request: Request, response: Response
    ) -> DraftOut:
        """What was saved last. Its ETag is the revision."""
        problem = parts.catalogue.get(f"{family}/{variant}").id
        draft = await parts.store.draft(person_of(request).owner, problem)
        if draft is None:
            raise NotFound("there is no draft of this problem")
        response.headers["ETag"] = f'"{draft.revision}"'
        response.headers["Cache-Control"] = "private, no-cache"
        return DraftOut(**_saved(problem, draft), source=draft.source)

    @api.put(
        "/{family}/{variant}", responses=responses(400, 404, 408, 412, 413, 415, 422, 428, 429, 503)
    )
    async def save_draft(
        family: str,
        variant: str,
        given: DraftIn,
        request: Request,
        response: Response,
        if_match: IfMatch = "",
        if_none_match: IfNoneMatch = "",
    ) -> SavedOut:
        """Save over the revision that is known; 412 where another one was saved meanwhile."""
        problem = parts.catalogue.get(f"{family}/{variant}").id
        person = person_of(request)
        parts.rates.take(request, SAVES[person.role == "guest"], person.share)
        owner = person.owner
        revision = await known(owner, problem, if_match, if_none_match)
        draft = await parts.store.save_draft(owner, problem, given.source, revision)
        if draft is None:
            raise Outdated(_CHANGED)
        response.headers["ETag"] = f'"{draft.revision}"'
        return SavedOut(**_saved(problem, draft))

    @api.delete("/{family}/{variant}", status_code=204, responses=responses(404, 412, 422, 503))
    async def delete_draft(
        family: str, variant: str, request: Request, if_match: IfMatch = ""
    ) -> Response:
        """Delete it: whichever it is, or only the revision that `If-Match` names."""
        problem = parts.catalogue.get(f"{family}/{variant}").id
        owner = person_of(request).owner
        revision = await known(owner, problem, if_match, "") if if_match else None
        if not await parts.store.delete_draft(owner, problem, revision):
            if revision is not None:
                raise Outdated(_CHANGED)
            raise NotFound("there is no draft of this problem")
        return Response(status_code=204)

    return api


def _saved(problem: str, draft: Draft) -> dict[str, Any]:
    at = datetime.fromtimestamp(draft.saved_ms / 1000, UTC)
    return {"problem": problem, "revision": draft.revision, "saved_at": at}
