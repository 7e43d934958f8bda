"""Writing frames: a value becomes tokens and raw pieces, bounded while it is walked.

Types are compared exactly and nothing of a value is called: no method, no property, no comparison
of its own. What is too large, too deep or cyclic is refused before it is copied.
"""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from app.sandbox.wire import (
    ALIGN,
    ARRAY,
    ARRAY_HEAD,
    CODE,
    COMPLEX,
    COMPLEX_PAIR,
    COUNT,
    DICT,
    DTYPES,
    INTEGER,
    LIST,
    MAGIC,
    MAX_DEPTH,
    MAX_EMPTY_LISTS,
    MAX_INTEGER_BYTES,
    MAX_NAME_BYTES,
    MAX_NODES,
    PREFIX,
    SCALAR,
    SHARED,
    TUPLE,
    UNSUPPORTED,
    Refused,
    Unsupported,
    numpy,
)  # fmt: skip

_Ext = msgspec.msgpack.Ext
_encode = msgspec.msgpack.Encoder().encode
_PLAIN = {type(None), bool, float}
_type_name = type.__dict__["__name__"].__get__
_int_size, _int_bytes, _utf8, _pack = int.bit_length, int.to_bytes, str.encode, struct.pack

if numpy is not None:
    _ndarray, _generic, _u8 = numpy.ndarray, numpy.generic, numpy.uint8
    _number_of = {key: number for number, key in enumerate(DTYPES)}
    _scalars: set[Any] = {
        kind
        for kind in numpy.sctypeDict.values()
        if (numpy.dtype(kind).kind, numpy.dtype(kind).itemsize) in _number_of
    }
    _contiguous, _reshape, _view = numpy.ascontiguousarray, _ndarray.reshape, _ndarray.view
    _native, _frombuffer, _scalar_bytes = (
        numpy.dtype.newbyteorder,
        numpy.frombuffer,
        _generic.tobytes,
    )
    _scalar_dtype, _array_dtype = _generic.dtype.__get__, _ndarray.dtype.__get__
    _array_shape, _array_data = _ndarray.shape.__get__, _ndarray.data.__get__
else:
    _ndarray, _scalars, _number_of = None, set(), {}


