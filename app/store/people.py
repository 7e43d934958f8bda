"""Who may do what. Passwords and tokens are kept as hashes only."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping

from sqlalchemy import Insert, insert, select

from app.errors import Invalid
from app.store.database import Database, Transaction
from app.store.schema import audit, users
from app.store.submissions import now_ms


class People:
    """Questions about who there is."""

    _database: Database

    async def add_user(
        self,
        name: str,
        role: str,
        password_hash: str | None = None,
        recovery_code: str | None = None,
    ) -> None:
        """Raises Invalid where the name, or one that looks the same, is taken."""
        async with self._database.writing() as transaction:
            await new_user(self._database, transaction, name, role, password_hash, recovery_code)


async def new_user(
    database: Database,
    transaction: Transaction,
    name: str,
    role: str,
    password_hash: str | None = None,
    recovery_code: str | None = None,
    *,
    who: str | None = None,
) -> int:
    """Make an account within a transaction; its number. Raises Invalid where the name is taken.

    who   made it; None: its owner
    """
    key = name_key(name)
    values = {
        "name": name,
        "name_key": key,
        "role": role,
        "password_hash": password_hash,
        "recovery_hash": None if recovery_code is None else token_hash(recovery_code),
        "disabled": False,
        "created_ms": now_ms(),
    }
    if await transaction.change(database.insert_new(users).values(values)) == 0:
        raise Invalid(f"there is already an account with the name {name}")
    await transaction.change(audit_entry(who or name, "add user", name, {"role": role}))
    row = await transaction.row(select(users.c.number).where(users.c.name_key == key))
    assert row is not None
    return int(row.number)


def token_hash(token: str) -> str:
    """SHA-256, in hexadecimal: enough for a random token of 256 bits, and fast."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def name_key(name: str) -> str:
    """The same for names that look alike: in case, in encoding, in letters of other alphabets."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return folded.translate(_TWINS)


# Letters that are drawn like a Latin one, small or capital: Cyrillic, then Greek, then Turkish.
_TWINS = str.maketrans(
    "авекмнорстухіјѕһԁӏԛԝѵ" + "αβεζηικμνορτυχ" + "ı",
    "abekmhopctyxijshdlqwv" + "abezhikmvoptyx" + "i",
)


def audit_entry(who: str, action: str, subject: str, details: Mapping[str, object]) -> Insert:
    """Who did what to what, for the transaction that does it."""
    return insert(audit).values(
        at_ms=now_ms(),
        who=who,
        action=action,
        subject=subject,
        details_json=json.dumps(details),
    )
