"""A package on disk becomes variants; a broken one names file, line and remedy."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from app.contract import Dict, Leaf, ListOf
from app.errors import NotFound
from app.model import Take
from app.problem import Catalogue, load_catalogue
from tests.problem.plain_runner import PlainRunner

Edit = Callable[[str, str, str], None]
PLAIN = "variants/plain/variant.yaml"


def test_variants_carry_contract_core_and_tests_in_their_own_form(catalogue: Catalogue) -> None:
    """After loading nobody needs to know that families exist."""
    assert catalogue.broken == ()
    assert [v.id for v in catalogue.variants] == ["weighted_mean/plain", "weighted_mean/report"]
    report = catalogue.get("weighted_mean/report")
    assert isinstance(report.returns, Dict)
    assert report.arguments[1].contract == ListOf(Leaf("number", above=0, finite=True), 1)
    assert report.core.answer == {"mean": Take("mean"), "total": Take("total")}
    assert [t.sample for t in report.tests] == [True] + [False] * 9
    plain = {t.name: t for t in catalogue.get("weighted_mean/plain").tests}
    listed = {t.name: t for t in report.tests}
    assert type(plain["given_arrays"].contents().arguments[0]) is np.ndarray
    assert listed["given_arrays"].contents().arguments == ([1.25, -8.0, 3.5], [0.75, 4.0, 9.0])
    assert listed["unequal"].contents().answer == {"mean": 13 / 6, "total": 6.0}
    assert listed["unequal"].hint == "Each value counts as often as its weight says."


def test_stored_arrays_cannot_be_changed_by_mistake(catalogue: Catalogue) -> None:
    """Contents are shared between judgements, so their arrays are read-only."""
    tests = {t.name: t for t in catalogue.get("weighted_mean/plain").tests}
    array = tests["given_arrays"].contents().arguments[0]
    assert isinstance(array, np.ndarray)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1.0


def test_loading_runs_nothing(catalogue: Catalogue, runner: PlainRunner) -> None:
    """A start needs no box: stored answers are enough."""
    assert catalogue.variants
    assert runner.calls == 0


BROKEN = [
    (PLAIN, "difficulty: easy", "difficulty: trivial", 2, "difficulty: should be 'easy'"),
    (PLAIN, "minutes: 5", "minuets: 5", 3, "minuets: is not a key.*did you mean minutes"),
    (PLAIN, "minutes: 5", "minutes: '5'", 3, "minutes: should be a valid integer"),
    (PLAIN, "{number: {display: 4}}", "{nubmer: {}}", 11, "'nubmer' is not a kind.*did you mean number"),
    (PLAIN, "{display: 4}", "{rounding: 4}", 11, "rounding"),
    (PLAIN, "like: values", "like: vlaues", 9, "did you mean values"),
    (PLAIN, "answer: mean", "answer: average", 12, "'average' is not an output"),
    (PLAIN, "test: unequal", "test: unequall", 16, "no test 'unequall'"),
    (PLAIN, "tests: [heavy_end", "tests: [equal", 17, "listed twice"),
    (PLAIN, "inputs: {values: values,", "inputs: {values: weights,", 10, "exactly once"),
    (PLAIN, "tags: [statistics]", "figure: curve", 4, "no figures/curve.js"),
    (PLAIN, "tags: [statistics]", "parameters: {offset: 2.0}", 15, "no stored answer.*generate"),
    (PLAIN, "tags: [statistics]", "tags: &t [*t]", 4, "anchor"),
    (PLAIN, "tags: [statistics]", "bonus: {points: 5, title: T, runtime: pyhton}", 4,
     "bonus.runtime: must be one of numpy, python"),
    (PLAIN, "tags: [statistics]", "limits: {memory_mib: 8}", 4, "memory_mib.*16"),
    ("variants/plain/starter.py", "def ", "def def ", 1, "is not Python"),
    ("family.yaml", "[equal weights]", "[equal wieghts]", 19, "not listed"),
    ("family.yaml", "seed: 11", "seed: null", 30, "needs a `seed`"),
    ("family.yaml", "generator: spread", "generator: spraed", 32, "no generators/spraed.py"),
    ("family.yaml", "[1.0, 2.0, 6.0], weights", "[1.0, x, {y: 2}], weights", 19, "must be one of array"),
    ("data/equal.json", '"inputs_hash": "', '"inputs_hash": "0', None, "made from other inputs.*generate"),
    ("core.py", "values, weights", "weights, values", 6, "takes .weights, values, offset."),
    ("check.py", "def check", "def chekc", None, "does not define check"),
    ("mistakes/weights_ignored.py", '"""', 'r = """', 1, "needs a docstring"),
    ("data/equal.json", '"outputs": [', '"outputs": [,', 3, "is not JSON"),
    ("data/equal.json", '"mean": 3.0', '"maen": 3.0', None, "not what `generate` writes"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "line", "words"), BROKEN)
def test_a_broken_file_is_named_with_line_and_remedy(
    edit: Edit,
    problems: Path,
    tmp_path: Path,
    runner: PlainRunner,
    file: str,
    old: str,
    new: str,
    line: int | None,
    words: str,
) -> None:
    """The first thing wrong in the file is told where it stands; nothing is executed."""
    edit(file, old, new)
    catalogue = load_catalogue(problems, tmp_path / "cache", runner)
    [error, *_] = catalogue.broken
    assert (str(error.path), error.line) == (f"weighted_mean/{file}", line)
    assert re.search(words, str(error)), str(error)
    assert runner.calls == 0


def test_a_broken_variant_leaves_the_others_standing(
    edit: Edit, problems: Path, tmp_path: Path, runner: PlainRunner
) -> None:
    """Only what is broken is left out, and asking for it says that it is not there."""
    edit(PLAIN, "difficulty: easy", "difficulty: 3")
    catalogue = load_catalogue(problems, tmp_path / "cache", runner)
    assert [v.id for v in catalogue.variants] == ["weighted_mean/report"]
    with pytest.raises(NotFound):
        catalogue.get("weighted_mean/plain")


def test_links_out_huge_files_and_pipes_are_refused(
    problems: Path, tmp_path: Path, runner: PlainRunner
) -> None:
    """Each kind of file that is not a small regular one inside the folder is an error."""
    package = problems / "weighted_mean"
    secret = tmp_path / "secret.md"
    secret.write_text("secret")

    def broken() -> str:
        return str(load_catalogue(problems, tmp_path / "cache", runner).broken[0])

    (package / "lesson.md").unlink()
    (package / "lesson.md").symlink_to(secret)
    assert "leads out of the package's folder" in broken()
    (package / "lesson.md").unlink()
    os.mkfifo(package / "lesson.md")
    assert "is not a regular file" in broken()
    (package / "lesson.md").unlink()
    with (package / "lesson.md").open("wb") as file:
        file.truncate(1 << 30)
    assert "is larger than" in broken()
    (package / "lesson.md").write_text("[" * (32 << 10 | 1))  # a second of rendering, on a page
    assert "is larger than 32 KiB (say it in fewer words)" in broken()
    (package / "lesson.md").write_bytes(b"fine\nbad \xff\n")
    assert "lesson.md:2: is not UTF-8" in broken()


def test_a_big_test_is_made_once_and_mapped_from_disk(
    problems: Path, tmp_path: Path, runner: PlainRunner
) -> None:
    """Generator and core run when first asked for; afterwards, and elsewhere, files serve."""
    for expected_calls in (2, 2):
        catalogue = load_catalogue(problems, tmp_path / "cache", runner)
        big = catalogue.get("weighted_mean/plain").tests[-1]
        for _ in range(2):
            contents = big.contents()
            values = contents.arguments[0]
            assert type(values) is np.ndarray
            assert values.shape == (2000,)
            assert not values.flags.writeable
            assert isinstance(contents.answer, float)
        assert runner.calls == expected_calls


VERSION = [
    (PLAIN, "rtol: 1.0e-9", "rtol: 1.0e-8", True),
    (PLAIN, "[heavy_end, negative,", "[negative, heavy_end,", True),
    (PLAIN, "display: 4", "display: 3", True),
    ("core.py", "import math", "import math  # exact sums", True),
    ("generators/spread.py", "4000) / 16", "4000) / 32", True),
    ("variants/plain/statement.md", "Return", "Give", False),
    ("variants/plain/hints.md", "total", "sum", False),
    ("family.yaml", "plain mean.", "usual mean.", False),
    ("variants/plain/submissions/accepted/loop.py", "plain", "simple", False),
]


@pytest.mark.parametrize(("file", "old", "new", "decides"), VERSION)
def test_the_version_changes_with_what_decides_verdicts_only(
    edit: Edit,
    problems: Path,
    tmp_path: Path,
    runner: PlainRunner,
    file: str,
    old: str,
    new: str,
    decides: bool,
) -> None:
    """A typo in a text outdates nobody's verdict; a changed tolerance, test or core does."""
    before = load_catalogue(problems, tmp_path / "cache", runner).get("weighted_mean/plain")
    edit(file, old, new)
    after = load_catalogue(problems, tmp_path / "cache", runner).get("weighted_mean/plain")
    assert (before.version != after.version) is decides
