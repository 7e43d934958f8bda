"""The keeper's side of one box: its descriptors, its clock, what came out of it, and why it ended."""

from __future__ import annotations

import math
import mmap
import os
import signal
import socket
import struct
import time
from contextlib import suppress
from dataclasses import replace
from typing import Literal

import numpy as np

from app.errors import BoxFault
from app.model import (
    Call,
    Crashed,
    Exceeded,
    Fact,
    Outcome,
    Printed,
    Unsupported,
)
from app.runtime_kinds import RUNTIMES
from app.sandbox import resident, shared, wire
from app.sandbox.cgroups import Group
from app.sandbox.encode import Encoder
from app.sandbox.facts import code_from, from_death, from_frame
from app.sandbox.inside import BEGUN

_MIB = 1 << 20
_THREADS_BYTES = 512 * _MIB  # address space for threads' stacks and the like, above the limit
_SCRATCH_BYTES = 16 * _MIB
# A program cannot kill itself, but it can lower its own CPU limit, to a second at the least.
_OWN_CPU_S = 0.9
_ADDRESS_SPACE = 5  # the token that says how much of it a box may have
_MEMORY_ERRORS = {"MemoryError", "_ArrayMemoryError"}
_REASONS = {"syntax", "no_entry_point", "signature"}

State = Literal["starting", "running", "dying"]
Limit = Literal["cpu", "wall", "memory", "printed", "returned"]


