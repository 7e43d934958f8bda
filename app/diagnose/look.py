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
        return all(
            len(case.outputs) == len(list(split(self.variant.returns, case.contents.answer)))
            and any(output.wrong for output in case.outputs)
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

        held_against   the contract in which a wrong output is compared with the prediction
        returned       what such a program returns where the output is right: the prediction,
                       rounded where the contract says so, unless stated
        """
        if not self.in_form():
            return False
        for case, output in self.outputs():
            if output.wrong:
                agrees = self.fits(output.got, held_against(output.contract), predict(case, output))
            elif returned:
                agrees = self.passes(returned(case, output), output)
            else:
                agrees = self.passes(rounded(predict(case, output), output.contract), output)
            if not agrees:
                return False
        return True

    def fits(self, value: Value, contract: Contract, answer: Value) -> bool:
        own = self.variant.tolerance
        tolerance = Tolerance(max(_ROOM, own.rtol), own.atol)
        try:
            return self.compare(value, contract, answer, tolerance) is None
        except Misfit:
            return False

    def passes(self, value: Value, output: Output) -> bool:
        contract = loosened(output.contract)
        value = recast(value, contract)
        return self.compare(value, contract, output.want, self.variant.tolerance) is None


Pattern: TypeAlias = Callable[[Look], Diagnosis | None]


def numbers_only(contract: Contract) -> Contract:
    """Any container for the numbers, any kind of number; rounded where it was asked for."""
    return with_leaves(loosened(contract), lambda leaf: replace(leaf, dtype_kinds=None))


def unrounded(contract: Contract) -> Contract:
    return with_leaves(numbers_only(contract), lambda leaf: replace(leaf, round=None))


def each_leaf(change: Callable[[Floats], Floats]) -> Callable[[Case, Output], Value]:
    """The prediction that changes every array of numbers in the answer."""

    def changed(leaf: Leaf, value: Value) -> Value:
        if leaf.kind in ("string", "boolean"):
            return value
        try:
            with np.errstate(all="ignore"):
                return change(np.asarray(value, dtype=np.float64))
        except OverflowError:
            return value  # integers beyond float64 have no patterns

    return lambda case, output: mapped(output.want, output.contract, changed)
