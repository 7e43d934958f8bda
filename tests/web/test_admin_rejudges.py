"""Rejudges over REST and as pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.model import Judgement, Run, Submission
from app.web.secret import new_token
from tests.web.inside import Inside, Visitor, inside

PROBLEM = "weighted_mean/plain"
API = "/api/v1/admin"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with inside(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def admin(site: Inside) -> Visitor:
    token = new_token()
    site.ask(site.store.add_user("Ada", "admin"))
    site.ask(site.store.add_token("Ada", "laptop", token, {"admin"}))
    return site.visitor({"Accept": "text/html"}, token=token)


def judgement(verdict: str, version: str) -> Judgement:
    runs = (
        Run(0, ("first",), True, "AC", 1.0, 1024, test="first"),
        Run(1, ("second",), False, verdict, 1.0, 1024, test="second"),  # type: ignore[arg-type]
    )
    score = 100.0 if verdict == "AC" else 50.0
    return Judgement(verdict, score, 100, 0, runs, version)  # type: ignore[arg-type]


def submitted(site: Inside, name: str, verdict: str) -> None:
    sent = Submission(name, PROBLEM, "def weighted_mean(): pass\n")
    site.ask(site.store.add_submission(sent, "user:1", "user:1"))
    site.ask(site.store.add_judgement(sent, judgement(verdict, "old")))


def judge(site: Inside, **verdicts: str) -> None:
    for name, verdict in verdicts.items():
        again = site.ask(site.store.unjudged_submission(name))
        assert again is not None
        site.ask(site.store.add_judgement(again, judgement(verdict, "new")))


def test_a_rejudge_over_rest(site: Inside, admin: Visitor) -> None:
    """Dry run, begin, look, release; meanwhile learners read the old verdict."""
    submitted(site, "one", "AC")
    submitted(site, "two", "WA")
    chosen = {"problem": PROBLEM, "verdicts": ["AC", "WA"], "sent_from": "2020-01-01T00:00:00Z"}
    dry = admin.post(f"{API}/rejudges", json=chosen).json()
    assert (dry["total"], dry["rejudge"]) == (2, None)
    begun = admin.post(f"{API}/rejudges?dry_run=false", json=chosen).json()
    place = f"{API}/rejudges/{begun['rejudge']}"
    assert admin.post(f"{place}/release").status_code == 422
    judge(site, one="WA", two="WA")
    found = admin.get(place).json()
    assert (found["total"], found["judged"], found["changed"]) == (2, 2, 1)
    assert found["moves"] == [
        {"before": "AC", "after": "WA", "count": 1},
        {"before": "WA", "after": "WA", "count": 1},
    ]
    assert found["tests"][0]["test"] == "second"
    (change,) = admin.get(f"{place}/changes").json()["changes"]
    assert (change["id"], change["name"]) == ("one", "Ada")
    assert change["tests"] == [{"test": "second", "before": "AC", "after": "WA"}]
    assert admin.get("/api/v1/submissions/one").json()["verdict"] == "AC"
    assert admin.post(f"{place}/release").json()["state"] == "released"
    assert admin.get("/api/v1/submissions/one").json()["verdict"] == "WA"
    assert admin.post(f"{place}/discard").status_code == 422
    assert admin.get(f"{API}/rejudges").json()["rejudges"][0]["state"] == "released"


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/rejudges", {"problem": "../etc"}, 422),
        ("POST", "/rejudges", {"problem": "a\0b"}, 422),
        ("POST", "/rejudges", {"verdicts": ["OK"]}, 422),
        ("POST", "/rejudges", {"sent_from": "yesterday"}, 422),
        ("POST", "/rejudges", {"sent_from": "2026-01-01T00:00:00"}, 422),
        ("POST", "/rejudges", {"sent_before": "0001-01-01T00:00:00+14:00"}, 200),
        ("POST", "/rejudges", {"owner": "me"}, 422),
        ("POST", "/rejudges", [], 422),
        ("POST", "/rejudges?dry_run=false", {"problem": "none/such"}, 422),
        ("GET", "/rejudges/999", None, 404),
        ("GET", "/rejudges/0", None, 422),
        ("GET", "/rejudges/999/changes", None, 404),
        ("POST", "/rejudges/999/release", None, 404),
        ("POST", "/submissions/nothing/requeue", None, 404),
        ("POST", "/submissions/a%00b/requeue", None, 422),
    ],
)
def test_what_makes_no_sense_is_refused(
    admin: Visitor, method: str, path: str, body: object, status: int
) -> None:
    """Never a fault of ours."""
    sent = {} if body is None else {"json": body}
    answer = admin.ask(method, f"{API}{path}", **sent)
    assert answer.status_code == status, answer.text


def test_nobody_else_may(site: Inside, admin: Visitor) -> None:
    """Neither guests nor learners, over REST or on pages; another site's page neither."""
    guest = site.browser()
    for path in ("/admin/rejudges", "/admin/rejudges/1", f"{API}/rejudges", f"{API}/rejudges/1"):
        assert guest.get(path).status_code == 401, path
    for path in ("/admin/rejudges", "/admin/rejudges/1/release", f"{API}/rejudges/1/release"):
        assert guest.post(path).status_code == 401, path


def test_a_rejudge_on_pages(site: Inside, admin: Visitor) -> None:
    """Choose, preview, begin, watch, look, discard: forms only."""
    submitted(site, "three", "AC")
    page = admin.get("/admin/rejudges?problem=weighted_mean&verdict=AC&from=2020-01-01&to=").text
    assert "1 submission</strong> would be judged again" in page
    form = {"problem": PROBLEM, "verdict": "AC", "from": "", "to": "", "version": ""}
    answer = admin.post("/admin/rejudges", data=form)
    assert answer.status_code == 303, answer.text
    place = answer.headers["location"]
    page = admin.get(place).text
    assert "Being judged" in page
    assert 'http-equiv="refresh"' in page
    refused = admin.post(f"{place}/release")
    assert refused.status_code == 422
    assert "not judged yet" in refused.text
    judge(site, three="RTE")
    page = admin.get(place).text
    assert "Finished" in page
    for words in ("Run-Time Error", "second", "AC → RTE", "Ada", "old</code> → <code>new"):
        assert words in page, words
    assert admin.post(f"{place}/discard").status_code == 303
    assert "Discarded" in admin.get(place).text
    refused = admin.post("/admin/rejudges", data=form | {"from": "9999-12-31"})
    assert refused.status_code == 422
    assert "too far away" in refused.text


def test_one_submission_is_requeued(site: Inside, admin: Visitor) -> None:
    """It keeps its verdict until it has another, and is in the queue at once."""
    submitted(site, "four", "AC")
    assert admin.post(f"{API}/submissions/four/requeue").status_code == 202
    assert admin.get("/api/v1/submissions/four").json()["verdict"] == "AC"
    judge(site, four="WA")
    assert admin.get("/api/v1/submissions/four").json()["verdict"] == "WA"
    assert admin.post("/admin/submissions/four/requeue").status_code == 303
    assert admin.post(f"{API}/judging-errors/requeue").json() == {"submissions": 0}
