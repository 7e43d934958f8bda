"""The words of the judge, for hundreds of values: as they were when somebody last read them.

After a change that is meant: `python -m tests.grading.said`, and read the diff.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.grading.said import CONTRACTS, SHAPES, diagnoses_of, misfits, mismatches, said


@pytest.fixture(autouse=True)
def quiet_numbers() -> Iterator[None]:
    """The changed values overflow, and are meant to."""
    with np.errstate(all="ignore"):
        yield


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    with np.errstate(all="ignore"):
        lines = list(mismatches())
    return {name: [line for line in lines if line.startswith(f"{name} | ")] for name in CONTRACTS}


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_value_gets_the_mismatch_that_it_got(name: str, found: dict[str, list[str]]) -> None:
    """Kind, path, words, numbers and counts; the answer itself is accepted, in every allowed form."""
    assert found[name] == [line for line in said("mismatches") if line.startswith(f"{name} | ")]


def test_an_answer_that_breaks_its_contract_is_told_in_words() -> None:
    assert list(misfits()) == said("misfits")


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_every_program_gets_the_diagnosis_that_it_got(name: str) -> None:
    """The name, the title with its numbers where a sample failed, and the explanation; or nothing."""
    expected = [
        line for line in said("diagnoses") if line.split(" | ")[0].split(" sample")[0] == name
    ]
    assert list(diagnoses_of(name)) == expected
