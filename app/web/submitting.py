"""Taking in what a learner sends: for the API, and for the plain form of a page."""

from __future__ import annotations

import asyncio
import secrets

import structlog
from fastapi import Request

from app.errors import Invalid, SandboxUnavailable, TooManyRequests, Unauthorized
from app.model import Submission, Variant
from app.problem import arguments
from app.queue import priority
from app.store import Waiting
from app.store.submissions import now_ms
from app.web.identity import Person, lasting_owner, person_of, require
from app.web.parts import Allowance, Parts
from app.web.rates import Rate
from app.web.schemas import RunIn, SubmissionIn, SubmissionOut, state_of

# When somebody over their share may come back: a waiting submission takes about as long.
_RETRY_S = 2.0

_log = structlog.get_logger()


async def submit(
    parts: Parts, given: SubmissionIn | RunIn, request: Request, wait_s: float = 0
) -> str:
    """Keep it, give it a job, and wait until it is judged, at most `wait_s`. Returns its id.

    Raises Unauthorized, Forbidden, NotFound, Invalid, SandboxUnavailable, TooManyRequests, Busy,
    StoreUnavailable: then nothing was kept.
    """
    person = person_of(request)
    require(person, scope="submit")
    submission = await _submission(parts, given, person)
    _check_sandbox(parts)
    parts.room.check_remembered(submission.trial)
    waiting = await _place(parts, request, person, submission.trial)

    async def job(connection: object) -> None:
        turn = priority(submission.trial, now_ms(), waiting.own, waiting.trials)
        await parts.queue.enqueue(submission.id, turn, connection)

    with parts.events.watching(submission.id) as watch:
        await parts.store.add_submission(submission, person.share, lasting_owner(request), job)
        parts.metrics.accepted(submission.trial)
        _log.info("accepted", submission=submission.id, problem=submission.problem)
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


async def _place(parts: Parts, request: Request, person: Person, trial: bool) -> Waiting:
    """Room in the queue, if rate and share leave some. Raises TooManyRequests, Busy."""
    allowance = _allowance(parts, person)
    waiting = await parts.store.waiting(person.share)
    if allowance.waiting and waiting.own >= allowance.waiting:
        message = f"{waiting.own} of your submissions are waiting; try again when some are judged"
        raise TooManyRequests(message, _RETRY_S)
    parts.room.check(waiting, parts.queue_limit, trial)
    rate = (
        Rate("runs", allowance.runs_a_minute)
        if trial
        else Rate("submissions", allowance.submissions_a_minute)
    )
    who = person.share if person.token is None else f"token:{person.token}"
    parts.rates.take(request, rate, who)
    return waiting


def _allowance(parts: Parts, person: Person) -> Allowance:
    if person.role == "guest":
        return parts.allowances.guest
    return parts.allowances.account if person.token is None else parts.allowances.token


def must_sign_in(parts: Parts, person: Person, variant: Variant) -> bool:
    """Whether this person may only read this problem until they sign in."""
    asked = variant.sign_in == "required" or not parts.guest_submissions
    return asked and person.role == "guest"


async def _submission(parts: Parts, given: SubmissionIn | RunIn, person: Person) -> Submission:
    variant = parts.catalogue.get(given.problem)
    if must_sign_in(parts, person, variant):
        raise Unauthorized("sign in to run or submit")
    trial = isinstance(given, RunIn)
    custom = given.arguments if isinstance(given, RunIn) else None
    if custom is not None:
        await asyncio.to_thread(arguments.parse, variant, custom)  # may be large
    elif trial and not any(test.sample for test in variant.tests):
        raise Invalid(f"{variant.id} has no samples to run")
    package, tests = parts.version(variant.family)
    return Submission(
        id=secrets.token_urlsafe(16),
        problem=variant.id,
        source=given.source,
        trial=trial,
        arguments=custom,
        request=structlog.contextvars.get_contextvars().get("request", ""),
        package=package,
        tests=tests,
    )


def _check_sandbox(parts: Parts) -> None:
    state = parts.sandbox()
    if not state.allowed:
        raise SandboxUnavailable(state.reason or "programs cannot be judged safely here")
