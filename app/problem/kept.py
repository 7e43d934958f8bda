"""Values kept on disk by the hash of what made them, large arrays memory-mapped.

An entry is a folder named by its key: `tree.json` is the value with each large array replaced by
the name of a .npy file beside it. A folder is written next to its place and renamed into it, so
that several processes can make the same entry and none ever reads half of one.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app import notation
from app.model import Value

LARGE = 512  # entries from which an array gets a file of its own
_MAKING = ".making-"
_ABANDONED_S = 3600.0  # age at which nobody is making it any more


@dataclass(frozen=True, slots=True)
class Kept:
    """A cache folder. Whatever is in it can be deleted at any time; it is made again."""

    folder: Path

    def read(self, key: str) -> Value | None:
        """The value kept under a key; None if there is none that can be read."""
        entry = self.folder / key
        try:
            value = _unpacked(json.loads((entry / "tree.json").read_text("utf-8")), entry)
        except (OSError, ValueError, KeyError, EOFError):
            return None
        with suppress(OSError):  # a disk that cannot be written
            os.utime(entry)
        return value

    def write(self, key: str, value: Value) -> Value:
        """Keeps a value that is not None, and gives it back, mapped from disk where that worked."""
        making: Path | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            making = Path(tempfile.mkdtemp(prefix=_MAKING, dir=self.folder))
            tree = json.dumps(_packed(value, making), allow_nan=False)
            (making / "tree.json").write_text(tree, "utf-8")
            if self.read(key) is None:
                # What is there and cannot be read was damaged; nobody maps it.
                shutil.rmtree(self.folder / key, ignore_errors=True)
            os.rename(making, self.folder / key)
        except OSError:
            # Another process was first (its entry is as good), or the disk is full (the value at
            # hand will do).
            if making is not None:
                shutil.rmtree(making, ignore_errors=True)
        found = self.read(key)
        return value if found is None else found

    def prune(self, limit_bytes: int) -> int:
        """Delete what was read longest ago, until the rest fits; returns how many entries.

        Whoever has an entry mapped keeps it; whoever asks for it next makes it again.
        """
        self._clear_unfinished()
        total, gone = 0, 0
        for _, size, path in sorted(self._entries(), reverse=True):
            total += size
            if total > limit_bytes:
                gone += 1
                self._delete(path)
        return gone

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        """When each was last read, how large it is, and where."""
        for tree in self.folder.glob("*/tree.json"):
            entry = tree.parent
            with suppress(OSError):  # deleted meanwhile, by another process
                if not entry.name.startswith(_MAKING):
                    size = sum(file.stat().st_size for file in entry.iterdir())
                    yield entry.stat().st_mtime, size, entry

    def _clear_unfinished(self) -> None:
        """Remove what a process was making, or deleting, when it was killed."""
        for path in self.folder.glob(f"{_MAKING}*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _ABANDONED_S:
                    shutil.rmtree(path, ignore_errors=True)

    def _delete(self, path: Path) -> None:
        """First out of the way, whole, then piece by piece."""
        with suppress(OSError):
            dying = Path(tempfile.mkdtemp(prefix=_MAKING, dir=self.folder)) / "dying"
            path.rename(dying)
            shutil.rmtree(dying.parent, ignore_errors=True)


def _packed(value: Value, folder: Path) -> Any:
    match value:
        case np.ndarray() if value.size >= LARGE:
            name = f"{len(os.listdir(folder))}.npy"
            np.save(folder / name, value, allow_pickle=False)
            return {"npy": name}
        case list():
            return {"list": [_packed(item, folder) for item in value]}
        case tuple():
            return {"tuple": [_packed(item, folder) for item in value]}
        case dict():
            return {"entries": [[key, _packed(item, folder)] for key, item in value.items()]}
        case _:
            return {"value": notation.to_json(value)}


def _unpacked(data: dict[str, Any], folder: Path) -> Value:
    match data:
        case {"npy": str() as name}:
            # `asarray` drops the memmap class: values are of exact type. The mapping stays alive.
            return np.asarray(np.load(folder / name, mmap_mode="r", allow_pickle=False))
        case {"list": list() as items}:
            return [_unpacked(item, folder) for item in items]
        case {"tuple": list() as items}:
            return tuple(_unpacked(item, folder) for item in items)
        case {"entries": list() as pairs}:
            return {key: _unpacked(item, folder) for key, item in pairs}
        case _:
            return notation.from_json(data["value"])
