"""Taking in what a learner sends: for the API, and for the plain form of a page."""

from __future__ import annotations

import asyncio
import secrets

import structlog

from app.errors import Busy, Invalid, SandboxUnavailable, TooManyRequests
from app.model import Submission
from app.problem import arguments
from app.queue import priority
from app.web.identity import Person, require
from app.web.parts import Parts
from app.web.schemas import RunIn, SubmissionIn, SubmissionOut, state_of

# When somebody over their share may come back: a waiting submission takes about as long.
_RETRY_S = 2.0

_log = structlog.get_logger()


async def submit(
    parts: Parts, given: SubmissionIn | RunIn, person: Person, wait_s: float = 0
) -> str:
    """Keep it, give it a job, and wait until it is judged, at most `wait_s`. Returns its id.

    Raises Forbidden, NotFound, Invalid, SandboxUnavailable, TooManyRequests, Busy,
    StoreUnavailable: then nothing was kept.
    """
    require(person, scope="submit")
    submission = await _submission(parts, given)
    _check_sandbox(parts)
    waiting = await parts.store.waiting(person.share)
    if waiting.own >= parts.queue_share:
        message = f"{waiting.own} of your submissions are waiting; try again when some are judged"
        raise TooManyRequests(message, _RETRY_S)
    if waiting.all >= parts.queue_limit:
        raise Busy(f"{waiting.all} submissions are waiting; try again in a moment")
    await parts.store.add_submission(submission, person.share, person.owner)
    parts.metrics.accepted(submission.trial)
    _log.info("accepted", submission=submission.id, problem=submission.problem)
    with parts.events.watching(submission.id) as watch:
        await parts.queue.enqueue(submission.id, priority(submission.trial, waiting.own))
        if wait_s > 0:
            try:
                await asyncio.wait_for(watch.judged(), min(wait_s, parts.wait_s))
            except TimeoutError:
                _log.info("still waiting", submission=submission.id, wait_s=wait_s)
    return submission.id


async def shown(parts: Parts, submission_id: str) -> SubmissionOut:
    """A submission as it stands now. Raises NotFound."""
    standing = await parts.store.standing(submission_id)
    state, place = state_of(standing, parts.events.judging(submission_id)), None
    if state == "queued":
        place = await parts.places.place(parts.store, submission_id, parts.events.judging)
    return SubmissionOut.of(standing, state, place)


async def _submission(parts: Parts, given: SubmissionIn | RunIn) -> Submission:
    variant = parts.catalogue.get(given.problem)
    trial = isinstance(given, RunIn)
    custom = given.arguments if isinstance(given, RunIn) else None
    if custom is not None:
        await asyncio.to_thread(arguments.parse, variant, custom)  # may be large
    elif trial and not any(test.sample for test in variant.tests):
        raise Invalid(f"{variant.id} has no samples to run")
    return Submission(
        id=secrets.token_urlsafe(16),
        problem=variant.id,
        source=given.source,
        trial=trial,
        arguments=custom,
        request=structlog.contextvars.get_contextvars().get("request", ""),
    )


def _check_sandbox(parts: Parts) -> None:
    state = parts.sandbox()
    if not state.allowed:
        raise SandboxUnavailable(state.reason or "programs cannot be judged safely here")
