"""The jail around a runtime, built once, before any box: what every box then inherits.

Where namespaces can be had, the runtime moves to a private root: an in-memory folder with the
Python tree bound read-only, and nothing else, no /proc, /dev or /sys. Without them, as root, it
changes its root to a copy of that tree; else Landlock alone decides what can be opened.
Runs inside the runtime: the standard library only.
"""

from __future__ import annotations

import ctypes
import os
import resource
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.sandbox import layers

SCRATCH = "/scratch"  # its parent is what Landlock lets a box write to
BOX = f"{SCRATCH}/box"
_MIB = 1 << 20


def enter(plan: Mapping[str, Any]) -> int:
    """Build the jail that `plan` describes; gives the Landlock ruleset that its boxes will use."""
    libraries = shared_libraries() if plan["namespaces"] or plan["root"] else []
    if plan["namespaces"]:
        _enter_namespaces(plan)
        _bind_root(plan, libraries)
    elif plan["root"]:
        _copied_root(plan, libraries)
    private = plan["namespaces"] or plan["root"]
    ruleset = layers.landlock_ruleset(
        _readable(plan, libraries),
        [SCRATCH] if plan["namespaces"] else [],
        [] if private else plan["trees"],  # an import looks through the folder first
    )
    _inherited_limits(plan)
    os.setgroups([]) if plan["own_uid"] else None
    layers.empty_bounding_set()
    layers.forbid_new_privileges()
    layers.die_with_parent()
    return ruleset


