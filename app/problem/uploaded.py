"""Tests that were added after the package was written: kept by the store, laid over the package."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app import notation
from app.errors import PackageError
from app.model import Contents, TestCase, Value, Variant
from app.problem import domains, forms
from app.problem.family import Family, Named
from app.problem.load import inputs_hash
from app.problem.on_demand import OnDemand
from app.problem.variants import formed
from app.problem.versions import LENGTH, digest


@dataclass(frozen=True, slots=True)
class UploadedTest:
    """One accepted test of an upload, with the core's outputs for each set of parameters.

    core       hash of the core that made the outputs; a core that has changed since makes its own
    outputs    (parameters, outputs) pairs, as a package's data file has them
    variants   the variants (names) whose contracts its inputs fit
    """

    name: str
    labels: tuple[str, ...]
    inputs: Named
    core: str
    outputs: tuple[tuple[Named, Named], ...]
    variants: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """What the store keeps."""
        return {
            "name": self.name,
            "labels": list(self.labels),
            "inputs": _json(self.inputs),
            "core": self.core,
            "outputs": [[_json(given), _json(found)] for given, found in self.outputs],
            "variants": list(self.variants),
        }


def from_json(data: Mapping[str, Any]) -> UploadedTest:
    return UploadedTest(
        name=data["name"],
        labels=tuple(data["labels"]),
        inputs=_named(data["inputs"]),
        core=data["core"],
        outputs=tuple((_named(given), _named(found)) for given, found in data["outputs"]),
        variants=tuple(data["variants"]),
    )


def as_text(tests: Sequence[UploadedTest]) -> str:
    """What the store keeps of a family's uploaded tests: the same tests give the same text."""
    return json.dumps([test.to_json() for test in tests], sort_keys=True)


def from_text(text: str) -> tuple[UploadedTest, ...]:
    return tuple(from_json(test) for test in json.loads(text))


def version_of(text: str) -> str:
    """The version of uploaded tests: a hash of their text."""
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def overlaid(
    family: Family, variant: Variant, tests: Sequence[UploadedTest], maker: OnDemand
) -> tuple[Variant, tuple[PackageError, ...]]:
    """The variant with these tests after its own, and why some of them are left out.

    Its version tells it from the variant without them: what decides is the inputs, since the core
    is in the version already.
    """
    cases: list[TestCase] = []
    kept: list[Value] = []
    errors: list[PackageError] = []
    for test in tests:
        if variant.name in test.variants:
            try:
                cases.append(_case(family, variant, test, maker))
                kept.append([test.name, inputs_hash(family.in_order(test.inputs))])
            except forms.Unfit as error:
                place = f"uploaded tests of {variant.id}"
                remedy = "the contract changed: upload it again, or without this variant"
                errors.append(PackageError(f"{test.name}: {error}", place, remedy=remedy))
    if not cases:
        return variant, tuple(errors)
    version = digest(variant.version, kept)[:LENGTH]
    return replace(variant, tests=(*variant.tests, *cases), version=version), tuple(errors)


def _case(family: Family, variant: Variant, test: UploadedTest, maker: OnDemand) -> TestCase:
    """The test in the variant's form. Raises Unfit where the contract does not take it any more."""
    values = forms.arguments(variant, test.inputs)
    named = {a.name: v for a, v in zip(variant.arguments, values, strict=True)}
    if error := next(domains.misfits(variant.arguments, named), None):
        raise forms.Unfit(error.where, error.message)
    hint = " ".join(family.labels[label] for label in test.labels if family.labels.get(label))
    contents = _contents(family, replace(variant, tests=()), test, maker)
    return TestCase(test.name, test.labels, False, contents, hint=hint)


def _contents(
    family: Family, bare: Variant, test: UploadedTest, maker: OnDemand
) -> Callable[[], Contents]:
    parameters = dict(bare.core.parameters)
    outputs = next((out for given, out in test.outputs if given == parameters), None)
    if outputs is None or test.core != digest(bare.core.source):
        return lambda: formed(
            bare, test.inputs, maker.outputs(family, test.name, test.inputs, parameters)
        )
    contents = formed(bare, test.inputs, outputs)
    return lambda: contents


def _json(values: Named) -> dict[str, Any]:
    return {name: notation.to_json(value) for name, value in values.items()}


def _named(data: Mapping[str, Any]) -> Named:
    return {name: notation.from_json(item) for name, item in data.items()}
