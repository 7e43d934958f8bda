"""Building the pages' assets: when it is done again, with which Node, and what is said when it fails."""

from __future__ import annotations

import importlib.util
import json
import os
import stat
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HOOK = Path(__file__).resolve().parent.parent.parent / "static" / "hatch_build.py"

# Stands for node and for npm: notes how it was called, and does what the build's own step would do.
PROGRAM = """#!/bin/sh
[ "$1" = --version ] && {{ echo v{version}; exit 0; }}
echo "$(basename "$0") $*" >> "{log}"
[ "$1" = ci ] && mkdir -p node_modules
[ "$1" = build.js ] && {{ mkdir -p dist; printf %s "$ALLCLOSE_BUILD_INPUTS" > dist/build.txt; }}
exit {code}
"""


class Interface:
    """What the hook uses of hatchling, which only environments that build have."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.app = self

    def abort(self, message: str) -> None:
        raise SystemExit(message)


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The hook, which is no module of the program."""
    name = "hatchling.builders.hooks.plugin.interface"
    interface = ModuleType(name)
    interface.BuildHookInterface = Interface  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, name, interface)
    spec = importlib.util.spec_from_file_location("hatch_build", HOOK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def static(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "pages").mkdir(parents=True)
    (folder / "pages" / "one.js").write_text("1;\n")
    (folder / "build.js").write_text("// as if\n")
    (folder / "package-lock.json").write_text(json.dumps({"lockfileVersion": 3}))
    return folder


@pytest.fixture
def called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a node and an npm of one's own on PATH; returns what was called since."""
    log = tmp_path / "log"

    def install(version: str = "22.0.0", code: int = 0) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        for name in ("node", "npm"):
            program = folder / name
            program.write_text(PROGRAM.format(version=version, log=log, code=code))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        log.write_text("")
        return log

    return install


def test_it_is_built_once_and_again_after_a_change(
    hook: ModuleType, static: Path, called: Any
) -> None:
    """What was built from the same files is left alone; packages are installed when their lock changes."""
    log = called()
    hook.build(static)
    assert [line.split()[:2] for line in log.read_text().splitlines()] == [
        ["npm", "ci"],
        ["node", "build.js"],
    ]
    assert "--ignore-scripts" in log.read_text()
    log.write_text("")
    hook.build(static)
    assert log.read_text() == ""
    (static / "pages" / "one.js").write_text("2;\n")
    hook.build(static)
    assert log.read_text().splitlines() == ["node build.js"]


@pytest.mark.parametrize(
    "path", ["dist/assets/x.js", "node_modules/a/b.js", "hatch_build.py", ".cache/x"]
)
def test_what_the_build_does_not_read_does_not_count(
    hook: ModuleType, static: Path, path: str
) -> None:
    """Its own output, installed packages, this hook."""
    before = hook.inputs_hash(static)
    (static / path).parent.mkdir(parents=True, exist_ok=True)
    (static / path).write_text("new")
    assert hook.inputs_hash(static) == before
    (static / "styles.css").write_text("new")
    assert hook.inputs_hash(static) != before


@pytest.mark.parametrize(
    ("version", "found"), [("22.1.0", True), ("18.0.0", True), ("16.9.0", False), ("what", False)]
)
def test_a_node_that_is_too_old_is_not_taken(
    hook: ModuleType, called: Any, version: str, found: bool
) -> None:
    """Then Node comes as a Python package, into the build's own environment."""
    called(version)
    assert (hook.system_node() is not None) == found


def test_a_failure_says_what_was_done_and_what_to_do(
    hook: ModuleType, static: Path, called: Any
) -> None:
    """The command, its exit code, and the remedy; nothing counts as built."""
    called(code=3)
    with pytest.raises(hook.AssetsNotBuilt, match=r"`npm ci` ended with 3[\s\S]*Remedy"):
        hook.build(static)
    assert not hook.is_built(static)


def test_without_node_the_remedy_is_named(
    hook: ModuleType, static: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither on the machine nor as a package."""
    monkeypatch.setattr(hook, "system_node", lambda: None)
    monkeypatch.setattr(hook, "packaged_node", lambda: None)
    with pytest.raises(hook.AssetsNotBuilt, match="Install Node 18 or newer"):
        hook.build(static)


def test_a_wheel_carries_the_assets_and_an_editable_install_reads_them_in_place(
    hook: ModuleType, static: Path, called: Any
) -> None:
    """app/dist in one, static/dist in the other; a machine with Node needs no other one."""
    called()
    for version, carried in (("standard", {str(static / "dist"): "app/dist"}), ("editable", {})):
        data: dict[str, Any] = {"force_include": {}}
        build = hook.AssetsHook(static.parent)
        assert build.dependencies() == []
        build.initialize(version, data)
        assert data["force_include"] == carried


def test_a_build_that_fails_ends_the_installation_in_words(
    hook: ModuleType, static: Path, called: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No half-built package; and where there is no Node, one is asked for as a package."""
    called(code=1)
    with pytest.raises(SystemExit, match="could not be built"):
        hook.AssetsHook(static.parent).initialize("standard", {"force_include": {}})
    monkeypatch.setattr(hook, "system_node", lambda: None)
    assert hook.AssetsHook(static.parent).dependencies() == [hook.NODE_PACKAGE]
