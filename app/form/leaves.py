"""Leaves: a number, a text, or an array of numbers in whatever nesting the contract allows."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from app.contract import Leaf
from app.form.numbers import Numbers, bare, kinds_of, packed, refused
from app.form.place import Place, counted, deep, kind_only, mismatch, unravelled, wrong_kind
from app.model import Difference, Mismatch, Unsupported, Value
from app.notation import kind_of, text_written

_SEQUENCES = frozenset((list, tuple, np.ndarray))

# As many as a list may hold that comes out of a box.
_MOST_ITEMS = 4_000_000


@dataclass(frozen=True, slots=True)
class Pair:
    """One leaf: what was returned and what is expected, in one shape; `listed` is how it is indexed."""

    place: Place
    leaf: Leaf
    got: Numbers
    want: Numbers
    listed: bool


class Misfit(ValueError):
    """An answer that does not fit its own contract: the package's fault, never the learner's."""


def align_leaf(value: Value, leaf: Leaf, answer: Value, place: Place) -> Iterator[Pair | Mismatch]:
    """Container, then shape, then type of number of one leaf; the pair if all three are right."""
    if leaf.kind == "string":
        yield from _align_text(value, leaf, answer, place)
        return
    if (
        isinstance(value, np.ndarray)
        and isinstance(answer, np.ndarray)
        and _plainly_alike(value, answer, leaf)
    ):
        yield Pair(place, leaf, value, answer, listed=False)
        return
    want = answer_numbers(answer)
    value = bare(value)
    if not _fits(value, leaf):
        yield wrong_kind(value, leaf, place)
        return
    gathered = _gathered(value, leaf, place)
    if isinstance(gathered, Mismatch):
        yield gathered
        return
    # A nested list shows its axes only up to the first empty one.
    shape = _up_to_empty(want.shape) if gathered.listed else want.shape
    if gathered.shape != shape:
        yield _wrong_shape(value, gathered, want, place)
        return
    wrong = _wrong_type(gathered, leaf, place)
    if wrong:
        yield wrong
    else:
        got = packed(gathered.numbers()).reshape(want.shape)
        yield from paired(got, leaf, want, place, gathered.listed)


def _plainly_alike(value: Numbers, answer: Numbers, leaf: Leaf) -> bool:
    """The common case at a glance: two float64 arrays of one shape, where arrays are allowed."""
    return (
        value.shape == answer.shape
        and value.dtype == answer.dtype == np.float64
        and leaf.kind in ("array", "array_like")
        and (leaf.dtype_kinds is None or "f" in leaf.dtype_kinds)
    )


def paired(
    got: Numbers, leaf: Leaf, want: Numbers, place: Place, listed: bool
) -> Iterator[Pair | Mismatch]:
    """The pair in dtypes that can be subtracted; Python integers stay only where both may be long."""
    if got.dtype == object and want.dtype.kind in "iu":
        want = want.astype(object)  # one more than 2^63 - 1 is not equal to it
    elif got.dtype == object and want.dtype != object:
        beyond = next((i for i, item in enumerate(got.flat) if _is_beyond(item)), None)
        if beyond is not None:
            path = place.number(unravelled(beyond, got.shape), listed)
            words = "an integer beyond the range of float64"
            yield Mismatch("value", path, place.brief(words), f"{path or 'the result'} is {words}")
            return
        got = got.astype(np.float64)
    yield Pair(place, leaf, got, want, listed)


def _is_beyond(number: float) -> bool:
    return isinstance(number, int) and abs(number) > sys.float_info.max


def _align_text(value: Value, leaf: Leaf, answer: Value, place: Place) -> Iterator[Mismatch]:
    if not isinstance(answer, str):
        raise Misfit(f"the answer is {kind_of(answer)}, the contract asks for a string")
    if not isinstance(value, str):
        yield wrong_kind(value, leaf, place)
    elif value != answer:
        got, want = text_written(value, 120), text_written(answer, 120)
        yield Mismatch(
            "value",
            place.path,
            place.brief("not the expected text"),
            place.full(f"{got} was returned, {want} expected"),
            differences=(Difference(place.path, got, want),),
            count=1,
        )


def _fits(value: Value, leaf: Leaf) -> bool:
    """Whether a leaf can be in this kind of container, or in none."""
    match value:
        case None | dict() | str() | Unsupported():
            return False
        case list():
            return leaf.kind in ("nested_list", "array_like")
        case tuple():
            return leaf.kind == "array_like"
        case np.ndarray():
            return leaf.kind != "nested_list"
        case _:
            return True


@dataclass(frozen=True, slots=True)
class _Gathered:
    """A leaf as it was returned: its shape, and its numbers in an array, in one flat list, or in
    several arrays of one shape."""

    shape: tuple[int, ...]
    items: Numbers | list[Value] | tuple[Numbers, ...]
    listed: bool = False

    def numbers(self) -> Numbers | list[Value]:
        """Several arrays as one: only once the shape is known to be right, for it may be long."""
        if not isinstance(self.items, tuple):
            return self.items
        if len({array.dtype for array in self.items}) == 1:
            return np.concatenate(self.items)
        return list(chain.from_iterable(array.ravel().tolist() for array in self.items))


def _gathered(value: Value, leaf: Leaf, place: Place) -> _Gathered | Mismatch:
    if isinstance(value, np.ndarray):
        return _Gathered(value.shape, value)
    if type(value) is list and set(map(type, value)) == {float}:
        return _Gathered((len(value),), value, listed=True)  # the common case at a glance
    shape: tuple[int, ...] = ()
    level: list[Value] = [value]
    while _SEQUENCES.intersection(types := set(map(type, level))):
        if leaf.kind == "nested_list" and types & {tuple, np.ndarray}:
            index = next(i for i, item in enumerate(level) if type(item) in (tuple, np.ndarray))
            return wrong_kind(level[index], leaf, deep(place, index, shape))
        alike = _alike(level)
        if alike:
            return _Gathered(_up_to_empty(shape + alike[0].shape), alike, listed=True)
        ragged = _ragged(level, shape, place) or _too_many(level, place)
        if ragged:
            return ragged
        shape += (len(level[0]),)  # type: ignore[arg-type]
        level = list(map(bare, chain.from_iterable(level)))  # type: ignore[arg-type]
    return _Gathered(shape, level, listed=True)


def _alike(level: Sequence[Value]) -> tuple[Numbers, ...]:
    """The arrays of a level, if it holds nothing else and they have one shape."""
    arrays = tuple(item for item in level if isinstance(item, np.ndarray))
    alike = len(arrays) == len(level) and len({array.shape for array in arrays}) == 1
    return arrays if alike else ()


def _too_many(level: Sequence[Value], place: Place) -> Mismatch | None:
    """Arrays beside lists, or of several shapes, are walked like lists: as far as a list may go.

    An axis of length 1 costs nothing in an array, and a list for every number here.
    """
    arrays = [item for item in level if isinstance(item, np.ndarray)]
    if sum(array.size * array.ndim for array in arrays) <= _MOST_ITEMS:
        return None
    words = "arrays of different shapes were returned in one list"
    return mismatch("structure", place, words, words)


def _ragged(level: list[Value], shape: tuple[int, ...], place: Place) -> Mismatch | None:
    """Says which two neighbours of one depth differ, if any do."""
    sizes = [len(item) if type(item) in _SEQUENCES else None for item in level]  # type: ignore[arg-type]
    odd = next((index for index, size in enumerate(sizes) if size != sizes[0]), None)
    if odd is None:
        return None
    first, other = (deep(Place(), index, shape).path for index in (0, odd))
    message = (
        f"a ragged list was returned: {first} {_sized(sizes[0])}, {other} {_sized(sizes[odd])}"
    )
    return mismatch("structure", place, message, "a ragged list was returned")


def _wrong_type(gathered: _Gathered, leaf: Leaf, place: Place) -> Mismatch | None:
    items = gathered.numbers()
    if isinstance(items, np.ndarray):
        if items.dtype.kind in kinds_of(leaf):
            return None
        many = _number_asked(leaf, many=True)
        words = f"an array of dtype {items.dtype.name} was returned, {many} are asked for"
        return mismatch("type", place, words, words)
    wrong = refused(items, leaf)
    if not wrong:
        return None
    item, one = items[wrong[0]], _number_asked(leaf)
    where = deep(place, wrong[0], gathered.shape)
    named = item.type_name if isinstance(item, Unsupported) else ""
    full = f"{kind_of(item)} was returned, {one} is asked for"
    brief = f"{kind_only(item)} was returned, {one} is asked for"
    return mismatch("type", where, full, brief, named)


def _wrong_shape(value: Value, gathered: _Gathered, want: Numbers, place: Place) -> Mismatch:
    got, expected = gathered.shape, want.shape
    if len(got) == len(expected) == 1:
        message = f"{counted(expected[0], 'number')} expected, {got[0]} returned"
    else:
        returned = f"{kind_of(value)} of shape {got}" if got else "a single number"
        wanted = f"shape {expected}" if expected else "a single number"
        message = f"{returned} was returned, {wanted} is expected"
    return mismatch("structure", place, message, "wrong shape")


def answer_numbers(answer: Value) -> Numbers:
    """An answer's leaf as an array, in whatever nesting the package has it."""
    anything = Leaf("array_like", dtype_kinds="biuf")
    gathered = _gathered(answer, anything, Place("answer"))
    if isinstance(gathered, Mismatch):
        raise Misfit(gathered.message)
    wrong = _wrong_type(gathered, anything, Place("answer"))
    if wrong:
        raise Misfit(wrong.message)
    return packed(gathered.numbers()).reshape(gathered.shape)


def _number_asked(leaf: Leaf, many: bool = False) -> str:
    kinds = kinds_of(leaf)
    name = (
        "integer" if set(kinds) <= set("iu") else {"b": "bool", "f": "float"}.get(kinds, "number")
    )
    return f"{name}s" if many else f"an {name}" if name == "integer" else f"a {name}"


def _sized(size: int | None) -> str:
    return "is a single value" if size is None else f"has {counted(size, 'item')}"


def _up_to_empty(shape: tuple[int, ...]) -> tuple[int, ...]:
    return shape[: shape.index(0) + 1] if 0 in shape else shape
