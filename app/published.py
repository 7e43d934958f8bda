"""The catalogue follows the store: uploaded packages that are published are served.

For whoever has a catalogue and a store: the server at its start and after each publication, and
workers that live elsewhere.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import structlog

from app.errors import Invalid, NotFound, StoreError
from app.problem import Catalogue, uploaded
from app.problem.catalogue import load_package
from app.store import Store

_log = structlog.get_logger()


async def follow(store: Store, catalogue: Catalogue, every_s: float = 5.0) -> None:
    """Serve what is applied and published elsewhere too, a little later. Ends when it is cancelled."""
    while True:
        await asyncio.sleep(every_s)
        try:
            await serve_uploaded(store, catalogue)
        except StoreError as error:
            _log.warning("uploads cannot be looked for", reason=str(error))


async def serve_uploaded(store: Store, catalogue: Catalogue) -> None:
    """What was uploaded goes over what is on disk: packages, then tests. Raises StoreError."""
    await serve_published(store, catalogue)
    for family, version in await store.current_test_hashes():
        if catalogue.uploaded_version(family) != version:
            found = await store.test_version_by_hash(family, version)
            tests = await asyncio.to_thread(uploaded.from_text, found.tests_json)
            await asyncio.to_thread(catalogue.overlay, family, tests, version)


async def serve_published(store: Store, catalogue: Catalogue) -> None:
    """Serve what the store says is published, family by family. Raises StoreError.

    A package that cannot be unpacked here (a full disk) is logged and left as it was.
    """
    for publication in await store.current_publications():
        try:
            await serve(store, catalogue, publication.family, publication.hash)
        except (OSError, Invalid, NotFound) as error:
            _log.error("package not served", family=publication.family, reason=str(error))


async def serve(store: Store, catalogue: Catalogue, family: str, content_hash: str | None) -> None:
    """Serve one uploaded package, or what is on disk in its place."""
    if content_hash is None:
        await asyncio.to_thread(catalogue.unpublish, family)
    elif catalogue.published(family) != content_hash:
        problems = await folder_of(store, catalogue, content_hash)
        loaded = await asyncio.to_thread(load_package, problems, family, catalogue.maker)
        await asyncio.to_thread(catalogue.publish, loaded, content_hash)


async def folder_of(store: Store, catalogue: Catalogue, content_hash: str) -> Path:
    """The folder of packages with this one in it, unpacked from the store if need be."""
    known = catalogue.unpacked.problems(content_hash)
    if known is not None:
        return known
    archive = await store.package_by_hash(content_hash)
    return await asyncio.to_thread(catalogue.unpacked.put, archive)
