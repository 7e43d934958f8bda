"""Frames between keeper and box: a typed tree of values, flat and bounded, with arrays as raw bytes.

A frame is a prefix (magic, kind, flags, lengths), a header and the raw bytes of its arrays. The
header is one flat MessagePack list of tokens. None, bool, int, float and str stand for themselves;
everything else is an Ext token, and a container's token says how many of the following trees belong
to it. Nothing nests, so nothing recurses; every length is checked before memory is taken; nothing
that crosses can act.

    1 list   n           4 complex  16 bytes          7 scalar       dtype, bytes
    2 tuple  n           5 integer  beyond 64 bits    8 unsupported  name of the type
    3 dict   n pairs     6 array    dtype, shape; its bytes are in the raw part, in order, aligned
    9 code   a program as the compiler left it, for boxes of the same program only

`encode` writes frames and `decode` reads them, each on both sides of the jail. What they use is
bound when they are loaded, before a learner's first line, and the runtime gives them builtins of
their own: replacing `len` or `numpy.ascontiguousarray` later changes nothing there.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

numpy: Any
try:
    import numpy
except ImportError:  # the runtime in which NumPy does not exist
    numpy = None

CALL, RETURNED, RAISED, NOT_COMPILED, REFUSED, COMPILED = 1, 2, 3, 4, 5, 6
SHARED = 1  # flag: the raw part is in shared memory, not in the stream

MAGIC = b"ACL1"
PREFIX = struct.Struct("<4sBBxxIIQ")  # magic, kind, flags, tokens, header bytes, raw bytes
MAX_DEPTH = 64
MAX_NODES = 4_000_000
MAX_INTEGER_BYTES = 4096
MAX_KEYS_ALIKE = 64  # integers as keys that share a hash with another
MAX_NAME_BYTES = 200
MAX_DIMENSIONS = 64
MAX_EMPTY_LISTS = 1 << 20  # (10**9, 0): no bytes, yet a thousand million lists where it is unrolled
HEADROOM_BYTES = 1 << 16  # message, signature: everything in a frame that is not a value
CODE_BYTES = HEADROOM_BYTES // 2  # a longer program is not told: each box compiles it anew
SHARE_BYTES = 1 << 18  # from here on raw bytes go through shared memory, where there is one
ALIGN = 64

LIST, TUPLE, DICT, COMPLEX, INTEGER, ARRAY, SCALAR, UNSUPPORTED, CODE = 1, 2, 3, 4, 5, 6, 7, 8, 9
COUNT, COMPLEX_PAIR, ARRAY_HEAD = struct.Struct("<I"), struct.Struct("<dd"), struct.Struct("<BB")

# Kind and size of every dtype that may cross; the place in the list is its number on the wire.
DTYPES = (
    ("b", 1), ("i", 1), ("i", 2), ("i", 4), ("i", 8), ("u", 1), ("u", 2), ("u", 4), ("u", 8),
    ("f", 2), ("f", 4), ("f", 8), ("f", 16), ("c", 8), ("c", 16), ("c", 32),
)  # fmt: skip


class Refused(Exception):
    """A value that will not be sent: too large, too deep, too many parts."""


class Malformed(Exception):
    """Bytes that are not a frame of ours."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A value of none of the kinds that cross; only the name of its type does."""

    type_name: str


@dataclass(frozen=True, slots=True)
class Prefix:
    kind: int
    shared: bool
    tokens: int
    header_bytes: int
    raw_bytes: int

    @property
    def frame_bytes(self) -> int:
        """How long the frame is in the stream."""
        return PREFIX.size + self.header_bytes + (0 if self.shared else self.raw_bytes)


def read_prefix(data: Any, limit_bytes: int) -> Prefix:
    """Check the first bytes of a frame before anything is made room for.

    Raises Malformed for what is not ours, Refused for lengths beyond the limit.
    """
    magic, kind, flags, tokens, header_bytes, raw_bytes = PREFIX.unpack_from(data)
    if magic != MAGIC or not CALL <= kind <= COMPILED or flags > SHARED:
        raise Malformed("not a frame")
    if tokens > header_bytes or tokens > MAX_NODES + 64:
        raise Malformed("more tokens than bytes")
    if header_bytes + raw_bytes > limit_bytes + HEADROOM_BYTES:
        raise Refused("too large")
    return Prefix(kind, flags == SHARED, tokens, header_bytes, raw_bytes)
