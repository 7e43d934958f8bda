"""What the API takes (`...In`) and gives (`...Out`); inside the program nothing of it is used."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic_core import PydanticCustomError

from app.model import Feedback, Judgement, Mismatch, Printed, Run, Verdict
from app.store import Standing

SOURCE_KIB = 64
API = "/api/v1"

State = Literal["queued", "judging", "judged"]


def state_of(standing: Standing, judging: bool) -> State:
    """`judging`: whether somebody is at it now."""
    return "judged" if standing.judgement else "judging" if judging else "queued"


def legal_source(source: str) -> str:
    """Raises where a source could not even be looked at."""
    size = len(source.encode())
    if size > SOURCE_KIB * 1024:
        raise PydanticCustomError(
            "source_size",
            "is {size} bytes long; at most {limit} are allowed",
            {"size": size, "limit": SOURCE_KIB * 1024},
        )
    if "\0" in source:
        raise PydanticCustomError("source_nul", "holds a NUL character")
    return source


def _tagged(number: float | None) -> float | dict[str, str] | None:
    """Legal JSON for a float that JSON has no word for."""
    if number is None or math.isfinite(number):
        return number
    name = "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    return {"float": name}


Real = Annotated[
    float | None,
    PlainSerializer(_tagged),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number"},
                {
                    "type": "object",
                    "properties": {"float": {"enum": ["NaN", "Infinity", "-Infinity"]}},
                    "required": ["float"],
                },
                {"type": "null"},
            ]
        }
    ),
]


class In(BaseModel):
    """Unknown fields are refused: a misspelt one would be ignored in silence."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SubmissionIn(In):
    """A program to judge."""

    problem: str = Field(max_length=200, examples=["gradient_clipping/tuple"])
    source: Annotated[str, AfterValidator(legal_source)] = Field(
        description=f"Python, at most {SOURCE_KIB} KiB in UTF-8"
    )


class RunIn(SubmissionIn):
    """A program to try: on the samples, or on input of one's own."""

    arguments: dict[str, Any] | None = Field(
        default=None,
        description="Value of each argument; arrays as nested lists, NaN as {'float': 'NaN'}",
    )


class Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class AcceptedOut(Out):
    """It is kept and will be judged."""

    id: str
    url: str
    events_url: str

    @classmethod
    def of(cls, submission_id: str) -> AcceptedOut:
        url = f"{API}/submissions/{submission_id}"
        return cls(id=submission_id, url=url, events_url=f"{url}/events")


class DifferenceOut(Out):
    path: str
    got: str
    want: str
    error: Real
    allowed: Real


class MismatchOut(Out):
    """The first rule that the returned value broke."""

    kind: Literal["form", "structure", "type", "non_finite", "value", "rounding", "inputs"]
    path: str
    summary: str
    message: str
    differences: list[DifferenceOut]
    count: int
    largest: DifferenceOut | None

    @classmethod
    def of(cls, mismatch: Mismatch) -> MismatchOut:
        return cls.model_validate(mismatch)


class PrintedOut(Out):
    text: str
    cut_bytes: int


def _printed(printed: Printed | None) -> PrintedOut | None:
    return None if printed is None else PrintedOut.model_validate(printed)


class WrittenOut(Out):
    """An argument, written out for people."""

    name: str
    value: str


class FeedbackOut(Out):
    """What is told about one run; for a secret test never a number of it."""

    message: str
    mismatch: MismatchOut | None
    exception_type: str
    exception_message: str
    line: int | None
    column: int | None
    arguments: list[WrittenOut]
    returned: str
    answer: str
    stdout: PrintedOut | None
    stderr: PrintedOut | None
    remark: str
    hint: str

    @classmethod
    def of(cls, feedback: Feedback) -> FeedbackOut:
        return cls(
            message=feedback.message,
            mismatch=None if feedback.mismatch is None else MismatchOut.of(feedback.mismatch),
            exception_type=feedback.exception_type,
            exception_message=feedback.exception_message,
            line=feedback.line,
            column=feedback.column,
            arguments=[WrittenOut(name=n, value=v) for n, v in feedback.arguments],
            returned=feedback.returned,
            answer=feedback.answer,
            stdout=_printed(feedback.stdout),
            stderr=_printed(feedback.stderr),
            remark=feedback.remark,
            hint=feedback.hint,
        )


class RunOut(Out):
    """The verdict on one test."""

    index: int
    label: str
    sample: bool
    verdict: Verdict
    time_ms: float
    memory_kib: int
    feedback: FeedbackOut

    @classmethod
    def of(cls, run: Run) -> RunOut:
        return cls(
            index=run.index,
            label=", ".join(run.labels),
            sample=run.sample,
            verdict=run.verdict,
            time_ms=run.time_ms,
            memory_kib=run.memory_kib,
            feedback=FeedbackOut.of(run.feedback),
        )


class DiagnosisOut(Out):
    """What probably went wrong."""

    name: str
    title: str
    explanation: str


class JudgementOut(Out):
    """A verdict with everything that belongs to it; empty until it is judged.

    Where nothing could be earned (a trial), `score` and `points` stay null.
    """

    verdict: Verdict | None = None
    score: float | None = None
    points: int | None = None
    bonus: int | None = None
    message: str = ""
    diagnosis: DiagnosisOut | None = None
    runs: list[RunOut] = []
    package_version: str | None = None

    @staticmethod
    def fields_of(judgement: Judgement) -> dict[str, Any]:
        diagnosis = judgement.diagnosis
        return {
            "verdict": judgement.verdict,
            "score": judgement.score if judgement.points else None,
            "points": judgement.points or None,
            "bonus": judgement.bonus,
            "message": judgement.message,
            "diagnosis": diagnosis and DiagnosisOut.model_validate(diagnosis),
            "runs": [RunOut.of(run) for run in judgement.runs],
            "package_version": judgement.package_version,
        }


class SubmissionOut(JudgementOut):
    """A submission and what became of it."""

    id: str
    problem: str
    trial: bool
    state: State
    url: str
    created_at: datetime
    queue_place: int | None = Field(default=None, description="While queued; 1: it is next")

    @classmethod
    def of(cls, standing: Standing, state: State, place: int | None = None) -> SubmissionOut:
        submission, judgement = standing.submission, standing.judgement
        return cls(
            id=submission.id,
            problem=submission.problem,
            trial=submission.trial,
            state=state,
            url=AcceptedOut.of(submission.id).url,
            created_at=datetime.fromtimestamp(standing.created_ms / 1000, UTC),
            queue_place=place,
            **({} if judgement is None else JudgementOut.fields_of(judgement)),
        )


class HealthOut(Out):
    """Whether this process is fit for work, and what is not."""

    ready: bool
    checks: Mapping[str, str]
    notes: Mapping[str, str] = {}
