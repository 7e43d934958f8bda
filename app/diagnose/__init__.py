"""Why not? One explanation of what a program did wrong, or none; never a guess.

    evidence.py   what is known: which tests failed, and which outputs in them are wrong
    mistakes.py   the family's own mistakes, each a named wrong program
    patterns.py   what can go wrong with any contract: containers, signs, rounding, order, ...

The rule. Only failed tests count, and in each only the outputs that are wrong. A mistake explains
the submission if on every failed test each wrong output equals the mistake's, or the outcome is the
same; and if it predicts no failure where the submission was right. A family's mistake goes before a
general pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.diagnose.evidence import Compare, Result, evidence
from app.diagnose.mistakes import explaining_mistake
from app.diagnose.patterns import explaining_pattern
from app.model import Diagnosis, Variant

__all__ = ["Result", "diagnose"]


def diagnose(variant: Variant, results: Sequence[Result], compare: Compare) -> Diagnosis | None:
    """The explanation of all failures together, if there is one.

    results   every test of the judgement; failed ones with what came of them, as far as it was kept
    compare   value, contract, answer, tolerance -> what is wrong, or None

    `variant.predict` is called only here, and only for mistakes that nothing has ruled out yet.
    """
    cases = evidence(variant, results, compare)
    if not any(case.seen for case in cases):
        return None
    return explaining_mistake(variant, cases, compare) or explaining_pattern(
        variant, cases, compare
    )
