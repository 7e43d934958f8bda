"""The first admin, on a new installation: a link that works once, and from the machine itself only."""

from __future__ import annotations

import ipaddress

from fastapi import APIRouter, Depends, Request, Response

from app.errors import NotFound
from app.web import signing
from app.web.form import fields
from app.web.identity import identifier
from app.web.names import legal_name
from app.web.pages import Pages
from app.web.passwords import legal_password
from app.web.reply import add_header
from app.web.secret import OneTimeKey, new_recovery_code

PATH = "/set-up"


def link(site: str, key: OneTimeKey) -> str:
    """The key is in the query, which no log of requests holds."""
    return f"{site}{PATH}?key={key.value}"


def router(pages: Pages) -> APIRouter:
    """One page. Whoever may not see it is told that there is nothing."""
    parts = pages.parts

    async def admit(request: Request, key: str = "") -> None:
        add_header(request, "Cache-Control", "no-store")
        if not parts.set_up.opens(key) or not _from_here(request) or await parts.store.admins():
            raise NotFound("there is nothing at this address")

    routes = APIRouter(
        prefix=PATH,
        include_in_schema=False,
        dependencies=[Depends(admit), Depends(identifier(parts))],
    )

    def asked(name: str = "") -> dict[str, str | bool]:
        action = link("", parts.set_up)
        return {
            "here": "sign-in",
            "name": name,
            "next": "/",
            "query": "",
            "provider": "",
            "action": action,
        }

    @routes.get("")
    async def set_up_form(request: Request) -> Response:
        return pages.form(request, "sign_up.html", first_admin=True, **asked())

    @routes.post("")
    async def set_up(request: Request) -> Response:
        name, password = await fields(request, "name", "password")
        pages.again(request, "sign_up.html", first_admin=True, **asked(name))
        legal_password(password, legal_name(name))
        code = new_recovery_code()
        hashed = await parts.passwords.hashed(password)
        user = await parts.store.add_first_admin(legal_name(name), hashed, code)
        parts.set_up.use()
        await signing.begin_session(parts, request, user)
        return pages.page(request, "recovery_code.html", code=code, next="/admin")

    return routes


def _from_here(request: Request) -> bool:
    """Whether a browser on this machine asks, and no proxy in between.

    A proxy on this machine also comes from loopback, so the name that was asked for counts as well.
    """
    forwarded = any(name.startswith(("x-forwarded", "forwarded")) for name in request.headers)
    hosts = (request.client.host if request.client else "", request.url.hostname or "")
    return not forwarded and all(host == "localhost" or _loopback(host) for host in hosts)


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
