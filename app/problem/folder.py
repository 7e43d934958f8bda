"""Reads the files of one package: regular, small, UTF-8, and inside the package's own folder."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from app.errors import PackageError

TEXT_KIB = 1024
DOCUMENT_KIB = 32  # of Markdown, which is rendered while somebody waits for a page
DATA_KIB = 16 * 1024


@dataclass(frozen=True, slots=True)
class Folder:
    """`problems` is the folder of all packages, `name` this package's folder in it."""

    problems: Path
    name: str
    _real: Path = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_real", self.root.resolve())

    @property
    def root(self) -> Path:
        return self.problems / self.name

    def shown(self, file: str) -> Path:
        """The path as error messages give it: relative to the problems folder."""
        return Path(self.name) / file

    def exists(self, file: str) -> bool:
        """Also for names that no file could have: they come from addresses, too."""
        return os.path.exists(self.root / file)

    def names(self, folder: str, suffix: str = "") -> tuple[str, ...]:
        """Names in a sub-folder, sorted, without hidden ones and byte-code; empty if there is none."""
        path = self.root / folder
        if not path.is_dir():
            return ()
        self._inside(path, folder)
        found = (entry.name for entry in path.iterdir())
        return tuple(sorted(n for n in found if n.endswith(suffix) and n[0] not in "._"))

    def texts(self) -> tuple[str, ...]:
        """Every file that an author writes by hand, sorted: programs, YAML and Markdown."""
        found = (path for path in self.root.rglob("*") if path.suffix in (".py", ".yaml", ".md"))
        return tuple(sorted(path.relative_to(self.root).as_posix() for path in found))

    def text(self, file: str, limit_kib: int = TEXT_KIB) -> str:
        """The text of a file, without a byte order mark and with plain line ends."""
        raw = self.raw(file, DOCUMENT_KIB if file.endswith(".md") else limit_kib)
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise PackageError(
                "is not UTF-8", self.shown(file), line, "save the file as UTF-8"
            ) from None
        return text.replace("\r\n", "\n")

    def optional_text(self, file: str) -> str:
        return self.text(file) if self.exists(file) else ""

    def fingerprint(self) -> str:
        """Changes whenever a file of the package does: names, sizes and times, nothing is read."""
        facts = [
            [path.relative_to(self.root).as_posix(), found.st_size, found.st_mtime_ns]
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
            for found in [path.stat()]
        ]
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    def raw(self, file: str, limit_kib: int = TEXT_KIB) -> bytes:
        path = self.root / file
        self._inside(path, file)
        try:
            facts = path.stat()
            # A pipe or device would block or never end, so the kind is asked before opening.
            if not stat.S_ISREG(facts.st_mode):
                raise PackageError("is not a regular file", self.shown(file))
            if facts.st_size > limit_kib * 1024:
                document = file.endswith(".md")
                remedy = "move big inputs to a generator with `stored: false`"
                raise PackageError(
                    f"is larger than {limit_kib} KiB",
                    self.shown(file),
                    remedy="say it in fewer words" if document else remedy,
                )
            return path.read_bytes()
        except FileNotFoundError:
            raise PackageError("is missing", self.shown(file)) from None
        except OSError as error:
            raise PackageError(f"cannot be read: {error.strerror}", self.shown(file)) from None

    def _inside(self, path: Path, file: str) -> None:
        try:
            real = path.resolve()
        except (OSError, RuntimeError):
            raise PackageError("is a link that leads nowhere", self.shown(file)) from None
        if not real.is_relative_to(self._real):
            raise PackageError(
                "leads out of the package's folder", self.shown(file), remedy="copy the file in"
            )
