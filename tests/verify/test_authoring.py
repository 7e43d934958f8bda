"""A new package fails the gate only where its author must decide; the ten steps lead through it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.problem import scaffold
from app.problem.generate import generate
from app.sandbox import Keeper
from app.verify import verify

PROBLEMS = Path(__file__).resolve().parents[2] / "problems"
FAMILIES = sorted(path.parent.name for path in PROBLEMS.glob("*/family.yaml"))
README = PROBLEMS / "README.md"
KATEX = Path(__file__).resolve().parents[2] / "static" / "dist" / "katex.js"
_FILE = re.compile(r"^(`{3,4})\w+ (rms/\S+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def keeper() -> Iterator[Keeper]:
    with Keeper() as keeper:
        yield keeper


def test_a_new_family_fails_only_where_its_author_must_decide(
    tmp_path: Path, keeper: Keeper
) -> None:
    """Words to write, tests and programs to add: nothing that a program could have done."""
    scaffold.write(tmp_path, "fresh")
    scaffold.write(tmp_path, "fresh/second")
    [report] = verify(tmp_path, [], keeper, tmp_path / "cache")
    rules = {reason.rule for reason in report.reasons}
    assert rules == {"decide", "test_count", "accepted_count", "verdicts"}
    places = {reason.path for reason in report.reasons if reason.rule == "decide"}
    assert {Path(place).name for place in places} >= {"family.yaml", "core.py", "statement.md"}
    assert all(reason.line for reason in report.reasons if reason.rule == "decide")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_new_variant_of_any_family_fails_only_where_its_author_must_decide(
    family: str, tmp_path: Path, keeper: Keeper
) -> None:
    """Its contract is that of what the core gives: arrays, lists, dicts of dicts, whole numbers."""
    shutil.copytree(PROBLEMS / family, tmp_path / family)
    scaffold.write(tmp_path, f"{family}/another")
    generate(tmp_path, family, keeper)
    [report] = verify(tmp_path, [f"{family}/another"], keeper, tmp_path / "cache")
    rules = {reason.rule for reason in report.reasons}
    # Which mistakes can be made at all, its parameters decide.
    mistakes = {"mistakes_show", "coinciding"}
    told = "\n".join(map(str, report.reasons))
    assert rules - mistakes == {"decide", "accepted_count", "verdicts"}, told


def test_the_ten_steps_followed_literally_make_a_package_that_is_kept(
    tmp_path: Path, keeper: Keeper
) -> None:
    """The README's files, over what `new` writes, pass the whole gate, mutants included."""
    scaffold.write(tmp_path, "rms")
    files = {path: text for _, path, text in _FILE.findall(README.read_text())}
    assert len(files) >= 15
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    generate(tmp_path, "rms", keeper)
    katex = KATEX if KATEX.exists() else None
    [report] = verify(tmp_path, ["rms"], keeper, tmp_path / "cache", katex=katex)
    assert report.kept, "\n".join(map(str, report.reasons))
