"""What somebody sends never becomes markup, a header, a path or a line of the log that is not theirs."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from urllib.parse import quote

import pytest
import structlog

from app.web.parts import Allowance, Allowances
from tests.web.inside import Inside, Visitor, inside
from tests.web.started import PROBLEM

PASSWORD = "correct horse battery staple"
MARKUP = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</code></pre><svg onload=alert(1)>",
    "</script><script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "<!--",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    endless = Allowances(*[Allowance(waiting=0)] * 3)
    with inside(tmp_path_factory.mktemp("data"), allowances=endless) as running:
        yield running


def joined(site: Inside) -> Visitor:
    browser = site.browser()
    sent = {"name": f"Ada {secrets.token_hex(4)}", "password": PASSWORD}
    assert browser.post("/api/v1/account", json=sent).status_code == 201
    return browser


@pytest.mark.parametrize("text", MARKUP)
def test_markup_that_somebody_sends_is_shown_as_text(site: Inside, text: str) -> None:
    """As a program, as the name of a token, as a name that was refused, as an address."""
    browser = joined(site)
    sent = browser.post("/api/v1/submissions", json={"problem": PROBLEM, "source": text}).json()[
        "id"
    ]
    pages = [
        browser.get(f"/submissions/{sent}"),
        browser.post("/account/tokens", data={"name": text, "scope": "read"}),
        browser.get("/account"),
        browser.post("/sign-up", data={"name": text, "password": PASSWORD}),
        browser.post("/sign-in", data={"name": text, "password": text}),
        browser.get(f"/problems/{quote(text, safe='')}/plain"),
        site.browser().get("/sign-in", params={"next": f"/{text}"}),
    ]
    for page in pages:
        assert page.headers["content-type"].startswith("text/html")
        for tag in ("<script>", "<img", "<svg onload", "<!--"):
            assert tag not in page.text or not text.count(tag), (page.url, tag)
        assert "49" not in re.findall(r'value="([^"]*)"', page.text)


BREAKS = ["a\r\nSet-Cookie: evil=1", "a\nX-Evil: 1", "a\r\n\r\n<script>", "a\0b", "é\u2028x"]


@pytest.mark.parametrize("text", BREAKS)
def test_no_text_ends_a_header(site: Inside, text: str) -> None:
    """Where it comes back in a redirect, a cookie, a file's name."""
    browser = joined(site)
    answers = [
        browser.post("/sign-in", data={"name": "Ada", "password": PASSWORD, "next": text}),
        browser.post("/sign-in", data={"name": "Ada", "password": PASSWORD, "next": f"/{text}"}),
        browser.get("/sign-in", params={"next": text}),
        browser.post("/account/tokens", data={"name": text, "scope": "read"}),
        browser.get(f"/problems/{quote(text, safe='')}/x"),
    ]
    for answer in answers:
        assert answer.status_code < 500
        assert "evil" not in str(answer.headers.raw).lower()
        assert "script" not in answer.headers.get("location", "")


PATHS = [
    "/static/..%2F..%2Fpyproject.toml",
    "/static/%2e%2e%2fmanifest.json",
    "/static/..%5c..%5cmanifest.json",
    "/static/manifest.json%00.js",
    "/static/figures/..%2F..%2Fapp/config.js",
    "/static/figures/weighted_mean/..%2Fcore.abc.js",
    "/problems/..%2F..%2F/plain",
    "/problems/weighted_mean/..%2Freport",
    "/api/v1/problems/..%2F..%2Fetc/passwd",
    "/api/v1/submissions/..%2F..%2Fallclose.sqlite3",
    "/submissions/%2e%2e",
]


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_out_of_where_it_belongs(site: Inside, path: str) -> None:
    """404 or 422, and nothing of a file."""
    answer = site.browser().get(path)
    assert answer.status_code in (404, 422)
    for secret in ("[project]", "SQLite format", "import ", "root:"):
        assert secret not in answer.text


def test_nothing_secret_is_logged(site: Inside) -> None:
    """Neither passwords, codes, tokens and sessions, nor what was sent in a query."""
    with structlog.testing.capture_logs() as lines:
        browser = site.browser()
        sent = {"name": "Logged", "password": PASSWORD}
        code = browser.post("/api/v1/account", json=sent).json()["recovery_code"]
        made = browser.post("/api/v1/account/tokens", json={"name": "x", "scopes": ["read"]})
        token = made.json()["token"]
        session = browser.cookies["allclose"]
        site.visitor(token=token).get("/api/v1/account?token=" + token)
        site.visitor(token=token + "x").get("/api/v1/account")
        browser.post("/api/v1/session", json=sent | {"password": PASSWORD + "x"})
        recovery = {"name": "Logged", "recovery_code": code, "password": PASSWORD}
        browser.post("/api/v1/account/recovery", json=recovery)
        browser.post("/sign-in", data=sent)
    assert len(lines) > 6
    told = str(lines)
    for secret in (PASSWORD, code, token, session, session[:20], token[:30]):
        assert secret not in told


def test_what_was_sent_as_a_secret_is_not_repeated_in_a_refusal(site: Inside) -> None:
    """Nor in a page that comes again."""
    browser = site.browser()
    wrong = {"name": "Nobody", "password": "an unmistakable secret"}
    for answer in (
        browser.post("/api/v1/session", json=wrong),
        browser.post("/api/v1/session", json=wrong | {"more": "x"}),
        browser.post("/api/v1/account", json=wrong | {"password": ["an unmistakable secret"]}),
        browser.post("/sign-in", data=wrong),
        browser.get("/api/v1/account", headers={"Authorization": "Bearer unmistakable-token"}),
    ):
        assert answer.status_code in (401, 422)
        assert "unmistakable" not in answer.text
