"""Pages over real HTTP: readable without scripts, strict, compressed, and kind about errors."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator

import httpx
import pytest

from tests.web.started import PROBLEM, RIGHT, WRONG, Site

PAGE = f"/problems/{PROBLEM}"
AS_BROWSER = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture(scope="module")
def browser(site: Site) -> Iterator[httpx.Client]:
    """Asks as a browser does, and does not follow redirects by itself."""
    with httpx.Client(base_url=site.url, headers=AS_BROWSER, timeout=30) as client:
        yield client


def words(page: str) -> str:
    """What stands on a page, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_the_catalogue_links_every_problem(browser: httpx.Client) -> None:
    """Whoever comes to the front page finds each problem, without scripts."""
    page = browser.get("/")
    assert page.status_code == 200
    for problem in browser.get("/api/v1/problems").json()["problems"]:
        assert f'href="/problems/{problem["id"]}"' in page.text
        assert html.escape(problem["title"]) in page.text


def test_a_problem_is_readable_without_scripts(browser: httpx.Client) -> None:
    """Statement, signature, samples and rules stand in the HTML itself, as does a form to submit."""
    page = browser.get(PAGE).text
    problem = browser.get(f"/api/v1/problems/{PROBLEM}").json()
    for words_of_page in ("Signature", "Examples", "How it is checked", problem["entry_point"]):
        assert words_of_page in page
    for sample in problem["samples"]:
        assert html.escape(sample["title"], quote=False) in page
    assert f'<form method="post" action="{PAGE}"' in page
    assert html.escape(problem["starter"].splitlines()[0], quote=False) in page


@pytest.mark.parametrize("path", ["/", PAGE, "/no/such/page"])
def test_no_page_allows_inline_scripts_or_styles(browser: httpx.Client, path: str) -> None:
    """The policy names this origin only, and the page keeps to it."""
    page = browser.get(path)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<[^>]+\s(?:style|on[a-z]+)=", page.text)
    assert not re.findall(r"<script(?![^>]*(?:\ssrc=|application/json))", page.text)
    assert not re.findall(r"<style(?!\s+nonce=)", page.text)


def test_the_nonce_of_the_policy_is_new_for_every_answer(browser: httpx.Client) -> None:
    """A nonce that stays the same would allow what it is meant to forbid."""
    policies = {browser.get(PAGE).headers["content-security-policy"] for _ in range(3)}
    assert len(policies) == 3


def test_nothing_a_page_loads_is_of_another_origin(browser: httpx.Client) -> None:
    """No request leaves the origin: every script, style, font and image is a local path."""
    for path in ("/", PAGE):
        page = browser.get(path).text
        loaded = re.findall(r'<(?:script|link|img)[^>]*?\s(?:src|href)="([^"]+)"', page)
        assert loaded
        for url in loaded:
            assert url.startswith("/static/"), url
            assert browser.get(url).status_code == 200


@pytest.mark.parametrize(("accepted", "sent"), [("br, gzip", "br"), ("gzip", "gzip"), ("", None)])
def test_static_files_are_compressed_ahead_and_kept_for_ever(
    browser: httpx.Client, accepted: str, sent: str | None
) -> None:
    """The best encoding that the browser takes, under a name that changes with the content."""
    url = re.findall(r'src="(/static/problem-[^"]+\.js)"', browser.get(PAGE).text)[0]
    reply = browser.get(url, headers={"Accept-Encoding": accepted})
    assert reply.headers.get("content-encoding") == sent
    assert "immutable" in reply.headers["cache-control"]
    assert reply.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "name", ["..%2f..%2fapp%2fconfig.py", "%2e%2e/manifest.json", "nothing.js", ".hidden", "a%00b"]
)
def test_only_built_files_are_served(browser: httpx.Client, name: str) -> None:
    """No name reaches out of the folder of built files."""
    assert browser.get(f"/static/{name}").status_code == 404


def test_the_plain_form_submits_and_shows_the_verdict(browser: httpx.Client) -> None:
    """Without scripts: post, be sent on, read the verdict of every test."""
    posted = browser.post(PAGE, data={"source": RIGHT.replace("\n", "\r\n")})
    assert posted.status_code == 303
    page = browser.get(posted.headers["location"])
    assert page.status_code == 200
    assert "Accepted" in words(page.text)
    assert "weighted_mean" in page.text


def test_a_wrong_program_is_told_what_differs_on_a_sample(browser: httpx.Client) -> None:
    """The verdict page shows input, expected, yours and the difference, for samples only."""
    posted = browser.post(PAGE, data={"source": WRONG})
    page = words(browser.get(posted.headers["location"]).text)
    assert "Wrong Answer" in page
    assert "expected" in page
    assert "Allowed" in page


