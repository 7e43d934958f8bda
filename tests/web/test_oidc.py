"""Signing in with a provider's word, against a real one over HTTP: what is believed, and what is not."""

from __future__ import annotations

import builtins
import secrets
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from joserfc.jwk import RSAKey

from app.assembly import _provider
from app.config import read_settings
from app.errors import SettingsError
from app.web.app import create_app
from app.web.oidc import OpenIdProvider
from tests.web.inside import Inside, Visitor, inside
from tests.web.oidc_provider import CLIENT, SECRET, FakeProvider, providing
from tests.web.started import PROBLEM, RIGHT

START = "/sign-in/provider"


@pytest.fixture(scope="module")
def running() -> Iterator[FakeProvider]:
    with providing() as provider:
        yield provider


@pytest.fixture
def provider(running: FakeProvider) -> FakeProvider:
    """Truthful again, and with another person."""
    running.lies, running.document, running.published = {}, {}, None
    running.subject = secrets.token_hex(8)
    running.name = f"Grace Hopper {running.subject}"
    return running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, running: FakeProvider) -> Iterator[Inside]:
    with inside(tmp_path_factory.mktemp("data")) as site:
        yield site


@pytest.fixture(scope="module")
def site(shared: Inside, running: FakeProvider) -> Inside:
    return unasked(shared, running)


def unasked(shared: Inside, running: FakeProvider) -> Inside:
    """The same site, which has not asked the provider anything yet."""
    chosen = OpenIdProvider(running.issuer, CLIENT, SECRET, "Campus")
    parts = replace(shared.parts, provider=chosen)
    transport = httpx.ASGITransport(create_app(parts), client=("192.0.2.1", 4000))
    return replace(shared, parts=parts, transport=transport)


def there(browser: Visitor, query: str = "") -> str:
    answer = browser.get(START + query)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def signed_in(site: Inside, provider: FakeProvider, query: str = "") -> Visitor:
    browser = site.browser()
    answer = browser.get(f"{START}/back", params=provider.authorized(there(browser, query)))
    assert answer.status_code == 303, answer.text
    return browser


def test_a_person_of_the_provider_gets_an_account_and_finds_it_again(
    site: Inside, provider: FakeProvider
) -> None:
    """Under the name that the provider suggests; what the guest did moves along."""
    browser = site.browser()
    assert "Sign in with Campus" in browser.get("/sign-in").text
    sent = browser.post("/api/v1/submissions", json={"problem": PROBLEM, "source": RIGHT})
    told = provider.authorized(there(browser, f"?next=/problems/{PROBLEM}"))
    back = browser.get(f"{START}/back", params=told)
    assert back.headers["location"] == f"/problems/{PROBLEM}"
    account = browser.get("/api/v1/account").json()
    first = provider.name
    assert (account["name"], account["has_password"]) == (first, False)
    assert sent.json()["id"] in browser.get("/api/v1/account/export").text
    provider.name = "Somebody Renamed"
    again = signed_in(site, provider)
    assert again.get("/api/v1/account").json()["name"] == first
    assert "wrong" not in browser.get("/account").text


def test_another_subject_is_another_person_whatever_they_are_called(
    site: Inside, provider: FakeProvider
) -> None:
    """Neither a name nor an e-mail address opens somebody's account."""
    site.browser().post(
        "/api/v1/account", json={"name": provider.name, "password": "x" * 6 + "ycbd"}
    )
    provider.lies = {"email": "grace@navy.test", "email_verified": True}
    first = signed_in(site, provider).get("/api/v1/account").json()["name"]
    provider.subject = "another"
    second = signed_in(site, provider).get("/api/v1/account").json()["name"]
    assert len({first, second, provider.name}) == 3
    assert all(name.startswith(f"{provider.name} ") for name in (first, second))


@pytest.mark.parametrize("name", ["", "\u202e\u200b", "<script>", "x" * 500, "a@b.test"])
def test_a_name_that_is_none_becomes_one(site: Inside, provider: FakeProvider, name: str) -> None:
    """What the provider suggests is held to the same rules."""
    provider.name = name
    found = signed_in(site, provider).get("/api/v1/account").json()["name"]
    assert 0 < len(found) <= 40
    assert not set(found) & set("<>@\u202e\u200b")


LIES: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "https://evil.test"},
    "another audience": {"aud": "somebody else"},
    "two audiences": {"aud": [CLIENT, "other"]},
    "for another client": {"aud": [CLIENT, "other"], "azp": "other"},
    "expired": {"exp": 1},
    "never expires": {"exp": None},
    "from the future": {"iat": 4_000_000_000},
    "another nonce": {"nonce": "x"},
    "no nonce": {"nonce": None},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a number as subject": {"sub": 7},
    "a subject without end": {"sub": "x" * 1000},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_token_that_is_not_meant_for_this_sign_in_is_refused(
    site: Inside, provider: FakeProvider, lie: str
) -> None:
    """Nobody is signed in, and no account is made."""
    provider.lies = LIES[lie]
    browser = site.browser()
    answer = browser.get(f"{START}/back", params=provider.authorized(there(browser)))
    assert answer.status_code == 401
    assert browser.get("/api/v1/account").status_code == 401
    assert site.ask(site.store.account_named(provider.name)) is None


