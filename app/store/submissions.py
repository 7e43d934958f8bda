"""What was sent, and what became of it."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Integer, and_, bindparam, delete, func, insert, or_, select, update

from app.errors import NotFound
from app.model import JudgedEvent, Judgement, Submission
from app.store.database import AnyRow, Database, Transaction
from app.store.judgements import read_back, written_down
from app.store.results import result_of, test_list
from app.store.schema import judgements, rejudged, results, submissions, test_lists
from app.store.solved import mark_solved

# Statements are built once: building takes longer than SQLite takes to answer.
_S, _J = submissions.c, judgements.c
UNJUDGED = _S.judged_number < _S.judging_number
_ADD = insert(submissions)
_UNJUDGED_ONE = select(submissions).where(_S.id == bindparam("id"), UNJUDGED)
# A judging error that is being judged again is not shown; a rejudge changes nothing that is shown.
SHOWN = and_(
    _J.submission == _S.number,
    _J.judging_number == _S.current_judging_number,
    or_(_J.verdict != "JE", ~UNJUDGED, _S.rejudge.is_not(None)),
)
_STANDING = (
    select(submissions, _J.body_json)
    .join_from(submissions, judgements, SHOWN, isouter=True)
    .where(_S.id == bindparam("id"))
)
_OWNED = select(_S.number, _S.owner, _S.problem, _S.created_ms, _S.rejudge).where(
    _S.id == bindparam("id")
)
_JUDGEMENT = select(_J.number).where(
    _J.submission == bindparam("submission"), _J.judging_number == bindparam("judging")
)
_JUDGED = (
    update(submissions)
    .where(_S.number == bindparam("submission"), _S.judged_number < bindparam("judging"))
    .values(judged_number=bindparam("judging"), current_judging_number=bindparam("judging"))
)
_JUDGED_APART = _JUDGED.values(current_judging_number=_S.current_judging_number)
_OUTCOME = (
    update(rejudged)
    .where(
        rejudged.c.rejudge == bindparam("of"),
        rejudged.c.submission == bindparam("about"),
        rejudged.c.judging_number == bindparam("judging"),
    )
    .values(new_verdict=bindparam("verdict"), new_score=bindparam("score"))
)
_ADD_RESULT = insert(results)
_UNCOUNT = (
    update(results)
    .where(
        results.c.shown,
        results.c.judgement.in_(
            select(_J.number).where(
                _J.submission == bindparam("submission"), _J.judging_number < bindparam("judging")
            )
        ),
    )
    .values(shown=False)
)
_SAME = submissions.alias("same")
_FAILED = (
    select(_SAME.c.number)
    .join_from(
        judgements,
        _SAME,
        and_(_J.submission == _SAME.c.number, _J.judging_number == _SAME.c.judging_number),
    )
    .where(_J.verdict == "JE", _J.created_ms <= bindparam("before_ms"))
)
# All of the last so many judgings: enough is enough.
_FAILED_EACH_TIME = (
    select(func.count())
    .where(
        _J.submission == _S.number,
        _J.verdict == "JE",
        _J.judging_number > _S.judging_number - bindparam("judgings", type_=Integer),
    )
    .correlate(submissions)
    .scalar_subquery()
)
_REOPEN = (
    update(submissions)
    .where(
        _S.number.in_(_FAILED),
        bindparam("judgings", type_=Integer) > _FAILED_EACH_TIME,
        ~_S.trial,
        ~UNJUDGED,
        # What a rejudge left behind when it ended stays as it is.
        or_(_S.rejudge.is_not(None), _S.current_judging_number == _S.judging_number),
        _S.problem.not_in(bindparam("kept_out", expanding=True)),
    )
    .values(judging_number=_S.judging_number + 1)
)
_FOLLOW = (
    update(rejudged)
    .where(
        rejudged.c.submission == _S.number,
        rejudged.c.rejudge == _S.rejudge,
        rejudged.c.judging_number < _S.judging_number,
    )
    .values(judging_number=_S.judging_number, new_verdict=None, new_score=None)
)
_PURGE = delete(submissions).where(_S.trial, _S.created_ms < bindparam("before_ms"))


_AT_ONCE = 500
_TOLD = (
    select(_S.id, _J.verdict, _J.score)
    .join_from(submissions, judgements, and_(SHOWN, ~UNJUDGED), isouter=True)
    .where(_S.id.in_(bindparam("ids", expanding=True)))
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A submission and the judgement that is shown, if there is one yet."""

    submission: Submission
    judgement: Judgement | None
    created_ms: int


