"""Who is asking: tokens, sessions, guests; and what another site can make a browser do."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from app.store import Owner
from app.web.parts import Allowance, Allowances
from tests.web.inside import Inside, Visitor, inside
from tests.web.started import PROBLEM, RIGHT

ENDLESS = Allowances(*[Allowance(waiting=0)] * 3)
SENT = {"problem": PROBLEM, "source": RIGHT}
SECURE = "https://allclose.test"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with inside(tmp_path_factory.mktemp("data"), allowances=ENDLESS) as running:
        running.ask(running.store.add_user("Ada", "admin"))
        running.ask(running.store.add_user("Bob", "learner"))
        for name in ("read", "submit", "admin"):
            running.ask(running.store.add_token("Ada", name, f"token-{name}", {name}))
        yield running


def submit(visitor: Visitor, **sent: Any) -> int:
    return visitor.post("/api/v1/submissions", json=SENT, **sent).status_code


def owners(site: Inside) -> list[Any]:
    with sqlite3.connect(site.database) as connection:
        rows = connection.execute("SELECT owner FROM submissions ORDER BY number")
        return [row[0] for row in rows]


def test_a_submission_belongs_to_whose_token_was_sent(site: Inside) -> None:
    """The account, whichever of its tokens it was."""
    assert submit(site.visitor(token="token-submit")) == 202
    assert submit(site.visitor(token="token-admin")) == 202
    assert owners(site)[-2:] == ["user:1", "user:1"]


def test_a_token_that_may_only_read_submits_nothing(site: Inside) -> None:
    """403 says which scope is missing; reading goes on."""
    reader = site.visitor(token="token-read")
    answer = reader.post("/api/v1/submissions", json=SENT)
    assert answer.status_code == 403
    assert "scope submit" in answer.json()["detail"]
    assert reader.get("/api/v1/problems").status_code == 200


@pytest.mark.parametrize("token", ["", "unknown", "token-Read", "é"])
def test_a_token_that_does_not_count_is_refused_everywhere(site: Inside, token: str) -> None:
    """Whoever sends a token means it: nobody becomes a guest by a typing mistake."""
    visitor = site.visitor({"Authorization": f"Bearer {token}".encode()})
    for path in ("/api/v1/problems", f"/api/v1/problems/{PROBLEM}"):
        answer = visitor.get(path)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"


def test_a_guest_stays_the_same_guest(site: Inside) -> None:
    """A browser is given a cookie with the first thing it leaves here, and keeps it."""
    browser = site.browser()
    assert submit(browser) == 202
    kept = browser.cookies["allclose-guest"]
    assert submit(browser) == 202
    assert browser.cookies["allclose-guest"] == kept
    first, second = owners(site)[-2:]
    assert first == second
    assert first.startswith("guest:")
    assert kept not in first


def test_a_script_without_a_token_is_given_no_cookie(site: Inside) -> None:
    """A program that keeps cookies would otherwise be refused at its second request. What it leaves
    is nobody's: statistics would count a new learner each time."""
    script = site.visitor()
    assert [submit(script) for _ in range(2)] == [202, 202]
    assert not list(script.cookies)
    assert owners(site)[-2:] == [None, None]


def test_reading_leaves_no_cookie(site: Inside) -> None:
    """Only a page on which something can be left behind needs one."""
    browser = site.browser()
    for path in ("/", "/api/v1/problems"):
        assert "set-cookie" not in browser.get(path).headers
    assert "set-cookie" in browser.get(f"/problems/{PROBLEM}").headers


@pytest.mark.parametrize("value", ["", "short", "x" * 44, "é" * 43, "../../etc/passwd", "x" * 4000])
def test_a_cookie_that_we_did_not_make_is_replaced(site: Inside, value: str) -> None:
    """Whatever it holds, it names nobody."""
    sent = {"Cookie": f"allclose-guest={value}; allclose={value}".encode()}
    answer = site.browser().post("/api/v1/submissions", json=SENT, headers=sent)
    assert answer.status_code == 202
    assert "allclose-guest=" in answer.headers["set-cookie"]


def test_cookies_are_marked_for_their_connection(site: Inside) -> None:
    """No script reads them, no other site sends them; behind TLS no neighbour can set them."""
    plain = site.browser().get(f"/problems/{PROBLEM}").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(plain.split("; "))
    assert "Secure" not in plain
    secure = site.browser(SECURE).get(f"/problems/{PROBLEM}").headers["set-cookie"]
    assert secure.startswith("__Host-allclose-guest=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"} <= set(secure.split("; "))
    assert "Domain" not in secure


def test_a_session_is_its_user(site: Inside) -> None:
    """Until it ends."""
    session = secrets.token_urlsafe(32)
    site.ask(site.store.add_session(2, session))
    browser = site.browser()
    browser.cookies.set("allclose", session)
    assert submit(browser) == 202
    assert owners(site)[-1] == "user:2"
    site.ask(site.store.end_session(session))
    assert submit(browser) == 202
    assert owners(site)[-1].startswith("guest:")


def test_a_session_that_was_long_unused_ends(site: Inside) -> None:
    """A cookie that is found years later opens nothing."""
    session = secrets.token_urlsafe(32)
    site.ask(site.store.add_session(2, session))
    assert site.ask(site.store.session_owner(session, 60)) == Owner(2, "Bob", "learner")
    assert site.ask(site.store.session_owner(session, 0)) is None


SENDERS: dict[str, tuple[dict[str, str], int]] = {
    "this page": ({"Sec-Fetch-Site": "same-origin"}, 202),
    "this page, told by its origin": ({"Origin": "http://allclose.test"}, 202),
    "another site": ({"Sec-Fetch-Site": "cross-site"}, 403),
    "a neighbouring host": ({"Sec-Fetch-Site": "same-site"}, 403),
    "another origin": ({"Origin": "http://evil.test"}, 403),
    "another port": ({"Origin": "http://allclose.test:81"}, 403),
    "an origin that begins like ours": ({"Origin": "http://allclose.test.evil.test"}, 403),
    "a sandboxed frame": ({"Origin": "null"}, 403),
    "another site that claims our origin": (
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://allclose.test"},
        403,
    ),
    "nobody who tells": ({}, 403),
}


@pytest.mark.parametrize("sender", SENDERS)
def test_only_these_pages_act_with_a_cookie(site: Inside, sender: str) -> None:
    """What another site's page makes a browser send has the cookie, and is refused for its origin."""
    headers, status = SENDERS[sender]
    visitor = site.visitor(headers)
    visitor.cookies.set("allclose-guest", secrets.token_urlsafe(32))
    assert submit(visitor) == status
    form = visitor.post("/problems/no/problem", data={"source": RIGHT})
    assert form.status_code == (404 if status == 202 else 403)


def test_another_site_may_link_here(site: Inside) -> None:
    """Reading is not acting."""
    visitor = site.visitor({"Sec-Fetch-Site": "cross-site"})
    assert visitor.get(f"/problems/{PROBLEM}").status_code == 200
