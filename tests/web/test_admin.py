"""Uploading test cases: examined first, then applied; by admins only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.store import open_store
from app.web.secret import new_token
from tests.web.started import BASE, PROBLEM, RIGHT, Site, started

FAMILY = "/admin/problems/weighted_mean/tests"


def case(
    name: str = "two_heavy", values: object = (2.0, 4.0), **changed: object
) -> dict[str, object]:
    arguments = {"values": values, "weights": [3.0, 1.0]}
    return {"name": name, "labels": ["unequal weights"], "arguments": arguments, **changed}


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {name: new_token() for name in ("admin", "learner", "reader", "revoked", "unknown")}


@pytest.fixture
def admin_site(tmp_path: Path, tokens: dict[str, str]) -> Iterator[Site]:
    asyncio.run(_people(tmp_path / "allclose.sqlite3", tokens))
    with started(tmp_path, BASE) as site:
        yield site


async def _people(database: Path, tokens: dict[str, str]) -> None:
    """An admin with several tokens, and a learner with one that claims too much."""
    store = open_store(database)
    await store.add_user("Ada", "admin")
    await store.add_user("Bob", "learner")
    await store.add_token("Ada", "laptop", tokens["admin"], {"admin"})
    await store.add_token("Ada", "script", tokens["reader"], {"read"})
    await store.add_token("Ada", "lost", tokens["revoked"], {"admin"})
    await store.add_token("Bob", "laptop", tokens["learner"], {"admin"})
    await store.revoke_tokens("Ada", "lost")
    await store.close()


def client(site: Site, token: str | None) -> httpx.Client:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"{site.url}/api/v1", headers=headers, timeout=60)


def test_only_an_admin_may_upload(admin_site: Site, tokens: dict[str, str]) -> None:
    """401 without a token that counts, 403 with one that may not; the body is not even read."""
    cases = [(None, 401), ("unknown", 401), ("revoked", 401), ("learner", 403), ("reader", 403)]
    for name, status in cases:
        with client(admin_site, name and tokens[name]) as anybody:
            for dry_run in ("true", "false"):
                answer = anybody.post(f"{FAMILY}?dry_run={dry_run}", content=b"not read")
                assert answer.status_code == status, (name, answer.text)
                assert answer.headers["content-type"] == "application/problem+json"
                assert ("www-authenticate" in answer.headers) == (status == 401)
    assert all(token not in admin_site.log.read_text() for token in tokens.values())


def test_a_dry_run_shows_the_answers_and_changes_nothing(
    admin_site: Site, tokens: dict[str, str]
) -> None:
    """The core's answer in each variant's form; what is refused, and why."""
    with client(admin_site, tokens["admin"]) as admin:
        before = admin.get(f"/problems/{PROBLEM}").json()
        tests = [case(), case("no_label", labels=[]), case("bad_domain", weights_typo=1)]
        found = admin.post(FAMILY, json={"tests": tests}).json()
        assert (found["applied"], found["version"]) == (False, None)
        good, *bad = found["tests"]
        assert good["accepted"]
        answers = {fit["variant"]: fit["typed_answer"] for fit in good["variants"]}
        assert answers["plain"] == 2.5
        assert [(test["accepted"], bool(test["refusals"])) for test in bad] == [(False, True)] * 2
        assert admin.get(f"/problems/{PROBLEM}").json() == before


def test_applied_tests_are_judged_from_now_on(admin_site: Site, tokens: dict[str, str]) -> None:
    """By the running process, under a new version; and by the next process as well."""
    with client(admin_site, tokens["admin"]) as admin:
        before = admin.get(f"/problems/{PROBLEM}").json()
        answer = admin.post(f"{FAMILY}?dry_run=false", json={"tests": [case()]})
        assert answer.status_code == 200, answer.text
        assert answer.json()["applied"]
        after = admin.get(f"/problems/{PROBLEM}").json()
        assert after["secret_tests"] == before["secret_tests"] + 1
        assert after["package_version"] != before["package_version"]
        sent = {"problem": PROBLEM, "source": RIGHT}
        found = admin.post("/submissions?wait=30", json=sent).json()
        assert (found["verdict"], len(found["runs"])) == ("AC", 12)
        assert found["package_version"] == after["package_version"]
        again = admin.post(f"{FAMILY}?dry_run=false", json={"tests": [case()]})
        assert again.status_code == 422
        assert "already" in again.text
    assert admin_site.stop() == 0
    with started(admin_site.data, BASE) as next_site, client(next_site, None) as anybody:
        assert anybody.get(f"/problems/{PROBLEM}").json() == after


def test_an_upload_is_applied_whole_or_not_at_all(admin_site: Site, tokens: dict[str, str]) -> None:
    """One refused test refuses them all, with the place of each fault."""
    with client(admin_site, tokens["admin"]) as admin:
        before = admin.get(f"/problems/{PROBLEM}").json()
        tests = [case("good"), case("bad", values=["text", 1.0])]
        answer = admin.post(f"{FAMILY}?dry_run=false", json={"tests": tests})
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["where"].startswith("tests[1].arguments")
        assert admin.get(f"/problems/{PROBLEM}").json() == before


UPLOADS: dict[str, tuple[bytes, int]] = {
    "not JSON": (b"[", 400),
    "a key twice": (b'{"tests": [], "tests": []}', 400),
    "NaN": (b'{"tests": [NaN]}', 400),
    "beyond float": (b'{"tests": [1e308, 1e309]}', 400),
    "a list": (b"[]", 422),
    "null": (b"null", 422),
    "no tests": (b'{"tests": []}', 422),
    "tests that are a number": (b'{"tests": 7}', 422),
    "half a surrogate pair": (b'{"tests": [{"name": "\\ud800"}]}', 422),
    "17 MiB": (b" " * (17 * 1024 * 1024), 413),
}


def test_a_bad_upload_is_refused(admin_site: Site, tokens: dict[str, str]) -> None:
    """The same shape as everywhere; never a fault of ours."""
    with client(admin_site, tokens["admin"]) as admin:
        for name, (content, status) in UPLOADS.items():
            headers = {"Content-Type": "application/json"}
            answer = admin.post(FAMILY, content=content, headers=headers)
            assert answer.status_code == status, (name, answer.text[:300])
            refusal: dict[str, Any] = json.loads(answer.content)
            assert set(refusal) == {"type", "title", "status", "detail", "errors"}
        assert admin.post("/admin/problems/none/tests", json={"tests": [case()]}).status_code == 404
        odds: list[object] = [{"name": 7}, [], None, "x", {"labels": [7], "arguments": []}]
        for odd in odds:
            answer = admin.post(FAMILY, json={"tests": [odd]})
            assert answer.status_code == 200, answer.text
            assert answer.json()["tests"][0]["refusals"]
    assert '"level": "error"' not in admin_site.log.read_text()
