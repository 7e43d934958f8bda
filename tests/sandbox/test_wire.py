"""Frames: what goes out comes in again, and whatever a learner sends is refused cleanly."""

from __future__ import annotations

import math
import struct
import tracemalloc
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model import Unsupported
from app.sandbox import wire
from app.sandbox.decode import Decoder, list_of_tokens
from app.sandbox.encode import Encoder
from tests.sandbox.fuzz import frames, read

_LIMIT = 1 << 20


def _there_and_back(value: object) -> object:
    encoder = Encoder(_LIMIT, Unsupported)
    encoder.value(value)
    return read(encoder.frame(wire.RETURNED), _LIMIT)


_leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 100), 1 << 100)
    | st.floats()
    | st.text(st.characters(codec="utf-8"), max_size=20)
    | st.complex_numbers()
)
_values = st.recursive(
    _leaves,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(
            st.text(st.characters(codec="utf-8"), max_size=5) | st.integers(), inner, max_size=4
        )
    ),
    max_leaves=30,
)


@given(_values)
def test_any_value_comes_back_as_it_was(value: object) -> None:
    """Kinds, order, NaN and the sign of zero are kept."""
    assert repr(_there_and_back(value)) == repr(value)


@given(
    st.sampled_from(["?", "b", "<i2", "<u4", "<i8", "<f2", "<f4", "<f8", "<c16"]),
    st.lists(st.integers(0, 4), max_size=4),
)
def test_any_array_comes_back_as_it_was(dtype: str, shape: list[int]) -> None:
    """Of any dtype that may cross and any shape, also with no entries."""
    array = np.ones(shape, dtype=dtype)
    back = _there_and_back([array, array[..., None] if shape else array])
    assert isinstance(back, list)
    assert (back[0].dtype, back[0].shape, back[0].tobytes()) == (
        array.dtype,
        array.shape,
        array.tobytes(),
    )


class _Liar(list):  # type: ignore[type-arg]
    def __iter__(self) -> Any:
        raise AssertionError("it was asked")

    __len__ = __eq__ = __repr__ = __iter__  # type: ignore[assignment]


