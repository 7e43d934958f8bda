"""Packages that web processes serve from their disks, kept so that workers elsewhere can have them."""

from __future__ import annotations

from sqlalchemy import select, update

from app.store.database import Database
from app.store.schema import offers, packages
from app.store.submissions import now_ms


class Offers:
    """Questions about packages on the disks of web processes."""

    _database: Database

    async def offer_package(self, family: str, content_hash: str, archive: bytes) -> None:
        """Keep the package; it is what is on disk from now on, for whoever has no disk of his own."""
        now, c = now_ms(), offers.c
        kept = {"hash": content_hash, "archive": archive, "created_ms": now}
        values = {"family": family, "hash": content_hash, "offered_ms": now}
        renew = update(offers).where(c.family == family, c.hash != content_hash)
        async with self._database.writing() as transaction:
            await transaction.change(self._database.insert_new(packages).values(kept))
            if not await transaction.change(self._database.insert_new(offers).values(values)):
                await transaction.change(renew.values(hash=content_hash, offered_ms=now))

    async def offered_packages(self) -> tuple[tuple[str, str], ...]:
        """Family and hash of what was offered last, by family."""
        question = select(offers.c.family, offers.c.hash).order_by(offers.c.family)
        async with self._database.reading() as transaction:
            return tuple((row.family, row.hash) for row in await transaction.rows(question))
