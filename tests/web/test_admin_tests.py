"""Uploading test cases: examined first, then applied; by admins, and by authors to what is theirs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.web.secret import new_token
from tests.web.inside import Inside, Visitor, inside
from tests.web.started import BASE, PROBLEM, RIGHT, started

FAMILY = "/api/v1/admin/problems/weighted_mean/tests"
TOKENS = {name: new_token() for name in ("admin", "author", "learner", "reader", "revoked")}


def case(
    name: str = "two_heavy", values: object = (2.0, 4.0), **changed: object
) -> dict[str, object]:
    arguments = {"values": values, "weights": [3.0, 1.0]}
    return {"name": name, "labels": ["unequal weights"], "arguments": arguments, **changed}


async def people(site: Inside) -> None:
    """An admin with several tokens, an author without a package, a learner who claims too much."""
    for name, role in (("Ada", "admin"), ("Cyd", "author"), ("Bob", "learner")):
        await site.store.add_user(name, role)
    await site.store.add_token("Ada", "laptop", TOKENS["admin"], {"admin"})
    await site.store.add_token("Ada", "script", TOKENS["reader"], {"read"})
    await site.store.add_token("Ada", "lost", TOKENS["revoked"], {"admin"})
    await site.store.add_token("Cyd", "laptop", TOKENS["author"], {"admin"})
    await site.store.add_token("Bob", "laptop", TOKENS["learner"], {"admin"})
    await site.store.revoke_tokens("Ada", "lost")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """For tests that leave nothing behind."""
    with inside(tmp_path_factory.mktemp("site")) as running:
        running.ask(people(running))
        yield running


@pytest.fixture(scope="module")
def admin(site: Inside) -> Visitor:
    return site.visitor(token=TOKENS["admin"])


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[Visitor]:
    """An admin of a site of one's own."""
    with inside(tmp_path) as running:
        running.ask(people(running))
        yield running.visitor(token=TOKENS["admin"])


def sent(visitor: Visitor, *tests: object, query: str = "mutants=false") -> httpx.Response:
    return visitor.post(f"{FAMILY}?{query}", json={"tests": list(tests)})


def test_only_who_may_change_the_family_may_upload(site: Inside) -> None:
    """401 without a token that counts, 403 with one that may not; the body is not even read."""
    statuses = {"revoked": 401, "learner": 403, "reader": 403, "author": 403}
    for name, status in statuses.items():
        for path in (f"{FAMILY}?dry_run=true", f"{FAMILY}?dry_run=false", f"{FAMILY}/apply"):
            answer = site.visitor(token=TOKENS[name]).post(path, content=b"not read")
            assert answer.status_code == status, (name, answer.text)
            assert answer.headers["content-type"] == "application/problem+json"
    assert site.visitor().post(FAMILY, content=b"not read").status_code == 401


def test_a_dry_run_shows_everything_and_changes_nothing(admin: Visitor) -> None:
    """The core's answer in each variant's form; what is refused, and why, all of it."""
    before = admin.get(f"/api/v1/problems/{PROBLEM}").json()
    tests = [
        case(),
        case("No Label", labels=[]),
        case("bad_domain", ["x", 1.0], expected={"mode": 1}),
    ]
    found = sent(admin, *tests).json()
    assert (found["applied"], found["version"], found["examined"]) == (False, None, None)
    good, unnamed, bad = found["tests"]
    assert good["accepted"]
    assert good["inputs"] == {"values": "[2.0, 4.0]", "weights": "[3.0, 1.0]"}
    assert good["outputs"] == [{"mean": "2.5", "total": "4.0", "parameters": "offset = 0.0"}]
    assert {fit["variant"]: fit["typed_answer"] for fit in good["variants"]}["plain"] == 2.5
    assert [r["where"] for r in unnamed["refusals"]] == [
        "tests[1].name",
        "tests[1].labels",
        "tests[1].arguments",
    ]
    assert [r["where"] for r in bad["refusals"]] == [
        "tests[2].arguments.values[0]",
        "tests[2].expected.mode",
    ]
    assert admin.get(f"/api/v1/problems/{PROBLEM}").json() == before
    assert admin.get(FAMILY).json() == {"family": "weighted_mean", "tests": [], "versions": []}


