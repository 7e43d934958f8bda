"""The warm interpreters: starting one, and asking it for boxes."""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec

from app.errors import SandboxUnavailable
from app.runtime_kinds import RUNTIMES, RuntimeKind, RuntimeName
from app.sandbox import allowlist
from app.sandbox.look import Surroundings
from app.sandbox.plan import INNER_UID, Plan, Tree, tree

PROGRAM = Path(__file__).with_name("runtime.py")
SCRATCH_MIB = 16
STAGES = ("/tmp", "/mnt", "/media", "/srv", "/opt", "/var/tmp")
_START_S = 60.0
_CLEAN = {
    "PYTHONHASHSEED": "0",  # the order of sets of strings is part of a judgement: keep it
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",  # an arena a thread would eat the address space
    "LC_ALL": "C.UTF-8",
    "HOME": "/scratch/box",
    "TMPDIR": "/scratch/box",
}


class Spawner:
    """One thread that lives as long as the keeper and is the parent of everything it starts.

    The kernel's "die with the parent" means the parent thread, not the parent process.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = (
            queue.SimpleQueue()
        )
        self._thread = threading.Thread(target=self._work, name="allclose-spawner", daemon=True)
        self._thread.start()

    def do(self, job: Callable[[], Any]) -> Any:
        done: Future[Any] = Future()
        self._jobs.put((job, done))
        return done.result()

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            job, done = item
            try:
                done.set_result(job())
            except Exception as error:  # the border of the thread: it goes to whoever asked
                done.set_exception(error)


class Runtime:
    """A running runtime. Its boxes are children of the keeper, not its own."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        control: socket.socket,
        plan: Plan,
        promises: list[tuple[str, int | str | None]],
    ) -> None:
        self.promises = promises  # of each step of a box: its layer, and what it must return
        self.pid = process.pid
        self.around = Surroundings.of(process.pid, plan)
        self.address_bytes = _address_bytes(process.pid)
        self._process = process
        self._control = control

    def fork(self, uid: int, descriptors: list[int]) -> None:
        """Ask for a box. Raises OSError if the runtime is gone."""
        socket.send_fds(self._control, [b"%d" % uid], descriptors)

    def held(self, results: list[int], uid: int) -> frozenset[str]:
        """The layers all of whose steps went as they must."""
        if len(results) != len(self.promises):
            return frozenset()
        held: set[str] = set()
        failed: set[str] = set()
        for (layer, must), result in zip(self.promises, results, strict=True):
            wanted = uid if must == "uid" else must
            (held if result == wanted or (wanted is None and result >= 0) else failed).add(layer)
        return frozenset(held - failed)

    def forked(self, wait: bool = True) -> int | None:
        """The pid of the next box asked for, in the order of asking; 0 if it was never made.

        Without `wait`, None if that is not known yet.
        """
        try:
            if wait:
                return int(self._control.recv(32) or 0)
            # The socket has a timeout, and its own `recv` would wait for that long.
            return int(os.read(self._control.fileno(), 32) or 0)
        except BlockingIOError:
            return None
        except OSError:
            return 0

    def memory_kib(self) -> int:
        """Anonymous memory, KiB: what grows if something leaks from one box to the next."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1])
        return 0

    def close(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()


def start(
    name: RuntimeName, plan: Plan, root: str, groups: int, program: Path = PROGRAM
) -> Runtime:
    """Exec a runtime and wait until it is warm and jailed. Raises SandboxUnavailable with a reason.

    `groups`: how many control groups each of its boxes joins.
    """
    kind = RUNTIMES[name]
    try:
        found = tree(kind)
    except ModuleNotFoundError as error:
        raise SandboxUnavailable(f"the runtime {name}: {error}") from error
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        # Like -I, but PYTHONHASHSEED counts; the environment holds nothing else of Python's.
        flags = ["-s", "-P", "-S", "-B"]
        process = subprocess.Popen(
            [found.executable, *flags, str(program), str(theirs.fileno()), *found.folders],
            env=_CLEAN,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            start_new_session=True,
        )
    try:
        ours.send(msgspec.msgpack.encode(_told(kind, plan, found, root, groups)))
        ours.settimeout(_START_S)
        answer = ours.recv(1 << 16)
        if not answer:
            raise SandboxUnavailable(
                f"the runtime {name} ended at its start: {_last_words(process)}"
            )
        hello = msgspec.msgpack.decode(answer)
        if "failed" in hello:
            raise SandboxUnavailable(hello["failed"])
        return Runtime(process, ours, plan, hello["promises"])
    except (OSError, SandboxUnavailable) as error:
        ours.close()
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
        raise SandboxUnavailable(str(error)) from error


def _told(kind: RuntimeKind, plan: Plan, found: Tree, root: str, groups: int) -> dict[str, Any]:
    return {
        "namespaces": plan.namespaces,
        "user_namespace": plan.user_namespace,
        "own_uid": plan.own_uid,
        "hide_memory": plan.hide_memory,
        "inner_uid": INNER_UID,
        "root": root if plan.chroot else "",
        "groups": groups,
        "stage": stage([*found.trees, *found.packages]),
        "trees": found.trees,
        "masks": found.masks,
        "packages": found.packages,
        "imports": kind.imports,
        "numpy": kind.has_arrays,
        "processes": 64 if plan.own_uid else 4096,
        "scratch_mib": SCRATCH_MIB,
        "filter": allowlist.program(not plan.hide_memory),
    }


def stage(paths: Sequence[str], folders: Sequence[str] = STAGES) -> str:
    """Where the new root is built: the first folder that hides none of `paths` while it is mounted.

    Raises SandboxUnavailable where each of them does.
    """
    for folder in folders:
        if os.path.isdir(folder) and not any(f"{path}/".startswith(f"{folder}/") for path in paths):
            return folder
    raise SandboxUnavailable(
        f"Python or its packages lie below each of {', '.join(folders)}: no room for a private root"
    )


def _last_words(process: subprocess.Popen[bytes]) -> str:
    assert process.stderr is not None
    return process.stderr.read().decode(errors="replace").strip()[-2000:]


def _address_bytes(pid: int) -> int:
    """Address space that a runtime takes up, bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
