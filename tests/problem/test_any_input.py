"""Whatever a client sends, the answer is a value or an Invalid with places: never another exception."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.contract import Argument, Contract, Dict, DictOf, Leaf, ListOf, Tolerance, Tuple
from app.errors import AllcloseError, Invalid, PackageError
from app.model import Core, Page, Take, Variant
from app.problem import Catalogue, arguments, document, typed, uploads
from app.problem.domains import misfits
from tests.problem.plain_runner import PlainRunner

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**4200), 2**63, 2**64, -(2**63) - 1])
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["NaN", "Infinity", "float64", "int64", "bool", "object", "int8"])
)
KEYS = st.sampled_from(
    ["array", "dtype", "tuple", "dict", "float", "complex", "scalar", "x", "y", "values", "weights"]
) | st.text(max_size=3)
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
LEAVES: st.SearchStrategy[Contract] = st.builds(
    Leaf,
    st.sampled_from(
        ["number", "integer", "boolean", "string", "array", "nested_list", "array_like"]
    ),
    shape=st.none() | st.lists(st.none() | st.integers(0, 2), max_size=2).map(tuple),
    dtype_kinds=st.sampled_from([None, "f", "iu", "b", "c"]),
    dtype=st.sampled_from([None, "float64", "int64", "float32", "bool"]),
    above=st.none() | st.floats(-2, 2),
    maximum=st.none() | st.floats(-2, 2) | st.sampled_from(["x", "y"]),
    finite=st.booleans(),
    min_size=st.integers(0, 2),
    like=st.sampled_from([None, "x", "y"]),
)
CONTRACTS: st.SearchStrategy[Contract] = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(ListOf, inner, st.integers(0, 1), st.none() | st.integers(1, 3))
        | st.builds(DictOf, inner, st.integers(0, 1), st.sampled_from([None, "x", "y"]))
        | st.builds(lambda item: Dict((("x", item),)), inner)
        | st.builds(lambda item: Tuple((item, item)), inner)
    ),
    max_leaves=4,
)


def outcome(call: Callable[[], Any]) -> tuple[Any, AllcloseError | None]:
    """What a call gives, or the deliberate exception it ends with; others pass through."""
    try:
        return call(), None
    except (Invalid, PackageError) as error:
        return None, error


@given(JSON)
def test_any_json_is_a_value_or_invalid_with_a_place(data: Any) -> None:
    """Typed data is read, or refused where the fault is."""
    _, error = outcome(lambda: typed.value(data, "x"))
    if isinstance(error, Invalid):
        assert error.errors[0].where.startswith("x")
        assert error.errors[0].message


@given(CONTRACTS, CONTRACTS, JSON, JSON)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_custom_input_fits_the_contract_or_is_invalid(
    x: Contract, y: Contract, one: Any, other: Any
) -> None:
    """What is taken fits the contract still, once it is in the form of the contract."""
    variant = Variant(
        id="f/v",
        title="",
        entry_point="f",
        arguments=(Argument("x", x), Argument("y", y)),
        returns=Leaf("number"),
        tolerance=Tolerance(0, 0),
        tests=(),
        core=Core("", (("x", Take("x")), ("y", Take("y"))), (), Take("n")),
        version="",
        page=Page("easy", 1, "", ""),
    )
    values, error = outcome(lambda: arguments.parse(variant, {"x": one, "y": other}))
    if isinstance(error, Invalid):
        assert all(e.where.startswith("arguments") and e.message for e in error.errors)
        return
    named = dict(zip(("x", "y"), values, strict=True))
    assert list(misfits(variant.arguments, named)) == []


@given(data=JSON)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_upload_is_examined_or_invalid(data: Any, catalogue: Catalogue) -> None:
    """Entries of any kind, arguments of any kind; the dry run tells, and nothing else happens."""
    runner = PlainRunner()
    entry = {"name": "a", "labels": ["l"], "arguments": {"values": data, "weights": [1.0]}}
    for sent in (data, {"tests": data}, {"tests": [data, entry, {**entry, "name": data}]}):
        found, error = outcome(partial(uploads.examine, catalogue, "weighted_mean", sent, runner))
        assert found is not None or error is not None


@given(st.text(alphabet="ab:-[]{}&*!|>'\"#?%@, \n\t0.1e~\x00\ud7ff\x85", max_size=60))
def test_any_text_is_yaml_or_a_package_error(text: str) -> None:
    """Whatever stands in a package's file, its place is told."""
    _, error = outcome(lambda: document.parse(text, Path("f.yaml")))
    assert error is None or "f.yaml" in str(error)
