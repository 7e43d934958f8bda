"""One's own work over REST: attempts, progress, what is shown of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from app.model import Judgement, Run
from tests.web.inside import Inside, Visitor, inside
from tests.web.started import PROBLEM, RIGHT

OTHER = "weighted_mean/report"
API = "/api/v1"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with inside(tmp_path_factory.mktemp("work")) as running:
        yield running


_numbers = itertools.count(1)


def named(site: Inside, name: str) -> Visitor:
    """A learner of this name, with a token."""
    token = f"token-{next(_numbers)}"
    site.ask(site.store.add_user(name, "learner"))
    site.ask(site.store.add_token(name, "test", token, {"submit"}))
    return site.visitor(token=token)


def somebody(site: Inside) -> Visitor:
    """A learner with a token."""
    return named(site, f"learner{next(_numbers)}")


def sent(visitor: Visitor, problem: str = PROBLEM) -> str:
    answer = visitor.post(f"{API}/submissions", json={"problem": problem, "source": RIGHT})
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def judged(
    site: Inside, visitor: Visitor, verdict: str = "AC", version: str = "", **costs: Any
) -> str:
    """A submission with the verdict that a worker would give it."""
    submission_id = sent(visitor)
    version = version or site.parts.catalogue.get(PROBLEM).version
    run = Run(0, (), True, verdict, costs.get("time_ms", 12.0), costs.get("kib", 2048))  # type: ignore[arg-type]
    judgement = Judgement(verdict, 100.0 if verdict == "AC" else 0.0, 100, 0, (run,), version)  # type: ignore[arg-type]
    submission = site.ask(site.store.unjudged_submission(submission_id))
    assert submission is not None
    assert site.ask(site.store.add_judgement(submission, judgement))
    return submission_id


def test_own_submissions_are_listed_to_guests_and_users(site: Inside) -> None:
    """Newest first, page by page, of one problem or of all; with nobody else's among them."""
    for me in (site.browser(), somebody(site)):
        ids = [sent(me), judged(site, me, "WA"), sent(me, OTHER)]
        found = me.get(f"{API}/submissions").json()
        assert [each["id"] for each in found["submissions"]] == ids[::-1]
        assert found["cursor"] is None
        first = me.get(f"{API}/submissions?limit=1&problem={PROBLEM}").json()
        assert (
            first["submissions"][0] | {"verdict": "WA", "time_ms": 12.0} == first["submissions"][0]
        )
        rest = me.get(f"{API}/submissions?problem={PROBLEM}&cursor={first['cursor']}").json()
        assert [(each["id"], each["state"]) for each in rest["submissions"]] == [(ids[0], "queued")]
    assert site.browser().get(f"{API}/submissions").json() == {"submissions": [], "cursor": None}


def test_the_program_of_an_attempt_can_be_read_again(site: Inside) -> None:
    """To compare it, and to go on from it."""
    me = site.browser()
    assert me.get(f"{API}/submissions/{sent(me)}/source").json() == {"source": RIGHT}
    assert me.get(f"{API}/submissions/unknown/source").status_code == 404


@pytest.mark.parametrize(
    "query",
    ["cursor=x", "cursor=0", "cursor=-1", "cursor=٣", "limit=0", "limit=101", "problem=a%00b"],
)
def test_a_question_that_makes_no_sense_is_refused(site: Inside, query: str) -> None:
    """In words, before the database is asked."""
    assert site.browser().get(f"{API}/submissions?{query}").status_code == 422


def test_progress_counts_what_was_done(site: Inside) -> None:
    """Attempts, what is solved on which version, family, today's activity, and what comes next."""
    me = somebody(site)
    empty = me.get(f"{API}/progress").json()
    assert (empty["problems"], empty["solved"], empty["streak_days"]) == ([], 0, 0)
    judged(site, me, "WA")
    judged(site, me)
    found = me.get(f"{API}/progress").json()
    version = site.parts.catalogue.get(PROBLEM).version
    about = found["problems"][0]
    assert (about["problem"], about["attempts"], about["solved_version"]) == (PROBLEM, 2, version)
    assert (about["outdated"], about["time_ms"]) == (False, 12.0)
    assert found["families"] == [{"family": "weighted_mean", "solved": 1, "variants": 2}]
    assert (found["solved"], found["of"], found["streak_days"]) == (1, 2, 1)
    assert [day["submissions"] for day in found["days"]] == [2]
    assert found["next"] == OTHER


def test_a_mark_stays_on_the_version_that_it_was_earned_on(site: Inside) -> None:
    """Newer tests make it outdated; they do not take it away."""
    me = somebody(site)
    judged(site, me, version="older")
    judged(site, me, "WA")
    about = me.get(f"{API}/progress").json()["problems"][0]
    assert (about["solved_version"], about["outdated"]) == ("older", True)


def test_the_list_of_the_quickest_has_only_who_wants_to_be_there(site: Inside) -> None:
    """Off by default; figures as coarse as they are shown; equal figures are an equal rank."""
    url = f"{API}/problems/{PROBLEM}/leaderboard"
    for time_ms, kib in ((11.0, 2048), (19.0, 2000), (10.0, 4096), (30.0, 2048), (1.0, 2048)):
        me = somebody(site)
        judged(site, me, time_ms=time_ms, kib=kib)
        if time_ms != 1.0:
            chosen = {"public": False, "ranked": True}
            assert me.ask("PUT", f"{API}/profile", json=chosen).json() == chosen
    places = site.browser().get(url).json()["places"]
    assert [(each["rank"], each["time_ms"], each["memory_mib"]) for each in places] == [
        (1, 10, 4),
        (2, 20, 2),
        (2, 20, 2),
        (4, 30, 2),
    ]


def test_guests_have_no_profile(site: Inside) -> None:
    """There is nobody to show."""
    guest = site.browser()
    assert guest.get(f"{API}/profile").status_code == 401
    chosen = {"public": True, "ranked": True}
    assert guest.ask("PUT", f"{API}/profile", json=chosen).status_code == 401
    assert somebody(site).get(f"{API}/profile").json() == {"public": False, "ranked": False}


def test_people_on_a_page_are_counted_once_each(site: Inside) -> None:
    """Two tabs of a browser are one person."""
    url = f"{API}/problems/{OTHER}/presence"
    me, other = site.browser(), site.browser()
    counts = [visitor.ask("PUT", url).json()["people"] for visitor in (me, me, other)]
    assert counts == [1, 1, 2]
    assert me.ask("DELETE", url).status_code == 204
    assert other.ask("PUT", url).json()["people"] == 1
    assert me.ask("PUT", f"{API}/problems/no/such/presence").status_code == 404


def test_whoever_waits_is_told_their_place(site: Inside) -> None:
    """Among all that wait, as the queue goes."""
    site.parts.places._read_s = float("-inf")
    me = somebody(site)
    ids = [sent(me) for _ in range(3)]
    places = [me.get(f"{API}/submissions/{each}").json()["queue_place"] for each in ids]
    assert places == sorted(places)
    assert len(set(places)) == 3
