"""Everybody can use the pages: axe-core finds nothing, the keyboard suffices, small screens hold them."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.learner import Learner, program
from tests.browser.server import Server

pytestmark = pytest.mark.slow

AXE = files("axe_playwright_python") / "axe.min.js"
TUPLE = "gradient_clipping/tuple"
PAGES = (
    "/",
    f"/problems/{TUPLE}",
    "/problems/gradient_clipping/dict6",
    f"/problems/{TUPLE}/leaderboard",
    "/progress",
    "/no/such/page",
)
TABS = ("problem", "theory", "hints", "solution", "submissions")


def axe_faults(page: Page) -> list[str]:
    """What axe-core objects to, one line for each element."""
    # It does not judge contrast over gradients; those at the edges of what scrolls are left out.
    page.evaluate(
        "() => { const plain = new CSSStyleSheet();"
        " plain.replaceSync('* { background-image: none !important; }');"
        " document.adoptedStyleSheets.push(plain); }"
    )
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{violation['id']}: {node['html'][:160]} {node['any'][:1] and node['any'][0]['message']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(page: Page, server: Server, path: str, theme: str) -> None:
    """In both themes: names, roles, contrast, structure."""
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.goto(server.url + path)
    page.wait_for_timeout(300)
    assert axe_faults(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_while_a_problem_is_worked_on(learner: Learner, theme: str) -> None:
    """Every tab, and the console with failed samples, bad input and all hidden tests."""
    page = learner.page
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    learner.open(TUPLE)
    learner.write(program(TUPLE, "wrong_answer"))
    learner.run()
    expect(learner.outcome).to_be_visible()
    assert axe_faults(page) == []
    page.get_by_role("tab", name="Custom input").click()
    page.fill("#custom-grads", "[")
    page.get_by_role("button", name="Run on this input").click()
    assert axe_faults(page) == []
    learner.submit()
    learner.sees("Wrong Answer")
    for tab in TABS:
        page.locator(f"#tab-{tab}").click()
        for rung in page.locator(f"#{tab} details > summary").all():
            rung.click()
        assert axe_faults(page) == [], tab
    page.locator("#submissions td button").first.click()
    assert axe_faults(page) == []
    page.locator("#submissions th a").first.click()
    expect(page.locator("h1")).to_have_text("Submission")
    assert axe_faults(page) == []


def test_a_problem_is_solved_with_the_keyboard_alone(learner: Learner) -> None:
    """Tab reaches the editor and, after Escape, leaves it; shortcuts run and submit."""
    page = learner.page
    learner.open(TUPLE)
    for _ in range(60):
        page.keyboard.press("Tab")
        if learner.editor.evaluate("editor => editor === document.activeElement"):
            break
    expect(learner.editor).to_be_focused()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text(program(TUPLE))
    page.keyboard.press("Tab")
    expect(learner.editor).to_be_focused()
    page.keyboard.press("ControlOrMeta+Z")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(learner.editor).not_to_be_focused()
    page.keyboard.press("ControlOrMeta+Shift+Enter")
    learner.sees("Accepted")


def test_the_editor_is_two_keys_away(learner: Learner) -> None:
    """The second link of the page leads to the editor, over all that stands before it."""
    page = learner.page
    learner.open(TUPLE)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the editor")).to_be_focused()
    page.keyboard.press("Enter")
    expect(learner.editor).to_be_focused()


def test_arrow_keys_move_between_tabs(learner: Learner) -> None:
    """One stop of the Tab key for each row of tabs; arrows, Home and End inside."""
    page = learner.page
    learner.open(TUPLE)
    page.locator("#tab-problem").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-theory")).to_be_focused()
    expect(page.locator("#theory")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#submissions")).to_be_visible()
    page.locator("#console-samples").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#custom-grads")).to_be_visible()


def test_results_are_announced(learner: Learner) -> None:
    """Who does not see the table hears the verdict."""
    learner.open(TUPLE)
    learner.write(program(TUPLE))
    learner.submit()
    expect(learner.page.locator("[role=status]").last).to_contain_text("Accepted. 13 of 13")


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways(page: Page, server: Server, path: str) -> None:
    """A small phone, a phone, 200 % zoom of a laptop, a tablet: text wraps, tables scroll inside."""
    page.goto(server.url + path)
    for width in (320, 390, 720, 1024):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(200)
        over = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert over <= 0, width


def test_a_problem_is_solved_on_a_phone(learner: Learner) -> None:
    """The way to the editor and the buttons are within reach of a thumb."""
    page = learner.page
    page.set_viewport_size({"width": 390, "height": 844})
    learner.open(TUPLE)
    page.get_by_role("link", name="Write code").click()
    learner.write(program(TUPLE))
    page.locator("#submit").click()
    learner.sees("Accepted")


def test_everything_is_readable_with_scripts_off(chromium: Browser, server: Server) -> None:
    """Statement, samples, hints, and a form that submits and shows the verdict."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/problems/{TUPLE}")
    for part in ("Signature", "How it is checked", "Longer than the limit"):
        expect(page.get_by_text(part).first).to_be_visible()
    page.fill("#source", program(TUPLE))
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".outcome")).to_contain_text("Accepted", timeout=30_000)
    page.get_by_role("link", name="Back to your program").click()
    expect(page.locator("#source")).to_have_value(program(TUPLE))
    assert page.locator("#figure").evaluate("box => box.getBoundingClientRect().height") < 100
    context.close()


def test_the_theme_follows_the_system_until_it_is_chosen(page: Page, server: Server) -> None:
    """System, light, dark: chosen by a switch, kept, and there before the first paint."""
    page.emulate_media(color_scheme="dark")
    page.goto(server.url)
    background = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(background)
    page.get_by_role("button", name="Theme: system").click()
    expect(page.get_by_role("button", name="Theme: light")).to_be_visible()
    light = page.evaluate(background)
    assert light != dark
    page.reload()
    assert page.evaluate(background) == light
