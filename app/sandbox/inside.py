"""What a box does with one call, after it is locked down and checked: compile, call, report, end.

The learner's code shares this process, so nothing here is a defence: a forged frame is merely what
was returned, and still has to be right. It only keeps honest programs honest, and reports exactly.
"""

from __future__ import annotations

import gc
import inspect
import marshal
import mmap
import os
import random
import resource
import select
import socket
import struct
import sys
from collections.abc import Callable
from io import StringIO
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from app.sandbox import layers, wire
from app.sandbox.decode import Decoder, decoded_tokens
from app.sandbox.encode import Encoder, address, packed

MODULE = "submission"
FILE = "submission.py"
MAX_TYPE_BYTES, MAX_MESSAGE_BYTES, MAX_DEFINED = 200, 2048, 50
BEGUN = b"\x01"  # says that large arguments are unpacked: the learner's time starts here

_traceback_of = BaseException.__dict__["__traceback__"].__get__
_type_name = type.__dict__["__name__"].__get__
_PAIR = struct.Struct("2i")
_ROOM = socket.CMSG_SPACE(_PAIR.size)


class Task(NamedTuple):
    """One call as it arrived. `header` and `pristine` are what the arguments were, for the check."""

    source: str
    entry_point: str
    seed: int
    returned_bytes: int
    arguments: list[Any]
    pristine_tokens: list[Any]
    pristine_raw: Any
    result_memory: int  # descriptor for a large result, or -1
    code: Any  # the program as another box compiled it; else whether to tell what becomes of it


def attend(channel: socket.socket) -> None:
    """Calls come, and answers go, on this channel."""
    global _channel, _place
    _channel, _place = channel, channel.fileno()
    _comes.register(channel, select.POLLIN)


def serve(hide_memory: bool, patience_ms: int, pastime: Callable[[], None]) -> None:
    """Answer the one call that comes, with one frame; `pastime` while there is none."""
    if not _poll(patience_ms):
        pastime()
    frame, memories = _read()
    task, limits = unpacked(frame, memories)
    if hide_memory:
        layers.hide_memory()
    _limit(limits)
    if memories:
        _write(_place, BEGUN)
    _answer(task)


_channel: socket.socket
_place = -1  # its descriptor, which the common call needs alone
_comes = select.poll()
_poll = _comes.poll
_stdout, _stderr = sys.stdout, sys.stderr
_write, _pwrite = os.write, os.pwrite
_os_read, _setrlimit = os.read, resource.setrlimit
_dumps, _loads = marshal.dumps, marshal.loads
_prefix, _PREFIX_BYTES = wire.PREFIX.unpack_from, wire.PREFIX.size
_CPU, _ADDRESSES, _FILES = resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE
_COMMON_BYTES = 1 << 13  # more than most calls have; the rest of a larger one is read afterwards
_HEAD = 8  # tokens before the arguments
_new = tuple.__new__  # what a named tuple has of its own is a function in Python


def _read() -> tuple[bytearray | bytes, tuple[int, ...]]:
    """One whole frame, and the descriptors of shared memory that belong to it.

    These come in a message of their own, which is asked for: the common call has none, and costs
    one plain read.
    """
    data: bytearray | bytes = _os_read(_place, _COMMON_BYTES)
    if not data:
        os._exit(0)  # the keeper has gone, or does not need this box
    _, _, flags, _, header_bytes, raw_bytes = _prefix(data)
    total = _PREFIX_BYTES + header_bytes + (0 if flags else raw_bytes)
    if len(data) < total:
        frame = bytearray(total)
        frame[: len(data)] = data
        view, at = memoryview(frame), len(data)
        while at < total:
            at += _channel.recv_into(view[at:])
        data = frame
    if not flags:
        return data, ()
    _write(_place, BEGUN)
    return data, _PAIR.unpack(_channel.recvmsg(1, _ROOM)[1][0][2])


def unpacked(frame: bytearray | bytes, memories: tuple[int, ...]) -> tuple[Task, list[int]]:
    """The task in a frame, and the limits it is to run under."""
    _, _, _, _, header_bytes, raw_bytes = _prefix(frame)
    start = _PREFIX_BYTES + header_bytes
    raw: Any = memoryview(frame)[start:]
    pristine, result = raw, -1
    if memories:
        place, result = memories
        pristine = mmap.mmap(place, raw_bytes, mmap.MAP_SHARED, mmap.PROT_READ)
        both = mmap.PROT_READ | mmap.PROT_WRITE
        raw = mmap.mmap(place, raw_bytes, mmap.MAP_PRIVATE, both)
        os.close(place)
    tokens: list[Any] = decoded_tokens(frame[_PREFIX_BYTES:start])
    source, entry_point, seed, returned, *limits, code = tokens[:_HEAD]
    del tokens[:_HEAD]
    arguments: Any = Decoder(tokens, raw, not memories).value()
    parts = source, entry_point, seed, returned, arguments, tokens, pristine, result, code
    return _new(Task, parts), limits


