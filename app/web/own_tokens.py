"""Tokens that somebody makes for their own scripts."""

from __future__ import annotations

from collections.abc import Collection

from fastapi import Request

from app.errors import Forbidden, Invalid
from app.store import TokenSeen
from app.web.identity import SCOPES
from app.web.parts import Parts
from app.web.secret import new_token
from app.web.signing import own_account, signed_in


async def make_token(
    parts: Parts, request: Request, name: str, scopes: Collection[str]
) -> tuple[TokenSeen, str]:
    """The token comes back this once. Raises Forbidden for a scope that the role does not have,
    Invalid for a name that is taken."""
    person = signed_in(request)
    account = await own_account(parts, request)
    if not name.strip() or not name.isprintable():
        raise Invalid("a token needs a name, in printable characters")
    if beyond := set(scopes) - SCOPES[person.role]:
        raise Forbidden(f"your role has no scope {', '.join(sorted(beyond))}")
    token = new_token()
    seen = await parts.store.add_own_token(account.number, name.strip(), token, scopes)
    return seen, token


async def tokens(parts: Parts, request: Request) -> tuple[TokenSeen, ...]:
    account = await own_account(parts, request)
    return await parts.store.tokens_of(account.number)


async def revoke_token(parts: Parts, request: Request, number: int) -> None:
    """Raises NotFound where it is not theirs, or was revoked."""
    account = await own_account(parts, request)
    await parts.store.revoke_own_token(account.number, number)
