"""The corpus: programs that the diagnosis was not tuned on, in the form of every variant.

Each is written once, with a few words in its text that differ by variant:

    @ENTRY              the name of the entry point
    @EPS                `+ 1e-6` where the variant asks for an epsilon
    @PLACES             places to which a learner of the variant would round too early
    @EMPTY              an early return for the empty list, where that is allowed
    @RETURN(a, b)       returns the clipped gradients a and the norm b, in the variant's form

A header reads `### title :: the same mistake's title in another variant @ only these variants`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"
VARIANTS = ("tuple", "dict7", "dict6", "arrays", "eps")

_RETURNS = {
    "tuple": "return {0}, {1}",
    "dict7": 'return {{"clipped_gradients": {0}, "global_norm": round(float({1}), 7)}}',
    "dict6": (
        'return {{"clipped_grads": [round(float(c), 6) for c in {0}], '
        '"global_norm": round(float({1}), 6)}}'
    ),
    "arrays": "return list({0})",
    "eps": "return [[np.asarray(c).tolist() for c in {0}], float({1})]",
}
_ENTRIES = {
    "tuple": "clip_by_global_norm",
    "dict7": "clip_gradients",
    "dict6": "grad_clip_by_norm",
    "arrays": "clip_gradients",
    "eps": "clip_grad_norm",
}
_PLACES = {"tuple": "6", "dict7": "7", "dict6": "6", "arrays": "4", "eps": "6"}
_EMPTY = 'if not grads: return {"clipped_gradients": [], "global_norm": 0.0}'


@dataclass(frozen=True, slots=True)
class Program:
    """One program as it is written in the corpus."""

    name: str
    titles: tuple[str, ...]
    only: tuple[str, ...]
    text: str

    def source(self, variant: str) -> str:
        """The program in one variant's form."""
        text = self.text.replace("@ENTRY", _ENTRIES[variant]).replace("@PLACES", _PLACES[variant])
        text = text.replace("@EPS", "+ 1e-6" if variant == "eps" else "")
        text = text.replace("@EMPTY", _EMPTY if variant == "dict7" else "pass")
        return re.sub(
            r"@RETURN\((.*), (.*)\)$",
            lambda found: _RETURNS[variant].format(*found.groups()),
            text,
            flags=re.MULTILINE,
        )


def right() -> list[Program]:
    return list(_read("right"))


def mistaken() -> list[Program]:
    return list(_read("mistaken"))


def unrelated() -> list[Program]:
    """Wrong in ways that nobody foresaw: only the middle of each is written down."""
    return [_whole(program) for program in _read("unrelated")]


def composed(count: int, seed: int = 5) -> list[Program]:
    """Random operators put together: nobody's mistake, and most likely no answer."""
    chance = random.Random(seed)
    return [_whole(_composed(chance, number)) for number in range(count)]


def _read(name: str) -> Iterator[Program]:
    parts = re.split(r"^### ?(.*)$", (CORPUS / f"{name}.txt").read_text(), flags=re.MULTILINE)
    for number, (header, text) in enumerate(zip(parts[1::2], parts[2::2], strict=True)):
        titles, _, only = header.partition(" @ ")
        names = tuple(title.strip() for title in titles.split("::"))
        yield Program(f"{name} {number}: {header}", names, tuple(only.split()), text.strip() + "\n")


def _whole(program: Program) -> Program:
    middle = "\n".join(f"    {line}" for line in program.text.splitlines())
    text = (
        "import numpy as np\n\n"
        "def @ENTRY(grads, max_norm):\n"
        "    arrays = [np.asarray(g, dtype=float) for g in grads]\n"
        f"{middle}\n"
        "    @RETURN(out, norm)\n"
    )
    return Program(program.name, program.titles, program.only, text)


_ELEMENTS = ("a * a", "np.abs(a)", "a", "np.sin(a)", "np.abs(a) ** 1.5", "np.exp(-a * a)", "a ** 4")
_OVER_ONE = ("np.sum", "np.mean", "np.max", "np.min", "np.std", "np.median", "np.ptp")
_OVER_ALL = ("sum", "max", "min", "np.mean", "np.std", "len")
_OUTSIDE = (
    "np.sqrt(np.abs({}))",
    "np.abs({})",
    "np.log1p(np.abs({}))",
    "np.cbrt({})",
    "np.tanh({})",
)
_FACTORS = (
    "max_norm / n",
    "n / max_norm",
    "max_norm / (n + max_norm)",
    "1 / (1 + n)",
    "max_norm",
    "max_norm * max_norm / n",
    "min(max_norm, n)",
    "n - max_norm",
)
_CONDITIONS = ("n > max_norm", "n < max_norm", "True", "n > 2 * max_norm", "max_norm > 1", "n > 1")
_APPLIED = (
    "a * s",
    "a + s",
    "a - s",
    "s - a",
    "a / s",
    "np.sign(a) * s",
    "a * s * s",
    "a ** 2 * s",
)


def _composed(chance: random.Random, number: int) -> Program:
    pick = chance.choice
    over_all, norm = pick(_OVER_ALL), pick(("n", "n", "n * s", "n + s", "2 * n"))
    parts = f"[float({pick(_OVER_ONE)}({pick(_ELEMENTS)})) for a in arrays]"
    lines = (
        f"parts = {parts} or [0.0]",
        "with np.errstate(all='ignore'):",
        f"    n = np.float64({pick(_OUTSIDE).format(f'{over_all}(parts)')})",
        f"    s = np.float64({pick(_FACTORS)}) if {pick(_CONDITIONS)} else np.float64(1.0)",
        f"    out = [{pick(_APPLIED)} for a in arrays]",
        f"    norm = {norm}",
    )
    return Program(f"composed {number}", (), (), "\n".join(lines) + "\n")
