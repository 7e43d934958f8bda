"""Programs as they are being written. Whoever saves says which revision they had before them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, delete, select, update

from app.store.database import Database
from app.store.schema import drafts
from app.store.submissions import now_ms

_D = drafts.c
_MINE = (_D.owner == bindparam("of"), _D.problem == bindparam("about"))
_DRAFT = select(_D.source, _D.revision, _D.saved_ms).where(*_MINE)
_SAVE = (
    update(drafts)
    .where(*_MINE, _D.revision == bindparam("known"))
    .values(source=bindparam("text"), revision=bindparam("known") + 1, saved_ms=bindparam("at_ms"))
)
_DELETE = delete(drafts).where(*_MINE)
_DELETE_KNOWN = _DELETE.where(_D.revision == bindparam("known"))
_PURGE = delete(drafts).where(_D.owner.like("guest:%"), _D.saved_ms < bindparam("before_ms"))


@dataclass(frozen=True, slots=True)
class Draft:
    """A program in progress; `revision` grows by one with each save."""

    source: str
    revision: int
    saved_ms: int


class Drafts:
    """Questions about drafts."""

    _database: Database

    async def draft(self, owner: str, problem: str) -> Draft | None:
        """What this owner saved last for this problem."""
        async with self._database.reading() as transaction:
            row = await transaction.row(_DRAFT, of=owner, about=problem)
        return None if row is None else Draft(row.source, row.revision, row.saved_ms)

    async def save_draft(self, owner: str, problem: str, source: str, known: int) -> Draft | None:
        """Save over revision `known` (0: there is none yet); None where another was saved meanwhile."""
        at_ms = now_ms()
        if known == 0:
            change = self._database.insert_new(drafts).values(
                owner=owner, problem=problem, source=source, revision=1, saved_ms=at_ms
            )
            values: dict[str, object] = {}
        else:
            change = _SAVE  # type: ignore[assignment]  # an update, as good as an insert here
            values = {"of": owner, "about": problem, "known": known, "text": source, "at_ms": at_ms}
        # The browser keeps a copy, so that a power cut may take back the last moment.
        async with self._database.writing(repeatable=True) as transaction:
            saved = await transaction.change(change, **values)
        return Draft(source, known + 1, at_ms) if saved else None

    async def delete_draft(self, owner: str, problem: str, known: int | None = None) -> bool:
        """Delete it, whichever it is or only revision `known`; False where that one is not there."""
        async with self._database.writing(repeatable=True) as transaction:
            if known is None:
                return await transaction.change(_DELETE, of=owner, about=problem) > 0
            return await transaction.change(_DELETE_KNOWN, of=owner, about=problem, known=known) > 0

    async def purge_guest_drafts(self, age_s: float) -> int:
        """Delete what guests have not touched for so long; returns how many."""
        before_ms = now_ms() - int(age_s * 1000)
        async with self._database.writing(repeatable=True) as transaction:
            return await transaction.change(_PURGE, before_ms=before_ms)
