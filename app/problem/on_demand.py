"""Big tests: made in boxes when they are first asked for, then kept on disk."""

from __future__ import annotations

from dataclasses import dataclass

from app.model import Call, Core, Runner
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
        call = core_call(
            Core(family.core, (), tuple(parameters.items()), ()), inputs, family.input_names
        )
        key = digest(_made_by(test), family.core, [list(p) for p in parameters.items()])
        return inputs, self._made(family, test, key, call, family.outputs, "the core")

    def inputs(self, family: Family, test: FamilyTest) -> Named:
        recipe = _recipe(test)
        what = f"the generator {recipe.generator}"
        call = generator_call(recipe)
        return self._made(family, test, digest(_made_by(test)), call, family.input_names, what)

    def _made(
        self,
        family: Family,
        test: FamilyTest,
        key: str,
        call: Call,
        names: tuple[str, ...],
        what: str,
    ) -> Named:
        found = self.kept.read(key)
        if isinstance(found, dict):
            return found
        try:
            made = dict(named_values(outcomes(self.runner, [call])[0], names, what))
        except ProgramFailed as error:
            raise family.document.error(("tests", test.name), str(error)) from None
        kept = self.kept.write(key, made)
        return kept if isinstance(kept, dict) else made


def _recipe(test: FamilyTest) -> Recipe:
    assert test.recipe is not None
    return test.recipe


def _made_by(test: FamilyTest) -> str:
    recipe = _recipe(test)
    return digest(recipe.source, recipe.seed, [list(pair) for pair in recipe.arguments])
