"""Figures of the packages, each alone on a page with the strictest policy, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.problems.conftest import PROBLEMS

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

FIGURES = sorted(path.relative_to(PROBLEMS).as_posix() for path in PROBLEMS.glob("*/figures/*.js"))
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"
HTML = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Figure</title>
<main><div id="figure"></div></main><script type="module" src="/start.js?{}"></script></html>"""
START = """import mount from "/{}";
mount(document.getElementById("figure"), {{problem: ""}});
document.documentElement.dataset.ready = "";"""


class _Answers(BaseHTTPRequestHandler):
    """/show/FIGURE is a page, /start.js?FIGURE its script, anything else a file of the packages."""

    def do_GET(self) -> None:
        path, _, figure = self.path.partition("?")
        if path.startswith("/show/"):
            body, kind = HTML.format(path.removeprefix("/show/")), "text/html"
        elif path == "/start.js":
            body, kind = START.format(figure), "text/javascript"
        elif path[1:] in FIGURES:
            body, kind = (PROBLEMS / path[1:]).read_text(), "text/javascript"
        else:
            body, kind = "", "text/plain"
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is said about requests."""


@dataclass
class Shown:
    """Shows one figure after another."""

    browser: Browser
    url: str

    def figure(self, file: str, problems: list[str]) -> Page:
        page = self.browser.new_context(reduced_motion="reduce").new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.goto(f"{self.url}/show/{file}")
        page.wait_for_selector("[data-ready]", state="attached")
        return page


@pytest.fixture(scope="module")
def shown() -> Iterator[Shown]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        yield Shown(browser, f"http://127.0.0.1:{server.server_port}")
        browser.close()
    server.shutdown()
    thread.join()
    server.server_close()


def _status(page: Page) -> Locator:
    return page.get_by_role("status")


@pytest.mark.parametrize("file", FIGURES)
def test_a_figure_breaks_no_rule_of_the_policy_and_says_what_it_shows(
    shown: Shown, file: str
) -> None:
    """No script error, nothing refused by the policy, and a picture with a text in its place."""
    problems: list[str] = []
    page = shown.figure(file, problems)
    drawing = page.locator("#figure svg[aria-labelledby]")
    for name in (drawing.get_attribute("aria-labelledby") or "").split():
        assert page.locator(f"#{name}").text_content()
    assert (drawing.locator("desc").text_content() or "").strip()
    expect(_status(page)).not_to_be_empty()
    assert problems == []
    page.context.close()


FAULTS = """() => {
    const box = element => element.getBoundingClientRect();
    const drawing = box(document.querySelector("#figure svg[aria-labelledby]"));
    const labels = [...document.querySelectorAll("#figure svg[aria-labelledby] text")]
        .filter(label => label.textContent && box(label).width);
    const found = [];
    labels.forEach((label, i) => {
        const {left, right, top, bottom} = box(label);
        if (left < drawing.left - 1 || right > drawing.right + 1 || top < drawing.top - 1)
            found.push(`cut: ${label.textContent}`);
        if (parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().a < 11)
            found.push(`small: ${label.textContent}`);
        for (const other of labels.slice(i + 1)) {
            const its = box(other);
            if (left < its.right - 1 && its.left < right - 1 && top < its.bottom - 2 && its.top < bottom - 2)
                found.push(`over one another: ${label.textContent}, ${other.textContent}`);
        }
    });
    return found;
}"""


@pytest.mark.parametrize("width", [330, 700])
@pytest.mark.parametrize("file", FIGURES)
def test_labels_are_legible_wherever_the_sliders_stand(shown: Shown, file: str, width: int) -> None:
    """On a phone as beside an editor: none is cut off, small, or over another."""
    page = shown.figure(file, [])
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_timeout(200)
    assert page.evaluate(FAULTS) == []
    for slider in page.get_by_role("slider").all():
        for key in ("Home", "End"):
            slider.press(key)
            assert page.evaluate(FAULTS) == [], (slider, key)
    page.context.close()


def test_the_limit_is_moved_by_keys_until_nothing_is_clipped(shown: Shown) -> None:
    """Norm 5 against a limit of 2.5 is clipped; from 5 on it is not, and the words say so."""
    page = shown.figure("gradient_clipping/figures/norm_plot.js", [])
    expect(_status(page)).to_contain_text("multiplied by 0.500: 3.00 becomes 1.50")
    limit = page.get_by_role("slider", name="Limit")
    limit.focus()
    for _ in range(3):
        limit.press("Shift+ArrowRight")
    expect(_status(page)).to_contain_text("is below the limit 5.50, so nothing is clipped")
    for _ in range(5):
        limit.press("ArrowLeft")
    expect(_status(page)).to_contain_text("equals the limit 5.00, so nothing is clipped")
    page.context.close()


def test_the_arrow_and_the_circle_are_dragged(shown: Shown) -> None:
    """The arrow's end follows the pointer, and so does the circle wherever it is taken hold of."""
    page = shown.figure("gradient_clipping/figures/norm_plot.js", [])
    arrow = page.get_by_role("slider", name="Norms of the two gradients")
    box = page.locator("#figure .gradient-handle .grip").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 10, steps=4)
    page.mouse.up()
    assert "first 3.00, second 4.00" not in (arrow.get_attribute("aria-valuetext") or "")
    axis = page.locator("#figure .axis").first.bounding_box()
    grip = page.locator("#figure .limit-handle .grip").bounding_box()
    assert axis is not None
    assert grip is not None
    radius = grip["x"] + grip["width"] / 2 - axis["x"]
    page.mouse.move(axis["x"] + radius * 0.9, axis["y"] - radius * 0.436)
    page.mouse.down()
    page.mouse.move(axis["x"] + radius * 1.8, axis["y"] - radius * 0.872, steps=4)
    page.mouse.up()
    limit = page.get_by_role("slider", name="Limit")
    assert float(limit.get_attribute("aria-valuenow") or "0") > 4.0
    page.context.close()


