"""One stable object for all variants; what it knows is swapped as a whole."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.errors import NotFound
from app.model import Raised, Returned
from app.problem import Catalogue, load_catalogue
from app.problem.catalogue import load_package
from app.problem.uploaded import UploadedTest, from_json
from app.problem.versions import digest
from tests.problem.conftest import BASE
from tests.problem.plain_runner import PlainRunner

ADDED = UploadedTest(
    name="added",
    labels=("one more",),
    inputs={"weights": [1.0, 3.0], "values": [1.0, 5.0]},
    core=digest((BASE / "weighted_mean" / "core.py").read_text()),
    outputs=(({"offset": 0.0}, {"mean": 4.0, "total": 4.0}),),
    variants=("report",),
)


def test_uploaded_tests_come_after_the_packages_own_with_a_new_version(
    catalogue: Catalogue,
) -> None:
    """Only the variants that they fit get them, secret, and the version tells."""
    before = catalogue.get("weighted_mean/report")
    plain = catalogue.get("weighted_mean/plain")
    catalogue.overlay("weighted_mean", [ADDED])
    after = catalogue.get("weighted_mean/report")
    assert after.version != before.version
    assert len(after.tests) == len(before.tests) + 1
    assert not after.tests[-1].sample
    assert after.tests[-1].contents().answer == {"mean": 4.0, "total": 4.0}
    assert catalogue.get("weighted_mean/plain").version == plain.version
    catalogue.overlay("weighted_mean", [])
    assert catalogue.get("weighted_mean/report").version == before.version


def test_what_the_store_keeps_of_an_upload_gives_the_same_version(catalogue: Catalogue) -> None:
    """A restart, or another machine, judges by the same version."""
    catalogue.overlay("weighted_mean", [ADDED])
    version = catalogue.get("weighted_mean/report").version
    stored = json.loads(json.dumps(ADDED.to_json(), sort_keys=True))
    catalogue.overlay("weighted_mean", [from_json(stored)])
    assert catalogue.get("weighted_mean/report").version == version


@pytest.mark.parametrize(
    "changes", [{"core": "another"}, {"outputs": (({"offset": 9.0}, {"mean": 0.0, "total": 0.0}),)}]
)
def test_answers_that_another_core_or_parameter_made_are_made_again(
    catalogue: Catalogue, runner: PlainRunner, changes: dict[str, Any]
) -> None:
    """A package that changed after an upload still judges by what its core says now."""
    catalogue.overlay("weighted_mean", [replace(ADDED, **changes)])
    added = catalogue.get("weighted_mean/report").tests[-1]
    for _ in range(2):
        assert added.contents().answer == {"mean": 4.0, "total": 4.0}
    assert runner.calls == 1


def test_an_uploaded_test_that_does_not_fit_any_more_is_left_out_and_told(
    catalogue: Catalogue,
) -> None:
    """The others are served; nobody is judged by arguments that the contract forbids."""
    outside = replace(ADDED, name="outside", inputs={"values": [1.0], "weights": [-1.0]})
    catalogue.overlay("weighted_mean", [outside, ADDED])
    assert catalogue.get("weighted_mean/report").tests[-1].name == "added"
    assert len(catalogue.get("weighted_mean/report").tests) == 11
    assert "outside: weights[0]: must be above 0" in str(catalogue.broken[0])


def test_a_package_that_vanished_is_dropped(catalogue: Catalogue) -> None:
    """Asking for it says that it is not there; laying tests over it does nothing."""
    catalogue.drop("weighted_mean")
    catalogue.overlay("weighted_mean", [ADDED])
    assert catalogue.variants == ()
    with pytest.raises(NotFound):
        catalogue.family("weighted_mean")


def test_a_changed_package_takes_the_place_of_the_old_one(
    catalogue: Catalogue, problems: Path
) -> None:
    """Everybody holds the same catalogue; after a change on disk it knows the new package."""
    path = problems / "weighted_mean" / "variants" / "plain" / "variant.yaml"
    path.write_text(path.read_text().replace("title: Weighted mean", "title: Renamed"))
    catalogue.put(load_package(problems, "weighted_mean", catalogue.maker))
    assert catalogue.get("weighted_mean/plain").title == "Renamed"


def test_a_mistake_is_predicted_in_the_variants_own_form(
    catalogue: Catalogue, runner: PlainRunner
) -> None:
    """All mistakes run once on a test that failed; asked again, nothing runs."""
    report = catalogue.get("weighted_mean/report")
    ignored = next(m for m in report.mistakes if m.name == "weights_ignored")
    heavy = next(t for t in report.tests if t.name == "heavy_end")
    for _ in range(3):
        assert report.predict(ignored, heavy) == Returned({"mean": 4.5, "total": 7.0}, True)
    assert runner.calls == len(report.mistakes)


def test_a_mistake_that_raises_is_predicted_as_such(
    problems: Path, tmp_path: Path, runner: PlainRunner
) -> None:
    """How a program fails can be the same as how a mistake fails."""
    file = problems / "weighted_mean" / "mistakes" / "crashes.py"
    file.write_text(
        '"""Crashes\n\nAlways."""\ndef mistake(values, weights, offset):\n    return 1 / 0\n'
    )
    report = load_catalogue(problems, tmp_path / "c", runner).get("weighted_mean/report")
    fact = report.predict(report.mistakes[0], report.tests[0])
    assert isinstance(fact, Raised)
    assert fact.type_name == "ZeroDivisionError"


def test_predictions_for_big_tests_are_kept_on_disk(
    problems: Path, tmp_path: Path, runner: PlainRunner
) -> None:
    """A million numbers for each mistake do not stay in memory."""
    family = problems / "weighted_mean" / "family.yaml"
    family.write_text(family.read_text().replace("count: 2000", "count: 30000"))
    for extra in (3, 0):  # generator, core and the mistake asked for; then nothing
        before = runner.calls
        plain = load_catalogue(problems, tmp_path / "c", runner).get("weighted_mean/plain")
        fact = plain.predict(plain.mistakes[0], plain.tests[-1])
        assert isinstance(fact, Returned)
        assert isinstance(fact.value, float)
        assert runner.calls - before == extra
    assert isinstance(plain.tests[-1].contents().arguments[0], np.ndarray)
