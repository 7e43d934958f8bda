"""Runs a family's programs in boxes: the core for an answer, a generator for inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from app.errors import AllcloseError, BoxFault, FieldError, Invalid
from app.model import (
    Call,
    Crashed,
    Exceeded,
    Fact,
    Limits,
    NotCompiled,
    Outcome,
    Raised,
    Returned,
    Runner,
    TestCase,
    Value,
    Variant,
)
from app.problem import forms
from app.problem.family import Family, Named, Recipe
from app.problem.variants import formed

REASON = 200  # letters of an exception's message that are told
# A package's own program may think longer than a learner's: it makes the truth, once.
PROGRAM_LIMITS = Limits(time_s=5.0, wall_s=10.0, memory_mib=1024, returned_mib=256)


class ProgramFailed(AllcloseError):
    """A package's program did not return what it owes; the message is one line."""


def outcomes(runner: Runner, calls: Sequence[Call]) -> list[Outcome]:
    """Every outcome, in the order of the calls."""
    found = dict(runner.run(calls))
    if len(found) != len(calls):
        raise BoxFault(f"{len(calls)} calls gave {len(found)} outcomes")
    return [found[i] for i in range(len(calls))]


def core_call(family: Family, inputs: Named, parameters: Named) -> Call:
    """The call that makes the core's outputs for these inputs."""
    return program_call(family.core, "core", family.positional(inputs, parameters))


def program_call(source: str, name: str, arguments: Sequence[Value]) -> Call:
    return Call(source, name, tuple(arguments), limits=PROGRAM_LIMITS)


def generator_call(recipe: Recipe) -> Call:
    arguments = (recipe.seed, *(value for _, value in recipe.arguments))
    return program_call(recipe.source, "generate", arguments)


def named_values(outcome: Outcome, names: Sequence[str], what: str) -> Named:
    """The dict that a core, check, mistake or generator returned. Raises ProgramFailed."""
    if not isinstance(outcome.fact, Returned):
        raise ProgramFailed(f"{what} {in_words(outcome.fact)}")
    if not outcome.fact.inputs_unchanged:
        raise ProgramFailed(f"{what} changed its arguments")
    value = outcome.fact.value
    if type(value) is not dict:
        raise ProgramFailed(f"{what} returned a {type(value).__name__}, not a dict")
    if set(value) != set(names):
        raise ProgramFailed(
            f"{what} returned the keys {', '.join(map(str, value)) or 'none'}; "
            f"{', '.join(names)} are asked for"
        )
    return {name: value[name] for name in names}


def in_words(fact: Fact) -> str:
    """What happened, for a person: `raised ZeroDivisionError on line 3: ...`."""
    match fact:
        case Returned():
            return "returned"
        case Raised(type_name, message, line):
            return f"raised {type_name}{_on(line)}: {message}".rstrip(": ")
        case NotCompiled(_, message, line):
            return f"cannot be compiled{_on(line)}: {message}"
        case Exceeded(limit):
            return f"went over the limit ({limit})"
        case Crashed(signal, exit_code):
            return f"ended without a result (signal {signal}, exit code {exit_code})"
        case _:
            assert_never(fact)


def _on(line: int | None) -> str:
    return f" on line {line}" if line is not None else ""


def custom_case(variant: Variant, arguments: tuple[Value, ...], runner: Runner) -> TestCase:
    """A test of one's own input: its answer is what the core says now, in a box.

    Raises Invalid where the core cannot take the input: then the input, not the learner, is odd, and
    the message says what the core stumbled over. Its cause is a ProgramFailed that says where: for
    authors, since the core is not the learner's to read.
    """
    inputs = forms.inputs(variant, arguments)
    core = variant.core
    call = program_call(core.source, "core", forms.core_arguments(core, inputs))
    fact = outcomes(runner, [call])[0].fact
    if not isinstance(fact, Returned) or type(fact.value) is not dict:
        raise _odd(_stumbled(fact)) from ProgramFailed(f"the core {in_words(fact)} on this input")
    try:
        contents = formed(variant, inputs, fact.value)
    except forms.Unfit as error:
        reason = "what it gives has not the form that is asked for"
        raise _odd(reason) from ProgramFailed(f"the core has no answer in this form: {error}")
    return TestCase("custom input", ("custom input",), True, lambda: contents)


_LIMITS = {
    "cpu": "it takes too long",
    "wall": "it takes too long",
    "memory": "it needs too much memory",
    "printed": "it prints too much",
    "returned": "its result is too large",
}


def _stumbled(fact: Fact) -> str:
    """Why there is no answer, as far as the input has to do with it: nothing of the core's text."""
    match fact:
        case Raised(type_name, message):
            return f"it raises {type_name}: {message[:REASON]}".rstrip(": ")
        case Exceeded(limit):
            return _LIMITS[limit]
        case _:
            return "it ends without a result"


def _odd(reason: str) -> Invalid:
    message = f"the reference cannot take this input: {reason}"
    return Invalid(message, (FieldError("arguments", message),))
