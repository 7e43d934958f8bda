"""One's own work over REST: attempts, progress, what is shown of it; and who else is there."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.errors import Invalid
from app.store import Profile
from app.web.body import json_route
from app.web.identity import documented, identifier, person_of, require
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.progress_schemas import (
    AttemptOut,
    AttemptsOut,
    LeaderboardOut,
    PresenceOut,
    ProfileIn,
    ProfileOut,
    ProgressOut,
    SourceOut,
)
from app.web.ranking import ranked
from app.web.rates import Rate
from app.web.record import record_of
from app.web.schemas import API, state_of

Problem = Annotated[
    str,
    Query(
        max_length=200, pattern=r"^([\w-]+/[\w-]+)?$", description="`family/variant`; empty: all"
    ),
]
Cursor = Annotated[str, Query(max_length=20, description="From the page before")]
Limit = Annotated[int, Query(ge=1, le=100)]

# An open page beats three times a minute; behind one address of guests may be a classroom.
BEATS = {False: Rate("beats", 240), True: Rate("beats", 2400)}

_CURSOR = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


def router(parts: Parts) -> APIRouter:
    """Routes about the person who asks."""
    api = APIRouter(
        prefix=API,
        route_class=json_route(admit=identifier(parts)),
        responses=responses(401, 403),
        dependencies=[documented],
    )
    _attempts(api, parts)
    _progress(api, parts)
    _others(api, parts)
    return api


def _attempts(api: APIRouter, parts: Parts) -> None:
    @api.get("/submissions", tags=["submissions"], responses=responses(422, 503))
    async def list_submissions(
        request: Request, problem: Problem = "", cursor: Cursor = "", limit: Limit = 20
    ) -> AttemptsOut:
        """One's own submissions, newest first, whether as a guest or as a user. Runs are not kept."""
        if cursor and not _CURSOR.fullmatch(cursor):
            raise Invalid("this cursor did not come from here")
        owner = person_of(request).owner
        found = await parts.store.attempts(owner, problem, int(cursor or 0), limit)
        judging = parts.events.judging
        return AttemptsOut(
            submissions=[
                AttemptOut.of(each, state_of(each, judging(each.submission.id)))
                for each in found.standings
            ],
            cursor=str(found.before) if found.before else None,
        )

    @api.get("/submissions/{id}/source", tags=["submissions"], responses=responses(404, 422, 503))
    async def get_source(id: str) -> SourceOut:
        """The program as it was sent."""
        standing = await parts.store.standing(id)
        return SourceOut(source=standing.submission.source)


def _progress(api: APIRouter, parts: Parts) -> None:
    @api.get("/progress", tags=["people"], responses=responses(422, 503))
    async def get_progress(request: Request) -> ProgressOut:
        """What one has done so far: solved, attempts, days, and what to do next."""
        variants = tuple(parts.catalogue.variants)
        record = await record_of(parts.store, variants, person_of(request).owner)
        return ProgressOut.of_record(record)

    @api.get("/profile", tags=["people"], responses=responses(503))
    async def get_profile(request: Request) -> ProfileOut:
        """What is shown of oneself to others: nothing, unless it was chosen."""
        return ProfileOut.model_validate(await parts.store.profile(_user(request)))

    @api.put("/profile", tags=["people"], responses=responses(400, 408, 413, 415, 422, 503))
    async def choose_profile(given: ProfileIn, request: Request) -> ProfileOut:
        """Choose what is shown of oneself to others."""
        await parts.store.choose_profile(_user(request), Profile(given.public, given.ranked))
        return ProfileOut(public=given.public, ranked=given.ranked)


def _others(api: APIRouter, parts: Parts) -> None:
    @api.get(
        "/problems/{family}/{variant}/leaderboard",
        tags=["problems"],
        responses=responses(404, 422, 503),
    )
    async def get_leaderboard(family: str, variant: str) -> LeaderboardOut:
        """The quickest accepted programs of those who want to be listed."""
        found = parts.catalogue.get(f"{family}/{variant}")
        places = ranked(await parts.store.ranking(found.id, found.version))
        return LeaderboardOut.of(found.id, found.version, places)

    @api.put(
        "/problems/{family}/{variant}/presence",
        tags=["problems"],
        responses=responses(404, 422, 429, 503),
    )
    async def be_present(family: str, variant: str, request: Request) -> PresenceOut:
        """The problem's page is open here: told now and then, forgotten soon after the last time."""
        problem, person = parts.catalogue.get(f"{family}/{variant}").id, person_of(request)
        parts.rates.take(request, BEATS[person.role == "guest"], person.share)
        people = await parts.store.seen(problem, person.owner)
        return PresenceOut(people=people)

    @api.delete(
        "/problems/{family}/{variant}/presence",
        status_code=204,
        tags=["problems"],
        responses=responses(404, 422, 503),
    )
    async def leave(family: str, variant: str, request: Request) -> Response:
        """The page is closed."""
        problem = parts.catalogue.get(f"{family}/{variant}").id
        await parts.store.left(problem, person_of(request).owner)
        return Response(status_code=204)


def _user(request: Request) -> int:
    """The number of the account that asks. Raises Unauthorized for guests."""
    person = person_of(request)
    require(person, "learner")
    assert person.user is not None, "only guests have no account"
    return person.user
