"""An upload is examined test by test; what it accepts can be laid over the package."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.errors import Invalid, NotFound
from app.problem import Catalogue, load_catalogue, upload_reading, uploads
from app.problem.uploads import DryRun
from tests.problem.plain_runner import PlainRunner


def entry_of(**changes: Any) -> dict[str, Any]:
    arguments = {"values": [1.0, 5.0], "weights": [1.0, 3.0]} | changes.pop("arguments", {})
    entry = {"name": "added", "labels": ["equal weights"], "arguments": arguments} | changes
    return {key: item for key, item in entry.items() if item is not ...}


@pytest.fixture
def dry_run(catalogue: Catalogue, runner: PlainRunner) -> Callable[..., DryRun]:
    def _run(*tests: Any) -> DryRun:
        return uploads.examine(catalogue, "weighted_mean", {"tests": list(tests)}, runner)

    return _run


def test_a_dry_run_shows_each_answer_in_each_variants_form(
    dry_run: Callable[..., DryRun], catalogue: Catalogue
) -> None:
    """The core computes the outputs in a box; nothing is changed by looking."""
    before = [variant.version for variant in catalogue.variants]
    [examined] = dry_run(entry_of()).tests
    assert examined.refusals == ()
    assert examined.warnings == ()
    answers = {fit.variant: fit.answer for fit in examined.fits}
    assert answers == {"plain": 4.0, "report": {"mean": 4.0, "total": 4.0}}
    assert [variant.version for variant in catalogue.variants] == before


def test_what_is_accepted_can_be_laid_over_the_package(
    dry_run: Callable[..., DryRun], catalogue: Catalogue
) -> None:
    """After applying, each variant that the test fits has one secret test more, with its hint."""
    catalogue.overlay("weighted_mean", dry_run(entry_of()).accepted)
    added = catalogue.get("weighted_mean/report").tests[-1]
    assert (added.name, added.sample) == ("added", False)
    assert added.contents().answer == {"mean": 4.0, "total": 4.0}
    assert added.hint == "Equal weights give the plain mean."


def test_a_test_goes_only_to_the_variants_that_it_fits(dry_run: Callable[..., DryRun]) -> None:
    """An infinite weight is allowed by the family, and by neither variant's contract."""
    weights = {"weights": [1.0, {"float": "Infinity"}]}
    [examined] = dry_run(entry_of(arguments=weights)).tests
    assert [fit.fits for fit in examined.fits] == [False, False]
    assert "fits no variant (plain: weights[1]: must be finite" in examined.refusals[0].message


@pytest.mark.parametrize(
    ("entry", "where", "words"),
    [
        ("text", "tests[0]", "must be an object"),
        (entry_of(name="Bad Name"), "tests[0].name", "small letters"),
        (entry_of(name=...), "tests[0].name", "small letters"),
        (entry_of(name="equal"), "tests[0].name", "there is a test 'equal' already"),
        (entry_of(labels=[]), "tests[0].labels", "at least one label"),
        (entry_of(labels=["a", "a"]), "tests[0].labels[1]", "twice"),
        (entry_of(labels=["a\u202eb"]), "tests[0].labels[0]", "plain text"),
        (entry_of(labels=[3]), "tests[0].labels[0]", "plain text"),
        (entry_of(lables=["a"]), "tests[0].lables", "not a key"),
        ({**entry_of(), "arguments": 3}, "tests[0].arguments", "inputs values, weights"),
        ({**entry_of(), "arguments": {"values": [1]}}, "tests[0].arguments.weights", "is missing"),
        (entry_of(arguments={"eps": 1}), "tests[0].arguments.eps", "is not an input of the core"),
        (entry_of(arguments={"values": [1, [2]]}), "tests[0].arguments.values[1]", "a list stands"),
        (entry_of(arguments={"weights": [1, 0]}), "tests[0].arguments.weights[1]", "above 0"),
        (entry_of(arguments={"weights": [1]}), "tests[0].arguments.weights", "the shape of values"),
        (entry_of(arguments={"values": [1, {"float": "NaN"}]}), "tests[0].arguments.values[1]", "finite"),
        (
            entry_of(arguments={"values": [1.0, 2.0, 6.0], "weights": [1.0, 1.0, 1.0]}),
            "tests[0].arguments",
            "the test 'equal' has the same inputs",
        ),
    ],
)  # fmt: skip
def test_a_refusal_says_where_and_why(
    dry_run: Callable[..., DryRun], entry: Any, where: str, words: str
) -> None:
    """Each fault is told at its place, and the test is not accepted."""
    found = dry_run(entry)
    assert found.accepted == ()
    assert found.refusals[0].where == where
    assert words in found.refusals[0].message


