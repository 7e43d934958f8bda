"""Cookies: which there are, and how they are marked."""

from __future__ import annotations

from starlette.requests import Request

from app.web.reply import add_header

SESSION = "allclose"
GUEST = "allclose-guest"


def cookie(request: Request, name: str) -> str:
    """The cookie's value; empty where there is none."""
    return request.cookies.get(_marked(request, name), "")


def set_cookie(request: Request, name: str, value: str, age_s: float) -> None:
    """Send a cookie with whatever will answer this request; an age of 0 takes it away.

    No script reads it, and no other site's form sends it. `value` must be letters, digits, - . and _.
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
    add_header(request, "Set-Cookie", "; ".join(parts), key=name)


def _marked(request: Request, name: str) -> str:
    """Behind TLS, a name that no neighbouring host and no plain connection can set."""
    return f"__Host-{name}" if _behind_tls(request) else name


def _behind_tls(request: Request) -> bool:
    """The scheme is the trusted proxy's, where there is one."""
    return request.url.scheme == "https"
