"""A site over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.started import BASE, Site, started


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One that judges the small base package; shared by a module's tests."""
    with started(tmp_path_factory.mktemp("data"), BASE) as running:
        yield running


@pytest.fixture(scope="module")
def api(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{site.url}/api/v1", timeout=30) as client:
        yield client


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"
