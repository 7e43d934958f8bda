"""What is deleted when it has become old, where the host wants that."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, select

from app.store.database import Database
from app.store.schema import audit, submissions
from app.store.submissions import now_ms

_S = submissions.c
# Few at a time: nobody waits long for the lock. What is unjudged is never forgotten.
_OLD = (
    select(_S.number)
    .where(_S.created_ms < bindparam("before_ms"), _S.judged_number >= _S.judging_number)
    .order_by(_S.number)
    .limit(bindparam("limit"))
)
_FORGET = delete(submissions).where(_S.number.in_(_OLD))
_FORGET_AUDIT = delete(audit).where(audit.c.at_ms < bindparam("before_ms"))


class Retention:
    """Questions about what is old."""

    _database: Database

    async def forget_submissions(self, age_s: float, limit: int) -> int:
        """Delete judged submissions that are older, with their judgements; returns how many."""
        async with self._database.writing(repeatable=True) as transaction:
            return await transaction.change(_FORGET, before_ms=_before_ms(age_s), limit=limit)

    async def forget_audit(self, age_s: float) -> int:
        """Delete older lines of the audit log; returns how many."""
        async with self._database.writing(repeatable=True) as transaction:
            return await transaction.change(_FORGET_AUDIT, before_ms=_before_ms(age_s))


def _before_ms(age_s: float) -> int:
    return now_ms() - int(age_s * 1000)
