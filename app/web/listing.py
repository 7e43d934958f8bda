"""The list of problems: its rows, and what it can be narrowed by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.model import Variant
from app.store import Solved

DIFFICULTIES = ("easy", "medium", "hard")


def catalogue_row(variant: Variant, solved: Mapping[str, Solved]) -> dict[str, Any]:
    """A problem in the list: what is shown, and what it can be found by."""
    page, mark = variant.page, solved.get(variant.id)
    return {
        "id": variant.id,
        "title": variant.title,
        "entry_point": variant.entry_point,
        "difficulty": page.difficulty,
        "minutes": page.minutes,
        "number": page.number,
        "track": page.track,
        "tags": list(page.tags),
        "roles": list(page.roles),
        "solved": mark is not None,
        "outdated": mark is not None and mark.package_version != variant.version,
    }


def catalogue_filters(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, list[str]]]:
    """What the list can be narrowed by: name of the field, its title, what occurs."""
    present = {row["difficulty"] for row in rows}
    filters = [("difficulty", "Difficulty", [d for d in DIFFICULTIES if d in present])]
    filters.append(("track", "Track", sorted({row["track"] for row in rows if row["track"]})))
    for name, field, title in (("tag", "tags", "Tag"), ("role", "roles", "Role")):
        filters.append((name, title, sorted({word for row in rows for word in row[field]})))
    return [entry for entry in filters if entry[2]]
