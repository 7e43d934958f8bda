"""The public REST API: problems, submissions, runs. Whatever acts, page or script, comes this way."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from starlette.exceptions import HTTPException

from app.web import events
from app.web.body import json_route
from app.web.identity import documented, identifier
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.problem_schemas import ProblemOut, ProblemsOut, ProblemSummaryOut
from app.web.schemas import API, AcceptedOut, RunIn, SubmissionIn, SubmissionOut
from app.web.stream import EventStream, story
from app.web.submitting import shown, submit

Wait = Annotated[
    float,
    Query(ge=0, le=600, allow_inf_nan=False, description="Seconds to hold the reply until judged"),
]
_BODY = (400, 404, 408, 413, 415, 422, 429, 503)
_JSON = "application/json"


def router(parts: Parts) -> APIRouter:
    """The routes under /api/v1."""
    api = APIRouter(
        prefix=API,
        route_class=json_route(admit=identifier(parts)),
        responses=responses(401, 403),
        dependencies=[documented],
    )
    _problems(api, parts)
    _submissions(api, parts)
    _watching(api, parts)
    return api


def _problems(api: APIRouter, parts: Parts) -> None:
    @api.get("/problems", tags=["problems"])
    async def list_problems() -> ProblemsOut:
        """All problems that can be solved now."""
        rows = [ProblemSummaryOut.fields_of(variant) for variant in parts.catalogue.variants]
        return ProblemsOut(problems=[ProblemSummaryOut(**row) for row in rows])

    @api.get("/problems/{family}/{variant}", tags=["problems"], responses=responses(404, 422))
    async def get_problem(family: str, variant: str) -> ProblemOut:
        """One problem: statement, contract, samples; nothing of the secret tests."""
        return ProblemOut.of(parts.catalogue.get(f"{family}/{variant}"))


def _submissions(api: APIRouter, parts: Parts) -> None:
    async def answered(given: SubmissionIn | RunIn, request: Request, wait_s: float) -> Response:
        submission_id = await submit(parts, given, request, wait_s)
        accepted = AcceptedOut.of(submission_id)
        headers = {"Location": accepted.url}
        if wait_s > 0:
            out = await shown(parts, submission_id)
            if out.state == "judged":
                return Response(out.model_dump_json(), 200, headers, _JSON)
        return Response(accepted.model_dump_json(), 202, headers, _JSON)

    documented: dict[int | str, dict[str, Any]] = {
        200: {"model": SubmissionOut, "description": "Judged while the reply was held"},
        202: {"model": AcceptedOut},
        **responses(*_BODY),
    }

    @api.post(
        "/submissions",
        status_code=202,
        response_model=None,
        responses=documented,
        tags=["submissions"],
    )
    async def add_submission(given: SubmissionIn, request: Request, wait: Wait = 0) -> Response:
        """Hand in a program. It is kept before this is answered, and judged on all tests."""
        return await answered(given, request, wait)

    @api.post(
        "/runs",
        status_code=202,
        response_model=None,
        responses=documented,
        tags=["submissions"],
    )
    async def add_run(given: RunIn, request: Request, wait: Wait = 0) -> Response:
        """Try a program on the samples, or on input of one's own. Deleted after an hour."""
        return await answered(given, request, wait)

    @api.get("/submissions/{id}", tags=["submissions"], responses=responses(404, 422, 503))
    async def get_submission(id: str) -> SubmissionOut:
        """A submission and, once it is judged, its verdict test by test."""
        return await shown(parts, id)


def _watching(api: APIRouter, parts: Parts) -> None:
    async def last_seen(
        id: str,
        last_event_id: Annotated[str, Header(description="Sent by browsers that reconnect")] = "",
    ) -> str:
        """Refuse, before a stream begins, what does not exist or has been told to its end."""
        await parts.store.standing(id)
        if last_event_id == events.LAST:
            raise HTTPException(204)
        return last_event_id

    @api.get(
        "/submissions/{id}/events",
        status_code=200,
        response_class=EventStream,
        responses={204: {"description": "Everything has been told"}, **responses(404, 422, 503)},
        tags=["submissions"],
    )
    async def watch_submission(id: str, seen: Annotated[str, Depends(last_seen)]) -> EventStream:
        """Server-sent events: `judging`, a `run` for each test as it ends, and last `judged`."""
        return EventStream(story(parts, id, seen))
