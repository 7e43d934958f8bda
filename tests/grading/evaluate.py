"""Figures of the diagnosis: `python -m tests.grading.evaluate [FAMILY...] [--json] [--boxes]`.

In this process and without the tests of more than 1,000 numbers, unless `--boxes` is given.

named     programs with a named mistake that got its name
right     right programs accepted without a diagnosis
silent    unrelated and composed wrong programs that got none
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.model import Judgement
from tests.grading import programs
from tests.grading.composed import composed
from tests.grading.judging import Judging, in_boxes, in_process

COMPOSED = 200


@dataclass
class Count:
    """How many programs did what they should, and a line on each that did not."""

    good: int = 0
    all: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, good: bool, line: str) -> None:
        self.all += 1
        self.good += good
        if not good:
            self.wrong.append(line)

    @property
    def share(self) -> float:
        return self.good / self.all if self.all else 0.0


@dataclass
class Figures:
    """By variant, and for mistakes by title as well."""

    right: dict[str, Count] = field(default_factory=dict)
    named: dict[str, Count] = field(default_factory=dict)
    titles: dict[str, Count] = field(default_factory=dict)
    unrelated: dict[str, Count] = field(default_factory=dict)
    composed: dict[str, Count] = field(default_factory=dict)


def evaluate(bench: Judging, family: str, variants: Sequence[str] = ()) -> Figures:
    """One family: what is written down for each variant, and 200 programs of random operators."""
    figures = Figures()
    every = tuple(programs.forms(family))
    for variant in variants or every:
        _right(bench, family, variant, figures)
        _named(bench, family, variant, figures)
        _silent(bench, variant, programs.unrelated(family), figures.unrelated)
        number = every.index(variant)
        share = COMPOSED * (number + 1) // len(every) - COMPOSED * number // len(every)
        _silent(bench, variant, composed(family, share, seed=number), figures.composed)
    return figures


def _judged(bench: Judging, variant: str, program: programs.Program) -> Judgement:
    return bench.verdict(f"{program.family}/{variant}", program.source(variant))


def _right(bench: Judging, family: str, variant: str, figures: Figures) -> None:
    count = figures.right.setdefault(variant, Count())
    for program in programs.right(family):
        judgement = _judged(bench, variant, program)
        good = judgement.verdict == "AC" and judgement.diagnosis is None
        count.add(good, f"{variant}: {program.name}: {_short(judgement)}")


def _named(bench: Judging, family: str, variant: str, figures: Figures) -> None:
    count = figures.named.setdefault(variant, Count())
    known = {mistake.title for mistake in bench.catalogue.get(f"{family}/{variant}").mistakes}
    every = {m.title for v in bench.catalogue.family_variants(family) for m in v.mistakes}
    for program in programs.mistaken(family):
        if program.only and variant not in program.only:
            continue
        titles = [title for title in program.titles if title in known or title not in every]
        if not titles:
            continue
        judgement = _judged(bench, variant, program)
        got = judgement.diagnosis.title if judgement.diagnosis else "no diagnosis"
        good = any(got.startswith(title) for title in titles)
        line = f"{variant}: {program.name}: {got} ({_short(judgement)})"
        count.add(good, line)
        figures.titles.setdefault(program.titles[0], Count()).add(good, line)


def _silent(
    bench: Judging, variant: str, all_programs: Iterable[programs.Program], counts: dict[str, Count]
) -> None:
    count = counts.setdefault(variant, Count())
    for program in all_programs:
        if program.only and variant not in program.only:
            continue
        judgement = _judged(bench, variant, program)
        got = judgement.diagnosis.title if judgement.diagnosis else ""
        good = judgement.verdict not in ("AC", "CE", "JE") and not got
        count.add(
            good,
            f"{variant}: {program.name}: {got} ({_short(judgement)})\n{program.source(variant)}",
        )


def _short(judgement: Judgement) -> str:
    return f"{judgement.verdict} {judgement.message[:160]}"


def main() -> None:
    chosen = [name for name in sys.argv[1:] if not name.startswith("-")] or programs.FAMILIES
    with in_boxes() if "--boxes" in sys.argv else in_process() as bench:
        figures = {family: evaluate(bench, family) for family in chosen}
    if "--json" in sys.argv:
        print(json.dumps({family: _as_json(found) for family, found in figures.items()}, indent=2))
        return
    for family, found in figures.items():
        _print(family, found)


def _groups(figures: Figures) -> dict[str, dict[str, Count]]:
    return {
        "right": figures.right,
        "named": figures.named,
        "unrelated": figures.unrelated,
        "composed": figures.composed,
    }


def _as_json(figures: Figures) -> dict[str, Any]:
    shares: dict[str, Any] = {
        group: {variant: [count.good, count.all] for variant, count in counts.items()}
        for group, counts in _groups(figures).items()
    }
    titles = {title: [count.good, count.all] for title, count in figures.titles.items()}
    return shares | {"titles": titles}


def _print(family: str, figures: Figures) -> None:
    groups = _groups(figures)
    print(family)
    for group, counts in groups.items():
        for variant, count in counts.items():
            print(f"{group:10} {variant:16} {count.good:4} of {count.all:4}  {count.share:7.1%}")
    for title, count in sorted(figures.titles.items(), key=lambda item: item[1].share):
        print(f"{count.good:3} of {count.all:3}  {title}")
    for line in (
        line for counts in groups.values() for count in counts.values() for line in count.wrong
    ):
        print(f"- {line}")


if __name__ == "__main__":
    main()
