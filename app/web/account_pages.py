"""Signing in and the account, as plain forms that need no scripts."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import RedirectResponse

from app.web import own_tokens, signing
from app.web.account_schemas import AccountOut, Number, TokenOut
from app.web.cookies import SESSION, cookie
from app.web.form import fields
from app.web.identity import identifier, person_of
from app.web.links import safe_next
from app.web.pages import Pages
from app.web.reply import add_header

_DONE = {
    "password": "The password is changed. Every other session has ended.",
    "revoked": "The token counts no more.",
}


def router(pages: Pages) -> APIRouter:
    """The pages around accounts. Nothing of them is cached."""

    async def not_kept(request: Request) -> None:
        add_header(request, "Cache-Control", "no-store")

    routes = APIRouter(
        include_in_schema=False, dependencies=[Depends(not_kept), Depends(identifier(pages.parts))]
    )
    _signing(routes, pages)
    _recovering(routes, pages)
    _account(routes, pages)
    _tokens(routes, pages)
    return routes


def _signing(routes: APIRouter, pages: Pages) -> None:
    def asked(next_url: str, name: str = "") -> dict[str, Any]:
        parts = pages.parts
        return {
            "here": "sign-in",
            "name": name,
            "next": next_url,
            "query": "" if next_url == "/" else f"?next={quote(next_url)}",
            "sign_up": parts.sign_up,
            "provider": parts.provider.name if parts.provider else "",
            "action": "/sign-up",
            "first_admin": False,
        }

    @routes.get("/sign-in")
    async def sign_in_form(request: Request, next: str = "/") -> Response:
        if person_of(request).name is not None:
            return _see(safe_next(next))
        return pages.form(request, "sign_in.html", **asked(safe_next(next)))

    @routes.post("/sign-in")
    async def sign_in(request: Request) -> Response:
        name, password, next_url = await fields(request, "name", "password", "next")
        pages.again(request, "sign_in.html", **asked(safe_next(next_url), name))
        await signing.sign_in(pages.parts, request, name, password)
        return _see(safe_next(next_url))

    @routes.get("/sign-up")
    async def sign_up_form(request: Request, next: str = "/") -> Response:
        return pages.form(request, "sign_up.html", **asked(safe_next(next)))

    @routes.post("/sign-up")
    async def sign_up(request: Request) -> Response:
        name, password, next_url = await fields(request, "name", "password", "next")
        pages.again(request, "sign_up.html", **asked(safe_next(next_url), name))
        code = await signing.sign_up(pages.parts, request, name, password)
        return pages.page(request, "recovery_code.html", code=code, next=safe_next(next_url))

    @routes.post("/sign-out")
    async def sign_out(request: Request) -> Response:
        await signing.sign_out(pages.parts, request)
        return _see("/")


def _recovering(routes: APIRouter, pages: Pages) -> None:
    @routes.get("/recover")
    async def recover_form(request: Request) -> Response:
        return pages.form(request, "recover.html", here="sign-in", name="")

    @routes.post("/recover")
    async def recover(request: Request) -> Response:
        name, code, password = await fields(request, "name", "code", "password")
        pages.again(request, "recover.html", here="sign-in", name=name)
        fresh = await signing.recover(pages.parts, request, name, code, password)
        return pages.page(request, "recovery_code.html", code=fresh, next="/")

    @routes.post("/account/recovery-code")
    async def renew(request: Request) -> Response:
        pages.again(request, "account.html", **await _shown(pages, request))
        (password,) = await fields(request, "password")
        code = await signing.renew_recovery_code(pages.parts, request, password)
        return pages.page(request, "recovery_code.html", code=code, next="/account")


def _account(routes: APIRouter, pages: Pages) -> None:
    @routes.get("/account")
    async def account(request: Request, done: str = "") -> Response:
        shown = await _shown(pages, request)
        return pages.form(request, "account.html", **shown | {"done": _DONE.get(done, "")})

    @routes.post("/account/password")
    async def change_password(request: Request) -> Response:
        pages.again(request, "account.html", **await _shown(pages, request))
        old, new = await fields(request, "password", "new_password")
        await signing.change_password(pages.parts, request, old, new)
        return _see("/account?done=password")

    @routes.post("/account/sign-out-everywhere")
    async def sign_out_everywhere(request: Request) -> Response:
        await signing.sign_out_everywhere(pages.parts, request)
        return _see("/sign-in")

    @routes.post("/account/delete")
    async def delete_account(request: Request) -> Response:
        pages.again(request, "account.html", **await _shown(pages, request))
        (password,) = await fields(request, "password")
        await signing.delete_account(pages.parts, request, password)
        return _see("/")


def _tokens(routes: APIRouter, pages: Pages) -> None:
    @routes.post("/account/tokens")
    async def make_token(request: Request) -> Response:
        pages.again(request, "account.html", **await _shown(pages, request))
        name, scope = await fields(request, "name", "scope")
        seen, token = await own_tokens.make_token(pages.parts, request, name, [scope])
        shown = await _shown(pages, request)
        return pages.form(
            request, "account.html", **shown | {"token": token, "token_name": seen.name}
        )

    @routes.post("/account/tokens/{number}/revoke")
    async def revoke_token(request: Request, number: Number) -> Response:
        await own_tokens.revoke_token(pages.parts, request, number)
        return _see("/account?done=revoked")


async def _shown(pages: Pages, request: Request) -> dict[str, Any]:
    """Everything on the account's page. Raises Unauthorized for guests."""
    store = pages.parts.store
    account = await signing.own_account(pages.parts, request)
    sessions = await store.sessions_of(account.number, cookie(request, SESSION))
    tokens = await store.tokens_of(account.number)
    provider = pages.parts.provider
    linked = provider and provider.issuer in await store.identity_issuers(account.number)
    return {
        "here": "account",
        "account": AccountOut.of(account, sessions),
        "tokens": [TokenOut.of(seen) for seen in tokens],
        "origin": str(request.base_url).rstrip("/"),
        "provider": provider.name if provider else "",
        "linked": linked,
        "done": "",
        "token": "",
        "token_name": "",
    }


def _see(url: str) -> Response:
    return RedirectResponse(url, status_code=303)
