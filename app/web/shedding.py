"""What a full queue cannot take is refused at the door, before anything of it is read or looked up.

Whoever comes in a flood so costs little, and pages are answered meanwhile. That the queue is full was
found out by a request that went all the way, a moment ago; what is answered is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import Busy
from app.web.problem_json import deliberate
from app.web.room import Room
from app.web.schemas import API

_TRIAL = {f"{API}/submissions": False, f"{API}/runs": True}


@dataclass(frozen=True, slots=True)
class _Route:
    """The one that would have answered."""

    path: str


class Shedding:
    """Asks `room` before the routes; `refused` counts, as it does for what routes refuse."""

    def __init__(
        self, app: ASGIApp, room: Room, refused: Callable[[type[Exception]], None]
    ) -> None:
        self._app, self._room, self._refused = app, room, refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        trial = _TRIAL.get(scope["path"]) if scope["type"] == "http" else None
        if trial is not None and scope["method"] == "POST":
            try:
                self._room.check_remembered(trial)
            except Busy as busy:
                self._refused(Busy)
                scope["route"] = _Route(scope["path"])  # for logs and metrics
                refusal = deliberate(HTTPConnection(scope), busy)
                await refusal.as_json()(scope, receive, send)
                return
        await self._app(scope, receive, send)
