"""What an upload of test cases looks like, and what is told about it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from app import notation
from app.problem.uploaded import UploadedTest
from app.problem.uploads import Examined, Fit
from app.store.tests import TestVersion
from app.verify import Worth
from app.web.problem_json import FaultOut
from app.web.schemas import In, Out
from app.web.test_sets import Look

_TYPED_BYTES = 20_000  # a longer answer is only written out, shortened

_TEST: dict[str, Any] = {
    "type": "object",
    "required": ["name", "labels", "arguments"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_-]{0,63}$"},
        "labels": {"type": "array", "minItems": 1, "items": {"type": "string"}},
        "arguments": {
            "type": "object",
            "description": "the core's inputs, by name, as typed JSON",
        },
        "expected": {
            "type": "object",
            "description": "outputs of the core, by name: refused where the core says otherwise",
        },
        "answers": {
            "type": "object",
            "description": "answers of variants, by name: refused where they would not be accepted",
        },
    },
}
_BINARY = {"schema": {"type": "string", "format": "binary"}}

# The problem builder's readers check it, so that every fault is told at its own test.
UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "title": "UploadIn",
                    "type": "object",
                    "required": ["tests"],
                    "properties": {"tests": {"type": "array", "minItems": 1, "items": _TEST}},
                }
            },
            "application/x-ndjson": {"schema": {"type": "string"}},
            "text/csv": {"schema": {"type": "string"}},
            "application/x-npz": _BINARY,
        },
    }
}


class ApplyIn(In):
    """Which dry run is to be applied."""

    examined: Annotated[str, Field(min_length=1, max_length=100)]


class VersionOut(Out):
    """The version of a family's uploaded tests from now on."""

    family: str
    version: str


class WorthOut(Out):
    """What a test is good for in a variant."""

    mistakes: list[str] = Field(description="titles of the mistakes that fail it")
    mutants: list[str] = Field(
        description="changes of accepted programs that no secret test has caught, and this one does"
    )
    equivalents: list[str] = Field(
        description="changes that are declared equivalent, and fail it nevertheless"
    )
    failed: list[str] = Field(description="accepted programs that do not pass it")
    error_share: float | None = Field(
        description="the accepted programs' largest error, of what is allowed; null: no number"
    )
    time_share: float = Field(description="the slowest accepted program's time, of the limit")

    @classmethod
    def of(cls, found: Worth) -> WorthOut:
        share = found.error_share
        return cls(
            mistakes=list(found.mistakes),
            mutants=list(found.mutants),
            equivalents=list(found.equivalents),
            failed=list(found.failed),
            error_share=share if share < float("inf") else None,
            time_share=found.time_share,
        )


class FitOut(Out):
    """What a test is for one variant."""

    variant: str
    fits: bool
    reasons: list[str]
    arguments: str = Field(description="written out, shortened where long")
    answer: str = Field(description="written out, shortened where long")
    typed_answer: Any = Field(description="typed JSON; null where the answer is long")
    worth: WorthOut | None = Field(description="null where the test was not tried")

    @classmethod
    def of(cls, fit: Fit, found: Worth | None) -> FitOut:
        typed = notation.to_json(fit.answer) if fit.fits else None
        return cls(
            variant=fit.variant,
            fits=fit.fits,
            reasons=list(fit.reasons),
            arguments=", ".join(map(notation.written, fit.arguments)),
            answer=notation.written(fit.answer) if fit.fits else "",
            typed_answer=typed if len(json.dumps(typed)) <= _TYPED_BYTES else None,
            worth=None if found is None else WorthOut.of(found),
        )


class ExaminedOut(Out):
    """One test of the upload."""

    index: int
    name: str
    place: str = Field(description="the line of the file, where it has lines")
    labels: list[str]
    inputs: dict[str, str] = Field(description="as they were understood, written out")
    outputs: list[dict[str, str]] = Field(
        description="the core's, written out, for each set of parameters that a variant asks for"
    )
    accepted: bool
    refusals: list[FaultOut]
    warnings: list[str]
    variants: list[FitOut]

    @classmethod
    def of(cls, examined: Examined, look: Look) -> ExaminedOut:
        test = examined.test
        return cls(
            index=examined.index,
            name=examined.name,
            place=examined.place,
            labels=[str(label) for label in test.labels] if test else [],
            inputs={n: notation.written(v) for n, v in test.inputs.items()} if test else {},
            outputs=_outputs(test) if test else [],
            accepted=examined.accepted,
            refusals=[FaultOut(where=r.where, message=r.message) for r in examined.refusals],
            warnings=list(examined.warnings),
            variants=[
                FitOut.of(fit, look.worth.get((fit.variant, str(examined.index))))
                for fit in examined.fits
            ],
        )


def _outputs(test: UploadedTest) -> list[dict[str, str]]:
    return [
        {
            **{name: notation.written(value) for name, value in found.items()},
            "parameters": ", ".join(f"{n} = {notation.written(v)}" for n, v in given.items()),
        }
        for given, found in test.outputs
    ]


class UploadOut(Out):
    """What the upload does to the family, or would do."""

    family: str
    applied: bool
    version: str | None = Field(description="of the family's uploaded tests; null: not applied")
    base: str = Field(description="the version that this was examined against; empty: none")
    examined: str | None = Field(
        description="sent to .../tests/apply, it applies exactly this; null where that cannot be"
    )
    untried: str = Field(
        description="why the tests were not tried on the package's programs, if that was asked for"
    )
    tests: list[ExaminedOut]

    @classmethod
    def of(cls, look: Look, version: str | None) -> UploadOut:
        return cls(
            family=look.run.family,
            applied=version is not None,
            version=version,
            base=look.base,
            examined=look.token if look.token and version is None else None,
            untried=look.untried,
            tests=[ExaminedOut.of(test, look) for test in look.run.tests],
        )


class UploadedTestOut(Out):
    """One test that was uploaded and is judged with."""

    name: str
    labels: list[str]
    variants: list[str]
    inputs: dict[str, str]

    @classmethod
    def of(cls, test: UploadedTest) -> UploadedTestOut:
        return cls(
            name=test.name,
            labels=list(test.labels),
            variants=list(test.variants),
            inputs={name: notation.written(value) for name, value in test.inputs.items()},
        )


class TestVersionOut(Out):
    """One version of a family's uploaded tests."""

    __test__ = False

    version: str
    author: str
    created_ms: int
    change: str
    current: bool


class TestSetOut(Out):
    """A family's uploaded tests, and their history."""

    __test__ = False

    family: str
    tests: list[UploadedTestOut]
    versions: list[TestVersionOut]

    @classmethod
    def of(
        cls, family: str, tests: Sequence[UploadedTest], versions: Sequence[TestVersion]
    ) -> TestSetOut:
        return cls(
            family=family,
            tests=[UploadedTestOut.of(test) for test in tests],
            versions=[
                TestVersionOut(
                    version=one.version,
                    author=one.author,
                    created_ms=one.created_ms,
                    change=one.change,
                    current=i == 0,
                )
                for i, one in enumerate(versions)
            ],
        )