@pytest.mark.parametrize(
    ("number", "shown"), [("float('inf')", "∞"), ("-float('inf')", "-∞"), ("float('nan')", "NaN")]
)
def test_what_is_no_finite_number_reads_well_and_is_legal_json(
    browser: httpx.Client, number: str, shown: str
) -> None:
    """On the page as a learner would write it; over REST never a bare word that JSON does not have."""
    source = re.sub(r"(?m)return .*$", f"return {number}", WRONG)
    posted = browser.post(PAGE, data={"source": source})
    address = posted.headers["location"]
    assert f"{shown} was returned" in words(browser.get(address).text)
    text = browser.get(f"/api/v1{address}", headers={"Accept": "application/json"}).text
    assert shown in text
    json.loads(text, parse_constant=pytest.fail)


def visiting(site: Site) -> httpx.Client:
    """A browser of its own: a guest whom the server remembers."""
    headers = {**AS_BROWSER, "Sec-Fetch-Site": "same-origin"}
    return httpx.Client(base_url=site.url, headers=headers, timeout=30)


def shown_program(page: str) -> str:
    """What stands in the form of a problem's page."""
    found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)
    assert found
    return html.unescape(found[1])


@pytest.mark.parametrize(("button", "told"), [({}, "hidden"), ({"run": "samples"}, "Samples only")])
def test_a_program_that_was_sent_stands_in_the_form_again(
    site: Site, button: dict[str, str], told: str
) -> None:
    """Without scripts a program is changed where it was written, whichever button was pressed."""
    source = f"{WRONG}# {told}\n"
    with visiting(site) as me:
        assert shown_program(me.get(PAGE).text) != source
        posted = me.post(PAGE, data={"source": source.replace("\n", "\r\n"), **button})
        assert ("Samples only" in words(me.get(posted.headers["location"]).text)) == bool(button)
        assert shown_program(me.get(PAGE).text) == source


def test_a_page_that_refuses_a_program_leads_back_to_it(site: Site) -> None:
    """Whoever was refused goes on where they wrote."""
    with visiting(site) as me:
        assert f'href="{PAGE}"' in me.post(PAGE, data={"source": "a\0b"}).text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"source": "x" * 65_537}, 422),
        ({"source": "a\0b"}, 422),
        ({}, 202),
    ],
)
def test_bad_forms_get_a_page_that_says_why(
    browser: httpx.Client, body: dict[str, str], status: int
) -> None:
    """What cannot be judged is refused in words; an empty program is judged like any other."""
    reply = browser.post(PAGE, data=body)
    if status == 202:
        assert reply.status_code == 303
    else:
        assert reply.status_code == status
        assert "text/html" in reply.headers["content-type"]
        assert "source" in words(reply.text)


@pytest.mark.parametrize("path", ["/problems/no/such", "/submissions/none", "/nowhere"])
def test_what_does_not_exist_gets_a_page_with_a_way_back(browser: httpx.Client, path: str) -> None:
    """404 for people is a page; for scripts it is problem+json."""
    page = browser.get(path)
    assert page.status_code == 404
    assert 'href="/"' in page.text
    reply = browser.get(path, headers={"Accept": "application/json"})
    assert reply.headers["content-type"].startswith("application/problem+json")


def test_what_a_learner_wrote_is_shown_as_text(browser: httpx.Client) -> None:
    """Programs hold whatever people type; none of it becomes part of the page."""
    source = RIGHT + "# </code><script>alert(1)</script>\n"
    posted = browser.post(PAGE, data={"source": source})
    page = browser.get(posted.headers["location"]).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_form_of_another_site_is_refused(browser: httpx.Client) -> None:
    """Nobody's page submits in a visitor's name."""
    reply = browser.post(PAGE, data={"source": RIGHT}, headers={"Sec-Fetch-Site": "cross-site"})
    assert reply.status_code == 403
    assert "another site" in words(reply.text)


def test_a_form_that_no_program_needs_is_refused_early(browser: httpx.Client) -> None:
    """A body over 256 KiB is too large, whatever is in it."""
    reply = browser.post(PAGE, data={"source": "x" * 300_000})
    assert reply.status_code == 413
    assert "too large" in words(reply.text)


def test_a_figure_is_served_under_the_name_of_its_content(browser: httpx.Client) -> None:
    """A changed figure has another name; the old one is gone, and nothing else is reached."""
    for name in ("norm_plot.000000000000.js", "..%2f..%2ffamily.yaml", "core.py", "x.js"):
        assert browser.get(f"/static/figures/weighted_mean/{name}").status_code == 404
    assert browser.get("/static/figures/no_family/a.b.js").status_code == 404


def test_the_page_of_a_trial_says_nothing_of_points(browser: httpx.Client) -> None:
    """Samples are tried, not handed in; a submission's page has its points."""
    shown = {}
    for kind in ("runs", "submissions"):
        sent = {"problem": PROBLEM, "source": RIGHT}
        made = browser.post(f"/api/v1/{kind}?wait=30", json=sent).json()
        shown[kind] = words(browser.get(f"/submissions/{made['id']}").text)
    assert "tests passed" in shown["runs"]
    assert "points" not in shown["runs"]
    assert "100 of 100 points" in shown["submissions"]
