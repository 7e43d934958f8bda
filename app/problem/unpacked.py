"""Uploaded packages as folders. Never among the packages on disk: each in a folder of its own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.problem.archive import Package, content_hash, unpacked


@dataclass(frozen=True, slots=True)
class Unpacked:
    """`<folder>/<hash>/<family>/...`. Whatever is missing is unpacked again from the store."""

    folder: Path

    def problems(self, archive_hash: str) -> Path | None:
        """The folder of packages that holds this one alone; None where it has to be put first."""
        place = self.folder / archive_hash
        return place if place.is_dir() else None

    def put(self, archive: bytes) -> Path:
        """Unpack a packed package, if it is not there. Raises Invalid, OSError."""
        place = self.folder / content_hash(archive)
        if place.is_dir():
            return place
        with self.tried(unpacked(archive)) as making:
            try:
                os.rename(making, place)
            except OSError:
                if not place.is_dir():  # another process was first, and its folder is as good
                    raise
        return place

    @contextmanager
    def tried(self, package: Package) -> Iterator[Path]:
        """A folder of packages that holds this one, until the block ends."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(prefix=".making-", dir=self.folder))
        try:
            package.written_to(making)
            yield making
        finally:
            shutil.rmtree(making, ignore_errors=True)
