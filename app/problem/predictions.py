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
BIG = 20_000  # numbers in a test from which predictions are kept on disk


@dataclass(frozen=True, slots=True)
class _OnDisk:
    """Where a big result is kept."""

    key: str


@dataclass(frozen=True, slots=True)
class Predictions:
    """`Variant.predict`: what a mistake does on a test, in the variant's form, unrounded.

    The mistake gets the core's inputs as they come back from the variant's own arguments, so that
    it means there what a learner of this variant would do.
    """

    variant: Variant
    runner: Runner
    kept: Kept
    _known: dict[tuple[str, str], Fact | _OnDisk | None] = field(default_factory=dict)
    _running: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, mistake: Mistake, test: TestCase) -> Fact | None:
        """None for a test that is not the variant's own, or where the mistake owes a result."""
        if not any(known is test for known in self.variant.tests):
            return None
        key = (mistake.name, test.name)
        with self._running:
            if key not in self._known:
                self._run(mistake, test)
            found = self._known[key]
            if isinstance(found, _OnDisk):
                return self._read(found.key) or self._again(mistake, test)
            return found

    def _run(self, mistake: Mistake, test: TestCase) -> None:
        """All mistakes on the first test that is asked about, side by side: every one is asked.

        After that only the one that is asked for: the first test has ruled out most of them. What
        comes back from a big test goes to disk.
        """
        contents = test.contents()
        if numbers_in(contents.arguments) > BIG:
            self._run_big(mistake, test, contents)
            return
        mistakes = (mistake,) if self._known else self.variant.mistakes
        calls = [self._call(one, contents) for one in mistakes]
        for index, outcome in self.runner.run(calls):
            self._known[mistakes[index].name, test.name] = self._formed(outcome)

    def _run_big(self, mistake: Mistake, test: TestCase, contents: Contents) -> None:
        key = self._key(mistake, contents)
        known: Fact | _OnDisk | None = _OnDisk(key)
        if self._read(key) is None:
            fact = self._formed(outcomes(self.runner, [self._call(mistake, contents)])[0])
            if isinstance(fact, Returned):
                self._write(key, fact)
            else:
                known = fact
        self._known[mistake.name, test.name] = known

    def _again(self, mistake: Mistake, test: TestCase) -> Fact | None:
        """The file was deleted, or the disk is full: the mistake runs once more."""
        call = self._call(mistake, test.contents())
        return self._formed(outcomes(self.runner, [call])[0])

    def _key(self, mistake: Mistake, contents: Contents) -> str:
        return digest("mistake", mistake.source, self.variant.version, contents.arguments)

    def _read(self, key: str) -> Returned | None:
        kept = self.kept.read(key)
        if not isinstance(kept, dict):
            return None
        return Returned(kept["value"], bool(kept["inputs_unchanged"]))

    def _write(self, key: str, fact: Returned) -> None:
        self.kept.write(key, {"value": fact.value, "inputs_unchanged": fact.inputs_unchanged})

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


def numbers_in(value: Value) -> int:
    """How many numbers a value holds."""
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, (list, tuple)):
        return sum(map(numbers_in, value))
    if isinstance(value, dict):
        return sum(map(numbers_in, value.values()))
    return 1
