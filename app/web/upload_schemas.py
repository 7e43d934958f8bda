"""What an upload of test cases looks like, and what is told about it."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from app import notation
from app.problem.uploads import DryRun, Examined, Fit
from app.web.problem_json import FaultOut
from app.web.schemas import Out

_TYPED_BYTES = 20_000  # a longer answer is only written out, shortened

# The problem builder's reader checks it, so that every fault is told at its own test.
UploadIn = Annotated[
    Any,
    WithJsonSchema(
        {
            "title": "UploadIn",
            "type": "object",
            "required": ["tests"],
            "properties": {
                "tests": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "required": ["name", "labels", "arguments"],
                        "properties": {
                            "name": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_-]{0,63}$"},
                            "labels": {
                                "type": "array",
                                "minItems": 1,
                                "items": {"type": "string"},
                            },
                            "arguments": {
                                "type": "object",
                                "description": "the core's inputs, by name, as typed JSON",
                            },
                        },
                    },
                }
            },
        }
    ),
]


class FitOut(Out):
    """What a test is for one variant."""

    variant: str
    fits: bool
    reasons: list[str]
    arguments: str = Field(description="written out, shortened where long")
    answer: str = Field(description="written out, shortened where long")
    typed_answer: Any = Field(description="typed JSON; null where the answer is long")

    @classmethod
    def of(cls, fit: Fit) -> FitOut:
        typed = notation.to_json(fit.answer) if fit.fits else None
        return cls(
            variant=fit.variant,
            fits=fit.fits,
            reasons=list(fit.reasons),
            arguments=", ".join(map(notation.written, fit.arguments)),
            answer=notation.written(fit.answer) if fit.fits else "",
            typed_answer=typed if len(json.dumps(typed)) <= _TYPED_BYTES else None,
        )


class ExaminedOut(Out):
    """One test of the upload."""

    index: int
    name: str
    accepted: bool
    refusals: list[FaultOut]
    warnings: list[str]
    variants: list[FitOut]

    @classmethod
    def of(cls, examined: Examined) -> ExaminedOut:
        return cls(
            index=examined.index,
            name=examined.name,
            accepted=examined.test is not None and not examined.refusals,
            refusals=[FaultOut(where=r.where, message=r.message) for r in examined.refusals],
            warnings=list(examined.warnings),
            variants=[FitOut.of(fit) for fit in examined.fits],
        )


class UploadOut(Out):
    """What the upload does to the family, or would do."""

    family: str
    applied: bool
    version: str | None = Field(description="of the family's uploaded tests; null: not applied")
    tests: list[ExaminedOut]

    @classmethod
    def of(cls, examined: DryRun, version: str | None) -> UploadOut:
        return cls(
            family=examined.family,
            applied=version is not None,
            version=version,
            tests=[ExaminedOut.of(test) for test in examined.tests],
        )
