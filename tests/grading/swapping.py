"""Putting a changed module in the place of a loaded one, without loading anything else again.

Modules and tests hold on to the functions that they imported, so functions stay and their code is
exchanged. What only an import can change (a class's fields, a table) is left to the slow way.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any


class CannotSwap(Exception):
    """The change is not inside a function, or the function is bound to what surrounds it."""


def holder(tree: ast.Module, line: int) -> ast.FunctionDef | None:
    """The outermost function or method in which the line is; nothing if there is none."""
    blocks: list[ast.stmt] = list(tree.body)
    while blocks:
        block = blocks.pop()
        if not block.lineno <= line <= (block.end_lineno or block.lineno):
            continue
        if isinstance(block, ast.FunctionDef):
            return block
        if isinstance(block, ast.ClassDef):
            blocks += block.body
    return None


def swap(module: ModuleType, source: str) -> None:
    """Every function of the module does from now on what it does in `source`."""
    changed = ModuleType(module.__name__)
    changed.__dict__.update(
        {name: module.__dict__[name] for name in ("__file__", "__package__", "__path__", "__spec__")
         if name in module.__dict__}
    )  # fmt: skip
    exec(compile(source, str(module.__file__), "exec", dont_inherit=True), changed.__dict__)
    new = dict(_functions(changed))
    for name, function in _functions(module):
        if name in new:
            _exchange(function, new[name])
    _forget(module)


def _functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__:
            for below, member in vars(value).items():
                if (function := _plain(member)) is not None and _written_in(function, module):
                    yield f"{name}.{below}", function
        elif (function := _plain(value)) is not None and _written_in(function, module):
            yield name, function


def _written_in(function: FunctionType, module: ModuleType) -> bool:
    """Not what a decorator such as `dataclass` has made."""
    return function.__code__.co_filename == str(module.__file__)


def _plain(value: Any) -> FunctionType | None:
    """The function under a property, a class method, a cache or a context manager."""
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "__func__", value)
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value if isinstance(value, FunctionType) else None


def _exchange(old: FunctionType, new: FunctionType) -> None:
    if old.__code__.co_freevars != new.__code__.co_freevars:
        raise CannotSwap(old.__qualname__)
    old.__code__ = new.__code__
    old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__


def _forget(module: ModuleType) -> None:
    """What a cache remembers, the function before the change has said."""
    for value in vars(module).values():
        if isinstance(value, functools._lru_cache_wrapper):
            value.cache_clear()
