"""The contract in a learner's words: what goes in, what comes out, and what differs elsewhere.

Generated from the same tree that the judge applies, so that page and judge cannot disagree.
Backquotes mark code, as in Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.model import Variant

NOUNS = {
    "number": ("number", "numbers"),
    "integer": ("integer", "integers"),
    "boolean": ("boolean", "booleans"),
    "string": ("string", "strings"),
    "array": ("NumPy array", "NumPy arrays"),
    "nested_list": ("nested list of numbers", "nested lists of numbers"),
    "array_like": ("array or nested list", "arrays or nested lists"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the signature table."""

    name: str
    kind: str
    rules: str


def signature(variant: Variant) -> tuple[Row, ...]:
    """The arguments in order."""
    return tuple(
        Row(argument.name, phrase(argument.contract), ", ".join(rules(argument.contract)))
        for argument in variant.arguments
    )


def returned(variant: Variant) -> tuple[Row, ...]:
    """The whole result first, then each of its named parts or items."""
    parts: list[tuple[str, Contract]] = [("", variant.returns)]
    match variant.returns:
        case Dict(fields):
            parts += [(f'"{key}"', part) for key, part in fields]
        case Tuple(items) | List(items):
            parts += [(f"[{index}]", part) for index, part in enumerate(items)]
        case _:
            pass
    return tuple(Row(name, phrase(part), ", ".join(kept_rules(part))) for name, part in parts)


def kept_rules(contract: Contract) -> list[str]:
    """How many items and which shape come back is the answer's business, not a rule to keep."""
    free = ("may be empty", "any shape")
    return [rule for rule in rules(contract) if "item" not in rule and rule not in free]


def phrase(contract: Contract, many: bool = False) -> str:
    """What kind of value this is: `list of NumPy arrays`."""
    match contract:
        case Leaf():
            return axes_in_words(contract) + NOUNS[contract.kind][many] + shape_in_words(contract)
        case Dict(fields):
            keys = ", ".join(f'`"{key}"`' for key, _ in fields)
            return f"{'dicts' if many else 'dict'} with the keys {keys}"
        case DictOf(item):
            return f"{'dicts' if many else 'dict'} of {phrase(item, many=True)}"
        case Tuple(items):
            return f"{'tuples' if many else 'tuple'} of {counted(len(items))}"
        case List(items):
            return f"{'lists' if many else 'list'} of {counted(len(items))}"
        case ListOf(item):
            return f"{'lists' if many else 'list'} of {phrase(item, many=True)}"
        case AnySequence(item):
            return f"{'lists or tuples' if many else 'list or tuple'} of {phrase(item, many=True)}"
        case _:
            assert_never(contract)


def axes_in_words(leaf: Leaf) -> str:
    """`1-D `, where only the number of axes is asked for."""
    any_length = leaf.shape is not None and all(length is None for length in leaf.shape)
    return f"{len(leaf.shape or ())}-D " if any_length else ""


def shape_in_words(leaf: Leaf) -> str:
    if leaf.shape is None or all(length is None for length in leaf.shape):
        return ""
    return f" of shape ({', '.join('any' if n is None else str(n) for n in leaf.shape)})"


def rules(contract: Contract) -> list[str]:
    """What must hold besides the kind: bounds, how many, whose shape, how it is rounded."""
    found: list[str] = []
    if isinstance(contract, ListOf | AnySequence):
        found += how_many(contract.min_items, contract.max_items)
        found += rules(contract.item)
    elif isinstance(contract, DictOf):
        found += dict_rules(contract)
    elif isinstance(contract, Leaf):
        found += bounds(contract)
    return found


def dict_rules(contract: DictOf) -> list[str]:
    inside = rules(contract.item)
    if contract.like is None:
        return list(dict.fromkeys([*(["not empty"] if contract.min_items else []), *inside]))
    said = f"the keys and shapes of `{contract.like}`"
    return [said, *(rule for rule in inside if rule not in ("any shape", "not empty"))]


def counted(items: int) -> str:
    return "1 item" if items == 1 else f"{items} items"


def how_many(fewest: int, most: int | None) -> list[str]:
    if most is not None:
        return [f"{fewest} to {most} items" if fewest else f"up to {most} items"]
    return {0: ["may be empty"], 1: ["at least one item"]}.get(fewest, [f"at least {fewest} items"])


