"""A Judgement as JSON, and back."""

from __future__ import annotations

import json
import math
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model import (
    Diagnosis,
    Difference,
    Feedback,
    Judgement,
    Mismatch,
    Printed,
    Run,
)
from app.store.judgements import read_back, written_down

_texts = st.text(max_size=20)
_differences = st.builds(Difference, _texts, _texts, _texts, st.none() | st.floats(), st.floats())
_mismatches = st.builds(
    Mismatch,
    st.sampled_from(["form", "value", "rounding"]),
    path=_texts,
    summary=_texts,
    message=_texts,
    differences=st.lists(_differences, max_size=3).map(tuple),
    count=st.integers(0, 2**40),
    largest=st.none() | _differences,
)
_feedbacks = st.builds(
    Feedback,
    message=_texts,
    mismatch=st.none() | _mismatches,
    line=st.none() | st.integers(1, 10**6),
    arguments=st.lists(st.tuples(_texts, _texts), max_size=3).map(tuple),
    stdout=st.none() | st.builds(Printed, _texts, st.integers(0, 2**40)),
)
_runs = st.builds(
    Run,
    st.integers(0, 100),
    st.lists(_texts, max_size=3).map(tuple),
    st.booleans(),
    st.sampled_from(["AC", "WA", "RTE"]),
    st.floats(0, 1e6),
    st.integers(0, 2**40),
    _feedbacks,
)
_judgements = st.builds(
    Judgement,
    st.sampled_from(["AC", "WA", "JE"]),
    st.floats(0, 100),
    st.integers(0, 100),
    st.integers(0, 10),
    st.lists(_runs, max_size=3).map(tuple),
    _texts,
    _texts,
    st.none() | st.builds(Diagnosis, _texts, _texts, _texts),
)


def _refuse(name: str) -> NoReturn:
    raise AssertionError(f"{name} is not JSON")


@given(_judgements)
def test_a_judgement_comes_back_the_same_from_legal_json(judgement: Judgement) -> None:
    """Every field, NaN and infinities among them, by way of a text that any JSON reader takes."""
    text = written_down(judgement)
    json.loads(text, parse_constant=_refuse)
    assert repr(read_back(text)) == repr(judgement)


@pytest.mark.parametrize("error", [math.nan, math.inf, -math.inf, -0.0, 1e-320])
def test_a_float_of_any_kind_comes_back(error: float) -> None:
    """JSON has no word for some floats; a tag stands for them."""
    difference = Difference("x", "1.0", "2.0", error, 0.0)
    mismatch = Mismatch("value", "x", "", "", differences=(difference,), largest=difference)
    run = Run(0, (), True, "WA", 1.0, 1, Feedback(mismatch=mismatch))
    judgement = Judgement("WA", 0.0, 100, 0, (run,), "v")
    assert repr(read_back(written_down(judgement))) == repr(judgement)


def test_text_that_is_not_unicode_is_kept_as_far_as_it_is() -> None:
    """Half of a surrogate pair, which a learner can print, must not make a judgement impossible."""
    run = Run(0, (), True, "RTE", 1.0, 1, Feedback(exception_message="a\ud800b"))
    judgement = Judgement("RTE", 0.0, 100, 0, (run,), "v")
    assert read_back(written_down(judgement)).runs[0].feedback.exception_message == "a?b"
