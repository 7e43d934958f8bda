"""Accounts over REST and as plain forms: made, entered, left, recovered, exported, deleted."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from argon2 import PasswordHasher

from app.errors import Busy
from app.web.parts import Allowance, Allowances
from app.web.passwords import Passwords
from tests.web.inside import CHEAP, Inside, Visitor, inside
from tests.web.started import PROBLEM, RIGHT

ENDLESS = Allowances(*[Allowance(waiting=0)] * 3)
PASSWORD = "correct horse battery"
SENT = {"problem": PROBLEM, "source": RIGHT}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with inside(tmp_path_factory.mktemp("data"), allowances=ENDLESS) as running:
        yield running


def joined(site: Inside, name: str) -> tuple[Visitor, str]:
    """A browser that has just signed up, and its recovery code."""
    browser = site.browser()
    answer = browser.post("/api/v1/account", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    return browser, answer.json()["recovery_code"]


def entered(site: Inside, name: str, password: str = PASSWORD) -> tuple[Visitor, int]:
    browser = site.browser()
    answer = browser.post("/api/v1/session", json={"name": name, "password": password})
    return browser, answer.status_code


def rows(site: Inside, question: str, *values: object) -> list[tuple[Any, ...]]:
    with sqlite3.connect(site.database) as connection:
        return connection.execute(question, values).fetchall()


def test_whoever_signs_up_is_signed_in(site: Inside) -> None:
    """Nothing but a name and a password is asked for."""
    browser, code = joined(site, "Ada")
    assert re.fullmatch(r"([0-9A-Z]{5}-){4}[0-9A-Z]{5}", code)
    account = browser.get("/api/v1/account").json()
    assert (account["name"], account["role"], account["has_password"]) == ("Ada", "learner", True)
    assert [session["here"] for session in account["sessions"]] == [True]
    assert site.browser().get("/api/v1/account").status_code == 401


def test_a_session_is_new_at_each_sign_in_and_ends_at_sign_out(site: Inside) -> None:
    """A cookie that somebody planted before is worth nothing after."""
    joined(site, "Fix")
    browser = site.browser()
    browser.cookies.set("allclose", "planted" * 6 + "x", domain="allclose.test")
    assert browser.post("/api/v1/session", json={"name": "Fix", "password": PASSWORD}).is_success
    first = browser.client.cookies["allclose"]
    assert not first.startswith("planted")
    assert browser.post("/api/v1/session", json={"name": "Fix", "password": PASSWORD}).is_success
    second = browser.client.cookies["allclose"]
    thief = site.browser()
    thief.cookies.set("allclose", first)
    assert thief.get("/api/v1/account").status_code == 401
    assert browser.ask("DELETE", "/api/v1/session").status_code == 204
    thief.cookies.set("allclose", second)
    assert thief.get("/api/v1/account").status_code == 401


def test_signing_out_everywhere_ends_every_session(site: Inside) -> None:
    """Also those of browsers that are far away."""
    browser, _ = joined(site, "Far")
    other, status = entered(site, "Far")
    assert status == 204
    assert len(browser.get("/api/v1/account").json()["sessions"]) == 2
    assert browser.ask("DELETE", "/api/v1/sessions").status_code == 204
    assert other.get("/api/v1/account").status_code == 401


def test_a_changed_password_ends_other_sessions(site: Inside) -> None:
    """Who changes it for fear of somebody is rid of them."""
    browser, _ = joined(site, "Changed")
    other, _ = entered(site, "Changed")
    change = {"password": "wrong horse battery", "new_password": "quite another one"}
    assert browser.ask("PUT", "/api/v1/account/password", json=change).status_code == 401
    change["password"] = PASSWORD
    assert browser.ask("PUT", "/api/v1/account/password", json=change).status_code == 204
    assert browser.get("/api/v1/account").status_code == 200
    assert other.get("/api/v1/account").status_code == 401
    assert entered(site, "Changed")[1] == 401
    assert entered(site, "Changed", "quite another one")[1] == 204


def test_the_recovery_code_replaces_a_password_once(site: Inside) -> None:
    """However it was written down; the next one is shown in its place."""
    browser, code = joined(site, "Lost")
    sent = {
        "name": "lost",
        "recovery_code": code.lower().replace("-", " "),
        "password": "new words here",
    }
    answer = site.browser().post("/api/v1/account/recovery", json=sent)
    assert answer.status_code == 200, answer.text
    assert answer.json()["recovery_code"] != code
    assert browser.get("/api/v1/account").status_code == 401
    assert entered(site, "Lost", "new words here")[1] == 204
    again = site.browser().post("/api/v1/account/recovery", json=sent | {"password": "third words"})
    assert again.status_code == 401


def test_a_wrong_name_and_a_wrong_password_are_told_alike(site: Inside) -> None:
    """Sign-in says nothing about who has an account, disabled ones included."""
    joined(site, "Known")
    joined(site, "Disabled")
    with sqlite3.connect(site.database) as connection:
        connection.execute("UPDATE users SET disabled = 1 WHERE name = 'Disabled'")
    told = set()
    for name, password in (("Known", "wrong words"), ("Unknown", PASSWORD), ("Disabled", PASSWORD)):
        answer = site.browser().post("/api/v1/session", json={"name": name, "password": password})
        told.add((answer.status_code, answer.text))
    assert len(told) == 1
    assert told.pop()[0] == 401


def test_an_unknown_name_costs_as_much_as_a_known_one(site: Inside) -> None:
    """The hash that is verified where there is no account is as slow as any."""
    hasher = PasswordHasher(time_cost=2, memory_cost=1024, parallelism=1)
    passwords = Passwords(hasher)
    assert not site.ask(passwords.right("x", None))
    parameters = passwords._nobodys.rpartition("$")[0].rpartition("$")[0]
    assert site.ask(passwords.hashed("x")).startswith(parameters + "$")
    assert not hasher.check_needs_rehash(passwords._nobodys)


def test_too_many_attempts_are_refused_even_with_the_right_password(tmp_path: Any) -> None:
    """Ten in ten minutes for an account, whether there is one; other accounts are not concerned."""
    with inside(tmp_path) as site:
        joined(site, "Tried")
        joined(site, "Other")
        for name in ("Tried", "Nobody"):
            statuses = [entered(site, name, "wrong words")[1] for _ in range(10)]
            assert statuses == [401] * 10
            answer = site.browser().post(
                "/api/v1/session", json={"name": name, "password": PASSWORD}
            )
            assert answer.status_code == 429
            assert int(answer.headers["retry-after"]) > 500
        assert entered(site, "Other")[1] == 204


def test_one_address_may_not_try_many_accounts(tmp_path: Any) -> None:
    """A list of names and one common password, from one place."""
    with inside(tmp_path) as site:
        statuses = [entered(site, f"name{number}", "common words")[1] for number in range(101)]
        assert statuses == [401] * 100 + [429]


def test_hashing_is_bounded(site: Inside) -> None:
    """Whoever comes when too many wait is told to come back: nobody fills the memory."""
    import asyncio

    async def many() -> list[object]:
        passwords = Passwords(CHEAP, threads=1, waiting=3)
        return list(
            await asyncio.gather(*[passwords.hashed("x") for _ in range(8)], return_exceptions=True)
        )

    answers = site.ask(many())
    assert sum(isinstance(answer, Busy) for answer in answers) == 5


def test_a_password_hashed_with_older_parameters_is_hashed_again(site: Inside) -> None:
    """At the next sign-in, without anybody noticing."""
    joined(site, "Older")
    old = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1).hash(PASSWORD)
    with sqlite3.connect(site.database) as connection:
        connection.execute("UPDATE users SET password_hash = ? WHERE name = 'Older'", (old,))
    assert entered(site, "Older")[1] == 204
    [(kept,)] = rows(site, "SELECT password_hash FROM users WHERE name = 'Older'")
    assert kept != old
    assert not CHEAP.check_needs_rehash(kept)


def test_what_a_guest_did_becomes_the_accounts(site: Inside) -> None:
    """At sign-up, and at sign-in as well; the guest is gone then."""
    browser = site.browser()
    made = browser.post("/api/v1/submissions", json=SENT).json()["id"]
    assert browser.post("/api/v1/account", json={"name": "Moved", "password": PASSWORD}).is_success
    assert "allclose-guest" not in browser.client.cookies
    other = site.browser()
    later = other.post("/api/v1/submissions", json=SENT).json()["id"]
    assert other.post("/api/v1/session", json={"name": "Moved", "password": PASSWORD}).is_success
    found = rows(site, "SELECT owner FROM submissions WHERE id IN (?, ?)", made, later)
    [(number,)] = rows(site, "SELECT number FROM users WHERE name = 'Moved'")
    assert found == [(f"user:{number}",)] * 2


def test_everything_that_is_kept_can_be_exported(site: Inside) -> None:
    """One JSON document, without the hash of any secret."""
    browser, _ = joined(site, "Exported")
    sent = browser.post("/api/v1/submissions", json=SENT).json()["id"]
    browser.post("/api/v1/account/tokens", json={"name": "laptop", "scopes": ["submit"]})
    answer = browser.get("/api/v1/account/export")
    found = json.loads(answer.content)
    assert found["account"][0]["name"] == "Exported"
    assert [one["id"] for one in found["submissions"]] == [sent]
    assert found["submissions"][0]["source"] == RIGHT
    assert found["tokens"][0]["name"] == "laptop"
    assert len(found["sessions"]) == 1
    assert "hash" not in answer.text
    assert "attachment" in answer.headers["content-disposition"]


def test_a_deleted_account_takes_everything_with_it(site: Inside) -> None:
    """Submissions too: they are the learner's own work. The name is free again."""
    browser, _ = joined(site, "Gone")
    sent = browser.post("/api/v1/submissions", json=SENT).json()["id"]
    made = browser.post("/api/v1/account/tokens", json={"name": "x", "scopes": ["read"]}).json()
    refused = browser.post("/api/v1/account/deletion", json={"password": "wrong words"})
    assert refused.status_code == 401
    assert browser.post("/api/v1/account/deletion", json={"password": PASSWORD}).status_code == 204
    assert browser.get("/api/v1/account").status_code == 401
    assert site.browser().get(f"/api/v1/submissions/{sent}").status_code == 404
    assert site.visitor(token=made["token"]).get("/api/v1/problems").status_code == 401
    assert entered(site, "Gone")[1] == 401
    joined(site, "Gone")


