"""The keeper: keeps boxes ready, checks them, feeds them, watches them, ends them."""

from __future__ import annotations

import os
import select
import shutil
import socket
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

import structlog

from app.errors import BoxFault, SandboxUnavailable
from app.model import Call, NotCompiled, Outcome, RuntimeName
from app.sandbox import cgroups, runtimes
from app.sandbox.box import Box
from app.sandbox.look import look
from app.sandbox.plan import INNER_UID, TIERS, UID_BASE, UID_COUNT, Plan, Tier

_READY_S = 20.0
_log = structlog.get_logger(__name__)


class Keeper:
    """Runs calls, each in a fresh box. Safe to use from several threads; close it at the end.

    min_tier     the weakest tier that will do; below it construction raises SandboxUnavailable
    force_tier   exactly this tier, for tests
    ready_ahead  boxes of each runtime kept waiting
    program      the file that a runtime executes
    """

    def __init__(
        self,
        min_tier: Tier = "C",
        *,
        force_tier: Tier | None = None,
        ready_ahead: int = 6,
        program: Path = runtimes.PROGRAM,
    ) -> None:
        self._ready_ahead, self._program = ready_ahead, program
        self._lock = threading.RLock()
        self._closed = False
        self._runtimes: dict[RuntimeName, runtimes.Runtime] = {}
        self._waiting: dict[RuntimeName, deque[Box]] = {"numpy": deque(), "python": deque()}
        self._next_uid = os.getpid() * 37 % UID_COUNT
        self.cores = len(os.sched_getaffinity(0))
        self._slots = threading.Semaphore(self.cores)
        self._spawner = runtimes.Spawner()
        self._groups: cgroups.Groups | None = None
        self._root = ""
        self.report: list[str] = []
        try:
            self.plan = self._choose(min_tier, force_tier)
        except BaseException:
            self.close()
            raise

    @property
    def tier(self) -> Tier:
        return self.plan.tier

    def __enter__(self) -> Keeper:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- The tier -------------------------------------------------------------------------------

    def _choose(self, min_tier: Tier, force_tier: Tier | None) -> Plan:
        """The best plan that works, found by trying: each is asked for a runtime and a box."""
        for plan in self._plans():
            if force_tier is not None and plan.tier != force_tier:
                continue
            if TIERS.index(plan.tier) > TIERS.index(min_tier):
                break
            try:
                self._try(plan)
            except (SandboxUnavailable, BoxFault) as error:
                self.report.append(f"tier {plan.tier}: {error}")
                self._drop_runtimes()
                continue
            return plan
        wanted = force_tier or min_tier
        reasons = "; ".join(self.report) or "nothing was tried"
        raise SandboxUnavailable(f"no box of tier {wanted} can be made here: {reasons}")

    def _plans(self) -> Iterator[Plan]:
        root = os.geteuid() == 0
        reasons: list[str] = []
        folder = cgroups.own_name()
        parents = cgroups.find(folder, reasons)
        if parents is not None:
            cgroups.sweep(parents)
            self._groups = cgroups.Groups(parents, folder)
            if root:
                yield Plan(True, False, True, True, False)
            yield Plan(True, True, True, False, False)
            self._groups.close()
            self._groups = None
        else:
            self.report.append("no writable cgroup: " + "; ".join(reasons))
        if root:
            yield Plan(True, False, False, True, False)
        yield Plan(True, True, False, False, False)
        if root:
            yield Plan(False, False, False, True, True)
            yield Plan(False, False, False, True, False)
        yield Plan(False, False, False, False, False)

    def _try(self, plan: Plan) -> None:
        self.plan = plan
        runtime = self._runtime("numpy")
        box = self._order(runtime)
        box.pid = runtime.forked()
        try:
            self._check(box, runtime)
        finally:
            self._discard(box)

    # --- Runtimes and boxes ---------------------------------------------------------------------

    def _runtime(self, name: RuntimeName) -> runtimes.Runtime:
        """The runtime of that name, started if there is none."""
        with self._lock:
            if self._closed:
                raise SandboxUnavailable("the keeper is closed")
            runtime = self._runtimes.get(name)
            if runtime is None:
                runtime = self._spawner.do(lambda: self._start(name))
                self._runtimes[name] = runtime
            return runtime

    def _start(self, name: RuntimeName) -> runtimes.Runtime:
        root = ""
        if self.plan.chroot:
            if not self._root:
                self._root = tempfile.mkdtemp(prefix=cgroups.own_name() + "-")
                os.chmod(self._root, 0o755)
            root = f"{self._root}/{name}"
            shutil.rmtree(root, ignore_errors=True)
            os.mkdir(root)
        return runtimes.start(name, self.plan, root, self._program)

    def _drop_runtimes(self) -> None:
        with self._lock:
            for name in list(self._runtimes):
                self._retire(name)

    def _order(self, runtime: runtimes.Runtime) -> Box:
        """Ask a runtime for a box. It is not ready yet. Raises OSError if the runtime is gone."""
        with self._lock:
            self._next_uid = (self._next_uid + 1) % UID_COUNT
            uid = UID_BASE + self._next_uid if self.plan.own_uid else INNER_UID
            group = self._groups.lend() if self._groups is not None and self.plan.cgroup else None
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        (stdout, out), (stderr, err) = os.pipe(), os.pipe()
        os.set_blocking(stdout, False)
        os.set_blocking(stderr, False)
        box = Box(ours, stdout, stderr, uid, group)
        try:
            runtime.fork(uid, [theirs.fileno(), out, err])
        except OSError:
            self._discard(box)
            raise
        finally:
            theirs.close()
            os.close(out)
            os.close(err)
        return box

    def _take(self, name: RuntimeName) -> tuple[Box, runtimes.Runtime]:
        """The box that has waited longest, and order what makes up the number again."""
        with self._lock:
            for _ in range(2):
                runtime = self._runtime(name)
                waiting = self._waiting[name]
                try:
                    while len(waiting) <= self._ready_ahead:
                        waiting.append(self._order(runtime))
                except OSError:  # it died: what waits is still good, but its runtime is not
                    _log.warning("runtime_died", runtime=name)
                    self._retire(name)
                    continue
                box = waiting.popleft()
                box.pid = runtime.forked()
                return box, runtime
        raise BoxFault(f"the runtime {name} dies as soon as it is started")

    def _retire(self, name: RuntimeName) -> None:
        waiting, runtime = self._waiting[name], self._runtimes.pop(name)
        while waiting:
            box = waiting.popleft()
            box.pid = runtime.forked()
            self._discard(box)
        runtime.close()

    def _check(self, box: Box, runtime: runtimes.Runtime) -> None:
        """Gate: exactly the layers of policy, and the look from outside agrees. Raises BoxFault."""
        if not select.select([box.channel], [], [], _READY_S)[0]:
            raise BoxFault("a box was not ready in time")
        if box.group is not None:
            box.group.admit(box.pid)
        held = box.greeting()
        plan = self.plan
        if held != plan.layers:
            missing, extra = sorted(plan.layers - held), sorted(held - plan.layers)
            raise BoxFault(f"a box lacks layers {missing} or has more than asked for {extra}")
        groups = {}
        if box.group is not None and self._groups is not None:
            inside = self._groups.parents.inside
            groups = {name: f"{path.rstrip('/')}/{box.group.name}" for name, path in inside.items()}
        seen = look(box.pid, box.uid, plan, runtime.around, groups)
        if seen.wrong:
            raise BoxFault(f"a box is not what it claims to be: {seen.wrong}")
        box.base_kib = seen.resident_kib
        box.pidfd = os.pidfd_open(box.pid)

    def _discard(self, box: Box) -> None:
        """End a box that runs nothing any more."""
        box.close()
        if box.group is not None and self._groups is not None:
            self._groups.give_back(box.group)

    # --- Running calls --------------------------------------------------------------------------

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        """Run each call in a box of its own, side by side on the cores that are free.

        Yields (index into `calls`, outcome) as they end. Raises SandboxError if a box, not a
        program, failed.
        """
        return _Round(self, calls).outcomes()

    def close(self) -> None:
        """End every process and remove every trace."""
        self._closed = True
        self._drop_runtimes()
        self._spawner.close()
        if self._groups is not None:
            self._groups.close()
        if self._root:
            shutil.rmtree(self._root, ignore_errors=True)


