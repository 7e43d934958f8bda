"""A warm interpreter that does nothing but make boxes: exec'ed, jailed once, one thread.

Started by path, with a clean environment and closed descriptors, never forked from the application:

    runtime.py DESCRIPTOR FOLDER...

The descriptor is its one socket; the folders are where the packages are. On the socket comes the
plan, answered by what was built; then, for each box, a uid and the box's descriptors. The box
itself says on its own channel when it is ready.
"""

from __future__ import annotations

import builtins
import gc
import importlib
import marshal
import os
import struct
import sys
from functools import partial
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from typing import Any

# Where a box has its channel and its rules; what follows it closes, after it joined its groups.
CHANNEL, RULESET, CONTROL, GROUPS = 3, 4, 5, 6
_PATIENCE_MS = 40  # for a call, before a box uses the time
_packed, _write = struct.Struct("<q").pack, os.write  # found once: a box starts with cold memory


def main(descriptor: int, folders: list[str]) -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    _load(here, "memory", lambda: None)
    from app.sandbox import memory

    memory.gather()
    import socket

    os.dup2(descriptor, CONTROL)
    os.dup2(CONTROL, CHANNEL)
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, CONTROL)
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, CHANNEL)
    plan = control.recv(1 << 20)
    sys.path.extend(folders)
    packer = _sparing("msgspec").msgpack
    told = packer.decode(plan)
    _warm_up(told)
    ours = "layers jail lockdown wire encode decode inside rehearsal"
    _load(here, ours, memory.fill_holes)
    from app.sandbox import inside, jail, layers, lockdown, rehearsal

    inside.attend(channel)
    _rehearse(lockdown, inside, rehearsal)
    heap = memory.heap_start()
    memory.join_mappings()
    try:
        os.dup2(jail.enter(told), RULESET)
    except OSError as error:
        control.send(packer.encode({"failed": str(error)}))
        return
    lock = lockdown.Lock(
        told["namespaces"],
        told["own_uid"],
        told["hide_memory"],
        told["scratch_mib"],
        RULESET,
        range(GROUPS, GROUPS + told["groups"]),
        told["filter"],
    )
    hello = packer.encode({"promises": lock.promises()})
    manner = (not lock.hide_memory, _PATIENCE_MS, rehearsal.once)
    leave = partial(layers.raw_call, layers.NUMBERS["exit_group"], 0, 0, 0, 0, 0)
    life = (lockdown.shut, inside.serve, manner, leave)
    _tidy(told, folders)
    layers.give_back_memory()
    memory.fill_holes()
    gc.freeze()
    memory.make_huge(heap)
    control.send(hello)
    _make_boxes(control, lock, layers.raw_call, life)


def _warm_up(told: dict[str, Any]) -> None:
    """Pay for the imports once. NumPy cannot be found at all where it is not to exist."""
    empty, closed = os.pipe()
    os.close(closed)
    os.dup2(empty, 0)  # reading standard input gives the end at once; there is no /dev/null inside
    os.close(empty)
    if not told["numpy"]:
        sys.modules["numpy"] = None  # type: ignore[assignment]
    for module in told["imports"].split():
        (_sparing if module.startswith("numpy") else importlib.import_module)(module)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]


def _sparing(name: str) -> Any:
    """Import a module without what it imports by the way and can do without.

    That would bring large libraries, which each fork would have to share; whoever asks for it
    later gets it.
    """
    import random

    secrets = ModuleType("secrets")
    secrets.randbits = random.SystemRandom().getrandbits  # type: ignore[attr-defined]
    absent = {"secrets", "uuid", "_uuid"} - sys.modules.keys()
    for one, stand_in in (("secrets", secrets), ("_uuid", None)):
        sys.modules.setdefault(one, stand_in)  # type: ignore[arg-type]
    module = importlib.import_module(name)
    for one in absent:
        sys.modules.pop(one, None)
    return module


