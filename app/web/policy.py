"""Who is answered with a page, and what a browser may do with it."""

from __future__ import annotations

from starlette.requests import Request


def wants_page(request: Request) -> bool:
    """Whether an error goes to somebody who reads pages: not a script, not a file of a page."""
    path = request.url.path
    if path.startswith(("/api/", "/static/")):
        return False
    return "text/html" in request.headers.get("accept", "")


def security_headers(nonce: str) -> dict[str, str]:
    """No inline script, no other origin; the editor's own style element carries the nonce."""
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def same_origin(request: Request) -> bool | None:
    """Whether these pages sent the request; None: nothing is told, so it was no browser of today.

    Browsers leave Sec-Fetch-Site out where they do not trust the connection, but tell the origin of
    whatever acts.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    if origin is None:
        return None
    return origin.partition("://")[2] == request.headers.get("host", "")


def from_browser(request: Request) -> bool:
    """Whether whoever asks keeps cookies, and tells from where it sends what acts."""
    return "sec-fetch-site" in request.headers or "origin" in request.headers
