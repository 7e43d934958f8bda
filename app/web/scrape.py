"""`/metrics`, for Prometheus: open to the addresses that a setting names, and to admins' tokens."""

from __future__ import annotations

import ipaddress

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from app.metrics import Backlog, Metrics
from app.web.identity import documented, identifier, person_of, require
from app.web.parts import Network, Parts
from app.web.problem_json import responses

_DOCUMENTED = {
    200: {"content": {"text/plain": {}}, "description": "Prometheus's text format"},
    **responses(401, 403, 503),
}


def router(parts: Parts) -> APIRouter:
    """The one route."""
    scrape = APIRouter(tags=["health"], dependencies=[documented])
    identify = identifier(parts)

    @scrape.get("/metrics", response_class=Response, responses=_DOCUMENTED)
    async def metrics(request: Request) -> Response:
        """How much is waiting, what judging costs, what is refused, and how the process is."""
        if not _near(request, parts.metrics_readers):
            await identify(request)
            require(person_of(request), role="admin", scope="admin")
        await _look(parts, parts.metrics)
        return Response(parts.metrics.text(), media_type=CONTENT_TYPE_LATEST)

    return scrape


async def _look(parts: Parts, metrics: Metrics) -> None:
    backlog = await parts.store.backlog()
    metrics.now(
        submissions=Backlog(backlog.submissions, backlog.oldest_submission_s),
        trials=Backlog(backlog.trials, backlog.oldest_trial_s),
        fit=parts.sandbox().allowed and not parts.unfit(),
        boxes=parts.boxes(),
        watchers=parts.events.watchers,
    )


def _near(request: Request, readers: tuple[Network, ...]) -> bool:
    try:
        address = ipaddress.ip_address(request.client.host if request.client else "")
    except ValueError:
        return False
    return any(address in network for network in readers)
