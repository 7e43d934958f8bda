"""What the README says is true: its commands, its settings, its links, its figures of speech."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.__main__ import commands
from app.config import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _marked(name: str) -> str:
    """The command under a marker comment."""
    found = re.search(rf"<!-- {name} -->\n```sh\n(.+?)\n```", README, re.DOTALL)
    assert found, f"the README has no command marked {name}"
    return found.group(1)


def _rows(text: str, first: str) -> list[list[str]]:
    """The rows of tables whose first cell matches `first`."""
    rows = [line.strip().strip("|").split("|") for line in text.splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in row] for row in rows if re.match(first, row[0].strip())]


@pytest.mark.parametrize("name", ["serve", "tests"])
def test_each_of_the_two_commands_is_one_line(name: str) -> None:
    """A fresh machine needs one line to serve, and one to pass the tests."""
    assert "\n" not in _marked(name)
    assert _marked(name).startswith("python3 -m venv .venv && ")


def test_ci_runs_the_readmes_own_test_command() -> None:
    """CI reads the command from the README instead of repeating it."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "readme_command tests" in script.replace('"', "")
    assert "pytest" in _marked("tests")


def test_every_setting_is_in_the_readme_with_its_meaning_and_default() -> None:
    """A setting that is not in the README, or is no more, fails here."""
    told = {row[0].strip("`"): row for row in _rows(README, rf"`{PREFIX}")}
    told.pop(PREFIX + "ENV_FILE")
    assert set(told) == {PREFIX + name.upper() for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        _, default, meaning = told[PREFIX + name.upper()]
        assert meaning == field.description
        if field.default_factory is None and field.default is not None:
            assert default == f"`{field.default}`"


def test_every_command_is_in_the_readme() -> None:
    """Commands in the table and commands of the program are the same."""
    told = {row[0].strip("`").split()[1] for row in _rows(README, "`allclose ")}
    known = {
        command.name or command.callback.__name__
        for command in commands.registered_commands
        if command.callback
    }
    known |= {str(group.name) for group in commands.registered_groups}
    assert told == known


@pytest.mark.parametrize(
    "name", [row[0].strip("`").split()[1] for row in _rows(README, "`allclose ")]
)
def test_every_command_of_the_readme_explains_itself(name: str) -> None:
    """`--help` works and says something."""
    result = CliRunner().invoke(commands, [name, "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.output


@pytest.mark.parametrize("target", re.findall(r"\]\((?!http)([^)#]+)\)", README))
def test_every_link_to_a_file_leads_somewhere(target: str) -> None:
    """Relative links name files of the repository."""
    assert (ROOT / target).exists()


@pytest.mark.parametrize("path", re.findall(r"problems/[\w/.]+\.py", README))
def test_every_program_that_the_readme_names_is_there(path: str) -> None:
    """Examples can be copied as they are."""
    assert (ROOT / path).is_file()
