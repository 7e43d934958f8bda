"""Who may submit, how much, and who comes first when many do."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.store.submissions import now_ms
from app.web import submitting
from app.web.parts import Allowance, Allowances
from tests.web.inside import Inside, inside
from tests.web.started import BASE, PROBLEM, RIGHT

PASSWORD = "correct horse battery"
SENT = {"problem": PROBLEM, "source": RIGHT}
POLICY = re.compile(r'"submissions";q=(\d+);w=60')
LEFT = re.compile(r'"submissions";r=(\d+);t=(\d+)')


def tokens(site: Inside, *names: str) -> list[str]:
    """One token for each of these people."""
    for name in names:
        site.ask(site.store.add_user(name, "learner"))
        site.ask(site.store.add_token(name, "first", f"token-{name}", {"submit"}))
    return [f"token-{name}" for name in names]


@pytest.mark.parametrize("who", ["guest", "account", "token"])
def test_each_kind_has_its_own_rate_and_is_told_when_to_come_back(tmp_path: Path, who: str) -> None:
    """429 with Retry-After; every answer says what is left. Runs are counted apart."""
    few = Allowance(submissions_a_minute=3, runs_a_minute=2, waiting=0)
    with inside(tmp_path, allowances=Allowances(**{who: few})) as site:
        visitor = site.browser()
        if who == "account":
            visitor.post("/api/v1/account", json={"name": "Ada", "password": PASSWORD})
        elif who == "token":
            visitor = site.visitor(token=tokens(site, "Ada")[0])
        left = []
        for _ in range(3):
            answer = visitor.post("/api/v1/submissions", json=SENT)
            assert answer.status_code == 202
            assert POLICY.fullmatch(answer.headers["ratelimit-policy"])[1] == "3"  # type: ignore[index]
            left.append(LEFT.fullmatch(answer.headers["ratelimit"])[1])  # type: ignore[index]
        assert left == ["2", "1", "0"]
        refused = visitor.post("/api/v1/submissions", json=SENT)
        assert refused.status_code == 429
        wait_s = int(refused.headers["retry-after"])
        assert 1 <= wait_s <= 60
        assert LEFT.fullmatch(refused.headers["ratelimit"]).groups() == ("0", str(wait_s))  # type: ignore[union-attr]
        assert f"try again in {wait_s} second" in refused.json()["detail"].replace(
            "a minute", "60 second"
        )
        assert [visitor.post("/api/v1/runs", json=SENT).status_code for _ in range(3)] == [
            202,
            202,
            429,
        ]


def test_a_rate_is_counted_for_each_by_itself(tmp_path: Path) -> None:
    """Two tokens, two accounts, two addresses do not take from each other."""
    one = Allowance(submissions_a_minute=1, waiting=0)
    with inside(tmp_path, allowances=Allowances(one, one, one)) as site:
        for token in tokens(site, "Ada", "Bob"):
            statuses = [
                site.visitor(token=token).post("/api/v1/submissions", json=SENT).status_code
                for _ in range(2)
            ]
            assert statuses == [202, 429]
        assert site.browser().post("/api/v1/submissions", json=SENT).status_code == 202
        assert site.browser().post("/api/v1/submissions", json=SENT).status_code == 429


def test_a_form_without_scripts_is_told_in_words(tmp_path: Path) -> None:
    """The page of the refusal says when to try again."""
    few = Allowances(guest=Allowance(submissions_a_minute=1, waiting=0))
    with inside(tmp_path, allowances=few) as site:
        browser = site.browser()
        browser.post("/api/v1/submissions", json=SENT)
        page = browser.post(f"/problems/{PROBLEM}", data={"source": RIGHT})
        assert page.status_code == 429
        assert re.search(r"[Tt]ry again in (a minute|\d+ second)", page.text)


@pytest.mark.slow
def test_one_learners_hundreds_do_not_keep_another_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has one submission is judged within the next few, however many others have.

    The clock stands still meanwhile: how fast a machine can send decides nothing.
    """
    moment_ms = now_ms()
    monkeypatch.setattr(submitting, "now_ms", lambda: moment_ms)
    with inside(tmp_path, allowances=Allowances(*[Allowance(waiting=0)] * 3)) as site:
        many, one = tokens(site, "Many", "One")
        busy = site.visitor(token=many)
        for _ in range(200):
            assert busy.post("/api/v1/submissions", json=SENT).status_code == 202
        late = site.visitor(token=one).post("/api/v1/submissions", json=SENT).json()["id"]
        judged: list[str] = []

        async def judge() -> None:
            done = asyncio.Event()

            async def take(submission_id: str) -> None:
                judged.append(submission_id)
                if len(judged) == 5:
                    done.set()

            working = asyncio.create_task(site.parts.queue.run(take, 1))
            await asyncio.wait_for(done.wait(), 20)
            working.cancel()
            await asyncio.wait({working})

        site.ask(judge())
        assert late in judged[:3]


# --- where one must sign in -----------------------------------------------------------------------


def test_where_guests_may_not_submit_they_are_asked_to_sign_in(tmp_path: Path) -> None:
    """They read on; whoever signs in submits, and comes back to the problem."""
    with inside(tmp_path, guest_submissions=False) as site:
        browser = site.browser()
        for route in ("submissions", "runs"):
            answer = browser.post(f"/api/v1/{route}", json=SENT)
            assert (answer.status_code, answer.json()["detail"]) == (
                401,
                "sign in to run or submit",
            )
        page = browser.get(f"/problems/{PROBLEM}")
        assert page.status_code == 200
        assert f'href="/sign-in?next=/problems/{PROBLEM}">Sign in to run or submit</a>' in page.text
        form = browser.post(f"/problems/{PROBLEM}", data={"source": RIGHT})
        assert form.status_code == 401
        assert f'href="/sign-in?next=/problems/{PROBLEM}"' in form.text
        browser.post("/api/v1/account", json={"name": "Ada", "password": PASSWORD})
        assert browser.post("/api/v1/submissions", json=SENT).status_code == 202
        assert "to run or submit" not in browser.get(f"/problems/{PROBLEM}").text


def test_a_variant_may_ask_for_it_by_itself(tmp_path: Path) -> None:
    """`sign_in: required` in its variant.yaml; its neighbours stay open."""
    packages = tmp_path / "packages"
    shutil.copytree(BASE, packages)
    written = packages / "weighted_mean/variants/plain/variant.yaml"
    written.write_text(written.read_text() + "\nsign_in: required\n")
    with inside(tmp_path / "data", packages) as site:
        browser = site.browser()
        sent: dict[str, Any] = SENT
        assert browser.post("/api/v1/submissions", json=sent).status_code == 401
        other = sent | {"problem": "weighted_mean/report"}
        assert browser.post("/api/v1/submissions", json=other).status_code == 202
        assert browser.get(f"/api/v1/problems/{PROBLEM}").status_code == 200
