"""Mutants that no secret test of a variant kills yet, kept so that they are looked for only once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.problem.on_demand import OnDemand
from app.problem.versions import digest
from app.verify.mutants import LEAST_TIME_S, Candidate, Result, examine
from app.verify.operators import Mutant
from app.verify.subject import Subject


@dataclass(frozen=True, slots=True)
class Survivors:
    """A folder of what was found. Deleting it costs only the time to look again."""

    folder: Path

    @classmethod
    def beside(cls, maker: OnDemand) -> Survivors:
        """In the cache in which big tests are kept."""
        return cls(maker.kept.folder / "survivors")

    def of(self, subject: Subject) -> Result:
        """The mutants of the variant's accepted programs, after all of its secret tests."""
        known = self._read(_key(subject))
        if known is None:
            known = examine(subject, subject.accepted, LEAST_TIME_S)
            self.keep(subject, known)
        return known

    def keep(self, subject: Subject, found: Result) -> None:
        """What is known of the mutants of all the variant's accepted programs."""
        self._write(_key(subject), found)

    def _read(self, key: str) -> Result | None:
        try:
            kept = json.loads((self.folder / f"{key}.json").read_text("utf-8"))
            equivalents = [(_candidate(one), str(why)) for one, why in kept["equivalents"]]
            survivors = tuple(map(_candidate, kept["survivors"]))
            return Result(kept["total"], survivors, tuple(equivalents))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _write(self, key: str, found: Result) -> None:
        """A disk that is full costs the memory, not the result."""
        kept = {
            "total": found.total,
            "survivors": _plain(found.survivors),
            "equivalents": [[_plain([one])[0], why] for one, why in found.equivalents],
        }
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            making = self.folder / f".{key}.{os.getpid()}"
            making.write_text(json.dumps(kept), "utf-8")
            making.replace(self.folder / f"{key}.json")
        except OSError:
            return


def _key(subject: Subject) -> str:
    sources = [program.source for program in subject.accepted]
    declared = repr(subject.family.equivalents)
    return digest(subject.variant.id, subject.variant.version, sources, declared)


def _plain(candidates: Iterable[Candidate]) -> list[dict[str, Any]]:
    return [{"path": str(one.path), "mutant": asdict(one.mutant)} for one in candidates]


def _candidate(kept: dict[str, Any]) -> Candidate:
    return Candidate(Path(kept["path"]), Mutant(**kept["mutant"]))
