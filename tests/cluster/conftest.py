"""A database that is at the newest schema, new for each test."""

from __future__ import annotations

import asyncio

import pytest

from app.store import connect_store
from tests.postgres import Server


@pytest.fixture(scope="session")
def schema(postgres: Server) -> str:
    """The name of a database to copy."""
    url = postgres.create()

    async def migrate() -> None:
        await (await connect_store(url)).close()

    asyncio.run(migrate())
    return url.partition("?")[0].rpartition("/")[2]


@pytest.fixture
def url(postgres: Server, schema: str) -> str:
    return postgres.create(schema)
