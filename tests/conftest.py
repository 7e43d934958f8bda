"""What several folders of tests share: real boxes, and a plain word where a machine lacks something."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _missing(item: pytest.Item) -> str:
    """What this test needs and this machine lacks, in words; empty if nothing."""
    needs: dict[str, Callable[[], bool]] = {
        "chromium": lambda: shutil.which("chromium") is not None,
        "postgresql": lambda: bool(list(Path("/usr/lib/postgresql").glob("*/bin/postgres"))),
    }
    for name, present in needs.items():
        if item.get_closest_marker(name) and not present():
            return f"needs {name}: apt-get install {name}"
    return ""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run here; in CI (TESTS_MUST_ALL_RUN) fail instead."""
    missing = _missing(item)
    if not missing:
        return
    if os.environ.get("TESTS_MUST_ALL_RUN"):
        pytest.fail(missing)
    pytest.skip(missing)
