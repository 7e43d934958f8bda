"""An unchanged package is examined once; any change of it is noticed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.problem.folder import Folder
from app.verify import Reason, Report, verify
from app.verify.remembered import Remembered, key_of
from tests.problem.plain_runner import PlainRunner

BASE = Path(__file__).resolve().parent.parent / "packages" / "base"


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    shutil.copytree(BASE, tmp_path / "problems")
    return tmp_path / "problems"


def test_an_unchanged_package_is_not_examined_again(problems: Path, tmp_path: Path) -> None:
    """The second start costs no box, and says the same."""
    runner = PlainRunner()
    first = verify(problems, [], runner, tmp_path, mutants=False, remember=True)
    calls = runner.calls
    assert calls > 0
    assert verify(problems, [], runner, tmp_path, mutants=False, remember=True) == first
    assert runner.calls == calls


@pytest.mark.parametrize("file", ["core.py", "data/equal.json", "variants/plain/hints.md"])
def test_every_byte_of_a_package_counts(problems: Path, file: str) -> None:
    """A changed file, and a new one, make another key; so does another question."""
    folder = Folder(problems, "weighted_mean")
    keys = {key_of(folder, [], formulas=False, mutants=True)}
    path = folder.root / file
    path.write_text(path.read_text() + " ")
    keys.add(key_of(folder, [], formulas=False, mutants=True))
    (folder.root / "new.md").write_text("")
    keys.add(key_of(folder, [], formulas=False, mutants=True))
    keys.add(key_of(folder, ["plain"], formulas=False, mutants=True))
    keys.add(key_of(folder, [], formulas=True, mutants=True))
    assert len(keys) == 5


def test_a_report_comes_back_as_it_was_and_a_damaged_one_does_not(tmp_path: Path) -> None:
    """What cannot be read is simply not known."""
    remembered = Remembered(tmp_path / "reports")
    report = Report("p", (Reason("p", "r", "m", "f", 3),), (), {"v": {"tests": 3}})
    assert remembered.read("k") is None
    remembered.write("k", report)
    assert remembered.read("k") == report
    (tmp_path / "reports" / "k.json").write_text("{")
    assert remembered.read("k") is None