NAMES: dict[str, tuple[str, int]] = {
    "Greek": ("Ὑπατία", 201),
    "Arabic": ("الخوارزمي", 201),
    "Chinese": ("祖冲之", 201),
    "Devanagari": ("आर्यभट", 201),
    "with marks": ("Nguyễn Văn Á", 201),
    "full width": ("Ｗｉｄｅ", 201),
    "one letter": ("x", 201),
    "empty": ("", 422),
    "a space": (" ", 422),
    "right to left override": ("evil\u202egod", 422),
    "isolate": ("a\u2066b\u2069", 422),
    "zero width space": ("A\u200bda", 422),
    "zero width joiner": ("A\u200dda", 422),
    "soft hyphen": ("A\u00adda", 422),
    "a filler": ("A\u3164da", 422),
    "variation selector": ("A\ufe0fda", 422),
    "line break": ("Ada\nadmin", 422),
    "NUL": ("Ada\0", 422),
    "markup": ("<script>alert(1)</script>", 422),
    "quotes": ('"onload="x', 422),
    "a slash": ("../../etc", 422),
    "an emoji": ("Ada 🎓", 422),
    "41 letters": ("x" * 41, 422),
    "a tower of marks": ("a" + "\u0323" * 20, 422),
    "a mark alone": ("\u0301", 422),
    "two spaces": ("A  B", 422),
}


