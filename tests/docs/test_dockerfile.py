"""The Dockerfile does what the README's install line does, and runs what exists, as nobody special."""

from __future__ import annotations

import re
from pathlib import Path

from app.config import PREFIX, Settings
from tests.docs.test_readme import README, _marked

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def _instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) in order; continuation lines joined, comments dropped."""
    lines = [line for line in TEXT.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [
        (word, rest.strip())
        for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)
    ]


INSTRUCTIONS = _instructions()


def _all(word: str) -> list[str]:
    return [rest for instruction, rest in INSTRUCTIONS if instruction == word]


def test_two_stages_share_one_base_that_is_a_build_argument() -> None:
    """A mirror or a newer Debian can take the base's place."""
    assert _all("ARG") == ["BASE=debian:bookworm-slim"]
    assert _all("FROM") == ["${BASE} AS build", "${BASE}"]
    assert INSTRUCTIONS[0][0] == "ARG"


def test_it_installs_as_the_readme_does() -> None:
    """Same constraints, same editable install: what is tested in a clone is what runs."""
    install = next(run for run in _all("RUN") if "pip install" in run)
    words = re.search(r"-c requirements.lock -e \.(?= )", _marked("serve"))
    assert words
    assert words.group() in install
    assert "python3 -m venv .venv" in install


def test_what_it_copies_is_in_the_repository() -> None:
    """COPY names the whole tree, or the first stage."""
    assert _all("COPY") == [". .", "--from=build /opt/allclose /opt/allclose"]
    assert "/opt/allclose" in _all("WORKDIR")
    for needed in ("pyproject.toml", "requirements.lock", "app", "problems", "static"):
        assert (ROOT / needed).exists()


def test_the_last_stage_runs_as_an_ordinary_user() -> None:
    """USER comes after the last FROM and before the command, and that user was made."""
    words = [word for word, _ in INSTRUCTIONS]
    last = len(words) - 1 - words[::-1].index("FROM")
    assert "USER" in words[last:]
    assert _all("USER") == ["allclose"]
    assert any("useradd" in run and run.rstrip().endswith("allclose") for run in _all("RUN"))
    assert _all("ENTRYPOINT") == ['["/opt/allclose/.venv/bin/allclose"]']
    assert _all("CMD") == ['["serve"]']


def test_its_settings_are_settings() -> None:
    """A misspelt one would stop the service at its start."""
    named = re.findall(rf"{PREFIX}(\w+)=", " ".join(_all("ENV")))
    assert {name.lower() for name in named} <= set(Settings.model_fields)
    assert "ALLCLOSE_MIN_TIER=C" in " ".join(_all("ENV"))


def test_the_health_check_asks_a_route_that_exists() -> None:
    """The container is healthy when the service says so itself."""
    check = " ".join(_all("HEALTHCHECK"))
    assert "/livez" in check
    assert '"/livez"' in (ROOT / "app" / "web" / "health.py").read_text(encoding="utf-8")


def test_the_readme_says_which_flags_give_which_tier() -> None:
    """Default flags give C, and the flags for A are spelt out."""
    assert "default flags a container gets tier C" in README
    assert "--cap-add SYS_ADMIN" in README
