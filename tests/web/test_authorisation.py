"""Every route, asked by everybody: generated from the program's own list of routes.

Who may do what stands in authorisation.yaml, one line a route.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi.routing import iter_route_contexts

from app.model import Submission
from app.problem.archive import Package, content_hash, folder_package
from app.web.app import create_app
from app.web.rates import Rates
from tests.store.examples import judgement
from tests.web.inside import CHEAP, OWN_PAGE, Inside, Visitor, inside
from tests.web.started import BASE, PROBLEM

FILE = Path(__file__).with_name("authorisation.yaml")
TABLE = yaml.safe_load(FILE.read_text(encoding="utf-8"))
ASKERS: list[str] = TABLE["askers"]
RULES: dict[str, list[Any]] = TABLE["rules"]
ROUTES: dict[str, Any] = TABLE["routes"]
PASSWORD = "correct horse battery"
HASHED = CHEAP.hash(PASSWORD)
FAMILY, VARIANT = PROBLEM.split("/")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """One in which nobody is refused for asking too often."""

    class NoRates(Rates):
        def take(self, *_: object) -> None:
            return

    with inside(tmp_path_factory.mktemp("data"), rates=NoRates()) as running:
        yield running


def test_every_route_says_who_may_use_it(site: Inside) -> None:
    """A new route fails here until its line is written; a line without a route as well."""
    found = {
        f"{method} {context.path}"
        for context in iter_route_contexts(create_app(site.parts).routes)
        for method in (context.methods or {"GET"}) - {"HEAD"}
    }
    missing = sorted(found - set(ROUTES))
    assert not missing, (
        f"{', '.join(missing)}: say who may use it. Add a line to {FILE.name}, `METHOD /path: RULE`; "
        f"the rules are {', '.join(RULES)}, and the head of the file explains them."
    )
    gone = sorted(set(ROUTES) - found)
    assert not gone, f"{', '.join(gone)}: there is no such route; remove its line from {FILE.name}."


def test_every_rule_says_something_of_everybody() -> None:
    """A rule that leaves somebody out would not be tested for them."""
    for name, answers in RULES.items():
        assert len(answers) == len(ASKERS), name
        assert set(answers) <= {True, "in", 401, 403, 404}, name


@pytest.mark.parametrize("route", ROUTES)
def test_a_route_is_open_to_those_it_says_and_to_nobody_else(site: Inside, route: str) -> None:
    """Each asks in a session of their own, so that no answer depends on the one before."""
    entry: Mapping[str, Any] = (
        {"rule": ROUTES[route]} if isinstance(ROUTES[route], str) else ROUTES[route]
    )
    wrong = []
    for asker, expected in zip(ASKERS, RULES[entry["rule"]], strict=True):
        status = _status(site, route, entry, asker)
        if not _as_expected(status, expected, entry.get("also")):
            wrong.append(f"{asker}: {status} instead of {expected}")
    assert not wrong, f"{route}: {'; '.join(wrong)}"


ACTING = [route for route in ROUTES if route.split(" ")[0] not in ("GET", "HEAD")]


@pytest.mark.parametrize("route", ACTING)
def test_no_route_acts_for_another_sites_page(site: Inside, route: str) -> None:
    """Whoever is signed in, and whatever the browser tells of where the page came from."""
    session = secrets.token_urlsafe(32)
    site.ask(site.store.add_session(_user(site, "admin"), session))
    method, path = route.split(" ")
    path = path.replace("{family}", FAMILY).replace("{variant}", VARIANT).replace("{number}", "1")
    for told in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
    ):
        visitor = site.visitor(told)
        visitor.cookies.set("allclose", session, "allclose.test")
        answer = visitor.ask(method, path, json={})
        assert answer.status_code in (403, 404), (told, answer.status_code)
        assert answer.status_code == 403 or path.startswith("/set-up"), (told, answer.text)


def _as_expected(status: int, expected: object, also: int | None) -> bool:
    if status == also:
        return True
    if expected is True:
        return status < 500 and status not in (401, 403, 404, 405, 429)
    if expected == "in":
        return status < 500 and status not in (401, 403, 405, 429)
    return status == expected


def _status(site: Inside, route: str, entry: Mapping[str, Any], asker: str) -> int:
    method, path = route.split(" ")
    learner = _user(site, "learner")
    visitor, name = _asking(site, asker, learner, "/admin" in path or path == "/metrics")
    own = _package(site) if entry.get("of") == "package" else None
    for place, value in (
        ("{family}", own.family if own else FAMILY),
        ("{hash}", own and content_hash(own.packed())),
        ("{version}", "none"),
        ("{format}", "json"),
        ("{variant}", VARIANT),
        ("{name}", "none.js"),
        ("{submission_id}", entry.get("of") and not own and _thing(site, entry["of"], learner)),
        ("{id}", entry.get("of") and not own and _thing(site, entry["of"], learner)),
        ("{number}", entry.get("of") and not own and _thing(site, entry["of"], learner)),
    ):
        path = path.replace(place, str(value))
    assert "{" not in path, f"{route}: say in {FILE.name} and here what stands for {path}"
    sent: dict[str, Any] = {}
    if "form" in entry:
        words = {"NAME": name, "PASSWORD": PASSWORD}
        words["HASH"] = content_hash(own.packed()) if own else ""
        sent["data"] = {key: words.get(word, word) for key, word in entry["form"].items()}
    elif path.startswith("/api/") and method in ("POST", "PUT", "PATCH"):
        sent["json"] = entry.get("json", {})
    return visitor.ask(method, path, **sent).status_code


def _asking(site: Inside, asker: str, learner: int, admin_route: bool) -> tuple[Visitor, str]:
    """Somebody who asks, and the name of an account that is there."""
    if asker in ("anonymous", "guest"):
        visitor = site.browser() if asker == "guest" else site.visitor({"Accept": "text/html"})
        if asker == "guest":
            visitor.cookies.set("allclose-guest", secrets.token_urlsafe(32), "allclose.test")
        return visitor, _name(site, learner)
    if asker in ("revoked", "wrong_scope"):
        token = secrets.token_urlsafe(8)
        scope = "submit" if admin_route and asker == "wrong_scope" else "read"
        user = _user(site, "admin")
        name = _name(site, user)
        site.ask(site.store.add_token(name, token, token, {scope}))
        if asker == "revoked":
            site.ask(site.store.revoke_tokens(name, token))
        return site.visitor(OWN_PAGE, token=token), name
    user = _user(site, asker)
    session = secrets.token_urlsafe(32)
    site.ask(site.store.add_session(user, session))
    visitor = site.browser()
    visitor.cookies.set("allclose", session, "allclose.test")
    return visitor, _name(site, user)


def _user(site: Inside, asker: str) -> int:
    """The account of this kind of asker; another one where a route deleted it."""
    if (account := site.ask(site.store.account_named(asker))) is None:
        role = asker.removeprefix("other_")
        site.ask(site.store.add_user(asker, role, HASHED))
        account = site.ask(site.store.account_named(asker))
    assert account is not None
    return account.number


def _name(site: Inside, user: int) -> str:
    return site.ask(site.store.account(user)).name


def _package(site: Inside) -> Package:
    """One that the author has uploaded."""
    found = Package("own_mean", folder_package(BASE, FAMILY).files)
    archive, owner = found.packed(), f"user:{_user(site, 'author')}"
    key = content_hash(archive)
    new = site.store.add_package(
        found.family, key, archive, owner=owner, author="author", own_only=False
    )
    site.ask(new)
    return found


def _thing(site: Inside, kind: str, user: int) -> str:
    """Something that this user owns."""
    if kind == "token":
        token = secrets.token_urlsafe(8)
        site.ask(site.store.add_token(_name(site, user), token, token, {"read"}))
        return str(site.ask(site.store.tokens_of(user))[-1].number)
    assert kind == "submission"
    submission = Submission(secrets.token_urlsafe(16), PROBLEM, "def f(): pass\n")
    site.ask(site.store.add_submission(submission, f"user:{user}", f"user:{user}"))
    site.ask(site.store.add_judgement(submission, judgement()))
    return submission.id
