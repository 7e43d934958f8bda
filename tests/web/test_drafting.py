"""Drafts over REST: one's own only, and none overwritten unseen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.web.inside import Inside, Visitor, inside
from tests.web.started import PROBLEM

URL = f"/api/v1/drafts/{PROBLEM}"
NEW = {"If-None-Match": "*"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with inside(tmp_path_factory.mktemp("drafts")) as running:
        yield running


def put(visitor: Visitor, source: Any, known: dict[str, str]) -> httpx.Response:
    return visitor.ask("PUT", URL, json={"source": source}, headers=known)


def test_a_draft_is_saved_and_read_back_by_its_revision(site: Inside) -> None:
    """Each save answers with the ETag for the next one."""
    me = site.browser()
    assert me.get(URL).status_code == 404
    first = put(me, "def f(): pass\n", NEW)
    assert (first.status_code, first.headers["etag"], first.json()["revision"]) == (200, '"1"', 1)
    second = put(me, "def f(): return 1\n", {"If-Match": first.headers["etag"]})
    assert second.headers["etag"] == '"2"'
    found = me.get(URL)
    assert (found.json()["source"], found.headers["etag"]) == ("def f(): return 1\n", '"2"')


def test_of_two_that_knew_the_same_the_second_is_told(site: Inside) -> None:
    """412, and what is kept is the first one's: nothing is overwritten in silence."""
    me = site.browser()
    put(me, "start", NEW)
    assert put(me, "from one tab", {"If-Match": '"1"'}).status_code == 200
    for known in ({"If-Match": '"1"'}, NEW, {"If-Match": 'W/"2"'}, {"If-Match": "2"}):
        assert put(me, "from the other", known).status_code == 412
    assert me.get(URL).json()["source"] == "from one tab"
    assert put(me, "on purpose", {"If-Match": "*"}).status_code == 200


def test_a_save_must_say_what_it_knows(site: Inside) -> None:
    """428 with the remedy, and nothing is kept."""
    me = site.browser()
    refused = put(me, "text", {})
    assert refused.status_code == 428
    assert "If-None-Match" in refused.json()["detail"]
    assert put(me, "text", {"If-Match": "*"}).status_code == 412
    assert me.get(URL).status_code == 404


def test_nobody_sees_the_draft_of_somebody_else(site: Inside) -> None:
    """Two guests, each with a draft of the same problem."""
    me, other = site.browser(), site.browser()
    put(me, "mine", NEW)
    assert other.get(URL).status_code == 404
    put(other, "theirs", NEW)
    assert me.get(URL).json()["source"] == "mine"


def test_a_draft_is_deleted(site: Inside) -> None:
    """Whichever it is, or only the one that is known."""
    me = site.browser()
    assert me.ask("DELETE", URL).status_code == 404
    put(me, "text", NEW)
    assert me.ask("DELETE", URL, headers={"If-Match": '"7"'}).status_code == 412
    assert me.ask("DELETE", URL, headers={"If-Match": '"1"'}).status_code == 204
    assert me.get(URL).status_code == 404


@pytest.mark.parametrize(
    ("source", "status"), [("x" * 65536, 200), ("x" * 65537, 422), ("a\0b", 422), (None, 422)]
)
def test_a_draft_is_bounded_like_a_program(site: Inside, source: Any, status: int) -> None:
    """What could not be submitted is not kept either."""
    assert put(site.browser(), source, NEW).status_code == status


def test_a_problem_that_is_not_there_has_no_draft(site: Inside) -> None:
    """Nothing can be kept under names of one's own."""
    me = site.browser()
    assert (
        me.ask("PUT", "/api/v1/drafts/no/such", json={"source": ""}, headers=NEW).status_code == 404
    )


def test_a_draft_survives_a_restart(tmp_path: Path) -> None:
    """And is its guest's still, whose browser kept the cookie."""
    with inside(tmp_path) as site:
        me = site.browser()
        put(me, "kept", NEW)
        cookies = dict(me.cookies)
    with inside(tmp_path) as site:
        again = site.browser()
        again.cookies.update(cookies)
        assert again.get(URL).json()["source"] == "kept"
