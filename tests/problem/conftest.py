"""A copy of the small base package, and a runner, for every test of packages."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.problem import Catalogue, load_catalogue
from tests.problem.plain_runner import PlainRunner

BASE = Path(__file__).resolve().parent.parent / "packages" / "base"


@pytest.fixture
def runner() -> PlainRunner:
    return PlainRunner()


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """A folder of packages of one's own, with the base package in it."""
    folder = tmp_path / "problems"
    shutil.copytree(BASE, folder)
    return folder


@pytest.fixture
def edit(problems: Path) -> Callable[[str, str, str], None]:
    """Replaces a piece of text in a file of the base package; the text must be there."""

    def _edit(file: str, old: str, new: str) -> None:
        path = problems / "weighted_mean" / file
        text = path.read_text()
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new, 1))

    return _edit


@pytest.fixture
def catalogue(problems: Path, tmp_path: Path, runner: PlainRunner) -> Catalogue:
    return load_catalogue(problems, tmp_path / "cache", runner)
