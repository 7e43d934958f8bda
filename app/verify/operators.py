"""First-order mutants: every small change of a program, one at a time.

Each operator looks at one node of the syntax tree and offers other nodes in its place. A change that
compiles to the same byte-code is no change and is left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed program: what stood there, what stands there now, and by which operator.

    `statement` is the first line of the statement around the place, as it was.
    """

    operator: str
    line: int
    before: str
    after: str
    statement: str
    source: str

    def __str__(self) -> str:
        return f"line {self.line}: `{self.before}` -> `{self.after or '(removed)'}`"


_Offer = tuple[str, ast.AST]  # operator, the node in place of the old one


def mutants(source: str) -> Iterator[Mutant]:
    """All first-order mutants of a program, in the order of its text."""
    statements = ast.parse(source).body
    texts = [ast.unparse(statement) for statement in statements]
    for i, statement in enumerate(statements):
        # Only this statement changes, so nothing else needs to be written out or compiled again.
        for mutant in _of_statement(statement, texts[i]):
            whole = "\n".join((*texts[:i], mutant.source, *texts[i + 1 :]))
            yield replace(mutant, source=whole)


def _of_statement(top: ast.stmt, text: str) -> Iterator[Mutant]:
    tree = ast.Module([top], [])
    seen = {_code(text)}
    for parent, name, index, node, statement in _places(tree):
        for operator, other in _offers(node):
            _put(parent, name, index, other)
            changed = ast.unparse(ast.fix_missing_locations(tree))
            _put(parent, name, index, node)
            code = _code(changed)
            if code is not None and code not in seen:
                seen.add(code)
                line = getattr(node, "lineno", 1)
                yield Mutant(operator, line, _text(node), _text(other), statement, changed)


def _places(
    tree: ast.Module,
) -> Iterator[tuple[ast.AST, str, int | None, ast.AST, str]]:
    """Every node that may be changed, with where it hangs. Words for people are left alone."""
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        parent, statement = stack.pop()
        if isinstance(parent, ast.stmt):
            statement = _text(parent)
        below: list[tuple[ast.AST, str]] = []
        for name, value in ast.iter_fields(parent):
            if name in ("annotation", "returns", "decorator_list", "type_params", "format_spec"):
                continue
            for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(node, ast.AST) or _is_words(node):
                    continue
                around = _text(node) if isinstance(node, ast.stmt) else statement
                yield parent, name, index, node, around
                below.append((node, statement))
        stack += reversed(below)


def _is_words(node: ast.AST) -> bool:
    """Docstrings, imports, names of types and contexts: nothing there is a step of the computation."""
    match node:
        case ast.Expr(ast.Constant()) | ast.AnnAssign(annotation=ast.Name("TypeAlias")):
            return True
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.expr_context, ast.arg, ast.alias))


def _put(parent: ast.AST, name: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[index] = node


def _text(node: ast.AST) -> str:
    """The node as one line of source; nothing for a statement that is gone."""
    if isinstance(node, ast.Pass):
        return ""
    if isinstance(node, (ast.operator, ast.cmpop, ast.boolop)):
        return type(node).__name__
    return ast.unparse(node).splitlines()[0]


def _code(source: str) -> bytes | None:
    try:
        return repr(_behaviour(compile(source, "mutant", "exec"))).encode()
    except (SyntaxError, ValueError):
        return None


def _behaviour(code: CodeType) -> tuple[Any, ...]:
    """What a code object does, whatever lines it came from."""
    constants = tuple(
        _behaviour(c) if isinstance(c, CodeType) else (type(c).__name__, c) for c in code.co_consts
    )
    return code.co_code, constants, code.co_names, code.co_varnames


# --- Operators -----------------------------------------------------------------------------------

_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
}
_COMPARISON: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
# Functions that people take for one another.
_SWAPS = {
    "sum": ("max", "mean"),
    "fsum": ("prod",),
    "mean": ("sum", "median"),
    "median": ("mean",),
    "max": ("min", "sum"),
    "min": ("max",),
    "maximum": ("minimum",),
    "minimum": ("maximum",),
    "argmax": ("argmin",),
    "argmin": ("argmax",),
    "prod": ("sum",),
    "cumsum": ("cumprod",),
    "cos": ("sin",),
    "sin": ("cos",),
    "exp": ("log",),
    "log": ("exp",),
    "floor": ("ceil",),
    "ceil": ("floor",),
    "any": ("all",),
    "all": ("any",),
    "zeros": ("ones",),
    "ones": ("zeros",),
    "zeros_like": ("ones_like",),
    "ones_like": ("zeros_like",),
    "append": ("extend",),
    "square": ("abs",),
}
_SWAPPED_BUILTINS = {
    "sum": ("max", "len"),
    "max": ("min", "sum"),
    "min": ("max",),
    "any": ("all",),
    "all": ("any",),
}


def _offers(node: ast.AST) -> Iterator[_Offer]:
    for operator in _OPERATORS:
        yield from operator(node)


