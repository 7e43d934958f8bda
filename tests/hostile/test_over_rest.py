"""The catalogue against the real service: what the runner sees, a client sees too."""

from __future__ import annotations

import pytest

from tests.hostile import over_rest


@pytest.mark.slow
def test_every_attack_gets_its_verdict_over_rest(capsys: pytest.CaptureFixture[str]) -> None:
    """All of them, one after the other, with a right program after each and nothing left over."""
    surprises = over_rest.main(None)
    assert surprises == 0, capsys.readouterr().out
