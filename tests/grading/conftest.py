"""One keeper for all tests of grading."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.grading.judging import Judging, in_boxes


@pytest.fixture(scope="session")
def bench() -> Iterator[Judging]:
    with in_boxes() as ready:
        yield ready
