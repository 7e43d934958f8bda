"""A package as one file, in and out: zip or tar, unpacked with suspicion, packed always the same.

What comes in is read in memory, within limits that are checked before memory is taken, and becomes
plain files by name. Nothing of an archive decides where a file goes: names are checked against a
short alphabet, and links, devices and anything else that is no file or folder are refused.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from app.errors import FieldError, Invalid

ARCHIVE_MIB = 16
TOTAL_MIB = 48
FILE_MIB = 16
FILES = 3000
RATIO = 200  # unpacked to packed, of files that are not small
PATH_LENGTH = 200
PATH_DEPTH = 8
_SMALL_BYTES = 1 << 20
_SEGMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\Z")
_LEFT_OUT = ("__MACOSX", "__pycache__", ".DS_Store", ".git")  # what tools add by themselves
_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = (stat.S_IFREG | 0o644) << 16
_BROKEN = (
    tarfile.TarError, zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError,
    ValueError, IndexError, OverflowError, RecursionError, NotImplementedError, RuntimeError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Package:
    """A family's name and its files, by their paths inside its folder."""

    family: str
    files: Mapping[str, bytes]

    def packed(self) -> bytes:
        """A zip of one folder: the same files give the same bytes, on every machine."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for path, content in sorted(self.files.items()):
                info = zipfile.ZipInfo(f"{self.family}/{path}", _DATE)
                info.create_system = 3
                info.external_attr = _MODE
                archive.writestr(info, content)
        return file.getvalue()

    def written_to(self, problems: Path) -> None:
        """Write the files into a folder of their own in a folder of packages that is new."""
        for path, content in self.files.items():
            place = problems / self.family / path
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as file:
                file.write(content)


def content_hash(archive: bytes) -> str:
    """What a packed package is kept by."""
    return hashlib.sha256(archive).hexdigest()


def unpacked(archive: bytes) -> Package:
    """The package in a zip, tar or tar.gz. Raises Invalid, with the name of the entry at fault."""
    if len(archive) > ARCHIVE_MIB << 20:
        _refuse("archive", f"is over {ARCHIVE_MIB} MiB")
    if archive.startswith(b"PK"):
        return _package(_zip(archive))
    if archive.startswith(b"\x1f\x8b"):
        return _package(_tar(_gunzipped(archive)))
    if archive[257:262] == b"ustar":
        return _package(_tar(archive))
    raise _refusal("archive", "is neither a zip, nor a tar, nor a tar.gz")


def folder_package(problems: Path, family: str) -> Package:
    """A package on disk as it would be uploaded: regular files, without what is hidden."""
    root = problems / family
    files: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        hidden = any(part[0] == "." or part in _LEFT_OUT for part in parts)
        if not hidden and path.is_file() and not path.is_symlink():
            files["/".join(parts)] = path.read_bytes()
    return Package(family, files)


def _package(entries: Iterable[tuple[str, bytes]]) -> Package:
    """The files of the one folder that an archive must hold."""
    files: dict[str, bytes] = {}
    seen: dict[str, str] = {}
    families: set[str] = set()
    for name, content in entries:
        family, _, path = name.partition("/")
        families.add(family)
        known = seen.setdefault(name.casefold(), name)
        if known != name:
            _refuse(name, f"differs from {known} in capitals only")
        if path in files:
            _refuse(name, "is there twice")
        files[path] = content
    if len(families) != 1 or "" in files:
        _refuse("archive", "must hold one folder, named as the family, with the package in it")
    for path in files:
        for i, character in enumerate(path):
            if character == "/" and path[:i] in files:
                _refuse(path, "lies inside a file")
    return Package(families.pop(), files)


def _zip(raw: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
    except _BROKEN:
        _refuse("archive", "is not a zip, or not all of it")
    with archive:
        entries = archive.infolist()
        room = _Room()
        for info in entries:
            room.take(info.filename, info.file_size)
        for info in entries:
            if _left_out(info.filename):
                continue
            if info.orig_filename != info.filename:
                _refuse(info.filename, "has a name that is not what it seems")
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                _refuse(info.filename, "is a link or a device, not a file")
            if info.is_dir():
                _check_name(info.filename.rstrip("/"))
                continue
            _check_name(info.filename)
            if info.flag_bits & 1:
                _refuse(info.filename, "is encrypted")
            if info.file_size > max(_SMALL_BYTES, RATIO * info.compress_size):
                _refuse(info.filename, f"is packed more than {RATIO} times")
            yield info.filename, _zipped(archive, info)


def _zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """An entry's content: never more than it says, and refused if its checksum is another."""
    try:
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            _refuse(info.filename, "is packed in a way that is not read here")
        with archive.open(info) as file:
            content = file.read(info.file_size + 1)
    except _BROKEN:
        _refuse(info.filename, "is damaged")
    if len(content) != info.file_size:
        _refuse(info.filename, "does not have the size it says")
    return content


