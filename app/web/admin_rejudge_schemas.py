"""Rejudges as the API takes and gives them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import AwareDatetime, Field

from app.model import Verdict
from app.store import Change, Chosen, Flip, Move, Rejudge, Selection, TestFlip
from app.web.schemas import In, Out

RejudgeNumber = Annotated[int, Path(ge=1, le=2**53)]
SubmissionId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class RejudgeIn(In):
    """Which submissions: all that fit every field that is given."""

    problem: str = Field(
        default="",
        pattern=r"^([a-z0-9_]{1,64}(/[a-z0-9_]{1,64})?)?$",
        description="`family/variant`, or `family` for all of its variants",
    )
    verdicts: list[Verdict] = Field(
        default=[], max_length=8, description="of the judgement that is shown"
    )
    sent_from: Annotated[AwareDatetime | None, Field(strict=False)] = None
    sent_before: Annotated[AwareDatetime | None, Field(strict=False)] = None
    package_version: str = Field(
        default="",
        pattern=r"^[A-Za-z0-9]{0,64}$",
        description="that the judgement which is shown was made with",
    )

    def selection(self) -> Selection:
        return Selection(
            problem=self.problem,
            verdicts=tuple(dict.fromkeys(self.verdicts)),
            from_ms=_ms(self.sent_from),
            to_ms=_ms(self.sent_before),
            package_version=self.package_version,
        )

    @classmethod
    def of(cls, selection: Selection) -> RejudgeIn:
        return cls(
            problem=selection.problem,
            verdicts=list(selection.verdicts),
            sent_from=None if selection.from_ms is None else at(selection.from_ms),
            sent_before=None if selection.to_ms is None else at(selection.to_ms),
            package_version=selection.package_version,
        )


class ChosenOut(Out):
    """How many submissions of one kind are chosen."""

    problem: str
    verdict: Verdict
    package_version: str
    count: int


class MoveOut(Out):
    """How many submissions had one verdict and would have another, or the same."""

    before: Verdict
    after: Verdict
    count: int


class TestFlipOut(Out):
    """How many submissions a test turns, and which way; `new`, `gone`: not in both versions."""

    problem: str
    test: str
    new: bool
    gone: bool
    to_failed: int
    to_passed: int


class FlipOut(Out):
    """A test with another verdict than before; null: not in that version."""

    test: str
    before: Verdict | None
    after: Verdict | None

    @classmethod
    def of(cls, flip: Flip) -> FlipOut:
        return cls.model_validate(flip)


class ChangeOut(Out):
    """A submission that would change, and why."""

    id: str
    problem: str
    name: str | None = Field(description="of the account that sent it; null for guests")
    created_at: datetime
    old_verdict: Verdict
    new_verdict: Verdict
    old_score: float
    new_score: float
    old_version: str
    new_version: str
    tests: list[FlipOut]

    @classmethod
    def of(cls, change: Change) -> ChangeOut:
        return cls(
            id=change.id,
            problem=change.problem,
            name=change.name,
            created_at=at(change.created_ms),
            old_verdict=change.old_verdict,
            new_verdict=change.new_verdict,
            old_score=change.old_score,
            new_score=change.new_score,
            old_version=change.old_version,
            new_version=change.new_version,
            tests=[FlipOut.of(flip) for flip in change.flips],
        )


class ChangesOut(Out):
    changes: list[ChangeOut]
    next: int | None = Field(description="give it as `after` to get those that follow")

    @classmethod
    def of(cls, changes: Sequence[Change], limit: int) -> ChangesOut:
        return cls(
            changes=[ChangeOut.of(change) for change in changes],
            next=changes[-1].key if len(changes) == limit else None,
        )


class RejudgeSummaryOut(Out):
    """A rejudge and how far it is."""

    number: int
    state: Literal["open", "released", "discarded"]
    selection: RejudgeIn
    who: str
    created_at: datetime
    ended_at: datetime | None
    total: int
    judged: int
    changed: int

    @classmethod
    def of(cls, rejudge: Rejudge) -> RejudgeSummaryOut:
        return cls(**summary(rejudge))  # type: ignore[arg-type]


class RejudgeOut(RejudgeSummaryOut):
    """A rejudge with what came out of it so far."""

    moves: list[MoveOut]
    tests: list[TestFlipOut]

    @classmethod
    def told(cls, rejudge: Rejudge, moves: Sequence[Move], flips: Sequence[TestFlip]) -> RejudgeOut:
        return cls(
            moves=[MoveOut.model_validate(move) for move in moves],
            tests=[TestFlipOut.model_validate(flip) for flip in flips],
            **summary(rejudge),  # type: ignore[arg-type]
        )


class RejudgesOut(Out):
    rejudges: list[RejudgeSummaryOut]


class BegunOut(Out):
    """What is chosen; `rejudge` is null in a dry run."""

    total: int
    chosen: list[ChosenOut]
    rejudge: int | None

    @classmethod
    def of(cls, chosen: Sequence[Chosen], rejudge: int | None) -> BegunOut:
        return cls(
            total=sum(kind.count for kind in chosen),
            chosen=[ChosenOut.model_validate(kind) for kind in chosen],
            rejudge=rejudge,
        )


class RequeuedOut(Out):
    """How many submissions are judged again."""

    submissions: int


def summary(rejudge: Rejudge) -> dict[str, object]:
    return {
        "number": rejudge.number,
        "state": rejudge.state,
        "selection": RejudgeIn.of(rejudge.selection),
        "who": rejudge.who,
        "created_at": at(rejudge.created_ms),
        "ended_at": None if rejudge.ended_ms is None else at(rejudge.ended_ms),
        "total": rejudge.total,
        "judged": rejudge.judged,
        "changed": rejudge.changed,
    }


def at(moment_ms: int) -> datetime:
    return datetime.fromtimestamp(moment_ms / 1000, UTC)


def _ms(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * 1000)
