"""First visits are light, quick, steady, and stay on this origin."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.learner import Learner
from tests.browser.server import Server

pytestmark = pytest.mark.slow

KIB = 1024
PROBLEM_KIB = 300
CATALOGUE_KIB = 80
MOST_SHIFT = 0.02
TUPLE = "gradient_clipping/tuple"

WATCH_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: 'layout-shift', buffered: true});
"""


def received(page: Page, url: str) -> tuple[int, set[str]]:
    """Bytes over the wire for a first visit, headers included, and the origins asked."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[int] = []
    origins: set[str] = set()
    session.on(
        "Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"]))
    )
    page.on("request", lambda request: origins.add("/".join(request.url.split("/")[:3])))
    page.goto(url)
    page.wait_for_load_state("networkidle")
    return sum(sizes), origins


def test_a_first_visit_of_a_problem_is_light(page: Page, server: Server) -> None:
    """At most 300 KB compressed in all, formulas, fonts and editor included."""
    size, origins = received(page, f"{server.url}/problems/{TUPLE}")
    assert size <= PROBLEM_KIB * 1000
    assert {origin for origin in origins if origin.startswith("http")} == {server.url}


def test_a_first_visit_of_the_catalogue_is_light(page: Page, server: Server) -> None:
    """At most 80 KB compressed in all."""
    size, origins = received(page, server.url)
    assert size <= CATALOGUE_KIB * 1000
    assert {origin for origin in origins if origin.startswith("http")} == {server.url}


def test_nothing_moves_while_a_page_comes_up(page: Page, server: Server) -> None:
    """The editor and the fonts of formulas take the places that were kept for them."""
    page.add_init_script(WATCH_SHIFTS)
    for path in ("/", f"/problems/{TUPLE}", "/problems/gradient_clipping/dict7"):
        page.goto(server.url + path)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)
        assert page.evaluate("window.shifted") <= MOST_SHIFT, path


@pytest.mark.parametrize("width", [390, 1024])
def test_nothing_moves_when_somebody_comes_to_a_figure(
    page: Page, server: Server, width: int
) -> None:
    """It was drawn before, and is as tall as it will be."""
    page.add_init_script(WATCH_SHIFTS)
    page.set_viewport_size({"width": width, "height": 844})
    for path in (TUPLE, "early_stopping/best_and_stop"):
        page.goto(f"{server.url}/problems/{path}")
        page.wait_for_load_state("networkidle")
        page.wait_for_selector("#figure svg", state="attached")
        before = page.evaluate("window.shifted")
        page.locator("#figure").evaluate("figure => figure.scrollIntoView()")
        page.wait_for_timeout(300)
        assert page.evaluate("window.shifted") - before <= MOST_SHIFT / 4, path


def test_a_page_that_is_never_idle_draws_its_figure_too(page: Page, server: Server) -> None:
    """Idle moments are waited for, but not for ever."""
    page.add_init_script(
        "window.requestIdleCallback = (then, { timeout } = {}) => timeout && setTimeout(then, timeout)"
    )
    page.goto(f"{server.url}/problems/{TUPLE}")
    page.wait_for_selector("#figure svg", state="attached")


def test_reduced_motion_is_respected(chromium: Browser, server: Server) -> None:
    """Transitions take no time for those who asked for none."""
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{server.url}/problems/{TUPLE}")
    duration = page.locator(".button").first.evaluate("e => getComputedStyle(e).transitionDuration")
    assert {part.strip() for part in duration.split(",")} == {"0s"}
    context.close()


def test_print_leaves_the_problem_only(learner: Learner) -> None:
    """On paper stand statement, signature, examples and rules; no editor and no bars."""
    learner.open(TUPLE)
    learner.page.emulate_media(media="print")
    expect(learner.page.locator("#problem")).to_be_visible()
    expect(learner.page.locator("#working")).to_be_hidden()
    expect(learner.page.locator(".site-bar")).to_be_hidden()


def test_a_figure_of_the_package_is_drawn(learner: Learner) -> None:
    """It comes from the package, under the policy, and answers to the keyboard."""
    learner.open(TUPLE)
    figure = learner.page.locator("#figure")
    figure.scroll_into_view_if_needed()
    expect(figure.locator("svg").first).to_be_visible()
    before = figure.inner_text()
    figure.locator("[tabindex='0']").first.focus()
    learner.page.keyboard.press("ArrowRight")
    assert figure.inner_text() != before
