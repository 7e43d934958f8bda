"""Names of places, as columns of a CSV file and members of an NPZ file have them: `grads[0][2]`.

A path is a name, then steps: `[index]` into a list, `.key` into a dict. Entries at their paths become
typed data (`typed.py`), and the other way round.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from app.errors import FieldError, Invalid

LONGEST = 200  # characters
MOST_ITEMS = 100_000  # of one list

Path: TypeAlias = tuple[str | int, ...]

_PATH = re.compile(r"([^.\[\]]+)((?:\[[0-9]{1,6}\]|\.[^.\[\]]+)*)\Z")
_STEP = re.compile(r"\[([0-9]+)\]|\.([^.\[\]]+)")


def path_of(text: str) -> Path:
    """The steps of a written path. Raises Invalid."""
    found = _PATH.match(text) if len(text) <= LONGEST else None
    if found is None:
        raise _invalid(text, "is not a place such as grads[0] or weights.layer")
    steps = _STEP.findall(found[2])
    return (found[1], *(int(index) if index else key for index, key in steps))


def assembled(entries: Iterable[tuple[Path, object]]) -> dict[str, Any]:
    """One typed-JSON value for each name. Raises Invalid where places contradict one another."""
    roots: dict[str | int, Any] = {}
    for path, entry in entries:
        _put(roots, path, entry)
    return {str(name): _closed(node, str(name)) for name, node in roots.items()}


class _Branch(dict[str | int, Any]):
    """A list or dict that is still growing; told from an entry, which may be a dict itself."""


def _put(roots: dict[str | int, Any], path: Path, entry: object) -> None:
    here = roots
    for step, following in itertools.pairwise(path):
        below = here.setdefault(step, _Branch())
        if not isinstance(below, _Branch):
            raise _invalid(written(path), "lies inside another entry")
        if below and isinstance(next(iter(below)), int) != isinstance(following, int):
            raise _invalid(written(path), "mixes positions and keys")
        here = below
    if path[-1] in here:
        raise _invalid(written(path), "is there twice, or has others inside it")
    here[path[-1]] = entry


def _closed(node: Any, where: str) -> Any:
    if not isinstance(node, _Branch):
        return node
    if isinstance(next(iter(node)), str):
        return {"dict": {key: _closed(item, f"{where}.{key}") for key, item in node.items()}}
    if len(node) > MOST_ITEMS or max(node) != len(node) - 1:
        missing = next(i for i in range(len(node) + 1) if i not in node)
        raise _invalid(f"{where}[{missing}]", "is missing, though later items are there")
    return [_closed(node[i], f"{where}[{i}]") for i in range(len(node))]


def flattened(name: str, data: object) -> Iterator[tuple[str, object]]:
    """Every single number, text or empty list of typed data, with its written path."""
    match data:
        case {"array": nested}:
            yield from flattened(name, nested)
        case {"dict": pairs}:
            for key, item in dict(pairs).items():
                yield from flattened(f"{name}.{key}", item)
        case list() if data:
            for i, item in enumerate(data):
                yield from flattened(f"{name}[{i}]", item)
        case _:
            yield name, data


def written(path: Path) -> str:
    """A path as people write it."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path[1:])
    return f"{path[0]}{''.join(steps)}"


def _invalid(where: str, message: str) -> Invalid:
    return Invalid(f"{where[:LONGEST]}: {message}", (FieldError(where[:LONGEST], message),))
