"""The corpus: programs that the diagnosis was not tuned on, in the form of every variant.

Each is written once; forms.yaml beside it says what differs by variant. A line of `@tag: ...` stays
only where the variant has the tag, `@WORD` and `@WORD(a, b)` are replaced. A header reads
`### title :: the same mistake's title in another variant @ only these variants`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

CORPUS = Path(__file__).resolve().parent / "corpus"
FAMILIES = ("gradient_clipping", "lr_schedule", "early_stopping", "parameter_ema")


@cache
def forms(family: str) -> dict[str, Any]:
    """By variant: its tags, and what its words stand for."""
    loaded: dict[str, Any] = yaml.safe_load((CORPUS / family / "forms.yaml").read_text())
    return loaded


@dataclass(frozen=True, slots=True)
class Program:
    """One program as it is written in the corpus."""

    family: str
    name: str
    titles: tuple[str, ...]
    only: tuple[str, ...]
    text: str

    def source(self, variant: str) -> str:
        """The program in one variant's form."""
        form = forms(self.family)[variant]
        lines = [_tagged(line, form["tags"]) for line in self.text.splitlines()]
        text = "\n".join(line for line in lines if line is not None) + "\n"
        while (word := re.search(r"@([A-Z]+)(\(?)", text)) and word[1] in form["words"]:
            text = _replaced(text, word, form["words"][word[1]])
        return text


def _tagged(line: str, tags: list[str]) -> str | None:
    """The line without its tag, or None if the variant has no such tag."""
    found = re.match(r"( *)@([a-z_]+): (.*)", line)
    if not found:
        return line
    return _tagged(found[1] + found[3], tags) if found[2] in tags else None


def _replaced(text: str, word: re.Match[str], form: str) -> str:
    if not re.search(r"\{\d\}", form):
        return text[: word.start()] + form.format() + text[word.end(1) :]
    parts, end = _arguments(text, word.end())
    return text[: word.start()] + form.format(*parts) + text[end:]


def _arguments(text: str, start: int) -> tuple[list[str], int]:
    """What stands between the bracket before `start` and its partner, and where that ends."""
    parts, depth, begin = list[str](), 0, start
    for i in range(start, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}" and depth:
            depth -= 1
        elif text[i] == "," and not depth:
            parts.append(text[begin:i].strip())
            begin = i + 1
        elif text[i] == ")":
            return [*parts, text[begin:i].strip()], i + 1
    raise ValueError(f"no end of {text[start - 20 : start]}")


def right(family: str) -> list[Program]:
    return list(_read(family, "right"))


def mistaken(family: str) -> list[Program]:
    files = sorted((CORPUS / family).glob("mistaken*.txt"))
    return [program for path in files for program in _read(family, path.stem)]


def unrelated(family: str) -> list[Program]:
    """Wrong in ways that nobody foresaw; of the first family only the middle is written down."""
    return [
        program if "def @ENTRY" in program.text else whole(program)
        for program in _read(family, "unrelated")
    ]


def _read(family: str, name: str) -> Iterator[Program]:
    written = (CORPUS / family / f"{name}.txt").read_text()
    parts = re.split(r"^### ?(.*)$", written, flags=re.MULTILINE)
    for number, (header, text) in enumerate(zip(parts[1::2], parts[2::2], strict=True)):
        titles, _, only = header.partition(" @ ")
        names = tuple(title.strip() for title in titles.split("::"))
        yield Program(
            family, f"{name} {number}: {header}", names, tuple(only.split()), text.strip() + "\n"
        )


def whole(program: Program) -> Program:
    """A program for the first family of which only the middle is written."""
    middle = "\n".join(f"    {line}" for line in program.text.splitlines())
    text = (
        "import numpy as np\n\n"
        "def @ENTRY(grads, max_norm):\n"
        "    arrays = [np.asarray(g, dtype=float) for g in grads]\n"
        f"{middle}\n"
        "    @RETURN(out, norm)\n"
    )
    return Program(program.family, program.name, program.titles, program.only, text)
