"""Any value that may cross the border, and when two of them are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.model import Unsupported, Value

DTYPES = ["bool", "int8", "uint8", "int64", "uint64", "float16", "float32", "float64"]
DTYPES += ["complex64", "complex128"]
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(), st.text()
)
ARRAYS = st.sampled_from(DTYPES).flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0))
)
NUMPY = ARRAYS.filter(lambda array: array.size).map(lambda array: array.ravel()[0])
KEYS = st.text() | st.integers()


def _values(leaves: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(KEYS, inner, max_size=4)
        ),
        max_leaves=8,
    )


SUPPORTED = _values(SCALARS | ARRAYS | NUMPY)
VALUES = _values(SCALARS | ARRAYS | NUMPY | st.text().map(Unsupported))


def same(one: Any, other: Any) -> bool:
    """Equal in type and in every bit that has a meaning: NaN is NaN, -0.0 is not 0.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        same_form = one.dtype == other.dtype and one.shape == other.shape
        return same_form and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    return repr(one) == repr(other)
