"""Runtimes are data: one more is one entry, and shows a program just what the entry says."""

from __future__ import annotations

import pytest

from app.errors import SandboxUnavailable
from app.model import Call, Returned
from app.runtime_kinds import RUNTIMES, RuntimeKind
from app.sandbox import Keeper
from tests.sandbox.conftest import keeper_of

_TRY = """
import importlib
def f(names):
    found = []
    for name in names:
        try:
            importlib.import_module(name)
            found.append(name)
        except ImportError:
            pass
    return found
"""


def _declare(monkeypatch: pytest.MonkeyPatch, name: str, kind: RuntimeKind) -> None:
    monkeypatch.setitem(RUNTIMES, name, kind)


@pytest.mark.parametrize("tier", ["A", "B", "C"])
def test_a_declared_runtime_has_its_packages_and_no_others(
    monkeypatch: pytest.MonkeyPatch, tier: str
) -> None:
    """YAML is there, with all of its parts; NumPy and the application's are not."""
    kind = RuntimeKind("with YAML", "json yaml", ("yaml",))
    _declare(monkeypatch, "yaml", kind)
    names = [
        "yaml",
        "yaml.cyaml",
        "json",
        "wave",
        "numpy",
        "pydantic",
        "msgspec",
        "app",
        "app.sandbox",
    ]
    with keeper_of(tier, ready_ahead=0) as keeper:  # type: ignore[arg-type]
        [(_, outcome)] = keeper.run([Call(_TRY, "f", (names,), runtime="yaml")])
    assert outcome.fact == Returned(["yaml", "yaml.cyaml", "json", "wave"], True)


def test_a_runtime_without_its_package_says_so(
    monkeypatch: pytest.MonkeyPatch, best: Keeper
) -> None:
    """What is not installed is the machine's fault, and the others go on."""
    _declare(monkeypatch, "missing", RuntimeKind("with nothing", "", ("no_such_package",)))
    with pytest.raises(
        SandboxUnavailable, match="runtime missing: No package named 'no_such_package'"
    ):
        list(best.run([Call(_TRY, "f", ([],), runtime="missing")]))
    assert dict(best.run([Call(_TRY, "f", ([],))]))[0].fact == Returned([], True)


_NOT_WARM = """
import bz2, lzma, shutil, sqlite3, tempfile, urllib.parse, zipfile, zlib
def f(text):
    data = text.encode()
    return [m.decompress(m.compress(data)).decode() for m in (bz2, lzma, zlib)]
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_is_not_warm_is_read_when_asked_for(keeper: Keeper, runtime: str) -> None:
    """The rest of the standard library, with the shared libraries it needs, in every tier."""
    [(_, outcome)] = keeper.run([Call(_NOT_WARM, "f", ("text",), runtime=runtime)])
    assert outcome.fact == Returned(["text"] * 3, True)
