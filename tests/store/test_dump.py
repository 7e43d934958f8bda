"""PostgreSQL's own programs make and bring back a backup, and see no password among their arguments."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.errors import Invalid, NotFound, StoreUnavailable
from app.store import connect_store
from app.store.dump import _without_password, dump, undump
from tests.postgres import Server, running_server
from tests.store.examples import judgement, submission


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as running:
        yield running


async def _filled(url: str) -> None:
    store = await connect_store(url)
    for name in ("one", "two"):
        await store.add_submission(submission(name), "guest:1")
    await store.add_judgement(submission("one"), judgement("WA"))
    await store.close()


async def _found(url: str) -> tuple[str, list[str]]:
    store = await connect_store(url)
    found = (await store.standing("one")).judgement
    waiting = [one.id for one in await store.unjudged_submissions(10)]
    await store.close()
    return found.verdict if found else "", waiting


@pytest.mark.postgresql
def test_everything_comes_back_into_an_empty_database(server: Server, tmp_path: Path) -> None:
    """Into another database; one that holds something already is left as it is."""
    url, other, file = server.create(), server.create(), tmp_path / "kept"
    asyncio.run(_filled(url))
    dump(url, file)
    assert file.stat().st_mode & 0o777 == 0o600
    undump(file, other)
    assert asyncio.run(_found(other)) == ("WA", ["two"])
    with pytest.raises(StoreUnavailable):
        undump(file, other)
    assert asyncio.run(_found(other)) == ("WA", ["two"])
    with pytest.raises(Invalid):
        dump(url, file)
    with pytest.raises(NotFound):
        undump(tmp_path / "none", other)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_server_that_is_not_there_is_told_without_the_password(tmp_path: Path) -> None:
    """And nothing is left lying about."""
    with pytest.raises(StoreUnavailable) as told:
        dump("postgresql://someone:secret@127.0.0.1:1/x", tmp_path / "kept")
    assert "secret" not in str(told.value)
    assert not list(tmp_path.iterdir())


def test_without_the_programs_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "PATH", str(tmp_path))
    with pytest.raises(StoreUnavailable, match="postgresql-client"):
        dump("postgresql://x@127.0.0.1:1/x", tmp_path / "kept")


@pytest.mark.parametrize(
    ("url", "address", "password"),
    [
        ("postgresql://a:b%40c@host:5432/d?sslmode=require",
         "postgresql://a@host:5432/d?sslmode=require", "b@c"),
        ("postgresql://a@/d?host=/tmp/x", "postgresql://a@/d?host=/tmp/x", ""),
        ("postgresql:///d", "postgresql:///d", ""),
    ],
)  # fmt: skip
def test_the_password_is_taken_out_of_the_address(url: str, address: str, password: str) -> None:
    assert _without_password(url) == (address, password)
