"""What goes into an entry point and what comes out, declared as data.

A contract is a tree: containers inside, leaves outside. The same tree serves the signature table,
the fields for custom input, the check of uploaded tests, the comparison, and the paragraph in
words on the problem page, so that page and judge cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

LeafKind: TypeAlias = Literal[
    "number", "integer", "boolean", "string", "array", "nested_list", "array_like"
]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number, or an array of numbers, and how close is close enough.

    shape         lengths of the axes, None for an axis of any length; None for any shape at all
    dtype_kinds   NumPy kind letters that are accepted ("f", "iu", ...); None: ints and floats alike
    dtype         for arguments: the dtype in which an array is handed over
    above, below  open bounds of every entry; minimum, maximum: closed bounds (arguments only); a
                  name is the value of that argument
    finite        every entry must be finite (arguments only)
    min_size      fewest entries of an array (arguments only)
    like          the argument whose shape (or, inside list_of, whose item's shape) this one has
    round         decimal places asked for; the answer stays unrounded
    guard         relative, the slack of the rounding rule beyond half a unit
    rtol, atol    override the variant's tolerance for this leaf
    display       decimal places shown on the page, never places checked
    """

    kind: LeafKind
    shape: tuple[int | None, ...] | None = None
    dtype_kinds: str | None = None
    dtype: str | None = None
    above: float | str | None = None
    below: float | str | None = None
    minimum: float | str | None = None
    maximum: float | str | None = None
    finite: bool = False
    min_size: int = 0
    like: str | None = None
    round: int | None = None
    guard: float = 1e-12
    rtol: float | None = None
    atol: float | None = None
    display: int | None = None


@dataclass(frozen=True, slots=True)
class Dict:
    """A dict with exactly these keys, each with a contract of its own."""

    fields: tuple[tuple[str, Contract], ...]


@dataclass(frozen=True, slots=True)
class DictOf:
    """A dict whose keys are whatever the answer (or argument) has; every value fits `item`.

    min_items  fewest keys (arguments only)
    like       the argument whose keys and shapes it has, at every place (arguments only)
    """

    item: Contract
    min_items: int = 0
    like: str | None = None


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple with exactly these items."""

    items: tuple[Contract, ...]


@dataclass(frozen=True, slots=True)
class List:
    """A list with exactly these items, each with a contract of its own."""

    items: tuple[Contract, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of any number of items that all fit `item`."""

    item: Contract
    min_items: int = 0
    max_items: int | None = None


@dataclass(frozen=True, slots=True)
class AnySequence:
    """A list or a tuple of items that all fit `item`."""

    item: Contract
    min_items: int = 0
    max_items: int | None = None


Contract: TypeAlias = Leaf | Dict | DictOf | Tuple | List | ListOf | AnySequence


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter of an entry point."""

    name: str
    contract: Contract


@dataclass(frozen=True, slots=True)
class Tolerance:
    """|got - want| <= atol + rtol * |want|, edge included; both always stated."""

    rtol: float
    atol: float
