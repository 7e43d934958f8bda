"""A store of each engine. The same contract holds for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from app.store import Store, open_store

T = TypeVar("T")


@pytest.fixture
def ask() -> Iterator[Callable[[Coroutine[Any, Any, T]], T]]:
    """Puts one question to a store, and waits for the answer."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "data" / "allclose.sqlite3"


@pytest.fixture(params=["sqlite"])
def store(database: Path, ask: Callable[[Coroutine[Any, Any, None]], None]) -> Iterator[Store]:
    opened = open_store(database)
    yield opened
    ask(opened.close())
