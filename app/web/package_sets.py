"""Uploaded packages: taken in, looked at, published, taken back. An author's own, or an admin's any.

Nothing of a package is executed here: it is unpacked, read and kept. Its programs run in boxes, when
it is examined.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from app.errors import FieldError, Forbidden, Invalid, NotFound
from app.problem.archive import Package, content_hash, folder_package, unpacked
from app.problem.catalogue import Loaded, load_package
from app.problem.difference import Difference, difference, versions
from app.published import folder_of, serve
from app.store.packages import PackageUpload
from app.web.identity import Person
from app.web.parts import Parts

_log = structlog.get_logger()
_MOST_ERRORS = 50
_FAMILY = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Known:
    """A family that somebody may change, and how it stands.

    published   the hash of the uploaded version that is served; None: what is on disk, if anything
    waiting     uploads that are not examined yet
    """

    family: str
    title: str
    on_disk: bool
    served: bool
    published: str | None
    uploads: int
    waiting: int


async def add(parts: Parts, archive: bytes, person: Person) -> PackageUpload:
    """Take a package in, to be examined. Raises Invalid with all that is wrong in it, Forbidden."""
    package = await asyncio.to_thread(_read, parts, archive)
    on_disk = parts.catalogue.on_disk(package.family) is not None
    if person.role != "admin" and on_disk:
        owner = await parts.store.package_owner(package.family)
        if owner != person.owner:
            raise Forbidden(f"the package {package.family} belongs to this installation")
    packed = await asyncio.to_thread(package.packed)
    key = content_hash(packed)
    await parts.store.add_package(
        package.family,
        key,
        packed,
        owner=person.owner,
        author=_author(person),
        own_only=person.role != "admin",
    )
    _log.info("package uploaded", family=package.family, hash=key, author=_author(person))
    return await parts.store.package_upload(package.family, key)


def _read(parts: Parts, archive: bytes) -> Package:
    """In a thread: unpacked and read as the catalogue would; nothing stays."""
    package = unpacked(archive)
    with parts.catalogue.unpacked.tried(package) as problems:
        loaded = load_package(problems, package.family, parts.catalogue.maker)
    if loaded.broken:
        errors = [
            FieldError(
                f"{e.path}{f':{e.line}' if e.line else ''}", _with_remedy(e.message, e.remedy)
            )
            for e in loaded.broken[:_MOST_ERRORS]
        ]
        first = errors[0]
        raise Invalid(f"the package cannot be read: {first.where}: {first.message}", errors)
    return package


def _with_remedy(message: str, remedy: str) -> str:
    return f"{message} ({remedy})" if remedy else message


async def may_see(parts: Parts, person: Person, family: str) -> None:
    """Raises Forbidden for an author whose package this is not, NotFound where there is nothing."""
    if not _FAMILY.fullmatch(family):
        raise NotFound("there is no such package")
    owner = await parts.store.package_owner(family)
    there = owner is not None or any(p.name == family for p in parts.catalogue.packages)
    if person.role != "admin" and owner != person.owner:
        raise Forbidden(f"the package {family[:64]} is not yours")
    if not there:
        raise NotFound(f"there is no package {family[:64]}")


async def known(parts: Parts, person: Person) -> list[Known]:
    """The families that somebody may change."""
    uploads = await parts.store.package_uploads()
    owners = {upload.family: upload.owner for upload in uploads}  # the first one's comes last
    loaded = {package.name: package for package in parts.catalogue.packages}
    names = sorted(owners.keys() | loaded.keys())
    mine = [n for n in names if person.role == "admin" or owners.get(n) == person.owner]
    return [_known(parts, name, loaded.get(name), uploads) for name in mine]


def _known(
    parts: Parts, name: str, loaded: Loaded | None, uploads: tuple[PackageUpload, ...]
) -> Known:
    own = [upload for upload in uploads if upload.family == name]
    family = loaded.family if loaded else None
    return Known(
        family=name,
        title=family.title if family else name,
        on_disk=parts.catalogue.on_disk(name) is not None,
        served=bool(loaded and loaded.variants),
        published=parts.catalogue.published(name),
        uploads=len(own),
        waiting=sum(upload.state in ("waiting", "examining") for upload in own),
    )


async def publish(parts: Parts, family: str, key: str | None, person: Person) -> None:
    """Serve one version from now on, or (None) what is on disk. Raises NotFound, Conflict."""
    if key is not None and not _HASH.fullmatch(key):
        raise NotFound(f"there is no such version of {family}")
    if key is None and parts.catalogue.published(family) is None:
        raise NotFound(f"no uploaded version of {family} is published")
    if key is not None and person.role != "admin":
        await _check_scripts(parts, family, key)
    await parts.store.publish_package(family, key, _author(person))
    await serve(parts.store, parts.catalogue, family, key)
    _log.info("package published", family=family, hash=key, author=_author(person))


async def _check_scripts(parts: Parts, family: str, key: str) -> None:
    """Figures run as scripts of the site's own pages: with them an author could act as any reader."""
    await parts.store.package_upload(family, key)
    package = await asyncio.to_thread(unpacked, await parts.store.package_by_hash(key))
    if any(path.startswith("figures/") for path in package.files):
        raise Forbidden("this version has figures, which are scripts: an admin must publish it")


async def packed(parts: Parts, family: str, key: str) -> bytes:
    """A version as a zip: the same bytes each time; `served` is what is served now."""
    if key != "served":
        await parts.store.package_upload(family, key)
        return await parts.store.package_by_hash(key)
    published = parts.catalogue.published(family)
    if published is not None:
        return await parts.store.package_by_hash(published)
    return await asyncio.to_thread(_on_disk(parts, family).packed)


def _on_disk(parts: Parts, family: str) -> Package:
    loaded = parts.catalogue.on_disk(family)
    if loaded is None or loaded.family is None:
        raise NotFound(f"no version of {family[:64]} is served")
    return folder_package(loaded.family.folder.problems, family)


async def changes(parts: Parts, upload: PackageUpload) -> Difference:
    """From what is served now to an upload."""
    problems = await folder_of(parts.store, parts.catalogue, upload.hash)
    archive = await parts.store.package_by_hash(upload.hash)
    try:
        before = unpacked(await packed(parts, upload.family, "served"))
    except NotFound:
        before = Package(upload.family, {})
    served = parts.catalogue.family_variants_as_packaged(upload.family)

    def compared() -> Difference:
        loaded = load_package(problems, upload.family, parts.catalogue.maker)
        return difference(before, unpacked(archive), versions(served), versions(loaded.variants))

    return await asyncio.to_thread(compared)


def report_of(upload: PackageUpload) -> Mapping[str, Any] | None:
    """What the gate said, as plain data."""
    if upload.report_json is None:
        return None
    found: Mapping[str, Any] = json.loads(upload.report_json)
    return found


def _author(person: Person) -> str:
    return person.name or person.owner
