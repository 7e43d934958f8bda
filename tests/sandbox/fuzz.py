"""Frames to throw at the decoder: right ones, right ones with bytes changed, and pure noise.

python -m tests.sandbox.fuzz SECONDS      a longer run, in new examples all the time
"""

from __future__ import annotations

import random
import sys
import time
import tracemalloc

import msgspec
import numpy as np
from hypothesis import strategies as st

from app.model import Unsupported
from app.sandbox import wire
from app.sandbox.decode import Decoder, list_of_tokens
from app.sandbox.encode import Encoder


def read(frame: bytes, limit_bytes: int) -> object:
    """As the keeper reads: prefix, then tokens, then nothing more."""
    if len(frame) < wire.PREFIX.size:
        raise wire.Malformed("too short")
    prefix = wire.read_prefix(frame, limit_bytes)
    if prefix.frame_bytes > len(frame):
        raise wire.Malformed("incomplete")
    start = wire.PREFIX.size + prefix.header_bytes
    raw = memoryview(frame)[start : start + prefix.raw_bytes]
    decoder = Decoder(
        list_of_tokens(frame[wire.PREFIX.size : start], prefix.tokens), raw, False, Unsupported
    )
    value = decoder.value()
    decoder.done()
    return value


def frames() -> st.SearchStrategy[bytes]:
    """Bytes that a box could send."""
    seeds = st.integers(0, 1 << 32).map(lambda seed: crafted(random.Random(seed)))
    return st.binary(max_size=200) | seeds


def crafted(dice: random.Random) -> bytes:
    """A frame that is nearly right: tokens at random, lengths mostly true, a few bytes changed."""
    if dice.random() < 0.3:
        encoder = Encoder(1 << 20)
        encoder.value([1, (2.5, "x"), {"a": np.ones((2, 3))}, np.float32(1), 1 << 80, 1j])
        frame = bytearray(encoder.frame(wire.RETURNED))
    else:
        tokens = [_token(dice) for _ in range(dice.randrange(12))]
        header = msgspec.msgpack.encode(tokens)
        raw = dice.randbytes(dice.choice([0, 8, 64, 300]))
        count = len(tokens) + dice.choice([0, 0, 0, 1, 1 << 31])
        sizes = (count, len(header), len(raw) + dice.choice([0, 0, 0, 1, 1 << 40]))
        kind = dice.choice([1, 2, 2, 2, 3, 4, 5, 9])
        frame = bytearray(wire.PREFIX.pack(wire.MAGIC, kind, dice.choice([0, 0, 0, 1]), *sizes))
        frame += header + raw
    for _ in range(dice.choice([0, 1, 1, 3, 10])):
        frame[dice.randrange(len(frame))] = dice.randrange(256)
    return bytes(frame[: dice.choice([len(frame)] * 5 + [dice.randrange(len(frame))])])


def _token(dice: random.Random) -> object:
    code = dice.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, -1])
    if dice.random() < 0.4:
        return dice.choice([None, True, 0, -(1 << 63), (1 << 64) - 1, 0.5, "x", [], {}, [[]]])
    if code <= 3 and dice.random() < 0.8:
        return msgspec.msgpack.Ext(code, dice.randrange(6).to_bytes(4, "little"))
    if code == 6 and dice.random() < 0.8:
        extents = [
            dice.choice([0, 1, 2, 3, 1 << 61, (1 << 64) - 1]) for _ in range(dice.randrange(4))
        ]
        data = bytes([dice.randrange(18), len(extents)])
        return msgspec.msgpack.Ext(code, data + b"".join(n.to_bytes(8, "little") for n in extents))
    return msgspec.msgpack.Ext(code, dice.randbytes(dice.choice([0, 1, 4, 9, 16, 17])))


def main(seconds: float) -> None:
    """Fuzz until the time is over; prints how many frames there were and the most memory."""
    tracemalloc.start()
    until, count, read_count = time.monotonic() + seconds, 0, 0
    dice = random.Random()
    while time.monotonic() < until:
        frame = crafted(dice)
        count += 1
        try:
            read(frame, 1 << 20)
            read_count += 1
        except (wire.Malformed, wire.Refused):
            continue
        except BaseException:
            print("not clean:", frame.hex())
            raise
    peak_mib = tracemalloc.get_traced_memory()[1] >> 20
    print(f"{count} frames, {read_count} of them right, at most {peak_mib} MiB")


if __name__ == "__main__":
    main(float(sys.argv[1]))
