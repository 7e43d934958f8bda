"""Packages that change while they are served: reloaded, examined again, the reasons logged.

For authors: `serve --watch` shows a page as it is written, and what the gate would say to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from app.errors import AllcloseError, PackageError
from app.model import Runner
from app.problem import Catalogue
from app.problem.watch import Watch
from app.verify import Report, verify

_log = structlog.get_logger()


@dataclass(slots=True)
class Watching:
    """Looks once a second while `watch` is set.

    reports   by package: what the gate last said, for whoever shows the state of the service
    """

    problems: Path
    cache: Path
    katex: Path | None
    catalogue: Catalogue
    runner: Runner
    watch: bool
    every_s: float = 1.0
    reports: dict[str, Report] = field(default_factory=dict)
    _watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        self._watch = Watch(self.problems)

    async def run(self) -> None:
        """Until cancelled. A package that breaks is left out and logged; the others go on."""
        while self.watch:
            await asyncio.sleep(self.every_s)
            if names := await asyncio.to_thread(self._reloaded):
                _log.info("packages reloaded", packages=names)
                for name in names:
                    self.reports.pop(name, None)  # it was said of what is no longer there
                if present := [name for name in names if (self.problems / name).is_dir()]:
                    await asyncio.to_thread(self._examine, present)

    def _reloaded(self) -> tuple[str, ...]:
        """In a thread: which packages changed. Editors and git move files while one looks at them:
        then nothing has been reloaded yet, and the next look sees the change again."""
        try:
            return self._watch.reload(self.catalogue)
        except (PackageError, OSError) as error:
            _log.warning("packages cannot be looked at", reason=str(error))
            return ()

    def _examine(self, names: Sequence[str]) -> None:
        """In a thread: what the gate says to these; what is unchanged is remembered."""
        try:
            reports = verify(
                self.problems, names, self.runner, self.cache, katex=self.katex, remember=True
            )
        except (AllcloseError, OSError) as error:
            _log.warning("not examined", packages=names, reason=str(error))
            return
        for report in reports:
            self.reports[report.package] = report
            for reason in report.reasons:
                _log.warning("breaks a promise", package=report.package, reason=str(reason))
            _log.info("examined", package=report.package, kept=report.kept)