class Submissions:
    """Questions about submissions and their judgements."""

    _database: Database
    _listed: set[tuple[str, str]]  # problem and version whose tests are in the store for sure

    async def add_submission(
        self,
        submission: Submission,
        account: str,
        owner: str | None = None,
        job: Callable[[object], Awaitable[None]] | None = None,
    ) -> None:
        """Keep what a learner sent; once this returns, it will be judged.

        `account` is whose share of the queue it takes, `owner` whose own it is. `job` makes a job
        of it: in the same transaction where its queue is in the same database, afterwards otherwise.
        """
        arguments = submission.arguments
        values = {
            "id": submission.id,
            "problem": submission.problem,
            "source": submission.source,
            "trial": submission.trial,
            "arguments_json": None if arguments is None else json.dumps(arguments),
            "account": account,
            "owner": owner,
            "created_ms": now_ms(),
            "judging_number": submission.judging_number,
            "judged_number": submission.judging_number - 1,
            "current_judging_number": None,
            "request": submission.request or None,
            "package_hash": submission.package or None,
            "tests_version": submission.tests or None,
        }
        async with self._database.writing() as transaction:
            await transaction.change(_ADD, **values)
            connection = await transaction.connection()
            if job is not None and connection is not None:
                await job(connection)
        if job is not None and connection is None:
            await job(None)

    async def unjudged_submission(self, submission_id: str) -> Submission | None:
        """The submission if it still wants a judgement; None if it has it, or is gone."""
        async with self._database.reading() as transaction:
            row = await transaction.row(_UNJUDGED_ONE, id=submission_id)
        return None if row is None else submission_of(row)

    async def standing(self, submission_id: str) -> Standing:
        """A submission and the judgement that is shown. Raises NotFound."""
        async with self._database.reading() as transaction:
            row = await transaction.row(_STANDING, id=submission_id)
        if row is None:
            raise NotFound("there is no such submission")
        judgement = None if row.body_json is None else read_back(row.body_json)
        return Standing(submission_of(row), judgement, row.created_ms)

    async def told_by(self, ids: Collection[str]) -> Mapping[str, JudgedEvent | None]:
        """Of these submissions, the judged with what watchers are told, and None for each that does
        not exist."""
        found: dict[str, JudgedEvent | None] = dict.fromkeys(ids)
        for some in batched(ids, _AT_ONCE):
            async with self._database.reading() as transaction:
                for row in await transaction.rows(_TOLD, ids=some):
                    if row.verdict is None:
                        del found[row.id]
                    else:
                        found[row.id] = JudgedEvent(row.verdict, row.score)
        return found

    async def add_judgement(
        self, submission: Submission, judgement: Judgement, cause: str = ""
    ) -> bool:
        """Append and show the judgement, unless this judging has one: then False.

        Also False where the submission is gone (a trial that was purged). That of a rejudge is
        appended only: it is shown when the rejudge is released.
        cause   why there is a judging error, in words for the admin
        """
        values = {
            "judging_number": submission.judging_number,
            "verdict": judgement.verdict,
            "score": judgement.score,
            "package_version": judgement.package_version,
            "body_json": written_down(judgement),
            "created_ms": now_ms(),
        }
        append = self._database.insert_new(judgements)
        async with self._database.writing(repeatable=True) as transaction:
            row = await transaction.row(_OWNED, id=submission.id)
            if row is None:
                return False
            number, apart = row.number, row.rejudge is not None
            if await transaction.change(append, submission=number, **values) == 0:
                return False
            judging = submission.judging_number
            judged = await transaction.change(
                _JUDGED_APART if apart else _JUDGED, submission=number, judging=judging
            )
            if apart:
                what = {"of": row.rejudge, "about": number, "judging": judging}
                found = {"verdict": judgement.verdict, "score": judgement.score}
                await transaction.change(_OUTCOME, **what, **found)
            shown = judged > 0 and not apart
            if shown:
                of, about, at_ms = row.owner, row.problem, now_ms()
                await mark_solved(self._database, transaction, of, about, judgement, at_ms)
            counted = shown and not submission.trial
            await self._count(transaction, submission, row, judgement, cause, counted)
        if judgement.runs and not submission.trial:
            self._listed.add((submission.problem, judgement.package_version))
        return True

    async def _count(
        self,
        transaction: Transaction,
        submission: Submission,
        sent: AnyRow,
        judgement: Judgement,
        cause: str,
        shown: bool,
    ) -> None:
        """Keep what statistics need of a judgement that was just appended."""
        judging, number = submission.judging_number, sent.number
        row = await transaction.row(_JUDGEMENT, submission=number, judging=judging)
        assert row is not None
        values = result_of(judgement, cause) | {"judgement": row.number, "shown": shown}
        values |= {"problem": submission.problem, "sent_ms": sent.created_ms}
        await transaction.change(_ADD_RESULT, **values)
        if shown and judging > 1:
            await transaction.change(_UNCOUNT, submission=number, judging=judging)
        if judgement.runs and not submission.trial:
            await self._list(transaction, submission.problem, judgement)

    async def _list(self, transaction: Transaction, problem: str, judgement: Judgement) -> None:
        """Say which tests a version has, the first time that it is judged with."""
        version = judgement.package_version
        if (problem, version) not in self._listed:
            new = self._database.insert_new(test_lists)
            listed = {"package_version": version, "tests_json": test_list(judgement)}
            await transaction.change(new, problem=problem, **listed)

    async def reopen_judging_errors(
        self, age_s: float, judgings: int, kept_out: Collection[str] = ()
    ) -> int:
        """Ask for another judging of submissions whose newest judgement is a judging error.

        Only errors at least `age_s` old, and at most `judgings` judgings in all; trials are left,
        and so are the problems in `kept_out`, which cannot be judged now. Returns how many were reopened.
        """
        before_ms = now_ms() - int(age_s * 1000)
        async with self._database.writing(repeatable=True) as transaction:
            reopened = await transaction.change(
                _REOPEN, before_ms=before_ms, judgings=judgings, kept_out=sorted(kept_out)
            )
            if reopened:
                await transaction.change(_FOLLOW)
        return reopened

    async def purge_trials(self, age_s: float) -> int:
        """Delete runs on samples and custom input that are older; returns how many."""
        before_ms = now_ms() - int(age_s * 1000)
        async with self._database.writing(repeatable=True) as transaction:
            return await transaction.change(_PURGE, before_ms=before_ms)


def batched(ids: Collection[str], size: int) -> Iterator[list[str]]:
    """A statement takes only so many values."""
    rest = list(ids)
    for start in range(0, len(rest), size):
        yield rest[start : start + size]


def now_ms() -> int:
    """Milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def submission_of(row: AnyRow) -> Submission:
    """The submission in a row of its table."""
    arguments = row.arguments_json
    return Submission(
        id=row.id,
        problem=row.problem,
        source=row.source,
        judging_number=row.judging_number,
        trial=row.trial,
        arguments=None if arguments is None else json.loads(arguments),
        request=row.request or "",
        created_ms=row.created_ms,
        rejudge=row.rejudge is not None,
        package=row.package_hash or "",
        tests=row.tests_version or "",
    )
