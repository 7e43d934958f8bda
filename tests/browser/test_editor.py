"""The editor: what programmers expect of one, and no way to break the page from inside it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.learner import Learner

pytestmark = pytest.mark.slow

TUPLE = "gradient_clipping/tuple"


def test_names_are_completed(learner: Learner) -> None:
    """NumPy's names after `np.`, names of the program itself elsewhere."""
    page = learner.page
    learner.open(TUPLE)
    learner.write("import numpy as np\nx = np.sq")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete li").first).to_have_text("sqrt")
    # The editor takes no key for a choice in the first moment: it was meant for the text.
    page.wait_for_timeout(300)
    page.keyboard.press("Tab")
    expect(learner.editor).to_contain_text("np.sqrt")


def test_what_python_cannot_read_is_marked_while_typing(learner: Learner) -> None:
    """A mark stands at the line, and goes when the program can be read again."""
    learner.open(TUPLE)
    learner.write("def f(:\n    pass\n")
    marks = learner.page.locator(".cm-lint-marker-error")
    expect(marks.first).to_be_visible()
    learner.write("def f():\n    pass\n")
    expect(marks).to_have_count(0)


def test_letters_can_be_made_larger_and_stay_so(learner: Learner) -> None:
    """The size is kept for the next visit."""
    page = learner.page
    learner.open(TUPLE)
    size = "parseFloat(getComputedStyle(document.querySelector('.cm-editor')).fontSize)"
    before = page.evaluate(size)
    page.get_by_role("button", name="Larger letters").click()
    larger = page.evaluate(size)
    assert larger > before
    page.reload()
    learner.ready()
    assert page.evaluate(size) == larger


def test_searching_inside_the_program(learner: Learner) -> None:
    """The editor's own search opens by its shortcut and closes by Escape."""
    page = learner.page
    learner.open(TUPLE)
    learner.editor.click()
    page.keyboard.press("ControlOrMeta+F")
    expect(page.locator(".cm-search input[name=search]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".cm-search")).to_have_count(0)


def test_a_program_that_is_too_long_is_refused_in_words(learner: Learner) -> None:
    """Whatever is pasted, the page stays alive and says what is wrong."""
    learner.open(TUPLE)
    learner.write("# " + "x" * 70_000)
    learner.run()
    note = learner.page.locator("#console-panel .note.fail")
    expect(note).to_contain_text("65536")
    learner.write("def clip_by_global_norm(grads, max_norm): pass\n")
    learner.run()
    learner.sees("0 of 2 samples passed")


@pytest.mark.parametrize(
    "source", ["", "\u202e\u200b\x1b[31m", "</script><script>alert(1)</script>", "\U0001f600" * 500]
)
def test_odd_programs_are_judged_like_any_other(learner: Learner, source: str) -> None:
    """Nothing, direction marks, markup, emoji: a compile error, not a broken page."""
    learner.open(TUPLE)
    learner.write(source or " ")
    learner.submit()
    learner.sees("Compile Error")
    learner.page.reload()
    learner.ready()


def test_a_megabyte_of_output_is_cut_and_counted(learner: Learner) -> None:
    """The page shows the part that was kept and says how much was not."""
    learner.open(TUPLE)
    learner.write(
        "def clip_by_global_norm(grads, max_norm):\n    print('line of text ' * 80_000)\n"
    )
    learner.run()
    expect(learner.outcome).to_be_visible()
    expect(learner.page.locator("#console-panel .cut").first).to_contain_text("more bytes were cut")
