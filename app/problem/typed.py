"""Typed data, as authors and clients write it, becomes values.

Numbers, strings, lists and None stand for themselves. What JSON and YAML cannot say is a mapping
with one known key: `{array: [[1, 2]], dtype: int64}` (default float64; `shape` where the lists of an
empty array cannot tell it), `{tuple: [...]}`, `{dict: {key: value}}` or `{dict: [[key, value], ...]}`,
`{float: NaN}`, `{int: "0x1f"}`, `{complex: [re, im]}`, `{scalar: 3, dtype: int64}`. In arrays the words
NaN, Infinity and -Infinity, and integers in hexadecimal, are strings: so is written all that
`notation.to_json` writes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NoReturn, TypeAlias

import numpy as np

from app.errors import FieldError, Invalid
from app.model import Value
from app.notation import number_written, text_written

DEPTH = 64
NODES = 4_000_000
INTEGER_BITS = 8 * 4096
_KEYS_ALIKE = 64  # integers hash as they are: thousands of one hash take a dict for ever
DTYPES = (
    "float64", "float32", "float16", "int64", "int32", "int16", "int8",
    "uint64", "uint32", "uint16", "uint8", "bool", "complex128", "complex64",
)  # fmt: skip
_AXES = 32
_HEXADECIMAL = re.compile(r"-?0x[0-9a-f]+")
# The objects that may stand for an entry of an array, or for a scalar, by the kind of its dtype.
_TAGS_OF_ENTRIES = {
    "b": set[str](),
    "i": {"int"},
    "u": {"int"},
    "f": {"float"},
    "c": {"float", "complex"},
}
_Array: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.generic]]
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def value(data: object, where: str = "", nodes: int = NODES) -> Value:
    """The value that `data` stands for.

    Raises Invalid, with the place, for anything that is not typed data, deeper than 64 or larger
    than `nodes` numbers, lists and strings in all.
    """
    return _Reading(nodes).value(data, where, 0)


def _refuse(where: str, message: str) -> NoReturn:
    raise Invalid(f"{where}: {message}" if where else message, (FieldError(where, message),))


@dataclass(slots=True)
class _Reading:
    """One pass over a tree; counts what it has seen, so that a bomb ends early."""

    left: int
    seen: int = field(default=0)

    def count(self, where: str, depth: int) -> None:
        self.left -= 1
        if self.left < 0:
            _refuse(where, "too many values in all")
        if depth > DEPTH:
            _refuse(where, f"nested deeper than {DEPTH} levels")

    def value(self, data: object, where: str, depth: int) -> Value:
        self.count(where, depth)
        match data:
            case None | bool() | str():
                return data
            case int():
                if data.bit_length() > INTEGER_BITS:
                    _refuse(where, "the integer is too large")
                return data
            case float():
                if not math.isfinite(data):
                    _refuse(where, 'not a finite number; write {"float": "Infinity"} or "NaN"')
                return data
            case list():
                return [self.value(x, f"{where}[{i}]", depth + 1) for i, x in enumerate(data)]
            case dict():
                return self.tagged(data, where, depth)
            case _:
                _refuse(where, f"a {type(data).__name__} is not a value")

    def tagged(self, data: dict[object, object], where: str, depth: int) -> Value:
        match data:
            case {"float": str() as word, **rest} if not rest and word in _SPECIAL:
                return _SPECIAL[word]
            case {"int": str() as digits, **rest} if not rest:
                return self.integer(digits, where)
            case {"complex": [re, im], **rest} if not rest:
                return complex(self.real(re, where), self.real(im, where))
            case {"tuple": list() as items, **rest} if not rest:
                return tuple(self.value(x, f"{where}[{i}]", depth + 1) for i, x in enumerate(items))
            case {"dict": dict() | list() as pairs, **rest} if not rest:
                return self.mapping(pairs, where, depth)
            case {"array": nested, **rest} if rest.keys() <= {"dtype", "shape"}:
                array = self.array(nested, rest.get("dtype", "float64"), where, depth)
                return self.shaped(array, rest["shape"], where) if "shape" in rest else array
            case {"scalar": number, "dtype": dtype, **rest} if not rest:
                return self.array(number, dtype, where, depth)[()]
        _refuse(
            where,
            "a mapping must be one of array, tuple, dict, float, int, complex, scalar; "
            f"this one has the keys {', '.join(map(_quoted, list(data)[:5]))}",
        )

    def real(self, data: object, where: str) -> float:
        number = self.value(data, where, 0)
        if type(number) not in (int, float):
            _refuse(where, "not a number")
        return float(number)  # type: ignore[arg-type]

    def integer(self, digits: str, where: str) -> int:
        if len(digits) > INTEGER_BITS // 4:
            _refuse(where, "the integer is too large")
        if not _HEXADECIMAL.fullmatch(digits):
            _refuse(where, f"{_described(digits)} is not an integer in hexadecimal, as 0x1f")
        return int(digits, 16)

    def shaped(self, array: _Array, shape: object, where: str) -> _Array:
        """The lists of an empty array cannot tell all its sizes; every other shape is told twice."""
        if (
            not isinstance(shape, list)
            or len(shape) > _AXES
            or not all(type(n) is int and 0 <= n <= NODES for n in shape)
        ):
            _refuse(where, f"a shape is a list of sizes, at most {_AXES}")
        self.left -= math.prod(n for n in shape if n)  # what its lists would hold, written out
        self.count(where, 0)
        if math.prod(shape) != array.size:
            _refuse(where, f"{array.size} entries do not have this shape")
        return array.reshape(shape)

    def mapping(self, pairs: object, where: str, depth: int) -> dict[object, Value]:
        found: dict[object, Value] = {}
        hashes: set[int] = set()
        for written, item in _pairs(pairs, where):
            key = self.value(written, where, depth) if isinstance(written, dict) else written
            if type(key) not in (str, int):
                _refuse(where, "a key must be a string or an integer")
            named = _key_written(key)
            if key in found:
                _refuse(where, f"the key {named} is there twice")
            hashes.add(hash(key))
            if len(found) - len(hashes) > _KEYS_ALIKE:
                _refuse(where, "too many keys of one hash")
            found[key] = self.value(item, f"{where}[{named}]", depth + 1)
        return found

    def array(self, nested: object, dtype: object, where: str, depth: int) -> _Array:
        if dtype not in DTYPES:
            _refuse(where, f"the dtype {_quoted(dtype)} is not one of {', '.join(DTYPES)}")
        kind = np.dtype(str(dtype)).kind
        if (quick := _plain_numbers(nested, str(dtype))) is not None:
            self.left -= quick.size
            self.count(where, depth)
            return quick.astype(str(dtype))
        shape = nested_shape(nested, where)
        flat = [self.entry(x, place, kind) for x, place in entries(nested, where)]
        try:
            return np.array(flat, dtype=str(dtype)).reshape(shape)
        except (OverflowError, ValueError):
            _refuse(where, f"an entry does not fit the dtype {dtype}")

    def entry(self, data: object, where: str, kind: str) -> object:
        self.count(where, 0)
        if type(data) is str and kind in "fc" and data in _SPECIAL:
            return _SPECIAL[data]
        if type(data) is str and kind in "iu" and data.lstrip("-").startswith("0x"):
            return self.integer(data, where)
        if isinstance(data, dict) and data.keys() <= _TAGS_OF_ENTRIES[kind]:
            return self.value(data, where, 0)
        if kind == "b" and type(data) is bool:
            return data
        if type(data) is int and kind in "iufc":
            if abs(data) > 2**1023:
                _refuse(where, "the integer is too large for an array")
            return data
        if type(data) is float and kind in "fc":
            return self.value(data, where, 0)
        return _refuse(where, f"{_described(data)} does not fit an array of this dtype")


def _plain_numbers(nested: object, dtype: str) -> np.ndarray[Any, np.dtype[Any]] | None:
    """The quick way for large arrays of finite numbers; None where the careful way must decide."""
    if dtype not in ("float64", "int64") or not isinstance(nested, list):
        return None
    try:
        found = np.asarray(nested)
    except (ValueError, OverflowError):
        return None
    flat: Any = nested
    for _ in range(found.ndim - 1):
        flat = chain.from_iterable(flat)
    wanted = {int} if dtype == "int64" else {int, float}
    plain = found.dtype.kind in "if" and set(map(type, flat)) <= wanted
    return found if plain and bool(np.isfinite(found).all()) else None


def nested_shape(nested: object, where: str) -> tuple[int, ...]:
    """The shape of nested lists of equal lengths. Raises Invalid where two lengths differ."""
    shape: list[int] = []
    level = [(nested, where)]
    while level and isinstance(level[0][0], list):
        first = len(level[0][0])
        below: list[tuple[object, str]] = []
        for item, place in level:
            if not isinstance(item, list):
                _refuse(place, "a number stands where the others are lists")
            if len(item) != first:
                _refuse(place, f"has {len(item)} items where the first has {first}")
            below += [(x, f"{place}[{i}]") for i, x in enumerate(item)]
        shape.append(first)
        if len(shape) > _AXES:
            _refuse(where, f"an array has at most {_AXES} axes")
        level = below
    for item, place in level:
        if isinstance(item, list):
            _refuse(place, "a list stands where the others are numbers")
    return tuple(shape)


def entries(nested: object, where: str) -> Iterator[tuple[object, str]]:
    """Every entry of nested lists, with its place."""
    if isinstance(nested, list):
        for i, item in enumerate(nested):
            yield from entries(item, f"{where}[{i}]")
    else:
        yield nested, where


def _key_written(key: object) -> str:
    return repr(key) if isinstance(key, str) else number_written(key)  # type: ignore[arg-type]


def _pairs(pairs: object, where: str) -> Iterator[tuple[object, object]]:
    if isinstance(pairs, dict):
        yield from pairs.items()
        return
    for pair in pairs if isinstance(pairs, list) else ():
        if not isinstance(pair, list) or len(pair) != 2:
            _refuse(where, "a dict is a list of [key, value] pairs")
        yield pair[0], pair[1]


def _quoted(data: object) -> str:
    return text_written(data, 40) if isinstance(data, str) else _described(data)


def _described(data: object) -> str:
    match data:
        case str():
            return f'the string "{data[:20]}"'
        case bool():
            return str(data).lower()
        case int() | float():
            return number_in_words(data)
        case _:
            return "null" if data is None else f"a {type(data).__name__}"


def number_in_words(number: complex) -> str:
    """A number for a message; Python refuses to write integers of thousands of digits."""
    if isinstance(number, int) and number.bit_length() > 128:
        return f"an integer of {number.bit_length()} bits"
    return repr(number)[:40]
