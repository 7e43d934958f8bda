"""Can boxes judge, and which packages cannot be judged? Asked with programs that must be accepted.

A judging error in one variant may mean that its package is broken, or that boxes are. A canary is an
accepted program of a package: where that of the suspect fails and that of another variant passes,
only the suspect is kept out; where none passes, nothing may be judged.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from app.errors import PackageError, RequestError
from app.model import Judgement, TestCase, Variant
from app.problem import Catalogue

# Judges a program on these tests, all where None; a fault of ours is a judging error, not raised.
Judged: TypeAlias = Callable[[str, Variant, Sequence[TestCase] | None], Judgement]

# How many other packages are asked before boxes are blamed. They are drawn anew each time, so that
# a few more broken packages do not pass for broken boxes for ever.
_OTHERS = 5


@dataclass(frozen=True, slots=True)
class Found:
    """Why nothing may be judged, empty where it may; and which variants may not, with the reason."""

    unfit: str = ""
    broken: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Canary:
    """Blocking, like what it judges with."""

    catalogue: Catalogue
    judged: Judged

    def look(self, suspects: Collection[str]) -> Found:
        """Try the suspects, on all their tests, and where one fails some others, on their samples."""
        broken = {problem: why for problem in sorted(suspects) if (why := self.failing(problem))}
        if suspects and not broken:
            return Found()
        others = [v for v in self.catalogue.variants if v.id not in broken]
        failures = [*broken.values()]
        for other in random.sample(others, min(_OTHERS, len(others))):
            try:
                why = self._failing(other, samples(other))
            except RequestError:  # taken away since
                continue
            if not why:
                return Found(broken=broken)
            failures.append(why)
        return Found(next(iter(failures), ""), broken)

    def failing(self, problem: str) -> str:
        """Why the accepted program of a variant is not accepted; empty if it is.

        The variant is looked up anew: it may have been mended, or taken away, which holds up nobody.
        """
        try:
            return self._failing(self.catalogue.get(problem), None)
        except RequestError:
            return ""

    def _failing(self, variant: Variant, tests: Sequence[TestCase] | None) -> str:
        try:
            judgement = self.judged(self._accepted(variant), variant, tests)
        except PackageError as error:
            return str(error)
        if judgement.verdict == "AC":
            return ""
        found = f"{judgement.verdict} {judgement.message}".strip()
        return f"{variant.id}: an accepted program got {found}"

    def _accepted(self, variant: Variant) -> str:
        """The first program of the package that must be accepted."""
        folder = self.catalogue.family(variant.family).folder
        accepted = f"variants/{variant.name}/submissions/accepted"
        for name in folder.names(accepted, ".py"):
            return folder.text(f"{accepted}/{name}")
        raise PackageError("holds no program to try the judge with", folder.shown(accepted))


def samples(variant: Variant) -> tuple[TestCase, ...]:
    """The tests that are shown."""
    return tuple(test for test in variant.tests if test.sample)
