"""Tests from an NPZ file: a member a place, `two_heavy/values` or `two_heavy/grads[0]`.

`two_heavy/labels` is an array of texts; `two_heavy/expected.mean` and the like are claims. Nothing is
unpickled, ever: the members are read here, header and numbers, and what is not plain numbers (or
texts, for labels) is refused. Sizes are looked at before memory is taken.
"""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.lib import format as npy

from app import notation
from app.contract import AnySequence, Argument, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.errors import FieldError, Invalid
from app.problem import paths
from app.problem.entries import Entries, Unreadable
from app.problem.paths import Path
from app.problem.typed import DTYPES

MOST_MEMBERS = 10_000
MEMBER_MIB = 16
TOTAL_MIB = 32
RATIO = 200  # unpacked to packed, in members that are not small
_SMALL_BYTES = 1 << 20
_HEADER_BYTES = 10_000
_TEXT_BYTES = 4096  # of one text
_EMPTY_LISTS = 100  # of an array without numbers, which a header makes of no bytes
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError, ValueError,
    NotImplementedError, RuntimeError, IndexError, OverflowError, SyntaxError, tokenize.TokenError,
)  # fmt: skip


def npz_tests(content: bytes, inputs: Sequence[Argument], most: int) -> Entries:
    """The tests in an NPZ file, at most `most`. Raises Invalid where the file is not what it should be.

    inputs   the family's: an array is handed on as an array only where one is asked for
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except _BROKEN:
        _refuse("file", "is not an NPZ file, or not all of it")
    with archive:
        members = archive.infolist()
        _check_sizes(members)
        contracts = {argument.name: argument.contract for argument in inputs}
        tests: dict[str, dict[str, Any]] = {}
        for info in members:
            test, path = _placed(info)
            if test not in tests and len(tests) == most:
                _refuse("file", f"holds more than {most} tests")
            array = _array(archive, info)
            sections = tests.setdefault(test, {"arguments": []})
            if path == ("labels",):
                sections["labels"] = [str(label) for label in array.ravel().tolist()]
                continue
            inside = path[0] in ("expected", "answers") and len(path) > 1
            section, rest = (str(path[0]), path[1:]) if inside else ("arguments", path)
            contract = contracts.get(str(path[0])) if not inside else None
            sections.setdefault(section, []).append((rest, _entry(array, contract, path[1:])))
    return Entries(tuple(_test(name, found) for name, found in tests.items()))


def _check_sizes(members: Sequence[zipfile.ZipInfo]) -> None:
    """Whether the members may be unpacked at all, by what the file says of them."""
    if len(members) > MOST_MEMBERS:
        _refuse("file", f"holds more than {MOST_MEMBERS} members")
    if sum(info.file_size for info in members) > TOTAL_MIB << 20:
        _refuse("file", f"unpacks to more than {TOTAL_MIB} MiB")
    seen: set[str] = set()
    for info in members:
        name = info.filename[:80]
        if info.filename in seen:
            _refuse(name, "is there twice")
        seen.add(info.filename)
        if info.file_size > MEMBER_MIB << 20:
            _refuse(name, f"unpacks to more than {MEMBER_MIB} MiB")
        if info.file_size > max(_SMALL_BYTES, RATIO * info.compress_size):
            _refuse(name, f"is packed more than {RATIO} times: the numbers are not written so")
        if info.flag_bits & 1 or info.compress_type not in _METHODS:
            _refuse(name, "is packed in a way that is not read here")


def _placed(info: zipfile.ZipInfo) -> tuple[str, Path]:
    test, slash, rest = info.filename.removesuffix(".npy").partition("/")
    if not slash or not info.filename.endswith(".npy"):
        _refuse(info.filename[:80], "is not named <test>/<input>")
    try:
        return test, paths.path_of(rest)
    except Invalid as error:
        _refuse(f"{test[:64]}/{error.errors[0].where}", error.errors[0].message)


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray[Any, Any]:
    """A member's array, if the header promises exactly the bytes that follow."""
    name = info.filename[:80]
    try:
        with archive.open(info) as member:
            raw = member.read(info.file_size + 1)
        file = io.BytesIO(raw)
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, dtype = read(file, max_header_size=_HEADER_BYTES)
    except _BROKEN:
        _refuse(name, "is not an array, or not all of it")
    texts = dtype.kind == "U" and 0 < dtype.itemsize <= _TEXT_BYTES
    if not texts and dtype.name not in DTYPES:
        _refuse(name, f"an array of dtype {str(dtype)[:40]} is not read: only plain numbers are")
    if len(shape) > 32 or any(n < 0 for n in shape):
        _refuse(name, "has a shape that is not one")
    if 0 in shape and math.prod(n for n in shape if n) > _EMPTY_LISTS:
        _refuse(name, f"holds nothing, in more than {_EMPTY_LISTS} lists")
    offset = file.tell()
    if math.prod(shape) * dtype.itemsize != len(raw) - offset:
        _refuse(name, "does not hold as many numbers as its header says")
    flat = np.frombuffer(raw, dtype=dtype, offset=offset).astype(dtype.newbyteorder("="))
    if texts and not _is_text(flat):
        _refuse(name, "holds what is not text")
    return flat.reshape(shape, order="F" if fortran else "C")


def _is_text(flat: np.ndarray[Any, Any]) -> bool:
    """Whether every character is one; NumPy keeps any 32 bits as a character."""
    codes = flat.view(np.uint32)
    return not bool(((codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))).any())


def _entry(array: np.ndarray[Any, Any], contract: Contract | None, steps: Path) -> object:
    """Typed data: an array where the contract asks for one, else plain numbers and lists."""
    for step in steps:
        contract = _inside(contract, step)
    asked = contract.kind if isinstance(contract, Leaf) else ""
    if array.ndim and asked in ("array", "array_like"):
        return notation.to_json(array)
    return notation.to_json(array.tolist())


def _inside(contract: Contract | None, step: str | int) -> Contract | None:
    match contract:
        case Dict(fields):
            return dict(fields).get(str(step))
        case DictOf(item) | ListOf(item) | AnySequence(item):
            return item
        case Tuple(items) | List(items):
            return items[step] if isinstance(step, int) and step < len(items) else None
        case _:
            return None


def _test(name: str, sections: dict[str, Any]) -> object:
    try:
        found: dict[str, Any] = {"name": name, "labels": sections.pop("labels", [])}
        return found | {key: paths.assembled(items) for key, items in sections.items()}
    except Invalid as error:
        return Unreadable(f"{name[:64]}: {error}")


def _refuse(where: str, message: str) -> NoReturn:
    raise Invalid(f"{where}: {message}", (FieldError(where, message),))
