"""Pages about what people have done: one's own progress, public profiles, the quickest programs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import RedirectResponse

from app.store import Profile
from app.web.activity import calendar
from app.web.form import posted
from app.web.identity import identifier, person_of, require
from app.web.pages import Pages
from app.web.progress_schemas import AttemptOut
from app.web.ranking import ranked
from app.web.record import record_of
from app.web.schemas import state_of

_RECENT = 10


def router(pages: Pages) -> APIRouter:
    """/progress, /people/{name}, and a list for each problem."""
    routes = APIRouter(include_in_schema=False, dependencies=[Depends(identifier(pages.parts))])
    _own(routes, pages)
    _public(routes, pages)
    return routes


def _own(routes: APIRouter, pages: Pages) -> None:
    parts = pages.parts

    @routes.get("/progress")
    async def progress(request: Request, saved: str = "") -> Response:
        person = person_of(request)
        recent = await parts.store.attempts(person.owner, limit=_RECENT)
        judging = parts.events.judging
        return pages.page(
            request,
            "progress.html",
            here="progress",
            **await _record(pages, person.owner),
            recent=[
                (AttemptOut.of(each, state_of(each, judging(each.submission.id))), title)
                for each in recent.standings
                for title in [pages.title(each.submission.problem)]
            ],
            profile=None if person.user is None else await parts.store.profile(person.user),
            saved=bool(saved),
        )

    @routes.post("/progress/profile")
    async def choose(request: Request) -> Response:
        """The plain form: a box that is not ticked is not sent."""
        person = person_of(request)
        require(person, "learner")
        fields = await posted(request)
        assert person.user is not None, "only guests have no account"
        chosen = Profile(public="public" in fields, ranked="ranked" in fields)
        await parts.store.choose_profile(person.user, chosen)
        return RedirectResponse("/progress?saved=yes#shown", status_code=303)


def _public(routes: APIRouter, pages: Pages) -> None:
    parts = pages.parts

    @routes.get("/people/{name}")
    async def profile(request: Request, name: str) -> Response:
        shown = await parts.store.public_profile(name)
        record = await _record(pages, f"user:{shown.user}")
        return pages.page(request, "profile.html", shown=shown, **record)

    @routes.get("/problems/{family}/{variant}/leaderboard")
    async def leaderboard(request: Request, family: str, variant: str) -> Response:
        found = parts.catalogue.get(f"{family}/{variant}")
        places = ranked(await parts.store.ranking(found.id, found.version))
        return pages.page(request, "leaderboard.html", problem=found, places=places)


async def _record(pages: Pages, owner: str) -> dict[str, Any]:
    record = await record_of(pages.parts.store, tuple(pages.parts.catalogue.variants), owner)
    titles = {family: pages.parts.catalogue.family(family).title for family, _ in record.families}
    return {"record": record, "titles": titles, "calendar": calendar(record.days, record.today)}