@pytest.mark.parametrize("kind", NAMES)
def test_a_name_may_be_of_any_script_but_shows_all_that_it_is(site: Inside, kind: str) -> None:
    """Letters, marks and digits; nothing invisible, nothing that turns text around."""
    name, status = NAMES[kind]
    answer = site.browser().post("/api/v1/account", json={"name": name, "password": PASSWORD})
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize("twin", ["PAVEL", "Ｐavel", "Раvеl", "Ρavel", "pavel "])
def test_a_name_that_looks_like_another_is_taken(site: Inside, twin: str) -> None:
    """In case, in width, in Cyrillic or Greek letters: nobody can pass for somebody else."""
    site.browser().post("/api/v1/account", json={"name": "Pavel", "password": PASSWORD})
    answer = site.browser().post("/api/v1/account", json={"name": twin, "password": PASSWORD})
    assert answer.status_code == 422
    assert "already" in answer.json()["detail"]


@pytest.mark.parametrize("password", ["", "short", "x" * 1001, "aaaaaaaaaaaa", "guessable1"])
def test_a_password_that_is_tried_first_is_refused(site: Inside, password: str) -> None:
    """Too short, too long, one letter again and again, the name itself."""
    sent = {"name": "Guessable1", "password": password}
    assert site.browser().post("/api/v1/account", json=sent).status_code == 422


