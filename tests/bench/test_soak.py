"""A few seconds of every kind of program: the command, its JSON, and no verdict that is wrong."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.flow.served import ROOT


@pytest.mark.slow
def test_every_verdict_is_right_and_the_figures_are_json() -> None:
    """Whether something grows cannot be told in so short a time."""
    done = subprocess.run(
        [sys.executable, "-m", "app", "bench", "--soak", "0.2", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert found["judged"]["right"] > 0
    assert set(found["grew"]["memory_mib"]) == {"first", "last", "a_minute", "error"}
    assert isinstance(found["flat"], bool)
