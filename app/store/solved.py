"""What was solved, on which version of the package, and how well.

Written in the transaction of the judgement that says so, and only ever improved: a later judgement,
or a newer version of the tests, takes no mark away.
"""

from __future__ import annotations

from sqlalchemy import and_, bindparam, case, select, update

from app.model import Judgement
from app.store.database import Database, Transaction
from app.store.schema import solved

_V = solved.c
_SAME = _V.package_version == bindparam("version")
_AGAIN = (
    update(solved)
    .where(_V.owner == bindparam("of"), _V.problem == bindparam("about"))
    .values(
        package_version=bindparam("version"),
        # Times on other tests say nothing about these.
        time_ms=case(
            (and_(_SAME, _V.time_ms < bindparam("took_ms")), _V.time_ms), else_=bindparam("took_ms")
        ),
        memory_kib=case(
            (and_(_SAME, _V.memory_kib < bindparam("used_kib")), _V.memory_kib),
            else_=bindparam("used_kib"),
        ),
        bonus=case((_V.bonus > bindparam("more"), _V.bonus), else_=bindparam("more")),
    )
)


async def mark_solved(
    database: Database,
    transaction: Transaction,
    owner: str | None,
    problem: str,
    judgement: Judgement,
    at_ms: int,
) -> None:
    """Remember, in this transaction, that the judgement which is shown from now on accepts.

    Does nothing for any other verdict, for trials, and where nobody owns the submission.
    """
    if owner is None or judgement.verdict != "AC" or not judgement.points:
        return
    took_ms = max((run.time_ms for run in judgement.runs), default=0.0)
    used_kib = max((run.memory_kib for run in judgement.runs), default=0)
    first = database.insert_new(solved).values(
        owner=owner,
        problem=problem,
        solved_ms=at_ms,
        package_version=judgement.package_version,
        time_ms=took_ms,
        memory_kib=used_kib,
        bonus=judgement.bonus,
    )
    if await transaction.change(first):
        return
    await transaction.change(
        _AGAIN,
        of=owner,
        about=problem,
        version=judgement.package_version,
        took_ms=took_ms,
        used_kib=used_kib,
        more=judgement.bonus,
    )


async def merge_solved(transaction: Transaction, guest: str, user: str) -> None:
    """Of what both solved, the user's mark becomes the better of the two."""
    theirs, mine = solved.alias("theirs"), solved.alias("mine")
    both = (theirs.c.problem == mine.c.problem) & (theirs.c.owner == guest) & (mine.c.owner == user)
    question = select(
        mine.c.number,
        theirs.c.package_version.label("version"),
        theirs.c.solved_ms,
        theirs.c.time_ms,
        theirs.c.memory_kib,
        theirs.c.bonus,
    ).join_from(mine, theirs, both)
    for row in await transaction.rows(question):
        same = _V.package_version == row.version
        better = update(solved).where(_V.number == row.number)
        await transaction.change(
            better.values(
                solved_ms=case((_V.solved_ms > row.solved_ms, row.solved_ms), else_=_V.solved_ms),
                time_ms=case((and_(same, _V.time_ms > row.time_ms), row.time_ms), else_=_V.time_ms),
                memory_kib=case(
                    (and_(same, _V.memory_kib > row.memory_kib), row.memory_kib),
                    else_=_V.memory_kib,
                ),
                bonus=case((_V.bonus < row.bonus, row.bonus), else_=_V.bonus),
            )
        )