def _tidy(told: dict[str, Any], folders: list[str]) -> None:
    """Leave a learner a plain interpreter to look at, and children little to copy."""
    for name in list(sys.modules):
        if name.partition(".")[0] in {"app", "msgspec", "ctypes"}:
            del sys.modules[name]
    if not told["numpy"]:
        del sys.modules["numpy"]
    if not told["packages"]:
        for folder in folders:
            sys.path.remove(folder)
    sys.path_importer_cache.clear()  # it remembers folders as they were outside the jail
    sys.argv[:] = [""]
    sys.orig_argv[:] = [sys.executable]
    gc.collect()
    gc.freeze()
    gc.disable()


def _rehearse(lockdown: Any, inside: Any, rehearsal: Any) -> None:
    """Live a box's life a few times, but for what would be felt outside."""
    import socket

    life = (lockdown.shut, inside.serve, (False, 0, int), int)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        os.dup2(theirs.fileno(), CHANNEL)
        for turn in range(40):
            ours.send(rehearsal.FRAMES[turn % 2])
            _box(lockdown.HARMLESS, *life)
            ours.recv(1 << 16)
        os.dup2(CONTROL, CHANNEL)


def _make_boxes(control: socket.socket, lock: Any, call: Any, life: tuple[Any, ...]) -> None:
    """Fork a box for each message, until the keeper closes its end.

    What the box needs is put in its place before the fork, where it is cheap. What is touched here
    is copied again for every box: few objects, no closures.
    """
    receive, send, dup2, close = control.recvmsg, control.send, os.dup2, os.close
    places = (CHANNEL, 1, 2, *lock.groups)
    unpack, room = struct.Struct(f"{len(places)}i").unpack, 64
    for place in lock.groups:
        dup2(0, place)  # taken: what is received comes elsewhere
    while True:
        message, ancillary, _, _ = receive(64, room)
        if not message:
            return
        calls = lock.calls(int(message))
        for descriptor, place in zip(unpack(ancillary[0][2]), places, strict=True):
            dup2(descriptor, place)
            close(descriptor)
        pid = call(*lock.clone)
        if pid == 0:
            _box(calls, *life)
        if pid < 0:
            os.write(CHANNEL, b"FAULT no process can be made")
        send(b"%d" % max(pid, 0))
        for place in places:
            dup2(0, place)


def _box(calls: Any, shut: Any, serve: Any, manner: tuple[Any, ...], leave: Any) -> None:
    """One box's whole life, from its first instruction to its exit."""
    try:
        proof = b"READY " + b"".join(map(_packed, shut(calls)))
    except BaseException as error:  # not the learner's fault: nothing of theirs is here yet
        _write(CHANNEL, f"FAULT {type(error).__name__}: {error}".encode())
        os._exit(1)
    _write(CHANNEL, proof)
    try:
        serve(*manner)
    finally:
        leave()  # at once: Python's own way out touches more


def _load(folder: str, names: str, tidy: Callable[[], None]) -> None:
    """Run the files beside this one under the names they have in the application.

    Each gets builtins of its own, so that a learner who replaces `len` replaces only the learner's.
    All are compiled before the first is made, so that nothing of the compiler's is left between what
    boxes will use.
    """
    for package, path in (("app", []), ("app.sandbox", [folder])):
        if package not in sys.modules:
            sys.modules[package] = ModuleType(package)
            sys.modules[package].__path__ = path
    compiled = []
    for name in names.split():
        with open(f"{folder}/{name}.py", encoding="utf-8") as file:
            compiled.append(marshal.dumps(compile(file.read(), file.name, "exec")))
    tidy()
    codes = list(map(marshal.loads, compiled))
    for name, code in zip(names.split(), codes, strict=True):
        module = ModuleType(f"app.sandbox.{name}")
        module.__file__ = f"{folder}/{name}.py"
        vars(module)["__builtins__"] = dict(vars(builtins))
        sys.modules[module.__name__] = module
        setattr(sys.modules["app.sandbox"], name, module)
        exec(code, vars(module))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
