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
    """The everyday suite runs every third attack in tier A, and in C what differs there; CI runs all.

    First, so that what is marked here can still be deselected.
    """
    in_a = 0
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        attack = parameters.get("attack")
        if not isinstance(attack, Attack):
            continue
        if parameters["keeper"] == "C":
            everyday = attack.wants["C"] != attack.wants["A"]
        else:
            in_a += 1
            everyday = in_a % 3 == 0
        if not everyday:
            item.add_marker(pytest.mark.slow)
