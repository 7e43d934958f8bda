"""What can be known of a package's Python files without running them. Nothing here is executed."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from app.errors import PackageError

_Literal = TypeVar("_Literal", tuple[str, ...], dict[str, str])


@dataclass(frozen=True, slots=True)
class MistakeFile:
    """A mistake as its file describes it; `title_in` and `explanation_in` differ by variant."""

    name: str
    source: str
    title: str
    explanation: str
    not_in: tuple[str, ...] = ()
    title_in: dict[str, str] = field(default_factory=dict)
    explanation_in: dict[str, str] = field(default_factory=dict)


def parsed(source: str, path: Path) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise PackageError(f"is not Python: {error.msg}", path, error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise PackageError(f"is not Python: {error}", path) from None


def check_function(source: str, path: Path, name: str, parameters: tuple[str, ...]) -> None:
    """The file defines `name` with exactly these parameters, in this order.

    Package programs are called by position, so a swapped pair would go unseen at run time.
    """
    wanted = f"def {name}({', '.join(parameters)})"
    found = [
        node
        for node in parsed(source, path).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    if not found:
        raise PackageError(f"does not define {name}", path, remedy=f"write `{wanted}: ...`")
    arguments = found[-1].args
    given = tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args))
    if given != parameters or arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise PackageError(
            f"{name} takes ({', '.join(given)}), not ({', '.join(parameters)})",
            path,
            found[-1].lineno,
            f"write `{wanted}: ...`",
        )


def mistake(name: str, source: str, path: Path) -> MistakeFile:
    """The metadata of a mistake: its docstring, and literals at the top of the module."""
    module = parsed(source, path)
    title, _, explanation = (ast.get_docstring(module) or "").partition("\n")
    if not title.strip() or not explanation.strip():
        raise PackageError(
            "needs a docstring: the title, an empty line, and an explanation for learners", path, 1
        )
    return MistakeFile(
        name,
        source,
        title.strip().rstrip("."),
        textwrap.dedent(explanation).strip(),
        tuple(_literal(module, "NOT_IN", (), path)),
        dict(_literal(module, "TITLE_IN", {}, path)),
        dict(_literal(module, "EXPLANATION_IN", {}, path)),
    )


def _literal(module: ast.Module, name: str, default: _Literal, path: Path) -> _Literal:
    """The value of `NAME = <literal of the default's type>`, strings only inside."""
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            try:
                found = ast.literal_eval(node.value)
            except (ValueError, TypeError):
                found = None
            words = list(found.items()) if isinstance(found, dict) else [found or ()]
            if type(found) is type(default) and all(type(w) is str for pair in words for w in pair):
                return found
            kind = "tuple" if isinstance(default, tuple) else "dict"
            raise PackageError(f"{name} must be a {kind} of strings", path, node.lineno)
    return default
