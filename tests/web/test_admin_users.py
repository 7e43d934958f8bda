"""Accounts in the admin area."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from app.errors import Invalid
from app.web.secret import new_token
from app.web.signing import TRIES_OF_ACCOUNT
from tests.web.administrated import API, Administrated, administrated


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Administrated]:
    with administrated(tmp_path_factory.mktemp("data")) as running:
        yield running


def numbers(there: Administrated, query: str = "") -> dict[str, int]:
    found = there.admin.get(f"{API}/users?{query}").json()["users"]
    return {user["name"]: user["number"] for user in found}


def test_people_are_found_by_name_and_role(there: Administrated) -> None:
    """However the name is spelt; wildcards are letters."""
    assert set(numbers(there)) == {"Ada", "Bob"}
    assert set(numbers(there, "search=BO")) == {"Bob"}
    assert set(numbers(there, "search=%25")) == set()
    assert set(numbers(there, "role=admin")) == {"Ada"}
    page = there.admin.get("/admin/users?search=bo").text
    assert "Bob" in page
    assert "/admin/users/2" in page
    assert there.admin.get(f"{API}/users?role=owner").status_code == 422


@pytest.mark.parametrize("way", ["page", "API"])
def test_an_account_is_made_for_somebody(there: Administrated, way: str) -> None:
    """With a password that is shown once and works, also where nobody can sign up."""
    sent = {"name": f"Éva of the {way}", "role": "author"}
    if way == "page":
        told = there.admin.post("/admin/users", data=sent)
        assert told.status_code == 200
        [password] = re.findall("<code>([0-9A-Z-]{29})</code>", told.text)
    else:
        made = there.admin.post(f"{API}/users", json=sent)
        assert made.status_code == 201
        assert (made.json()["user"]["name"], made.json()["user"]["role"]) == tuple(sent.values())
        password = made.json()["password"]
    there.site.parts.rates.forgive(TRIES_OF_ACCOUNT, sent["name"])
    signing = {"name": sent["name"], "password": password}
    browser = there.site.browser()
    assert browser.post("/sign-in", data=signing).status_code == 303
    assert browser.get("/api/v1/account").json()["role"] == "author"
    lines = there.site.ask(there.site.store.audit_lines(action="add user"))
    assert [line.who for line in lines if line.subject == sent["name"]] == ["Ada"]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"name": "bob", "role": "learner"}, "already"),
        ({"name": "a\u202eb", "role": "learner"}, "U+202E"),
        ({"name": "", "role": "learner"}, "empty"),
        ({"name": "Eve", "role": "owner"}, "role"),
    ],
)
def test_an_account_that_cannot_be_is_not_made(
    there: Administrated, sent: dict[str, str], words: str
) -> None:
    """The form comes again with what was typed, and says why."""
    refused = there.admin.post("/admin/users", data=sent)
    assert refused.status_code == 422
    assert words in refused.text
    assert there.admin.post(f"{API}/users", json=sent).status_code == 422
    unknown = sent | {"name": "Eve", "role": "learner", "password": "x" * 20}
    assert there.admin.post(f"{API}/users", json=unknown).status_code == 422
    assert "Eve" not in numbers(there)


def test_a_role_is_given_and_taken(there: Administrated) -> None:
    """At once: the next request is looked at with the new role."""
    bob, store = numbers(there)["Bob"], there.site.store
    token = new_token()
    there.site.ask(store.add_token("Bob", "phone", token, {"admin"}))
    visitor = there.site.visitor(token=token)
    assert visitor.get(f"{API}/users").status_code == 403
    changed = there.admin.ask("PATCH", f"{API}/users/{bob}", json={"role": "admin"}).json()
    assert changed["role"] == "admin"
    assert visitor.get(f"{API}/users").status_code == 200
    assert there.admin.post(f"/admin/users/{bob}/role", data={"role": "learner"}).status_code == 303
    assert visitor.get(f"{API}/users").status_code == 403
    refused = there.admin.post(f"/admin/users/{bob}/role", data={"role": "owner"})
    assert refused.status_code == 422
    assert "a role is one of" in refused.text.lower()


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("PATCH", f"{API}/users/1", {"json": {"role": "learner"}}),
        ("PATCH", f"{API}/users/1", {"json": {"role": "author"}}),
        ("PATCH", f"{API}/users/1", {"json": {"disabled": True}}),
        ("DELETE", f"{API}/users/1", {}),
        ("POST", "/admin/users/1/role", {"data": {"role": "learner"}}),
        ("POST", "/admin/users/1/disable", {}),
        ("POST", "/admin/users/1/delete", {}),
    ],
)
def test_the_last_admin_stays_one(
    there: Administrated, method: str, path: str, sent: dict[str, Any]
) -> None:
    """Neither demoted, nor disabled, nor deleted."""
    refused = there.admin.ask(method, path, **sent)
    assert refused.status_code == 422
    assert "last admin" in refused.text


def test_a_disabled_admin_is_none(there: Administrated) -> None:
    """Only with another one who can get in may an admin step back."""
    store, ask = there.site.store, there.site.ask
    ask(store.add_user("Eve", "admin"))
    eve = numbers(there)["Eve"]
    ask(store.set_disabled(eve, True, "Ada"))
    with pytest.raises(Invalid, match="last admin"):
        ask(store.set_role(1, "learner", "Ada"))
    ask(store.set_disabled(eve, False, "Ada"))
    ask(store.set_role(1, "learner", "Ada"))
    with pytest.raises(Invalid, match="last admin"):
        ask(store.delete_member(eve, "Eve"))
    with pytest.raises(Invalid, match="last admin"):
        ask(store.delete_account(eve))
    ask(store.set_role(1, "admin", "Eve"))
    assert there.admin.ask("DELETE", f"{API}/users/{eve}").status_code == 204


def test_access_is_taken_and_given_back(there: Administrated) -> None:
    """Disabled, nothing gets in; revoked, what was there counts no more."""
    bob, store, ask = numbers(there)["Bob"], there.site.store, there.site.ask
    token = new_token()
    ask(store.add_token("Bob", "phone", token, {"read"}))
    visitor = there.site.visitor(token=token)
    assert visitor.get("/api/v1/problems").status_code == 200
    for action, status in (("disable", 401), ("enable", 200), ("revoke-access", 401)):
        assert there.admin.post(f"/admin/users/{bob}/{action}").status_code == 303
        assert visitor.get("/api/v1/problems").status_code == status, action
    assert "disabled" not in there.admin.get(f"/admin/users/{bob}").text


def test_a_password_is_reset_and_shown_once(there: Administrated) -> None:
    """It signs in; the page does not show it again."""
    bob = numbers(there)["Bob"]
    password = there.admin.post(f"{API}/users/{bob}/reset-password").json()["password"]
    signed = there.site.browser().post("/sign-in", data={"name": "Bob", "password": password})
    assert signed.status_code == 303
    page = there.admin.post(f"/admin/users/{bob}/reset-password").text
    assert "shown this once" in page
    assert "shown this once" not in there.admin.get(f"/admin/users/{bob}").text
    again = there.site.browser().post("/sign-in", data={"name": "Bob", "password": password})
    assert again.status_code != 303


def test_who_is_not_there_is_not_found(there: Administrated) -> None:
    """Nor is anything done."""
    for method, path in (
        ("GET", f"{API}/users/99"),
        ("DELETE", f"{API}/users/99"),
        ("POST", f"{API}/users/99/reset-password"),
        ("POST", f"{API}/users/99/revoke-access"),
        ("GET", "/admin/users/99"),
        ("POST", "/admin/users/99/delete"),
    ):
        assert there.admin.ask(method, path).status_code == 404, path
    assert there.admin.post("/admin/users/1/promote").status_code == 404
