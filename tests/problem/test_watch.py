"""A changed package takes the place of the old one, while everybody holds the same catalogue."""

from __future__ import annotations

import shutil
from pathlib import Path

from app.problem import Catalogue
from app.problem.watch import Watch

PLAIN = Path("weighted_mean", "variants", "plain", "variant.yaml")


def test_what_changed_is_reloaded_and_nothing_else(catalogue: Catalogue, problems: Path) -> None:
    """Changed, broken, corrected, added, removed: each is seen once."""
    watch = Watch(problems)
    assert watch.reload(catalogue) == ()
    text = (problems / PLAIN).read_text()

    (problems / PLAIN).write_text(text.replace("title: Weighted mean", "title: Renamed"))
    assert watch.reload(catalogue) == ("weighted_mean",)
    assert catalogue.get("weighted_mean/plain").title == "Renamed"
    assert watch.reload(catalogue) == ()

    (problems / PLAIN).write_text("title: [")
    watch.reload(catalogue)
    assert [v.id for v in catalogue.variants] == ["weighted_mean/report"]
    assert "plain/variant.yaml" in str(catalogue.broken[0])

    (problems / PLAIN).write_text(text)
    watch.reload(catalogue)
    assert catalogue.broken == ()

    shutil.copytree(problems / "weighted_mean", problems / "another")
    assert watch.reload(catalogue) == ("another",)
    shutil.rmtree(problems / "weighted_mean")
    assert watch.reload(catalogue) == ("weighted_mean",)
    assert {v.family for v in catalogue.variants} == {"another"}


def test_byte_code_and_editors_leftovers_are_not_a_change(problems: Path) -> None:
    """What Python leaves behind is no part of a package."""
    watch = Watch(problems)
    cache = problems / "weighted_mean" / "__pycache__"
    cache.mkdir()
    (cache / "core.pyc").write_bytes(b"")
    assert watch.changed() == ()
