"""The runtimes that a package may ask for: what a program finds in its box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

RuntimeName: TypeAlias = str  # a key of RUNTIMES


@dataclass(frozen=True, slots=True)
class RuntimeKind:
    """What a program finds in a box: imports already paid for, and packages it can read.

    where      how a learner is told that a program ran there: "it works ... too"
    imports    modules that are warm, with spaces between. Of the standard library and of
               `packages` the rest is read when it is asked for; a package that is a single file
               is there only by being imported here
    packages   installed packages, each a folder: visible to the program, as nothing else is
    """

    where: str
    imports: str
    packages: tuple[str, ...] = ()

    @property
    def has_arrays(self) -> bool:
        return "numpy" in self.packages


_STANDARD = (
    "abc array bisect cmath collections.abc contextlib copy dataclasses datetime decimal "
    "enum fractions functools heapq inspect io itertools json math numbers operator "
    "random re statistics string struct textwrap time traceback types typing warnings"
)

# One more runtime is one more entry here. A runtime is started when it is first asked for.
RUNTIMES: Mapping[RuntimeName, RuntimeKind] = {
    "python": RuntimeKind("in plain Python, without NumPy,", _STANDARD),
    "numpy": RuntimeKind(
        "with NumPy", _STANDARD + " numpy numpy.fft numpy.linalg numpy.random", ("numpy",)
    ),
}
