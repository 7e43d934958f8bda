"""Whoever vouches for people, and what passes between them and these pages."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from app.errors import Unauthorized
from app.web.links import safe_next


@dataclass(frozen=True, slots=True)
class Identity:
    """A person as their provider knows them. `name` is a suggestion, and proves nothing."""

    issuer: str
    subject: str
    name: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in that was begun in this browser. `link`: for the account that is signed in already."""

    state: str
    nonce: str
    verifier: str
    next_url: str
    link: bool

    @classmethod
    def new(cls, next_url: str, link: bool) -> Attempt:
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return cls(state, nonce, verifier, next_url, link)

    def written(self) -> str:
        """As a cookie's value."""
        place = base64.urlsafe_b64encode(self.next_url.encode()).decode().rstrip("=")
        parts = (self.state, self.nonce, self.verifier, place, "link" if self.link else "")
        return ".".join(parts)

    @classmethod
    def read(cls, value: str) -> Attempt:
        """Raises Unauthorized for what was not written here."""
        parts = value.split(".")
        if len(parts) != 5 or not all(len(part) == 43 for part in parts[:3]):
            raise Unauthorized("this sign-in was not begun here, or too long ago; begin again")
        try:
            place = base64.urlsafe_b64decode(parts[3] + "=" * (-len(parts[3]) % 4)).decode()
        except ValueError:
            place = "/"
        state, nonce, verifier, _, link = parts
        return cls(state, nonce, verifier, safe_next(place), link == "link")


class Provider(Protocol):
    """Whoever vouches for people."""

    issuer: str
    name: str

    async def begin(self, redirect_uri: str, attempt: Attempt) -> str: ...

    async def finish(
        self, told: Mapping[str, str], attempt: Attempt, redirect_uri: str
    ) -> Identity: ...