def test_a_token_that_another_key_signed_is_refused(shared: Inside, provider: FakeProvider) -> None:
    """Also where it claims the right key's name; a key that was changed is fetched once more."""
    site = unasked(shared, provider)
    provider.published = RSAKey.generate_key(2048, {"kid": "one"})
    browser = site.browser()
    answer = browser.get(f"{START}/back", params=provider.authorized(there(browser)))
    assert answer.status_code == 401
    provider.published = None
    assert signed_in(site, provider).get("/api/v1/account").status_code == 200


def test_only_what_was_begun_in_this_browser_is_finished(
    site: Inside, provider: FakeProvider
) -> None:
    """An answer that somebody else was given signs nobody in; and it counts once."""
    told = provider.authorized(there(site.browser()))
    victim = site.browser()
    assert victim.get(f"{START}/back", params=told).status_code == 401
    there(victim)
    assert victim.get(f"{START}/back", params=told).status_code == 401
    browser = site.browser()
    told = provider.authorized(there(browser))
    for wrong in ({"state": ""}, {"state": "é"}, {"iss": "https://evil.test"}):
        there_again = provider.authorized(there(browser))
        assert browser.get(f"{START}/back", params=there_again | wrong).status_code == 401
    told = provider.authorized(there(browser))
    assert (
        browser.get(
            f"{START}/back", params={"state": told["state"], "error": "access_denied"}
        ).status_code
        == 401
    )
    told = provider.authorized(there(browser))
    assert browser.get(f"{START}/back", params=told).status_code == 303
    assert browser.get(f"{START}/back", params=told).status_code == 401


@pytest.mark.parametrize("value", ["", "x", "a.b.c.d.e", ".".join(["x" * 43] * 3 + ["?", ""])])
def test_a_cookie_that_was_not_made_here_finishes_nothing(site: Inside, value: str) -> None:
    """Whatever stands in it."""
    browser = site.browser()
    browser.cookies.set("allclose-provider", value, "allclose.test")
    assert browser.get(f"{START}/back", params={"code": "x", "state": "y"}).status_code == 401


def test_an_account_is_linked_only_from_its_own_page(site: Inside, provider: FakeProvider) -> None:
    """Another site cannot attach somebody's word to an account; one word opens one account."""
    browser = site.browser()
    sent = {"name": "Ada", "password": "correct horse battery"}
    browser.post("/api/v1/account", json=sent)
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert browser.get(f"{START}?link=true", headers=elsewhere).status_code == 403
    assert "/sign-in/provider?link=true" in browser.get("/account").text
    told = provider.authorized(there(browser, "?link=true&next=/account"))
    assert browser.get(f"{START}/back", params=told).headers["location"] == "/account"
    assert "You can sign in with Campus" in browser.get("/account").text
    assert signed_in(site, provider).get("/api/v1/account").json()["name"] == "Ada"
    other = site.browser()
    other.post("/api/v1/account", json=sent | {"name": "Bob"})
    told = provider.authorized(there(other, "?link=true"))
    assert other.get(f"{START}/back", params=told).status_code == 422


def test_a_provider_that_is_somebody_else_or_away_is_not_our_fault_and_not_believed(
    shared: Inside, provider: FakeProvider
) -> None:
    """503 with a word for people; nothing of the secret in it."""
    site = unasked(shared, provider)
    provider.document = {"issuer": "https://evil.test"}
    assert site.browser().get(START).status_code == 503
    provider.document = {"token_endpoint": "http://evil.test/token"}
    answer = site.browser().get(START)
    assert answer.status_code == 503
    assert SECRET not in answer.text


def test_without_a_provider_there_is_nothing(tmp_path: Path) -> None:
    """Neither a button nor an address."""
    with inside(tmp_path) as site:
        assert site.browser().get(START).status_code == 404
        assert "/sign-in/provider" not in site.browser().get("/sign-in").text


def test_a_missing_library_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start, not at the first sign-in."""
    settings = read_settings(oidc_issuer="https://login.test", oidc_client_id="x")
    real = builtins.__import__

    def without(name: str, *more: Any, **named: Any) -> Any:
        if name.startswith("joserfc"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *more, **named)

    monkeypatch.delitem(sys.modules, "app.web.oidc")
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SettingsError, match=r"pip install 'allclose\[oauth\]'"):
        _provider(settings)


@pytest.mark.parametrize("issuer", ["http://login.test", "login.test", "file:///etc/passwd"])
def test_a_provider_without_tls_is_refused_at_the_start(issuer: str) -> None:
    """Its word would be anybody's on the way."""
    with pytest.raises(SettingsError, match="https"):
        _provider(read_settings(oidc_issuer=issuer, oidc_client_id="x"))
