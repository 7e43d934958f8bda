"""How answers are checked, in sentences, with an accepted interval for an example.

Generated from the contract that the judge applies. Backquotes mark code, as in Markdown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

import numpy as np

from app.closeness import allowed_for
from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.model import Limits, Value, Variant
from app.web.words import leaves, phrase, places, plain, power

VOWELS = "aeiou"
_SCALARS = {
    "number": " Where a number is asked for, Python and NumPy numbers are both fine.",
    "integer": " Where an integer is asked for, `3.0` is not one; Python's and NumPy's are.",
    "boolean": " Where a boolean is asked for, `1` is not `True`.",
}
SHOWN_ENTRIES = 1000  # of an array, when it is written out


def how_checked(variant: Variant) -> tuple[str, ...]:
    """One sentence a rule, from the outside in: form, numbers, inputs, limits."""
    answers = [test.contents().answer for test in variant.tests if test.sample]
    sentences = [form_sentence(variant.returns), *number_sentences(variant, answers)]
    if any(leaf.display is not None for _, leaf in leaves(variant.returns)):
        shown = max(leaf.display or 0 for _, leaf in leaves(variant.returns))
        sentences.append(
            f"Examples are displayed to {places(shown)}; what you return is compared with the "
            "full result, so do not round it."
        )
    sentences.append(
        "`NaN` is right only where the expected value is `NaN`, an infinity only where it is the "
        "same infinity. `-0.0` equals `0.0`."
    )
    sentences.append(
        "Your function must leave its arguments as they were."
        if variant.preserve_inputs
        else "Changing the arguments in place is no failure, but you are told about it."
    )
    sentences.append(limits_sentence(variant.limits))
    return tuple(sentences)


def form_sentence(contract: Contract) -> str:
    strict = {
        Tuple: "A list in place of the tuple is not accepted.",
        List: "A tuple in place of the list is not accepted.",
        ListOf: "A tuple or an array in place of the list is not accepted.",
        Dict: "Exactly these keys, no others.",
    }.get(type(contract), "")
    kind = phrase(contract)
    sentence = f"The result must be {'an' if kind[0] in VOWELS else 'a'} {kind}. {strict}".strip()
    kinds = {leaf.kind for _, leaf in leaves(contract)}
    sentence += "".join(told for kind, told in _SCALARS.items() if kind in kinds)
    if kinds & {"array", "nested_list", "array_like"}:
        sentence += " Shapes are compared exactly: `(3, 1)` is not `(3,)`."
    return sentence


def number_sentences(variant: Variant, answers: Sequence[Value]) -> Iterator[str]:
    """A sentence for each group of parts that are checked alike, with an accepted interval."""
    groups: dict[tuple[int | None, float, float], list[tuple[str, Leaf]]] = {}
    for path, leaf in leaves(variant.returns):
        if leaf.kind in ("boolean", "string"):
            continue
        allowed = allowed_for(leaf, variant.tolerance)
        exact = (None, allowed.rtol, float(allowed.atol))
        key = (leaf.round, 0.0, 0.0) if leaf.round is not None else exact
        groups.setdefault(key, []).append((path, leaf))
    for (rounded, rtol, atol), parts in groups.items():
        everything = len(groups) == 1
        what = "Every number" if everything else subject([path for path, _ in parts])
        found = finite_numbers(variant.returns, answers, {path for path, _ in parts})
        if rounded is not None:
            yield rounding_sentence(what, rounded, rounded_example(found, rounded))
        else:
            yield tolerance_sentence(what, rtol, atol, tidy_example(found))


def subject(paths: list[str]) -> str:
    named = [f"`{path}`" for path in paths]
    return "Every number in " + (" and ".join(named) if named else "the result")


def tolerance_sentence(what: str, rtol: float, atol: float, example: float | None) -> str:
    if rtol == 0 and atol == 0:
        return f"{what} must be exactly the expected one."
    terms = []
    if atol:
        terms.append(power(atol))
    if rtol:
        terms.append(f"{power(rtol)} · |expected|")
    sentence = (
        f"{what} is accepted when |yours − expected| ≤ {' + '.join(terms)}, the edge included."
    )
    if example is not None:
        allowed = Decimal(repr(atol)) + Decimal(repr(rtol)) * abs(Decimal(repr(example)))
        low, high = Decimal(repr(example)) - allowed, Decimal(repr(example)) + allowed
        sentence += (
            f" Where {plain(example)} is expected, that is {decimal(low)} to {decimal(high)}."
        )
    return sentence


def decimal(value: Decimal) -> str:
    """All its digits, without zeros at the end."""
    return f"{value.normalize():f}"


def rounding_sentence(what: str, rounded: int, example: float | None) -> str:
    sentence = (
        f"{what} must be rounded to {places(rounded)}, and within half a unit of that place of the "
        "unrounded result; at an exact tie both neighbours pass. A number that is close but not "
        "rounded is refused with a message of its own."
    )
    if example is not None:
        sentence += (
            f" Where the result is {plain(example)}, `{round(example, rounded)!r}` is accepted."
        )
    return sentence


def limits_sentence(limits: Limits) -> str:
    return (
        f"Each test may use {plain(limits.time_s)} s of processor time ({plain(limits.wall_s)} s by "
        f"the clock) and {limits.memory_mib} MiB of memory, and print {limits.printed_kib} KiB. "
        "Every test runs in a process of its own, and all of them run even after a failure."
    )


def tidy_example(found: Sequence[float]) -> float | None:
    """The number that is quickest to read."""
    return min(found, key=lambda value: len(repr(value)), default=None)


def rounded_example(found: Sequence[float], rounded: int) -> float | None:
    """A number that rounding changes, best one that keeps all its places; others show nothing."""
    changed = [value for value in found if round(value, rounded) != value]

    def lost_places(value: float) -> int:
        return rounded - len(repr(round(value, rounded)).partition(".")[2])

    return min(changed, key=lost_places, default=None)


def finite_numbers(contract: Contract, answers: Sequence[Value], paths: set[str]) -> list[float]:
    """The numbers of the answers under these parts, without zeros: they show no tolerance."""
    return [
        to_digits(value)
        for answer in answers
        for path, value in numbers(contract, answer)
        if path in paths and value != 0 and np.isfinite(value)
    ]


def numbers(contract: Contract, answer: Value, path: str = "") -> Iterator[tuple[str, float]]:
    match contract, answer:
        case Leaf(kind=kind), _ if kind not in ("boolean", "string") and answer is not None:
            flat = np.asarray(flattened(answer), dtype=np.float64).ravel()
            yield from ((path, float(value)) for value in flat[:1000])
        case Dict(fields), dict():
            for key, part in fields:
                yield from numbers(part, answer.get(key), f"{path}.{key}" if path else key)
        case ((Tuple(items) | List(items)), (tuple() | list())):
            for index, (part, value) in enumerate(zip(items, answer, strict=False)):
                yield from numbers(part, value, f"{path}[{index}]")
        case DictOf(item), dict():
            for value in answer.values():
                yield from numbers(item, value, path)
        case ((ListOf(item) | AnySequence(item)), (tuple() | list())):
            for value in answer:
                yield from numbers(item, value, path)
        case _:
            return


def flattened(value: Value) -> list[float]:
    """Numbers of nested lists of any, also ragged, form."""
    if isinstance(value, list | tuple):
        return [number for item in value for number in flattened(item)]
    return [float(number) for number in np.asarray(value, dtype=np.float64).ravel()]


# --- answers as the page shows them --------------------------------------------------------------


def shown(contract: Contract, answer: Value) -> Value:
    """The answer as the page shows it: each leaf to its displayed or rounded places."""
    match contract, answer:
        case Leaf(), _:
            to = contract.display if contract.display is not None else contract.round
            if to is None:
                return each_float(answer, to_digits)
            return each_float(answer, lambda value: round(value, to))
        case Dict(fields), dict():
            return {key: shown(part, answer[key]) for key, part in fields}
        case Tuple(items), tuple():
            return tuple(shown(part, value) for part, value in zip(items, answer, strict=True))
        case List(items), list():
            return [shown(part, value) for part, value in zip(items, answer, strict=True)]
        case ((ListOf(item) | AnySequence(item)), (list() | tuple())):
            return type(answer)([shown(item, value) for value in answer])
        case DictOf(item), dict():
            return {key: shown(item, value) for key, value in answer.items()}
        case _:
            return answer


def to_digits(value: float) -> float:
    """Without the noise of the last bit: 0.6 for 0.6000000000000001."""
    return float(f"{value:.15g}")


def each_float(value: Value, change: Callable[[float], float]) -> Value:
    match value:
        case list() | tuple():
            return type(value)([each_float(item, change) for item in value])
        case np.ndarray() if value.dtype.kind == "f":
            flat = [change(float(entry)) for entry in value.ravel()[:SHOWN_ENTRIES]]
            changed = value.astype(np.float64).ravel()
            changed[: len(flat)] = flat
            return changed.reshape(value.shape)
        case float():
            return change(value)
        case _:
            return value
