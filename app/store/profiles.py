"""What people chose to show of themselves, and the lists in which they then appear."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import String, bindparam, cast, literal, select, update

from app.errors import NotFound
from app.store.database import Database
from app.store.people import name_key
from app.store.schema import profiles, solved, users

_P, _U, _V = profiles.c, users.c, solved.c
_PROFILE = select(_P.public, _P.ranked).where(_P.user == bindparam("of"))
_CHOSEN = (
    update(profiles)
    .where(_P.user == bindparam("of"))
    .values(public=bindparam("shown"), ranked=bindparam("listed"))
)
_PUBLIC = (
    select(_U.number, _U.name, _U.created_ms)
    .join_from(profiles, users)
    .where(_U.name_key == bindparam("key"), _P.public, ~_U.disabled)
)
_OWNER = literal("user:") + cast(_U.number, String)
_RANKED = (
    select(_U.name, _P.public, _V.time_ms, _V.memory_kib, _V.bonus, _V.solved_ms)
    .join_from(profiles, users)
    .join(solved, _V.owner == _OWNER)
    .where(
        _P.ranked,
        ~_U.disabled,
        _V.problem == bindparam("about"),
        _V.package_version == bindparam("version"),
    )
    .order_by(_V.time_ms, _V.memory_kib, _V.solved_ms)
    .limit(bindparam("limit"))
)


@dataclass(frozen=True, slots=True)
class Profile:
    """What a person chose; nothing is shown unless they said so."""

    public: bool = False
    ranked: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A person whose profile is public."""

    user: int
    name: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class Standout:
    """A place in a problem's list: the best of one person on the current version."""

    name: str
    public: bool
    time_ms: float
    memory_kib: int
    bonus: int


class Profiles:
    """Questions about what people show."""

    _database: Database

    async def profile(self, user: int) -> Profile:
        """What this person chose."""
        async with self._database.reading() as transaction:
            row = await transaction.row(_PROFILE, of=user)
        return Profile() if row is None else Profile(row.public, row.ranked)

    async def choose_profile(self, user: int, chosen: Profile) -> None:
        """From now on."""
        first = self._database.insert_new(profiles).values(
            user=user, public=chosen.public, ranked=chosen.ranked
        )
        async with self._database.writing() as transaction:
            if not await transaction.change(first):
                await transaction.change(
                    _CHOSEN, of=user, shown=chosen.public, listed=chosen.ranked
                )

    async def public_profile(self, name: str) -> Shown:
        """Raises NotFound where there is none, or it is not public: nobody learns which."""
        key, row = name_key(name), None
        if "\0" not in key:  # a name that no database takes is nobody's
            async with self._database.reading() as transaction:
                row = await transaction.row(_PUBLIC, key=key)
        if row is None:
            raise NotFound("nobody shows a profile under this name")
        return Shown(row.number, row.name, row.created_ms)

    async def ranking(self, problem: str, version: str, limit: int = 100) -> tuple[Standout, ...]:
        """The quickest accepted programs of those who want to be listed, on this version."""
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_RANKED, about=problem, version=version, limit=limit)
        return tuple(
            Standout(row.name, row.public, row.time_ms, row.memory_kib, row.bonus) for row in rows
        )
