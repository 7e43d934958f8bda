"""Values written out: for people as text, and for storing and sending as JSON that loses nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from app.contract import Contract, Dict, DictOf, Leaf, List, Tuple
from app.model import Unsupported, Value

# Every reader sees the whole of an ordinary answer; nobody reads ten thousand numbers.
WIDTH = 480

# Python refuses to write integers of more than 4300 digits, and nobody wants to read forty.
_LONGEST_DIGITS = 40

# Integers up to here are exact in every reader of JSON, whose numbers may all be float64.
_SAFE_INTEGER = 2**53


# --- For people ---------------------------------------------------------------------------------


def written(
    value: Value, places: int | None = None, width: int = WIDTH, contract: Contract | None = None
) -> str:
    """A value as a learner would type it: NumPy scalars are plain numbers, NaN and ∞ are signs.

    places     decimal places of every float, None for all that tell it from its neighbours
    width      about how many characters; what is left out is counted (`… 997 more`)
    contract   where given, floats of a leaf that asks for rounding are written rounded
    """
    return "".join(_pieces(value, places, contract, [width]))


def number_written(value: float | int, places: int | None = None) -> str:
    """One number: `5.0`, `1e-07`, `NaN`, `-∞`; an integer too long to read is cut and counted."""
    if type(value) is int:
        return _integer_written(value)
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    return repr(number if places is None else round(number, places))


def _integer_written(value: int) -> str:
    if abs(value) < 10**_LONGEST_DIGITS:
        return str(value)
    digits = int(math.log10(abs(value))) + 1
    return f"an integer of about {digits} digits"


def text_written(text: str, width: int = WIDTH) -> str:
    """Text on one line in quotes, cut to `width` with an exact count of what was cut."""
    if len(text) <= width:
        return repr(text)
    return f"{text[:width]!r} … {len(text) - width} more characters"


def _pieces(
    value: Value, places: int | None, contract: Contract | None, room: list[int]
) -> Iterator[str]:
    """The text in pieces; `room[0]` is what is left of the width, shared by all levels."""
    if isinstance(contract, Leaf) and contract.round is not None:
        places = contract.round
    if type(value) is np.ndarray and value.ndim:
        yield _spent(room, "array(")
        yield from _items(value, places, None, room, "[]")
        if value.size == 0 and value.ndim > 1:
            yield _spent(room, f", shape={value.shape}")
        if value.dtype.name not in ("float64", "int64", "bool"):
            yield _spent(room, f", dtype={value.dtype.name}")
        yield ")"
    elif type(value) is list:
        yield from _items(value, places, contract, room, "[]")
    elif type(value) is tuple:
        yield from _items(value, places, contract, room, "()")
    elif type(value) is dict:
        yield from _entries(value, places, contract, room)
    else:
        yield _spent(room, _scalar_written(value, places))


def _items(
    value: Sequence[Value] | np.ndarray[Any, Any],
    places: int | None,
    contract: Contract | None,
    room: list[int],
    brackets: str,
) -> Iterator[str]:
    yield _spent(room, brackets[0])
    for index in range(len(value)):
        if index:
            yield _spent(room, ", ")
            if room[0] <= 0:
                yield f"… {len(value) - index} more"
                break
        item = value[index]
        if type(item) is np.ndarray and item.ndim and type(value) is np.ndarray:
            yield from _items(item, places, None, room, "[]")
            continue
        yield from _pieces(item, places, _part(contract, index), room)
    yield ",)" if brackets == "()" and len(value) == 1 else brackets[1]


def _entries(
    value: dict[Any, Value], places: int | None, contract: Contract | None, room: list[int]
) -> Iterator[str]:
    yield _spent(room, "{")
    for index, (key, item) in enumerate(value.items()):
        if index:
            yield _spent(room, ", ")
            if room[0] <= 0:
                yield f"… {len(value) - index} more"
                break
        yield _spent(room, f"{_scalar_written(key, None)}: ")
        yield from _pieces(item, places, _part(contract, key), room)
    yield "}"


def _part(contract: Contract | None, step: object) -> Contract | None:
    """The contract of one item or entry; None where the contract has no such part."""
    match contract:
        case Dict(fields=fields):
            return dict(fields).get(str(step))
        case Tuple(items=items) | List(items=items):
            return items[step] if isinstance(step, int) and step < len(items) else None
        case None | Leaf():
            return contract
        case DictOf(item=item):
            return item
        case _:
            return contract.item


def _scalar_written(value: Value, places: int | None) -> str:
    if isinstance(value, np.ndarray | np.generic):
        value = value.item()
    match value:
        case bool() | None:
            return str(value)
        case int() | float():
            return number_written(value, places)
        case complex():
            sign = "-" if math.copysign(1.0, value.imag) < 0 else "+"
            imaginary = number_written(abs(value.imag), places)
            return f"({number_written(value.real, places)} {sign} {imaginary}j)"
        case str():
            return text_written(value, 120)
        case Unsupported(type_name=name):
            return f"<a value of type {name}>"
        case _:
            return str(value)


def _spent(room: list[int], text: str) -> str:
    room[0] -= len(text)
    return text


def kind_of(value: Value) -> str:
    """What kind of thing a value is, with its article: `a list`, `a NumPy array`, `None`."""
    match value:
        case None:
            return "None"
        case np.ndarray():
            return "a NumPy array"
        case np.generic():
            return f"a NumPy {value.dtype.name}"
        case Unsupported(type_name=name):
            return f"a value of type {name}"
        case complex():
            return "a complex number"
        case str():
            return "a string"
        case int() if type(value) is int:
            return "an int"
        case _:
            return f"a {type(value).__name__}"


# --- As JSON ------------------------------------------------------------------------------------


def to_json(value: Value) -> object:
    """A value as JSON with its exact type; `from_json` gives it back. Legal JSON always.

    What JSON has is itself; all else is an object with one tag: float (not finite), int (beyond
    2^53, in hexadecimal), array, tuple, dict, complex, scalar, unsupported. What people may send
    (`problem.typed`) includes all that is written here, but for what is unsupported.
    """
    match value:
        case np.generic():
            return {"scalar": to_json(value.item()), "dtype": value.dtype.name}
        case np.ndarray():
            return _array_to_json(value)
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) <= _SAFE_INTEGER else {"int": hex(value)}
        case float():
            return value if math.isfinite(value) else {"float": _non_finite(value)}
        case complex():
            return {"complex": [to_json(value.real), to_json(value.imag)]}
        case list():
            return [to_json(item) for item in value]
        case tuple():
            return {"tuple": [to_json(item) for item in value]}
        case dict():
            return {"dict": [[to_json(key), to_json(item)] for key, item in value.items()]}
        case Unsupported(type_name=name):
            return {"unsupported": name}
        case _:
            raise TypeError(f"{kind_of(value)} is no value that crosses a border")


def from_json(tree: object) -> Value:
    """The value that `to_json` wrote. Raises ValueError, in words, for what it cannot have written."""
    if isinstance(tree, list):
        return [from_json(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    readers: dict[str, Callable[[Any], Value]] = {
        "float": float,
        "int": lambda digits: int(digits, 16),
        "complex": _complex_from_json,
        "tuple": lambda items: tuple(from_json(item) for item in items),
        "dict": lambda pairs: {from_json(key): from_json(item) for key, item in pairs},
        "unsupported": Unsupported,
    }
    tag = next((name for name in tree if name in ("array", "scalar", *readers)), "")
    try:
        if tag == "array":
            return _array_from_json(tree)
        if tag == "scalar":
            return np.array(from_json(tree["scalar"]), dtype=tree["dtype"])[()]
        if tag in readers and len(tree) == 1:
            return readers[tag](tree[tag])
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise ValueError(f"not a value of kind {tag!r}: {error}") from error
    raise ValueError(f"no kind of value is written with {tag!r}")


def _array_to_json(array: np.ndarray[Any, Any]) -> dict[str, object]:
    """Nested lists, a dtype, and the shape where the lists cannot tell it (empty arrays)."""
    if array.dtype.kind not in "biufc" or array.dtype.itemsize > 16:
        raise TypeError(f"an array of dtype {array.dtype} is no value that crosses a border")
    lists = array.tolist()
    if array.dtype.kind == "c":
        lists = _each(lists, to_json)
    elif array.dtype.kind == "f" and not np.isfinite(array).all():
        lists = _each(lists, lambda item: item if math.isfinite(item) else _non_finite(item))
    elif array.dtype.itemsize == 8 and array.dtype.kind in "iu":
        lists = _each(lists, lambda item: item if abs(item) <= _SAFE_INTEGER else hex(item))
    tree: dict[str, object] = {"array": lists, "dtype": array.dtype.name}
    return tree if array.size else tree | {"shape": list(array.shape)}


def _array_from_json(tree: dict[str, Any]) -> np.ndarray[Any, Any]:
    dtype = np.dtype(tree.get("dtype", "float64"))
    if dtype.kind not in "biufc":
        raise ValueError(f"dtype {dtype}")
    read = float if dtype.kind == "f" else lambda digits: int(digits, 16)
    if dtype.kind == "c":
        lists = _each(tree["array"], _complex_entry_from_json)
    else:
        lists = _each(tree["array"], lambda item: read(item) if isinstance(item, str) else item)
    array = np.array(lists, dtype=dtype)
    return array.reshape(tree["shape"]) if "shape" in tree else array


def _each(lists: Any, change: Callable[[Any], object]) -> Any:
    if isinstance(lists, list):
        return [_each(item, change) for item in lists]
    return change(lists)


def _complex_entry_from_json(tree: Any) -> complex:
    return _complex_from_json(tree["complex"])


def _complex_from_json(parts: list[object]) -> complex:
    real, imaginary = parts
    return complex(_real(real), _real(imaginary))


def _real(tree: object) -> float:
    number = from_json(tree)
    if isinstance(number, int | float):
        return float(number)
    raise ValueError("the parts of a complex number are floats")


def _non_finite(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
