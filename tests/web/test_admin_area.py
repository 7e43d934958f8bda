"""The admin area's frame: only an admin sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.store import open_store
from app.web.secret import new_token
from tests.web.started import BASE, started

TOKENS = {name: new_token() for name in ("admin", "learner")}


async def _people(database: Path) -> None:
    store = open_store(database)
    for name, role in (("admin", "admin"), ("learner", "learner")):
        await store.add_user(name, role)
        await store.add_token(name, "laptop", TOKENS[name], {"admin", "read", "submit"})
    await store.close()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("data")
    asyncio.run(_people(data / "allclose.sqlite3"))
    with started(data, BASE) as site:
        yield site.url


def got(url: str, path: str, name: str | None) -> httpx.Response:
    headers = {"Accept": "text/html"}
    if name is not None:
        headers["Authorization"] = f"Bearer {TOKENS[name]}"
    return httpx.get(f"{url}{path}", headers=headers, timeout=30)


def test_only_an_admin_sees_the_admin_area(url: str) -> None:
    """Everybody else gets a page that says why not."""
    assert got(url, "/admin", None).status_code == 401
    assert got(url, "/admin", "learner").status_code == 403
    page = got(url, "/admin", "admin")
    assert page.status_code == 200
    assert 'aria-current="page">Overview' in page.text
    assert "Waiting" in page.text
