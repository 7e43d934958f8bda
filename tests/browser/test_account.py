"""From guest to account in a browser: what was written stays, and every page can be used by everybody."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.learner import Learner, program
from tests.browser.server import Server
from tests.browser.test_access import axe_faults

pytestmark = pytest.mark.slow

TUPLE = "gradient_clipping/tuple"
PASSWORD = "correct horse battery"
SETTLED = "document.getAnimations().forEach((a) => { try { a.finish() } catch { a.cancel() } })"


def narrow_and_clean(page: Page) -> None:
    """The page as it stands, in both themes and on a phone: nothing for axe, nothing cut off."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.evaluate(SETTLED)  # colours fade over; no wait for frames, which need not come
        assert axe_faults(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_guest_becomes_an_account_with_a_token(learner: Learner, server: Server) -> None:
    """Sign up from a problem's page, come back to it signed in, make a token, sign out, sign in."""
    page = learner.page
    learner.open(TUPLE)
    learner.write(program(TUPLE, "accepted"))
    learner.submit()
    learner.sees("Accepted")
    page.get_by_role("link", name="Sign in").click()
    narrow_and_clean(page)
    page.get_by_role("link", name="Make an account").click()
    narrow_and_clean(page)
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    expect(page.locator("#recovery-code")).to_be_visible()
    narrow_and_clean(page)
    page.get_by_role("link", name="I have written it down").click()
    expect(page).to_have_url(f"{server.url}/problems/{TUPLE}")
    page.get_by_role("link", name="Ada").click()
    page.get_by_label("Name of a new token").fill("laptop")
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("#token")).to_contain_text("allclose_")
    narrow_and_clean(page)
    page.get_by_role("banner").get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill("wrong words")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("banner")).to_contain_text("Ada")


def test_whoever_must_sign_in_first_is_shown_the_way_and_keeps_the_draft(
    learner: Learner, server: Server
) -> None:
    """The answer that guests get where a host wants them to sign in."""
    page = learner.page

    def refuse(route: Route) -> None:
        refusal = {"title": "Unauthorized", "status": 401, "detail": "sign in to run or submit"}
        route.fulfill(status=401, content_type="application/problem+json", body=json.dumps(refusal))

    page.route("**/api/v1/runs*", refuse)
    learner.open(TUPLE)
    learner.write("# mine\n" + program(TUPLE, "accepted"))
    learner.run()
    console = page.locator("#console")
    expect(console.get_by_role("link", name="Sign in")).to_have_attribute(
        "href", "/sign-in?next=%2Fproblems%2Fgradient_clipping%2Ftuple"
    )
    expect(console).to_contain_text("Your draft is kept")
    assert axe_faults(page) == []
    page.goto(server.url)
    learner.open(TUPLE)
    expect(page.locator("#editor")).to_contain_text("# mine")