def test_one_step_of_descent_goes_through_its_four_phases(shown: Shown) -> None:
    """Parameter 4, loss 16, gradient 8, rate 0.14: the step ends at 2.880, and starts again."""
    page = shown.figure("gradient_clipping/figures/descent_step.js", [])
    expect(_status(page)).to_contain_text("w = 4.000")
    step = page.get_by_role("button", name="Step")
    for words in ("prediction = w = 4.000", "L = w² = 4.000² = 16.000", "dL/dw = 2w = 8.000"):
        step.press("Enter")
        expect(_status(page)).to_contain_text(words)
    expect(_status(page)).to_contain_text("4.000 − 0.140 · 8.000 = 2.880")
    expect(step).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Start again").click()
    expect(_status(page)).to_contain_text("w = 4.000")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("link").get_attribute("href") == "#theory"
    page.context.close()


def test_the_schedule_follows_its_sliders(shown: Shown) -> None:
    """A step past the end has the floor, and the first step has another rate when it counts as 1."""
    page = shown.figure("lr_schedule/figures/schedule_plot.js", [])
    look = page.get_by_role("slider", name="Look at step")
    look.press("End")
    expect(_status(page)).to_contain_text("the rate stays at the floor, 0.100 of the peak")
    look.press("Home")
    expect(_status(page)).to_contain_text("part 0 of 8")
    page.get_by_label("First step").select_option("1")
    expect(_status(page)).to_contain_text("part 1 of 8 of the warm-up, a rate of 0.125")
    page.context.close()


def test_patience_and_the_minimum_decide_which_epoch_is_the_best(shown: Shown) -> None:
    """With more patience the run goes on to a smaller loss; the rule at the edge moves the best."""
    page = shown.figure("early_stopping/figures/patience_plot.js", [])
    expect(_status(page)).to_contain_text("Epoch 3 is the best, with a loss of 0.5.")
    expect(_status(page)).to_contain_text("the run stops with epoch 6")
    page.get_by_label("Exactly the minimum").select_option("improves")
    expect(_status(page)).to_contain_text("Epoch 8 is the best, with a loss of 0.375.")
    page.get_by_role("slider", name="Patience").press("End")
    expect(_status(page)).to_contain_text("The losses run out at epoch 13")
    page.get_by_role("combobox", name="Epochs").select_option("1")
    expect(_status(page)).to_contain_text("Epoch 14 is the best")
    page.context.close()


def test_the_average_forgets_its_start_at_the_pace_of_the_decay(shown: Shown) -> None:
    """A decay of 0 follows the parameter; an average from zero is too small until it is corrected."""
    page = shown.figure("parameter_ema/figures/average_plot.js", [])
    expect(_status(page)).to_contain_text("The start still has a weight of 0.107 in it.")
    page.get_by_label("Starts").select_option("zero")
    expect(_status(page)).to_contain_text("still has a weight of 0.107, so it is too small")
    page.get_by_label("Starts").select_option("corrected")
    expect(_status(page)).to_contain_text("Its weights add up to 0.893")
    page.get_by_role("slider", name="Decay").press("Home")
    expect(_status(page)).to_contain_text("the parameter is 1.000 and its average 1.000")
    page.get_by_role("slider", name="Look at step").press("Home")
    expect(_status(page)).to_contain_text("Nothing has been averaged yet.")
    page.context.close()
