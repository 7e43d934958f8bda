"""Drafts on the server: any browser of the same person, and never one over the other unseen."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.learner import Learner, program

pytestmark = pytest.mark.slow

EPS = "gradient_clipping/eps"
ARRAYS = "gradient_clipping/arrays"
PASSWORD = "a long enough password"


@contextmanager
def another_browser(chromium: Browser, page: Page) -> Iterator[Page]:
    """One with the same cookies and nothing else, as a person's second device."""
    context = chromium.new_context()
    context.add_cookies(page.context.cookies())  # type: ignore[arg-type]  # what one gives the other takes
    try:
        yield context.new_page()
    finally:
        context.close()


def saved(page: Page, words: str) -> None:
    """The server has it. The bar alone would not do: it may still speak of what was saved before."""
    origin, _, problem = page.url.partition("/problems/")
    until = time.monotonic() + 20
    while words not in page.request.get(f"{origin}/api/v1/drafts/{problem}").text():
        assert time.monotonic() < until, "it was not saved"
        page.wait_for_timeout(50)
    expect(page.locator(".saved")).to_have_text(re.compile(r"^Saved (?!.*browser)"))


def test_a_draft_goes_on_in_another_browser(
    chromium: Browser, page: Page, learner: Learner
) -> None:
    """Written here, read there: also without scripts, and after the server was asked only."""
    learner.open(EPS)
    learner.write("# begun here\n")
    saved(page, "begun here")
    with another_browser(chromium, page) as second:
        there = Learner(second, learner.url)
        there.open(EPS)
        expect(there.editor).to_contain_text("begun here")
        there.write("# went on there\n")
        saved(second, "went on there")
    page.reload()
    learner.ready()
    expect(learner.editor).to_contain_text("went on there")


def test_what_was_changed_in_two_browsers_is_offered_twice(
    chromium: Browser, page: Page, learner: Learner
) -> None:
    """The second to save is told, sees both, and chooses; nothing is lost before that."""
    learner.open(EPS)
    learner.write("# the first\n")
    saved(page, "the first")
    with another_browser(chromium, page) as second:
        there = Learner(second, learner.url)
        there.open(EPS)
        learner.write("# changed here\n")
        saved(page, "changed here")
        there.write("# changed there\n")
        note = second.locator(".both")
        expect(note).to_contain_text("also changed elsewhere")
        note.get_by_role("button", name="Compare").click()
        expect(note.locator(".removed").first).to_contain_text("changed here")
        expect(note.locator(".added").first).to_contain_text("changed there")
        note.get_by_role("button", name="Keep this one").click()
        saved(second, "changed there")
        learner.write("# changed again\n")
        expect(page.locator(".both")).to_be_visible()
        page.get_by_role("button", name="Take the other").click()
        expect(learner.editor).to_contain_text("changed there")


def test_offline_it_is_kept_here_and_then_sent(page: Page, learner: Learner) -> None:
    """The bar tells the difference, and the server gets it when the connection is back."""
    learner.open(EPS)
    page.context.set_offline(True)
    learner.write("# without a connection\n")
    expect(page.locator(".saved")).to_contain_text("in this browser")
    page.context.set_offline(False)
    saved(page, "without a connection")


def test_a_draft_and_attempts_move_into_the_account(
    chromium: Browser, page: Page, learner: Learner
) -> None:
    """Sign in to run: what was written as a guest goes on there, and on any browser signed in."""
    page.goto(f"{learner.url}/problems/{ARRAYS}")
    learner.ready()
    learner.write("# written as a guest\n")
    saved(page, "written as a guest")
    expect(page.locator("#submit")).to_have_count(0)
    page.get_by_role("link", name="Sign in to run or submit").click()
    page.get_by_role("link", name="Make an account").click()
    page.get_by_label("Name").fill("Grace")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    learner.open(ARRAYS)
    expect(learner.editor).to_contain_text("written as a guest")
    learner.write(program(ARRAYS))
    learner.submit()
    learner.sees("Accepted")
    saved(page, "def clip_gradients")
    with another_browser(chromium, page) as second:
        there = Learner(second, learner.url)
        there.open(ARRAYS)
        expect(second.locator("#solved")).to_be_visible()
        second.locator("#tab-submissions").click()
        expect(second.locator(".attempts tbody tr")).to_have_count(1)
        second.locator(".attempts").get_by_role("button", name="Code").click()
        expect(second.locator(".compare pre")).to_contain_text("def clip_gradients")


def test_people_on_a_page_are_told_live(chromium: Browser, page: Page, learner: Learner) -> None:
    """Two browsers are two people, two tabs are one; who leaves counts no more."""
    learner.open("gradient_clipping/dict7")
    present = page.locator("#present")
    expect(present).to_contain_text("1 person is solving this")
    other = chromium.new_context()
    guest = other.new_page()
    guest.goto(f"{learner.url}/problems/gradient_clipping/dict7")
    expect(guest.locator("#present")).to_contain_text("2 people are solving this")
    tab = page.context.new_page()
    tab.goto(f"{learner.url}/problems/gradient_clipping/dict7")
    expect(tab.locator("#present")).to_contain_text("2 people are solving this")
    guest.close()
    other.close()
    tab.reload()
    expect(tab.locator("#present")).to_contain_text("1 person is solving this")
