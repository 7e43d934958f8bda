"""What has changed between two versions of a package, for a person to read before it is published."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from app.model import Variant
from app.problem.archive import Package

LINES = 400  # of one file's difference; longer ones are cut, and say so
_TEXT = (".py", ".yaml", ".md", ".js", ".json", ".txt")


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that is not the same.

    decides   whether it can decide verdicts: contracts, core, tests and limits do, pages do not
    lines     a unified diff; empty for what is not text
    cut       lines of it that were left out
    """

    path: str
    kind: Literal["added", "removed", "changed"]
    decides: bool
    lines: tuple[str, ...] = ()
    cut: int = 0


@dataclass(frozen=True, slots=True)
class VariantChange:
    """A variant whose verdicts are decided by something else now; an empty version: not there."""

    variant: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Difference:
    files: tuple[FileChange, ...]
    variants: tuple[VariantChange, ...]


def difference(
    before: Package,
    after: Package,
    versions_before: Mapping[str, str],
    versions_after: Mapping[str, str],
) -> Difference:
    """From one version of a package to another; the maps give each variant's version."""
    return Difference(
        tuple(_files(before.files, after.files)),
        tuple(_variants(versions_before, versions_after)),
    )


def versions(variants: tuple[Variant, ...]) -> dict[str, str]:
    """What decides each variant's verdicts, as a hash."""
    return {variant.name: variant.version for variant in variants}


def decides(path: str) -> bool:
    """Whether a file can decide verdicts. Mistakes only explain them, programs only prove the tests."""
    first, _, rest = path.partition("/")
    if first in ("data", "generators"):
        return True
    return path in ("family.yaml", "core.py") or (
        first == "variants" and rest.endswith("/variant.yaml")
    )


def _files(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[FileChange]:
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        kind: Literal["added", "removed", "changed"] = (
            "added" if old is None else "removed" if new is None else "changed"
        )
        lines = list(_lines(path, old or b"", new or b"")) if path.endswith(_TEXT) else []
        yield FileChange(
            path, kind, decides(path), tuple(lines[:LINES]), max(0, len(lines) - LINES)
        )


def _lines(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """A unified diff without its head; long lines, as those of data, are cut."""
    one, two = (raw.decode("utf-8", "replace").splitlines() for raw in (old, new))
    if len(one) + len(two) > 5000:  # comparing takes time that grows with the product
        return
    for line in list(difflib.unified_diff(one, two, lineterm="", n=2))[2:]:
        yield line if len(line) <= 300 else f"{line[:300]} … {len(line) - 300} more"


def _variants(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[VariantChange]:
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, ""), after.get(name, "")
        if old != new:
            yield VariantChange(name, old, new)
