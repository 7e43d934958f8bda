"""Reading frames: tokens become values again, iteratively, with every length checked first.

A frame from a box is whatever the learner wants it to be. All it can do here is be malformed.
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
    CODE_BYTES,
    COMPLEX,
    COMPLEX_PAIR,
    COUNT,
    DICT,
    DTYPES,
    INTEGER,
    LIST,
    MAX_DEPTH,
    MAX_DIMENSIONS,
    MAX_EMPTY_LISTS,
    MAX_INTEGER_BYTES,
    MAX_KEYS_ALIKE,
    MAX_NAME_BYTES,
    SCALAR,
    TUPLE,
    UNSUPPORTED,
    Malformed,
    Unsupported,
    numpy,
)  # fmt: skip

_Ext = msgspec.msgpack.Ext
_bytes_int, _unpack = int.from_bytes, struct.unpack
_IMPOSSIBLE = 1 << 62
decoded_tokens = msgspec.msgpack.Decoder(list[bool | int | float | str | _Ext | None]).decode

_dtype_of: dict[int, Any] = {}
if numpy is not None:
    _frombuffer, _ndarray, _empty, _u8 = numpy.frombuffer, numpy.ndarray, numpy.empty, numpy.uint8
    for _number, (_kind, _size) in enumerate(DTYPES):
        try:
            _dtype_of[_number] = numpy.dtype(f"{_kind}{_size}")
        except TypeError:
            continue  # no such long double on this machine


class Decoder:
    """Walks the tokens of one frame. `raw` is bytes-like; arrays are views of it, or copies."""

    __slots__ = (
        "_at",
        "_copy",
        "_empty_lists",
        "_offset",
        "_raw",
        "_raw_bytes",
        "_tokens",
        "_unsupported",
    )

    def __init__(
        self, tokens: list[Any], raw: Any, copy: bool, unsupported: type = Unsupported
    ) -> None:
        self._tokens = tokens
        self._raw, self._raw_bytes, self._copy = raw, len(raw), copy
        self._at, self._offset, self._empty_lists = 0, 0, 0
        self._unsupported = unsupported

    def plain(self, kind: type[Any]) -> Any:
        """The next token, which must be of exactly this type."""
        token = self._next()
        if type(token) is not kind:
            raise Malformed("another type was due")
        return token

    def code(self) -> bytes:
        """A compiled program, which is for boxes and nobody else."""
        token = self.plain(_Ext)
        if token.code != CODE or len(token.data) > CODE_BYTES:
            raise Malformed("a compiled program was due")
        return bytes(token.data)

    def optional_int(self) -> int | None:
        token = self._next()
        if token is not None and type(token) is not int:
            raise Malformed("a number or nothing was due")
        return token

    def done(self) -> None:
        if self._at != len(self._tokens):
            raise Malformed("tokens are left over")

    def value(self) -> object:
        """The next value. Iterative: the stack holds the containers that are not yet full."""
        stack: list[tuple[int, int, list[Any]]] = []  # code, tokens that make it full, what it has
        while True:
            token = self._next()
            if type(token) is _Ext:
                code, data = token.code, bytes(token.data)
                if code <= DICT:
                    count = self._count(code, data)
                    items = self._run(count)
                    if len(items) < count:
                        if len(stack) >= MAX_DEPTH:
                            raise Malformed("nested too deeply")
                        stack.append((code, count, items))
                        continue
                    made = _made(code, items)
                else:
                    made = self._leaf(code, data)
            else:
                made = token
            while stack:
                code, count, items = stack[-1]
                items.append(made)
                if len(items) < count:
                    break
                stack.pop()
                made = _made(code, items)
            else:
                return made

    def _next(self) -> Any:
        at = self._at
        if at >= len(self._tokens):
            raise Malformed("tokens are missing")
        self._at = at + 1
        return self._tokens[at]

    def _count(self, code: int, data: bytes) -> int:
        if len(data) != COUNT.size or code < LIST:
            raise Malformed("a container without a length")
        count: int = COUNT.unpack(data)[0] * (2 if code == DICT else 1)
        if count > len(self._tokens) - self._at:
            raise Malformed("a container longer than the frame")
        return count

    def _run(self, count: int) -> list[Any]:
        """All parts at once where they are plain, else none: the common case, at C speed."""
        run = self._tokens[self._at : self._at + min(count, 1)]
        if not run or type(run[0]) is _Ext:
            return []
        run = self._tokens[self._at : self._at + count]
        if _Ext in set(map(type, run)):
            return []
        self._at += count
        return run

    def _leaf(self, code: int, data: bytes) -> object:
        if code == COMPLEX and len(data) == COMPLEX_PAIR.size:
            return complex(*COMPLEX_PAIR.unpack(data))
        if code == INTEGER and 0 < len(data) <= MAX_INTEGER_BYTES:
            return _bytes_int(data, "little", signed=True)
        if code == UNSUPPORTED and len(data) <= MAX_NAME_BYTES:
            return self._unsupported(str(data, "utf-8", "replace"))
        if code == ARRAY and len(data) >= ARRAY_HEAD.size:
            return self._array(data)
        if code == SCALAR and len(data) > 1 and data[0] in _dtype_of:
            dtype = _dtype_of[data[0]]
            if len(data) == 1 + dtype.itemsize and (dtype.kind != "b" or data[1] <= 1):
                return _frombuffer(data, dtype, 1, 1)[0]
        raise Malformed("an unknown token")

    def _array(self, data: bytes) -> object:
        number, dimensions = ARRAY_HEAD.unpack_from(data)
        if (
            number not in _dtype_of
            or dimensions > MAX_DIMENSIONS
            or len(data) != 2 + 8 * dimensions
        ):
            raise Malformed("an array without a known dtype or shape")
        shape = _unpack(f"<{dimensions}Q", data[2:])
        dtype = _dtype_of[number]
        size, lists = dtype.itemsize, 1
        for extent in shape:
            if extent >= _IMPOSSIBLE:
                raise Malformed("an impossible shape")
            size *= extent
            lists *= extent if size else 1
        if size == 0:
            self._empty_lists += lists
            return self._empty(shape, dtype)
        offset = -(-self._offset // ALIGN) * ALIGN
        if offset + size > self._raw_bytes:
            raise Malformed("an array longer than the frame")
        self._offset = offset + size
        view = _ndarray(shape, dtype, self._raw, offset)
        if dtype.kind == "b" and view.view(_u8).max() > 1:
            raise Malformed("a truth value that is neither")
        return view.copy() if self._copy else view

    def _empty(self, shape: tuple[int, ...], dtype: Any) -> object:
        if self._empty_lists > MAX_EMPTY_LISTS:
            raise Malformed("too many empty parts")
        try:
            return _empty(shape, dtype)
        except (ValueError, MemoryError) as error:  # (0, 2**61): no bytes, yet too big for NumPy
            raise Malformed("an impossible shape") from error


def list_of_tokens(header: Any, tokens: int) -> list[Any]:
    """Decode the header, knowing from its first bytes that the list is as long as was said."""
    first = bytes(header[:5])
    if len(first) == 5 and first[0] == 0xDD:
        stated = _unpack(">I", first[1:5])[0]
    elif len(first) >= 3 and first[0] == 0xDC:
        stated = _unpack(">H", first[1:3])[0]
    elif first and first[0] & 0xF0 == 0x90:
        stated = first[0] & 0x0F
    else:
        raise Malformed("a header that is no list")
    if stated != tokens:
        raise Malformed("a header of another length")
    try:
        return decoded_tokens(header)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Malformed("a header that is not MessagePack") from error


def _made(code: int, items: list[Any]) -> object:
    if code == LIST:
        return items
    if code == TUPLE:
        return tuple(items)
    if code != DICT:
        raise Malformed("an unknown container")
    keys = items[::2]
    if not set(map(type, keys)) <= {str, int}:
        raise Malformed("a key that is neither text nor integer")
    # Integers hash as they are: thousands that hash alike would take a dict hours to tell apart.
    if len(keys) - len(set(map(hash, keys))) > MAX_KEYS_ALIKE:
        raise Malformed("keys of one hash")
    made = dict(zip(keys, items[1::2], strict=True))
    if len(made) != len(keys):
        raise Malformed("a key that is there twice")
    return made