def bounds(leaf: Leaf) -> list[str]:
    found = []
    if leaf.kind in ("array", "nested_list", "array_like") and leaf.shape is None and not leaf.like:
        found.append("any shape")
    if leaf.like:
        found.append(f"the shape that `{leaf.like}` has there")
    if leaf.dtype_kinds == "f":
        found.append("floating-point")
    elif leaf.dtype_kinds in ("i", "u", "iu", "ui"):
        found.append("integers")
    if leaf.dtype:
        found.append(leaf.dtype)
    if leaf.finite:
        found.append("finite")
    for bound, sign in (
        (leaf.above, ">"),
        (leaf.minimum, "≥"),
        (leaf.below, "<"),
        (leaf.maximum, "≤"),
    ):
        if bound is not None:
            found.append(f"{sign} {f'`{bound}`' if isinstance(bound, str) else plain(bound)}")
    if leaf.min_size:
        found.append(f"at least {leaf.min_size} {'entry' if leaf.min_size == 1 else 'entries'}")
    if leaf.round is not None:
        found.append(f"rounded to {places(leaf.round)}")
    return found


def leaves(contract: Contract, path: str = "") -> Iterator[tuple[str, Leaf]]:
    """Each leaf with the name of its part: `clipped_gradients`, `[1]`, or empty for the whole."""
    match contract:
        case Leaf():
            yield path, contract
        case Dict(fields):
            for key, part in fields:
                yield from leaves(part, f"{path}.{key}" if path else key)
        case Tuple(items) | List(items):
            for index, part in enumerate(items):
                yield from leaves(part, f"{path}[{index}]")
        case ListOf(item) | AnySequence(item) | DictOf(item):
            yield from leaves(item, path)
        case _:
            assert_never(contract)


def power(value: float) -> str:
    """A tolerance: 10⁻⁹, or 3 · 10⁻⁷ where it is no power of ten."""
    if 1e-3 <= value < 1e4 and value != 1e-3:
        return f"{value:g}"
    mantissa, _, exponent = f"{value:e}".partition("e")
    digits = f"{float(mantissa):g}"
    raised = "10" + str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return raised if digits == "1" else f"{digits} · {raised}"


def plain(value: float) -> str:
    """A number in prose: 2, not 2.0; 10¹⁵¹, not 1e+151."""
    if abs(value) >= 1e6 and float(f"{value:.5e}") == value:
        return ("−" if value < 0 else "") + power(abs(value))
    return f"{value:g}" if value == round(value, 6) else repr(value)


def places(count: int) -> str:
    return f"{count} decimal place{'' if count == 1 else 's'}"


# --- what differs between two variants ----------------------------------------------------------


def differences(solved: Variant, other: Variant) -> tuple[str, ...]:
    """What `other` asks differently: inputs, return form, rounding, parameters, tolerance.

    Parameters are the core's: what their values ask is said in the package's words, or not at all.
    """
    found = []
    for mine, theirs in zip(solved.arguments, other.arguments, strict=False):
        if _unnamed(solved, mine.contract) != _unnamed(other, theirs.contract):
            found.append(
                f"`{theirs.name}`: " + ", ".join([phrase(theirs.contract), *rules(theirs.contract)])
            )
    if phrase(solved.returns) != phrase(other.returns):
        found.append(f"returns a {phrase(other.returns)}")
    if roundings(solved) != roundings(other):
        found.append(roundings(other))
    found += [words for name, words in other.page.asks if dict(solved.page.asks).get(name) != words]
    if solved.tolerance != other.tolerance:
        found.append(
            f"within {power(other.tolerance.rtol)} relative" if other.tolerance.rtol else "exact"
        )
    if solved.preserve_inputs != other.preserve_inputs:
        found.append(
            "arguments must stay as they were" if other.preserve_inputs else "arguments may change"
        )
    return tuple(found)


def _unnamed(variant: Variant, contract: Contract) -> str:
    """Kind and rules, whatever the arguments are called that they speak of."""
    said = "; ".join([phrase(contract), *rules(contract)])
    for place, argument in enumerate(variant.arguments):
        said = said.replace(f"`{argument.name}`", f"argument {place}")
    return said


def roundings(variant: Variant) -> str:
    found = dict.fromkeys(
        f"{f'`{path}`' if path else 'every number'} rounded to {places(leaf.round)}"
        for path, leaf in leaves(variant.returns)
        if leaf.round is not None
    )
    return " and ".join(found) or "nothing is rounded"
