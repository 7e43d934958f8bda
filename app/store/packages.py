"""Uploaded packages by the hash of their content: what was uploaded, examined and published.

An archive is kept once. An upload is somebody's wish to have it examined; a publication says which
one is served from then on. Nothing is overwritten but the state of an upload.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlalchemy import Select, bindparam, delete, exists, func, or_, select, update

from app.errors import Busy, Conflict, Forbidden, NotFound
from app.store.database import AnyRow, Database, Transaction
from app.store.people import audit_entry
from app.store.schema import offers, package_uploads, packages, publications
from app.store.submissions import now_ms

# waiting for the gate, in it, and what it said
UploadState: TypeAlias = Literal["waiting", "examining", "refused", "kept"]

MOST_WAITING = 20  # uploads that nobody has examined
STALE_MS = 60 * 1000  # an examination that says nothing for so long has died

_U = package_uploads.c
_AGAIN = (
    update(package_uploads)
    .where(_U.family == bindparam("of"), _U.hash == bindparam("this"), _U.state == "refused")
    .values(state="waiting", report_json=None, progress="", done=0, total=0)
)
# The first upload says whose the family is: while others are there, it stays.
_OTHER = package_uploads.alias("other")
_REFUSED = select(_U.number, _U.hash).where(
    _U.state == "refused",
    _U.touched_ms < bindparam("before_ms"),
    or_(
        exists().where(_OTHER.c.family == _U.family, _OTHER.c.number < _U.number),
        ~exists().where(_OTHER.c.family == _U.family, _OTHER.c.number != _U.number),
    ),
)


@dataclass(frozen=True, slots=True)
class PackageUpload:
    """One version of a package, and how far its examination has come.

    owner       who uploaded it: `user:<number>`
    progress    what is looked at, in words; `done` of `total` steps
    report_json the gate's report, once there is one
    """

    family: str
    hash: str
    owner: str
    author: str
    created_ms: int
    state: UploadState
    progress: str
    done: int
    total: int
    report_json: str | None


@dataclass(frozen=True, slots=True)
class Publication:
    """Which version of a package is served since when; hash None: none of the uploaded ones."""

    family: str
    hash: str | None
    author: str
    created_ms: int


class Packages:
    """Questions about uploaded packages."""

    _database: Database

    async def add_package(
        self, family: str, content_hash: str, archive: bytes, *, owner: str, author: str,
        own_only: bool,
    ) -> None:  # fmt: skip
        """Keep a package and ask for its examination; what is there already is left as it is, but
        what was refused is examined once more: the gate, or the machine, may have been mended.

        own_only   the uploader may change a family only if the first upload of it was theirs
        Raises Forbidden, and Busy where as many wait as may wait.
        """
        now = now_ms()
        row = {"hash": content_hash, "archive": archive, "created_ms": now}
        upload = {
            "family": family, "hash": content_hash, "owner": owner, "author": author,
            "created_ms": now, "state": "waiting", "progress": "", "done": 0, "total": 0,
            "touched_ms": now,
        }  # fmt: skip
        entry = audit_entry(author, "upload package", family, {"hash": content_hash})
        async with self._database.writing() as transaction:
            first = await transaction.row(_first_owner(family))
            if own_only and first is not None and first.owner != owner:
                raise Forbidden(f"the package {family} is another author's")
            waiting = await transaction.rows(
                select(package_uploads.c.number).where(package_uploads.c.state == "waiting")
            )
            if len(waiting) >= MOST_WAITING:
                raise Busy("many packages wait to be examined; try again when some have been")
            await transaction.change(self._database.insert_new(packages).values(row))
            new = self._database.insert_new(package_uploads).values(upload)
            again = _AGAIN.values(touched_ms=now)
            wanted = await transaction.change(new)
            wanted += await transaction.change(again, of=family, this=content_hash)
            if wanted:
                await transaction.change(entry)

    async def package_owner(self, family: str) -> str | None:
        """Who uploaded the package first; None: nobody did."""
        async with self._database.reading() as transaction:
            row = await transaction.row(_first_owner(family))
        return None if row is None else str(row.owner)

    async def package_by_hash(self, content_hash: str) -> bytes:
        """The archive with this content. Raises NotFound."""
        question = select(packages.c.archive).where(packages.c.hash == content_hash)
        async with self._database.reading() as transaction:
            row = await transaction.row(question)
        if row is None:
            raise NotFound(f"there is no package {content_hash[:64]}")
        return bytes(row.archive)

    async def package_uploads(self, family: str | None = None) -> tuple[PackageUpload, ...]:
        """All uploads, of one family or of all, the newest first."""
        c = package_uploads.c
        question = select(package_uploads).order_by(c.number.desc())
        if family is not None:
            question = question.where(c.family == family)
        async with self._database.reading() as transaction:
            return tuple(map(_upload, await transaction.rows(question)))

    async def package_upload(self, family: str, content_hash: str) -> PackageUpload:
        """One upload. Raises NotFound."""
        c = package_uploads.c
        question = select(package_uploads).where(c.family == family, c.hash == content_hash)
        async with self._database.reading() as transaction:
            row = await transaction.row(question)
        if row is None:
            raise NotFound(f"there is no version {content_hash[:64]} of the package {family}")
        return _upload(row)

    async def claim_package(self) -> PackageUpload | None:
        """The oldest upload that nobody examines, now the caller's; None if there is none."""
        c = package_uploads.c
        now = now_ms()
        free = (c.state == "waiting") | ((c.state == "examining") & (c.touched_ms < now - STALE_MS))
        question = select(package_uploads).where(free).order_by(c.number).limit(1)
        async with self._database.reading() as transaction:
            if await transaction.row(question) is None:
                return None  # the usual case, without a lock
        async with self._database.writing() as transaction:
            row = await transaction.row(question)
            if row is None:
                return None
            claim = update(package_uploads).where(c.number == row.number, free)
            taken = await transaction.change(claim.values(state="examining", touched_ms=now))
        return _upload(row) if taken else None

    async def package_progress(
        self, family: str, content_hash: str, progress: str, done: int, total: int
    ) -> None:
        """How far the examination has come; also says that it is alive."""
        values = {"progress": progress, "done": done, "total": total, "touched_ms": now_ms()}
        await self._change_upload(family, content_hash, values, repeatable=True)

    async def package_examined(
        self, family: str, content_hash: str, state: UploadState, report_json: str | None
    ) -> None:
        """What the gate said; or back to `waiting`, where it could not be asked."""
        values = {
            "state": state,
            "report_json": report_json,
            "progress": "",
            "touched_ms": now_ms(),
        }
        await self._change_upload(family, content_hash, values)

    async def _change_upload(
        self,
        family: str,
        content_hash: str,
        values: Mapping[str, object],
        *,
        repeatable: bool = False,
    ) -> None:
        c = package_uploads.c
        change = update(package_uploads).where(c.family == family, c.hash == content_hash)
        async with self._database.writing(repeatable=repeatable) as transaction:
            await transaction.change(change.values(values))

    async def forget_refused_packages(self, age_s: float) -> int:
        """Delete what the gate refused so long ago, with the archives that nothing else has; how
        many uploads."""
        before_ms = now_ms() - int(age_s * 1000)
        async with self._database.writing(repeatable=True) as transaction:
            old = await transaction.rows(_REFUSED, before_ms=before_ms)
            if not old:
                return 0
            numbers, hashes = [row.number for row in old], {row.hash for row in old}
            await transaction.change(delete(package_uploads).where(_U.number.in_(numbers)))
            unused = [
                ~exists().where(table.c.hash == packages.c.hash)
                for table in (package_uploads, publications, offers)
            ]
            await transaction.change(delete(packages).where(packages.c.hash.in_(hashes), *unused))
        return len(old)

    async def publish_package(self, family: str, content_hash: str | None, author: str) -> None:
        """From now on this version is served; None: what is on disk, or nothing.

        Raises NotFound, and Conflict where the gate has not let it through or another publication
        came first.
        """
        if content_hash is not None:
            upload = await self.package_upload(family, content_hash)
            if upload.state != "kept":
                raise Conflict(f"this version of {family} has not passed the gate: {upload.state}")
        action = "publish package" if content_hash else "unpublish package"
        entry = audit_entry(author, action, family, {"hash": content_hash})
        async with self._database.writing() as transaction:
            newest = await _newest(transaction, family)
            values = {
                "family": family, "sequence": newest + 1, "hash": content_hash, "author": author,
                "created_ms": now_ms(),
            }  # fmt: skip
            new = self._database.insert_new(publications).values(values)
            if not await transaction.change(new):
                raise Conflict(f"the package {family} has been published by somebody else just now")
            await transaction.change(entry)

    async def publications(self, family: str) -> tuple[Publication, ...]:
        """What was served of a family, the newest first."""
        c = publications.c
        question = select(publications).where(c.family == family).order_by(c.sequence.desc())
        async with self._database.reading() as transaction:
            return tuple(map(_publication, await transaction.rows(question)))

    async def current_publications(self) -> tuple[Publication, ...]:
        """For each family that was ever published, what is served now."""
        c = publications.c
        newest = select(func.max(c.number)).group_by(c.family)
        question = select(publications).where(c.number.in_(newest)).order_by(c.family)
        async with self._database.reading() as transaction:
            return tuple(map(_publication, await transaction.rows(question)))


def _first_owner(family: str) -> Select[tuple[str]]:
    c = package_uploads.c
    return select(c.owner).where(c.family == family).order_by(c.number).limit(1)


async def _newest(transaction: Transaction, family: str) -> int:
    c = publications.c
    row = await transaction.row(
        select(func.max(c.sequence).label("sequence")).where(c.family == family)
    )
    return 0 if row is None or row.sequence is None else int(row.sequence)


def _upload(row: AnyRow) -> PackageUpload:
    return PackageUpload(
        row.family, row.hash, row.owner, row.author, row.created_ms, row.state, row.progress,
        row.done, row.total, row.report_json,
    )  # fmt: skip


def _publication(row: AnyRow) -> Publication:
    return Publication(row.family, row.hash, row.author, row.created_ms)
