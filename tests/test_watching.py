"""An author saves a file and sees the page change, and what the gate says."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog

from app.problem import Catalogue, load_catalogue
from app.watching import Watching
from tests.problem.plain_runner import PlainRunner

BASE = Path(__file__).resolve().parent / "packages" / "base"
PLAIN = Path("weighted_mean", "variants", "plain")


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    folder = tmp_path / "problems"
    shutil.copytree(BASE, folder, ignore=shutil.ignore_patterns("report"))
    return folder


def _watching(problems: Path, cache: Path) -> Watching:
    runner = PlainRunner()
    catalogue = load_catalogue(problems, cache, runner)
    return Watching(
        problems=problems,
        cache=cache,
        katex=None,
        catalogue=catalogue,
        runner=runner,
        watch=True,
        every_s=0.02,
    )


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.02)


def test_a_saved_file_is_served_and_its_broken_promise_is_told(
    problems: Path, tmp_path: Path
) -> None:
    """The page has the new title at once; an empty set of hints is refused by the gate, in words."""

    def title(catalogue: Catalogue) -> str:
        return catalogue.get("weighted_mean/plain").title

    async def edited() -> list[str]:
        watching = _watching(problems, tmp_path / "cache")
        task = asyncio.create_task(watching.run())
        path = problems / PLAIN / "variant.yaml"
        with structlog.testing.capture_logs() as lines:
            text = path.read_text()
            path.write_text(text.replace("title: Weighted mean", "title: Renamed"))
            starter = problems / PLAIN / "submissions" / "accepted"
            next(iter(sorted(starter.glob("*.py")))).write_text("def other():\n    pass\n")
            await _until(lambda: title(watching.catalogue) == "Renamed")
            await _until(lambda: any(line["event"] == "examined" for line in lines))
            assert not watching.reports["weighted_mean"].kept
        task.cancel()
        await asyncio.wait({task})
        return [str(line.get("reason")) for line in lines if line["event"] == "breaks a promise"]

    reasons = asyncio.run(edited())
    assert any("accepted" in reason for reason in reasons), reasons


@pytest.mark.slow
def test_a_package_that_cannot_be_read_is_left_out_until_it_can(
    problems: Path, tmp_path: Path
) -> None:
    """Half a file saved by an editor takes the variant away for a moment, not the service."""

    async def broken() -> None:
        watching = _watching(problems, tmp_path / "cache")
        task = asyncio.create_task(watching.run())
        path = problems / PLAIN / "variant.yaml"
        text = path.read_text()
        path.write_text("title: [")
        await _until(lambda: bool(watching.catalogue.broken))
        path.write_text(text)
        await _until(lambda: not watching.catalogue.broken)
        assert not task.done()
        task.cancel()
        await asyncio.wait({task})

    asyncio.run(broken())


@pytest.mark.slow
def test_a_folder_that_goes_away_for_a_moment_ends_nothing(problems: Path, tmp_path: Path) -> None:
    """As git does it when it switches branches: what is served stays, and comes up to date later."""

    async def moved() -> None:
        watching = _watching(problems, tmp_path / "cache")
        away = tmp_path / "away"
        problems.rename(away)
        task = asyncio.create_task(watching.run())
        with structlog.testing.capture_logs() as lines:
            await _until(lambda: bool(lines))
        path = away / PLAIN / "variant.yaml"
        path.write_text(path.read_text().replace("title: Weighted mean", "title: Renamed"))
        away.rename(problems)
        await _until(
            lambda: watching.catalogue.get("weighted_mean/plain").title == "Renamed" or task.done()
        )
        assert not task.done()
        task.cancel()
        await asyncio.wait({task})

    asyncio.run(moved())
