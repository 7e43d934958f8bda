"""Packages verified beside the service: once for each of their versions, when nothing else is to do.

The examination is a process of its own, `allclose verify --beside`, that the kernel serves last. It
reads from its standard input whether it may run programs: not while the service does.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from app.model import Call, Outcome, Runner
from app.verify import Report, from_json

_log = structlog.get_logger()

# One report is one line.
_LONGEST_LINE = 64 * 2**20
_END_S = 5.0


@dataclass(slots=True)
class Attended:
    """A runner that knows whether it is at work, or was a moment ago."""

    runner: Runner
    linger_s: float = 0.5
    _running: int = 0
    _last: float = float("-inf")

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        self._running += 1
        try:
            yield from self.runner.run(calls)
        finally:
            self._running -= 1
            self._last = time.monotonic()

    @property
    def busy(self) -> bool:
        return self._running > 0 or time.monotonic() - self._last < self.linger_s


@dataclass(slots=True)
class Proving:
    """Starts the examination once, tells it when to wait, and logs what it finds.

    reports   by package: what has been found so far, for whoever shows the state of the service
    """

    command: Sequence[str]
    busy: Callable[[], bool]
    delay_s: float = 5.0
    every_s: float = 0.02
    reports: dict[str, Report] = field(default_factory=dict)

    async def run(self) -> None:
        """Until every package is examined, or cancelled: then the examination ends too."""
        await asyncio.sleep(self.delay_s)
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_LINE,
            )
        except OSError as error:
            _log.warning("packages are not examined", reason=str(error))
            return
        pacing = asyncio.create_task(self._pace(process))
        try:
            await self._read(process)
        finally:
            pacing.cancel()
            await _ended(process)

    async def _pace(self, process: asyncio.subprocess.Process) -> None:
        """Say `go` and `wait`, each time it changes; the other side waits to begin with."""
        assert process.stdin is not None
        going = False
        while True:
            if going == self.busy():
                going = not going
                try:
                    process.stdin.write(b"go\n" if going else b"wait\n")
                    await process.stdin.drain()
                except OSError:
                    return  # it has ended
            await asyncio.sleep(self.every_s)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            try:
                report = from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                _log.warning("not a report", line=line[:200].decode(errors="replace"))
                continue
            self.reports[report.package] = report
            for reason in report.reasons:
                _log.warning("breaks a promise", package=report.package, reason=str(reason))
            _log.info("examined", package=report.package, kept=report.kept)
        code = await process.wait()
        if code not in (0, 1):
            _log.warning("packages were not all examined", exit_code=code)


async def _ended(process: asyncio.subprocess.Process) -> None:
    """It ends when nobody can tell it to go on; one that does not is killed."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), _END_S)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