def test_one_bad_test_does_not_take_the_others_along(dry_run: Callable[..., DryRun]) -> None:
    """Names and inputs are compared within the upload as well."""
    found = dry_run(entry_of(), entry_of(), entry_of(name="other"), entry_of(name="x", labels=[]))
    assert [test.name for test in found.accepted] == ["added"]
    assert [e.where for e in found.refusals] == [
        "tests[1].name",
        "tests[1].arguments",
        "tests[2].arguments",
        "tests[3].labels",
        "tests[3].arguments",
    ]


def test_what_is_odd_but_allowed_is_a_warning(dry_run: Callable[..., DryRun]) -> None:
    """A new label has no hint, and a tie should be called one."""
    tie = {"values": [0.00005, 0.00005], "weights": [1.0, 1.0]}
    exact = {"values": [0.03125, 0.03125], "weights": [1.0, 1.0]}
    assert dry_run(entry_of(arguments=tie)).tests[0].warnings
    [examined] = dry_run(entry_of(arguments=exact, labels=["news"])).tests
    assert "the label 'news' is new" in examined.warnings[0]
    assert "rounding tie" in examined.warnings[1]


@pytest.mark.parametrize("body", ["raise ValueError('no')", "import os; os._exit(1)", "return {}"])
def test_a_core_that_fails_refuses_the_test_with_the_reason(
    problems: Path,
    tmp_path: Path,
    runner: PlainRunner,
    edit: Callable[[str, str, str], None],
    body: str,
) -> None:
    """The upload goes on with the other tests."""
    edit("core.py", "    total", f"    if len(values) == 2: {body}\n    total")
    catalogue = load_catalogue(problems, tmp_path / "c", runner)
    three = {"values": [1, 2, 3], "weights": [1, 2, 3]}
    data = {"tests": [entry_of(), entry_of(name="three", arguments=three)]}
    found = uploads.examine(catalogue, "weighted_mean", data, runner)
    assert [test.name for test in found.accepted] == ["three"]
    assert "the core" in found.refusals[0].message


@pytest.mark.parametrize(
    "data",
    [None, [], {}, {"tests": []}, {"tests": {}}, {"tests": [1], "x": 1}, {"tests": [1] * 1001}],
)
def test_a_document_without_tests_is_refused_as_a_whole(
    catalogue: Catalogue, runner: PlainRunner, data: object
) -> None:
    """There is nothing to tell test by test."""
    with pytest.raises(Invalid):
        uploads.examine(catalogue, "weighted_mean", data, runner)


def test_an_unknown_family_is_not_found(catalogue: Catalogue, runner: PlainRunner) -> None:
    """The edge makes a 404 of it."""
    with pytest.raises(NotFound):
        uploads.examine(catalogue, "nothing", {"tests": [entry_of()]}, runner)


LABELS = {
    "two steps": True,
    "größer als null": True,
    "ゼロで割る": True,
    "норма равна пределу": True,
    "الحد الأقصى": True,
    "x ≤ y²": True,
    "": False,
    " ": False,
    "a ": False,
    "x" * 81: False,
    "a\u202eb": False,
    "a\u2067b": False,
    "a\u200bb": False,
    "a\u200db": False,
    "a\ufeffb": False,
    "a\u00adb": False,
    "a\u2028b": False,
    "a\u0000b": False,
    "a\nb": False,
    "\u3164": False,
    "\u2800": False,
    "\U000e0041": False,
    "\ue000": False,
    "e\u0301": False,
}


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_text_that_looks_like_what_it_is(label: str) -> None:
    """In every script; without what cannot be seen, turns lines around, or looks like another."""
    assert upload_reading.plain_text(label) == LABELS[label]
