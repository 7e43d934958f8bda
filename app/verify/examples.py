"""The examples in a statement: calls in `pycon` fences, run on the core, right to the places written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from app.errors import Invalid
from app.model import Value
from app.problem import domains, forms
from app.problem.answer import custom_case
from app.verify.report import Reason
from app.verify.subject import Subject

_FENCE = re.compile(r"^```pycon *\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^>>> ?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A call in a `pycon` fence, and the result written under it."""

    line: int
    call: str
    result: str


def examples(markdown: str) -> Iterator[Example]:
    """The examples of a text, with the line on which each call stands."""
    for fence in _FENCE.finditer(markdown):
        start = markdown.count("\n", 0, fence.start(1)) + 1
        body = fence.group(1)
        for prompt in _PROMPT.finditer(body):
            end = body.find(">>>", prompt.end())
            lines = body[prompt.end() : end if end >= 0 else None].splitlines()
            rest = 1
            while rest < len(lines) and lines[rest].startswith("..."):
                rest += 1
            call = "\n".join([lines[0], *(line[4:] for line in lines[1:rest])])
            result = "\n".join(lines[rest:]).strip()
            yield Example(start + body.count("\n", 0, prompt.start()), call, result)


def examples_run(subject: Subject) -> Iterator[Reason]:
    """Every example in the statement is what the core says, to as many places as are written."""
    file = subject.family.folder.shown(f"variants/{subject.variant.name}/statement.md")
    for example in examples(subject.variant.page.statement):
        if example.call.startswith(("import ", "from ")):
            continue
        message = _wrong(subject, example)
        if message:
            yield Reason(subject.variant.id, "examples", message, str(file), example.line)


def _wrong(subject: Subject, example: Example) -> str:
    """What is wrong with an example, in words; empty if nothing."""
    try:
        values = _arguments(subject, example.call)
        case = custom_case(subject.variant, values, subject.runner)
        shown = _value(ast.parse(example.result, mode="eval").body, example.result)
    except (SyntaxError, Unreadable) as error:
        return f"the example cannot be read: {error}"
    except Invalid as error:
        return f"the example is no input of this variant: {error.__cause__ or error}"
    answer = case.contents().answer
    return "" if _same(shown, answer) else "the core's answer is not what the example shows"


class Unreadable(Exception):
    """Not a call of the entry point with values, or not a value."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: right if the answer rounds to it."""

    value: float
    places: int


def _arguments(subject: Subject, call: str) -> tuple[Value, ...]:
    node = ast.parse(call, mode="eval").body
    variant = subject.variant
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != variant.entry_point:
        raise Unreadable(f"it does not call {variant.entry_point}")
    names = [argument.name for argument in variant.arguments]
    given = dict(zip(names, node.args, strict=False))
    given |= {str(keyword.arg): keyword.value for keyword in node.keywords}
    if set(given) != set(names) or len(node.args) > len(names):
        raise Unreadable(f"the arguments are {', '.join(names)}")
    values = {name: _plain(_value(given[name], call)) for name in names}
    errors = list(domains.misfits(variant.arguments, values))
    if errors:
        raise Invalid(f"{errors[0].where}: {errors[0].message}", errors)
    return tuple(forms.shaped(values[a.name], a.contract, a.name) for a in variant.arguments)


def _value(node: ast.expr, source: str) -> Any:
    """A literal, or `array([...])`, `np.array([...])`, `np.float64(...)` around one."""
    match node:
        case ast.List(elts):
            return [_value(item, source) for item in elts]
        case ast.Tuple(elts):
            return tuple(_value(item, source) for item in elts)
        case ast.Dict(keys, values):
            return {
                ast.literal_eval(key): _value(item, source)
                for key, item in zip(keys, values, strict=True)
                if key is not None
            }
        case ast.Call(func, [inner, *_]) if ast.unparse(func).removeprefix("np.") in (
            "array",
            "float64",
        ):
            value = _value(inner, source)
            return ("array", value) if "array" in ast.unparse(func) else value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return Number(-number, _places(node, source))
        case ast.Constant(bool() | str() | None as value):
            return value
        case ast.Constant(int() | float() as number):
            return Number(number, _places(node, source))
    raise Unreadable(f"{ast.unparse(node)[:40]!r} is not a value")


def _places(node: ast.expr, source: str) -> int:
    text = ast.get_source_segment(source, node) or ""
    try:
        exponent = Decimal(text.replace("_", "").replace(" ", "")).as_tuple().exponent
    except InvalidOperation:
        raise Unreadable(f"{text!r} is not a number") from None
    return -exponent if isinstance(exponent, int) else 0


def _plain(value: Any) -> Any:
    """What was read as an argument, exact."""
    match value:
        case Number(number):
            return number
        case ("array", inner):
            return np.array(_plain(inner))
        case list():
            return [_plain(item) for item in value]
        case tuple():
            return tuple(_plain(item) for item in value)
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case _:
            return value


def _same(shown: Any, answer: Any) -> bool:
    """Whether what is written is the answer, rounded to the places written; containers are kept."""
    match shown:
        case ("array", inner):
            return isinstance(answer, np.ndarray) and _same(inner, answer.tolist())
        case Number(number, places):
            if type(answer) not in (int, float):
                return False
            slack = 1e-9 * abs(answer) if places > 12 else 1e-12 * abs(answer)
            return bool(abs(number - answer) <= 0.5 * 10.0**-places + slack)
        case list() | tuple():
            return (
                type(shown) is type(answer)
                and len(shown) == len(answer)
                and all(map(_same, shown, answer))
            )
        case dict():
            return isinstance(answer, dict) and (
                list(shown) == list(answer) and all(_same(shown[k], answer[k]) for k in shown)
            )
        case _:
            return type(shown) is type(answer) and bool(shown == answer)