def test_nobody_gives_themselves_a_role(site: Inside) -> None:
    """A field that is not asked for is refused, not taken over."""
    for field in ("role", "scopes", "number", "disabled"):
        sent = {"name": "Climber", "password": PASSWORD, field: "admin"}
        assert site.browser().post("/api/v1/account", json=sent).status_code == 422
    form = {"name": "Climber", "password": PASSWORD, "role": "admin"}
    assert site.browser().post("/sign-up", data=form).status_code == 200
    assert rows(site, "SELECT role FROM users WHERE name = 'Climber'") == [("learner",)]


# --- tokens ---------------------------------------------------------------------------------------


def test_a_token_is_shown_once_and_works_until_it_is_revoked(site: Inside) -> None:
    """Named, with its last use, and worthless at once."""
    browser, _ = joined(site, "Scripter")
    made = browser.post("/api/v1/account/tokens", json={"name": "laptop", "scopes": ["submit"]})
    assert made.status_code == 201
    token = made.json()["token"]
    script = site.visitor(token=token)
    assert browser.get("/api/v1/account/tokens").json()["tokens"][0]["used_at"] is None
    assert script.post("/api/v1/submissions", json=SENT).status_code == 202
    listed = browser.get("/api/v1/account/tokens")
    assert listed.json()["tokens"][0]["used_at"] is not None
    assert token not in listed.text
    number = made.json()["id"]
    other, _ = joined(site, "Stranger")
    assert other.ask("DELETE", f"/api/v1/account/tokens/{number}").status_code == 404
    assert browser.ask("DELETE", f"/api/v1/account/tokens/{number}").status_code == 204
    assert script.get("/api/v1/problems").status_code == 401
    assert browser.ask("DELETE", f"/api/v1/account/tokens/{number}").status_code == 404


def test_a_token_makes_no_tokens_and_changes_no_account(site: Inside) -> None:
    """What leaked can do what it is for, and nothing that outlives it."""
    browser, _ = joined(site, "Leaky")
    made = browser.post("/api/v1/account/tokens", json={"name": "all", "scopes": ["submit"]}).json()
    script = site.visitor(token=made["token"])
    assert script.get("/api/v1/account").status_code == 200
    for method, path, body in (
        ("GET", "/account/tokens", None),
        ("POST", "/account/tokens", {"name": "more", "scopes": ["submit"]}),
        ("PUT", "/account/password", {"password": PASSWORD, "new_password": "another one"}),
        ("POST", "/account/deletion", {"password": PASSWORD}),
        ("GET", "/account/export", None),
        ("DELETE", "/sessions", None),
    ):
        answer = script.ask(method, f"/api/v1{path}", json=body)
        assert answer.status_code == 403, (path, answer.text)


def test_a_learner_makes_no_token_for_admins(site: Inside) -> None:
    """The role is the upper bound of what a token may do."""
    browser, _ = joined(site, "Modest")
    sent = {"name": "x", "scopes": ["submit", "admin"]}
    assert browser.post("/api/v1/account/tokens", json=sent).status_code == 403
    form = browser.post("/account/tokens", data={"name": "x", "scope": "admin"})
    assert form.status_code == 403
    assert browser.get("/api/v1/account/tokens").json() == {"tokens": []}


