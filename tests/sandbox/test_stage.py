"""Where the private root is built: never on top of what is to be bound into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import SandboxUnavailable
from app.sandbox.runtimes import STAGES, stage


@pytest.mark.parametrize("taken", STAGES)
def test_a_clone_below_any_folder_leaves_another_one_for_the_root(taken: str) -> None:
    """A virtual environment in /tmp, or wherever else, must not be hidden by the root."""
    chosen = stage([f"{taken}/clone/.venv/lib/python3.11", "/usr/lib/python3.11"])
    assert chosen != taken
    assert not f"{taken}/clone".startswith(f"{chosen}/")


def test_a_folder_whose_name_only_begins_alike_is_not_in_the_way(tmp_path: Path) -> None:
    """/tmpfiles is not below /tmp."""
    folder = tmp_path / "stage"
    folder.mkdir()
    assert stage([f"{folder}files/lib"], [str(folder)]) == str(folder)


def test_no_folder_left_is_said_plainly(tmp_path: Path) -> None:
    """The reason names the folders that were looked at."""
    with pytest.raises(SandboxUnavailable, match=str(tmp_path)):
        stage([f"{tmp_path}/lib/python3"], [str(tmp_path)])