class _Round:
    """One `run`: a loop over the boxes that are under way."""

    def __init__(self, keeper: Keeper, calls: Sequence[Call]) -> None:
        self._keeper = keeper
        self._calls = deque(enumerate(calls))
        self._poll = select.poll()
        self._by_descriptor: dict[int, Box] = {}
        self._boxes: list[Box] = []
        self._holding = 0

    def outcomes(self) -> Iterator[tuple[int, Outcome]]:
        try:
            yield from self._refuse_unreadable()
            while self._calls or self._boxes:
                self._fill()
                yield from self._step()
        finally:
            for box in self._boxes:
                self._keeper._discard(box)
            self._boxes.clear()
            for _ in range(self._holding):
                self._keeper._slots.release()

    def _refuse_unreadable(self) -> Iterator[tuple[int, Outcome]]:
        """Half of a surrogate pair is no text: no box is needed to say so."""
        kept: deque[tuple[int, Call]] = deque()
        for index, call in self._calls:
            try:
                call.source.encode()
            except UnicodeEncodeError:
                fact = NotCompiled("syntax", "the source is not valid Unicode text")
                yield index, Outcome(fact, 0.0, 0.0, 0)
            else:
                kept.append((index, call))
        self._calls = kept

    def _fill(self) -> None:
        """Start as many calls as there are free cores."""
        while self._calls:
            if not self._keeper._slots.acquire(blocking=not self._boxes):
                return
            self._holding += 1
            index, call = self._calls.popleft()
            box, runtime = self._keeper._take(call.runtime)
            self._boxes.append(box)
            self._keeper._check(box, runtime)
            self._watch(box.channel.fileno(), box, select.POLLIN)
            self._watch(box.pidfd, box, select.POLLIN)
            box.begin(index, call, runtime.address_bytes)
            if box.outgoing:
                self._poll.modify(box.channel.fileno(), select.POLLIN | select.POLLOUT)

    def _watch(self, descriptor: int, box: Box, events: int) -> None:
        self._poll.register(descriptor, events)
        self._by_descriptor[descriptor] = box

    def _forget(self, descriptor: int) -> None:
        if self._by_descriptor.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def _step(self) -> Iterator[tuple[int, Outcome]]:
        """Wait for something to happen, and deal with it."""
        running = [box for box in self._boxes if box.state == "running"]
        now_s = time.monotonic()
        wait_s = min((box.next_look_s - now_s for box in running), default=1.0)
        for descriptor, _ in self._poll.poll(max(wait_s, 0) * 1000):
            box = self._by_descriptor[descriptor]
            if descriptor == box.pidfd:
                yield self._finish(box)
            elif box.state == "running":
                self._hear(box)
        now_s = time.monotonic()
        for box in running:
            if box.state == "running" and box in self._boxes and now_s >= box.next_look_s:
                box.watch(now_s, self._keeper.cores)
                if box.killed_for is not None:
                    self._end(box)

    def _hear(self, box: Box) -> None:
        if box.outgoing:
            box.send_more()
            if not box.outgoing:
                self._poll.modify(box.channel.fileno(), select.POLLIN)
        box.receive()
        if box.complete or box.malformed:
            self._end(box)
        elif box.closed:  # it is dying, or it closed its only way to answer
            self._forget(box.channel.fileno())
            box.next_look_s = time.monotonic() + 0.05

    def _end(self, box: Box) -> None:
        self._forget(box.channel.fileno())
        box.end()
        self._release()

    def _release(self) -> None:
        self._holding -= 1
        self._keeper._slots.release()

    def _finish(self, box: Box) -> tuple[int, Outcome]:
        if box.state == "running":  # it died by itself; a last frame may still be there
            box.receive()
            self._end(box)
        self._forget(box.pidfd)
        self._boxes.remove(box)
        outcome = box.reap()
        self._keeper._discard(box)
        return box.index, outcome
