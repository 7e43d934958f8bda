"""A package folder becomes a Family: read, checked, nothing executed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app import notation
from app.errors import Invalid, PackageError
from app.model import Value
from app.problem import contracts, document, programs, typed
from app.problem.document import Document, Location
from app.problem.family import Ask, Equivalent, Family, FamilyTest, Named, Recipe
from app.problem.folder import DATA_KIB, Folder
from app.problem.metadata import FamilyIn, FamilyTestIn, check
from app.problem.programs import MistakeFile
from app.problem.versions import digest

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")


def names(problems: Path) -> tuple[str, ...]:
    """The packages in a folder of packages, in order of name."""
    if not problems.is_dir():
        raise PackageError("is not a folder", problems, remedy="point at the folder of packages")
    found = (p.name for p in problems.iterdir() if p.is_dir() and p.name[0] not in "._")
    return tuple(sorted(found))


def check_name(name: str, place: Path) -> None:
    """Names of families and variants stand in addresses of pages."""
    if not _NAME.match(name):
        raise PackageError(
            f"{name!r} cannot be a name",
            place,
            remedy="rename the folder: small letters, digits, underscores and hyphens",
        )


def family(folder: Folder, *, with_data: bool = True) -> Family:
    """The family in a folder. Raises PackageError with file, line and remedy.

    Without data it is what `generate` starts from: stored inputs and outputs are not read.
    """
    check_name(folder.name, Path(folder.name))
    page = document.parse(folder.text("family.yaml"), folder.shown("family.yaml"))
    written = check(page, FamilyIn)
    inputs = contracts.arguments(page, ("inputs",), written.inputs)
    parameters = tuple(
        (name, value_at(page, ("parameters", name), data))
        for name, data in written.parameters.items()
    )
    _check_names(page, written)
    signature = (*written.inputs, *written.parameters)
    source = _program(folder, "core.py", "core", signature)
    bare = Family(
        name=folder.name,
        title=written.title,
        folder=folder,
        document=page,
        inputs=inputs,
        outputs=tuple(written.outputs),
        parameters=parameters,
        labels=written.labels,
        core=source,
        check=_program(folder, "check.py", "check", signature),
        lesson=folder.optional_text("lesson.md"),
        mistakes=_mistakes(folder, signature),
        tests={},
        equivalents=tuple(
            Equivalent(e.before, e.after, e.reason, e.operator, tuple(e.only_in))
            for e in written.equivalents
        ),
        asks=tuple(
            Ask(name, value_at(page, ("asks", name, i, "value"), ask.value), ask.words)
            for name, asks in written.asks.items()
            for i, ask in enumerate(asks)
        ),
    )
    read = _stored if with_data else _unstored
    return bare.with_tests({n: _test(bare, n, t, read) for n, t in written.tests.items()})


def value_at(page: Document, location: Location, data: Any) -> Value:
    """A typed value written at a place of a document."""
    try:
        return typed.value(data)
    except Invalid as error:
        raise page.error(location, str(error)) from None


def _check_names(page: Document, written: FamilyIn) -> None:
    if "parameters" in written.outputs:
        raise page.error(("outputs",), "an output cannot be named `parameters`")
    for name in written.parameters:
        if name in written.inputs:
            raise page.error(("parameters", name), "is also an input")
    for name in written.asks:
        if name not in written.parameters:
            raise page.error(("asks", name), "is not a parameter of the family")
    for name, test in written.tests.items():
        for i, label in enumerate(test.labels):
            if label not in written.labels:
                raise page.error(
                    ("tests", name, "labels", i),
                    f"the label {label!r} is not listed",
                    "add it under `labels:` with a hint for learners",
                )


def _program(folder: Folder, file: str, name: str, parameters: tuple[str, ...]) -> str:
    source = folder.text(file)
    programs.check_function(source, folder.shown(file), name, parameters)
    return source


def _mistakes(folder: Folder, signature: tuple[str, ...]) -> tuple[MistakeFile, ...]:
    files = [f"mistakes/{name}" for name in folder.names("mistakes", ".py")]
    return tuple(
        programs.mistake(
            Path(file).stem, _program(folder, file, "mistake", signature), folder.shown(file)
        )
        for file in files
    )


_Read = Callable[[Family, FamilyTest], FamilyTest]


def _test(family: Family, name: str, written: FamilyTestIn, read: _Read) -> FamilyTest:
    place: Location = ("tests", name)
    if (written.inputs is None) == (written.generator is None):
        raise family.document.error(place, "needs either `inputs` or a `generator`")
    if written.inputs is not None:
        inputs = _inline(family, place, written.inputs)
        test = FamilyTest(name, tuple(written.labels), None, inputs, inputs_hash(inputs))
    else:
        test = FamilyTest(name, tuple(written.labels), _recipe(family, place, written))
    return read(family, test)


def _inline(family: Family, place: Location, data: Mapping[str, Any]) -> Named:
    page = family.document
    for name in data:
        if name not in family.input_names:
            raise page.error((*place, "inputs", name), "is not an input of the family")
    for name in family.input_names:
        if name not in data:
            raise page.error((*place, "inputs"), f"the input {name!r} is missing")
    return {n: value_at(page, (*place, "inputs", n), data[n]) for n in family.input_names}


def _recipe(family: Family, place: Location, written: FamilyTestIn) -> Recipe:
    page = family.document
    if written.seed is None:
        raise page.error(place, "a generated test needs a `seed`", "add `seed: 1`")
    file = f"generators/{written.generator}.py"
    if not family.folder.exists(file):
        raise page.error((*place, "generator"), f"there is no {file}")
    source = _program(family.folder, file, "generate", ("seed", *written.arguments))
    arguments = tuple(
        (name, value_at(page, (*place, "arguments", name), data))
        for name, data in written.arguments.items()
    )
    return Recipe(str(written.generator), source, written.seed, arguments, written.stored)


def inputs_hash(inputs: Named) -> str:
    """Tells whether stored outputs belong to these inputs."""
    return digest([[name, value] for name, value in inputs.items()])


def _unstored(family: Family, test: FamilyTest) -> FamilyTest:
    return test


def _stored(family: Family, test: FamilyTest) -> FamilyTest:
    """The test with what `generate` stored for it."""
    file = f"data/{test.name}.json"
    again = f"run `allclose generate {family.name}`"
    if not family.folder.exists(file):
        raise PackageError("is missing", family.folder.shown(file), remedy=again)
    stored = _data(family.folder, file)
    shown = family.folder.shown(file)
    try:
        inputs = test.inputs
        if test.recipe is not None and test.recipe.stored:
            inputs = _named(stored["inputs"], family.input_names)
        outputs = tuple(_output(entry, family) for entry in stored.get("outputs", ()))
        known = str(stored["inputs_hash"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise PackageError(f"is not what `generate` writes: {error}", shown, remedy=again) from None
    if inputs is not None and inputs_hash(inputs) != known:
        raise PackageError("was made from other inputs", shown, remedy=again)
    return FamilyTest(test.name, test.labels, test.recipe, inputs, known, outputs)


def _data(folder: Folder, file: str) -> Any:
    text = folder.text(file, DATA_KIB)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise PackageError(f"is not JSON: {error.msg}", folder.shown(file), error.lineno) from None
    except (RecursionError, ValueError) as error:
        raise PackageError(f"is not JSON: {error}", folder.shown(file)) from None


def _named(data: Mapping[str, Any], wanted: tuple[str, ...]) -> Named:
    if set(data) != set(wanted):
        raise KeyError(f"the names {', '.join(wanted)} are asked for")
    return {name: notation.from_json(data[name]) for name in wanted}


def _output(entry: Mapping[str, Any], family: Family) -> tuple[Named, Named]:
    given = _named(entry["parameters"], tuple(name for name, _ in family.parameters))
    rest = {name: data for name, data in entry.items() if name != "parameters"}
    return given, _named(rest, family.outputs)
