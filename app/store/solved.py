"""What was solved, on which version of the package, and how well.

Written in the transaction of the judgement that says so, and only ever improved: a later judgement,
or a newer version of the tests, takes no mark away.
"""

from __future__ import annotations

from sqlalchemy import and_, bindparam, case, update

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
