"""Writes data/<test>.json: inputs from generators, outputs from the core, each run in a box.

The same package gives the same bytes: keys in declared order, numbers as their shortest exact
decimals, one line per output, a line feed at the end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from app import notation
from app.errors import PackageError
from app.model import Call, Runner
from app.problem import load, variants
from app.problem.answer import (
    ProgramFailed,
    core_call,
    generator_call,
    named_values,
)
from app.problem.family import Family, FamilyTest, Named
from app.problem.folder import DATA_KIB, Folder
from app.problem.metadata import VariantIn


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one data file."""

    file: Path
    kind: Literal["new", "changed", "unchanged", "removed"]


Progress = Callable[[int, int], None]  # runs done, runs in all


def generate(
    problems: Path, name: str, runner: Runner, *, check: bool = False,
    progress: Progress = lambda done, total: None,
) -> tuple[Change, ...]:  # fmt: skip
    """Makes a family's data anew; with `check` only says what would change.

    Raises PackageError where a program of the package fails, and writes nothing then.
    """
    family = load.family(Folder(problems, name), with_data=False)
    made = made_tests(family, runner, progress)
    files = {f"{test.name}.json": _checked(family, test) for test in made}
    changes = tuple(_changes(family, files))
    if not check:
        for change in changes:
            _apply(family, change, files)
    return changes


def made_tests(
    family: Family,
    runner: Runner,
    progress: Progress = lambda done, total: None,
    names: Sequence[str] | None = None,
) -> tuple[FamilyTest, ...]:
    """The family's tests with inputs and outputs made now. Raises PackageError.

    names   the variants whose parameters count; all of them, unless some are known to be broken
    """
    wanted = asked_parameters(family, variants.names(family) if names is None else names)
    recipes = [test for test in family.tests.values() if test.recipe is not None]
    pairs = [
        (test, given)
        for test in family.tests.values()
        if not test.on_demand
        for given in wanted.get(test.name, ())
    ]
    run = _Running(family, runner, progress, len(recipes) + len(pairs))
    inputs = run.inputs(recipes)
    outputs = run.outputs([(t, inputs.get(t.name) or t.inputs or {}, g) for t, g in pairs])
    return tuple(_completed(t, inputs.get(t.name), outputs) for t in family.tests.values())


def asked_parameters(family: Family, names: Sequence[str]) -> dict[str, tuple[Named, ...]]:
    """For each test the sets of parameters with which one of these variants asks for it."""
    asked: dict[str, list[Named]] = {}
    for name in names:
        page, variant = variants.as_written(family, name)
        given = {
            n: load.value_at(page, ("parameters", n), variant.parameters[n])
            if n in variant.parameters
            else default
            for n, default in family.parameters
        }
        for test in _tests(variant):
            if given not in asked.setdefault(test, []):
                asked[test].append(given)
    return {test: tuple(found) for test, found in asked.items()}


def _tests(variant: VariantIn) -> Iterator[str]:
    yield from (sample.test for sample in variant.samples)
    yield from variant.tests


@dataclass(slots=True)
class _Running:
    """Runs of one `generate`, counted for the progress bar."""

    family: Family
    runner: Runner
    progress: Progress
    total: int
    done: int = 0

    def inputs(self, tests: Sequence[FamilyTest]) -> dict[str, Named]:
        calls = [generator_call(test.recipe) for test in tests if test.recipe is not None]
        names = self.family.input_names
        whats = [(test, f"the generator {test.recipe.generator}") for test in tests if test.recipe]
        return {
            t.name: found
            for (t, _), found in zip(whats, self.run(calls, names, whats), strict=True)
        }

    def outputs(
        self, tests: Sequence[tuple[FamilyTest, Named, Named]]
    ) -> list[tuple[str, Named, Named]]:
        family = self.family
        calls = [core_call(family, inputs, given) for _, inputs, given in tests]
        found = self.run(calls, family.outputs, [(test, "the core") for test, _, _ in tests])
        return [(t.name, given, out) for (t, _, given), out in zip(tests, found, strict=True)]

    def run(
        self, calls: Sequence[Call], names: Sequence[str], whats: Sequence[tuple[FamilyTest, str]]
    ) -> list[Named]:
        found: dict[int, Named] = {}
        for index, outcome in self.runner.run(calls):
            test, what = whats[index]
            try:
                found[index] = named_values(outcome, names, what)
            except ProgramFailed as error:
                raise self.family.document.error(("tests", test.name), str(error)) from None
            self.done += 1
            self.progress(self.done, self.total)
        return [found[i] for i in range(len(calls))]


def _completed(
    test: FamilyTest, inputs: Named | None, outputs: Sequence[tuple[str, Named, Named]]
) -> FamilyTest:
    known = inputs or test.inputs or {}
    return replace(
        test,
        inputs=None if test.on_demand else known,
        inputs_hash=load.inputs_hash(known),
        outputs=tuple((given, out) for name, given, out in outputs if name == test.name),
    )


def _checked(family: Family, test: FamilyTest) -> str:
    """The text of a test's data file, as long as it can be read again."""
    text = written(test)
    if len(text) > DATA_KIB * 1024:
        raise family.document.error(
            ("tests", test.name),
            f"its data would take more than {DATA_KIB} KiB",
            "make the inputs with a generator and `stored: false`",
        )
    return text


def written(test: FamilyTest) -> str:
    """The text of a test's data file."""
    parts = [f'"inputs_hash": "{test.inputs_hash}"']
    if test.recipe is not None and test.inputs is not None:
        parts.append(f'"inputs": {_line(_json(test.inputs))}')
    if test.outputs:
        lines = ",\n    ".join(
            _line({"parameters": _json(given), **_json(found)}) for given, found in test.outputs
        )
        parts.append(f'"outputs": [\n    {lines}\n  ]')
    return "{\n  " + ",\n  ".join(parts) + "\n}\n"


def _json(values: Named) -> dict[str, Any]:
    return {name: notation.to_json(value) for name, value in values.items()}


def _line(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def _changes(family: Family, files: dict[str, str]) -> Iterator[Change]:
    for name, text in files.items():
        file = f"data/{name}"
        if not family.folder.exists(file):
            yield Change(family.folder.shown(file), "new")
        else:
            try:
                same = family.folder.text(file, limit_kib=DATA_KIB) == text
            except PackageError:  # unreadable is as good as changed: it is written anew
                same = False
            yield Change(family.folder.shown(file), "unchanged" if same else "changed")
    for name in family.folder.names("data", ".json"):
        if name not in files:
            yield Change(family.folder.shown(f"data/{name}"), "removed")


def _apply(family: Family, change: Change, files: dict[str, str]) -> None:
    path = family.folder.problems / change.file
    if change.kind == "removed":
        path.unlink()
    elif change.kind != "unchanged":
        path.parent.mkdir(exist_ok=True)
        making = path.with_name(f".{path.name}.{os.getpid()}")
        making.write_text(files[path.name], encoding="utf-8")
        making.replace(path)
