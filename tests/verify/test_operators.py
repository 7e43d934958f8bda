"""Small changes of a program: each kind is made, one at a time, and none that changes nothing."""

from __future__ import annotations

import ast

import pytest

from app.verify.operators import mutants


def changed(source: str) -> set[tuple[str, str, str]]:
    return {(m.operator, m.before, m.after) for m in mutants(source)}


@pytest.mark.parametrize(
    ("line", "operator", "before", "after"),
    [
        ("return a + b", "arithmetic", "a + b", "a - b"),
        ("return a * b", "arithmetic", "a * b", "a / b"),
        ("return a / b", "arithmetic", "a / b", "a // b"),
        ("return a ** 2", "arithmetic", "a ** 2", "a * 2"),
        ("return a - b", "operand dropped", "a - b", "a"),
        ("a += b\n    return a", "arithmetic", "a += b", "a -= b"),
        ("a += b\n    return a", "assignment", "a += b", "a = b"),
        ("return -a", "negation removed", "-a", "a"),
        ("return not a", "negation removed", "not a", "a"),
        ("return a > b", "comparison", "a > b", "a >= b"),
        ("return a <= b", "comparison", "a <= b", "a < b"),
        ("return a == b", "comparison", "a == b", "a != b"),
        ("return a is None", "comparison", "a is None", "a is not None"),
        ("return a and b", "boolean", "a and b", "a or b"),
        ("return a and b", "operand dropped", "a and b", "b"),
        ("return a if b else 0", "condition", "a if b else 0", "a"),
        ("if a: return b\n    return a", "condition", "if a:", "if True:"),
        ("return [x for x in a if x]", "condition", " for x in a if x", " for x in a"),
        ("while a: a = b\n    return a", "condition", "while a:", "while False:"),
        ("return a[1]", "constant", "1", "2"),
        ("return a[1]", "index removed", "a[1]", "a"),
        ("return a[1:]", "slice", "1:", ":"),
        ("return a[::-1]", "negation removed", "-1", "1"),
        ("return 0.5 * a", "constant", "0.5", "1.5"),
        ("return {'x': a}", "constant", "'x'", "'x_'"),
        ("return f'{a:.7f}'", "constant", "{a:.7f}", "{a:.6f}"),
        ("return g(a, b)", "arguments swapped", "g(a, b)", "g(b, a)"),
        ("return g(a, b)", "argument removed", "g(a, b)", "g(a)"),
        ("return np.sum(a, axis=0)", "keyword removed", "np.sum(a, axis=0)", "np.sum(a)"),
        ("return np.sum(a, axis=0)", "constant", "0", "1"),
        ("return np.sum(a, axis=0)", "function", "np.sum(a, axis=0)", "np.mean(a, axis=0)"),
        ("return np.sqrt(a)", "call removed", "np.sqrt(a)", "a"),
        ("return abs(a)", "call removed", "abs(a)", "a"),
        ("return a.copy()", "call removed", "a.copy()", "a"),
        ("return max(a, b)", "function", "max(a, b)", "min(a, b)"),
        ("a.sort()\n    return a", "statement removed", "a.sort()", ""),
        ("for x in a: b += x\n    return b", "statement removed", "for x in a:", ""),
        (
            "for x in a:\n        if x: break\n        b += x\n    return b",
            "loop",
            "break",
            "continue",
        ),
        ("return a", "statement removed", "return a", ""),
    ],
)
def test_each_kind_of_change_is_made(line: str, operator: str, before: str, after: str) -> None:
    """The operator, what stood there and what stands there now."""
    assert (operator, before, after) in changed(f"def f(a, b):\n    {line}\n")


def test_words_for_people_are_left_alone() -> None:
    """Docstrings, types, imports and comments hold no step of the computation."""
    types = "import math\nN: TypeAlias = list[int] | None\n"
    source = types + 'def f(a: "int" = None) -> "int":\n    """Adds 1."""\n    return a  # 2\n'
    assert {m.before for m in mutants(source)} == {"return a"}


def test_no_change_is_made_twice_or_in_vain() -> None:
    """All mutants compile, differ from each other and from the program in what they do."""
    source = "def f(a, b):\n    if a > 0 and b > 0:\n        a = a + 1 * b\n    return a + 0\n"
    found = list(mutants(source))
    codes = [compile(m.source, "m", "exec").co_consts[0].co_code for m in found]
    sources = {ast.dump(ast.parse(m.source)) for m in found}
    assert len(sources) == len(found) == len(codes)
    assert ast.dump(ast.parse(source)) not in sources


def test_a_mutant_knows_its_line_and_statement() -> None:
    """What is shown to an author leads to the place."""
    found = {m.before: m for m in mutants("def f(a):\n    b = a\n    return sum(a[::-1])\n")}
    assert found["::-1"].line == 3 or found["a[::-1]"].line == 3
    assert found["a[::-1]"].statement == "return sum(a[::-1])"
    assert str(found["b = a"]) == "line 2: `b = a` -> `(removed)`"
