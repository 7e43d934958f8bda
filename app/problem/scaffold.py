"""A new package, or a variant of one: complete, but for what only its author can decide.

Every such place holds the word DECIDE, and `verify` refuses a package in which that word is left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from app.errors import Invalid
from app.model import Value
from app.problem import load
from app.problem.family import Family, FamilyTest
from app.problem.folder import Folder
from app.problem.generate import written

DECIDE = "DECIDE"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
_FIRST = "first"  # the variant that a new family starts with


def write(problems: Path, name: str) -> tuple[Path, ...]:
    """Writes `family` with a first variant, or `family/variant` into a family that exists.

    Gives the files written, relative to the problems folder. Raises Invalid for a name that cannot
    be one or is taken, PackageError where the family that is to get a variant is broken.
    """
    family, slash, variant = name.partition("/")
    for part in (family, variant) if slash else (family,):
        if not _NAME.match(part):
            raise Invalid(f"{part!r} cannot be a name: small letters, digits and underscores")
    target = problems / family / "variants" / variant if slash else problems / family
    if target.exists():
        raise Invalid(f"there is a {name!r} already: {target}")
    if not slash:
        return _new_family(problems, family)
    if not (problems / family).is_dir():
        raise Invalid(
            f"there is no family {family!r}; write it first: allclose new family {family}"
        )
    return _new_variant(Folder(problems, family), variant)


def _new_family(problems: Path, name: str) -> tuple[Path, ...]:
    folder = Folder(problems, name)
    made = _filled("family", folder.root, {"FAMILY": name})
    family = load.family(folder, with_data=False)
    made += [_data(family, test) for test in family.tests.values()]
    made += _variant_files(family, _FIRST)
    return tuple(path.relative_to(problems) for path in made)


def _new_variant(folder: Folder, name: str) -> tuple[Path, ...]:
    family = load.family(folder)
    return tuple(path.relative_to(folder.problems) for path in _variant_files(family, name))


def _variant_files(family: Family, name: str) -> list[Path]:
    """A variant that hands every input over as it is, and returns every output by name in its form."""
    inputs: Mapping[str, Any] = family.document.data["inputs"]
    tests = list(family.tests)
    lines = {
        "ARGUMENTS": "\n".join(f"  {key}: {_flow(data)}" for key, data in inputs.items()),
        "INPUTS": "\n".join(f"  {key}: {key}" for key in inputs),
        "RETURNS": _flow({"dict": {key: _kind(_stored(family, key)) for key in family.outputs}}),
        "ANSWER": _flow({output: output for output in family.outputs}),
        "SAMPLES": f'  - {{test: {tests[0]}, title: "{DECIDE}: a title, and why"}}',
        "TESTS": ", ".join(tests[1:]),
        "PARAMETERS": ", ".join(inputs),
        "VARIANT": name,
    }
    return _filled("variant", family.folder.root / "variants" / name, lines)


def _stored(family: Family, output: str) -> list[Value]:
    """What the core gives for an output, as far as it has been generated."""
    given = (out for test in family.tests.values() for _, out in test.outputs)
    return [out[output] for out in given if output in out]


def _kind(values: Sequence[Value]) -> dict[str, Any]:
    """A contract that these values keep; the author may ask for another form."""
    some = [v for v in values if not isinstance(v, list | tuple | dict) or v]
    match next(iter(some), 0.0):
        case bool():
            return {"boolean": {}}
        case int() if not any(isinstance(value, float) for value in some):
            return {"integer": {}}
        case str():
            return {"string": {}}
        case np.ndarray():
            return {"array": {}}
        case list() | tuple():
            lists = (value for value in some if isinstance(value, list | tuple))
            return {"list_of": _kind([item for value in lists for item in value])}
        case dict():
            dicts = (value for value in some if isinstance(value, dict))
            return {"dict_of": _kind([item for value in dicts for item in value.values()])}
        case _:
            return {"number": {}}


def _data(family: Family, test: FamilyTest) -> Path:
    """What `generate` would write for a test of the template, whose core is a sum."""
    assert test.inputs is not None
    values: Any = test.inputs["values"]
    outputs: dict[str, Value] = {"total": sum(values)}
    path = family.folder.root / "data" / f"{test.name}.json"
    path.parent.mkdir(exist_ok=True)
    whole = FamilyTest(
        test.name, test.labels, None, test.inputs, test.inputs_hash, (({}, outputs),)
    )
    path.write_text(written(whole), encoding="utf-8")
    return path


def _filled(template: str, target: Path, words: Mapping[str, str]) -> list[Path]:
    """The files of a template, each word of it replaced; the names of files lose their `.txt`."""
    made: list[Path] = []
    _copy(resources.files("app.problem") / "template" / template, target, words, made)
    return made


def _copy(source: Traversable, target: Path, words: Mapping[str, str], made: list[Path]) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in sorted(source.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            _copy(entry, target / entry.name, words, made)
        elif entry.name.endswith(".txt"):
            text = entry.read_text(encoding="utf-8")
            for word, value in words.items():
                text = re.sub(rf"\b{word}\b", value.replace("\\", "\\\\"), text)
            path = target / entry.name.removesuffix(".txt")
            path.write_text(text, encoding="utf-8")
            made.append(path)


def _flow(data: object) -> str:
    text: str = yaml.safe_dump(data, default_flow_style=True, sort_keys=False, width=10_000)
    return text.strip()
