"""The release of a rejudge: its judgements take the place of those that are shown.

Decided in one transaction, done in many short ones, so that nobody waits for the database while ten
thousand verdicts change. `released_to` says how far it is; after a stop the next sweep goes on.
"""

from __future__ import annotations

import asyncio

from sqlalchemy import and_, bindparam, func, select, update

from app.errors import Invalid
from app.store.database import Database
from app.store.judgements import read_back
from app.store.rejudges import end
from app.store.schema import judgements, rejudged, rejudges, results, submissions
from app.store.solved import mark_solved
from app.store.submissions import now_ms

AT_ONCE = 50

_S, _R, _C = submissions.c, rejudged.c, rejudges.c
_AFTER, _BEFORE = judgements.alias("after"), judgements.alias("before")
_OF_BEFORE = and_(
    _BEFORE.c.submission == _R.submission, _BEFORE.c.judging_number == _R.before_number
)
_OF_AFTER = and_(_AFTER.c.submission == _R.submission, _AFTER.c.judging_number == _R.judging_number)
_THIS = _R.rejudge == bindparam("this")
_OWN = select(_R.submission).where(_THIS)
_UNFINISHED = select(func.count()).where(_S.number.in_(_OWN), _S.judged_number < _S.judging_number)
# From the decision on, whoever asks for them again gets a judging of their own.
_LEAVE_ERRORS = (
    update(submissions)
    .where(_S.number.in_(_OWN.where(_R.new_verdict == "JE")))
    .values(rejudge=None)
)

_RELEASED = select(_C.number, _C.released_to).where(_C.released_to.is_not(None)).limit(1)
_NEXT = (
    select(_S.number, _S.owner, _S.problem, _AFTER.c.body_json)
    .join_from(rejudged, submissions, _S.number == _R.submission)
    .join(_AFTER, and_(_OF_AFTER, _R.new_verdict == "AC"), isouter=True)
    .where(_THIS, _R.submission > bindparam("beyond"))
    .order_by(_R.submission)
    .limit(bindparam("limit"))
)
_MOVE_ON = (
    update(rejudges)
    .where(_C.number == bindparam("this"), _C.released_to == bindparam("beyond"))
    .values(released_to=bindparam("up_to"))
)
_TURN = and_(
    _THIS, _R.new_verdict != "JE", _R.submission.between(bindparam("first"), bindparam("last"))
)
_OLD = select(_BEFORE.c.number).join_from(rejudged, _BEFORE, _OF_BEFORE).where(_TURN)
_NEW = select(_AFTER.c.number).join_from(rejudged, _AFTER, _OF_AFTER).where(_TURN)
_SHOW = (
    update(results).where(results.c.judgement.in_(_OLD)).values(shown=False),
    update(results).where(results.c.judgement.in_(_NEW)).values(shown=True),
    update(submissions)
    .where(_S.rejudge == bindparam("this"), _S.number.in_(select(_R.submission).where(_TURN)))
    .values(current_judging_number=_S.judging_number, rejudge=None),
)


class Releasing:
    """Questions about showing what a rejudge found."""

    _database: Database

    async def release_rejudge(self, number: int, who: str, at_once: int = AT_ONCE) -> None:
        """Show its judgements, except judging errors; when this returns, all are shown.

        Solved marks are only added. Raises NotFound, and Invalid where it is not finished, or ended
        already.
        """
        async with self._database.writing() as transaction:
            await end(transaction, number, "released", who)
            row = await transaction.row(_UNFINISHED, this=number)
            if row is not None and row[0]:
                raise Invalid(f"{row[0]} submissions of this rejudge are not judged yet")
            await transaction.change(_LEAVE_ERRORS, this=number)
        await self.finish_releases(at_once)

    async def finish_releases(self, at_once: int = AT_ONCE) -> None:
        """Show the rest of what was released, also where a stop came between."""
        while await self._show_some(at_once):
            await asyncio.sleep(0)  # learners go before

    async def _show_some(self, limit: int) -> bool:
        """The next few of a release; False: there is nothing left to show."""
        async with self._database.reading() as transaction:
            if await transaction.row(_RELEASED) is None:
                return False  # the usual case, without a lock
        async with self._database.writing(repeatable=True) as transaction:
            rejudge = await transaction.row(_RELEASED)
            if rejudge is None:
                return False
            this, beyond, at_ms = rejudge.number, rejudge.released_to, now_ms()
            rows = await transaction.rows(_NEXT, this=this, beyond=beyond, limit=limit)
            last = rows[-1].number if rows else None
            step = {"this": this, "beyond": beyond, "up_to": last}
            if not await transaction.change(_MOVE_ON, **step) or last is None:
                return True  # somebody else did these just now; or it was the end of this one
            for statement in _SHOW:
                await transaction.change(statement, this=this, first=rows[0].number, last=last)
            for row in rows:
                if row.body_json is not None:
                    judgement = read_back(row.body_json)
                    of, about = row.owner, row.problem
                    await mark_solved(self._database, transaction, of, about, judgement, at_ms)
        return True
