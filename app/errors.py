"""The deliberate exceptions, all on one screen.

    AllcloseError
    ├── SettingsError            a setting is missing or wrong; says which one and the remedy
    ├── PackageError             a problem package breaks a rule; names file and line
    ├── SandboxError             our fault, never the learner's: becomes a judging error (JE)
    │   ├── SandboxUnavailable   no box of the tier that policy asks for can be made here
    │   └── BoxFault             one box failed before it was ready, or lied about its layers
    ├── ProviderUnavailable      whoever vouches for people does not answer as they must
    ├── Busy                     as many submissions wait as may wait: try again in a moment
    ├── StoreError
    │   ├── StoreUnavailable     locked, full, unreachable: try again later
    │   └── SchemaMismatch       the database was written by a newer Allclose
    └── RequestError             the client's fault; its HTTP meaning stands in web/problem_json.py
        ├── NotFound
        ├── Invalid              well-formed, but breaks a rule; carries the place of each error
        ├── Outdated             made from a state that has passed meanwhile
        ├── Unauthorized
        ├── Forbidden
        ├── Conflict             what it was about has changed meanwhile
        └── TooManyRequests      says when to come back

A learner's failing program is data (an Outcome), not an exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class AllcloseError(Exception):
    """Base of everything raised on purpose."""


class SettingsError(AllcloseError):
    """A setting is missing or wrong."""


class PackageError(AllcloseError):
    """A problem package breaks a rule.

    `path` is relative to the problems folder, `line` counts from 1 where it is known.
    """

    def __init__(self, message: str, path: Path | str, line: int | None = None, remedy: str = ""):
        self.message = message
        self.path = Path(path)
        self.line = line
        self.remedy = remedy
        place = f"{path}:{line}" if line else f"{path}"
        super().__init__(f"{place}: {message}" + (f" ({remedy})" if remedy else ""))


class SandboxError(AllcloseError):
    """The sandbox failed, not the program in it."""


class SandboxUnavailable(SandboxError):
    """No box of the tier that policy asks for can be made on this machine."""


class BoxFault(SandboxError):
    """A box failed before it was ready, or is not what it claims to be."""


class ProviderUnavailable(AllcloseError):
    """The identity provider is out of reach, or is not to be trusted."""


class Busy(AllcloseError):
    """As many submissions wait as may wait."""


class StoreError(AllcloseError):
    """The database did not do what was asked."""


class StoreUnavailable(StoreError):
    """The database is locked, full or unreachable; the same request may succeed later."""


class SchemaMismatch(StoreError):
    """The database was written by a newer Allclose, or is not one of ours."""


class RequestError(AllcloseError):
    """The client asked for something that cannot be given."""


class NotFound(RequestError):
    """There is no such thing, or the client may not know of it."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One broken rule in an input: where (`arguments.grads[0]`), and what is wrong."""

    where: str
    message: str


class Invalid(RequestError):
    """An input that can be read but breaks a rule."""

    def __init__(self, message: str, errors: Sequence[FieldError] = ()):
        self.errors = tuple(errors)
        super().__init__(message)


class Outdated(RequestError):
    """Made from a state that somebody, or another tab, has changed meanwhile."""


class Unauthorized(RequestError):
    """No valid credentials."""


class Forbidden(RequestError):
    """Valid credentials without the right to do this."""


class Conflict(RequestError):
    """The request was about a state that is not the current one."""


class TooManyRequests(RequestError):
    """Over a limit; `retry_after_s` says when to come back."""

    def __init__(self, message: str, retry_after_s: float):
        self.retry_after_s = retry_after_s
        super().__init__(message)
