"""family.yaml and variant.yaml as authors write them: strict, and complete about what is wrong."""

from __future__ import annotations

import difflib
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from app.errors import PackageError
from app.problem.document import Document
from app.runtime_kinds import RUNTIMES

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=64)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=4000, strip_whitespace=True)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=80)]


class _AsWritten(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)


class FamilyTestIn(_AsWritten):
    """A test of the family: its inputs, or the generator that makes them."""

    labels: list[Label] = Field(min_length=1)
    inputs: dict[str, Any] | None = None
    generator: Name | None = None
    arguments: dict[Name, Any] = {}
    seed: int | None = None
    stored: bool = True


class EquivalentIn(_AsWritten):
    """A change of a right program that leaves it right: shell patterns on the changed source."""

    before: str = Field(min_length=1)
    after: str = "*"
    reason: Text
    operator: str = ""
    only_in: list[str] = []


class AskIn(_AsWritten):
    """What a value of a parameter asks of a learner, in a few words."""

    value: Any
    words: Text


class FamilyIn(_AsWritten):
    title: Text
    inputs: dict[Name, Any] = Field(min_length=1)
    outputs: list[Name] = Field(min_length=1)
    parameters: dict[Name, Any] = {}
    asks: dict[Name, list[AskIn]] = {}
    labels: dict[Label, str] = {}
    tests: dict[Word, FamilyTestIn] = Field(min_length=1)
    equivalents: list[EquivalentIn] = []


class ToleranceIn(_AsWritten):
    rtol: float = Field(ge=0, le=0.1)
    atol: float = Field(ge=0)


class LimitsIn(_AsWritten):
    time_s: float = Field(default=2.0, gt=0, le=60)
    wall_s: float = Field(default=4.0, gt=0, le=120)
    memory_mib: int = Field(default=256, ge=16, le=4096)
    printed_kib: int = Field(default=64, ge=1, le=1024)
    returned_mib: int = Field(default=64, ge=1, le=1024)


def _known_runtime(name: str) -> str:
    if name not in RUNTIMES:
        raise ValueError(f"must be one of {', '.join(sorted(RUNTIMES))}")
    return name


class BonusIn(_AsWritten):
    runtime: Annotated[str, AfterValidator(_known_runtime)]
    points: int = Field(gt=0, le=1000)
    title: Text


class SampleIn(_AsWritten):
    test: Word
    title: str = ""
    explanation: str = ""
    shows: Any = None


class VariantIn(_AsWritten):
    title: Text
    number: int | None = Field(default=None, ge=1)
    difficulty: Literal["easy", "medium", "hard"]
    minutes: int = Field(ge=1, le=600)
    track: str = ""
    tags: list[Text] = []
    roles: list[Text] = []
    companies: list[Text] = []
    seniority: list[Text] = []
    figure: str = Field(default="", pattern=r"^[a-z0-9_-]*$")
    next: str = Field(default="", pattern=r"^([a-z0-9_-]+/[a-z0-9_-]+)?$")
    entry_point: Name
    arguments: dict[Name, Any] = Field(min_length=1)
    inputs: dict[Name, Any]
    returns: Any
    answer: Any
    parameters: dict[Name, Any] = {}
    tolerance: ToleranceIn
    preserve_inputs: bool = False
    limits: LimitsIn = LimitsIn()
    points: int = Field(default=100, gt=0, le=1000)
    bonus: BonusIn | None = None
    sign_in: Literal["optional", "required"] = "optional"
    reveal: Literal["never", "first_failure"] = "never"
    samples: list[SampleIn] = Field(min_length=1)
    tests: list[Word] = []


_Model = TypeVar("_Model", bound=BaseModel)


def check(document: Document, model: type[_Model]) -> _Model:
    """The document as a model. Raises PackageError for the first thing wrong, and counts the rest."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        raise _first(document, error, model) from None


def _first(document: Document, error: ValidationError, model: type[BaseModel]) -> PackageError:
    errors = error.errors()
    # The first in the file, not in the model: authors read from the top. A missing key comes
    # last, since a misspelt one explains it.
    first = min(errors, key=lambda e: (e["type"] == "missing", document.line(e["loc"])))
    location = tuple(step for step in first["loc"] if step != "[key]")
    message = {
        "missing": "is missing",
        "extra_forbidden": "is not a key that is known here",
        "model_type": "must be a mapping",
    }.get(first["type"], _plain(first["msg"]))
    remedy = ""
    if first["type"] == "extra_forbidden" and len(location) == 1:
        near = difflib.get_close_matches(str(location[0]), model.model_fields, n=1)
        remedy = f"did you mean {near[0]}?" if near else "remove it"
    if len(errors) > 1:
        message += f"; {len(errors) - 1} more to correct after it"
    return document.error(location, message, remedy)


def _plain(message: str) -> str:
    """pydantic speaks of inputs; an author reads about the value at a place."""
    return message.removeprefix("Input ").removeprefix("Value error, ").replace("Input", "value")
