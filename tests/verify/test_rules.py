"""Each rule of the gate refuses the package that breaks it, and accepts that package's twin.

The packages are data: tests/packages/base, and for each file in tests/packages/rules the edits that
break it, and edits nearby that do not.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.errors import NotFound
from app.problem.generate import generate
from app.sandbox import Keeper
from app.verify import Report, verify

PACKAGES = Path(__file__).resolve().parent.parent / "packages"
KATEX = Path(__file__).resolve().parents[2] / "static" / "dist" / "katex.js"
RULES = sorted(path.stem for path in (PACKAGES / "rules").glob("*.yaml"))
NAME = "weighted_mean"
MAKES_DATA = ("family.yaml", "core.py", "generators/spread.py")


@pytest.fixture(scope="module")
def keeper() -> Iterator[Keeper]:
    with Keeper() as keeper:
        yield keeper


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def described(rule: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((PACKAGES / "rules" / f"{rule}.yaml").read_text())
    return found


def edited(package: Path, edits: list[dict[str, Any]]) -> None:
    for edit in edits:
        path = package / edit["file"]
        if edit.get("remove"):
            path.unlink()
        elif "content" in edit:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(edit["content"])
        else:
            text = path.read_text()
            assert edit["old"] in text, f"{edit['old']!r} is not in {edit['file']}"
            path.write_text(text.replace(edit["old"], edit["new"], 1))


def examined(
    rule: dict[str, Any], side: dict[str, Any], folder: Path, keeper: Keeper, cache: Path
) -> Report:
    """The base package with one side's edits, generated anew unless it is stale on purpose."""
    shutil.copytree(PACKAGES / "base", folder)
    edited(folder / NAME, side.get("edits", []))
    if not side.get("stale") and any(edit["file"] in MAKES_DATA for edit in side.get("edits", [])):
        generate(folder, NAME, keeper)
    edited(folder / NAME, side.get("data", []))
    target = rule.get("target") or side.get("target") or "plain"
    katex = KATEX if rule["rule"] == "formulas" and KATEX.exists() else None
    mutants = bool(rule.get("mutants"))
    [report] = verify(folder, [f"{NAME}/{target}"], keeper, cache, katex=katex, mutants=mutants)
    return report


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_a_broken_package_is_refused_for_its_rule_alone(
    name: str, tmp_path: Path, keeper: Keeper, cache: Path
) -> None:
    """The promise in the rule's file: the reason names the rule, and no other rule cries wolf."""
    rule = {"rule": name, **described(name)}
    if rule["rule"] == "formulas" and not KATEX.exists():
        pytest.skip("needs the built pages: python static/hatch_build.py")
    report = examined(rule, rule["broken"], tmp_path / "problems", keeper, cache)
    lines = "\n".join(map(str, report.reasons))
    assert not report.kept
    assert re.search(rule["broken"]["reason"], lines), lines
    allowed = {rule["rule"], *rule["broken"].get("besides", [])}
    assert {reason.rule for reason in report.reasons} <= allowed, lines


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_its_twin_is_accepted(name: str, tmp_path: Path, keeper: Keeper, cache: Path) -> None:
    """A package nearly the same that keeps the promise passes the whole gate."""
    rule = {"rule": name, **described(name)}
    report = examined(rule, rule["twin"], tmp_path / "problems", keeper, cache)
    assert report.kept, "\n".join(map(str, report.reasons))


def test_the_base_package_keeps_every_promise(tmp_path: Path, keeper: Keeper) -> None:
    """All rules, mutants too, on both variants; progress goes from nothing to all."""
    steps: list[tuple[int, int]] = []
    [report] = verify(
        PACKAGES / "base",
        [],
        keeper,
        tmp_path,
        progress=lambda what, done, total: steps.append((done, total)),
    )
    assert report.kept, "\n".join(map(str, report.reasons))
    assert report.figures["plain"]["mutants"]["survived"] == 0
    assert steps[0][0] == 0
    assert steps[-1][0] == steps[-1][1]
    assert report.to_json()["kept"]


@pytest.mark.parametrize(
    "target", ["nothing", "weighted_mean/nothing", "../base", "weighted_mean/.."]
)
def test_a_target_that_is_not_there_is_told(target: str, tmp_path: Path, keeper: Keeper) -> None:
    """A typing error must not look like a package that passed."""
    with pytest.raises(NotFound):
        verify(PACKAGES / "base", [target], keeper, tmp_path)
