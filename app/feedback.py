"""What the learner is told about one run: everything on a sample, almost nothing on a secret test.

The table of grading, as code. A secret test shows no input, no value, no number and no index, and of
the names that the learner's program made (an exception, a type, a key, a function) only those that
say nothing new: built-in ones, NumPy's, and those that stand literally in the source. Otherwise
`raise type("E" + repr(x), ...)` would carry an input out.
"""

from __future__ import annotations

import builtins
import collections
import difflib
import functools
import re
import types
import unicodedata
from typing import assert_never

import numpy as np

from app.model import (
    Contents,
    Crashed,
    Exceeded,
    Fact,
    Feedback,
    Limits,
    Mismatch,
    NotCompiled,
    Outcome,
    Raised,
    Returned,
    TestCase,
    Variant,
)
from app.notation import written

# Enough to recognise an exception by; a program may make its message as long as it likes.
_LONGEST_MESSAGE = 2_000
_LONGEST_NAME = 200

# What NumPy raises from its private modules.
_NUMPY_RAISES = {
    "UFuncTypeError",
    "_UFuncBinaryResolutionError",
    "_UFuncNoLoopError",
    "_UFuncInputCastingError",
    "_UFuncOutputCastingError",
    "_ArrayMemoryError",
}

CHANGED_INPUT = "your code changed its input"


def in_full(
    source: str,
    variant: Variant,
    test: TestCase,
    contents: Contents,
    outcome: Outcome,
    mismatch: Mismatch | None,
    failed: bool,
) -> Feedback:
    """For samples and custom input: what went in, what came out, and what was expected."""
    fact = outcome.fact
    raised = fact if isinstance(fact, Raised) else None
    names = [argument.name for argument in variant.arguments]
    return Feedback(
        message=mismatch.message if mismatch else _told(outcome, source, variant, secret=False),
        mismatch=mismatch,
        exception_type=_exception_name(raised, "", secret=False) if raised else "",
        exception_message=_cut(raised.message) if raised else "",
        line=fact.line if isinstance(fact, Raised | NotCompiled) else None,
        column=fact.column if isinstance(fact, NotCompiled) else None,
        arguments=tuple(
            (name, written(value)) for name, value in zip(names, contents.arguments, strict=True)
        ),
        returned=written(fact.value) if isinstance(fact, Returned) else "",
        answer=written(contents.answer, contract=variant.returns),
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        remark=_remark(fact, mismatch),
        hint=_hint(test, mismatch, failed),
    )


def cut(
    source: str,
    variant: Variant,
    test: TestCase,
    outcome: Outcome,
    mismatch: Mismatch | None,
    failed: bool,
) -> Feedback:
    """For secret tests: the kind of failure, the line, and the author's hint for the label."""
    fact = outcome.fact
    raised = fact if isinstance(fact, Raised) else None
    return Feedback(
        message=(
            _summary(mismatch, source) if mismatch else _told(outcome, source, variant, secret=True)
        ),
        mismatch=(
            Mismatch(mismatch.kind, "", _summary(mismatch, source), _summary(mismatch, source))
            if mismatch
            else None
        ),
        exception_type=_exception_name(raised, source, secret=True) if raised else "",
        line=fact.line if isinstance(fact, Raised | NotCompiled) else None,
        remark=_remark(fact, mismatch),
        hint=_hint(test, mismatch, failed),
    )


def _hint(test: TestCase, mismatch: Mismatch | None, failed: bool) -> str:
    """An author's hint is about numbers: beside a syntax error or a wrong container it misleads."""
    about_numbers = mismatch is not None and mismatch.kind in {"value", "non_finite", "rounding"}
    return test.hint if failed and about_numbers else ""


def says_nothing_new(name: str, source: str) -> bool:
    """Whether a name may be shown for a secret test: built-in, NumPy's, or literally in the source.

    It must be a name: text of dots and dashes that also stands in the source could spell an input.
    """
    if name in _known_names():
        return True
    if not name.isidentifier() or len(name) > _LONGEST_NAME:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", source) is not None


@functools.cache
def _known_names() -> frozenset[str]:
    """The names of Python's and NumPy's own types and exceptions."""
    spaces = (builtins, types, collections, np, np.exceptions, np.linalg)
    kinds = (value for space in spaces for value in vars(space).values())
    return frozenset(kind.__name__ for kind in kinds if isinstance(kind, type)) | _NUMPY_RAISES


# --- Words for facts ----------------------------------------------------------------------------


def _told(outcome: Outcome, source: str, variant: Variant, secret: bool) -> str:
    """A fact that is not a returned value, in one line."""
    fact = outcome.fact
    match fact:
        case Returned():
            return ""
        case Raised(type_name="SystemExit", line=line):
            return f"your code ended the process (SystemExit{_on_line(line)})"
        case Raised(message=message, line=line):
            says = "" if secret or not message else f": {_cut(message)}"
            return f"{_exception_name(fact, source, secret)}{says}{_on_line(line, brackets=True)}"
        case NotCompiled():
            return _not_compiled(fact, source, variant, secret)
        case Exceeded():
            return _exceeded(fact, variant.limits, outcome.cpu_s)
        case Crashed():
            return _crashed(fact)
        case _:
            assert_never(fact)


