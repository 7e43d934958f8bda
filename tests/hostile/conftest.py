"""Keepers of the tiers that attacks run in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.errors import SandboxUnavailable
from app.sandbox import Keeper
from tests.hostile.catalogue import Attack
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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tier C is part of the everyday suite where it differs from A; the rest of it is slow.

    First, so that what is marked here can still be deselected.
    """
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        attack = parameters.get("attack")
        same = isinstance(attack, Attack) and attack.wants["C"] == attack.wants["A"]
        if same and parameters.get("keeper") == "C":
            item.add_marker(pytest.mark.slow)
