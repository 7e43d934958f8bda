"""What several folders of tests share: real boxes, and a plain word where a machine lacks something."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.store import connect_store
from tests.postgres import Server, installed, running_server

ROOT = Path(__file__).resolve().parent.parent


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Every core for the whole suite; a part of it is quicker in one process."""
    whole = all(Path(argument).resolve() in (ROOT, ROOT / "tests") for argument in config.args)
    return len(os.sched_getaffinity(0)) if whole else 0


def _missing(item: pytest.Item) -> str:
    """What this test needs and this machine lacks, in words; empty if nothing."""
    needs: dict[str, Callable[[], bool]] = {
        "chromium": lambda: shutil.which("chromium") is not None,
        "postgresql": installed,
    }
    for name, present in needs.items():
        if item.get_closest_marker(name) and not present():
            return f"needs {name}: apt-get install {name}"
    return ""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run here; in CI (TESTS_MUST_ALL_RUN) fail instead."""
    missing = _missing(item)
    if not missing:
        return
    if os.environ.get("TESTS_MUST_ALL_RUN"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server, one for all tests of this process; a test makes a database of its own."""
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated(postgres: Server) -> str:
    """The name of a PostgreSQL database that is at the newest schema, to be copied."""
    url = postgres.create()

    async def migrate() -> None:
        await (await connect_store(url)).close()

    asyncio.run(migrate())
    return url.partition("?")[0].rpartition("/")[2]