def _limit(values: list[int]) -> None:
    """CPU seconds, address space and file size: soft as hard, since pid 1 can ignore SIGXCPU."""
    cpu_s, address_bytes, file_bytes = values
    _setrlimit(_CPU, (cpu_s, cpu_s))
    _setrlimit(_ADDRESSES, (address_bytes, address_bytes))
    _setrlimit(_FILES, (file_bytes, file_bytes))


def _answer(task: Task) -> None:
    kind, encoder = report(task, _place)
    for stream in (_stdout, _stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # closed or full: what was printed before is all there is
            continue
    shared = task.result_memory >= 0 and encoder.raw_bytes >= wire.SHARE_BYTES
    if shared:
        try:
            for offset, piece in encoder.pieces:
                at = 0
                while at < len(piece):
                    at += _pwrite(task.result_memory, piece[at:], offset + at)
        except OSError:
            shared = False  # someone closed it: the stream will do
    _send(_place, encoder.frame(kind, shared))


def _send(descriptor: int, frame: bytes) -> None:
    at = _write(descriptor, frame)
    while at < len(frame):
        at += _write(descriptor, memoryview(frame)[at:])


# --- The call -----------------------------------------------------------------------------------


def report(task: Task, descriptor: int) -> tuple[int, Encoder]:
    """Run the learner's code and turn whatever comes of it into one frame.

    descriptor   where it is told what the compiler made of the program; -1: nowhere
    """
    try:
        return _run(task, descriptor)
    except wire.Refused:
        return wire.REFUSED, Encoder(0)
    except BaseException as error:  # the border: whatever the learner's code raises is a fact
        return _raised(error)


def _run(task: Task, descriptor: int) -> tuple[int, Encoder]:
    if (
        "random" in task.source
    ):  # else nobody can tell: the streams start where the runtime set them
        _reseed(task.seed)
    gc.enable()
    try:
        code = _program(task, descriptor)
    except (SyntaxError, ValueError) as error:
        return _syntax(error)
    except (MemoryError, RecursionError) as error:  # too deep for the compiler
        return _raised(error, compiling=True)
    module = ModuleType(MODULE)
    sys.modules[MODULE] = module
    names = module.__dict__
    exec(code, names)
    function = names.get(task.entry_point)
    if not callable(function):
        return _no_entry_point(task, names)
    try:
        value = function(*task.arguments)
    except TypeError:
        misfit = _misfit(function, len(task.arguments))
        if misfit is None:
            raise
        message, signature = misfit
        return _not_compiled("signature", message, None, None, signature, [])
    encoder = Encoder(task.returned_bytes)
    encoder.plain(_unchanged(task))
    encoder.value(value)
    return wire.RETURNED, encoder


def _program(task: Task, descriptor: int) -> CodeType:
    """The compiled source. A compiler that is cold costs as much as all the rest of a small call.

    So one box tells what it made of it, before anything of the learner's has run there, and others
    of the same program are given that. If only that there is nothing to tell: what comes later is
    the learner's.
    """
    if type(task.code) is not bool:
        given: CodeType = _loads(task.code.data)
        return given
    source = task.source.removeprefix("\ufeff")  # an editor's byte order mark
    sys.stderr = said = StringIO()
    try:
        code = compile(source, FILE, "exec", dont_inherit=True, optimize=0)
    finally:
        sys.stderr = _stderr
    warnings = said.getvalue()
    if warnings:
        _stderr.write(warnings)
    if task.code:
        # Warnings are shown by each test, so each compiles.
        _tell(b"" if warnings or _has_sets(code) else _written(code), descriptor)
    return code


def _has_sets(code: CodeType) -> bool:
    """Whether it holds a set, which comes in another order out of what was written down."""
    codes = [code]
    while codes:
        for constant in codes.pop().co_consts:
            if type(constant) is CodeType:
                codes.append(constant)
            elif type(constant) is frozenset:
                return True
    return False


def _written(code: CodeType) -> bytes:
    """At most so many bytes; none if that cannot be done: each box compiles it anew."""
    try:
        data = _dumps(code)
    except (ValueError, MemoryError, RecursionError):
        return b""
    return data if len(data) <= wire.CODE_BYTES else b""


def _tell(data: bytes, descriptor: int) -> None:
    encoder = Encoder(0)
    encoder.code(data)
    frame = encoder.frame(wire.COMPILED)
    if descriptor >= 0:
        _send(descriptor, frame)


def _reseed(seed: int) -> None:
    random.seed(seed)
    if wire.numpy is not None:
        wire.numpy.random.seed(seed & 0xFFFFFFFF)


def _unchanged(task: Task) -> bool:
    """Whether the arguments are, bit for bit, what they were before the call."""
    encoder = Encoder(1 << 40)
    try:
        encoder.value(task.arguments)
    except wire.Refused:
        return False
    if packed(encoder.tokens) != packed(task.pristine_tokens):
        return False
    before = task.pristine_raw
    for offset, piece in encoder.pieces:
        size = len(piece)
        if size <= _SMALL_BYTES:
            if bytes(piece) != bytes(before[offset : offset + size]):
                return False
        elif not layers.same_memory(address(piece), address(before) + offset, size):
            return False
    return True


_SMALL_BYTES = 1 << 14  # below, copying costs less than asking for an address


# --- Facts other than a value -------------------------------------------------------------------


def _text(value: object, limit_bytes: int) -> str:
    """At most so many bytes of a text, cut where a character ends."""
    if type(value) is not str:
        return ""
    return value[:limit_bytes].encode("utf-8", "replace")[:limit_bytes].decode("utf-8", "ignore")


def _raised(error: BaseException, compiling: bool = False) -> tuple[int, Encoder]:
    """What was raised and where. Line 0 stands for the compiler itself."""
    line = 0 if compiling else None
    step = _traceback_of(error)
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            line = step.tb_lineno
        step = step.tb_next
    try:
        message = str(error.code if type(error) is SystemExit else error)
        if type(error) is ImportError and error.path:  # where things are here helps nobody
            message = message.replace(f" ({error.path})", "")
    except BaseException:  # a __str__ of the learner's own: there is no message then
        message = ""
    encoder = Encoder(1 << 16)
    name = _text(_type_name(type(error)), MAX_TYPE_BYTES)
    encoder.plain(name, _text(message, MAX_MESSAGE_BYTES), line)
    return wire.RAISED, encoder


def _not_compiled(
    reason: str,
    message: str,
    line: int | None,
    column: int | None,
    signature: str,
    defined: list[str],
) -> tuple[int, Encoder]:
    encoder = Encoder(1 << 16)
    encoder.plain(reason, _text(message, MAX_MESSAGE_BYTES), line, column)
    encoder.plain(_text(signature, MAX_MESSAGE_BYTES), len(defined), *defined)
    return wire.NOT_COMPILED, encoder


def _syntax(error: SyntaxError | ValueError) -> tuple[int, Encoder]:
    if not isinstance(error, SyntaxError):
        return _not_compiled("syntax", str(error), None, None, "", [])
    message = error.msg if type(error.msg) is str else "invalid syntax"
    if type(error) is not SyntaxError:
        message = f"{_type_name(type(error))}: {message}"
    return _not_compiled("syntax", message, error.lineno or None, error.offset or None, "", [])


def _no_entry_point(task: Task, names: dict[str, Any]) -> tuple[int, Encoder]:
    found = names.get(task.entry_point)
    if found is None:
        message = f"there is no function {task.entry_point}"
    else:
        message = f"{task.entry_point} is not a function, but {_type_name(type(found))}"
    defined = [
        _text(name, MAX_TYPE_BYTES)
        for name, value in names.items()
        if type(name) is str and type(value) is FunctionType and value.__module__ == MODULE
    ]
    return _not_compiled("no_entry_point", message, None, None, "", defined[:MAX_DEFINED])


def _misfit(function: Any, count: int) -> tuple[str, str] | None:
    """Why `function` cannot take `count` positional arguments, and its signature; or None."""
    if type(function) is FunctionType and not hasattr(function, "__wrapped__"):
        code = function.__code__
        least = code.co_argcount - len(function.__defaults__ or ())
        if not code.co_kwonlyargcount and least <= count <= code.co_argcount:
            return None
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None  # written in C: calling it will tell
    try:
        signature.bind(*range(count))
    except TypeError as error:
        passed = "1 positional argument" if count == 1 else f"{count} positional arguments"
        return f"the tests pass {passed}: {error}", str(signature)
    return None
