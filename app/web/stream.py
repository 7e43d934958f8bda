"""Events as a stream of server-sent events, for as long as somebody listens.

Written out here, because FastAPI's own way logs a fault for every browser that leaves in the middle,
and costs three tasks a listener.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from starlette.responses import StreamingResponse

from app.model import Event, JudgedEvent, JudgingEvent, RunEvent
from app.web.events import Told, follow, replay
from app.web.parts import Parts

RETRY_MS = 1000  # how soon a browser that lost its stream comes back
PING_S = 15.0  # proxies close what is silent for longer


class EventStream(StreamingResponse):
    """Neither kept by a cache nor held back by a proxy."""

    media_type = "text/event-stream"

    def __init__(self, content: AsyncIterator[bytes]) -> None:
        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        super().__init__(content, headers=headers)


async def story(parts: Parts, submission_id: str, after: str) -> AsyncIterator[bytes]:
    """What became of a submission, from the event after `after` to its verdict."""
    yield format_sse_event(comment="watching", retry=RETRY_MS)
    with parts.events.watching(submission_id, after) as watch:
        standing = await parts.store.standing(submission_id)
        if standing.judgement is not None:
            for told in replay(standing.judgement):
                yield _sent(told)
            return
        async for news in follow(watch, PING_S):
            yield _sent(news) if news else KEEPALIVE_COMMENT


def _sent(told: Told) -> bytes:
    name, data = _on_the_wire(told.event)
    return format_sse_event(event=name, data_str=json.dumps(data), id=told.id)


def _on_the_wire(event: Event) -> tuple[str, dict[str, object]]:
    match event:
        case JudgingEvent():
            return "judging", {}
        case RunEvent(index, verdict, time_ms):
            return "run", {"index": index, "verdict": verdict, "time_ms": time_ms}
        case JudgedEvent(verdict, score):
            return "judged", {"verdict": verdict, "score": score}
