"""All variants that can be served: the packages on disk, with uploaded tests laid over them.

A Catalogue is a stable object that everybody holds; what it knows is one frozen snapshot, swapped
as a whole. Whoever iterates sees the old or the new one, never a mixture.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.errors import NotFound, PackageError
from app.model import Runner, Variant
from app.problem import load, uploaded
from app.problem.family import Family
from app.problem.folder import Folder
from app.problem.kept import Kept
from app.problem.on_demand import OnDemand
from app.problem.predictions import Predictions
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
class _Snapshot:
    packages: Mapping[str, Loaded]
    tests: Mapping[str, tuple[UploadedTest, ...]]
    by_id: Mapping[str, Variant] = field(default_factory=dict)
    broken: tuple[PackageError, ...] = ()


class Catalogue:
    """The variants by id. Reading takes no lock; changes follow one another."""

    def __init__(self, packages: Iterable[Loaded], maker: OnDemand):
        self.maker = maker
        self._changing = threading.Lock()
        self._now = self._built({package.name: package for package in packages}, {})

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Families by name, and within one the variants by number and name."""
        return tuple(self._now.by_id.values())

    @property
    def broken(self) -> tuple[PackageError, ...]:
        """What was left out, and why."""
        return self._now.broken

    def get(self, problem: str) -> Variant:
        try:
            return self._now.by_id[problem]
        except KeyError:
            raise NotFound(f"there is no problem {problem!r}") from None

    def family(self, name: str) -> Family:
        package = self._now.packages.get(name)
        if package is None or package.family is None:
            raise NotFound(f"there is no family {name!r}")
        return package.family

    def family_variants(self, name: str) -> tuple[Variant, ...]:
        return tuple(v for v in self.variants if v.family == name)

    def uploaded(self, family: str) -> tuple[UploadedTest, ...]:
        return self._now.tests.get(family, ())

    def overlay(self, family: str, tests: Sequence[UploadedTest]) -> None:
        """From now on these are the family's uploaded tests; none removes them all."""
        with self._changing:
            known = {**self._now.tests, family: tuple(tests)}
            self._now = self._built(self._now.packages, known)

    def put(self, package: Loaded) -> None:
        """From now on this is the package of that name, for instance after a change on disk."""
        with self._changing:
            packages = {**self._now.packages, package.name: package}
            self._now = self._built(dict(sorted(packages.items())), self._now.tests)

    def _built(
        self, packages: Mapping[str, Loaded], tests: Mapping[str, tuple[UploadedTest, ...]]
    ) -> _Snapshot:
        by_id: dict[str, Variant] = {}
        broken: list[PackageError] = []
        for package in packages.values():
            broken += package.broken
            for variant in package.variants:
                try:
                    hints = package.family.labels if package.family else {}
                    whole = uploaded.overlaid(variant, tests.get(package.name, ()), hints)
                except PackageError as error:
                    broken.append(error)
                    whole = variant
                predict = Predictions(whole, self.maker.runner, self.maker.kept)
                by_id[variant.id] = replace(whole, predict=predict)
        return _Snapshot(packages, tests, by_id, tuple(broken))


def load_catalogue(
    problems: Path,
    cache_dir: Path,
    runner: Runner,
    uploaded_tests: Mapping[str, Sequence[UploadedTest]] | None = None,
) -> Catalogue:
    """Reads every package; a broken one is left out and named in `broken`, the others are served.

    Nothing runs in a box until a big test is asked for.
    """
    maker = OnDemand(runner, Kept(cache_dir))
    catalogue = Catalogue(
        (load_package(problems, name, maker) for name in load.names(problems)), maker
    )
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
