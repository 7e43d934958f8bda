"""A small form of the kills; the full one is `python -m tests.flow.kills --kills 200`."""

from __future__ import annotations

import pytest

from tests.flow import kills


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]
)
def test_whatever_is_killed_nothing_is_lost_and_nothing_judged_twice(engine: str) -> None:
    """Every submission in the database has one current judgement, that of a calm run."""
    report = kills.run(6, engine == "postgresql")
    assert report.good, report.shown()
    assert report.submissions > 0
