"""What proves who somebody is: tokens that cannot be guessed, passwords as argon2id."""

from __future__ import annotations

import secrets

from argon2 import PasswordHasher

_TOKEN_BYTES = 32
_MARK = "allclose_"  # so that a leaked token is recognised for what it is


def new_token() -> str:
    """A token that cannot be guessed. It is shown once; the store keeps its hash."""
    return _MARK + secrets.token_urlsafe(_TOKEN_BYTES)


def password_hash(password: str) -> str:
    """argon2id, with the parameters inside."""
    return PasswordHasher().hash(password)
