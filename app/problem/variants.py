"""A variant's folder, on top of its family, becomes the frozen Variant that everybody else knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from app.contract import Contract, Dict, List, Tolerance, Tuple
from app.model import (
    Bonus,
    Contents,
    Core,
    Limits,
    Take,
    Template,
    TestCase,
    Value,
    Variant,
)
from app.problem import contracts, document, forms
from app.problem.document import Document, Location
from app.problem.family import Family, FamilyTest, Named, in_family_order
from app.problem.load import check_name, value_at
from app.problem.metadata import SampleIn, VariantIn, check
from app.problem.page import mistakes, page_of
from app.problem.versions import deciding, digest

# Makes the inputs and outputs of a test that is not stored.
Maker = Callable[[Family, FamilyTest, Named], tuple[Named, Named]]


def names(family: Family) -> tuple[str, ...]:
    """The family's variants, in order of name."""
    return tuple(n for n in family.folder.names("variants") if (_path(family, n)).is_dir())


def load(family: Family, name: str, maker: Maker) -> Variant:
    """The variant in `variants/<name>`. Raises PackageError with file, line and remedy."""
    page, written = as_written(family, name)
    bare = _without_tests(family, name, page, written)
    tests = tuple(
        TestCase(
            name=test.name,
            labels=test.labels,
            sample=sample is not None,
            contents=_contents(family, bare, test, maker, page, place),
            title=sample.title if sample else "",
            explanation=sample.explanation if sample else "",
            hint=" ".join(hint for label in test.labels if (hint := family.labels[label])),
        )
        for place, sample, test in _listed(family, page, written)
    )
    made = tuple((t.name, str(t.sample), _made_from(family, t.name)) for t in tests)
    return replace(bare, tests=tests, version=deciding(bare, made))


def as_written(family: Family, name: str) -> tuple[Document, VariantIn]:
    check_name(name, family.folder.shown(f"variants/{name}"))
    file = f"variants/{name}/variant.yaml"
    page = document.parse(family.folder.text(file), family.folder.shown(file))
    return page, check(page, VariantIn)


def _path(family: Family, name: str) -> Path:
    return family.folder.root / "variants" / name


def _without_tests(family: Family, name: str, page: Document, written: VariantIn) -> Variant:
    arguments = contracts.arguments(page, ("arguments",), written.arguments)
    returns = contracts.read(page, ("returns",), written.returns)
    contracts.check_likes(page, ("returns",), returns, tuple(written.arguments))
    return Variant(
        id=f"{family.name}/{name}",
        title=written.title,
        entry_point=written.entry_point,
        arguments=arguments,
        returns=returns,
        tolerance=Tolerance(written.tolerance.rtol, written.tolerance.atol),
        tests=(),
        core=_core(family, page, written, returns),
        version="",
        page=page_of(family, name, page, written),
        limits=Limits(**written.limits.model_dump()),
        preserve_inputs=written.preserve_inputs,
        points=written.points,
        bonus=Bonus(**written.bonus.model_dump()) if written.bonus else None,
        mistakes=mistakes(family, name),
        sign_in=written.sign_in,
        reveal=written.reveal,
    )


# --- The way in and out --------------------------------------------------------------------------


def _core(family: Family, page: Document, written: VariantIn, returns: Contract) -> Core:
    takes = {name: _take(page, ("inputs", name), data) for name, data in written.inputs.items()}
    if set(takes) != set(written.arguments):
        raise page.error(("inputs",), "must name every argument once, and nothing else")
    if sorted(take.name for take in takes.values()) != sorted(family.input_names):
        raise page.error(
            ("inputs",), f"must take each of {', '.join(family.input_names)} exactly once"
        )
    fixed = dict(family.parameters)
    for name, data in written.parameters.items():
        if name not in fixed:
            raise page.error(("parameters", name), "is not a parameter of the family")
        fixed[name] = value_at(page, ("parameters", name), data)
    return Core(
        source=family.core,
        inputs=in_family_order(takes, family.input_names),
        parameters=tuple(fixed.items()),
        answer=_template(page, ("answer",), written.answer, returns, family.outputs),
    )


