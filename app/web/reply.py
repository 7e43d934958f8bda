"""Headers for the response, said while the request is looked at: whoever answers in the end, with a
page, an error or a stream, sends them."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_STATE = "reply"


def add_header(request: Request, name: str, value: str, key: str = "") -> None:
    """Send the header with the response; said twice with the same `key`, the last word counts."""
    assert value.isprintable(), "a header is one line"
    request.scope["state"].setdefault(_STATE, {})[name, key] = value


class ReplyHeaders:
    """Puts on each response what was said for it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        state = scope.setdefault("state", {})

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for (name, _), value in state.pop(_STATE, {}).items():
                    headers.append(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)
