"""Passwords as argon2id: slow on purpose, so beside the event loop and a few at a time."""

from __future__ import annotations

import asyncio
import base64
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.errors import Busy, FieldError, Invalid
from app.store.people import name_key

SHORTEST, LONGEST = 10, 1000

_Answer = TypeVar("_Answer")


class Passwords:
    """Hashes and verifies; more than `waiting` at once are refused, so that nobody can fill memory
    (64 MiB each) or processors by signing in."""

    def __init__(
        self, hasher: PasswordHasher | None = None, *, threads: int = 2, waiting: int = 32
    ) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(threads, "password")
        self._most = waiting
        self._waiting = 0
        self._nobodys = _nobodys_hash(self._hasher)

    async def hashed(self, password: str) -> str:
        """A hash to keep, with its parameters inside. Raises Busy."""
        return await self._aside(lambda: self._hasher.hash(_encoded(password)))

    async def right(self, password: str, kept: str | None) -> bool:
        """Whether this is the password; where there is none (`None`), no, after the same time."""
        return await self._aside(lambda: self._verified(password, kept or self._nobodys))

    def outdated(self, kept: str) -> bool:
        """Whether a hash was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(kept)

    def _verified(self, password: str, kept: str) -> bool:
        try:
            return self._hasher.verify(kept, _encoded(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _aside(self, work: Callable[[], _Answer]) -> _Answer:
        if self._waiting >= self._most:
            raise Busy("many people are signing in; try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def legal_password(password: str, name: str) -> str:
    """Raises Invalid for a password that would be tried first. Nothing else is asked of it."""
    if len(password) < SHORTEST:
        reason = f"has fewer than {SHORTEST} characters"
    elif len(password) > LONGEST:
        reason = f"has more than {LONGEST} characters"
    elif len(set(password)) < 4 or name_key(password) in name_key(name) * 9:
        reason = "is too easy to guess"
    else:
        return password
    raise Invalid(f"this cannot be a password: it {reason}", [FieldError("password", reason)])


def _encoded(password: str) -> bytes:
    """The same from every keyboard: some send é as one character, some as two."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "replace")


def _nobodys_hash(hasher: PasswordHasher) -> str:
    """Well-formed, as costly as any, and of no password."""
    blank = base64.b64encode(bytes(hasher.salt_len)).decode().rstrip("=")
    digest = base64.b64encode(bytes(hasher.hash_len)).decode().rstrip("=")
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${cost}${blank}${digest}"
