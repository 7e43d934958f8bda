"""Do the author's programs get the verdicts they are filed under, with room to spare?"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.judge import finished, judge
from app.model import Judgement, Outcome, Returned, Run, Runner, Variant, Verdict
from app.verify.closeness import worst_ratio
from app.verify.report import Reason
from app.verify.subject import FOLDERS, Program, Recorder, Subject, unknown_folders

FEWEST_ACCEPTED = 3
LONGEST = 20_000  # characters of a program whose every small change is tried
ERROR_SHARE = 0.1  # of the allowed error, for accepted programs
TIME_SHARE = 1 / 3  # of the time limit, for the slowest accepted program


@dataclass(frozen=True, slots=True)
class Accepted:
    """An accepted program's judgement, and how much room it leaves.

    error_share   its largest error as a share of the allowed one, on leaves without rounding
    """

    program: Program
    judgement: Judgement
    slowest_s: float
    error_share: float


def judged(program: Program, variant: Variant, runner: Runner) -> Accepted:
    """A program judged to the end, as a submission would be; what it returned is not kept."""
    recorder = Recorder(runner, {})
    judgement = finished(judge(program.source, variant, recorder))
    shares = (_error_share(variant, i, outcome) for i, outcome in recorder.outcomes.items())
    slowest_s = max((outcome.cpu_s for outcome in recorder.outcomes.values()), default=0.0)
    return Accepted(program, judgement, slowest_s, max(shares, default=0.0))


def _error_share(variant: Variant, index: int, outcome: Outcome) -> float:
    if not isinstance(outcome.fact, Returned):
        return 0.0
    return worst_ratio(variant, outcome.fact.value, variant.tests[index].contents().answer)


def verdict_of(source: str, variant: Variant, runner: Runner) -> tuple[Verdict, int]:
    """The overall verdict and the index of the test that decides it; ends as soon as it is known."""
    runs: dict[int, Run] = {}
    judging = judge(source, variant, runner)
    try:
        for run in judging:
            runs[run.index] = run
            for index in itertools.takewhile(lambda i: i in runs, range(len(variant.tests))):
                if runs[index].verdict != "AC":
                    return runs[index].verdict, index
    finally:
        judging.close()
    return "AC", -1


def verdict_folders(subject: Subject) -> Iterator[Reason]:
    """Every program that is not filed under `accepted` gets exactly its folder's verdict."""
    for name in unknown_folders(subject.family, subject.variant.name):
        known = ", ".join(FOLDERS)
        yield subject.reason("verdicts", f"no verdict has the folder {name!r}; there are {known}")
    for program in subject.programs:
        if program.verdict == "AC":
            continue
        verdict, index = verdict_of(program.source, subject.variant, subject.runner)
        if verdict != program.verdict:
            on = f" on {subject.variant.tests[index].name!r}" if index >= 0 else ""
            message = f"gets {verdict}{on}, not {program.verdict}"
            yield subject.reason("verdicts", message, program.path)


def accepted_programs(subject: Subject, accepted: Sequence[Accepted]) -> Iterator[Reason]:
    """Accepted programs pass every test, in different styles, precisely and quickly enough."""
    if len(accepted) < FEWEST_ACCEPTED:
        message = f"{len(accepted)} accepted programs; at least {FEWEST_ACCEPTED} are asked for"
        yield subject.reason("accepted_count", message)
    for one, other in itertools.combinations(accepted, 2):
        if _same(one.program.source, other.program.source):
            message = f"is the same program as {other.program.path.name}"
            yield subject.reason("accepted_count", message, one.program.path)
    for found in accepted:
        yield from _accepted(subject, found)
    bonus = subject.variant.bonus
    if bonus and accepted and not any(found.judgement.bonus for found in accepted):
        message = f"no accepted program earns the bonus ({bonus.title})"
        yield subject.reason("bonus", message, ("bonus",))


def _accepted(subject: Subject, found: Accepted) -> Iterator[Reason]:
    path, variant = found.program.path, subject.variant
    if len(found.program.source) > LONGEST:
        message = f"has {len(found.program.source)} characters; at most {LONGEST} are allowed"
        yield subject.reason("accepted_count", message, path)
    if found.judgement.verdict != "AC":
        first = next(run for run in found.judgement.runs if run.verdict != "AC")
        name = variant.tests[first.index].name
        message = f"gets {found.judgement.verdict} on {name!r}: {first.feedback.message}"
        yield subject.reason("verdicts", message, path)
        return
    share = found.error_share
    if share > ERROR_SHARE:
        message = (
            f"its largest error is {share:.2g} of the allowed one; {ERROR_SHARE:g} is asked for"
        )
        yield subject.reason("tolerance_room", message, path)
    if found.slowest_s > variant.limits.time_s * TIME_SHARE:
        message = (
            f"takes {found.slowest_s:.2f} s of {variant.limits.time_s:g} s; a third is allowed"
        )
        yield subject.reason("time_room", message, path)


def _same(one: str, other: str) -> bool:
    """Whether two sources differ in comments and layout only."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError, RecursionError):
        return one == other
