"""What the API tells of problems: all that a learner may know before solving one."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from app import notation
from app.model import TestCase, Variant
from app.web.contract_json import contract_json
from app.web.schemas import API, Out


class ProblemSummaryOut(Out):
    """One line of the list of problems."""

    id: str
    title: str
    url: str
    number: int | None
    difficulty: Literal["easy", "medium", "hard"]
    minutes: int
    track: str
    tags: list[str]

    @classmethod
    def fields_of(cls, variant: Variant) -> dict[str, Any]:
        page = variant.page
        return {
            "id": variant.id,
            "title": variant.title,
            "url": f"{API}/problems/{variant.id}",
            "number": page.number,
            "difficulty": page.difficulty,
            "minutes": page.minutes,
            "track": page.track,
            "tags": list(page.tags),
        }


class ArgumentOut(Out):
    name: str
    contract: dict[str, Any]


class ToleranceOut(Out):
    rtol: float
    atol: float


class LimitsOut(Out):
    """What one test may use."""

    time_s: float
    wall_s: float
    memory_mib: int
    printed_kib: int
    returned_mib: int


class BonusOut(Out):
    runtime: str
    points: int
    title: str


class SampleOut(Out):
    """A test that is shown; values as typed JSON."""

    title: str
    explanation: str
    labels: list[str]
    arguments: dict[str, Any]
    answer: Any

    @classmethod
    def of(cls, variant: Variant, test: TestCase) -> SampleOut:
        contents = test.contents()
        names = [argument.name for argument in variant.arguments]
        written = map(notation.to_json, contents.arguments)
        return cls(
            title=test.title,
            explanation=test.explanation,
            labels=list(test.labels),
            arguments=dict(zip(names, written, strict=True)),
            answer=notation.to_json(contents.answer),
        )


class ProblemOut(ProblemSummaryOut):
    """All that a learner may know of a problem before solving it."""

    entry_point: str
    statement: str = Field(description="Markdown; formulas in TeX between dollar signs")
    starter: str
    arguments: list[ArgumentOut]
    returns: dict[str, Any]
    tolerance: ToleranceOut
    preserve_inputs: bool
    limits: LimitsOut
    points: int
    bonus: BonusOut | None
    samples: list[SampleOut]
    secret_tests: int
    package_version: str

    @classmethod
    def of(cls, variant: Variant) -> ProblemOut:
        samples = [SampleOut.of(variant, test) for test in variant.tests if test.sample]
        bonus = variant.bonus
        return cls(
            **cls.fields_of(variant),
            entry_point=variant.entry_point,
            statement=variant.page.statement,
            starter=variant.page.starter,
            arguments=[
                ArgumentOut(name=a.name, contract=contract_json(a.contract))
                for a in variant.arguments
            ],
            returns=contract_json(variant.returns),
            tolerance=ToleranceOut.model_validate(variant.tolerance),
            preserve_inputs=variant.preserve_inputs,
            limits=LimitsOut.model_validate(variant.limits),
            points=variant.points,
            bonus=None if bonus is None else BonusOut.model_validate(bonus),
            samples=samples,
            secret_tests=len(variant.tests) - len(samples),
            package_version=variant.version,
        )


class ProblemsOut(Out):
    """All problems, in the order in which they are listed."""

    problems: list[ProblemSummaryOut]