UNSUPPORTED = {
    "a set": ({1}, "set"),
    "bytes": (b"x", "bytes"),
    "a lying list": (_Liar(), "_Liar"),
    "objects": (np.array([None]), "ndarray of object"),
    "text": (np.array(["x"]), "ndarray of str32"),
    "a key of another type": ({1.5: 1}, "dict with a key of type float"),
    "half a pair": ("\ud800", "str"),
    "a function": (print, "builtin_function_or_method"),
    "a masked array": (np.ma.masked_array([1.0]), "MaskedArray"),
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_what_is_not_supported_crosses_by_name(name: str) -> None:
    """Nothing of the value is called; its type's name is all that comes."""
    value, type_name = UNSUPPORTED[name]
    assert _there_and_back([value, 1]) == [Unsupported(type_name), 1]


def _cycle() -> object:
    ring: list[object] = []
    ring.append(ring)
    return ring


def _deep() -> object:
    deep: list[object] = []
    for _ in range(65):
        deep = [deep]
    return deep


REFUSED: dict[str, Callable[[], object]] = {
    "a cycle": _cycle,
    "too deep": _deep,
    "an integer too large": lambda: 1 << (8 * 4096),
    "too many bytes of text": lambda: "x" * (_LIMIT + 1),
    "too many numbers": lambda: [0.0] * (_LIMIT // 8),
    "terabytes by strides": lambda: np.broadcast_to(np.ones(1), (10**6, 10**6)),
    "many small arrays": lambda: [np.ones(1)] * 20_000,
    "a thousand million empty lists": lambda: np.zeros((10**9, 0)),
    "as many in pieces": lambda: [np.zeros((10**5, 1, 0))] * 11,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_too_large_is_refused_before_it_is_copied(name: str) -> None:
    """Refused, and without taking the memory first."""
    value = REFUSED[name]()
    tracemalloc.start()
    try:
        with pytest.raises(wire.Refused):
            Encoder(_LIMIT).value(value)
        assert tracemalloc.get_traced_memory()[1] < 32 * _LIMIT
    finally:
        tracemalloc.stop()


@settings(max_examples=300)
@given(frames())
def test_whatever_bytes_come_are_a_value_or_malformed(frame: bytes) -> None:
    """No other exception, no hang, and no more memory than a multiple of the limit."""
    try:
        read(frame, _LIMIT)
    except (wire.Malformed, wire.Refused):
        return


def _frame(tokens: bytes, count: int, raw: bytes = b"", kind: int = wire.RETURNED) -> bytes:
    return wire.PREFIX.pack(wire.MAGIC, kind, 0, count, len(tokens), len(raw)) + tokens + raw


def _array(*extents: int, dtype: int = 11) -> bytes:
    data = bytes([dtype, len(extents)]) + struct.pack(f"<{len(extents)}Q", *extents)
    return msgspec.msgpack.encode([msgspec.msgpack.Ext(wire.ARRAY, data)])


MALFORMED = {
    "nothing": _frame(b"", 0),
    "no list": _frame(b"\xc0", 1),
    "fewer tokens than said": _frame(b"\x91\xc0", 2),
    "a list of four thousand million": _frame(b"\xdd\xff\xff\xff\xff\xc0", 1),
    "a nested list": _frame(b"\x91\x91\xc0", 1),
    "a map": _frame(b"\x91\x80", 1),
    "bytes": _frame(b"\x91\xc4\x01x", 1),
    "a time stamp": _frame(b"\x91\xd6\xff\x00\x00\x00\x00", 1),
    "text that is none": _frame(b"\x91\xa1\xff", 1),
    "a shape that overflows": _frame(_array(1 << 33, 1 << 33, 1 << 33), 1, b"x" * 8),
    "a shape with an impossible extent": _frame(_array(0, 1 << 62), 1),
    "a thousand million empty lists": _frame(_array(10**9, 0), 1),
    "an array without bytes": _frame(_array(3), 1, b"x" * 8),
    "an array of an unknown dtype": _frame(_array(1, dtype=99), 1, b"x" * 8),
    "a truth value of seven": _frame(_array(1, dtype=0), 1, b"\x07"),
    "a container longer than the frame": _frame(
        msgspec.msgpack.encode([msgspec.msgpack.Ext(1, b"\xff\xff\xff\xff")]), 1
    ),
    "an unknown code": _frame(msgspec.msgpack.encode([msgspec.msgpack.Ext(77, b"")]), 1),
    "a negative code": _frame(msgspec.msgpack.encode([msgspec.msgpack.Ext(-5, b"")]), 1),
    "the same key twice": _frame(
        msgspec.msgpack.encode([msgspec.msgpack.Ext(3, b"\x02\0\0\0"), "a", 1, "a", 2]), 5
    ),
    "a key that is a list": _frame(
        msgspec.msgpack.encode(
            [msgspec.msgpack.Ext(3, b"\x01\0\0\0"), msgspec.msgpack.Ext(1, b"\0\0\0\0"), 1]
        ),
        3,
    ),
    "left over": _frame(b"\x92\xc0\xc0", 2),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_crafted_frame_is_malformed(name: str) -> None:
    """Each trick is refused for what it is, before memory is taken for it."""
    tracemalloc.start()
    try:
        with pytest.raises(wire.Malformed):
            read(MALFORMED[name], _LIMIT)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_lengths_are_refused_before_anything_is_read() -> None:
    """A prefix that claims too much is refused by itself."""
    prefix = wire.PREFIX.pack(wire.MAGIC, wire.RETURNED, 0, 1, 5, 1 << 63)
    with pytest.raises(wire.Refused):
        wire.read_prefix(prefix, _LIMIT)


def test_a_flood_of_small_tokens_stays_bounded() -> None:
    """The densest frame of containers takes memory in proportion to its tokens."""
    count = 100_000
    tokens = b"\xdd" + struct.pack(">I", count + 1)
    tokens += b"\xc7\x04\x01" + struct.pack("<I", count) + b"\xc7\x04\x01\0\0\0\0" * count
    tracemalloc.start()
    try:
        value = read(_frame(tokens, count + 1), 2 * _LIMIT)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert value == [[]] * count
    assert peak < 400 * count


def test_large_arrays_are_not_copied_on_the_way_in() -> None:
    """What arrives is a view of the frame, and nobody can write to it."""
    encoder = Encoder(1 << 24)
    encoder.value(np.arange(1e5))
    frame = encoder.frame(wire.RETURNED)
    prefix = wire.read_prefix(frame, 1 << 24)
    start = wire.PREFIX.size
    raw = memoryview(frame)[start + prefix.header_bytes :]
    decoder = Decoder(
        list_of_tokens(frame[start : start + prefix.header_bytes], prefix.tokens), raw, copy=False
    )
    array: Any = decoder.value()
    assert not array.flags.writeable
    assert not array.flags.owndata
    assert math.isclose(array.sum(), 1e5 * (1e5 - 1) / 2)