def test_claims_are_checked_against_the_core(admin: Visitor) -> None:
    """Right ones pass, in the core's form and in a variant's; wrong ones are refused in numbers."""
    right = case("right", expected={"mean": 2.5}, answers={"plain": 2.5})
    wrong = case("wrong", [2.0, 5.0], expected={"mean": 2.5, "total": 4}, answers={"plain": [1]})
    found = sent(admin, right, wrong).json()["tests"]
    assert found[0]["accepted"], found[0]
    told = {refusal["where"]: refusal["message"] for refusal in found[1]["refusals"]}
    assert told["tests[1].expected.mean"] == (
        "2.5 is given, the core says 2.75; off by 0.25, 2.75e-09 is allowed"
    )
    assert "tests[1].answers.plain" in told
    assert "tests[1].expected.total" not in told


@pytest.mark.slow
def test_a_dry_run_says_what_a_test_is_good_for(admin: Visitor) -> None:
    """Which mistakes it catches, that accepted programs pass it, and what room they have."""
    [found] = sent(admin, case(), query="mutants=true").json()["tests"]
    worth = {fit["variant"]: fit["worth"] for fit in found["variants"]}["plain"]
    assert len(worth["mistakes"]) >= 2
    assert worth["failed"] == []
    assert worth["mutants"] == []
    assert 0 <= worth["error_share"] < 0.1
    assert worth["time_share"] > 0


def test_exactly_what_was_examined_is_applied(changing: Visitor) -> None:
    """By its token, once; a dry run from before a change is refused with an explanation."""
    first, second = (
        sent(changing, case(name, [2.0, n])).json() for name, n in (("a", 4), ("b", 5))
    )
    applied = changing.post(f"{FAMILY}/apply", json={"examined": first["examined"]})
    assert applied.status_code == 200, applied.text
    for stale in (first, second):
        late = changing.post(f"{FAMILY}/apply", json={"examined": stale["examined"]})
        assert late.status_code == 409
        assert "changed meanwhile" in late.json()["detail"]
    assert [test["name"] for test in changing.get(FAMILY).json()["tests"]] == ["a"]
    unknown = changing.post(f"{FAMILY}/apply", json={"examined": "unknown"})
    assert unknown.status_code == 404


def test_tests_are_retired_and_versions_gone_back_to(changing: Visitor) -> None:
    """Each step is a new version; none is lost, and what is judged with follows at once."""

    def secret() -> int:
        shown: int = changing.get(f"/api/v1/problems/{PROBLEM}").json()["secret_tests"]
        return shown

    bare = secret()
    both = sent(changing, case("a"), case("b", [2.0, 5.0]), query="dry_run=false").json()
    assert secret() == bare + 2
    one = changing.ask("DELETE", f"{FAMILY}/a").json()
    assert secret() == bare + 1
    none = changing.post(f"{FAMILY}/versions/none/restore").json()
    assert secret() == bare
    back = changing.post(f"{FAMILY}/versions/{both['version']}/restore").json()
    assert back["version"] == both["version"]
    assert secret() == bare + 2
    found = changing.get(FAMILY).json()
    versions = [both["version"], none["version"], one["version"], both["version"]]
    assert [one["version"] for one in found["versions"]] == versions
    assert [one["change"] for one in found["versions"]][1:] == [
        "went back to none",
        "retired a",
        "added a, b",
    ]
    assert changing.ask("DELETE", f"{FAMILY}/equal").status_code == 404
    assert changing.post(f"{FAMILY}/versions/unknown/restore").status_code == 404


def test_applied_tests_are_judged_from_now_on(tmp_path: Path) -> None:
    """By the running process, under a new version; and by the next process as well."""
    with inside(tmp_path) as running:
        running.ask(people(running))
    headers = {"Authorization": f"Bearer {TOKENS['admin']}"}
    with started(tmp_path, BASE) as site:
        with httpx.Client(base_url=site.url, headers=headers, timeout=60) as admin:
            before = admin.get(f"/api/v1/problems/{PROBLEM}").json()
            answer = admin.post(f"{FAMILY}?dry_run=false", json={"tests": [case()]})
            assert answer.status_code == 200, answer.text
            assert answer.json()["applied"]
            after = admin.get(f"/api/v1/problems/{PROBLEM}").json()
            assert after["secret_tests"] == before["secret_tests"] + 1
            assert after["package_version"] != before["package_version"]
            program = {"problem": PROBLEM, "source": RIGHT}
            found = admin.post("/api/v1/submissions?wait=30", json=program).json()
            assert (found["verdict"], len(found["runs"])) == ("AC", 12)
            assert found["package_version"] == after["package_version"]
            again = admin.post(f"{FAMILY}?dry_run=false", json={"tests": [case()]})
            assert again.status_code == 422
            assert "already" in again.text
        assert site.stop() == 0
        assert TOKENS["admin"] not in site.log.read_text()
    with inside(tmp_path) as next_site:
        tests = next_site.visitor(token=TOKENS["admin"]).get(FAMILY).json()["tests"]
        assert [test["name"] for test in tests] == ["two_heavy"]
        assert next_site.visitor().get(f"/api/v1/problems/{PROBLEM}").json() == after


