"""Which packages changed on disk since one last looked."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from app.problem import load
from app.problem.catalogue import Catalogue, load_package
from app.problem.folder import Folder


@dataclass(slots=True)
class Watch:
    """Looks at names, sizes and times of the packages' files; reads none of them."""

    problems: Path
    _seen: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._seen = self._look()

    def changed(self) -> tuple[str, ...]:
        """Packages that are new, other than before, or gone, since the last time it was asked."""
        before, self._seen = self._seen, self._look()
        names = sorted(before.keys() | self._seen.keys())
        return tuple(name for name in names if before.get(name) != self._seen.get(name))

    def reload(self, catalogue: Catalogue) -> tuple[str, ...]:
        """Puts what changed into the catalogue, and says which packages that were.

        Raises PackageError or OSError where files go away meanwhile; all is then looked at again.
        """
        before = self._seen
        names = self.changed()
        try:
            for name in names:
                if name in self._seen:
                    catalogue.put(load_package(self.problems, name, catalogue.maker))
                else:
                    catalogue.drop(name)
        except OSError:
            self._seen = before
            raise
        return names

    def _look(self) -> dict[str, str]:
        names = load.names(self.problems)
        return {name: Folder(self.problems, name).fingerprint() for name in names}