def _take(page: Document, place: Location, data: Any) -> Take:
    if isinstance(data, str):
        return Take(data)
    match list(data.items()) if isinstance(data, dict) else []:
        case [("flat" | "vectors" as how, str() as name)]:
            return Take(name, how)
    raise page.error(place, "must be a name, {flat: name} or {vectors: name}")


def _template(
    page: Document, place: Location, data: Any, contract: Contract, outputs: tuple[str, ...]
) -> Template:
    """The answer's template, in the shape of `returns` as far as it goes."""
    if isinstance(contract, Dict) and isinstance(data, dict):
        fields = dict(contract.fields)
        if set(data) != set(fields):
            raise page.error(place, f"must have the keys of `returns`: {', '.join(fields)}")
        return {k: _template(page, (*place, k), data[k], c, outputs) for k, c in fields.items()}
    if isinstance(contract, (Tuple, List)) and isinstance(data, list):
        if len(data) != len(contract.items):
            raise page.error(place, f"must have {len(contract.items)} items, as `returns` has")
        pairs = enumerate(zip(data, contract.items, strict=True))
        return tuple(_template(page, (*place, i), d, c, outputs) for i, (d, c) in pairs)
    take = _take(page, place, data)
    if take.name not in outputs:
        raise page.error(
            place, f"{take.name!r} is not an output", f"the core's are {', '.join(outputs)}"
        )
    return take


# --- Tests ---------------------------------------------------------------------------------------


def _listed(
    family: Family, page: Document, written: VariantIn
) -> Iterator[tuple[Location, SampleIn | None, FamilyTest]]:
    """The variant's tests in file order, samples first; each at most once."""
    entries: list[tuple[Location, SampleIn | None, str]] = [
        *((("samples", i, "test"), s, s.test) for i, s in enumerate(written.samples)),
        *((("tests", i), None, name) for i, name in enumerate(written.tests)),
    ]
    seen: set[str] = set()
    for place, sample, name in entries:
        if name not in family.tests:
            raise page.error(place, f"the family has no test {name!r}")
        if name in seen:
            raise page.error(place, f"the test {name!r} is listed twice")
        seen.add(name)
        yield place, sample, family.tests[name]


def _contents(
    family: Family, bare: Variant, test: FamilyTest, maker: Maker, page: Document, place: Location
) -> Callable[[], Contents]:
    """What gives a test's contents: stored ones once and for all, big ones anew each time."""
    parameters = dict(bare.core.parameters)
    if test.on_demand:
        return partial(_made, family, bare, test, maker, parameters)
    outputs = test.output(parameters)
    if test.inputs is None or outputs is None:
        raise page.error(
            place,
            f"the test {test.name!r} has no stored answer for these parameters",
            f"run `allclose generate {family.name}`",
        )
    try:
        contents = formed(bare, test.inputs, outputs)
    except forms.Unfit as error:
        raise page.error(
            place, f"the test {test.name!r} does not fit this variant: {error}"
        ) from None
    return lambda: contents


def _made(
    family: Family, bare: Variant, test: FamilyTest, maker: Maker, parameters: Named
) -> Contents:
    return formed(bare, *maker(family, test, parameters))


def formed(variant: Variant, inputs: Named, outputs: Named) -> Contents:
    """Inputs and outputs of the core in the variant's form, arrays read-only. Raises Unfit."""
    arguments = forms.arguments(variant, inputs)
    answer = forms.answer(variant, outputs)
    _lock(arguments)
    _lock(answer)
    return Contents(arguments, answer)


def _lock(value: Value) -> None:
    match value:
        case np.ndarray():
            value.flags.writeable = False
        case list() | tuple():
            for item in value:
                _lock(item)
        case dict():
            for item in value.values():
                _lock(item)


def _made_from(family: Family, name: str) -> str:
    """A hash of what a test's contents come from."""
    test = family.tests[name]
    if test.recipe is not None and test.on_demand:
        recipe = test.recipe
        return digest(recipe.source, recipe.seed, [list(pair) for pair in recipe.arguments])
    outputs = [[dict(given), dict(found)] for given, found in test.outputs]
    return digest(test.inputs_hash, outputs)
