"""Changes after which a program is as right as before: each pattern with its reason.

Only a mutant that survived every secret test is held against these. General patterns are here;
what follows from a family's own formula is declared in its family.yaml.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from dataclasses import dataclass

from app.problem.family import Equivalent
from app.verify.operators import Mutant


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of change, and why it changes nothing that a learner is asked for."""

    reason: str
    matches: Callable[[Mutant], bool]


_SYMMETRIC = "max|min|maximum|minimum|multiply|add|dot|vdot|inner|hypot|isclose|gcd|logaddexp"


def _removes(names: str) -> Callable[[Mutant], bool]:
    call = re.compile(rf"(np\.|numpy\.|math\.|copy\.)?({names})\(")
    return lambda m: m.operator == "call removed" and bool(call.match(m.before))


def _method_removed(names: str) -> Callable[[Mutant], bool]:
    call = re.compile(rf"\.({names})\(\)$")
    return lambda m: m.operator == "call removed" and bool(call.search(m.before))


def _swapped(names: str) -> Callable[[Mutant], bool]:
    call = re.compile(rf"(np\.|numpy\.|math\.)?({names})\(")
    return lambda m: m.operator == "arguments swapped" and bool(call.match(m.before))


def _dtype_removed(mutant: Mutant) -> bool:
    if mutant.operator == "keyword removed":
        return "dtype=" in mutant.before and mutant.before.count("=") > mutant.after.count("=")
    last = re.search(r", ((np\.)?float(64)?)\)$", mutant.before)
    return mutant.operator == "argument removed" and last is not None


def _backwards(mutant: Mutant) -> bool:
    if "[::-1]" not in mutant.statement:
        return False
    changes = (("index removed", "[::-1]"), ("negation removed", "-1"), ("slice", "::-1"))
    return any(mutant.operator == op and mutant.before.endswith(end) for op, end in changes)


GENERAL = (
    Pattern("a NumPy scalar or a 0-d array is a number as well", _removes("float|float64")),
    Pattern(
        "the value is of that kind already, or the next step takes any sequence of numbers",
        _removes("list|tuple|asarray|array|asanyarray|ascontiguousarray|iter"),
    ),
    Pattern("arrays are looped over and compared as lists are", _method_removed("tolist")),
    Pattern("the operation is symmetric", _swapped(_SYMMETRIC)),
    Pattern("the order of a sum changes its rounding error only", _removes("reversed|sorted")),
    Pattern("the order of a sum changes its rounding error only", _backwards),
    Pattern("a dtype that the values have already, or that the next step gives", _dtype_removed),
    Pattern(
        "the text of an exception is for people",
        lambda m: m.operator == "constant" and m.statement.startswith("raise "),
    ),
    Pattern(
        "arguments may be changed where the contract does not protect them",
        lambda m: _method_removed("copy")(m) or _removes("copy|deepcopy")(m),
    ),
)


def reason_for(mutant: Mutant, variant: str, declared: tuple[Equivalent, ...]) -> str:
    """Why a surviving mutant is equivalent; empty if no pattern says so."""
    for pattern in GENERAL:
        if pattern.matches(mutant):
            return pattern.reason
    for equivalent in declared:
        if applies(equivalent, mutant, variant):
            return equivalent.reason
    return ""


def applies(equivalent: Equivalent, mutant: Mutant, variant: str) -> bool:
    """Whether a declared equivalence covers a mutant: shell patterns on the changed source."""
    return (
        (not equivalent.only_in or variant in equivalent.only_in)
        and (not equivalent.operator or equivalent.operator == mutant.operator)
        and _like(mutant.before, equivalent.before)
        and _like(mutant.after, equivalent.after)
    )


def _like(text: str, pattern: str) -> bool:
    """`*` stands for anything; everything else, brackets included, for itself."""
    literal = pattern.replace("[", "[[]")
    return fnmatch.fnmatchcase(text, literal.replace("?", "[?]"))
