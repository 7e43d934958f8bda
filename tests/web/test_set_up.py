"""The first admin: a link that works once, from this machine, while there is no admin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.web.app import create_app
from app.web.secret import OneTimeKey
from tests.web.inside import OWN_PAGE, Inside, Visitor, inside

HERE = "http://127.0.0.1:8000"
FORM = {"name": "Ada", "password": "correct horse battery"}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Inside]:
    with inside(tmp_path, set_up=OneTimeKey()) as running:
        yield running


def visitor(site: Inside, base: str = HERE, client: str = "127.0.0.1") -> Visitor:
    transport = httpx.ASGITransport(create_app(site.parts), client=(client, 4000))
    headers = {**OWN_PAGE}
    return Visitor(
        site.runner, httpx.AsyncClient(transport=transport, base_url=base, headers=headers)
    )


def link(site: Inside) -> str:
    return f"/set-up?key={site.parts.set_up.value}"


def test_the_link_makes_an_admin_once(site: Inside) -> None:
    """Who follows it is signed in as admin; then it leads nowhere, also for them."""
    admin, url = visitor(site), link(site)
    assert admin.get(url).status_code == 200
    refused = admin.post(url, data=FORM | {"password": "short"})
    assert refused.status_code == 422
    assert "fewer than 10" in refused.text
    assert admin.post(url, data=FORM).status_code == 200
    assert admin.get("/api/v1/account").json()["role"] == "admin"
    assert admin.get(url).status_code == 404
    assert visitor(site).post(url, data=FORM | {"name": "Eve"}).status_code == 404


def test_it_is_dead_once_there_is_an_admin(site: Inside) -> None:
    """Also one made by the command."""
    site.ask(site.store.add_user("Ada", "admin"))
    assert visitor(site).get(link(site)).status_code == 404


@pytest.mark.parametrize(
    ("base", "client", "headers"),
    [
        (HERE, "192.0.2.7", {}),
        ("http://allclose.test", "127.0.0.1", {}),
        (HERE, "127.0.0.1", {"X-Forwarded-For": "192.0.2.7"}),
        (HERE, "127.0.0.1", {"X-Forwarded-Host": "allclose.test"}),
        (HERE, "127.0.0.1", {"Forwarded": "for=192.0.2.7"}),
    ],
    ids=["from elsewhere", "by another name", "through a proxy", "a proxy's host", "forwarded"],
)
def test_only_a_browser_on_this_machine_may_follow_it(
    site: Inside, base: str, client: str, headers: dict[str, str]
) -> None:
    """Neither the network, nor a proxy in front, nor a name that somebody pointed here."""
    assert visitor(site, base, client).get(link(site), headers=headers).status_code == 404


@pytest.mark.parametrize("key", ["", "x", "é", "x" * 43])
def test_another_key_opens_nothing(site: Inside, key: str) -> None:
    """Nor does none, where there is no link at all."""
    assert visitor(site).get("/set-up", params={"key": key}).status_code == 404
    site.parts.set_up.use()
    assert visitor(site).get("/set-up", params={"key": key}).status_code == 404


def test_another_site_cannot_send_the_form(site: Inside) -> None:
    """Even if it knew the key."""
    answer = visitor(site).post(link(site), data=FORM, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
