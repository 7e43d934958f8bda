"""A variant as its page shows it: everything a template asks for, made once for each version."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from app.contract import Contract
from app.model import Page, TestCase, Variant
from app.notation import written
from app.web.checked import how_checked, shown
from app.web.markup import lift_styles, stylesheet
from app.web.words import Row, differences, returned, signature

# A call that fits in one line of the narrower half of the page is shown as a call.
CALL_WIDTH = 72
SHOWN_WIDTH = 400
# Programs run in the interpreter that serves, with its NumPy.
RUNTIME = "Python {}.{} · NumPy {}".format(*sys.version_info[:2], np.__version__)

Render = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Example:
    """A sample: as a call where that is short, otherwise by named inputs."""

    title: str
    explanation: Markup
    call: str
    arguments: tuple[tuple[str, str], ...]
    answer: str


@dataclass(frozen=True, slots=True)
class HintShown:
    title: str
    html: Markup


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another problem, as a link; `differs` where it asks for the same idea."""

    id: str
    title: str
    difficulty: str
    minutes: int
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """All that the template of a problem's page asks for."""

    id: str
    title: str
    entry_point: str
    difficulty: str
    minutes: int
    number: int | None
    track: str
    sorted_as: tuple[tuple[str, tuple[str, ...]], ...]
    secret_tests: int
    bonus: str
    starter: str
    statement: Markup
    theory: Markup
    hints: tuple[HintShown, ...]
    solution: Markup
    figure: str
    signature: tuple[Row, ...]
    returned: tuple[Row, ...]
    examples: tuple[Example, ...]
    how_checked: tuple[str, ...]
    next: Neighbour | None
    previous: Neighbour | None
    ladder: tuple[Neighbour, ...]
    math_rules: Markup
    facts: dict[str, object]


def reading(variant: Variant, catalogue: Sequence[Variant], render: Render) -> Reading:
    """All of a problem's page. Renders Markdown and formulas, so keep the result."""
    rules: dict[str, str] = {}

    def html(markdown: str) -> Markup:
        lifted, found = lift_styles(render(markdown)) if markdown.strip() else ("", {})
        rules.update(found)
        return Markup(lifted)

    page = variant.page
    samples = [test for test in variant.tests if test.sample]
    examples = tuple(
        _example(variant, test, number, html) for number, test in enumerate(samples, start=1)
    )
    by_id = {other.id: other for other in catalogue}
    ids = list(by_id)
    place = ids.index(variant.id) if variant.id in by_id else 0
    return Reading(
        id=variant.id,
        title=variant.title,
        entry_point=variant.entry_point,
        difficulty=page.difficulty,
        minutes=page.minutes,
        number=page.number,
        track=page.track,
        sorted_as=_sorted_as(page),
        secret_tests=len(variant.tests) - len(samples),
        bonus=variant.bonus.title if variant.bonus else "",
        starter=page.starter,
        statement=html(page.statement),
        theory=html(page.lesson),
        hints=tuple(HintShown(hint.title, html(hint.markdown)) for hint in page.hints),
        solution=html(page.worked_solution),
        figure=page.figure,
        signature=signature(variant),
        returned=returned(variant),
        examples=examples,
        how_checked=how_checked(variant),
        next=neighbour(by_id[page.next]) if page.next in by_id else None,
        previous=neighbour(by_id[ids[place - 1]]) if place else None,
        ladder=tuple(
            neighbour(other, differences(variant, other))
            for other in catalogue
            if other.family == variant.family and other.id != variant.id
        ),
        math_rules=stylesheet(rules.items()),
        facts=facts(variant, examples),
    )


def neighbour(variant: Variant, differs: tuple[str, ...] = ()) -> Neighbour:
    page = variant.page
    return Neighbour(variant.id, variant.title, page.difficulty, page.minutes, differs)


def _sorted_as(page: Page) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = (
        ("Tags", page.tags),
        ("Roles", page.roles),
        ("Companies", page.companies),
        ("Seniority", page.seniority),
    )
    return tuple((name, words) for name, words in found if words)


def _example(
    variant: Variant, test: TestCase, number: int, html: Callable[[str], Markup]
) -> Example:
    contents = test.contents()
    named = tuple(
        (argument.name, written(value, width=SHOWN_WIDTH))
        for argument, value in zip(variant.arguments, contents.arguments, strict=True)
    )
    call = f"{variant.entry_point}({', '.join(text for _, text in named)})"
    return Example(
        title=test.title or f"Example {number}",
        explanation=html(test.explanation),
        call=call if len(call) <= CALL_WIDTH else "",
        arguments=named,
        answer=answer_written(variant.returns, contents.answer),
    )


def answer_written(contract: Contract, answer: object) -> str:
    return written(shown(contract, answer), width=SHOWN_WIDTH)


def facts(variant: Variant, examples: Sequence[Example]) -> dict[str, object]:
    """What the page's scripts know from the start. Labels of hidden tests are no secret."""
    bonus = variant.bonus
    return {
        "problem": variant.id,
        "title": variant.title,
        "entryPoint": variant.entry_point,
        "version": variant.version,
        "signIn": variant.sign_in,
        "points": variant.points,
        "runtime": RUNTIME,
        "bonus": {"title": bonus.title, "points": bonus.points} if bonus else None,
        "starter": variant.page.starter,
        "arguments": [
            {"name": row.name, "kind": row.kind, "rules": row.rules} for row in signature(variant)
        ],
        "samples": [
            {
                "title": example.title,
                "arguments": [{"name": name, "text": text} for name, text in example.arguments],
                "answer": example.answer,
            }
            for example in examples
        ],
        "tests": [
            {"label": ", ".join(test.labels) or test.title, "sample": test.sample}
            for test in variant.tests
        ],
    }
