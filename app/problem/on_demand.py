"""Big tests: made in boxes when they are first asked for, then kept on disk."""

from __future__ import annotations

from dataclasses import dataclass

from app.model import Call, Runner, Value
from app.problem.answer import ProgramFailed, core_call, generator_call, named_values, outcomes
from app.problem.family import Family, FamilyTest, Named, Recipe
from app.problem.kept import Kept
from app.problem.versions import digest


@dataclass(frozen=True, slots=True)
class OnDemand:
    """Makes the contents of tests that are not stored, once on a machine."""

    runner: Runner
    kept: Kept

    def __call__(self, family: Family, test: FamilyTest, parameters: Named) -> tuple[Named, Named]:
        """Inputs and outputs of a test. Raises PackageError where the package's program failed."""
        inputs = self.inputs(family, test)
        key = digest(_made_by(test), family.core, _pairs(parameters))
        call = core_call(family, inputs, parameters)
        return inputs, self._made(family, test.name, key, call, family.outputs, "the core")

    def inputs(self, family: Family, test: FamilyTest) -> Named:
        recipe = _recipe(test)
        what = f"the generator {recipe.generator}"
        key, call = digest(_made_by(test)), generator_call(recipe)
        return self._made(family, test.name, key, call, family.input_names, what)

    def outputs(self, family: Family, name: str, inputs: Named, parameters: Named) -> Named:
        """What the core makes of inputs that are at hand. Raises PackageError."""
        key = digest(_pairs(inputs), family.core, _pairs(parameters))
        call = core_call(family, inputs, parameters)
        return self._made(family, name, key, call, family.outputs, "the core")

    def _made(
        self, family: Family, test: str, key: str, call: Call, names: tuple[str, ...], what: str
    ) -> Named:
        found = self.kept.read(key)
        if isinstance(found, dict):
            return found
        try:
            made = dict(named_values(outcomes(self.runner, [call])[0], names, what))
        except ProgramFailed as error:
            raise family.document.error(("tests", test), str(error)) from None
        kept = self.kept.write(key, made)
        return kept if isinstance(kept, dict) else made


def _pairs(values: Named) -> list[Value]:
    return [[name, value] for name, value in values.items()]


def _recipe(test: FamilyTest) -> Recipe:
    assert test.recipe is not None
    return test.recipe


def _made_by(test: FamilyTest) -> str:
    recipe = _recipe(test)
    return digest(recipe.source, recipe.seed, _pairs(dict(recipe.arguments)))
