"""What a variant's page shows: texts, hints, the words for mistakes. Nothing here decides a verdict."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from app.errors import PackageError
from app.model import Hint, Mistake, Page
from app.problem import programs
from app.problem.document import Document
from app.problem.family import Family
from app.problem.load import value_at
from app.problem.metadata import VariantIn
from app.problem.versions import LENGTH, digest


def mistakes(family: Family, name: str) -> tuple[Mistake, ...]:
    return tuple(
        Mistake(
            m.name,
            m.title_in.get(name, m.title),
            m.explanation_in.get(name, m.explanation),
            m.source,
        )
        for m in family.mistakes
        if name not in m.not_in
    )


def page_of(family: Family, name: str, page: Document, written: VariantIn) -> Page:
    folder, here = family.folder, f"variants/{name}"
    if written.figure and not folder.exists(f"figures/{written.figure}.js"):
        raise page.error(("figure",), f"there is no figures/{written.figure}.js")
    starter = folder.text(f"{here}/starter.py")
    programs.parsed(starter, folder.shown(f"{here}/starter.py"))
    shown = Page(
        difficulty=written.difficulty,
        minutes=written.minutes,
        statement=folder.text(f"{here}/statement.md"),
        starter=starter,
        number=written.number,
        track=written.track,
        tags=tuple(written.tags),
        roles=tuple(written.roles),
        companies=tuple(written.companies),
        seniority=tuple(written.seniority),
        hints=hints(folder.optional_text(f"{here}/hints.md"), folder.shown(f"{here}/hints.md")),
        worked_solution=folder.optional_text(f"{here}/solution.md"),
        lesson=family.lesson,
        figure=written.figure,
        next=written.next,
        asks=_asks(family, page, written),
    )
    return replace(shown, version=digest(repr(shown), repr(written.samples), family.title)[:LENGTH])


def _asks(family: Family, page: Document, written: VariantIn) -> tuple[tuple[str, str], ...]:
    settings = dict(family.parameters) | {
        name: value_at(page, ("parameters", name), data)
        for name, data in written.parameters.items()
    }
    found = ((name, family.asked(name, value)) for name, value in settings.items())
    return tuple((name, words) for name, words in found if words)


def hints(text: str, path: Path) -> tuple[Hint, ...]:
    """One hint for each `## Title` of hints.md. Raises PackageError for text before the first."""
    before, *parts = re.split(r"^## +(.+)$", text, flags=re.MULTILINE)
    if before.strip():
        raise PackageError("has text before the first `## ` title", path, 1)
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    for title, body in pairs:
        if not body.strip():
            line = text[: text.index(f"## {title}")].count("\n") + 1
            raise PackageError(f"the hint {title!r} is empty", path, line)
    return tuple(Hint(title.strip(), body.strip()) for title, body in pairs)
