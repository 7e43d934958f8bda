"""A judgement in words, for the page of a submission."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from app.model import Run, Verdict
from app.store import Standing
from app.web.schemas import State, state_of

VERDICT_NAMES: Mapping[Verdict, str] = {
    "AC": "Accepted",
    "WA": "Wrong Answer",
    "RTE": "Run-Time Error",
    "CE": "Compile Error",
    "TLE": "Time Limit Exceeded",
    "MLE": "Memory Limit Exceeded",
    "OLE": "Output Limit Exceeded",
    "JE": "Judging Error",
}
STATE_NAMES: Mapping[State, str] = {
    "queued": "Waiting for its turn",
    "judging": "Being judged",
    "judged": "Judged",
}


def shown_result(standing: Standing, title: str, judging: bool) -> dict[str, Any]:
    """All that the page of a submission shows."""
    submission, judgement = standing.submission, standing.judgement
    state = state_of(standing, judging)
    runs = judgement.runs if judgement else ()
    return {
        "problem": submission.problem,
        "trial": submission.trial,
        "problem_title": title,
        "state": state,
        "words": VERDICT_NAMES[judgement.verdict] if judgement else STATE_NAMES[state],
        "source": submission.source,
        "judgement": judgement,
        "passed": sum(run.verdict == "AC" for run in runs),
        "score": f"{judgement.score:g}" if judgement else "",
        "lines": feedback_lines,
        "facts": {"id": submission.id, "state": state},
    }


def tone(verdict: Verdict) -> str:
    """How a verdict is coloured; its word and icon say the same."""
    return {"AC": "pass", "JE": "ours"}.get(verdict, "fail")


def duration(run: Run) -> str:
    """Times of hidden tests are told in steps of 10 ms."""
    if not run.sample and run.time_ms < 10:
        return "< 10 ms"
    return f"{run.time_ms:.1f} ms" if run.time_ms < 10 else f"{run.time_ms:.0f} ms"


def moment(at_ms: int) -> str:
    """A point in time, the same for everybody who reads it."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def spoken(day: date) -> str:
    """A day in words."""
    return f"{day.day} {day.strftime('%B %Y')}"


def on_day(at_ms: int) -> str:
    """The day of a point in time, in UTC."""
    return spoken(datetime.fromtimestamp(at_ms / 1000, UTC).date())


def coarse(time_ms: float) -> str:
    """As coarse as times of hidden tests are."""
    return "< 10 ms" if time_ms < 10 else f"{time_ms:.0f} ms"


def feedback_lines(run: Run) -> list[str]:
    """What there is to say about a run besides its verdict, each on a line."""
    told = run.feedback
    raised = f"{told.exception_type}: {told.exception_message}".strip(": ")
    wrong = told.mismatch.message if told.mismatch else ""
    hint = f"Hint: {told.hint}" if told.hint else ""
    return [line for line in (told.message or wrong or raised, told.remark, hint) if line]
