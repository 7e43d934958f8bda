"""The order in which a fresh box locks itself in, and how it proves that each layer holds.

The steps are a table of system calls. The runtime prepares it before the fork, so that the box only
runs down the list and reports what each call gave: a box starts with cold memory, and every object
it touches costs a page. Each step belongs to a layer and has the result it must have. The keeper,
told of both beforehand, gives the box nothing to run unless every step of every layer went as it
must, these layers are exactly what policy asks for, and its own look from outside agrees.
Runs inside: the standard library only.
"""

from __future__ import annotations

import ctypes
import errno
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.sandbox import jail, layers

_AT_FDCWD = -100
_AF_INET, _SOCK_STREAM = 2, 1
_TMPFS = layers.MS_NOSUID | layers.MS_NODEV | layers.MS_NOEXEC
_DONE = None  # the step must succeed, whatever it returns
_UID = "uid"  # it must return the user that the box is to be


class Step(NamedTuple):
    """One system call: its layer, what it must return (-errno for a refusal), number and arguments."""

    layer: str
    must: int | str | None
    call: tuple[int, ...]


@dataclass(slots=True)
class Lock:
    """What every box of one runtime has in common, prepared once."""

    namespaces: bool
    own_uid: bool
    hide_memory: bool  # now; else when the call comes, because the keeper still has to look
    scratch_mib: int
    ruleset: int
    groups: range  # where the descriptors are through which a box joins its control groups
    filter: bytes
    _before: list[Step] = field(default_factory=list)
    _after: list[Step] = field(default_factory=list)
    _calls: list[tuple[int, ...]] = field(default_factory=list)
    _uid_places: tuple[int, ...] = ()
    clone: tuple[int, ...] = ()  # the system call that makes a box
    _kept: list[Any] = field(default_factory=list)  # buffers whose addresses the steps hold

    def __post_init__(self) -> None:
        me = self._text("0")
        self._before = [
            *(_step("cgroup", "write", place, me, 1, must=1) for place in self.groups),
            _step("descriptors", "close_range", self.ruleset + 1, 0xFFFFFFFF),
            _step("session", "setsid"),
        ]
        if self.namespaces:
            options = f"size={self.scratch_mib}m,nr_inodes=1024,mode=1777"
            tmpfs, place, how = self._text("tmpfs"), self._text(jail.BOX), self._text(options)
            self._before += [
                _step("pid", "getpid", must=1),
                _step("scratch", "mount", tmpfs, place, tmpfs, _TMPFS, how),
                _step("scratch", "chdir", place),
            ]
        self._after = self._last_steps()
        fresh = layers.CLONE_NEWPID | layers.CLONE_NEWNS | layers.CLONE_NEWIPC
        namespaces = fresh if self.namespaces else 0
        self.clone = (layers.NUMBERS["clone"], namespaces | layers.AS_SIBLING, 0, 0, 0, 0)

    def _last_steps(self) -> list[Step]:
        header = self._address((ctypes.c_uint32 * 2)(0x20080522, 0))
        nothing = self._address((ctypes.c_uint32 * 6)())
        program = layers.Filter(self.filter)
        steps = [
            _step("capabilities", "capset", header, nothing),
            _step("parent_death", "prctl", 1, 9),  # PR_SET_PDEATHSIG, SIGKILL
            _step("landlock", "landlock_restrict_self", self.ruleset),
            _step("descriptors", "close", self.ruleset),
            # Kernels before 5.16 slow the whole process down without SPEC_ALLOW (4).
            _step("seccomp", "seccomp", 1, 4, self._address(program)),
            # The proof: what must fail, each because of one layer.
            _step("landlock", "openat", _AT_FDCWD, self._text("/"), must=-errno.EACCES),
            _step("seccomp", "socket", _AF_INET, _SOCK_STREAM, must=-errno.EPERM),
        ]
        if self.hide_memory:
            steps.insert(1, _step("hidden_memory", "prctl", 4))  # PR_SET_DUMPABLE, 0
        return steps

    def promises(self) -> list[tuple[str, int | str | None]]:
        """For each step its layer, and what it must return."""
        return [(step.layer, step.must) for step in self.steps(0)]

    def calls(self, uid: int) -> list[tuple[int, ...]]:
        """The system calls of the next box, which is to be this user."""
        if not self._calls or not self.own_uid:
            self._calls = [step.call for step in self.steps(uid)]
        for place in self._uid_places:
            self._calls[place] = (self._calls[place][0], uid, uid, uid, 0, 0)
        return self._calls

    def steps(self, uid: int) -> list[Step]:
        own = []
        if self.own_uid:
            own = [
                _step("uid", "setresgid", uid, uid, uid),
                _step("uid", "setresuid", uid, uid, uid),
                _step("uid", "getuid", must=_UID),
            ]
            self._uid_places = (len(self._before), len(self._before) + 1)
        return self._before + own + self._after

    def _text(self, text: str) -> int:
        return self._address(ctypes.create_string_buffer(text.encode()))

    def _address(self, buffer: Any) -> int:
        self._kept.append(buffer)
        return ctypes.addressof(buffer)


def _step(layer: str, name: str, *arguments: int, must: int | str | None = _DONE) -> Step:
    padded = (*arguments, *(0,) * (5 - len(arguments)))
    return Step(layer, must, (layers.NUMBERS[name], *padded))


def shut(calls: list[tuple[int, ...]]) -> list[int]:
    """Lock this process in. Gives what each call returned, -errno where it failed."""
    call, refused = layers.raw_call, layers.raw_errno
    results = []
    for arguments in calls:
        result = call(*arguments)
        results.append(result if result >= 0 else -refused())
    return results


# Steps that do nothing, for the runtime to go through: boxes then find the loop warm.
HARMLESS = [_step("pid", "getpid").call, _step("seccomp", "close", -1).call]
