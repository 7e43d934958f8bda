"""Putting a changed module in the place of a loaded one, without loading anything else again.

Modules and tests hold on to the functions that they imported, so functions stay and their code is
exchanged; plain constants are put wherever they were imported to. What only an import can change (a
class's fields, a table of functions) is left to the slow way.
"""

from __future__ import annotations

import ast
import functools
import gc
import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from types import CodeType, FunctionType, ModuleType, NoneType
from typing import Any


class CannotSwap(Exception):
    """The change is not inside a function, or the function is bound to what surrounds it."""


def statement(tree: ast.Module, line: int) -> range | None:
    """The lines of the innermost statement there, without those below it; None outside of functions."""
    found: range | None = None
    inside = False
    blocks: list[ast.AST] = list(tree.body)
    while blocks:
        block = blocks.pop()
        if not isinstance(block, ast.stmt | ast.ExceptHandler | ast.match_case):
            continue
        below = list(ast.iter_child_nodes(block))
        first, last = _lines(block)
        if not first <= line <= last:
            continue
        if inside:
            body = [n.lineno for n in below if isinstance(n, ast.stmt)]
            found = range(first, min([*body, last + 1]))
            found = found if line in found else range(line, line + 1)
        inside = inside or isinstance(block, ast.FunctionDef)
        blocks = below
    return found


def _lines(block: ast.stmt | ast.ExceptHandler | ast.match_case) -> tuple[int, int]:
    if isinstance(block, ast.match_case):
        return block.pattern.lineno, block.body[-1].end_lineno or block.body[-1].lineno
    return block.lineno, block.end_lineno or block.lineno


def constant(tree: ast.Module, line: int) -> str | None:
    """The name that the module gives to a plain value in that line."""
    for block in tree.body:
        first, last = block.lineno, block.end_lineno or block.lineno
        if first <= line <= last and isinstance(block, ast.Assign | ast.AnnAssign):
            target = block.targets[0] if isinstance(block, ast.Assign) else block.target
            return target.id if isinstance(target, ast.Name) else None
    return None


def users(tree: ast.Module, name: str) -> set[int]:
    """The lines of all functions of a module in which a name of the module stands."""
    return {
        line
        for block in ast.walk(tree)
        if isinstance(block, ast.FunctionDef)
        and any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(block))
        for line in range(block.lineno, (block.end_lineno or block.lineno) + 1)
    }


def put_constant(module: ModuleType, name: str, source: str) -> None:
    """The module's constant has from now on the value that it has in `source`, everywhere."""
    changed = _loaded(module, source)
    if name not in vars(changed):
        raise CannotSwap(name)
    old, new = getattr(module, name), getattr(changed, name)
    if not (_is_plain(old) and _is_plain(new)):
        raise CannotSwap(name)
    for other in [m for n, m in sys.modules.items() if n.split(".")[0] in ("app", "tests")]:
        if vars(other).get(name) is old:
            setattr(other, name, new)
    _forget(module)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | frozenset | set | list):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return isinstance(value, str | int | float | NoneType | Fraction)


def closures(paths: Iterable[str]) -> list[FunctionType]:
    """The functions that others of these files have made and something still holds (a table, say)."""
    known = set(paths)
    return [
        one
        for one in gc.get_objects()
        if type(one) is FunctionType
        and "<locals>" in one.__qualname__
        and one.__code__.co_filename in known
    ]


def swap(module: ModuleType, source: str, made: Iterable[FunctionType] = ()) -> None:
    """Every function of the module, and each that they have made, does from now on what `source` says."""
    changed = _loaded(module, source)
    new = dict(_functions(changed))
    for name, function in _functions(module):
        if name in new:
            _exchange(function, new[name])
    below = [code for function in new.values() for code in _codes(function.__code__)]
    for closure in made:
        if _written_in(closure, module):
            named = [code for code in below if code.co_qualname == closure.__code__.co_qualname]
            if len(named) != 1 or named[0].co_freevars != closure.__code__.co_freevars:
                raise CannotSwap(closure.__qualname__)
            closure.__code__ = named[0]
    _forget(module)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """What is written inside a function: functions, lambdas, comprehensions."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _loaded(module: ModuleType, source: str) -> ModuleType:
    """A module of the same name, made from another text and known to nobody."""
    changed = ModuleType(module.__name__)
    for name in ("__file__", "__package__", "__path__", "__spec__"):
        if name in vars(module):
            setattr(changed, name, vars(module)[name])
    exec(compile(source, str(module.__file__), "exec", dont_inherit=True), vars(changed))
    return changed


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
