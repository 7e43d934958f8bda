"""A database of a cluster, new for each test."""

from __future__ import annotations

import pytest

from tests.postgres import Server


@pytest.fixture
def url(postgres: Server, migrated: str) -> str:
    """Its address; it is at the newest schema."""
    return postgres.create(migrated)
