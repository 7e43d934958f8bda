"""Tests that were added after the package was written: kept by the store, laid over the package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from app import notation
from app.errors import PackageError
from app.model import TestCase, Variant
from app.problem import forms
from app.problem.family import Named
from app.problem.variants import formed
from app.problem.versions import LENGTH, digest


@dataclass(frozen=True, slots=True)
class UploadedTest:
    """One accepted test of an upload, with the core's outputs for each set of parameters.

    variants   the variants (names) whose contracts its inputs fit
    outputs    (parameters, outputs) pairs, as a package's data file has them
    """

    name: str
    labels: tuple[str, ...]
    inputs: Named
    outputs: tuple[tuple[Named, Named], ...]
    variants: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """What the store keeps."""
        return {
            "name": self.name,
            "labels": list(self.labels),
            "inputs": _json(self.inputs),
            "outputs": [[_json(given), _json(found)] for given, found in self.outputs],
            "variants": list(self.variants),
        }


def from_json(data: Mapping[str, Any]) -> UploadedTest:
    return UploadedTest(
        name=data["name"],
        labels=tuple(data["labels"]),
        inputs=_named(data["inputs"]),
        outputs=tuple((_named(given), _named(found)) for given, found in data["outputs"]),
        variants=tuple(data["variants"]),
    )


def overlaid(variant: Variant, tests: Iterable[UploadedTest], hints: Mapping[str, str]) -> Variant:
    """The variant with these tests after its own; its version tells the two apart.

    `hints` is what the family has for a label, to be shown when a test with it fails.
    """
    mine = [test for test in tests if variant.name in test.variants]
    if not mine:
        return variant
    cases = tuple(_case(variant, test, hints) for test in mine)
    kept = [[t.name, t.inputs, [list(pair) for pair in t.outputs]] for t in mine]
    return replace(
        variant,
        tests=variant.tests + cases,
        version=digest(variant.version, kept)[:LENGTH],
    )


def _case(variant: Variant, test: UploadedTest, hints: Mapping[str, str]) -> TestCase:
    parameters = dict(variant.core.parameters)
    outputs = next((out for given, out in test.outputs if given == parameters), None)
    place = f"uploaded tests of {variant.id}"
    if outputs is None:
        raise PackageError(
            f"{test.name}: has no answer for the variant's parameters",
            place,
            remedy="upload it again",
        )
    try:
        contents = formed(replace(variant, tests=()), test.inputs, outputs)
    except forms.Unfit as error:
        raise PackageError(f"{test.name}: {error}", place, remedy="upload it again") from None
    hint = " ".join(hints[label] for label in test.labels if hints.get(label))
    return TestCase(test.name, test.labels, False, lambda: contents, hint=hint)


def _json(values: Named) -> dict[str, Any]:
    return {name: notation.to_json(value) for name, value in values.items()}


def _named(data: Mapping[str, Any]) -> Named:
    return {name: notation.from_json(item) for name, item in data.items()}
