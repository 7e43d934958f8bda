"""What a learner has written stays: reloads, other tabs, Reset, lost connections, restarts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.learner import Learner, program
from tests.browser.server import Server

pytestmark = pytest.mark.slow

TUPLE = "gradient_clipping/tuple"
NOTE = "# my own words\n"


def test_a_draft_is_saved_at_a_pause_and_survives_a_reload(learner: Learner) -> None:
    """The bar says when; what was typed is there after reload, and after leaving and coming back."""
    learner.open(TUPLE)
    learner.write(NOTE)
    expect(learner.page.locator(".saved")).to_contain_text("Saved")
    learner.page.reload()
    learner.ready()
    expect(learner.editor).to_contain_text("my own words")
    learner.page.goto(learner.url)
    learner.page.go_back()
    learner.ready()
    expect(learner.editor).to_contain_text("my own words")


def test_what_was_typed_just_before_leaving_is_kept(learner: Learner) -> None:
    """Leaving does not wait for the pause."""
    learner.open(TUPLE)
    learner.write(NOTE)
    learner.page.goto(learner.url)
    learner.open(TUPLE)
    expect(learner.editor).to_contain_text("my own words")


def test_two_tabs_show_the_same_draft(learner: Learner) -> None:
    """Typing in one tab arrives in the other, which is not being typed in."""
    learner.open(TUPLE)
    other = Learner(learner.page.context.new_page(), learner.url)
    other.open(TUPLE)
    other.write(NOTE)
    expect(learner.editor).to_contain_text("my own words")
    expect(learner.page.locator(".saved")).to_contain_text("another tab")


def test_reset_asks_and_can_be_undone(learner: Learner) -> None:
    """Nobody loses an hour's work to one click."""
    page = learner.page
    learner.open(TUPLE)
    learner.write(NOTE)
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Keep mine").click()
    expect(learner.editor).to_contain_text("my own words")
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("dialog").get_by_role("button", name="Reset").click()
    expect(learner.editor).not_to_contain_text("my own words")
    page.get_by_role("button", name="Undo reset").click()
    expect(learner.editor).to_contain_text("my own words")


def test_attempts_can_be_compared_and_restored(learner: Learner) -> None:
    """Each submission stays with verdict and code; two can be compared line by line."""
    page = learner.page
    learner.open(TUPLE)
    learner.write(program(TUPLE, "wrong_answer"))
    learner.submit()
    learner.sees("Wrong Answer")
    learner.write(program(TUPLE))
    learner.submit()
    learner.sees("Accepted")
    page.locator("#tab-submissions").click()
    rows = page.locator(".attempts tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Accepted")
    rows.nth(1).get_by_role("button", name="Code").click()
    page.get_by_label("Compare with").select_option(index=1)
    expect(page.locator(".compare .added").first).to_be_visible()
    page.get_by_role("button", name="Restore into the editor").click()
    first_line = program(TUPLE, "wrong_answer").splitlines()[0]
    expect(learner.editor).to_contain_text(first_line)


def test_opened_hints_stay_open(learner: Learner) -> None:
    """One rung at a time, each opened on purpose, remembered."""
    page = learner.page
    learner.open(TUPLE)
    page.locator("#tab-hints").click()
    expect(page.locator("#hints details[open]")).to_have_count(0)
    page.locator("#hints summary").first.click()
    # A browser tells of what was opened in its own time.
    page.wait_for_function(
        "Object.keys(localStorage).some((name) => name.startsWith('allclose:opened:'))"
    )
    page.reload()
    learner.ready()
    expect(page.locator("#hints details[open]")).to_have_count(1)


def test_offline_says_so_and_goes_on_by_itself(learner: Learner) -> None:
    """A lost connection loses nothing: the program is sent when the connection is back."""
    page = learner.page
    learner.open(TUPLE)
    learner.write(program(TUPLE))
    page.context.set_offline(True)
    learner.submit()
    expect(page.locator("#console-panel .note")).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    learner.sees("Accepted")


def test_a_restart_of_the_server_loses_no_submission(page: Page, tmp_path: Path) -> None:
    """Killed in the middle of judging, started again: the page that waits shows the verdict."""
    with Server(tmp_path) as server:
        learner = Learner(page, server.url)
        learner.open(TUPLE)
        slow = "import time\ntime.sleep(0.7)\n" + program(TUPLE).replace("from __future__", "#")
        learner.write(slow)
        learner.submit()
        expect(page.locator("#console-panel .verdict.waiting").first).to_have_text(
            re.compile("test|turn")
        )
        server.stop(at_once=True)
        expect(page.locator("#console-panel .note")).to_contain_text("connection is lost")
        server.start()
        expect(learner.outcome).to_have_text(re.compile("Accepted|Exceeded"), timeout=60_000)
