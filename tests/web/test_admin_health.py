"""Health, pausing, and the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.store import WorkerState
from app.store.submissions import now_ms
from tests.store.examples import judgement, submission
from tests.web.administrated import API, Administrated, administrated

PROBLEM = "weighted_mean/plain"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Administrated]:
    with administrated(tmp_path_factory.mktemp("data")) as running:
        yield running


def heard(there: Administrated, name: str = "one", **changed: Any) -> None:
    state = {"unfit": "", "kept_out": {}, "seen_ms": now_ms(), **changed}
    there.site.ask(
        there.site.store.report_worker(
            WorkerState(name, "1", "A", "cgroup", since_ms=0, places=2, busy=1, **state)
        )
    )


def test_trouble_is_told_where_an_admin_looks_first(there: Administrated) -> None:
    """No worker, one that is lost, one that is unfit, a variant that is kept out, judging errors."""
    store, ask = there.site.store, there.site.ask
    assert "No worker takes work" in there.admin.get("/admin").text
    heard(there)
    assert "All is well" in there.admin.get("/admin").text
    heard(there, "lost", seen_ms=now_ms() - 60_000)
    heard(there, "unfit", unfit="no boxes", kept_out={"family/broken": "no program"})
    ask(store.add_submission(submission("failed"), "guest:1"))
    ask(store.add_judgement(submission("failed"), judgement("JE"), "a box <failed>"))
    for page in ("/admin", "/admin/health"):
        text = there.admin.get(page).text
        for words in ("worker lost", "no boxes", "family/broken", "1 judging error within"):
            assert words in text, (page, words)
    assert "a box &lt;failed&gt;" in there.admin.get("/admin/health").text
    found = there.admin.get(f"{API}/health").json()
    assert [worker["state"] for worker in found["workers"]] == ["lost", "working", "unfit"]
    assert found["judging_errors"][0]["cause"] == "a box <failed>"
    assert found["disk"]["database_bytes"] > 0
    assert found["versions"]["database"].startswith("SQLite 3")
    notes = there.site.browser().get("/readyz").json()["notes"]
    assert notes == {"family/broken": "cannot be judged; kept out"}
    assert there.admin.post("/admin/judging-errors/requeue").status_code == 303
    assert there.admin.get(f"{API}/health").json()["queue"]["submissions"] == 1


def test_what_verification_beside_the_service_finds_is_told_with_its_reason(tmp_path: Path) -> None:
    """To admins in full; whoever may ask whether the service is ready gets the name alone."""
    found: dict[str, list[str]] = {}
    with administrated(tmp_path, broken_promises=lambda: found) as there:
        heard(there)
        assert there.site.browser().get("/readyz").json()["notes"] == {}
        assert there.admin.get(f"{API}/health").json()["refused"] == []
        assert "All is well" in there.admin.get("/admin/health").text
        found["weighted_mean"] = ["weighted_mean/plain: mutants: line 3 <is> not noticed"]
        ready = there.site.browser().get("/readyz")
        assert ready.status_code == 200
        note = "weighted_mean: refused by verification; see /admin/health"
        assert ready.json()["notes"] == {"packages": note}
        assert there.admin.get(f"{API}/health").json()["refused"] == found["weighted_mean"]
        for page in ("/admin", "/admin/health"):
            text = there.admin.get(page).text
            assert "weighted_mean/plain: mutants: line 3 &lt;is&gt; not noticed" in text
            assert "All is well" not in text


def test_a_pause_is_told_on_every_page(there: Administrated) -> None:
    """With its reason; submissions are taken meanwhile. Resumed, nothing is said any more."""
    learner, why = there.site.browser(), {"why": "moving <disks>"}
    for at, sent in (("/admin", {"data": why}), (API, {"json": why})):
        assert there.admin.post(f"{at}/pause", **sent).status_code in (200, 303)
        for path in ("/", f"/problems/{PROBLEM}"):
            assert "Judging is paused: moving &lt;disks&gt;" in learner.get(path).text, path
        assert learner.get("/readyz").json()["notes"]["paused"]
        program = {"problem": PROBLEM, "source": "def weighted_mean(): pass\n"}
        assert learner.post("/api/v1/submissions", json=program).status_code == 202
        assert there.admin.post(f"{at}/resume").status_code in (204, 303)
        assert "Judging is paused" not in learner.get("/").text
    assert there.admin.post(f"{API}/pause", json={"why": "a\0b"}).status_code == 422
    assert there.admin.post("/admin/pause", data={"why": "x" * 1000}).status_code == 422


def test_the_audit_log_is_searched(there: Administrated) -> None:
    """Who, what and about what; what people wrote is shown as text."""
    there.site.ask(there.site.store.add_user("<b>Eve</b>", "learner"))
    page = there.admin.get("/admin/audit?action=add+user&subject=Eve").text
    assert "&lt;b&gt;Eve&lt;/b&gt;" in page
    assert "<b>Eve" not in page
    lines = there.admin.get(f"{API}/audit?action=pause+judging").json()["lines"]
    assert {(line["who"], line["details"]["why"]) for line in lines} == {("Ada", "moving <disks>")}
    oldest = there.admin.get(f"{API}/audit").json()["lines"][-1]
    assert there.admin.get(f"{API}/audit?before={oldest['number']}").json()["lines"] == []
    assert there.admin.get(f"{API}/audit?who=Nobody").json() == {"lines": [], "next": None}
    assert there.admin.get(f"{API}/audit?who=a%00b").status_code == 422


def test_only_an_admin_sees_the_admin_area(there: Administrated) -> None:
    """Everybody else gets a page that says why not."""
    guest = there.site.browser()
    for path in ("/admin", "/admin/health", "/admin/users", "/admin/audit", f"{API}/health"):
        assert guest.get(path).status_code == 401, path
    assert 'aria-current="page">Overview' in there.admin.get("/admin").text


def test_only_admins_are_told_of_the_tier_on_a_problem(tmp_path: Path) -> None:
    """What boxes can do here is theirs to know; learners have a problem to solve."""
    with administrated(tmp_path) as here:
        assert "Sandbox tier " in here.admin.get(f"/problems/{PROBLEM}").text
        assert "Sandbox tier" not in here.site.browser().get(f"/problems/{PROBLEM}").text
