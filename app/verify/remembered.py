"""Reports kept on disk by what they are about, so that an unchanged package is examined once."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.problem.folder import Folder
from app.verify.report import Report, from_json


@dataclass(frozen=True, slots=True)
class Remembered:
    """A folder of reports. Deleting it costs only the time to examine everything again."""

    folder: Path

    def read(self, key: str) -> Report | None:
        try:
            return from_json(json.loads((self.folder / f"{key}.json").read_text("utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, key: str, report: Report) -> None:
        """Keeps a report. A disk that is full costs the memory, not the report."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            making = self.folder / f".{key}.{os.getpid()}"
            making.write_text(json.dumps(report.to_json()), "utf-8")
            making.replace(self.folder / f"{key}.json")
        except OSError:
            return


def key_of(folder: Folder, only: Sequence[str], *, formulas: bool, mutants: bool) -> str:
    """Changes with every byte of the package, of the program that examines it, and of NumPy."""
    hasher = hashlib.sha256(repr([sorted(only), formulas, mutants, np.__version__]).encode())
    program = Path(__file__).resolve().parents[1]
    for root, pattern in ((program, "*.py"), (folder.root, "*")):
        for path in sorted(root.rglob(pattern)):
            if path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts:
                hasher.update(f"{path.relative_to(root)} {path.stat().st_size} ".encode())
                with path.open("rb") as file:
                    hasher.update(hashlib.file_digest(file, "sha256").digest())
    return hasher.hexdigest()
