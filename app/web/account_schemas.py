"""What the API takes and gives about accounts and tokens. A secret is given once, and never asked for
in an address."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field

from app.store import Account, SessionSeen, TokenSeen
from app.web.passwords import LONGEST, SHORTEST
from app.web.schemas import In, Out

Name = Annotated[str, Field(max_length=200)]
Password = Annotated[str, Field(max_length=LONGEST, json_schema_extra={"format": "password"})]
NewPassword = Annotated[
    str,
    Field(min_length=SHORTEST, max_length=LONGEST, json_schema_extra={"format": "password"}),
]
Number = Annotated[int, Path(ge=1, le=2**53, description="As the list of tokens says")]
Scope = Literal["read", "submit", "admin"]


class SignUpIn(In):
    """A new account. There is nothing to give but a name and a password."""

    name: Name
    password: NewPassword


class SignInIn(In):
    name: Name
    password: Password


class RecoverIn(In):
    """Whoever has the recovery code chooses a new password."""

    name: Name
    recovery_code: Annotated[str, Field(max_length=100)]
    password: NewPassword


class PasswordChangeIn(In):
    password: Annotated[Password, Field(description="The old one; empty where there is none yet")]
    new_password: NewPassword


class ConfirmIn(In):
    """The password once more, for what cannot be undone; empty where the account has none."""

    password: Password


class TokenIn(In):
    """A token for scripts. A scope includes those before it: read, submit, admin."""

    name: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=3)]


class RecoveryOut(Out):
    """Shown this once: with it, and nothing else, a forgotten password is replaced."""

    recovery_code: str


class SessionOut(Out):
    """Somewhere the account is signed in."""

    created_at: datetime
    used_at: datetime
    here: bool

    @classmethod
    def of(cls, seen: SessionSeen) -> SessionOut:
        return cls(created_at=_at(seen.created_ms), used_at=_at(seen.used_ms), here=seen.here)


class AccountOut(Out):
    """The account of whoever is signed in, or whose token was sent."""

    name: str
    role: Literal["learner", "author", "admin"]
    created_at: datetime
    has_password: bool
    sessions: list[SessionOut]

    @classmethod
    def of(cls, account: Account, sessions: tuple[SessionSeen, ...]) -> AccountOut:
        return cls(
            name=account.name,
            role=account.role,  # type: ignore[arg-type]  # pydantic looks
            created_at=_at(account.created_ms),
            has_password=account.password_hash is not None,
            sessions=[SessionOut.of(seen) for seen in sessions],
        )


class TokenOut(Out):
    """A token, all but what it is."""

    id: int
    name: str
    scopes: list[Scope]
    created_at: datetime
    used_at: datetime | None

    @classmethod
    def of(cls, seen: TokenSeen) -> TokenOut:
        return cls(
            id=seen.number,
            name=seen.name,
            scopes=list(seen.scopes),  # type: ignore[arg-type]  # pydantic looks
            created_at=_at(seen.created_ms),
            used_at=None if seen.used_ms is None else _at(seen.used_ms),
        )


class TokensOut(Out):
    tokens: list[TokenOut]


class NewTokenOut(TokenOut):
    """The token itself is shown this once."""

    token: str


def _at(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
