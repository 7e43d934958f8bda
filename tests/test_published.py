"""What was uploaded is served: at a start, and by servers that did not take it in themselves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.errors import NotFound
from app.problem import Catalogue, load_catalogue, uploaded, uploads
from app.problem.archive import content_hash, folder_package
from app.published import serve_uploaded
from app.store import Store, open_store
from app.store.tests import NewTests
from tests.problem.conftest import BASE
from tests.problem.plain_runner import PlainRunner

PLAIN = "weighted_mean/plain"


def catalogue(folder: Path) -> Catalogue:
    return load_catalogue(BASE, folder / "cache", PlainRunner())


async def published(store: Store, lesson: bytes) -> str:
    """The base package with another lesson, let through and published."""
    package = folder_package(BASE, "weighted_mean")
    archive = type(package)("weighted_mean", {**package.files, "lesson.md": lesson}).packed()
    key = content_hash(archive)
    await store.add_package(
        "weighted_mean", key, archive, owner="user:1", author="Ada", own_only=False
    )
    await store.package_examined("weighted_mean", key, "kept", "{}")
    await store.publish_package("weighted_mean", key, "Ada")
    return key


def test_another_server_follows(tmp_path: Path) -> None:
    """Packages and tests that are in the store, and their going back; twice changes nothing."""

    async def follow() -> None:
        store, other = open_store(tmp_path / "db"), catalogue(tmp_path)
        before = other.get(PLAIN)
        key = await published(store, b"# Another lesson\n")
        for _ in range(2):
            await serve_uploaded(store, other)
            assert other.published("weighted_mean") == key
            assert other.get(PLAIN).page.lesson == "# Another lesson\n"
            assert other.get(PLAIN).version == before.version
        entry = {
            "name": "added",
            "labels": ["arrays"],
            "arguments": {"values": [1, 5], "weights": [1, 3]},
        }
        found = uploads.examine(other, "weighted_mean", {"tests": [entry]}, other.maker.runner)
        text = uploaded.as_text(found.accepted)
        new = NewTests("weighted_mean", "", uploaded.version_of(text), text, "Ada", "added")
        await store.add_test_version(new)
        await serve_uploaded(store, other)
        assert other.get(PLAIN).tests[-1].name == "added"
        await store.publish_package("weighted_mean", None, "Ada")
        await serve_uploaded(store, other)
        assert other.get(PLAIN).page.lesson == before.page.lesson
        assert other.get(PLAIN).tests[-1].name == "added"
        await store.close()

    asyncio.run(follow())


def test_what_cannot_be_unpacked_leaves_the_others_served(tmp_path: Path) -> None:
    """A disk that is full, say: it is logged, and what was served stays."""

    async def follow() -> None:
        store, other = open_store(tmp_path / "db"), catalogue(tmp_path)
        await published(store, b"# Another lesson\n")
        (tmp_path / "packages").write_text("in the way")
        await serve_uploaded(store, other)
        assert other.published("weighted_mean") is None
        assert other.get(PLAIN).page.lesson
        await store.close()

    asyncio.run(follow())


def test_a_family_that_is_not_on_disk_comes_and_goes(tmp_path: Path) -> None:
    """With its tests, that wait for it."""
    found = catalogue(tmp_path)
    loaded = found.on_disk("weighted_mean")
    assert loaded is not None
    found.drop("weighted_mean")
    with pytest.raises(NotFound):
        found.get(PLAIN)
    found.publish(loaded, "hash")
    assert found.get(PLAIN).id == PLAIN
    found.put(loaded)
    assert found.published("weighted_mean") == "hash"
    found.unpublish("weighted_mean")
    assert found.get(PLAIN).id == PLAIN
    found.drop("weighted_mean")
    found.unpublish("weighted_mean")
    with pytest.raises(NotFound):
        found.get(PLAIN)
