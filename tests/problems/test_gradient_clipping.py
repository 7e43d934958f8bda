"""The facts of the first family: what each variant asks for, and that core and check agree."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.compare import compare
from app.contract import Tolerance
from app.model import Bonus, Variant
from app.problem import Catalogue
from tests.problems.conftest import PROBLEMS

FAMILY = PROBLEMS / "gradient_clipping"
LABELS = {
    "dict7": {"limit zero", "no gradients", "rounding tie", "near a rounding tie"},
    "tuple": {"nested lists and arrays mixed", "integer entries"},
    "dict6": {"rounding tie", "near a rounding tie", "integer entries", "1000 numbers"},
    "arrays": {"integer entries", "very small numbers"},
    "eps": {"integer entries", "tiny norm"},
}


@dataclass(frozen=True)
class Asked:
    """What is fixed about a variant."""

    entry_point: str
    secret: int  # exactly, or at least
    samples: int
    difficulty: str
    minutes: int
    exactly: bool = False


ASKED = {
    "dict7": Asked("clip_gradients", 11, 3, "easy", 10),
    "tuple": Asked("clip_by_global_norm", 11, 2, "easy", 10, exactly=True),
    "dict6": Asked("grad_clip_by_norm", 11, 3, "medium", 20),
    "arrays": Asked("clip_gradients", 11, 1, "easy", 15),
    "eps": Asked("clip_grad_norm", 11, 3, "easy", 8),
}


def _variant(catalogue: Catalogue, name: str) -> Variant:
    return catalogue.get(f"gradient_clipping/{name}")


@pytest.mark.parametrize("name", ASKED)
def test_each_variant_asks_what_it_is_known_for(catalogue: Catalogue, name: str) -> None:
    """Entry point, numbers of tests, difficulty and minutes are as announced."""
    variant, asked = _variant(catalogue, name), ASKED[name]
    secret = [t for t in variant.tests if not t.sample]
    assert variant.entry_point == asked.entry_point
    assert len(variant.tests) - len(secret) == asked.samples
    assert len(secret) == asked.secret if asked.exactly else len(secret) >= asked.secret
    assert (variant.page.difficulty, variant.page.minutes) == (asked.difficulty, asked.minutes)
    assert LABELS[name] <= {label for t in secret for label in t.labels}


def test_the_features_of_each_variant_are_switched_on(catalogue: Catalogue) -> None:
    """Preserved inputs, the bonus, the required account and the number stand where they belong."""
    bonus = Bonus("python", 10, "NumPy allowed, plain Python earns 10 points")
    assert {n for n in ASKED if _variant(catalogue, n).preserve_inputs} == {"dict7"}
    assert {n for n in ASKED if _variant(catalogue, n).sign_in == "required"} == {"arrays"}
    assert {n: _variant(catalogue, n).bonus for n in ASKED if _variant(catalogue, n).bonus} == {
        "dict6": bonus
    }
    assert _variant(catalogue, "arrays").page.number == 234


@pytest.mark.parametrize(
    ("name", "sample", "arguments", "answer", "places"),
    [
        ("dict7", 0, ([[3.0], [4.0]], 2.5), {"clipped_gradients": [[1.5], [2.0]], "global_norm": 5.0}, 7),
        ("tuple", 0, ([[3.0, 0.0], [[0.0, 4.0]]], 1.0), ([[0.6, 0.0], [[0.0, 0.8]]], 5.0), 9),
        ("tuple", 1, ([[0.3, 0.4], [0.0]], 1.0), ([[0.3, 0.4], [0.0]], 0.5), 9),
        ("dict6", 0, ([3.0, 4.0], 2.5), {"clipped_grads": [1.5, 2.0], "global_norm": 5.0}, 6),
        ("dict6", 1, ([1.0, -1.0], 5.0), {"clipped_grads": [1.0, -1.0], "global_norm": 1.414214}, 6),
        ("dict6", 2, ([0.0, 0.0], 1.0), {"clipped_grads": [0.0, 0.0], "global_norm": 0.0}, 6),
        ("eps", 0, ([[[3.0], [4.0]]], 1.0), [[[[0.6], [0.8]]], 5.0], 4),
        ("eps", 1, ([[0.1, 0.2], [[0.1], [0.2]]], 10.0), [[[0.1, 0.2], [[0.1], [0.2]]], 0.3162], 4),
        ("eps", 2, ([[[1.0, 1.0], [1.0, 1.0]], [2.0, 2.0, 2.0, 2.0]], 3.0),
         [[[[0.6708, 0.6708], [0.6708, 0.6708]], [1.3416, 1.3416, 1.3416, 1.3416]], 4.4721], 4),
    ],
)  # fmt: skip
def test_the_samples_show_the_numbers_they_are_known_for(
    catalogue: Catalogue, name: str, sample: int, arguments: Any, answer: Any, places: int
) -> None:
    """The stored answers, rounded as displayed, are the published ones."""
    contents = _variant(catalogue, name).tests[sample].contents()
    assert _plain(contents.arguments, 9) == _plain(arguments, 9)
    assert _plain(contents.answer, places) == _plain(answer, places)


def _plain(value: Any, places: int) -> Any:
    """Numbers rounded, arrays and tuples as lists."""
    if isinstance(value, dict):
        return {k: _plain(v, places) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v, places) for v in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist(), places)
    return round(float(value), places)


def test_a_small_epsilon_still_scales_at_equality(catalogue: Catalogue) -> None:
    """At a norm of 5 and a limit of 5 the factor is 1 - 2e-7 with an epsilon and 1 without."""
    test = next(t for t in _variant(catalogue, "eps").tests if t.name == "equal_five")
    clipped, norm = test.contents().answer  # type: ignore[misc]
    assert norm == 5.0  # type: ignore[has-type]
    assert clipped[0][0] / 3.0 == pytest.approx(1 - 2e-7, rel=1e-12)  # type: ignore[has-type]


# --- The core and its independent check -----------------------------------------------------------


def _function(file: str, name: str) -> Callable[..., dict[str, Any]]:
    names: dict[str, Any] = {}
    exec(compile((FAMILY / file).read_text(), file, "exec"), names)
    found: Callable[..., dict[str, Any]] = names[name]
    return found


ENTRIES = st.integers(-(10**6), 10**6).map(lambda n: n / 997)
SCALES = st.sampled_from([1.0, 1e150, 1e-150, 1e-3])


@given(st.lists(st.lists(ENTRIES, min_size=1, max_size=5), max_size=5), SCALES,
       ENTRIES.map(abs), st.sampled_from([0.0, 1e-6]))  # fmt: skip
def test_core_and_check_agree_everywhere(
    tensors: list[list[float]], scale: float, limit: float, eps: float
) -> None:
    """At every magnitude of a whole list the core is within a few units in the last place."""
    scaled = [np.array(t, dtype=float) * scale for t in tensors]
    found = _function("core.py", "core")(scaled, limit * scale, eps)
    exact = _function("check.py", "check")(scaled, limit * scale, eps)
    assert found["norm"] == pytest.approx(exact["norm"], rel=4e-16, abs=0.0)
    for got, want in zip(found["clipped"], exact["clipped"], strict=True):
        assert got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=1e-15, atol=1e-305)


@pytest.mark.parametrize("file", ["core", "check"])
def test_core_and_check_take_every_form(file: str) -> None:
    """Numbers, nested lists, integers, 0-d arrays and an empty list are all lists of tensors."""
    function = _function(f"{file}.py", file)
    found = function([3, [[0.0], [4]], np.array(0.0), np.array([12], dtype=np.int64)], 6.5, 0.0)
    assert found["norm"] == 13.0
    assert [a.shape for a in found["clipped"]] == [(), (2, 1), (), (1,)]
    assert all(a.dtype == np.float64 for a in found["clipped"])
    assert found["clipped"][1].tolist() == [[0.0], [2.0]]
    empty = function([], 0.0, 0.0)
    assert (empty["clipped"], empty["norm"]) == ([], 0.0)


def test_the_answers_fit_the_contracts_to_the_last_digit(catalogue: Catalogue) -> None:
    """Every stored answer, correctly rounded, is accepted by its own variant."""
    for name in ASKED:
        variant = _variant(catalogue, name)
        for test in variant.tests:
            if "1,000,000 entries" not in test.labels:
                answer = test.contents().answer
                rounded = _rounded(answer, {"dict6": 6, "dict7": 7}.get(name), name)
                found = compare(rounded, variant.returns, answer, Tolerance(0.0, 0.0))
                assert found is None, (variant.id, test.name, found)


def _rounded(answer: Any, places: int | None, name: str) -> Any:
    if places is None:
        return answer
    rounded = {"global_norm": round(answer["global_norm"], places)}
    if name == "dict6":
        return {"clipped_grads": [round(g, places) for g in answer["clipped_grads"]], **rounded}
    return {"clipped_gradients": answer["clipped_gradients"], **rounded}


def test_the_figures_speak_of_the_same_numbers_as_the_lesson() -> None:
    """One step from 4 with a rate of 0.14 ends at 2.88, in the figure's source and in the lesson."""
    figure = (FAMILY / "figures/descent_step.js").read_text()
    lesson = (FAMILY / "lesson.md").read_text()
    assert "PARAMETER = 4;" in figure
    assert "RATE = 0.14;" in figure
    assert math.isclose(4 - 0.14 * 8, 2.88)
    assert r"4 - 0.14 \cdot 8 = 2.88" in lesson
