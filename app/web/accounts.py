"""Who is asking: bearer tokens; passwords as argon2id."""

from __future__ import annotations

import secrets
from typing import Annotated

from argon2 import PasswordHasher
from fastapi import Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.errors import Forbidden, Unauthorized
from app.store import Owner, Store

_TOKEN_BYTES = 32
_MARK = "allclose_"  # so that a leaked token is recognised for what it is

# Only documents the scheme; who may pass is decided by `admin_of`, before a body is read.
Bearer = Annotated[
    HTTPAuthorizationCredentials | None,
    Security(HTTPBearer(auto_error=False, description="A token of an admin")),
]


def new_token() -> str:
    """A token that cannot be guessed. It is shown once; the store keeps its hash."""
    return _MARK + secrets.token_urlsafe(_TOKEN_BYTES)


def password_hash(password: str) -> str:
    """argon2id, with the parameters inside."""
    return PasswordHasher().hash(password)


async def admin_of(store: Store, request: Request) -> Owner:
    """The admin whose token came with the request. Raises Unauthorized, Forbidden."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("an admin's token is needed: Authorization: Bearer ...")
    owner = await store.token_owner(token.strip())
    if owner is None:
        raise Unauthorized("this token is unknown, or was revoked")
    if owner.role != "admin" or "admin" not in owner.scopes:
        raise Forbidden("this token may not change tests")
    return owner
