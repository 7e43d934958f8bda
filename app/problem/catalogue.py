"""All variants that can be served: the packages on disk, overlaid by uploaded packages and tests.

A Catalogue is a stable object that everybody holds; what it knows is one frozen snapshot, swapped
as a whole. Whoever iterates sees the old or the new one, never a mixture.
"""

from __future__ import annotations

import difflib
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.errors import NotFound, PackageError
from app.model import Runner, Variant
from app.problem import load, uploaded
from app.problem.family import Family
from app.problem.folder import Folder
from app.problem.kept import Kept
from app.problem.on_demand import OnDemand
from app.problem.predictions import Predictions
from app.problem.unpacked import Unpacked
from app.problem.uploaded import UploadedTest
from app.problem.variants import Maker
from app.problem.variants import load as load_variant
from app.problem.variants import names as variant_names


@dataclass(frozen=True, slots=True)
class Loaded:
    """One package: its family, if that could be read, its variants, and what is broken in it."""

    name: str
    family: Family | None
    variants: tuple[Variant, ...]
    broken: tuple[PackageError, ...]


@dataclass(frozen=True, slots=True)
class _Served:
    """What is served of one package, with its uploaded tests laid over."""

    package: Loaded
    tests: tuple[UploadedTest, ...]
    variants: tuple[Variant, ...]
    broken: tuple[PackageError, ...]


@dataclass(frozen=True, slots=True)
class _Snapshot:
    families: Mapping[str, _Served]
    by_id: Mapping[str, Variant]

    @classmethod
    def of(cls, families: Mapping[str, _Served]) -> _Snapshot:
        in_order = dict(sorted(families.items()))
        return cls(in_order, {v.id: v for served in in_order.values() for v in served.variants})


