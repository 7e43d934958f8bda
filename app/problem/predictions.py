"""What each mistake of a family does on a test: asked for after a test failed, run in boxes, kept."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

import numpy as np

from app.model import (
    Call,
    Contents,
    Fact,
    Limits,
    Mistake,
    NotCompiled,
    Outcome,
    Returned,
    Runner,
    TestCase,
    Value,
    Variant,
)
from app.problem import forms
from app.problem.answer import outcomes
from app.problem.kept import Kept
from app.problem.versions import digest

MISTAKE_LIMITS = Limits(time_s=5.0, wall_s=10.0, memory_mib=512)
BIG = 20_000  # numbers in a test from which predictions are kept on disk, one by one


@dataclass(frozen=True, slots=True)
class Predictions:
    """`Variant.predict`: what a mistake does on a test, in the variant's form, unrounded.

    The mistake gets the core's inputs as they come back from the variant's own arguments, so that
    it means there what a learner of this variant would do.
    """

    variant: Variant
    runner: Runner
    kept: Kept
    _known: dict[tuple[str, str], Fact | None] = field(default_factory=dict)
    _running: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, mistake: Mistake, test: TestCase) -> Fact | None:
        """None for a test that is not the variant's own, or where the mistake owes a result."""
        if not any(known is test for known in self.variant.tests):
            return None
        contents = test.contents()
        if _size(contents.arguments) > BIG:
            return self._kept_on_disk(mistake, contents)
        with self._running:
            if (mistake.name, test.name) not in self._known:
                self._run_all(test, contents)
            return self._known[mistake.name, test.name]

    def _run_all(self, test: TestCase, contents: Contents) -> None:
        """All mistakes on one test at once: whoever asks for one soon asks for the others."""
        mistakes = self.variant.mistakes
        found = outcomes(self.runner, [self._call(m, contents) for m in mistakes])
        for mistake, outcome in zip(mistakes, found, strict=True):
            self._known[mistake.name, test.name] = self._formed(outcome)

    def _call(self, mistake: Mistake, contents: Contents) -> Call:
        inputs = forms.inputs(self.variant, contents.arguments)
        arguments = forms.core_arguments(self.variant.core, inputs)
        return Call(mistake.source, "mistake", arguments, limits=MISTAKE_LIMITS)

    def _formed(self, outcome: Outcome) -> Fact | None:
        fact = outcome.fact
        if isinstance(fact, NotCompiled):
            return None
        if not isinstance(fact, Returned):
            return fact
        if type(fact.value) is not dict:
            return None
        try:
            return replace(fact, value=forms.answer(self.variant, fact.value))
        except forms.Unfit:
            return None

    def _kept_on_disk(self, mistake: Mistake, contents: Contents) -> Fact | None:
        key = digest("mistake", mistake.source, self.variant.version, contents.arguments)
        kept = self.kept.read(key)
        if isinstance(kept, dict):
            return Returned(kept["value"], bool(kept["inputs_unchanged"]))
        fact = self._formed(outcomes(self.runner, [self._call(mistake, contents)])[0])
        if isinstance(fact, Returned):
            tree = {"value": fact.value, "inputs_unchanged": fact.inputs_unchanged}
            self.kept.write(key, tree)
        return fact


def _size(value: Value) -> int:
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, (list, tuple)):
        return sum(map(_size, value))
    if isinstance(value, dict):
        return _size(list(value.values()))
    return 1
