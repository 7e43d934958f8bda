"""A box's first frame, and the way it died, as a fact. What the box claims decides nothing else."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import Any

from app.model import Crashed, Exceeded, Fact, NotCompiled, Raised, Returned, Unsupported
from app.sandbox import wire
from app.sandbox.decode import Decoder, list_of_tokens
from app.sandbox.inside import MAX_DEFINED, MAX_MESSAGE_BYTES, MAX_TYPE_BYTES

_MEMORY_ERRORS = {"MemoryError", "_ArrayMemoryError"}
_REASONS = {"syntax", "no_entry_point", "signature"}


def from_frame(prefix: wire.Prefix, header: Any, raw: Any, source: str) -> Fact:
    """Decode what was sent. Bytes that are not a frame of ours are a crash, not an error of ours.

    A line that `source` does not have is none: a number of a program's choice could spell an input.
    """
    try:
        decoder = Decoder(
            list_of_tokens(header, prefix.tokens), raw, copy=False, unsupported=Unsupported
        )
        fact = _READERS[prefix.kind](decoder)
        decoder.done()
    except wire.Malformed:
        return Crashed(malformed=True)
    return _within(fact, source) if isinstance(fact, Raised | NotCompiled) else fact


def code_from(prefix: wire.Prefix, header: Any) -> bytes:
    """What a box's compiler made of a program. Raises Malformed."""
    decoder = Decoder(list_of_tokens(header, prefix.tokens), b"", copy=False)
    code = decoder.code()
    decoder.done()
    return code


def _within(fact: Raised | NotCompiled, source: str) -> Fact:
    """A compiler may point behind the last line, and behind the end of a line."""
    lines = source.count("\n") + source.count("\r") + 2
    if fact.line is not None and not 0 < fact.line <= lines:
        fact = replace(fact, line=None)
    if isinstance(fact, NotCompiled) and fact.column is not None:
        there = fact.line is not None and 0 < fact.column <= 4 * len(source) + 2
        return fact if there else replace(fact, column=None)
    return fact


def from_death(status: int, sent_something: bool, out_of_cpu: bool) -> Fact:
    """Why a process ended that sent no whole frame, by the status its parent collected."""
    if os.WIFSIGNALED(status):
        died_of = os.WTERMSIG(status)
        if died_of == signal.SIGKILL and out_of_cpu:
            return Exceeded("cpu")
        return Crashed(signal=died_of, malformed=sent_something)
    return Crashed(exit_code=os.WEXITSTATUS(status), malformed=sent_something)


def _returned(decoder: Decoder) -> Fact:
    unchanged = decoder.plain(bool)
    return Returned(decoder.value(), unchanged)


def _raised(decoder: Decoder) -> Fact:
    name, message, line = decoder.plain(str), decoder.plain(str), decoder.optional_int()
    if name in _MEMORY_ERRORS and line != 0:
        return Exceeded("memory")
    return Raised(name[:MAX_TYPE_BYTES], message[:MAX_MESSAGE_BYTES], line or None)


def _not_compiled(decoder: Decoder) -> Fact:
    reason, message = decoder.plain(str), decoder.plain(str)
    if reason not in _REASONS:
        raise wire.Malformed("an unknown reason")
    line, column = decoder.optional_int(), decoder.optional_int()
    signature, count = decoder.plain(str), decoder.plain(int)
    if not 0 <= count <= MAX_DEFINED:
        raise wire.Malformed("too many names")
    defined = tuple(decoder.plain(str)[:MAX_TYPE_BYTES] for _ in range(count))
    return NotCompiled(
        reason, message[:MAX_MESSAGE_BYTES], line, column, defined, signature[:MAX_MESSAGE_BYTES]
    )


def _refused(decoder: Decoder) -> Fact:
    return Exceeded("returned")


def _wrong_way(decoder: Decoder) -> Fact:
    raise wire.Malformed("a call cannot come out of a box")


_READERS = {
    wire.CALL: _wrong_way,
    wire.RETURNED: _returned,
    wire.RAISED: _raised,
    wire.NOT_COMPILED: _not_compiled,
    wire.REFUSED: _refused,
    wire.COMPILED: _wrong_way,
}
