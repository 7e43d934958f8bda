"""Who is asking: a user by token or session, or a guest by a cookie. Every request has a person.

`identify` runs before a body is read, on the routers of the API (as `admit` of their routes) and of
the pages (as a dependency), and leaves the person in `request.state.person`. A route then asks
`person_of`, and `require` where not everybody may do what it does.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from fastapi import Request, Security
from fastapi.security import HTTPBearer

from app.errors import Forbidden, Unauthorized
from app.store import Owner
from app.web.cookies import GUEST, SESSION, cookie, set_cookie
from app.web.parts import Parts
from app.web.policy import from_browser, same_origin

Role: TypeAlias = Literal["guest", "learner", "author", "admin"]
Scope: TypeAlias = Literal["read", "submit", "admin"]
Identify: TypeAlias = Callable[[Request], Awaitable[None]]

# What each role may do at most; a token may be given less.
_RANK: dict[str, int] = {"guest": 0, "learner": 1, "author": 2, "admin": 3}
SCOPES: dict[str, frozenset[str]] = {
    "guest": frozenset({"read", "submit"}),
    "learner": frozenset({"read", "submit"}),
    "author": frozenset({"read", "submit", "admin"}),
    "admin": frozenset({"read", "submit", "admin"}),
}
# Who may change tests may also submit, and who may submit may also read.
_INCLUDED: dict[str, frozenset[str]] = {
    "read": frozenset({"read"}),
    "submit": frozenset({"read", "submit"}),
    "admin": frozenset({"read", "submit", "admin"}),
}
_NEEDED = {
    "learner": "sign in, or send an API token: Authorization: Bearer ...",
    "author": "an author's or an admin's token is needed: Authorization: Bearer ...",
    "admin": "an admin's token is needed: Authorization: Bearer ...",
}
_SAFE = {"GET", "HEAD", "OPTIONS"}
_GUEST_DAYS = 365
_COOKIE_LENGTH = 43  # 32 random bytes

# Only documents the scheme; who may pass is decided by `require`.
documented = Security(HTTPBearer(auto_error=False, description="An API token"))


@dataclass(frozen=True, slots=True)
class Person:
    """Who is asking, and what they may do.

    owner   whose drafts and submissions: `user:<number>`, or `guest:<hash of the guest's cookie>`
    share   whose part of queue and rates: the user, or for guests their address, as a keyed hash
    name    None for guests
    scopes  what the token allows, or all that the role may
    token   the number of the API token that was sent; None for sessions and guests
    """

    owner: str
    share: str
    name: str | None
    role: Role
    scopes: frozenset[str]
    token: int | None = None

    @property
    def user(self) -> int | None:
        """The number of the account; None for guests."""
        kind, _, number = self.owner.partition(":")
        return int(number) if kind == "user" else None


def identifier(parts: Parts) -> Identify:
    """What finds out who is asking, and leaves it in `request.state.person`.

    It raises Unauthorized for a token that counts no more, and Forbidden for a token that may only
    read, or another site's page that made the browser send something, where the request acts.
    """

    async def identify(request: Request) -> None:
        if not hasattr(request.state, "person"):
            request.state.person = await _person(parts, request)

    return identify


def person_of(request: Request) -> Person:
    """Who is asking; `identify` has run."""
    person = request.state.person
    assert isinstance(person, Person)
    return person


def become(request: Request, owner: Owner) -> None:
    """From here on, the request is that of whoever has just signed in."""
    request.state.person = _user(owner)


def require(person: Person, role: Role = "guest", scope: Scope = "read") -> None:
    """Raises Unauthorized where a guest must say who they are, Forbidden where it would not help."""
    if _RANK[person.role] < _RANK[role]:
        if person.role == "guest":
            raise Unauthorized(_NEEDED[role])
        raise Forbidden(f"only {'an' if role[0] == 'a' else 'a'} {role} may do this")
    if scope not in person.scopes:
        raise Forbidden(f"this token may not do this: it has no scope {scope}")


def remember_guest(request: Request) -> None:
    """Let a browser keep being the guest that it is now, so that nothing they leave here is lost."""
    fresh = getattr(request.state, "fresh_guest", "")
    if fresh and from_browser(request):
        set_cookie(request, GUEST, fresh, _GUEST_DAYS * 86400)


def lasting_owner(request: Request) -> str | None:
    """Whose own it becomes what this request leaves; None for a script that sends no token and keeps
    no cookie: it comes back as somebody else each time, and nobody could ever claim it."""
    forgotten = getattr(request.state, "fresh_guest", "") and not from_browser(request)
    return None if forgotten else person_of(request).owner


async def _person(parts: Parts, request: Request) -> Person:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        owner = await parts.store.token_owner(token.strip())
        if owner is None:
            raise Unauthorized("this token is unknown, or was revoked")
        person = _user(owner)
        if request.method not in _SAFE:
            require(person, scope="submit")
        return person
    _check_origin(request)
    if session := cookie(request, SESSION):
        owner = await parts.store.session_owner(session, parts.session_s)
        if owner is not None:
            return _user(owner)
    return _guest(parts, request)


def _user(owner: Owner) -> Person:
    role = cast(Role, owner.role)
    account = f"user:{owner.number}"
    scopes = SCOPES[role]
    if owner.scopes is not None:
        scopes &= frozenset().union(*(_INCLUDED.get(scope, ()) for scope in owner.scopes))
    return Person(account, account, owner.name, role, scopes, owner.token)


def _guest(parts: Parts, request: Request) -> Person:
    kept = cookie(request, GUEST)
    if not _ours(kept):
        kept = request.state.fresh_guest = secrets.token_urlsafe(32)
        if request.method not in _SAFE:
            remember_guest(request)
    return Person(
        owner=_owner(kept),
        share=parts.address(request),
        name=None,
        role="guest",
        scopes=SCOPES["guest"],
    )


def guest_of(request: Request) -> str | None:
    """The owner that the guest's cookie stands for, if there is one."""
    kept = cookie(request, GUEST)
    return _owner(kept) if _ours(kept) else None


def _owner(kept: str) -> str:
    return f"guest:{hashlib.sha256(kept.encode()).hexdigest()}"


def _ours(kept: str) -> bool:
    """Whether a cookie has the form of those that are made here."""
    return len(kept) == _COOKIE_LENGTH and kept.isascii()


def _check_origin(request: Request) -> None:
    """Refuse what acts and was not sent by these pages. Without cookies, scripts need not tell."""
    if request.method in _SAFE:
        return
    told = same_origin(request)
    has_cookies = cookie(request, SESSION) or cookie(request, GUEST)
    if told is False or (told is None and has_cookies):
        raise Forbidden("this was sent from another site; scripts send a token, not cookies")