def test_there_is_an_end_to_tokens(site: Inside) -> None:
    """A name is used once, and a forgotten script cannot make thousands."""
    browser, _ = joined(site, "Collector")
    made = [
        browser.post("/api/v1/account/tokens", json={"name": f"t{n}", "scopes": ["read"]})
        for n in range(21)
    ]
    assert [answer.status_code for answer in made] == [201] * 20 + [422]
    twice = browser.post("/api/v1/account/tokens", json={"name": "t0", "scopes": ["read"]})
    assert "already" in twice.json()["detail"]


# --- plain forms ----------------------------------------------------------------------------------


def test_forms_do_without_scripts_what_the_api_does(site: Inside) -> None:
    """Sign up, make a token, change the password, sign out, come back, delete."""
    browser = site.browser()
    made = browser.post("/sign-up", data={"name": "Plain", "password": PASSWORD, "next": "/x"})
    assert made.status_code == 200
    assert 'id="recovery-code"' in made.text
    assert 'href="/x"' in made.text
    token = browser.post("/account/tokens", data={"name": "laptop", "scope": "submit"})
    found = re.search(r'id="token">(allclose_[\w-]+)<', token.text)
    assert found
    assert site.visitor(token=found[1]).get("/api/v1/account").status_code == 200
    assert found[1] not in browser.get("/account").text
    changed = {"password": PASSWORD, "new_password": "another phrase"}
    assert (
        browser.post("/account/password", data=changed).headers["location"]
        == "/account?done=password"
    )
    assert browser.post("/sign-out").status_code == 303
    assert browser.get("/account").status_code == 401
    wrong = browser.post("/sign-in", data={"name": "Plain", "password": PASSWORD, "next": "/x"})
    assert wrong.status_code == 401
    assert "The name or the password is wrong." in wrong.text
    assert 'value="Plain"' in wrong.text
    assert PASSWORD not in wrong.text
    right = {"name": "Plain", "password": "another phrase", "next": "/problems/a/b"}
    assert browser.post("/sign-in", data=right).headers["location"] == "/problems/a/b"
    gone = browser.post("/account/delete", data={"password": "another phrase"})
    assert gone.status_code == 303
    assert browser.get("/account").status_code == 401


ELSEWHERE = [
    "//evil.test",
    "https://evil.test/",
    "/\\evil.test",
    "\\\\evil.test",
    "/%09/evil.test\t",
    "/\t/evil.test",
    "/\n/evil.test",
    "javascript:alert(1)",
    "evil.test",
    "",
    "/" + "x" * 600,
    "/x\r\nSet-Cookie: a=b",
    "/\u2215/evil.test",
]


@pytest.mark.parametrize("url", ELSEWHERE)
def test_signing_in_leads_nowhere_else(site: Inside, url: str) -> None:
    """A link that somebody sends must not end on their page."""
    site.browser().post("/api/v1/account", json={"name": "Returning", "password": PASSWORD})
    sent = {"name": "Returning", "password": PASSWORD, "next": url}
    answer = site.browser().post("/sign-in", data=sent)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    form = site.browser().get("/sign-in", params={"next": url})
    assert 'name="next" value="/"' in form.text
    assert "evil" not in form.text


def test_nothing_secret_is_cached_or_in_an_address(site: Inside) -> None:
    """Pages and answers around accounts are kept nowhere."""
    browser, _ = joined(site, "Cached")
    for path in ("/account", "/sign-in", "/api/v1/account", "/api/v1/account/tokens"):
        assert "no-store" in browser.get(path).headers["cache-control"]


def test_a_site_may_take_no_new_accounts(tmp_path: Any) -> None:
    """Where admins make them; the page does not offer what it would refuse."""
    with inside(tmp_path, sign_up=False) as site:
        sent = {"name": "Ada", "password": PASSWORD}
        assert site.browser().post("/api/v1/account", json=sent).status_code == 403
        assert "/sign-up" not in site.browser().get("/sign-in").text
