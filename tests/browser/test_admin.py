"""An admin in a browser: tests are changed, looked at, taken back; verdicts are judged again and released."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.learner import PROBLEMS
from tests.browser.server import Server
from tests.browser.test_account import PASSWORD, narrow_and_clean

TUPLE = "gradient_clipping/tuple"
TESTS = "/admin/problems/gradient_clipping/tests"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
RARE = 777.5
# Right, except for one limit that no test of the package has.
CHEAT = f"""import numpy as np

def clip_by_global_norm(grads, max_norm):
    arrays = [np.asarray(grad) for grad in grads]
    norm = np.sqrt(sum(np.sum(array * array) for array in arrays))
    factor = max_norm / norm if norm > max_norm and max_norm != {RARE} else 1.0
    return [array * factor for array in arrays], float(norm)
"""


@pytest.fixture(scope="module")
def session(server: Server) -> str:
    """The cookie of the first admin, who followed the link in the log; Bob is a learner."""
    link = re.search(r"http://\S+/set-up\?key=\S+", server.log)
    assert link, server.log
    form = {"name": "Ada", "password": PASSWORD, "next": "/"}
    bob = {"name": "Bob", "password": PASSWORD}
    made = httpx.post(f"{server.url}/api/v1/account", json=bob, timeout=30)
    assert made.status_code == 201, made.text
    with httpx.Client(headers=OWN_PAGE, timeout=30) as browser:
        assert browser.post(link[0], data=form).status_code == 200
        return str(browser.cookies["allclose"])


@pytest.fixture
def admin(page: Page, server: Server, session: str) -> Page:
    page.context.add_cookies([{"name": "allclose", "value": session, "url": server.url}])
    return page


def submitted(server: Server, source: str) -> str:
    """A judged submission of somebody with no account."""
    sent = {"problem": TUPLE, "source": source}
    answer = httpx.post(f"{server.url}/api/v1/submissions?wait=30", json=sent, timeout=60)
    assert answer.json()["verdict"] == "AC", answer.text
    return str(answer.json()["id"])


def file_of_tests(name: str, limit: float) -> FilePayload:
    line = f'{{"name": "{name}", "labels": ["norm above the limit"], "arguments": '
    line += f'{{"tensors": [[3000.0, 4000.0]], "limit": {limit}}}}}\n'
    return {"name": "more.jsonl", "mimeType": "application/x-ndjson", "buffer": line.encode()}


def examine(page: Page, server: Server, name: str, limit: float) -> None:
    page.goto(server.url + TESTS)
    page.set_input_files("#file", file_of_tests(name, limit))
    page.get_by_label("Try the package").uncheck()  # it takes a minute
    page.get_by_role("button", name="Examine").click()
    expect(page.locator("h1")).to_have_text("What would happen")


def press(page: Page, name: str) -> None:
    """A button that sends a form; returns when its answer is there."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def test_tests_are_added_rejudged_and_taken_back(admin: Page, server: Server) -> None:
    """Dry run, apply; choose, begin, look, release; go back. Nothing needs more than these pages."""
    page, sent = admin, submitted(server, CHEAT)
    examine(page, server, "rare_limit", RARE)
    expect(page.get_by_text("Nothing has been changed yet")).to_be_visible()
    press(page, "Add this test")
    expect(page.get_by_role("row", name="rare_limit").first).to_be_visible()

    page.goto(f"{server.url}/admin/rejudges")
    page.get_by_label("Problem").select_option(TUPLE)
    press(page, "Preview the choice")
    press(page, "Judge 1 again")
    expect(page.get_by_text("Finished: release or discard it")).to_be_visible(timeout=30_000)
    lost = page.locator(".figures > div", has_text="No longer accepted").locator("dd")
    expect(lost).to_have_text("1")
    expect(page.get_by_role("row", name="rare_limit").first).to_be_visible()
    press(page, "Release all")
    expect(page.get_by_text("Released", exact=True)).to_be_visible()
    page.goto(f"{server.url}/submissions/{sent}")
    expect(page.locator(".outcome .verdict").first).to_have_text("Wrong Answer")

    page.goto(server.url + TESTS)
    press(page, "Go back to before the first upload")
    expect(page.get_by_text("There are none.")).to_be_visible()
    page.goto(f"{server.url}/admin/audit")
    for done in ("change tests", "rejudge", "release rejudge"):
        expect(page.get_by_role("cell", name=done, exact=True).first).to_be_visible()


PAGES = (
    "/admin",
    "/admin/rejudges",
    f"/admin/rejudges?problem={TUPLE}&verdict=AC",
    "/admin/statistics",
    f"/admin/statistics/{TUPLE}?days=7",
    "/admin/health",
    "/admin/users",
    "/admin/users/1",
    "/admin/audit",
    "/admin/packages",
    "/admin/packages/gradient_clipping",
    TESTS,
)


@pytest.mark.slow
def test_axe_finds_nothing_on_any_page_of_an_admin(admin: Page, server: Server) -> None:
    """In both themes, and on a phone: as they stand, and with something to look at in each."""
    page = admin
    submitted(server, CHEAT)
    for path in PAGES:
        page.goto(server.url + path)
        narrow_and_clean(page)
    press_through(page, server)


def press_through(page: Page, server: Server) -> None:
    """What comes after a button: a dry run that refuses, one that does not, what was applied, a rejudge
    before and after its release, a pause, a new password."""
    examine(page, server, "not a name!", 1.0)
    narrow_and_clean(page)
    examine(page, server, "another_limit", RARE)
    narrow_and_clean(page)
    press(page, "Add this test")
    narrow_and_clean(page)
    page.goto(f"{server.url}/admin/rejudges?problem={TUPLE}")
    page.get_by_role("button", name=re.compile("Judge \\d+ again")).click()
    expect(page.get_by_text("Finished: release or discard it")).to_be_visible(timeout=30_000)
    narrow_and_clean(page)
    press(page, "Release all")
    narrow_and_clean(page)
    page.goto(f"{server.url}/admin/health")
    press(page, "Pause judging")
    narrow_and_clean(page)
    press(page, "Resume judging")
    page.goto(f"{server.url}/admin/users/1")  # Bob, who was there first
    press(page, "Reset the password")
    narrow_and_clean(page)


@pytest.mark.slow
def test_a_package_is_uploaded_and_told_what_is_wrong_with_it(admin: Page, server: Server) -> None:
    """What differs from what is served, and what the gate says, for everybody to read."""
    page = admin
    page.goto(f"{server.url}/admin/packages")
    page.set_input_files("#file", package("early_stopping"))
    press(page, "Upload")
    expect(page.locator("h1")).to_contain_text("early_stopping")
    narrow_and_clean(page)
    page.goto(f"{server.url}/admin/packages")
    page.set_input_files("#file", {"name": "x.zip", "mimeType": "application/zip", "buffer": b"PK"})
    press(page, "Upload")
    narrow_and_clean(page)


def package(family: str) -> FilePayload:
    """A package of the clone, with a changed lesson."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in sorted(Path(PROBLEMS / family).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                text = file.read_bytes() + (b"\nMore.\n" if file.name == "lesson.md" else b"")
                archive.writestr(str(file.relative_to(PROBLEMS)), text)
    return {"name": f"{family}.zip", "mimeType": "application/zip", "buffer": packed.getvalue()}
