"""Boxes kept ready: ordered from a warm runtime, checked before they are given anything to run."""

from __future__ import annotations

import os
import select
import shutil
import socket
import tempfile
import threading
from collections import deque
from pathlib import Path

import structlog

from app.errors import BoxFault, SandboxUnavailable
from app.model import RuntimeName
from app.sandbox import runtimes
from app.sandbox.box import Box
from app.sandbox.cgroups import PREFIX, Groups, is_stale, own_name
from app.sandbox.look import look
from app.sandbox.plan import INNER_UID, UID_BASE, UID_COUNT, Plan

_READY_S = 20.0
_log = structlog.get_logger(__name__)


class Pool:
    """The runtimes of one plan and the boxes that wait. Safe to use from several threads."""

    def __init__(
        self, plan: Plan, groups: Groups | None, ready_ahead: int, program: Path = runtimes.PROGRAM
    ) -> None:
        self.plan, self._groups = plan, groups
        self._ready_ahead, self._program = ready_ahead, program
        self._lock = threading.RLock()
        self._spawner = runtimes.Spawner()
        self._runtimes: dict[RuntimeName, runtimes.Runtime] = {}
        self._waiting: dict[RuntimeName, deque[Box]] = {}
        self._next_uid = os.getpid() * 37 % UID_COUNT
        self._root = ""
        self.closed = False

    def take(self, name: RuntimeName) -> tuple[Box, runtimes.Runtime]:
        """The box that has waited longest, checked; what makes up the number again is ordered.

        Raises BoxFault if it is not exactly what policy asks for: nothing is run in it then.
        """
        box, runtime = self._oldest(name)
        try:
            self._check(box, runtime)
        except BoxFault as fault:
            _log.error("box_fault", runtime=name, reason=str(fault))
            self.discard(box)
            raise
        return box, runtime

    def discard(self, box: Box) -> None:
        """End a box, whatever it is doing, and take back what it was lent."""
        box.close()
        if box.group is not None and self._groups is not None:
            self._groups.give_back(box.group)

    def close(self) -> None:
        self.closed = True
        with self._lock:
            for name in list(self._runtimes):
                self._retire(name)
        self._spawner.close()
        if self._groups is not None:
            self._groups.close()
        if self._root:
            shutil.rmtree(self._root, ignore_errors=True)

    # --- Runtimes -------------------------------------------------------------------------------

    def runtime(self, name: RuntimeName) -> runtimes.Runtime:
        """The runtime of that name, started if there is none. Raises SandboxUnavailable."""
        with self._lock:
            if self.closed:
                raise SandboxUnavailable("the sandbox is closed")
            runtime = self._runtimes.get(name)
            if runtime is None:
                runtime = self._spawner.do(lambda: self._start(name))
                self._runtimes[name] = runtime
            return runtime

    def _start(self, name: RuntimeName) -> runtimes.Runtime:
        root = ""
        if self.plan.chroot:
            if not self._root:
                _sweep_roots()
                self._root = tempfile.mkdtemp(prefix=own_name() + "-")
                os.chmod(self._root, 0o755)
            root = f"{self._root}/{name}"
            shutil.rmtree(root, ignore_errors=True)
            os.mkdir(root)
        return runtimes.start(name, self.plan, root, self._program)

    def _retire(self, name: RuntimeName) -> None:
        """End a runtime and the boxes that wait."""
        runtime, waiting = self._runtimes.pop(name), self._waiting.pop(name, deque())
        for box in waiting:
            box.pid = box.pid or runtime.forked()
            self.discard(box)
        runtime.close()

    @property
    def ready(self) -> int:
        """How many boxes wait, or are being made; asked without the lock, which may be held long."""
        return sum(len(waiting) for waiting in list(self._waiting.values()))

    def pids(self) -> frozenset[int]:
        """Processes that belong here while nothing runs. Waits until ordered boxes are made."""
        with self._lock:
            found = {runtime.pid for runtime in self._runtimes.values()}
            for name, waiting in self._waiting.items():
                for box in waiting:
                    box.pid = box.pid or self._runtimes[name].forked()
                    found.add(box.pid)
            return frozenset(found)

    # --- Boxes ----------------------------------------------------------------------------------

    def _oldest(self, name: RuntimeName) -> tuple[Box, runtimes.Runtime]:
        with self._lock:
            for _ in range(2):
                runtime = self.runtime(name)
                waiting = self._waiting.setdefault(name, deque())
                try:
                    while len(waiting) <= self._ready_ahead:
                        waiting.append(self._order(runtime))
                except OSError as error:
                    _log.warning("runtime_died", runtime=name, reason=str(error))
                    self._retire(name)
                    continue
                box = waiting.popleft()
                box.pid = box.pid or runtime.forked()
                if box.pid:
                    return box, runtime
                _log.warning("runtime_died", runtime=name, reason="it made no box")
                self.discard(box)
                self._retire(name)
        raise BoxFault(f"the runtime {name} dies as soon as it is started")

    def _order(self, runtime: runtimes.Runtime) -> Box:
        """Ask a runtime for a box. It is not ready yet. Raises OSError if the runtime is gone."""
        self._next_uid = (self._next_uid + 1) % UID_COUNT
        uid = UID_BASE + self._next_uid if self.plan.own_uid else INNER_UID
        ours, theirs = socket.socketpair()
        (stdout, out), (stderr, err) = os.pipe(), os.pipe()
        ours.setblocking(False)
        os.set_blocking(stdout, False)
        os.set_blocking(stderr, False)
        box = Box(
            ours, stdout, stderr, uid, self._groups.lend() if self._groups is not None else None
        )
        try:
            runtime.fork(uid, [theirs.fileno(), out, err])
        except OSError:
            self.discard(box)
            raise
        finally:
            theirs.close()
            os.close(out)
            os.close(err)
        return box

    def _check(self, box: Box, runtime: runtimes.Runtime) -> None:
        """The gate: exactly the layers of policy, and the look from outside agrees."""
        groups = {}
        try:
            if box.group is not None and self._groups is not None:
                box.group.admit(box.pid)
                groups = self._groups.seen_from_inside(box.group)
            box.pidfd = os.pidfd_open(box.pid)
            heard = select.select([box.channel.fileno(), box.pidfd], [], [], _READY_S)[0]
            if not heard:
                raise BoxFault("a box was not ready in time")
            results = box.greeting()
            held = runtime.held(results, box.uid)
            if held != self.plan.layers:
                lacks, more = sorted(self.plan.layers - held), sorted(held - self.plan.layers)
                raise BoxFault(
                    f"a box lacks the layers {lacks}, and has {more} that were not asked for; "
                    f"its steps gave {results}"
                )
            if box.pidfd in heard:
                raise BoxFault("a box died while it waited")
            seen = look(box.pid, box.uid, self.plan, runtime.around, groups)
        except OSError as error:
            raise BoxFault(f"a box cannot be checked: {error}") from error
        if seen.wrong:
            raise BoxFault(f"a box is not what it claims to be: {seen.wrong}")
        box.base_kib = seen.resident_kib


def _sweep_roots() -> None:
    """Remove the copied roots of keepers that died. Only we ever wrote there."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*-*-*"):
        if is_stale(path.name) and path.owner() == Path("/proc/self").owner():
            shutil.rmtree(path, ignore_errors=True)
