"""`generate` writes the same bytes for the same package, and nothing when a program fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import PackageError
from app.problem.generate import generate
from tests.problem.plain_runner import PlainRunner

Edit = Callable[[str, str, str], None]
NAME = "weighted_mean"


def kinds(problems: Path, runner: PlainRunner, *, check: bool = False) -> dict[str, str]:
    changes = generate(problems, NAME, runner, check=check)
    return {change.file.stem: change.kind for change in changes if change.kind != "unchanged"}


def test_made_again_nothing_changes(problems: Path, runner: PlainRunner) -> None:
    """The data in the package is what its generator and core make."""
    assert kinds(problems, runner) == {}


def test_only_what_changed_is_written_and_told(
    problems: Path, runner: PlainRunner, edit: Edit
) -> None:
    """A changed input makes its file new; a vanished test takes its file along; `check` writes nothing."""
    edit("family.yaml", "[4.0, 5.0]", "[4.0, 5.5]")
    edit("family.yaml", "  tiny:", "  tinier:")
    for variant in ("plain", "report"):
        edit(f"variants/{variant}/variant.yaml", "tiny", "tinier")
    want = {"heavy_end": "changed", "tinier": "new", "tiny": "removed"}
    assert kinds(problems, runner, check=True) == want
    assert kinds(problems, runner) == want
    assert kinds(problems, runner, check=True) == {}


def test_a_lost_or_damaged_file_is_made_again(problems: Path, runner: PlainRunner) -> None:
    """Whatever happened to data/, `generate` is the remedy."""
    data = problems / NAME / "data"
    before = (data / "many.json").read_bytes()
    (data / "equal.json").unlink()
    (data / "many.json").write_bytes(b"\xff broken")
    assert kinds(problems, runner) == {"equal": "new", "many": "changed"}
    assert (data / "many.json").read_bytes() == before


def test_answers_are_made_for_each_set_of_parameters(
    problems: Path, runner: PlainRunner, edit: Edit
) -> None:
    """A variant with a parameter of its own has answers of its own, and it loads afterwards."""
    edit(
        "variants/report/variant.yaml",
        "preserve_inputs",
        "parameters: {offset: 1.0}\npreserve_inputs",
    )
    assert set(kinds(problems, runner)) >= {"equal", "unequal", "many"}
    text = (problems / NAME / "data" / "equal.json").read_text()
    assert '{"parameters": {"offset": 0.0}, "mean": 3.0, "total": 3.0}' in text
    assert '{"parameters": {"offset": 1.0}, "mean": 2.25, "total": 4.0}' in text


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("core.py", "    total =", "    raise KeyError(1)\n    total =", "the core raised KeyError.*: 1"),
        ("core.py", "    total =", "    while True: pass\n    total =", "the core went over the limit"),
        ("core.py", '"mean": mean', '"maen": mean', "the core returned the keys maen, total"),
        ("core.py", "import math", "import math, os; os._exit(3)", "the core ended without a result"),
        ("generators/spread.py", "return {", "return {[", "generators/spread.py:12: is not Python"),
        ("generators/spread.py", '"weights": np.array(weights)', "'w': 1", "returned the keys values, w"),
    ],
)  # fmt: skip
def test_a_program_that_fails_is_told_with_its_test_and_nothing_is_written(
    problems: Path, edit: Edit, file: str, old: str, new: str, words: str
) -> None:
    """Half a package is worse than none: all is made before anything is written."""
    edit(file, old, new)
    before = {path: path.read_bytes() for path in (problems / NAME / "data").iterdir()}
    (problems / NAME / "data" / "equal.json").unlink()
    with pytest.raises(PackageError, match=words):
        generate(problems, NAME, PlainRunner(time_limit_s=0.5))
    assert not (problems / NAME / "data" / "equal.json").exists()
    after = {path: path.read_bytes() for path in (problems / NAME / "data").iterdir()}
    assert after.items() < before.items()


def test_progress_counts_to_the_end(problems: Path, runner: PlainRunner) -> None:
    """Each run moves the bar, and the last one fills it."""
    seen: list[tuple[int, int]] = []
    generate(problems, NAME, runner, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(i + 1, len(seen)) for i in range(len(seen))]
