"""Big tests: made in boxes when they are first asked for, kept as .npy files, memory-mapped.

An entry of the cache is a folder named by the hash of what made it: `tree.json` is the typed value
with each large array replaced by `{"npy": "3.npy"}`. A folder is written beside its place and
renamed into it, so that several processes can make the same entry and none reads half of one.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app import notation
from app.errors import PackageError
from app.model import Call, Core, Runner, Value
from app.problem.answer import (
    ProgramFailed,
    core_call,
    generator_call,
    named_values,
    outcomes,
)
from app.problem.family import Family, FamilyTest, Named
from app.problem.versions import digest

LARGE = 512  # entries from which an array gets a file of its own
FORMAT = "1"  # part of every key: a change of format makes new entries


@dataclass(frozen=True, slots=True)
class OnDemand:
    """Makes the contents of tests that are not stored, once on a machine."""

    runner: Runner
    cache_dir: Path

    def __call__(self, family: Family, test: FamilyTest, parameters: Named) -> tuple[Named, Named]:
        """Inputs and outputs of a test. Raises PackageError where the package's program failed."""
        return self.inputs(family, test), self._outputs(family, test, parameters)

    def inputs(self, family: Family, test: FamilyTest) -> Named:
        assert test.recipe is not None
        key = digest(FORMAT, test.recipe.source, test.recipe.seed, list(test.recipe.arguments))
        names, what = family.input_names, f"the generator {test.recipe.generator}"
        call = generator_call(test.recipe)
        return self._kept(family, test, key, call, names, what)

    def _outputs(self, family: Family, test: FamilyTest, parameters: Named) -> Named:
        assert test.recipe is not None
        core = Core(family.core, (), tuple(parameters.items()), ())
        recipe = test.recipe
        key = digest(FORMAT, recipe.source, recipe.seed, list(recipe.arguments), family.core,
                     list(core.parameters))  # fmt: skip
        if (found := self._read(key)) is not None:
            return found
        call = core_call(core, self.inputs(family, test), family.input_names)
        return self._kept(family, test, key, call, family.outputs, "the core")

    def _kept(
        self, family: Family, test: FamilyTest, key: str, call: Call,
        names: tuple[str, ...], what: str,
    ) -> Named:  # fmt: skip
        if (found := self._read(key)) is not None:
            return found
        try:
            made = named_values(outcomes(self.runner, [call])[0], names, what)
        except ProgramFailed as error:
            place = family.folder.shown("family.yaml")
            line = family.document.line(("tests", test.name))
            raise PackageError(f"tests.{test.name}: {error}", place, line) from None
        self._write(key, made)
        return self._read(key) or made

    def _read(self, key: str) -> Named | None:
        folder = self.cache_dir / key
        try:
            tree = json.loads((folder / "tree.json").read_text())
        except FileNotFoundError:
            return None
        return {name: _unpacked(data, folder) for name, data in tree.items()}

    def _write(self, key: str, values: Named) -> None:
        self.cache_dir.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(prefix=".making-", dir=self.cache_dir))
        try:
            tree = {name: _packed(value, making) for name, value in values.items()}
            (making / "tree.json").write_text(json.dumps(tree, allow_nan=False))
            os.rename(making, self.cache_dir / key)
        except OSError:
            # Another process was first (its entry is as good), or the disk is full: the caller
            # then works with the values it has.
            shutil.rmtree(making, ignore_errors=True)


def _packed(value: Value, folder: Path) -> object:
    """Typed JSON of a value, large arrays moved out into files."""
    match value:
        case np.ndarray() if value.size >= LARGE:
            name = f"{len(list(folder.iterdir()))}.npy"
            np.save(folder / name, value, allow_pickle=False)
            return {"npy": name}
        case list():
            return {"list": [_packed(item, folder) for item in value]}
        case dict():
            return {"entries": [[k, _packed(v, folder)] for k, v in value.items()]}
        case _:
            return {"value": notation.to_json(value)}


def _unpacked(data: dict[str, object], folder: Path) -> Value:
    match data:
        case {"npy": str() as name}:
            # `asarray` drops the memmap class: values are of exact type, the mapping stays alive.
            return np.asarray(np.load(folder / name, mmap_mode="r", allow_pickle=False))
        case {"list": list() as items}:
            return [_unpacked(item, folder) for item in items]
        case {"entries": list() as pairs}:
            return {key: _unpacked(item, folder) for key, item in pairs}
        case _:
            return notation.from_json(data["value"])
