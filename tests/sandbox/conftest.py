"""Keepers that tests of the sandbox share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.errors import SandboxUnavailable
from app.sandbox import Keeper, Tier


def keeper_of(tier: Tier, ready_ahead: int = 2) -> Keeper:
    """A keeper of exactly this tier; the test is skipped where there is none."""
    try:
        return Keeper(force_tier=tier, ready_ahead=ready_ahead)
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session", params=["A", "B", "C"])
def keeper(request: pytest.FixtureRequest) -> Iterator[Keeper]:
    """One keeper of each tier that this machine gives."""
    with keeper_of(request.param) as made:
        yield made


@pytest.fixture(scope="session")
def best() -> Iterator[Keeper]:
    """A keeper of the best tier that this machine gives."""
    with Keeper(ready_ahead=2) as made:
        yield made
