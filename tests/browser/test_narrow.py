"""One column: the editor keeps its size, the page moves to the verdict, what is cut off says so."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.browser.learner import JUDGED_MS, Learner
from tests.browser.server import Server

TUPLE = "gradient_clipping/tuple"
WRONG = "def clip_by_global_norm(grads, max_norm):\n    return grads, 0.0\n"

HEIGHT = "document.querySelector('.cm-editor').getBoundingClientRect().height"
ON_SCREEN = """
selector => {
    const {top, bottom} = document.querySelector(selector).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
}
"""


def moved_to_the_verdict(page: Page, verdict: str) -> None:
    expect(page.locator(verdict).first).to_be_visible(timeout=JUDGED_MS)
    page.wait_for_function(ON_SCREEN, arg=verdict)


@pytest.mark.parametrize("width", [390, 844])
def test_the_page_moves_to_the_verdict_and_the_editor_stays_as_it_is(
    learner: Learner, width: int
) -> None:
    """Samples, then all tests: each result is on the screen, and nothing above it grew."""
    page = learner.page
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    learner.open(TUPLE)
    before = page.evaluate(HEIGHT)
    learner.write(WRONG)
    for button in ("#run", "#submit"):
        page.locator(button).scroll_into_view_if_needed()
        page.locator(button).click()
        moved_to_the_verdict(page, "#console-panel .outcome .verdict:not(.waiting)")
        assert page.evaluate(HEIGHT) == before
    assert before <= 0.6 * 844


def test_whoever_reads_elsewhere_is_left_there(learner: Learner) -> None:
    """A result that comes while somebody scrolls through the statement does not call them back."""
    page = learner.page
    page.set_viewport_size({"width": 390, "height": 844})
    learner.open(TUPLE)
    learner.write(
        "import time\n\n" + WRONG.replace("    return", "    time.sleep(0.3)\n    return")
    )
    page.locator("#submit").click()
    page.wait_for_function(ON_SCREEN, arg="#console-panel .outcome")
    page.wait_for_timeout(500)
    page.mouse.move(200, 300)
    page.mouse.wheel(0, -20_000)
    learner.sees("Wrong Answer")
    page.wait_for_timeout(300)
    assert not page.evaluate(ON_SCREEN, "#console-panel .outcome")


@pytest.mark.parametrize("selector", [".katex-display:has(.mtable)", ".prose pre"])
def test_what_is_cut_off_says_so(learner: Learner, selector: str) -> None:
    """The edge of what scrolls sideways is drawn where there is more, and only there."""
    page = learner.page
    page.set_viewport_size({"width": 390, "height": 844})
    learner.open(TUPLE)
    box = page.locator(selector).first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    assert edges(page, selector) == (False, True)
    box.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    assert edges(page, selector) == (True, False)


def edges(page: Page, selector: str) -> tuple[bool, bool]:
    """Whether a shadow stands at the left and at the right: the outermost column of pixels against one
    a little further in, in the line above the content."""
    box = page.locator(selector).first
    box.evaluate("box => box.scrollIntoView({block: 'center', behavior: 'instant'})")
    place = box.bounding_box()
    assert place
    shot = page.screenshot(clip=place)
    left, right = page.evaluate(
        """async data => {
            const bytes = Uint8Array.from(atob(data), character => character.charCodeAt(0));
            const image = await createImageBitmap(new Blob([bytes]));
            const canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const grey = x => context.getImageData(x, 3, 1, 1).data[0];
            const differ = (a, b) => Math.abs(grey(a) - grey(b)) > 8;
            return [differ(2, 20), differ(image.width - 3, image.width - 21)];
        }""",
        base64.b64encode(shot).decode(),
    )
    return left, right


def test_a_year_is_legible_on_a_phone(page: Page, server: Server) -> None:
    """Letters keep their size; the newest weeks are shown, and no column of a table is cut off."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/progress")
    height = page.locator(".year text").last.evaluate("text => text.getBoundingClientRect().height")
    assert height >= 9
    newest = page.locator(".year rect").last.bounding_box()
    assert newest
    assert 0 <= newest["x"] <= 390 - newest["width"]
    assert page.evaluate(
        "[...document.querySelectorAll('.family .table-frame')]"
        ".every(frame => frame.scrollWidth <= frame.clientWidth)"
    )
