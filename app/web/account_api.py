"""Accounts, sessions and tokens over REST. A session comes as a cookie, also to scripts."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import StreamingResponse

from app.web import own_tokens, signing
from app.web.account_schemas import (
    AccountOut,
    ConfirmIn,
    NewTokenOut,
    Number,
    PasswordChangeIn,
    RecoverIn,
    RecoveryOut,
    SignInIn,
    SignUpIn,
    TokenIn,
    TokenOut,
    TokensOut,
)
from app.web.body import Admit, json_route
from app.web.cookies import SESSION, cookie
from app.web.export import exported
from app.web.identity import documented, identifier, person_of, require
from app.web.parts import Parts
from app.web.problem_json import responses
from app.web.reply import add_header
from app.web.schemas import API

_BODY = (400, 408, 413, 415, 422, 503)
_BODY_KIB = 16
_GONE: dict[int | str, dict[str, Any]] = {204: {"description": "Done"}}


def router(parts: Parts) -> APIRouter:
    """The routes under /api/v1 that are about the account. Nothing of what they answer is cached."""
    identify = identifier(parts)

    async def anybody(request: Request) -> None:
        add_header(request, "Cache-Control", "no-store")
        await identify(request)

    async def themselves(request: Request) -> None:
        await anybody(request)
        signing.signed_in(request)

    account = _routes(anybody, API)
    _sessions(account, parts)
    own = _routes(themselves)
    _account(own, parts)
    _tokens(own, parts)
    account.include_router(own)
    return account


def _routes(admit: Admit, prefix: str = "") -> APIRouter:
    return APIRouter(
        prefix=prefix,
        route_class=json_route(_BODY_KIB, admit),
        responses=responses(401, 403, 503),
        dependencies=[documented],
        tags=["account"],
    )


def _sessions(account: APIRouter, parts: Parts) -> None:
    @account.post("/account", status_code=201, responses=responses(*_BODY, 429))
    async def sign_up(given: SignUpIn, request: Request) -> RecoveryOut:
        """Make an account, and sign in. The recovery code is shown this once."""
        code = await signing.sign_up(parts, request, given.name, given.password)
        return RecoveryOut(recovery_code=code)

    @account.post("/session", status_code=204, responses=_GONE | responses(*_BODY, 429))
    async def sign_in(given: SignInIn, request: Request) -> Response:
        """Sign in: a session cookie. What this browser's guest left here becomes the account's."""
        await signing.sign_in(parts, request, given.name, given.password)
        return Response(status_code=204)

    @account.delete("/session", status_code=204, responses=_GONE)
    async def sign_out(request: Request) -> Response:
        """Sign out here."""
        await signing.sign_out(parts, request)
        return Response(status_code=204)

    @account.post("/account/recovery", responses=responses(*_BODY, 429))
    async def recover(given: RecoverIn, request: Request) -> RecoveryOut:
        """Replace a forgotten password. The next recovery code is shown this once."""
        code = await signing.recover(
            parts, request, given.name, given.recovery_code, given.password
        )
        return RecoveryOut(recovery_code=code)

    @account.get("/account")
    async def get_account(request: Request) -> AccountOut:
        """Who is signed in, and where."""
        person = person_of(request)
        require(person, "learner")
        assert person.user is not None
        sessions = await parts.store.sessions_of(person.user, cookie(request, SESSION))
        return AccountOut.of(await parts.store.account(person.user), sessions)


def _account(account: APIRouter, parts: Parts) -> None:
    @account.delete("/sessions", status_code=204, responses=_GONE)
    async def sign_out_everywhere(request: Request) -> Response:
        """Sign out wherever the account is signed in. Tokens go on."""
        await signing.sign_out_everywhere(parts, request)
        return Response(status_code=204)

    @account.put("/account/password", status_code=204, responses=_GONE | responses(*_BODY, 429))
    async def change_password(given: PasswordChangeIn, request: Request) -> Response:
        """A new password. Every other session ends."""
        await signing.change_password(parts, request, given.password, given.new_password)
        return Response(status_code=204)

    @account.post("/account/recovery-code", responses=responses(*_BODY, 429))
    async def renew_recovery_code(given: ConfirmIn, request: Request) -> RecoveryOut:
        """Another recovery code, shown this once; the old one counts no more."""
        code = await signing.renew_recovery_code(parts, request, given.password)
        return RecoveryOut(recovery_code=code)

    @account.get(
        "/account/export",
        response_class=StreamingResponse,
        responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
    )
    async def export_account(request: Request) -> StreamingResponse:
        """Everything that is kept of the account: programs, verdicts, drafts, sessions, tokens."""
        return await exported(parts, request)

    @account.post("/account/deletion", status_code=204, responses=_GONE | responses(*_BODY, 429))
    async def delete_account(given: ConfirmIn, request: Request) -> Response:
        """Delete the account, and with it its submissions, drafts, sessions and tokens."""
        await signing.delete_account(parts, request, given.password)
        return Response(status_code=204)


def _tokens(account: APIRouter, parts: Parts) -> None:
    @account.get("/account/tokens")
    async def list_tokens(request: Request) -> TokensOut:
        """The account's API tokens that count, with their last use."""
        seen = await own_tokens.tokens(parts, request)
        return TokensOut(tokens=[TokenOut.of(one) for one in seen])

    @account.post("/account/tokens", status_code=201, responses=responses(*_BODY))
    async def add_token(given: TokenIn, request: Request) -> NewTokenOut:
        """Make an API token. It is shown this once."""
        seen, token = await own_tokens.make_token(parts, request, given.name, given.scopes)
        return NewTokenOut(**TokenOut.of(seen).model_dump(), token=token)

    @account.delete("/account/tokens/{id}", status_code=204, responses=_GONE | responses(404, 422))
    async def revoke_token(id: Number, request: Request) -> Response:
        """Make a token worthless, at once and for good."""
        await own_tokens.revoke_token(parts, request, id)
        return Response(status_code=204)
