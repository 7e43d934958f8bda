"""What the guides say can be done: their commands, settings, routes and files exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.__main__ import commands
from app.config import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
GUIDES = [ROOT / "docs" / "many-machines.md", ROOT / "docs" / "scaling.md"]


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_a_guide_names_what_exists(path: Path) -> None:
    """Settings, commands, and files that it links to or names."""
    text = path.read_text(encoding="utf-8")
    names = {name.lower() for name in re.findall(rf"{PREFIX}(\w+)", text)}
    assert names <= set(Settings.model_fields), names - set(Settings.model_fields)
    for words in set(re.findall(r"allclose ((?:serve|work|doctor|bench|db \w+))", text)):
        result = CliRunner().invoke(commands, [*words.split(), "--help"])
        assert result.exit_code == 0, words
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (path.parent / target).exists(), target
    for name in re.findall(r"`((?:app|deploy|problems)/[\w/.]+)`", text):
        folder = path.parent if name.startswith("deploy") else ROOT
        assert (folder / name).exists(), name


def test_many_machines_takes_ten_steps() -> None:
    steps = re.findall(r"^\*\*(\d+)\. ", GUIDES[0].read_text(encoding="utf-8"), re.MULTILINE)
    assert steps == [str(number) for number in range(1, 11)]