class Catalogue:
    """The variants by id. Reading takes no lock; changes follow one another."""

    def __init__(self, packages: Iterable[Loaded], maker: OnDemand, unpacked: Unpacked):
        self.maker = maker
        self.unpacked = unpacked
        self._changing = threading.Lock()
        self._on_disk = {package.name: package for package in packages}
        self._published: dict[str, tuple[str, Loaded]] = {}
        self._tests: dict[str, tuple[UploadedTest, ...]] = {}
        self._test_versions: dict[str, str] = {}
        self._now = _Snapshot.of({n: self._served(p, ()) for n, p in self._on_disk.items()})

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Families by name, and within each its variants by name."""
        return tuple(self._now.by_id.values())

    @property
    def broken(self) -> tuple[PackageError, ...]:
        """What was left out, and why."""
        return tuple(error for served in self._now.families.values() for error in served.broken)

    def get(self, problem: str) -> Variant:
        try:
            return self._now.by_id[problem]
        except KeyError:
            raise NotFound(f"there is no problem {problem!r}{self._near(problem)}") from None

    def _near(self, problem: str) -> str:
        """What was probably meant, or the variants of the family that was named."""
        known = list(self._now.by_id)
        near = [one for one in known if one.startswith(f"{problem}/")]
        near = near or difflib.get_close_matches(problem, known, 1, 0.75)
        return f"; did you mean {' or '.join(near)}?" if near else ""

    def family(self, name: str) -> Family:
        served = self._now.families.get(name)
        if served is None or served.package.family is None:
            raise NotFound(f"there is no family {name!r}")
        return served.package.family

    def family_variants(self, name: str) -> tuple[Variant, ...]:
        served = self._now.families.get(name)
        return served.variants if served is not None else ()

    def family_variants_as_packaged(self, name: str) -> tuple[Variant, ...]:
        """The same without uploaded tests."""
        served = self._now.families.get(name)
        return served.package.variants if served is not None else ()

    def uploaded(self, family: str) -> tuple[UploadedTest, ...]:
        return self._tests.get(family, ())

    def overlay(self, family: str, tests: Sequence[UploadedTest], version: str = "") -> None:
        """From now on these are the family's uploaded tests; none removes them all.

        Tests for a family that is not there wait for it.
        """
        with self._changing:
            self._tests[family] = tuple(tests)
            self._test_versions[family] = version
            self._renew(family)

    def uploaded_version(self, family: str) -> str:
        """The version of the family's uploaded tests, as it was given; empty: there were none."""
        return self._test_versions.get(family, "")

    def put(self, package: Loaded) -> None:
        """From now on this is the package of that name on disk, for instance after a change."""
        with self._changing:
            self._on_disk[package.name] = package
            if package.name not in self._published:
                self._renew(package.name)

    def drop(self, name: str) -> None:
        """The package is not on disk any more."""
        with self._changing:
            self._on_disk.pop(name, None)
            if name not in self._published:
                self._renew(name)

    def publish(self, package: Loaded, content_hash: str) -> None:
        """From now on this uploaded package is served, whatever is on disk under its name."""
        with self._changing:
            self._published[package.name] = (content_hash, package)
            self._renew(package.name)

    def unpublish(self, name: str) -> None:
        """From now on what is on disk is served, or nothing."""
        with self._changing:
            if self._published.pop(name, None) is not None:
                self._renew(name)

    def published(self, name: str) -> str | None:
        """The hash of the uploaded package that is served; None: what is on disk is, or nothing."""
        found = self._published.get(name)
        return found[0] if found is not None else None

    def on_disk(self, name: str) -> Loaded | None:
        """The package of that name on disk, whether it is served or not."""
        return self._on_disk.get(name)

    @property
    def all_on_disk(self) -> tuple[Loaded, ...]:
        """The packages on disk, whether they are served or not."""
        return tuple(self._on_disk.values())

    @property
    def packages(self) -> tuple[Loaded, ...]:
        """What is served, broken ones too, in order of name."""
        return tuple(served.package for served in self._now.families.values())

    def _renew(self, name: str) -> None:
        """Serve what is there under a name now."""
        published = self._published.get(name)
        package = published[1] if published is not None else self._on_disk.get(name)
        if package is not None:
            self._swap(name, self._served(package, self._tests.get(name, ())))
            return
        families = dict(self._now.families)
        families.pop(name, None)
        self._now = _Snapshot.of(families)

    def _swap(self, name: str, served: _Served) -> None:
        self._now = _Snapshot.of({**self._now.families, name: served})

    def _served(self, package: Loaded, tests: tuple[UploadedTest, ...]) -> _Served:
        found: list[Variant] = []
        broken = list(package.broken)
        for variant in package.variants if package.family else ():
            assert package.family is not None
            whole, errors = uploaded.overlaid(package.family, variant, tests, self.maker)
            broken += errors
            predict = Predictions(whole, self.maker.runner, self.maker.kept)
            found.append(replace(whole, predict=predict))
        return _Served(package, tests, tuple(found), tuple(broken))


def load_catalogue(
    problems: Path | None,
    cache_dir: Path,
    runner: Runner,
    uploaded_tests: Mapping[str, Sequence[UploadedTest]] | None = None,
) -> Catalogue:
    """Reads every package; a broken one is left out and named in `broken`, the others are served.

    Nothing runs in a box until a big test is asked for. Without a folder it begins empty.
    """
    maker = OnDemand(runner, Kept(cache_dir))
    packages = (
        (load_package(problems, name, maker) for name in load.names(problems)) if problems else ()
    )
    catalogue = Catalogue(packages, maker, Unpacked(cache_dir.with_name("packages")))
    for family, tests in (uploaded_tests or {}).items():
        catalogue.overlay(family, tests)
    return catalogue


def load_package(problems: Path, name: str, maker: Maker) -> Loaded:
    """One package as far as it can be read."""
    try:
        family = load.family(Folder(problems, name))
    except PackageError as error:
        return Loaded(name, None, (), (error,))
    found: list[Variant] = []
    broken: list[PackageError] = []
    for variant in variant_names(family):
        try:
            found.append(load_variant(family, variant, maker))
        except PackageError as error:
            broken.append(error)
    if not found and not broken:
        broken.append(PackageError("has no variant", f"{name}/variants"))
    return Loaded(name, family, tuple(found), tuple(broken))
