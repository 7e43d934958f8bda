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


_SPARED = """
import sys
before = {"secrets", "uuid", "_uuid", "_hashlib"} & set(sys.modules)
import hashlib, secrets, uuid
def f():
    made = hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 1).hex()[:8]
    return [sorted(before), made, len(secrets.token_bytes(4)), uuid.UUID(int=1).int, secrets.__file__[-3:]]
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_was_spared_at_first_is_true_and_whole(keeper: Keeper, runtime: str) -> None:
    """No stand-in is left of what NumPy and others import by the way."""
    [(_, outcome)] = keeper.run([Call(_SPARED, "f", (), runtime=runtime)])
    assert outcome.fact == Returned([[], "120fb6cf", 4, 1, ".py"], True)


def test_arrays_draw_their_seeds_from_the_system(keeper: Keeper) -> None:
    """As they would, had they imported the true source of randomness."""
    program = "import numpy as np\ndef f():\n    return int(np.random.SeedSequence().entropy)"
    drawn = {str(outcome.fact) for _, outcome in keeper.run([Call(program, "f", ())] * 3)}
    assert len(drawn) == 3