class Box:
    """One box. Made by the keeper's pool; driven by one `run` at a time."""

    state: State = "starting"
    pid: int | None = None  # 0: it was never made
    pidfd: int = -1
    checked: bool = False
    fault: BoxFault | None = None
    index: int = -1
    call: Call | None = None
    killed_for: Limit | None = None
    malformed: bool = False
    closed: bool = False  # the box closed its end of the channel
    last_words_s: float = math.inf  # when it is over with a box that has done so
    started_s: float = 0.0
    cpu_before_s: float = 0.0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    base_kib: int = 0
    peak_kib: int = 0
    next_look_s: float = 0.0
    begun: bool = True
    code_due: bool = False  # it is to tell what the compiler made of the program
    code: bytes | None = None  # what it told, if anything
    outgoing: memoryview | None = None
    received: int = 0
    prefix: wire.Prefix | None = None
    complete: bool = False
    outcome: Outcome | None = None  # told already, though it may still be dying
    # Both are kept open until the outcome was told: whoever closes them last frees the pages.
    arguments_memory: int = -1
    result_memory: int = -1

    def __init__(
        self, channel: socket.socket, stdout: int, stderr: int, uid: int, group: Group | None
    ) -> None:
        self.channel, self.stdout, self.stderr = channel, stdout, stderr
        self.uid, self.group = uid, group
        self.incoming = bytearray()
        self.printed = (bytearray(), bytearray())
        self.cut = [0, 0]

    # --- Ready ----------------------------------------------------------------------------------

    def greeting(self) -> list[int]:
        """What the steps of its lockdown returned. Raises BoxFault."""
        said = self.channel.recv(4096)
        results = said[6:]
        if not said.startswith(b"READY ") or len(results) % 8:
            words = said.decode(errors="replace")[:500]
            raise BoxFault(f"a box failed before it was ready: {words or 'it ended'}")
        return list(struct.unpack(f"<{len(results) // 8}q", results))

    # --- Running --------------------------------------------------------------------------------

    def begin(self, index: int, call: Call, address_bytes: int, code: bytes | bool) -> None:
        """Send the call. From here on what comes out is the learner's.

        code   the program as another box compiled it; else whether this one is to tell
        """
        self.index, self.state = index, "running"
        self.call = replace(call, arguments=())  # large ones are not held while it runs
        limits = call.limits
        if self.group is not None:
            self.group.base_bytes = self.group.used_bytes()
            self.group.limit((limits.memory_mib + 8) * _MIB)
        encoder = Encoder(1 << 40, Unsupported)
        encoder.plain(call.source, call.entry_point, call.seed, limits.returned_mib * _MIB)
        encoder.plain(int(limits.time_s) + 2, 0, max(_SCRATCH_BYTES, limits.returned_mib * _MIB))
        encoder.code(code)
        self.code_due = code is True
        arguments = list(call.arguments)
        encoder.value(arguments if RUNTIMES[call.runtime].has_arrays else _without_numpy(arguments))
        room = (limits.memory_mib + 2 * limits.returned_mib) * _MIB + 2 * encoder.raw_bytes
        encoder.tokens[_ADDRESS_SPACE] = address_bytes + room + _THREADS_BYTES
        large = encoder.raw_bytes >= wire.SHARE_BYTES
        frame = encoder.frame(wire.CALL, large)
        if large:
            self.begun, self.arguments_memory = False, shared.readable(encoder)
        self.cpu_before_s = time.clock_gettime(self._clock())
        self.started_s = time.monotonic()
        self.next_look_s = self.started_s + 0.01
        sent = self._send(frame)
        self.outgoing = memoryview(frame)[sent:] if sent < len(frame) else None

    def _send(self, frame: bytes | memoryview) -> int:
        try:
            return self.channel.send(frame)
        except BlockingIOError:
            return 0
        except OSError as error:  # nothing of the learner's has run yet: the call is not whole
            raise BoxFault(f"a box died before it had its call: {error}") from error

    def _hand_over(self) -> None:
        """It asks for the memory in which large arguments are, and gets some for a large result."""
        assert self.call is not None
        self.result_memory = shared.sealed(self.call.limits.returned_mib * _MIB)
        try:
            socket.send_fds(self.channel, [b"M"], [self.arguments_memory, self.result_memory])
        except OSError as error:
            raise BoxFault(f"a box died before it had its call: {error}") from error

    def send_more(self) -> None:
        if self.outgoing is not None:
            self.outgoing = self.outgoing[self._send(self.outgoing) :] or None

    def receive(self) -> None:
        """Take what has come; afterwards `complete`, `closed` or `malformed` may hold."""
        while not (self.complete or self.closed or self.malformed):
            try:
                if self.prefix is None:
                    data = self.channel.recv(1 << 16)
                    self.incoming += data
                    self.received = len(self.incoming)
                    count = len(data)
                else:
                    count = self.channel.recv_into(memoryview(self.incoming)[self.received :])
                    self.received += count
            except BlockingIOError:
                return
            except OSError:
                count = 0
            if count == 0:
                self.closed = True
            self._check_frame()

    def _check_frame(self) -> None:
        assert self.call is not None
        while not self.begun and self.incoming[:1] == BEGUN:
            del self.incoming[0]
            self.received = len(self.incoming)
            if self.result_memory < 0:
                self._hand_over()
                continue
            self.begun = True
            self.cpu_before_s = time.clock_gettime(self._clock())
            self.started_s = time.monotonic()
        if self.prefix is None and len(self.incoming) >= wire.PREFIX.size:
            try:
                self.prefix = wire.read_prefix(self.incoming, self.call.limits.returned_mib * _MIB)
            except wire.Refused:
                self.killed_for = "returned"
                self.malformed = True
                return
            except wire.Malformed:
                self.malformed = True
                return
            if self.prefix.kind == wire.COMPILED:
                self._take_code(self.prefix)
                return
            size = self.prefix.frame_bytes
            self.received = min(
                self.received, size
            )  # whatever follows the first frame is not looked at
            del self.incoming[size:]
            self.incoming += bytes(size - len(self.incoming))
        if self.prefix is not None and self.received >= self.prefix.frame_bytes:
            self.complete = True

    def _take_code(self, prefix: wire.Prefix) -> None:
        """What a box tells first, if it was asked: nothing of the learner's has run by then."""
        self.prefix, size = None, prefix.frame_bytes
        if not self.code_due or prefix.shared or size > wire.HEADROOM_BYTES:
            self.malformed = True
        elif len(self.incoming) >= size:
            self.code_due = False
            try:
                self.code = code_from(prefix, bytes(self.incoming[wire.PREFIX.size : size])) or None
            except wire.Malformed:
                self.malformed = True
                return
            del self.incoming[:size]
            self.received = len(self.incoming)
            self._check_frame()

    def watch(self, now_s: float, cores: int) -> None:
        """Look at the clocks, at what was printed, and at resident memory where nobody else does."""
        assert self.call is not None
        limits = self.call.limits
        self._stop_clocks(now_s)
        self.read_printed()
        if now_s >= self.last_words_s:
            self.malformed = True
        elif self.cpu_s > limits.time_s and self.begun:
            self.killed_for = "cpu"
        elif self.wall_s > limits.wall_s + (0 if self.begun else 10):
            self.killed_for = "wall"
        elif self.group is None and self._resident_kib() - self.base_kib > limits.memory_mib * 1024:
            self.killed_for = "memory"
        left = min((limits.time_s - self.cpu_s) / cores, limits.wall_s - self.wall_s)
        self.next_look_s = now_s + min(0.01 if self.wall_s < 0.2 else 0.02, max(left, 0.001))

    def _stop_clocks(self, now_s: float) -> None:
        self.cpu_s = max(time.clock_gettime(self._clock()) - self.cpu_before_s, 0.0)
        self.wall_s = now_s - self.started_s

    def _clock(self) -> int:
        """The kernel's clock of the CPU time of another process."""
        assert self.pid
        return (~self.pid << 3) | 2

    def _resident_kib(self) -> int:
        assert self.pid
        kib = resident.now_kib(self.pid)
        self.peak_kib = max(self.peak_kib, kib)
        return kib

    def read_printed(self) -> None:
        """Empty both pipes, keep what fits, and count what is cut."""
        assert self.call is not None
        room = self.call.limits.printed_kib * 1024
        for stream, (kept, pipe) in enumerate(
            zip(self.printed, (self.stdout, self.stderr), strict=True)
        ):
            for _ in range(2):
                try:
                    data = os.read(pipe, 1 << 16)
                except BlockingIOError:
                    break
                if not data:
                    break
                fits = max(room - len(self.printed[0]) - len(self.printed[1]), 0)
                kept += data[:fits]
                if len(data) > fits:
                    self.cut[stream] += len(data) - fits
                    self.killed_for = "printed"

    # --- The end --------------------------------------------------------------------------------

    def end(self) -> None:
        """Kill it. What it has cost is read first; what it is worth, after it was reaped.

        Where all that it returned is in our hands, nothing that it still does counts: `outcome` is
        there at once, and its end, which takes longer than most calls, keeps nobody waiting.
        """
        assert self.pid
        prefix = self.prefix if self.complete else None
        if self.state == "running":
            self._stop_clocks(time.monotonic())
            if self.complete:
                self._hold_to_limits()
        memory_kib = self._memory_kib() if prefix else 0
        self.state = "dying"
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        if prefix and (not prefix.shared or shared.settled(self.pid)):
            self.read_printed()
            self.outcome = self._told(0, memory_kib)

    def _hold_to_limits(self) -> None:
        """What counts is what it took, not whether somebody looked while it took it."""
        assert self.call is not None
        assert self.pid
        limits = self.call.limits
        if self.group is None:
            self.peak_kib = max(resident.highest_kib(self.pid), self.peak_kib)
        # Large arguments are in the peak twice, as they are and as they were: no fault of a program's.
        watched = self.group is None and self.arguments_memory < 0
        if self.cpu_s > limits.time_s:
            self.killed_for = "cpu"
        elif watched and self.peak_kib - self.base_kib > limits.memory_mib * 1024:
            self.killed_for = "memory"

    def reap(self) -> Outcome:
        """Collect the dead box, and say what happened. Call when its pidfd is readable."""
        assert self.pid
        _, status, usage = os.wait4(self.pid, 0)
        self.pid = None
        if self.outcome is not None:
            return self.outcome
        self.read_printed()
        self.peak_kib = max(usage.ru_maxrss, self.peak_kib)
        return self._told(status, self._memory_kib())

    def _memory_kib(self) -> int:
        if self.group is not None:
            return max(self.group.peak_bytes() - self.group.base_bytes, 0) // 1024
        return max(self.peak_kib - self.base_kib, 0)

    def _told(self, status: int, memory_kib: int) -> Outcome:
        fact = self._fact(status)
        stdout, stderr = (
            Printed(kept.decode("utf-8", "replace"), cut)
            for kept, cut in zip(self.printed, self.cut, strict=True)
        )
        return Outcome(fact, self.cpu_s, self.wall_s, memory_kib, stdout, stderr)

    def _fact(self, status: int) -> Fact:
        assert self.call is not None
        if self.killed_for is not None:
            return Exceeded(self.killed_for)
        if self.complete and self.prefix is not None:
            start = wire.PREFIX.size + self.prefix.header_bytes
            header = memoryview(self.incoming)[wire.PREFIX.size : start]
            return self._from_frame(self.prefix, header, start)
        if self.group is not None and self.group.oom_kills() > self.group.killed:
            return Exceeded("memory")
        if self.malformed:
            return Crashed(malformed=True)
        if status == signal.SIGKILL and self.cpu_s < _OWN_CPU_S and not self._took_much():
            raise BoxFault("a box was killed by something else than its limits")
        return from_death(status, self.received > 0, self.cpu_s >= self.call.limits.time_s)

    def _took_much(self) -> bool:
        """Whether it may have been killed for its memory by a limit around all of us."""
        assert self.call is not None
        return self.peak_kib - self.base_kib > self.call.limits.memory_mib * 512

    def _from_frame(self, prefix: wire.Prefix, header: memoryview, start: int) -> Fact:
        assert self.call is not None
        source = self.call.source
        if not prefix.shared:
            raw = memoryview(self.incoming).toreadonly()[start:]
            return from_frame(prefix, header, raw, source)
        size = prefix.raw_bytes
        if self.result_memory < 0 or not 0 < size <= os.fstat(self.result_memory).st_size:
            return Crashed(malformed=True)
        mapped = mmap.mmap(self.result_memory, size, prot=mmap.PROT_READ)
        return from_frame(prefix, header, mapped, source)

    def close(self) -> None:
        """Give back every descriptor. A box that still lives is killed and reaped."""
        self.channel.close()
        for descriptor in (self.stdout, self.stderr, self.arguments_memory, self.result_memory):
            if descriptor >= 0:
                os.close(descriptor)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = None
        if self.pidfd >= 0:
            os.close(self.pidfd)


def _without_numpy(value: object) -> object:
    """Arrays as nested lists, for the runtime in which there are no arrays."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if type(value) in (list, tuple):
        return type(value)(_without_numpy(part) for part in value)  # type: ignore[attr-defined,call-arg]
    if type(value) is dict:
        return {key: _without_numpy(part) for key, part in value.items()}
    return value
