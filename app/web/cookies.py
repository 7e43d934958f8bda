"""Cookies: which there are, how they are marked, and how they come to the response."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SESSION = "allclose"
GUEST = "allclose-guest"

_WAITING = "cookies"  # in the request's state, until the response begins


def cookie(request: Request, name: str) -> str:
    """The cookie's value; empty where there is none."""
    return request.cookies.get(_marked(request, name), "")


def set_cookie(request: Request, name: str, value: str, age_s: float) -> None:
    """Send a cookie with whatever will answer this request; an age of 0 takes it away.

    No script reads it, and no other site's form sends it. `value` must be letters, digits, - and _.
    """
    parts = [
        f"{_marked(request, name)}={value}",
        "Path=/",
        f"Max-Age={age_s:.0f}",
        "HttpOnly",
        "SameSite=Lax",
    ]
    if _behind_tls(request):
        parts.append("Secure")
    request.scope["state"].setdefault(_WAITING, {})[name] = "; ".join(parts)


def _marked(request: Request, name: str) -> str:
    """Behind TLS, a name that no neighbouring host and no plain connection can set."""
    return f"__Host-{name}" if _behind_tls(request) else name


def _behind_tls(request: Request) -> bool:
    """The scheme is the trusted proxy's, where there is one."""
    return request.url.scheme == "https"


class SetCookies:
    """Puts the cookies that a request was given on its response, whoever makes that response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        state = scope.setdefault("state", {})

        async def send_cookies(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for value in state.pop(_WAITING, {}).values():
                    headers.append("Set-Cookie", value)
            await send(message)

        await self._app(scope, receive, send_cookies)
