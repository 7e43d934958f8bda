"""`allclose rejudge`, over a database without a server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.__main__ import commands
from app.errors import AllcloseError
from app.store import Store, open_store
from tests.store.test_rejudges import judged, sent


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One accepted submission."""

    async def fill() -> None:
        store = open_store(tmp_path / "allclose.sqlite3")
        await store.add_submission(sent("one"), "guest:1", "user:1")
        await store.add_judgement(sent("one"), judged("AA"))
        await store.close()

    asyncio.run(fill())
    return tmp_path


def judge(data: Path) -> None:
    """As a worker does."""

    async def work(store: Store) -> None:
        again = await store.unjudged_submission("one")
        assert again is not None
        await store.add_judgement(again, judged("AW", "v2"))
        await store.close()

    asyncio.run(work(open_store(data / "allclose.sqlite3")))


def allclose(data: Path, *words: str) -> Result:
    return CliRunner().invoke(commands, ["rejudge", *words, "--data", str(data)])


def test_a_rejudge_from_the_command_line(data: Path) -> None:
    """Look, begin, look, release."""
    dry = allclose(data, "begin", "family", "--verdict", "AC", "--dry-run")
    assert "family/variant" in dry.output
    assert allclose(data, "begin", "family/variant").stdout == "rejudge 1\n"
    judge(data)
    told = json.loads(allclose(data, "show", "1", "--json").stdout)
    assert (told["judged"], told["changed"]) == (1, 1)
    assert told["changes"][0]["flips"] == [{"test": "b", "before": "AC", "after": "WA"}]
    shown = " ".join(allclose(data, "show", "1").stdout.split())
    assert "AC → WA (b AC → WA)" in shown
    assert "1 of 1" in allclose(data, "list").stdout
    assert allclose(data, "release", "1").exit_code == 0
    assert isinstance(allclose(data, "discard", "1").exception, AllcloseError)
    assert "another judging" in allclose(data, "one", "one").stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("begin", "--verdict", "OK"), "not a verdict"),
        (("begin", "--from", "yesterday"), "not a day"),
        (("begin", "--to", "9999-12-31"), "not a day"),
        (("begin", "none"), "no submission fits"),
        (("show", "7"), "no rejudge 7"),
        (("release", "7"), "no rejudge 7"),
        (("one", "none"), "no such submission"),
    ],
)
def test_wrong_usage_says_what_is_wrong(data: Path, words: tuple[str, ...], told: str) -> None:
    """As one deliberate error, which becomes a line and exit code 2."""
    done = allclose(data, *words)
    assert isinstance(done.exception, AllcloseError)
    assert told in str(done.exception)
