"""How a general pattern is held against the evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.contract import Contract, Leaf, Tolerance
from app.diagnose.evidence import Case, Compare, Output, split
from app.form import Misfit, loosened, mapped, recast, rounded, with_leaves
from app.model import Diagnosis, Value, Variant

Floats: TypeAlias = NDArray[np.float64]

# A wrong program need not be as careful as an accepted one to be recognised.
_ROOM = 1e-9


@dataclass(frozen=True, slots=True)
class Look:
    """The evidence, and how a pattern is held against it."""

    variant: Variant
    cases: Sequence[Case]
    compare: Compare

    @property
    def failed(self) -> list[Case]:
        return [case for case in self.cases if case.seen]

    @property
    def sample_failed(self) -> bool:
        """Then a learner knows the numbers, and an explanation may name one."""
        return any(case.test.sample for case in self.failed)

    def in_form(self) -> bool:
        """Whether every failure has the outer form asked for, and a wrong output."""
        outputs = len(list(split(self.variant.returns)))
        return all(
            len(case.outputs) == outputs and any(output.wrong for output in case.outputs)
            for case in self.failed
        )

    def outputs(self) -> Iterator[tuple[Case, Output]]:
        """On every test the outputs that are wrong on some test; failures first."""
        wrong = {output.number for case in self.failed for output in case.outputs if output.wrong}
        for case in self.cases:
            if case.passed or case.seen:
                yield from ((case, output) for output in case.outputs if output.number in wrong)

    def explained_by(
        self,
        predict: Callable[[Case, Output], Value],
        held_against: Callable[[Contract], Contract],
        returned: Callable[[Case, Output], Value] | None = None,
    ) -> bool:
        """Whether every wrong output equals the prediction, and none that is right contradicts it.

        A prediction that would pass on every test explains nothing, however near it is.

        held_against   the contract in which a wrong output is compared with the prediction
        returned       what such a program returns, for the rules of the contract to judge: the
                       prediction, rounded where the contract says so, unless stated
        """
        if not self.in_form():
            return False
        harmful = False
        for case, output in self.outputs():
            predicted = predict(case, output)
            made = returned(case, output) if returned else rounded(predicted, output.contract)
            if output.wrong:
                agrees = self.fits(output.got, held_against(output.contract), predicted)
                harmful = harmful or not self.passes(made, output)
            else:
                agrees = self.passes(made, output)
            if not agrees:
                return False
        return harmful

    def fits(self, value: Value, contract: Contract, answer: Value) -> bool:
        own = self.variant.tolerance
        tolerance = Tolerance(max(_ROOM, own.rtol), own.atol)
        try:
            mismatch = self.compare(value, contract, recast(answer, contract), tolerance)
        except Misfit:
            return False
        return mismatch is None

    def passes(self, value: Value, output: Output) -> bool:
        contract = numbers_only(output.contract)
        value = recast(value, contract)
        return self.compare(value, contract, output.want, self.variant.tolerance) is None


Pattern: TypeAlias = Callable[[Look], Diagnosis | None]


def numbers_only(contract: Contract) -> Contract:
    """Any container for the numbers, any kind of number; rounded where it was asked for."""
    return with_leaves(
        loosened(contract),
        lambda leaf: leaf if leaf.kind == "boolean" else replace(leaf, dtype_kinds="fiu"),
    )


def unrounded(contract: Contract) -> Contract:
    return with_leaves(numbers_only(contract), lambda leaf: replace(leaf, round=None))


def each_leaf(change: Callable[[Floats], Floats]) -> Callable[[Case, Output], Value]:
    """The prediction that changes every array of numbers in the answer."""

    def changed(leaf: Leaf, value: Value) -> Value:
        if leaf.kind in ("string", "boolean"):
            return value
        numbers = np.asarray(value, dtype=np.float64)
        if leaf.kind == "integer" and np.any(np.abs(numbers) >= 2**53):
            raise OverflowError
        with np.errstate(all="ignore"):
            return change(numbers)

    def prediction(case: Case, output: Output) -> Value:
        try:
            return mapped(output.want, output.contract, changed)
        except OverflowError:
            return None  # a float64 does not count that far: no patterns

    return prediction
