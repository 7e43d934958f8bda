"""Structured logs: one line an event, with the request and the submission that it belongs to."""

from __future__ import annotations

import logging
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_BECAUSE = "allclose.because"  # a place in the scope of a request
_FLOOD_EVERY_S = 1.0

_log = structlog.get_logger()


def configure_logs(level: str, form: Literal["text", "json"]) -> None:
    """Send this program's lines and those of its libraries to standard error, in one form."""
    renderer = (
        structlog.processors.JSONRenderer()
        if form == "json"
        # Plain: a traceback with the values of variables would tell secrets.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    shared.append(structlog.processors.format_exc_info if form == "json" else _visible)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # Ours says the same with more; the libraries' own chatter is for their developers.
    logging.getLogger("uvicorn.access").disabled = True
    for chatty in ("alembic", "pgqueuer", "uvicorn.error"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _visible(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """What strangers send may hold what steers a terminal; it is written out, as JSON does anyhow."""
    return {key: _escaped(value) for key, value in event.items()}


def _escaped(value: object) -> object:
    if not isinstance(value, str) or value.isprintable():
        return value
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in value.strip("\n"))


def because(request: HTTPConnection, reason: str, one_of_many: bool = False) -> None:
    """Why it is refused, for the line of the request.

    one_of_many   it was sent too much, by one or by all: in a flood only one line a second is written
    """
    request.scope[_BECAUSE] = _Why(reason, one_of_many)


@dataclass(frozen=True, slots=True)
class _Why:
    reason: str
    one_of_many: bool


class RequestLog:
    """Gives each request an id, which answers carry and lines are marked with, and logs it.

    Neither query nor headers nor addresses are written: they may be secret, or somebody's own.
    `answered` is told method, template of the route (empty: none), status and seconds of each.
    """

    def __init__(
        self, app: ASGIApp, answered: Callable[[str, str, int, float], None] = lambda *_: None
    ) -> None:
        self._app = app
        self._answered = answered
        self._flood_s = 0.0  # when the next line of a flood is due
        self._left_out = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        status = 0

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        begun = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request=request_id):
            try:
                await self._app(scope, receive, send_marked)
            finally:
                took_s = time.perf_counter() - begun
                why: _Why | None = scope.get(_BECAUSE)
                route = getattr(scope.get("route"), "path", "")
                self._answered(scope["method"], route, status, took_s)
                if why is None:
                    _log.info("request", **_line(scope, status, took_s))
                elif not why.one_of_many or self._due():
                    _log.warning("request", **_line(scope, status, took_s), **self._told(why))

    def _due(self) -> bool:
        """Whether a flood is told of again; what is left out is counted, and metrics have it all."""
        now_s = time.monotonic()
        if now_s < self._flood_s:
            self._left_out += 1
            return False
        self._flood_s = now_s + _FLOOD_EVERY_S
        return True

    def _told(self, why: _Why) -> dict[str, object]:
        if not (why.one_of_many and self._left_out):
            return {"reason": why.reason}
        left_out, self._left_out = self._left_out, 0
        return {"reason": why.reason, "and_refused_before": left_out}


def _line(scope: Scope, status: int, took_s: float) -> dict[str, object]:
    method, path = scope["method"], scope["path"]
    return {"method": method, "path": path, "status": status, "took_ms": round(took_s * 1000, 1)}
