"""Addresses within these pages, and nothing else."""

from __future__ import annotations

from urllib.parse import quote

_LONGEST = 500


def safe_next(url: str) -> str:
    """Where to go after signing in: a path of these pages, or else the front page.

    Browsers take `//host`, `/\\host` and what has a line break in it for other hosts; whoever sends
    somebody a link must not choose where they land.
    """
    inside = url.startswith("/") and url[1:2] not in ("/", "\\")
    plain = url.isascii() and url.isprintable() and "\\" not in url and " " not in url
    return url if inside and plain and len(url) <= _LONGEST else "/"


def sign_in_url(path: str) -> str:
    """The page to sign in on, from which one comes back to `path`."""
    return "/sign-in" if path in ("", "/") else f"/sign-in?next={quote(path)}"