def _arithmetic(node: ast.AST) -> Iterator[_Offer]:
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        for other in _ARITHMETIC.get(type(node.op), ()):
            if isinstance(node, ast.BinOp):
                yield "arithmetic", ast.BinOp(node.left, other(), node.right)
            else:
                yield "arithmetic", ast.AugAssign(node.target, other(), node.value)
    if isinstance(node, ast.BinOp):
        yield "operand dropped", node.left
        yield "operand dropped", node.right
    if isinstance(node, ast.AugAssign):
        yield "assignment", ast.Assign([node.target], node.value, lineno=node.lineno)


def _unary(node: ast.AST) -> Iterator[_Offer]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        yield "negation removed", node.operand


def _comparison(node: ast.AST) -> Iterator[_Offer]:
    if isinstance(node, ast.Compare):
        for i, old in enumerate(node.ops):
            for other in _COMPARISON[type(old)]:
                ops = [*node.ops[:i], other(), *node.ops[i + 1 :]]
                yield "comparison", ast.Compare(node.left, ops, node.comparators)


def _boolean(node: ast.AST) -> Iterator[_Offer]:
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "boolean", ast.BoolOp(other, node.values)
        for value in node.values:
            yield "operand dropped", value


def _condition(node: ast.AST) -> Iterator[_Offer]:
    match node:
        case ast.If(_, body, orelse):
            for fixed in (True, False):
                yield "condition", ast.If(ast.Constant(fixed), body, orelse, lineno=node.lineno)
        case ast.IfExp(_, body, orelse):
            yield "condition", body
            yield "condition", orelse
        case ast.While(_, body, orelse):
            yield "condition", ast.While(ast.Constant(False), body, orelse, lineno=node.lineno)
        case ast.comprehension(target, iterable, ifs, is_async) if ifs:
            yield "condition", ast.comprehension(target, iterable, ifs[:-1], is_async)


def _constant(node: ast.AST) -> Iterator[_Offer]:
    match node:
        case ast.Constant(bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(int() as value):
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case ast.Constant(float() as value):
            yield "constant", ast.Constant(value + 1.0)
            if value not in (0.0, 1.0):
                yield "constant", ast.Constant(value * 2.0)
        case ast.FormattedValue(value, conversion, ast.JoinedStr([ast.Constant(str() as spec)])):
            if (places := re.search(r"\d+(?=[a-z%]?$)", spec)) is not None:
                fewer = f"{spec[: places.start()]}{int(places[0]) - 1}{spec[places.end() :]}"
                written = ast.JoinedStr([ast.Constant(fewer)])
                yield "constant", ast.FormattedValue(value, conversion, written)
        case ast.Constant(str() as value) if value:
            yield "constant", ast.Constant(value + "_")


def _slice(node: ast.AST) -> Iterator[_Offer]:
    if isinstance(node, ast.Slice):
        for name in ("lower", "upper", "step"):
            if getattr(node, name) is not None:
                bounds = {n: getattr(node, n) for n in ("lower", "upper", "step") if n != name}
                yield "slice", ast.Slice(**bounds)


def _index(node: ast.AST) -> Iterator[_Offer]:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield "index removed", node.value


def _call(node: ast.AST) -> Iterator[_Offer]:
    if not isinstance(node, ast.Call):
        return
    for function in _other_functions(node.func):
        yield "function", ast.Call(function, node.args, node.keywords)
    if len(node.args) >= 2 and not any(isinstance(a, ast.Starred) for a in node.args):
        swapped = [node.args[1], node.args[0], *node.args[2:]]
        yield "arguments swapped", ast.Call(node.func, swapped, node.keywords)
        yield "argument removed", ast.Call(node.func, node.args[:-1], node.keywords)
    for i in range(len(node.keywords)):
        kept = [*node.keywords[:i], *node.keywords[i + 1 :]]
        yield "keyword removed", ast.Call(node.func, node.args, kept)
    if node.args and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp)):
        yield "call removed", node.args[0]
    elif isinstance(node.func, ast.Attribute) and not node.args:
        yield "call removed", node.func.value


def _other_functions(function: ast.expr) -> Iterator[ast.expr]:
    match function:
        case ast.Attribute(value, name, context):
            for other in _SWAPS.get(name, ()):
                yield ast.Attribute(value, other, context)
        case ast.Name(name, context):
            for other in _SWAPPED_BUILTINS.get(name, ()):
                yield ast.Name(other, context)


def _statement(node: ast.AST) -> Iterator[_Offer]:
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return  # it only names a type
    if isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Break,
                         ast.Continue, ast.Delete, ast.Raise, ast.Assert)):  # fmt: skip
        yield "statement removed", ast.Pass(lineno=node.lineno)
    if isinstance(node, (ast.For, ast.With, ast.Try)):
        yield "statement removed", ast.Pass(lineno=node.lineno)
    if isinstance(node, ast.Break):
        yield "loop", ast.Continue(lineno=node.lineno)
    if isinstance(node, ast.Continue):
        yield "loop", ast.Break(lineno=node.lineno)


_OPERATORS: tuple[Callable[[ast.AST], Iterator[_Offer]], ...] = (
    _arithmetic,
    _unary,
    _comparison,
    _boolean,
    _condition,
    _constant,
    _slice,
    _index,
    _call,
    _statement,
)
