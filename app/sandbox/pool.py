"""Boxes kept ready: ordered from a warm runtime, checked before they are given anything to run."""

from __future__ import annotations

import os
import queue
import select
import shutil
import socket
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import structlog

from app.errors import BoxFault, SandboxUnavailable
from app.runtime_kinds import RuntimeName
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
        self._tidying: queue.Queue[Sequence[Box] | None] = queue.Queue()
        self._closing = threading.Lock()
        self._tidier = threading.Thread(target=self._tidy, name="allclose-tidier", daemon=True)
        self._tidier.start()
        self.closed = False

    def take(self, name: RuntimeName) -> tuple[Box, runtimes.Runtime]:
        """The box that has waited longest, checked. `tend` makes up the number again.

        Raises BoxFault if it is not exactly what policy asks for: nothing is run in it then.
        """
        box, runtime = self._oldest(name)
        if not box.checked:
            self._check(box, runtime, _READY_S)
        if box.fault is not None:
            _log.error("box_fault", runtime=name, reason=str(box.fault))
            self.discard(box)
            raise box.fault
        return box, runtime

    def tend(self) -> None:
        """Order boxes until enough wait, and check those that are ready. Waits for nothing.

        For whenever a run has nothing better to do: what is done here, the next box to be taken
        does not wait for.
        """
        with self._lock:
            for name, runtime in [] if self.closed else list(self._runtimes.items()):
                waiting = self._waiting.setdefault(name, deque())
                try:
                    while len(waiting) < self._ready_ahead:
                        waiting.append(self._order(runtime))
                except OSError:
                    continue  # whoever takes the next one finds out
                for box in waiting:
                    if box.pid is None:
                        box.pid = runtime.forked(wait=False)
                    if not box.pid or not (box.checked or self._check(box, runtime, 0)):
                        break  # those behind it are younger, or there are none: the runtime died

    def is_ready(self, name: RuntimeName) -> bool:
        """Whether the next box can be had without waiting."""
        with self._lock:
            waiting = self._waiting.get(name)
            return waiting[0].checked if waiting else False

    def coming(self, name: RuntimeName) -> int:
        """What can be read when the next box is ready; -1 if it is, or if none was ordered.

        Only to be woken up by: another thread may take that box first.
        """
        with self._lock:
            waiting = self._waiting.get(name)
            return waiting[0].channel.fileno() if waiting and not waiting[0].checked else -1

    def discard(self, box: Box) -> None:
        """End a box, whatever it is doing, and take back what it was lent."""
        box.close()
        if box.group is not None and self._groups is not None:
            self._groups.give_back(box.group)

    def tidy(self, boxes: Sequence[Box]) -> None:
        """End these boxes and make up the number of those that wait; in a thread beside.

        Whoever wanted the outcomes has them, and need not wait for the dead.
        """
        with self._closing:
            if not self.closed:
                self._tidying.put(boxes)
                return
        for box in boxes:
            self.discard(box)

    def _tidy(self) -> None:
        while (boxes := self._tidying.get()) is not None:
            # The dead first: the next boxes take over their groups.
            steps: list[Callable[[], None]] = [partial(self.discard, box) for box in boxes]
            for step in (*steps, self.tend):
                try:
                    step()
                except Exception:  # the border of the thread: one that fails keeps no other
                    _log.exception("not_tidied")
            self._tidying.task_done()
        self._tidying.task_done()

    def close(self) -> None:
        with self._closing:
            self.closed = True
            self._tidying.put(None)
        self._tidier.join()
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
        groups = self._groups.each if self._groups is not None else 0
        return runtimes.start(name, self.plan, root, groups, self._program)

    def _retire(self, name: RuntimeName) -> None:
        """End a runtime and the boxes that wait."""
        runtime, waiting = self._runtimes.pop(name), self._waiting.pop(name, deque())
        for box in waiting:
            box.pid = runtime.forked() if box.pid is None else box.pid
            self.discard(box)
        runtime.close()

    @property
    def ready(self) -> int:
        """How many boxes wait, or are being made; asked without the lock, which may be held long."""
        return sum(len(waiting) for waiting in list(self._waiting.values()))

    def pids(self) -> frozenset[int]:
        """Processes that belong here while nothing runs. Waits until ordered boxes are checked."""
        self._tidying.join()
        with self._lock:
            found = {runtime.pid for runtime in self._runtimes.values()}
            for name, waiting in self._waiting.items():
                for box in waiting:
                    if box.pid is None:
                        box.pid = self._runtimes[name].forked()
                    if box.pid and not box.checked:
                        self._check(box, self._runtimes[name], _READY_S)
                    found.add(box.pid or 0)
            return frozenset(found)

    # --- Boxes ----------------------------------------------------------------------------------

    def _oldest(self, name: RuntimeName) -> tuple[Box, runtimes.Runtime]:
        with self._lock:
            for _ in range(2):
                runtime = self.runtime(name)
                waiting = self._waiting.setdefault(name, deque())
                try:
                    if not waiting:
                        waiting.append(self._order(runtime))
                except OSError as error:
                    _log.warning("runtime_died", runtime=name, reason=str(error))
                    self._retire(name)
                    continue
                box = waiting.popleft()
                if box.pid is None:
                    box.pid = runtime.forked()
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
            joins = box.group.attach if box.group is not None else ()
            runtime.fork(uid, [theirs.fileno(), out, err, *joins])
        except OSError:
            self.discard(box)
            raise
        finally:
            theirs.close()
            os.close(out)
            os.close(err)
        return box

    def _check(self, box: Box, runtime: runtimes.Runtime, wait_s: float) -> bool:
        """The gate: exactly the layers of policy, and the look from outside agrees.

        False if the box is not ready yet. `box.fault` says what is wrong with it, if anything is.
        """
        assert box.pid
        try:
            if box.pidfd < 0:
                box.pidfd = os.pidfd_open(box.pid)
            heard = select.select([box.channel.fileno(), box.pidfd], [], [], wait_s)[0]
            if not heard and not wait_s:
                return False
            self._judge(box, runtime, heard)
        except BoxFault as fault:
            box.fault = fault
        except OSError as error:
            box.fault = BoxFault(f"a box cannot be checked: {error}")
        box.checked = True
        return True

    def _judge(self, box: Box, runtime: runtimes.Runtime, heard: list[int]) -> None:
        """Raises BoxFault with what is wrong."""
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
        groups = {}
        if box.group is not None and self._groups is not None:
            groups = self._groups.seen_from_inside(box.group)
        assert box.pid
        seen = look(box.pid, box.uid, self.plan, runtime.around, groups)
        if seen.wrong:
            raise BoxFault(f"a box is not what it claims to be: {seen.wrong}")
        box.base_kib = seen.resident_kib


def _sweep_roots() -> None:
    """Remove the copied roots of keepers that died. Only we ever wrote there."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*-*-*"):
        if is_stale(path.name) and path.owner() == Path("/proc/self").owner():
            shutil.rmtree(path, ignore_errors=True)