def _gunzipped(raw: bytes) -> bytes:
    limit = (TOTAL_MIB + 4) << 20
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            content = file.read(limit + 1)
    except _BROKEN:
        _refuse("archive", "is not a tar.gz, or not all of it")
    if len(content) > limit:
        _refuse("archive", f"unpacks to more than {TOTAL_MIB} MiB")
    return content


def _tar(raw: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        with tarfile.open(fileobj=io.BytesIO(raw), mode="r:") as archive:
            yield from _members(archive)
    except Invalid:
        raise
    except _BROKEN:
        _refuse("archive", "is not a tar, or not all of it")


def _members(archive: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    """Files one by one, each let through by the standard library's filter first, then by ours."""
    room = _Room()
    while (member := archive.next()) is not None:
        room.take(member.name, member.size)
        if _left_out(member.name):
            continue
        try:
            tarfile.data_filter(member, "/nowhere")
        except tarfile.FilterError:
            _refuse(member.name, "leads out of the package, or is no file")
        if not (member.isreg() or member.isdir()) or member.issparse():
            _refuse(member.name, "is a link or a device, not a file")
        _check_name(member.name.rstrip("/"))
        if member.isreg():
            file = archive.extractfile(member)
            content = b"" if file is None else file.read(member.size + 1)
            if len(content) != member.size:
                _refuse(member.name, "does not have the size it says")
            yield member.name, content
    if not room.entries:
        _refuse("archive", "is empty")


@dataclass(slots=True)
class _Room:
    """What entries may still take, by what the archive says of them: before anything is unpacked."""

    entries: int = 0
    size: int = 0

    def take(self, name: str, size: int) -> None:
        self.entries += 1
        self.size += max(0, size)
        if not 0 <= size <= FILE_MIB << 20:
            _refuse(name, f"is larger than {FILE_MIB} MiB")
        if self.entries > FILES:
            _refuse("archive", f"holds more than {FILES} entries")
        if self.size > TOTAL_MIB << 20:
            _refuse("archive", f"unpacks to more than {TOTAL_MIB} MiB")


def _left_out(name: str) -> bool:
    return any(part in _LEFT_OUT or part.startswith("._") for part in name.split("/"))


def _check_name(name: str) -> None:
    parts = name.split("/")
    if len(name) > PATH_LENGTH or len(parts) > PATH_DEPTH:
        _refuse(name, f"has a path longer than {PATH_LENGTH} characters or {PATH_DEPTH} folders")
    if not all(_SEGMENT.match(part) for part in parts):
        _refuse(name, "may have letters a to z, digits, _, - and . only, and must lie in a folder")


def _refuse(where: str, message: str) -> NoReturn:
    raise _refusal(where, message)


def _refusal(where: str, message: str) -> Invalid:
    shown = where[:PATH_LENGTH].encode("ascii", "backslashreplace").decode()
    shown = "".join(c if c.isprintable() else "?" for c in shown)
    return Invalid(f"{shown}: {message}", (FieldError(shown, message),))
