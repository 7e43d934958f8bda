"""What policy asks of a box on this machine: the tier, the layers, the Python tree it may see."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from app.runtime_kinds import RuntimeKind

Tier: TypeAlias = Literal["A", "B", "C", "X"]
TIERS: tuple[Tier, ...] = ("A", "B", "C", "X")  # best first

UID_BASE, UID_COUNT = 58_000, 1_000  # not given to people or services by any distribution we know
INNER_UID = 58_000  # where only one uid can be had, in a user namespace


@dataclass(frozen=True, slots=True)
class Plan:
    """How boxes are made here. `layers` is exactly what each must report and show."""

    namespaces: bool
    user_namespace: bool
    cgroup: bool
    own_uid: bool
    chroot: bool

    @property
    def tier(self) -> Tier:
        if not self.namespaces:
            return "C"
        return "A" if self.cgroup else "B"

    @property
    def hide_memory(self) -> bool:
        """Whether a box may hide its memory before the look from outside.

        Only root can look at the namespaces of a process that has; for others it comes with the call.
        """
        return self.own_uid

    @property
    def layers(self) -> frozenset[str]:
        """What the box itself must report, no more and no less."""
        layers = {"descriptors", "session", "capabilities", "parent_death", "landlock", "seccomp"}
        if self.own_uid:
            layers.add("uid")
        if self.hide_memory:
            layers.add("hidden_memory")
        if self.namespaces:
            layers |= {"pid", "scratch"}
        if self.cgroup:
            layers.add("cgroup")
        return frozenset(layers)


@dataclass(frozen=True, slots=True)
class Tree:
    """Where Python and its packages are on this machine, found by asking them."""

    executable: str
    trees: tuple[str, ...]
    masks: tuple[str, ...]  # folders inside the trees that hold other packages
    packages: tuple[str, ...]  # folders of the runtime's packages
    folders: tuple[str, ...]  # what goes on the import path


def tree(runtime: RuntimeKind) -> Tree:
    """The interpreter behind a virtual environment, its standard library, the runtime's packages.

    Raises ModuleNotFoundError for a package that is not installed.
    """
    executable = os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)
    roots = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    trees = tuple(
        sorted(root for root in roots if not any(_inside(root, other) for other in roots))
    )
    masks = tuple(
        path
        for root in trees
        for name in ("site-packages", "dist-packages", "test", "ensurepip", "idlelib")
        if os.path.isdir(path := f"{root}/{name}")
    )
    packages = [
        folder + suffix for folder in map(_folder, runtime.packages) for suffix in ("", ".libs")
    ]
    needed = [_folder("msgspec"), *packages]
    return Tree(
        executable,
        trees,
        masks,
        tuple(path for path in packages if os.path.isdir(path)),
        tuple(dict.fromkeys(os.path.dirname(path) for path in needed)),
    )


def _inside(path: str, root: str) -> bool:
    return path != root and path.startswith(root + "/")


def _folder(package: str) -> str:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:  # a single file: no folder to show
        raise ModuleNotFoundError(f"No package named {package!r}")
    return str(Path(spec.submodule_search_locations[0]).resolve())
