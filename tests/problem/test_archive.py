"""Packages as archives: what is right comes back the same, what is hostile is refused."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import Invalid
from app.problem import archive
from app.problem.archive import Package, content_hash, folder_package, unpacked
from tests.problem.conftest import BASE

FILES = {"family.yaml": b"title: x\n", "variants/a/starter.py": b"def f(): ...\n"}


def zipped(*entries: tuple[str, bytes], mode: int = 0o100644, method: int = 0) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, mode << 16
            made.writestr(info, content, method)
    return file.getvalue()


def tarred(*entries: tuple[str, bytes | tarfile.TarInfo], mode: str = "w") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as made:  # type: ignore[call-overload]
        for name, content in entries:
            if isinstance(content, tarfile.TarInfo):
                content.name = name
                made.addfile(content)
                continue
            info = tarfile.TarInfo(name)
            info.size = len(content)
            made.addfile(info, io.BytesIO(content))
    return file.getvalue()


def member(kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo()
    info.type, info.linkname = kind, target
    return info


def test_a_package_comes_back_from_every_kind_of_archive() -> None:
    """Zip, tar and tar.gz; what tools leave beside the files is left out."""
    entries = [(f"ridge/{path}", content) for path, content in FILES.items()]
    litter = [("__MACOSX/ridge/._family.yaml", b"x"), ("ridge/.DS_Store", b"x")]
    for raw in (
        zipped(*entries, *litter),
        zipped(*entries, method=zipfile.ZIP_DEFLATED),
        tarred(*entries, *litter),
        tarred(*entries, mode="w:gz"),
        tarred(("ridge/", member(tarfile.DIRTYPE)), *entries),
    ):
        assert unpacked(raw) == Package("ridge", FILES)


def test_packing_gives_the_same_bytes_each_time() -> None:
    """Whatever the order of the files; what is packed can be unpacked to the same package."""
    package = folder_package(BASE, "weighted_mean")
    backwards = Package(package.family, dict(reversed(list(package.files.items()))))
    assert package.packed() == backwards.packed()
    assert content_hash(package.packed()) == content_hash(unpacked(package.packed()).packed())
    assert unpacked(package.packed()) == package
    assert "core.py" in package.files


def test_files_are_written_where_they_belong(tmp_path: Path) -> None:
    """In the family's folder, and nowhere else."""
    Package("ridge", FILES).written_to(tmp_path)
    found = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert found == {f"ridge/{path}" for path in FILES}


NAMES = [
    "/etc/passwd",
    "../family.yaml",
    "ridge/../../x",
    "ridge/./x",
    "ridge//x",
    "C:/ridge/x",
    "ridge\\..\\x",
    "ridge/x\n",
    "ridge/\u202egnp.py",
    "ridge/\u200bx.py",
    "ridge/сore.py",
    "ridge/コア.py",
    "ridge/-rf",
    "ridge/.hidden",
    "ridge/" + "x" * 300,
    "ridge/" + "a/" * 20 + "x",
    "family.yaml",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("packed", [zipped, tarred])
def test_a_name_that_could_lead_elsewhere_is_refused(
    packed: Callable[..., bytes], name: str
) -> None:
    """Absolute, upwards, on another system, invisible, in other scripts, too long."""
    with pytest.raises(Invalid) as refused:
        unpacked(packed(("ridge/family.yaml", b""), (name, b"x")))
    assert all(c.isprintable() and c.isascii() for c in str(refused.value))


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "not an archive": lambda: b"MZ" * 500,
    "an empty zip": lambda: zipped(),
    "an empty tar": lambda: tarred(),
    "half a zip": lambda: zipped(("ridge/a.py", b"x" * 999))[:500],
    "half a tar": lambda: tarred(("ridge/a.py", b"x" * 9999))[:5000],
    "half a tar.gz": lambda: tarred(("ridge/a.py", bytes(range(256)) * 99), mode="w:gz")[:300],
    "two folders": lambda: zipped(("ridge/a", b""), ("lasso/a", b"")),
    "a name twice": lambda: tarred(("ridge/a", b"1"), ("ridge/a", b"2")),
    "names that differ in capitals": lambda: zipped(("ridge/Core.py", b""), ("ridge/core.py", b"")),
    "a file in a file": lambda: zipped(("ridge/a", b""), ("ridge/a/b", b"")),
    "a link in a zip": lambda: zipped(("ridge/a", b"/etc/passwd"), mode=0o120777),
    "a device in a zip": lambda: zipped(("ridge/a", b""), mode=0o020666),
    "a link": lambda: tarred(("ridge/a", member(tarfile.SYMTYPE, "/etc/passwd"))),
    "a link inside": lambda: tarred(("ridge/b", b""), ("ridge/a", member(tarfile.SYMTYPE, "b"))),
    "a hard link": lambda: tarred(
        ("ridge/b", b""), ("ridge/a", member(tarfile.LNKTYPE, "ridge/b"))
    ),
    "a pipe": lambda: tarred(("ridge/a", member(tarfile.FIFOTYPE))),
    "a device": lambda: tarred(("ridge/a", member(tarfile.CHRTYPE))),
    "a bomb": lambda: zipped(("ridge/a", bytes(9 << 20)), method=zipfile.ZIP_DEFLATED),
    "a bomb in a tar.gz": lambda: gzip.compress(bytes(80 << 20)),
    "a large file": lambda: zipped(("ridge/a", bytes(17 << 20)), method=zipfile.ZIP_DEFLATED),
    "many files": lambda: zipped(*((f"ridge/{i}", b"") for i in range(archive.FILES + 1))),
    "an archive that is too large": lambda: b"PK" + bytes(17 << 20),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused(what: str) -> None:
    """In words, at once, and without taking the memory that it asks for."""
    with pytest.raises(Invalid):
        unpacked(HOSTILE[what]())


def test_a_size_that_is_a_lie_is_refused() -> None:
    """An entry that says it is small and is not, and one that says it is as large as the world."""
    raw = bytearray(zipped(("ridge/a", b"x" * 1000)))
    at = raw.rindex(b"PK\x01\x02")
    for size in (10, 2**32 - 2):
        raw[at + 24 : at + 28] = struct.pack("<I", size)
        with pytest.raises(Invalid):
            unpacked(bytes(raw))
    large = member(tarfile.REGTYPE)
    large.size = 1 << 40
    with pytest.raises(Invalid):
        unpacked(tarred(("ridge/a", large)))


def test_a_tar_that_runs_in_a_circle_ends() -> None:
    """A header with a negative size would be read again and again."""
    raw = bytearray(tarred(("ridge/a", b"x" * 600)))
    raw[124:136] = b"\xff" * 12  # -1 in base 256
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw[:512])
    with pytest.raises(Invalid):
        unpacked(bytes(raw))
