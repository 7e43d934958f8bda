"""Keepers of the tiers that attacks run in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.errors import SandboxUnavailable
from app.sandbox import Keeper
from tests.hostile.stage import RIGHT, submit


@pytest.fixture(scope="session", params=["A", "C"])
def keeper(request: pytest.FixtureRequest) -> Iterator[Keeper]:
    """One keeper for all attacks of a tier: what one leaves behind, the next would find."""
    try:
        made = Keeper(force_tier=request.param, ready_ahead=3)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    with made:
        assert submit(RIGHT, made)[0].verdict == "AC"  # everything that is opened once is open now
        yield made