class Encoder:
    """Collects the tokens and raw pieces of one frame, at most `limit_bytes` in all."""

    __slots__ = (
        "_bytes",
        "_empty_lists",
        "_limit",
        "_nodes",
        "_unsupported",
        "pieces",
        "raw_bytes",
        "tokens",
    )

    def __init__(self, limit_bytes: int, unsupported: type = Unsupported) -> None:
        self.tokens: list[Any] = []
        self.pieces: list[Any] = []  # (offset, bytes-like)
        self.raw_bytes = 0
        self._limit, self._bytes, self._nodes, self._empty_lists = limit_bytes, 0, 0, 0
        self._unsupported = unsupported

    def plain(self, *values: str | int | bool | None) -> None:
        self.tokens.extend(values)

    def code(self, code: bytes | bool) -> None:
        """A compiled program, or whether it is to be told once it is."""
        self.tokens.append(code if code is True or code is False else _Ext(CODE, code))

    def value(self, value: object) -> None:
        """Append one value. Iterative: the stack holds what is left of each open container."""
        stack: list[Any] = [iter((value,))]
        while stack:
            for item in stack[-1]:
                inner = self._one(item)
                if inner is not None:
                    if len(stack) > MAX_DEPTH:
                        raise Refused("nested too deeply")
                    stack.append(inner)
                    break
            else:
                stack.pop()

    def _one(self, item: Any) -> Any:
        """Append one node; give back an iterator where it has parts that still have to follow."""
        kind = type(item)
        if kind in _PLAIN:
            self._take(9)
            self.tokens.append(item)
        elif kind is int:
            self._integer(item)
        elif kind is str:
            self._string(item)
        elif kind is list or kind is tuple:
            return self._sequence(item, LIST if kind is list else TUPLE)
        elif kind is dict:
            return self._dict(item)
        elif kind is complex:
            self._ext(COMPLEX, COMPLEX_PAIR.pack(item.real, item.imag))
        elif kind is _ndarray:
            self._array(item)
        elif kind in _scalars:
            self._scalar(item)
        elif kind is self._unsupported:
            self._refuse(item.type_name)
        else:
            self._refuse(_type_name(kind))
        return None

    def _take(self, size: int, nodes: int = 1) -> None:
        self._bytes += size
        self._nodes += nodes
        if self._bytes > self._limit or self._nodes > MAX_NODES:
            raise Refused("too large")

    def _ext(self, code: int, data: bytes) -> None:
        self._take(len(data) + 3)
        self.tokens.append(_Ext(code, data))

    def _refuse(self, name: str) -> None:
        self._ext(UNSUPPORTED, _utf8(name, "utf-8", "replace")[:MAX_NAME_BYTES])

    def _integer(self, item: int) -> None:
        if -(1 << 63) <= item < (1 << 63):
            self._take(9)
            self.tokens.append(item)
            return
        size = (_int_size(item) + 8) // 8
        if size > MAX_INTEGER_BYTES:
            raise Refused("an integer is too large")
        self._ext(INTEGER, _int_bytes(item, size, "little", signed=True))

    def _string(self, item: str) -> None:
        self._take(len(item) + 5)
        try:
            self._take(len(_utf8(item)) - len(item), 0)
        except UnicodeEncodeError:  # half of a surrogate pair is no text
            self._refuse("str")
        else:
            self.tokens.append(item)

    def _sequence(self, items: Any, code: int) -> Any:
        count = len(items)
        if count > MAX_NODES:
            raise Refused("too many parts")
        self._ext(code, COUNT.pack(count))
        kinds = set(map(type, items))
        if kinds <= _PLAIN or (
            kinds == {int} and min(items) >= -(1 << 63) and max(items) < (1 << 63)
        ):
            self._take(9 * count, count)
            self.tokens.extend(items)
            return None
        return iter(items)

    def _dict(self, items: dict[Any, Any]) -> Any:
        wrong = [kind for kind in set(map(type, items)) if kind is not str and kind is not int]
        if wrong:
            self._refuse(f"dict with a key of type {_type_name(wrong[0])}")
            return None
        self._ext(DICT, COUNT.pack(len(items)))
        return iter([part for pair in items.items() for part in pair])

    def _array(self, array: Any) -> None:
        dtype = _array_dtype(array)
        number = _number_of.get((dtype.kind, dtype.itemsize))
        if number is None:
            self._refuse(f"ndarray of {dtype.name}")
            return
        shape = _array_shape(array)
        size, lists = dtype.itemsize, 1
        for extent in shape:
            size *= extent
            lists *= extent if size else 1
        if not size:
            self._empty_lists += lists
            if self._empty_lists > MAX_EMPTY_LISTS:
                raise Refused("too many empty parts")
        self._take(size + 8 * len(shape) + ALIGN)  # before any copy: strides of zero make terabytes
        head = ARRAY_HEAD.pack(number, len(shape)) + _pack(f"<{len(shape)}Q", *shape)
        self.tokens.append(_Ext(ARRAY, head))
        if size:
            flat = _reshape(_contiguous(array, _native(dtype, "=")), -1)
            offset = -(-self.raw_bytes // ALIGN) * ALIGN
            self.pieces.append((offset, _array_data(_view(flat, _u8))))
            self.raw_bytes = offset + size

    def _scalar(self, item: Any) -> None:
        dtype = _scalar_dtype(item)
        number = _number_of[dtype.kind, dtype.itemsize]
        self._ext(SCALAR, bytes([number]) + _scalar_bytes(item))

    def header(self) -> bytes:
        return _encode(self.tokens)

    def frame(self, kind: int, shared: bool = False) -> bytes:
        """Prefix, header and, unless it is shared, the raw part."""
        header = self.header()
        flags = SHARED if shared else 0
        prefix = PREFIX.pack(MAGIC, kind, flags, len(self.tokens), len(header), self.raw_bytes)
        if shared or not self.pieces:
            return prefix + header
        raw = bytearray(self.raw_bytes)
        for offset, piece in self.pieces:
            raw[offset : offset + len(piece)] = piece
        return b"".join((prefix, header, raw))


def packed(tokens: list[Any]) -> bytes:
    """Tokens as bytes, to compare two lists of them."""
    return _encode(tokens)


def address(data: Any) -> int:
    """Where the bytes of a buffer begin in memory."""
    view: Any = _frombuffer(data, _u8)
    place: int = view.__array_interface__["data"][0]
    return place
