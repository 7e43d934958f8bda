"""Content hashes: of values, and of all that decides a verdict."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Mapping
from dataclasses import asdict

import numpy as np

from app.model import Value, Variant

LENGTH = 16  # hex digits kept: 64 bits, enough to tell versions apart and short enough to read


def digest(*values: Value) -> str:
    """SHA-256 in hex of values, types and all: `1`, `1.0` and `True` differ, so do 0.0 and -0.0."""
    hasher = hashlib.sha256()
    for value in values:
        for part in _parts(value):
            hasher.update(part)
    return hasher.hexdigest()


def deciding(variant: Variant, tests: tuple[tuple[str, ...], ...]) -> str:
    """The version of all that decides verdicts: the contract, the core, the limits, the tests.

    `tests` gives each test's name, whether it is a sample, and what made its contents.
    """
    return digest(
        [
            variant.entry_point,
            [[a.name, repr(a.contract)] for a in variant.arguments],
            repr(variant.returns),
            repr(variant.tolerance),
            repr(variant.core.inputs),
            repr(variant.core.answer),
            [[name, value] for name, value in variant.core.parameters],
            variant.core.source,
            repr(variant.limits),
            variant.preserve_inputs,
            variant.points,
            repr(variant.bonus and asdict(variant.bonus)),
            [list(test) for test in tests],
        ]
    )[:LENGTH]


def _parts(value: Value) -> Iterator[bytes]:
    match value:
        case np.ndarray():
            yield f"array {value.dtype.str} {value.shape}".encode()
            yield value.tobytes()
        case np.generic():
            yield f"scalar {value.dtype.str}".encode() + value.tobytes()
        case bool() | None:
            yield str(value).encode()
        case float():
            yield b"float" + struct.pack(">d", value)
        case int():
            yield f"int {value:x};".encode()  # hex: decimals of huge integers are refused
        case complex():
            yield b"complex" + struct.pack(">dd", value.real, value.imag)
        case str():
            yield f"str {len(value)} ".encode() + value.encode("utf-8", "surrogatepass")
        case list() | tuple():
            yield f"{type(value).__name__} {len(value)} ".encode()
            for item in value:
                yield from _parts(item)
        case Mapping():
            yield f"dict {len(value)} ".encode()
            for pair in value.items():
                yield from _parts(pair)
        case _:
            raise TypeError(f"no hash for {type(value).__name__}")
