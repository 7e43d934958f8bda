"""The way to a provider and back, and the account that is signed in to then."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import RedirectResponse

from app.errors import Forbidden, Invalid, NotFound, Unauthorized
from app.web import signing
from app.web.cookies import cookie, set_cookie
from app.web.identity import identifier, person_of
from app.web.links import safe_next
from app.web.names import MOST_LETTERS, legal_name
from app.web.pages import Pages
from app.web.parts import Parts
from app.web.policy import same_origin
from app.web.provider import Attempt, Identity, Provider
from app.web.reply import add_header

PATH = "/sign-in/provider"
COOKIE = "allclose-provider"
_ATTEMPT_S = 600
_NAMES_TRIED = 5
_NOBODYS = "learner"


def router(pages: Pages) -> APIRouter:
    """Two pages, neither of which shows anything: there, and back."""
    parts = pages.parts
    routes = APIRouter(
        prefix=PATH, include_in_schema=False, dependencies=[Depends(identifier(parts))]
    )

    def provider() -> Provider:
        if parts.provider is None:
            raise NotFound("there is nobody to sign in with")
        return parts.provider

    @routes.get("")
    async def there(request: Request, next: str = "/", link: bool = False) -> Response:
        """A link, not a form: the policy of these pages lets no form lead elsewhere."""
        chosen = provider()
        add_header(request, "Cache-Control", "no-store")
        if link:
            signing.signed_in(request)
            if same_origin(request) is not True:
                raise Forbidden("begin this on the page of your account")
        attempt = Attempt.new(safe_next(next), link)
        place = await chosen.begin(_back_uri(request), attempt)
        set_cookie(request, COOKIE, attempt.written(), _ATTEMPT_S)
        return RedirectResponse(place, status_code=303)

    @routes.get("/back")
    async def back(request: Request) -> Response:
        chosen = provider()
        add_header(request, "Cache-Control", "no-store")
        attempt = Attempt.read(cookie(request, COOKIE))
        set_cookie(request, COOKIE, "", 0)
        told = dict(request.query_params)
        identity = await chosen.finish(told, attempt, _back_uri(request))
        await _enter(parts, request, identity, attempt.link)
        return RedirectResponse(attempt.next_url, status_code=303)

    return routes


async def _enter(parts: Parts, request: Request, identity: Identity, link: bool) -> None:
    """Sign in to the account of this person, which is made where there is none.

    Raises Unauthorized where it is disabled, Invalid where it is another's, Forbidden.
    """
    account = await parts.store.identity_account(identity.issuer, identity.subject)
    if link:
        user = person_of(request).user
        if account is not None and account.number != user:
            raise Invalid("another account is signed in to with this already")
        if user is None:
            raise Unauthorized("sign in first, then begin again on the page of your account")
        await parts.store.add_identity(user, identity.issuer, identity.subject)
        return
    if account is None:
        if not parts.sign_up:
            raise Forbidden("nobody can sign up here; ask whoever runs this for an account")
        parts.rates.take(request, signing.SIGN_UPS, parts.address(request))
        user = await _new_account(parts, identity)
    elif account.disabled:
        raise Unauthorized("this account is disabled")
    else:
        user = account.number
    await signing.begin_session(parts, request, user)


async def _new_account(parts: Parts, identity: Identity) -> int:
    """Under the name that is suggested, or one like it that is free."""
    wished = _possible_name(identity.name)
    for number in range(_NAMES_TRIED):
        name = wished if number == 0 else f"{wished} {secrets.randbelow(100_000)}"
        if await parts.store.account_named(name) is None:
            return await parts.store.add_account_of(name, identity.issuer, identity.subject)
    raise Invalid("every name like yours is taken")


def _possible_name(suggested: str) -> str:
    """What is left of a suggestion when all that no name may hold is left out."""
    kept = "".join(c if c.isalnum() or c in "-_." else " " for c in suggested)
    try:
        return legal_name(" ".join(kept.split())[: MOST_LETTERS - 6].strip(" -_."))
    except Invalid:
        return _NOBODYS


def _back_uri(request: Request) -> str:
    """Registered with the provider, who compares it letter by letter."""
    return f"{str(request.base_url).rstrip('/')}{PATH}/back"
