"""Commands: what they print, and with which code they end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parents[1] / "packages" / "base"


def _allclose(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run in a folder of its own, on the small package."""
    command = [sys.executable, "-m", "app", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("judge", "weighted_mean/plian", "-"), 2, "did you mean weighted_mean/plain?"),
        (("judge", "weighted_mean", "-"), 2, "weighted_mean/plain or weighted_mean/report"),
        (("judge", "weighted_mean/plain", "missing.py"), 2, "cannot read missing.py"),
        (("new", "variant", "foo"), 2, "a variant is named FAMILY/VARIANT"),
        (("new", "family", "a/b"), 2, "not the name of a family"),
        (("generate", "nope"), 2, "nope"),
        (("verify", "nope"), 2, "nope"),
        (("nonsense",), 2, "No such command"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_wrong_usage_ends_with_2_and_a_word_on_what_was_meant(
    words: tuple[str, ...], code: int, told: str, tmp_path: Path
) -> None:
    """One plain line on standard error, no traceback."""
    problems = () if words == ("nonsense",) else ("--problems", str(BASE))
    done = _allclose(tmp_path, *words, *problems)
    assert done.returncode == code, done.stderr
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_family_is_started_and_says_what_comes_next(tmp_path: Path) -> None:
    """Paths that can be opened from here, and the next step."""
    (tmp_path / "problems").mkdir()
    done = _allclose(tmp_path, "new", "family", "softmax")
    assert done.returncode == 0, done.stderr
    *paths, last = done.stdout.splitlines()
    assert all((tmp_path / path).is_file() for path in paths)
    assert (
        last == "Replace every DECIDE, then: allclose generate softmax && allclose verify softmax"
    )


@pytest.mark.slow
def test_a_token_is_revoked_by_its_name_or_with_all_of_its_user(tmp_path: Path) -> None:
    """Whoever revokes what is not there has mistyped something, and is told so."""
    assert _allclose(tmp_path, "user", "add", "Ada").returncode == 0
    other = _allclose(tmp_path, "user", "revoke", "Ada", "--token", "laptop")
    assert (other.returncode, "no valid token" in other.stderr) == (2, True)
    assert _allclose(tmp_path, "user", "revoke", "Ada").stdout == "revoked 1 token\n"
    assert _allclose(tmp_path, "user", "revoke", "Ada").returncode == 2
    assert "no account" in _allclose(tmp_path, "user", "revoke", "Eve").stderr


def test_the_version_is_told(tmp_path: Path) -> None:
    """For a report of a fault."""
    assert _allclose(tmp_path, "--version").stdout.startswith("allclose 0.")