def _enter_namespaces(plan: Mapping[str, Any]) -> None:
    if plan["user_namespace"]:
        outside, group = os.geteuid(), os.getegid()
        layers.unshare(layers.CLONE_NEWUSER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{plan['inner_uid']} {outside} 1"),
            ("gid_map", f"{plan['inner_uid']} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    layers.unshare(
        layers.CLONE_NEWNS | layers.CLONE_NEWNET | layers.CLONE_NEWIPC | layers.CLONE_NEWUTS
    )


def _bind_root(plan: Mapping[str, Any], libraries: list[str]) -> None:
    """A private root: trees bound at the places they have, so that every path stays true."""
    layers.mount("none", "/", "", layers.MS_REC | layers.MS_PRIVATE)
    new = plan["stage"]
    flags = layers.MS_NOSUID | layers.MS_NODEV | layers.MS_NOATIME
    layers.mount("tmpfs", new, "tmpfs", flags, f"size={64 * _MIB},nr_inodes=4096,mode=755")
    for path in plan["trees"]:
        _bind(path, new + path, plan["own_uid"])
    for path in plan["masks"]:
        os.makedirs(new + path, exist_ok=True)
        layers.mount("tmpfs", new + path, "tmpfs", flags, "size=65536,nr_inodes=64,mode=755")
    for path in plan["packages"]:
        _bind(path, new + path, plan["own_uid"])
    for path in plan["masks"]:
        layers.mount("none", new + path, "", _READ_ONLY | layers.MS_NOATIME)
    _copy_libraries(new, libraries)
    os.makedirs(new + BOX)
    os.chdir(new)
    layers.pivot_root(".", ".")
    layers.detach(".")
    os.chdir("/")
    layers.mount("none", "/", "", _READ_ONLY | layers.MS_NOATIME)


def _bind(path: str, target: str, root: bool) -> None:
    """Bind a tree read-only. The time of the last access would be a blackboard between boxes."""
    os.makedirs(target, exist_ok=True)
    layers.mount(path, target, "", layers.MS_BIND)
    seen = os.statvfs(target).f_flag
    flags = _READ_ONLY | (layers.MS_NOATIME if root else _flags_of(seen, _ATIME))
    layers.mount("none", target, "", flags | _flags_of(seen, _EXEC))


_READ_ONLY = (
    layers.MS_REMOUNT | layers.MS_BIND | layers.MS_RDONLY | layers.MS_NOSUID | layers.MS_NODEV
)
# Flags as statvfs shows them, and as mount takes them. A user namespace may not take any away.
_EXEC = ((os.ST_NOEXEC, layers.MS_NOEXEC),)
_ATIME = ((os.ST_NOATIME, layers.MS_NOATIME), (os.ST_NODIRATIME, 2048), (os.ST_RELATIME, 1 << 21))


def _flags_of(seen: int, pairs: tuple[tuple[int, int], ...]) -> int:
    return sum(flag for bit, flag in pairs if seen & bit)


def _copied_root(plan: Mapping[str, Any], libraries: list[str]) -> None:
    """A root of copies, for where mounting is refused but changing the root is not."""
    new = plan["root"]
    for path in (*plan["trees"], *plan["packages"]):
        _copy_tree(path, new + path, frozenset(plan["masks"]))
    _copy_libraries(new, libraries)
    os.chroot(new)
    os.chdir("/")


def _copy_tree(source: str, target: str, masks: frozenset[str]) -> None:
    import shutil  # here: it brings compressors along, which every box would have to copy

    def left_out(folder: str, names: list[str]) -> Iterable[str]:
        return [n for n in names if n in {"test", "tests"} or f"{folder}/{n}" in masks]

    def linked(path: str, copy: str) -> None:
        try:
            os.link(path, copy)  # the same file system: no bytes are copied
        except OSError:
            shutil.copy2(path, copy)  # with its time: compiled files count on it
            os.chmod(copy, 0o444)

    shutil.copytree(source, target, copy_function=linked, ignore=left_out, dirs_exist_ok=True)


# --- Shared libraries ---------------------------------------------------------------------------


def shared_libraries() -> list[str]:
    """Every library that a lazily imported part of the standard library may load.

    Asked of the loader itself, in a child that loads them all and reads its own map.
    """
    import sysconfig

    folder = Path(sysconfig.get_config_var("DESTSHARED") or "")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        before = _mapped()
        for path in folder.glob("*.so"):
            try:
                ctypes.CDLL(str(path))
            except OSError:
                continue  # its library is not on this machine
        names = sorted(path for path in _mapped() - before if not path.startswith(str(folder)))
        os.write(writer, "\n".join(names).encode()[:60_000])
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as stream:
        names = stream.read().decode().split("\n")
    os.waitpid(child, 0)
    return [name for name in names if name]


def _mapped() -> set[str]:
    with open("/proc/self/maps") as maps:
        return {line.split(None, 5)[5].strip() for line in maps if ".so" in line and "/" in line}


def _copy_libraries(new: str, libraries: list[str]) -> None:
    """Copy them, with the links that name them and the loader's cache; a few MiB in all."""
    for name in ("/lib", "/lib64"):
        if os.path.islink(name) and not os.path.lexists(new + name):
            os.symlink(os.readlink(name), new + name)
    for path in [*libraries, "/etc/ld.so.cache"]:
        if not os.path.exists(path) or os.path.lexists(new + path):  # it may be a link to `path`
            continue
        os.makedirs(os.path.dirname(new + path), exist_ok=True)
        with open(path, "rb") as source, open(new + path, "xb") as copy:
            copy.write(source.read())
        os.chmod(new + path, 0o444)
    for folder in {os.path.dirname(path) for path in libraries}:
        for entry in os.scandir(folder):
            if entry.is_symlink() and os.path.realpath(entry.path) in libraries:
                os.symlink(os.path.basename(os.path.realpath(entry.path)), new + entry.path)


# --- What Landlock lets a box read --------------------------------------------------------------


def _readable(plan: Mapping[str, Any], libraries: list[str]) -> list[str]:
    """Whole trees in a root of our own; else each part of them that is not masked."""
    private = plan["namespaces"] or plan["root"]
    paths = [*plan["packages"], *libraries]
    if private:
        paths.append("/etc/ld.so.cache")
    for tree in plan["trees"]:
        masked = [mask for mask in plan["masks"] if mask.startswith(tree + "/")]
        if private or not masked:
            paths.append(tree)
        else:
            paths += [entry.path for entry in os.scandir(tree) if entry.path not in masked]
    if not private:
        paths += shared_libraries()
    return [path for path in paths if os.path.exists(path)]


def _inherited_limits(plan: Mapping[str, Any]) -> None:
    """Limits that are the same for every box; the rest is set when the call is known."""
    for name, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_STACK, 8 * _MIB),
        (resource.RLIMIT_NPROC, plan["processes"]),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ):
        hard = resource.getrlimit(name)[1]
        wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (wanted, wanted))
