"""What the API tells people of their own work, and of those who want to be seen."""

from __future__ import annotations

from datetime import UTC, date, datetime

from pydantic import Field

from app.model import Verdict
from app.store import Standing
from app.web.ranking import Place
from app.web.record import ProblemRecord, Record
from app.web.schemas import AcceptedOut, In, Out, State


class AttemptOut(Out):
    """One of one's own submissions, in short."""

    id: str
    url: str
    problem: str
    state: State
    created_at: datetime
    verdict: Verdict | None = None
    score: float | None = None
    points: int | None = None
    bonus: int | None = None
    time_ms: float | None = Field(default=None, description="Of the slowest test")
    memory_kib: int | None = Field(default=None, description="Of the largest test")
    package_version: str | None = None

    @classmethod
    def of(cls, standing: Standing, state: State) -> AttemptOut:
        submission, judgement = standing.submission, standing.judgement
        out = cls(
            id=submission.id,
            url=AcceptedOut.of(submission.id).url,
            problem=submission.problem,
            state=state,
            created_at=_time(standing.created_ms),
        )
        if judgement is None:
            return out
        return out.model_copy(
            update={
                "verdict": judgement.verdict,
                "score": judgement.score,
                "points": judgement.points,
                "bonus": judgement.bonus,
                "time_ms": max((run.time_ms for run in judgement.runs), default=None),
                "memory_kib": max((run.memory_kib for run in judgement.runs), default=None),
                "package_version": judgement.package_version,
            }
        )


class AttemptsOut(Out):
    """Own submissions, newest first. `cursor` asks for those that follow; null: that is all."""

    submissions: list[AttemptOut]
    cursor: str | None


class SourceOut(Out):
    """A program as it was sent."""

    source: str


class ProblemProgressOut(Out):
    """What was done about one problem. A mark stays, on the version that it names."""

    problem: str
    attempts: int
    solved_at: datetime | None
    solved_version: str | None
    outdated: bool = Field(description="Solved, and the tests have changed since")
    time_ms: float | None
    memory_kib: int | None
    bonus: int | None

    @classmethod
    def of(cls, record: ProblemRecord) -> ProblemProgressOut:
        solved = record.solved
        return cls(
            problem=record.variant.id,
            attempts=record.tried.attempts if record.tried else 0,
            solved_at=_time(solved.solved_ms) if solved else None,
            solved_version=solved.package_version if solved else None,
            outdated=record.outdated,
            time_ms=solved.time_ms if solved else None,
            memory_kib=solved.memory_kib if solved else None,
            bonus=solved.bonus if solved else None,
        )


class FamilyProgressOut(Out):
    family: str
    solved: int
    variants: int


class DayOut(Out):
    """A day, in UTC, on which something was submitted."""

    day: date
    submissions: int


class ProgressOut(Out):
    """Everything that was done so far; problems that were never tried are left out."""

    problems: list[ProblemProgressOut]
    families: list[FamilyProgressOut]
    solved: int
    of: int
    streak_days: int
    days: list[DayOut]
    next: str | None

    @classmethod
    def of_record(cls, record: Record) -> ProgressOut:
        return cls(
            problems=[
                ProblemProgressOut.of(each)
                for each in record.problems
                if each.tried is not None or each.solved is not None
            ],
            families=[
                FamilyProgressOut(
                    family=family,
                    solved=sum(each.solved is not None for each in members),
                    variants=len(members),
                )
                for family, members in record.families
            ],
            solved=record.solved,
            of=len(record.problems),
            streak_days=record.streak,
            days=[DayOut(day=d, submissions=n) for d, n in sorted(record.days.items())],
            next=record.next.id if record.next else None,
        )


class ProfileIn(In):
    """What is shown of oneself to others."""

    public: bool = Field(description="A page under /people that everybody may read")
    ranked: bool = Field(description="A place in the lists of the quickest programs")


class ProfileOut(Out):
    public: bool
    ranked: bool


class PresenceOut(Out):
    """How many people have a problem's page open."""

    people: int


class PlaceOut(Out):
    """A place in a list; equal figures are an equal rank."""

    rank: int
    name: str
    time_ms: int = Field(description="Of the slowest test, in steps of 10 ms: no finer is honest")
    memory_mib: int = Field(description="Of the largest test")
    bonus: int


class LeaderboardOut(Out):
    """The quickest accepted programs of those who want to be listed, on the current tests."""

    problem: str
    package_version: str
    places: list[PlaceOut]

    @classmethod
    def of(cls, problem: str, version: str, places: tuple[Place, ...]) -> LeaderboardOut:
        return cls(
            problem=problem,
            package_version=version,
            places=[PlaceOut.model_validate(place) for place in places],
        )


def _time(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)
