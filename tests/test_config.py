"""Settings: the command line, then the environment, then a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.config import PREFIX, Settings, read_settings
from app.errors import SettingsError


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No setting of this machine, and an empty working directory."""
    for name in Settings.model_fields:
        monkeypatch.delenv(PREFIX + name.upper(), raising=False)
    monkeypatch.delenv(PREFIX + "ENV_FILE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_any_setting_it_serves_this_machine_only() -> None:
    """The defaults suit one person on one machine."""
    settings = read_settings()
    assert (settings.host, settings.port, settings.policy_tier) == ("127.0.0.1", 8000, "C")
    assert settings.database == Path("data/allclose.sqlite3")


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three places, one order; what none of them says keeps its default."""
    (clean / "allclose.env").write_text(
        "ALLCLOSE_PORT=1\nALLCLOSE_WORKERS=2\nALLCLOSE_QUEUE_LIMIT=3\n"
    )
    monkeypatch.setenv("ALLCLOSE_PORT", "10")
    monkeypatch.setenv("ALLCLOSE_WORKERS", "20")
    settings = read_settings(port=100, workers=None)
    assert (settings.port, settings.workers, settings.queue_limit) == (100, 20, 3)


def test_another_file_can_be_named(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ALLCLOSE_ENV_FILE says where the file is."""
    (clean / "other").write_text("ALLCLOSE_PORT=7\n")
    monkeypatch.setenv("ALLCLOSE_ENV_FILE", str(clean / "other"))
    assert read_settings().port == 7


@pytest.mark.parametrize(
    ("host", "tier"),
    [
        ("127.0.0.1", "C"),
        ("127.8.9.1", "C"),
        ("localhost", "C"),
        ("::1", "C"),
        ("0.0.0.0", "B"),
        ("::", "B"),
        ("192.168.1.2", "B"),
    ],
)
def test_whoever_lets_strangers_in_needs_a_stronger_sandbox(host: str, tier: str) -> None:
    """Tier C is enough for oneself only, unless somebody decides otherwise."""
    assert read_settings(host=host).policy_tier == tier
    assert read_settings(host=host, min_tier="A").policy_tier == "A"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALLCLOSE_PORT", "eighty"),
        ("ALLCLOSE_PORT", "65536"),
        ("ALLCLOSE_MIN_TIER", "D"),
        ("ALLCLOSE_WORKERS", "-1"),
        ("ALLCLOSE_LOG_FORMAT", "xml"),
    ],
)
def test_a_wrong_value_is_told_with_the_name_and_the_meaning(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """The line names the variable and what it is for, but not the value: it may be a secret."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as raised:
        read_settings()
    assert value not in str(raised.value).replace("65535", "")


def test_a_misspelt_setting_is_not_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would otherwise look as if it had been obeyed."""
    monkeypatch.setenv("ALLCLOSE_PROT", "80")
    with pytest.raises(SettingsError, match="ALLCLOSE_PROT is not a setting"):
        read_settings()


def test_every_setting_says_what_it_is_for() -> None:
    """The documentation is made from the descriptions."""
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith("."), name
