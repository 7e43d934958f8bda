"""Accounts as the API of the admin area takes and gives them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import Field

from app.store import Member
from app.web.admin_rejudge_schemas import at
from app.web.schemas import In, Out

USERS_A_PAGE = 50
Role = Literal["learner", "author", "admin"]


class NewUserIn(In):
    """An account to make; a password for it comes back."""

    name: str = Field(max_length=200)
    role: Role = "learner"


class UserIn(In):
    """What to change; what is left out stays."""

    role: Role | None = None
    disabled: bool | None = None


class UserOut(Out):
    """An account; `sessions` and `tokens` are how many ways it gets in now."""

    number: int
    name: str
    role: Role
    disabled: bool
    created_at: datetime
    seen_at: datetime | None = Field(description="by a session that has not ended")
    sessions: int
    tokens: int

    @classmethod
    def of(cls, member: Member) -> UserOut:
        return cls(
            number=member.number,
            name=member.name,
            role=member.role,  # type: ignore[arg-type]  # of the database
            disabled=member.disabled,
            created_at=at(member.created_ms),
            seen_at=None if member.seen_ms is None else at(member.seen_ms),
            sessions=member.sessions,
            tokens=member.tokens,
        )


class UsersOut(Out):
    users: list[UserOut]
    next: int | None = Field(description="give it as `after` to get those that follow")

    @classmethod
    def of(cls, members: Sequence[Member]) -> UsersOut:
        return cls(users=[UserOut.of(member) for member in members], next=next_of(members))


class NewUserOut(Out):
    """An account that was just made, and its password, which is shown this once."""

    user: UserOut
    password: str


class PasswordOut(Out):
    """A password that is shown this once."""

    password: str


def next_of(members: Sequence[Member]) -> int | None:
    """With which the accounts that follow a full page are asked for."""
    return members[-1].number if len(members) == USERS_A_PAGE else None
