"""Pages about what people have done."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from markupsafe import escape

from tests.web.inside import Inside, inside
from tests.web.started import PROBLEM
from tests.web.test_own_work import judged, named, sent, somebody

NAME = "<b>Ada & co"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with inside(tmp_path_factory.mktemp("pages")) as running:
        yield running


def test_a_guest_sees_what_their_browser_did(site: Inside) -> None:
    """Before and after the first submission, and where to keep it."""
    me = site.browser()
    assert "Begin with" in me.get("/progress").text
    sent(me)
    page = me.get("/progress").text
    assert "You are a guest" in page
    assert "1 submission on 1 day of the last year" in page
    assert "What others see" not in page


def test_progress_names_what_is_solved_and_on_which_version(site: Inside) -> None:
    """A mark stays when the tests change, and says so."""
    me = somebody(site)
    judged(site, me, version="0123456789")
    page = me.get("/progress").text
    assert "on version 0123456: the tests have changed since" in page
    assert "1 of 2 solved" in page
    problem = me.get(f"/problems/{PROBLEM}").text
    assert "Solved on an earlier version" in problem
    assert "your mark stays" in problem
    assert "data-solved" in me.get("/").text
    assert "data-solved" not in site.browser().get("/").text


def test_a_profile_is_shown_only_while_its_owner_wants_it(site: Inside) -> None:
    """By a plain form; everybody else gets the same 404 as for a name that nobody has."""
    name = "Grace"
    me = named(site, name)
    judged(site, me)
    stranger = site.browser()
    assert stranger.get(f"/people/{name}").status_code == 404
    answer = me.post("/progress/profile", data={"public": "on"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/progress?saved=yes#shown")
    assert "as others see it" in me.get("/progress").text
    page = stranger.get(f"/people/{name}")
    assert page.status_code == 200
    assert "1 of 2" in page.text.replace('<span class="soft">', "").replace("</span>", "")
    me.post("/progress/profile", data={})
    assert stranger.get(f"/people/{name}").status_code == 404
    assert stranger.get("/people/a%00b").status_code == 404
    assert stranger.post("/progress/profile", data={"public": "on"}).status_code == 401


def test_names_are_text_wherever_they_are_shown(site: Inside) -> None:
    """Whatever an admin let somebody be called."""
    me = named(site, NAME)
    judged(site, me)
    chosen = {"public": True, "ranked": True}
    assert me.ask("PUT", "/api/v1/profile", json=chosen).status_code == 200
    shown = str(escape(NAME))
    listed = site.browser().get(f"/problems/{PROBLEM}/leaderboard").text
    for page in (listed, site.browser().get(f"/people/{quote(NAME, safe='')}").text):
        assert NAME not in page
        assert shown in page
    assert "≤ 20 ms" in listed
