"""A new package is complete, but for what its author must decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import Invalid
from app.problem import load_catalogue, scaffold
from tests.problem.plain_runner import PlainRunner


def test_a_new_family_and_a_new_variant_load(
    tmp_path: Path, runner: PlainRunner, problems: Path
) -> None:
    """What is written can be served at once; a variant takes the inputs of its own family."""
    written = scaffold.write(problems, "rms")
    assert Path("rms/family.yaml") in written
    assert all((problems / path).is_file() for path in written)
    scaffold.write(problems, "weighted_mean/third")
    catalogue = load_catalogue(problems, tmp_path / "cache", runner)
    assert catalogue.broken == ()
    third = catalogue.get("weighted_mean/third")
    assert [a.name for a in third.arguments] == ["values", "weights"]
    assert third.tests[0].contents().answer == {"mean": 3.0, "total": 3.0}
    assert catalogue.get("rms/first").tests[0].sample


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("weighted_mean", "already"),
        ("weighted_mean/plain", "already"),
        ("nothing/first", "there is no family"),
        ("Big", "cannot be a name"),
        ("../up", "cannot be a name"),
        ("a/../b", "cannot be a name"),
        ("a/", "cannot be a name"),
        ("", "cannot be a name"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_written(
    problems: Path, name: str, words: str
) -> None:
    """Nothing that exists is ever written over."""
    before = sorted(problems.rglob("*"))
    with pytest.raises(Invalid, match=words):
        scaffold.write(problems, name)
    assert sorted(problems.rglob("*")) == before