def test_an_upload_is_applied_whole_or_not_at_all(admin: Visitor) -> None:
    """One refused test refuses them all, with the place of each fault."""
    before = admin.get(f"/api/v1/problems/{PROBLEM}").json()
    answer = sent(admin, case("good"), case("bad", ["text", 1.0]), query="dry_run=false")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"].startswith("tests[1].arguments")
    assert admin.get(f"/api/v1/problems/{PROBLEM}").json() == before


UPLOADS: dict[str, tuple[str, bytes, int]] = {
    "not JSON": ("application/json", b"[", 400),
    "a key twice": ("application/json", b'{"tests": [], "tests": []}', 400),
    "NaN": ("application/json", b'{"tests": [NaN]}', 400),
    "beyond float": ("application/json", b'{"tests": [1e308, 1e309]}', 400),
    "a list": ("application/json", b"[]", 422),
    "null": ("application/json", b"null", 422),
    "no tests": ("application/json", b'{"tests": []}', 422),
    "tests that are a number": ("application/json", b'{"tests": 7}', 422),
    "half a surrogate pair": ("application/json", b'{"tests": [{"name": "\\ud800"}]}', 422),
    "17 MiB": ("application/json", b" " * (17 * 1024 * 1024), 413),
    "nothing": ("text/csv", b"", 400),
    "a picture": ("image/png", b"x", 415),
    "CSV in Latin 1": ("text/csv; charset=iso-8859-1", b"x", 415),
    "CSV without a name": ("text/csv", b"labels\na\n", 422),
    "no array": ("application/x-npz", b"PK", 422),
    "no lines": ("application/x-ndjson", b"\n\n", 422),
}


def test_a_bad_upload_is_refused(admin: Visitor) -> None:
    """The same shape as everywhere; never a fault of ours, and nothing is stored."""
    for name, (kind, content, status) in UPLOADS.items():
        answer = admin.post(FAMILY, content=content, headers={"Content-Type": kind})
        assert answer.status_code == status, (name, answer.text[:300])
        refusal: dict[str, Any] = json.loads(answer.content)
        assert set(refusal) == {"type", "title", "status", "detail", "errors"}
    missing = admin.post("/api/v1/admin/problems/none/tests", json={"tests": [case()]})
    assert missing.status_code == 404
    odds: list[object] = [{"name": 7}, [], None, "x", {"labels": [7], "arguments": []}]
    for odd in odds:
        answer = sent(admin, odd)
        assert answer.status_code == 200, answer.text
        assert answer.json()["tests"][0]["refusals"]
    assert admin.get(FAMILY).json()["versions"] == []


def test_each_line_of_json_lines_is_told_by_itself(admin: Visitor) -> None:
    """A line that cannot be read takes no other along, and has its number."""
    lines = [json.dumps(case()), '{"name": 1, "name": 2}', "", '{"x": 1e999}', "[" * 5000]
    headers = {"Content-Type": "application/x-ndjson"}
    answer = admin.post(f"{FAMILY}?mutants=false", content="\n".join(lines), headers=headers)
    found = answer.json()["tests"]
    assert [(t["place"], t["accepted"]) for t in found] == [
        ("line 1", True),
        ("line 2", False),
        ("line 4", False),
        ("line 5", False),
    ]
    assert "the key 'name' is given twice" in found[1]["refusals"][0]["message"]


def test_an_example_file_of_each_format_can_be_sent_back(admin: Visitor) -> None:
    """They differ from the package's tests in their names alone, and that is all that is said."""
    for kind in ("json", "jsonl", "csv", "npz"):
        file = admin.get(f"{FAMILY}/examples/{kind}")
        assert f'filename="weighted_mean-tests.{kind}"' in file.headers["content-disposition"]
        headers = {"Content-Type": file.headers["content-type"]}
        answer = admin.post(f"{FAMILY}?mutants=false", content=file.content, headers=headers)
        assert answer.status_code == 200, (kind, answer.text)
        for test in answer.json()["tests"]:
            told = [refusal["message"] for refusal in test["refusals"]]
            assert all("has the same inputs" in one for one in told), (kind, told)
            assert bool(told) == (kind != "npz"), (kind, told)  # lists come as arrays there
    assert admin.get(f"{FAMILY}/examples/xls").status_code == 422
