"""What a learner does on a problem's page, and what they then see."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

PROBLEMS = Path(__file__).resolve().parent.parent.parent / "problems"
JUDGED_MS = 30_000


def program(problem: str, folder: str = "accepted") -> str:
    """The first program of a verdict folder of a variant."""
    family, variant = problem.split("/")
    found = sorted((PROBLEMS / family / "variants" / variant / "submissions" / folder).glob("*.py"))
    return found[0].read_text(encoding="utf-8")


class Learner:
    """Opens problems, types, runs, submits, reads."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def open(self, problem: str) -> None:
        self.page.goto(f"{self.url}/problems/{problem}")
        self.ready()

    def ready(self) -> None:
        expect(self.page.locator("html[data-ready]")).to_be_attached()

    @property
    def editor(self) -> Locator:
        return self.page.locator(".cm-content")

    def write(self, source: str) -> None:
        """Replace the program, as pasting over everything does."""
        self.editor.click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(source)

    def run(self) -> None:
        self.editor.press("ControlOrMeta+Enter")

    def submit(self) -> None:
        self.editor.press("ControlOrMeta+Shift+Enter")

    @property
    def outcome(self) -> Locator:
        """The verdict in the console, once there is one."""
        return self.page.locator("#console-panel .outcome .verdict:not(.waiting)").first

    def sees(self, words: str) -> None:
        expect(self.outcome).to_have_text(words, timeout=JUDGED_MS)

    def tests(self) -> Locator:
        """The rows of the verdict table."""
        return self.page.locator("#console-panel .tests tbody tr")
