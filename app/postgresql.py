"""How a PostgreSQL server is reached, and what its refusals mean.

The database's address holds a password: it is in no message and in no log.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from app.errors import Invalid, SettingsError, StoreUnavailable

# asyncpg's own; it has no types, and is installed only where there is a cluster.
Connection: TypeAlias = Any
Pool: TypeAlias = Any

VARIABLE = "ALLCLOSE_DATABASE_URL"
CONNECT_S = 5.0
ANSWER_S = 30.0  # for one statement; a server that was cut off never says so

# Each is outside the program's power and may pass: try again later. By code, or by class of codes.
_REASONS = {
    "08": "the database server cannot be reached",
    "25006": "the database cannot be written",
    "28": "the database server refuses the name or the password",
    "3D000": "there is no such database on the server",
    "40": "another transaction was in the way",
    "42501": "the database server does not give the right to do this",
    "53100": "the disk of the database server is full",
    "53200": "the database server has not enough memory",
    "53300": "the database server has too many connections",
    "53": "the database server lacks something",
    "55P03": "the database is locked",
    "57014": "the database server took too long",
    "57P": "the database server is stopping or starting",
    "58": "the disk of the database server does not answer",
    "XX00": "the database is damaged",
}
_UNREACHABLE = "the database server cannot be reached"


async def connect(url: str, answer_s: float | None = ANSWER_S, **settings: str) -> Connection:
    """A connection with these settings of the server's. Raises what `explained` explains."""
    try:
        return await _driver().connect(url, **_ways(answer_s, settings))
    except ValueError:  # what it says may hold the password
        raise SettingsError(
            f"{VARIABLE} is not the address of a database: postgresql://NAME:PASSWORD@HOST/DATABASE"
        ) from None


def pool(url: str, size: int, **settings: str) -> Pool:
    """Connections as they are needed, to be entered with `async with`.

    With these settings of the server's. Whoever gives a connection back has left nothing on it: no
    setting, no lock, no cursor; it is not asked to forget such things each time.
    """
    ways = _ways(ANSWER_S, settings)
    return _driver().create_pool(url, min_size=0, max_size=size, reset=_as_it_is, **ways)


async def _as_it_is(connection: Connection) -> None:
    """An open transaction has been ended by the driver already; who listens says when it stops."""


def _ways(answer_s: float | None, settings: dict[str, str]) -> dict[str, Any]:
    server_settings = {"application_name": "allclose", "jit": "off", **settings}
    return {
        "timeout": CONNECT_S,
        "command_timeout": answer_s,
        "server_settings": server_settings,
    }


def _driver() -> Any:
    try:
        import asyncpg
    except ImportError as error:
        raise SettingsError(
            f"{VARIABLE} needs the extra `postgresql`: pip install 'allclose[postgresql]'"
        ) from error
    return asyncpg


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the server, the network or the disk does to the database into StoreUnavailable.

    Text that PostgreSQL cannot hold, such as a NUL, and numbers beyond its own become Invalid.
    """
    try:
        yield
    except (TimeoutError, OSError) as error:
        raise StoreUnavailable(_UNREACHABLE) from error
    except Exception as error:
        cause = _told_by_driver(error)
        if cause is None:
            raise
        if _unfit_value(cause):
            raise Invalid("holds a character or a number that no database can keep") from error
        reason = _reason(cause)
        if reason is None:
            raise
        raise StoreUnavailable(reason) from error


def _told_by_driver(error: BaseException) -> Exception | None:
    """asyncpg's own exception, also where SQLAlchemy has wrapped it, once or twice."""
    driver = _driver()
    # The last is what a connection says that was closed in the middle of something.
    own = (driver.PostgresError, driver.InterfaceError, driver.InternalClientError, OSError)
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, own):
            return seen
        seen = getattr(seen, "orig", None) or seen.__cause__
    return None


def _unfit_value(cause: Exception) -> bool:
    driver = _driver()
    if isinstance(cause, driver.InterfaceError):
        return isinstance(cause, ValueError)
    return isinstance(
        cause, driver.CharacterNotInRepertoireError | driver.NumericValueOutOfRangeError
    )


def _reason(cause: Exception) -> str | None:
    code = getattr(cause, "sqlstate", None)
    if not isinstance(code, str):  # a connection that is closed, or was never made
        return _UNREACHABLE
    return next((why for start, why in _REASONS.items() if code.startswith(start)), None)
