"""Rejudges: judged once more, looked at, then released (releasing.py) or discarded, all of it.

While a rejudge is open, its submissions name it in their column `rejudge`: their next judgement is
kept apart, and what learners see stays. A judging error never takes the place of a verdict.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, and_, bindparam, func, insert, literal, select, update

from app.errors import Invalid, NotFound
from app.model import Verdict
from app.store.database import Database, Transaction
from app.store.people import audit_entry
from app.store.schema import judgements, rejudged, rejudges, results, submissions
from app.store.submissions import now_ms

_S, _J, _R = submissions.c, judgements.c, rejudged.c
_CURRENT = and_(_J.submission == _S.number, _J.judging_number == _S.current_judging_number)
_THIS = _R.rejudge == bindparam("this")
_OWN = select(_R.submission).where(_THIS)
# A judging in progress may still end: its number is spent, so that it changes nothing.
_DISCARD = (
    update(submissions)
    .where(_S.number.in_(_OWN))
    .values(judged_number=_S.judging_number, rejudge=None),
)
_CHOSEN = (
    "rejudge",
    "submission",
    "before_number",
    "judging_number",
    "old_verdict",
    "old_score",
)
_CLAIM = (
    update(submissions)
    .where(_S.number.in_(_OWN), _S.rejudge.is_(None), _S.judged_number == _S.judging_number)
    .values(judging_number=_S.judging_number + 1, rejudge=bindparam("this"))
)
_REQUEUE = (
    update(submissions)
    .where(_S.rejudge.is_(None), ~_S.trial, _S.judged_number == _S.judging_number)
    .values(judging_number=_S.judging_number + 1)
)
_SHOWN_ERRORS = (
    select(_J.submission)
    .join_from(results, judgements, _J.number == results.c.judgement)
    .where(results.c.shown, results.c.verdict == "JE", _J.verdict == "JE")
)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which submissions: all that fit every field that is given.

    problem           `family/variant`, or `family` for all of its variants
    verdicts          of the judgement that is shown
    from_ms, to_ms    when they were sent; the end is not included
    package_version   that the judgement which is shown was made with
    """

    problem: str = ""
    verdicts: tuple[Verdict, ...] = ()
    from_ms: int | None = None
    to_ms: int | None = None
    package_version: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """How many submissions of one kind a selection has."""

    problem: str
    verdict: Verdict
    package_version: str
    count: int


class Rejudges:
    """Questions about choosing, beginning and discarding a rejudge."""

    _database: Database

    async def chosen(self, selection: Selection) -> tuple[Chosen, ...]:
        """What a rejudge of the selection would judge."""
        kind = (_S.problem, _J.verdict, _J.package_version)
        question = (
            select(*kind, func.count().label("many"))
            .join_from(submissions, judgements, _CURRENT)
            .where(*_fitting(selection))
            .group_by(*kind)
            .order_by(*kind)
        )
        async with self._database.counting() as transaction:
            rows = await transaction.rows(question)
        return tuple(Chosen(r.problem, r.verdict, r.package_version, r.many) for r in rows)

    async def begin_rejudge(self, selection: Selection, who: str) -> int:
        """Ask for another judging of what fits; its judgements are kept apart. Returns its number.

        Raises Invalid where nothing fits.
        """
        values = {
            "state": "open",
            "selection_json": json.dumps(asdict(selection)),
            "who": who,
            "created_ms": now_ms(),
        }
        begin = insert(rejudges).values(values).returning(rejudges.c.number)
        async with self._database.writing() as transaction:
            row = await transaction.row(begin)
            assert row is not None
            number: int = row.number
            fitting = (
                select(
                    literal(number),
                    _S.number,
                    _S.current_judging_number,
                    _S.judging_number + 1,
                    _J.verdict,
                    _J.score,
                )
                .join_from(submissions, judgements, _CURRENT)
                .where(*_fitting(selection))
            )
            count = await transaction.change(insert(rejudged).from_select(_CHOSEN, fitting))
            if not count:
                raise Invalid("no submission fits this selection")
            if await transaction.change(_CLAIM, this=number) < count:
                raise Invalid("some of them were asked for by somebody else just now; try again")
            details = _written(selection) | {"submissions": count}
            await transaction.change(audit_entry(who, "rejudge", str(number), details))
        return number

    async def discard_rejudge(self, number: int, who: str) -> None:
        """Leave everything as it is; what is not judged yet will not be.

        Raises NotFound, and Invalid where it ended already.
        """
        async with self._database.writing() as transaction:
            await end(transaction, number, "discarded", who)
            for step in _DISCARD:
                await transaction.change(step, this=number)

    async def requeue(self, submission_id: str, who: str) -> None:
        """Ask for another judging of one submission, whose judgement is shown at once.

        One that waits for its judgement goes on waiting.
        Raises NotFound, and Invalid for a trial, and for what an open rejudge has.
        """
        question = select(_S.number, _S.trial, _S.rejudge).where(_S.id == submission_id)
        async with self._database.writing() as transaction:
            row = await transaction.row(question)
            if row is None:
                raise NotFound("there is no such submission")
            if row.trial:
                raise Invalid("this was a trial, which is not judged again")
            if row.rejudge is not None:
                raise Invalid(f"it is in rejudge {row.rejudge}, which has to be ended first")
            await transaction.change(_REQUEUE.where(_S.number == row.number))
            await transaction.change(audit_entry(who, "requeue", submission_id, {}))

    async def requeue_judging_errors(self, who: str) -> int:
        """Ask for another judging of every submission that shows a judging error; how many."""
        async with self._database.writing() as transaction:
            count = await transaction.change(_REQUEUE.where(_S.number.in_(_SHOWN_ERRORS)))
            details = {"submissions": count}
            await transaction.change(audit_entry(who, "requeue", "judging errors", details))
        return count


async def end(transaction: Transaction, number: int, state: str, who: str) -> None:
    """Released or discarded from here on. Raises NotFound, and Invalid where it ended already."""
    c = rejudges.c
    ended = update(rejudges).where(c.number == number, c.state == "open")
    released_to = 0 if state == "released" else None
    values = {"state": state, "ended_ms": now_ms(), "released_to": released_to}
    if await transaction.change(ended.values(values)) == 0:
        row = await transaction.row(select(c.state).where(c.number == number))
        if row is None:
            raise NotFound(f"there is no rejudge {number}")
        raise Invalid(f"rejudge {number} was {row.state} already")
    action = {"released": "release rejudge", "discarded": "discard rejudge"}[state]
    await transaction.change(audit_entry(who, action, str(number), {}))


def _fitting(selection: Selection) -> list[ColumnElement[bool]]:
    """Conditions on a submission and its current judgement. What is not at rest never fits."""
    at_rest = [~_S.trial, _S.rejudge.is_(None), _S.judged_number == _S.judging_number]
    conditions: list[ColumnElement[bool]] = []
    if "/" in selection.problem:
        conditions.append(_S.problem == selection.problem)
    elif selection.problem:
        conditions.append(_S.problem.startswith(f"{selection.problem}/", autoescape=True))
    if selection.verdicts:
        conditions.append(_J.verdict.in_(selection.verdicts))
    if selection.package_version:
        conditions.append(_J.package_version == selection.package_version)
    if selection.from_ms is not None:
        conditions.append(_S.created_ms >= selection.from_ms)
    if selection.to_ms is not None:
        conditions.append(_S.created_ms < selection.to_ms)
    return at_rest + conditions


def _written(selection: Selection) -> dict[str, object]:
    return {name: value for name, value in asdict(selection).items() if value}
