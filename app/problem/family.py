"""A family in memory: one core, its tests, and what its variants are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.contract import Argument
from app.model import Take, Value
from app.problem.document import Document
from app.problem.folder import Folder
from app.problem.programs import MistakeFile
from app.problem.versions import digest

Named = Mapping[str, Value]  # the core's inputs or outputs, by name


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a test's inputs are made: `generate(seed, *arguments)` in a box."""

    generator: str  # name
    source: str
    seed: int
    arguments: tuple[tuple[str, Value], ...]
    stored: bool


@dataclass(frozen=True, slots=True)
class FamilyTest:
    """One test as the family stores it.

    inputs   None where they are made on demand (`recipe.stored` is false)
    outputs  the core's named outputs for each set of parameters that a variant asks for
    """

    name: str
    labels: tuple[str, ...]
    recipe: Recipe | None = None
    inputs: Named | None = None
    inputs_hash: str = ""
    outputs: tuple[tuple[Named, Named], ...] = ()

    @property
    def on_demand(self) -> bool:
        return self.recipe is not None and not self.recipe.stored

    def output(self, parameters: Named) -> Named | None:
        """The stored outputs for these parameters, if `generate` has made them."""
        return next((out for given, out in self.outputs if given == parameters), None)


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A change of an accepted program that leaves it right, as the author declares it."""

    before: str
    after: str
    reason: str
    operator: str = ""
    only_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """What a value of a parameter asks of a learner: the words that tell variants apart."""

    parameter: str
    value: Value
    words: str


@dataclass(frozen=True, slots=True)
class Family:
    """A package's family.yaml, programs and data, read and checked."""

    name: str
    title: str
    folder: Folder
    document: Document
    inputs: tuple[Argument, ...]
    outputs: tuple[str, ...]
    parameters: tuple[tuple[str, Value], ...]
    labels: Mapping[str, str]
    core: str
    check: str
    lesson: str
    mistakes: tuple[MistakeFile, ...]
    tests: Mapping[str, FamilyTest]
    equivalents: tuple[Equivalent, ...] = ()
    asks: tuple[Ask, ...] = ()

    def asked(self, parameter: str, value: Value) -> str:
        """What this value asks, in the author's words; empty where there are none."""
        found = (a for a in self.asks if a.parameter == parameter)
        return next((a.words for a in found if digest(a.value) == digest(value)), "")

    @property
    def input_names(self) -> tuple[str, ...]:
        return tuple(argument.name for argument in self.inputs)

    @property
    def signature(self) -> tuple[str, ...]:
        """The parameters of core, check and every mistake."""
        return (*self.input_names, *(name for name, _ in self.parameters))

    def positional(self, inputs: Named, parameters: Named) -> tuple[Value, ...]:
        """What core, check and every mistake are called with: the values of `signature`."""
        given = {**inputs, **parameters}
        return tuple(given[name] for name in self.signature)

    def in_order(self, inputs: Named) -> Named:
        """The inputs as the core has them; JSON on its way through a store may sort its keys."""
        return {name: inputs[name] for name in self.input_names}

    def with_tests(self, tests: Mapping[str, FamilyTest]) -> Family:
        return replace(self, tests=tests)


def in_family_order(
    takes: Mapping[str, Take], input_names: tuple[str, ...]
) -> tuple[tuple[str, Take], ...]:
    """A variant's takes in the order in which the core has its inputs."""
    return tuple(sorted(takes.items(), key=lambda item: input_names.index(item[1].name)))
