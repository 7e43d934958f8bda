"""What cannot be guessed: tokens, sessions, recovery codes."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field

_TOKEN_BYTES = 32
_MARK = "allclose_"  # so that a leaked token is recognised for what it is
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is easily taken for another
_GROUPS, _LENGTH = 5, 5


@dataclass(slots=True)
class OneTimeKey:
    """Opens something once; without a value, nothing."""

    value: str = field(default_factory=lambda: secrets.token_urlsafe(_TOKEN_BYTES), repr=False)

    def opens(self, key: str) -> bool:
        return bool(self.value) and hmac.compare_digest(key.encode(), self.value.encode())

    def use(self) -> None:
        self.value = ""


def new_token() -> str:
    """A token that cannot be guessed. It is shown once; the store keeps its hash."""
    return _MARK + secrets.token_urlsafe(_TOKEN_BYTES)


def new_session() -> str:
    """A cookie's value."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def new_recovery_code() -> str:
    """Short enough to write down, with 125 random bits."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(_GROUPS))
    return "-".join(groups)


def read_recovery_code(written: str) -> str:
    """A code as it was made, however somebody wrote it down."""
    letters = [c for c in written.upper().translate(str.maketrans("OIL", "011")) if c in _LETTERS]
    code = "".join(letters)
    return "-".join(code[start : start + _LENGTH] for start in range(0, len(code), _LENGTH))
