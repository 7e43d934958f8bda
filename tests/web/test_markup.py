"""Style attributes become classes, backquotes become code, and nothing else changes."""

from __future__ import annotations

import pytest

from app.web.markup import lift_styles, marked_code, stylesheet


def test_a_style_attribute_becomes_a_class() -> None:
    """The declarations stand in a stylesheet, under the class that the element now has."""
    html, rules = lift_styles('<span class="strut" style="height:0.68em;"></span>')
    [(key, declarations)] = rules.items()
    assert html == f'<span class="strut {key}"></span>'
    assert declarations == "height:0.68em;"
    assert str(stylesheet(rules.items())) == f".{key}.{key}{{height:0.68em;}}"


def test_the_same_declarations_share_a_class() -> None:
    """A page of formulas needs tens of rules, not hundreds."""
    html, rules = lift_styles('<i style="top:1em"></i><td style="top:1em" colspan="2"></td>')
    assert len(rules) == 1
    assert "style=" not in html
    assert 'colspan="2"' in html


@pytest.mark.parametrize(
    "declarations", ["background:url(//x)", "top:1em;}*{color:red", "width:expression(1)"]
)
def test_declarations_that_could_do_more_than_place_are_dropped(declarations: str) -> None:
    """Only plain lengths and words are lifted; a rule can neither load nor leave its braces."""
    html, rules = lift_styles(f'<span style="{declarations}">x</span>')
    assert html == "<span>x</span>"
    assert rules == {}


def test_text_that_only_looks_like_an_attribute_stays() -> None:
    """Escaped text of a program is not touched."""
    text = "<code>&lt;p style=&quot;a&quot;&gt; style=1</code>"
    assert lift_styles(text) == (text, {})


def test_backquotes_mark_code_and_everything_is_escaped() -> None:
    """Sentences made from contracts may hold any name."""
    marked = marked_code("give `<x>` & so")
    assert str(marked) == "give <code>&lt;x&gt;</code> &amp; so"
