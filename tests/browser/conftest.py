"""A real server with real boxes, and Debian's Chromium with a fresh profile for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.learner import Learner
from tests.browser.server import Server

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this folder needs the browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.chromium)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a file that do not stop it; it is gone before the next file."""
    with Server(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Ends with the file: Playwright's event loop, and a browser's processes, disturb other tests."""
    # Patient: a test that waits is green sooner or later, and the machine may be busy.
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of a fresh profile; what goes wrong in its scripts fails the test."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(15_000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    keep_screenshot(page, request.node.name)
    context.close()
    assert errors == []


@pytest.fixture
def learner(page: Page, server: Server) -> Learner:
    return Learner(page, server.url)


def keep_screenshot(page: Page, name: str) -> None:
    """What the page looked like in the end, where the run keeps such things."""
    folder = os.environ.get("TESTS_ARTEFACTS")
    if folder and not page.is_closed():
        page.screenshot(path=Path(folder) / f"{name.replace('/', '_')}.png")