def _exception_name(fact: Raised, source: str, secret: bool) -> str:
    if not secret or says_nothing_new(fact.type_name, source):
        return fact.type_name[:_LONGEST_NAME]
    return "an exception"


def _not_compiled(fact: NotCompiled, source: str, variant: Variant, secret: bool) -> str:
    name = variant.entry_point
    match fact.reason:
        case "syntax":
            says = "" if secret or not fact.message else f": {_cut(fact.message)}"
            what = f"the source cannot be compiled{says}{_on_line(fact.line, brackets=True)}"
            return what + _pasted(source, fact.line)
        case "no_entry_point":
            # Which names are defined can depend on the input; a sample has told them already.
            method = _as_method(source, name)
            defined = "" if secret or method else f"; {_defined_instead(fact, name)}"
            return f"no function {name}{method or defined}"
        case "signature":
            call = f"{name}({', '.join(argument.name for argument in variant.arguments)})"
            # A default value is written out by the learner's own code: it can spell anything.
            own = f"your {name}" if secret or not fact.signature else name + _cut(fact.signature)
            return f"{own} cannot take the arguments: the tests call {call}"
        case _:
            assert_never(fact.reason)


def _pasted(source: str, line: int | None) -> str:
    """What came along when a program was copied from a page or a shell, on the line that failed."""
    lines = source.splitlines()
    failed = lines[line - 1].strip() if line and 0 < line <= len(lines) else ""
    if failed.startswith("```"):
        return "; ``` belongs to the page it was copied from: leave those lines out"
    if re.match(r">>>|\.\.\. |In \[\d+\]:", failed):
        return "; this is the prompt of a Python shell: leave it out"
    return ""


def _as_method(source: str, name: str) -> str:
    """Says so where it stands in a class, as other sites want it; seen in the source alone."""
    if not re.search(rf"^[ \t]+(async[ \t]+)?def[ \t]+{re.escape(name)}\b", source, re.MULTILINE):
        return ""
    inside = re.search(r"^class[ \t]+(\w+)", source, re.MULTILINE)
    place = f"class {inside[1][:_LONGEST_NAME]}" if inside else "a class or another function"
    return f" at the top: it stands in {place}; begin its line at the margin, without self"


def _defined_instead(fact: NotCompiled, name: str) -> str:
    """What the source does define: the nearest miss, or else the first few."""
    if not fact.defined:
        return "your code defines no function"
    near = difflib.get_close_matches(name, fact.defined, n=1)
    twin = _look_alike(name, near[0]) if near else ""
    return f"you defined {near[0] if near else ', '.join(fact.defined[:3])}{twin}"


def _look_alike(name: str, near: str) -> str:
    """Says which letter only looks like the one asked for (a Cyrillic s, say)."""
    foreign = next((letter for letter in near if not letter.isascii()), None)
    if foreign is None or name == near:
        return ""
    return f', where "{foreign}" is {unicodedata.name(foreign, "another letter").lower()}'


def _exceeded(fact: Exceeded, limits: Limits, cpu_s: float) -> str:
    match fact.limit:
        case "cpu":
            return f"stopped after {limits.time_s:g} s of CPU time, the limit for one test"
        case "wall":
            # With so much computed it slept little: others had the processor.
            busy = cpu_s >= limits.time_s / 2
            why = "it was busy, and so was the machine" if busy else "sleeping and waiting count"
            return f"stopped after {limits.wall_s:g} s by the wall clock, the limit for one test ({why})"
        case "memory":
            return f"used more than {limits.memory_mib} MiB of memory, the limit for one test"
        case "printed":
            return f"printed more than {limits.printed_kib} KiB, the limit for one test"
        case "returned":
            return (
                f"returned more than {limits.returned_mib} MiB, 4 million values or 64 levels "
                "of nesting, the limits for one test"
            )
        case _:
            assert_never(fact.limit)


_SIGNALS = {
    4: "an illegal instruction",
    6: "abort",
    7: "a bus error",
    8: "an arithmetic fault",
    9: "kill",
    11: "a segmentation fault or an abort: memory that is not there, or recursion too deep",
    15: "terminate",
}


def _crashed(fact: Crashed) -> str:
    if fact.signal is not None:
        name = _SIGNALS.get(fact.signal, "")
        return f"your code ended the process by signal {fact.signal}{name and f' ({name})'}"
    if fact.malformed:
        return "your code ended the process with a broken result"
    return "your code ended the process before it returned anything"


def _remark(fact: Fact, mismatch: Mismatch | None) -> str:
    changed = isinstance(fact, Returned) and not fact.inputs_unchanged
    if not changed or (mismatch and mismatch.kind == "inputs"):
        return ""
    return f"{CHANGED_INPUT}: allowed here, but whoever calls it may not expect that"


def _summary(mismatch: Mismatch, source: str) -> str:
    if mismatch.named and says_nothing_new(mismatch.named, source):
        return f"{mismatch.summary} ({mismatch.named})"
    return mismatch.summary


def _on_line(line: int | None, brackets: bool = False) -> str:
    if line is None:
        return ""
    return f" (line {line})" if brackets else f" on line {line}"


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_MESSAGE:
        return text
    return f"{text[:_LONGEST_MESSAGE]} … {len(text) - _LONGEST_MESSAGE} more characters"
