"""General patterns: what can go wrong with any contract, and needs no author to foresee it.

Most are a transformation of the answer (its negative, say): the pattern explains the submission if
on every failed test each wrong output equals the transformed answer, and if the transformed answer
would have passed wherever the submission was right. The others are seen in the mismatch itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.diagnose.evidence import Case, Compare
from app.diagnose.form_patterns import (
    inputs_changed,
    swapped,
    wrong_container,
    wrong_keys,
    wrong_type,
)
from app.diagnose.look import Look, Pattern
from app.diagnose.precision_patterns import (
    not_rounded,
    rounded_elsewhere,
    single_precision,
    truncated,
)
from app.diagnose.value_patterns import (
    in_reverse,
    rearranged,
    returned_unchanged,
    times_a_constant,
    transformed,
)
from app.model import Diagnosis, Returned, Variant


def explaining_pattern(
    variant: Variant, cases: Sequence[Case], compare: Compare
) -> Diagnosis | None:
    """The first general pattern that explains every failure and predicts no other."""
    look = Look(variant, cases, compare)
    if not all(isinstance(case.fact, Returned) for case in look.failed):
        return None
    return next((found for pattern in _PATTERNS if (found := pattern(look))), None)


_PATTERNS: tuple[Pattern, ...] = (
    inputs_changed,
    wrong_container,
    wrong_type,
    wrong_keys,
    swapped,
    not_rounded,
    transformed(
        np.zeros_like,
        "all_zeros",
        "All zeros",
        "Every number that is wrong is zero. An array made by `zeros` or `zeros_like` was perhaps "
        "never filled, or a small number was rounded or divided away.",
    ),
    returned_unchanged,
    transformed(
        np.negative,
        "negated",
        "The sign is wrong",
        "Every wrong number is the negative of the right one. Look for a difference taken the "
        "wrong way round, or a minus too many.",
    ),
    transformed(
        np.abs,
        "absolute_values",
        "The signs were lost",
        "Every wrong number is the absolute value of the right one. Use the absolute value only "
        "where sizes are compared, not in what is returned.",
    ),
    rounded_elsewhere,
    truncated,
    transformed(
        np.transpose,
        "transposed",
        "Rows and columns are exchanged",
        "The arrays are the transpose of the right ones. Look for a `.T`, an `axis` or a product "
        "in the wrong order.",
    ),
    in_reverse,
    rearranged,
    single_precision,
    times_a_constant,
)
