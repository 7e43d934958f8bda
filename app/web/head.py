"""HEAD is answered as GET would be, without the body; also where GET is a stream without end."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """Lets routes know GET only. The server drops the body, whose length the headers tell."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        told = False

        async def send_head(message: Message) -> None:
            nonlocal told
            if message["type"] == "http.response.start":
                await send(message)
            elif not told:
                told = True
                await send({"type": "http.response.body", "body": b""})

        async def receive_or_gone() -> Message:
            """Once everything has been told, nobody listens any more: a stream ends."""
            return {"type": "http.disconnect"} if told else await receive()

        as_get = {**scope, "method": "GET"}
        try:
            await self._app(as_get, receive_or_gone, send_head)
        finally:
            if "route" in as_get:
                scope["route"] = as_get["route"]  # by which requests are counted
