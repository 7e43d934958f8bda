"""Tests and packages by plain forms, in a browser without scripts."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from app.web.secret import new_token
from tests.web.inside import OWN_PAGE, Inside, Visitor, inside
from tests.web.test_admin_packages import let_through, package
from tests.web.test_admin_tests import case

TESTS = "/admin/problems/weighted_mean/tests"
TOKEN = new_token()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Inside]:
    with inside(tmp_path) as running:
        running.ask(running.store.add_user("Ada", "admin"))
        running.ask(running.store.add_token("Ada", "laptop", TOKEN, {"admin"}))
        yield running


@pytest.fixture
def admin(site: Inside) -> Visitor:
    """Whoever is signed in sees the same; a token is enough to ask for a page."""
    return site.visitor(OWN_PAGE, token=TOKEN)


def file(name: str, content: bytes) -> dict[str, tuple[str, bytes]]:
    return {"file": (name, content)}


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return html.unescape(found[1])


def test_tests_are_looked_at_applied_retired_and_gone_back_to(admin: Visitor) -> None:
    """Each step is a plain form, and the page that follows shows what it did."""
    start = admin.get(TESTS).text
    assert "There are none." in start
    assert f'href="{TESTS}/examples/csv"' in start
    content = json.dumps({"tests": [case("a"), case("b", [2.0, 5.0])]}).encode()
    look = admin.post(TESTS, files=file("two.json", content))
    assert look.status_code == 200
    assert "2 tests can be added. Nothing has been changed yet." in look.text
    assert "2.75" in look.text
    assert "There are none." in admin.get(TESTS).text
    token = {"examined": hidden(look.text, "examined")}
    assert admin.post(f"{TESTS}/apply", data=token).headers["location"] == TESTS
    again = admin.post(f"{TESTS}/apply", data=token)
    assert (again.status_code, "changed meanwhile" in again.text) == (409, True)
    assert admin.post(f"{TESTS}/retire", data={"name": "a"}).status_code == 303
    shown = admin.get(TESTS).text
    assert "retired a" in shown
    version = re.findall(r'name="version" value="([0-9a-f]+)"', shown)[0]
    assert admin.post(f"{TESTS}/restore", data={"version": version}).status_code == 303
    assert f"went back to {version}" in admin.get(TESTS).text


def test_a_refused_file_shows_every_fault_at_its_place(admin: Visitor) -> None:
    """And offers nothing to apply; what is hostile is shown as text."""
    rows = "name,labels,values[0],weights[0],expected.mean\n<b>x</b>,,1,-1,\ngood,one value,2,1,3\n"
    look = admin.post(TESTS, files=file("two.csv", rows.encode()))
    assert look.status_code == 200
    assert 'name="examined"' not in look.text
    assert "2 of 2 tests cannot be added" in look.text
    for words in ("line 2", "tests[0].name", "tests[0].labels", "tests[0].arguments.weights[0]"):
        assert words in look.text
    assert "3 is given, the core says 2.0" in look.text
    assert "<b>x</b>" not in look.text


@pytest.mark.parametrize(
    ("files", "status", "words"),
    [
        ({}, 422, "Choose a file first"),
        (file("", b""), 422, "Choose a file first"),
        (file("x.exe", b"MZ"), 422, "the name must end in"),
        (file("x.json", b""), 400, "empty"),
        (file("x.json", b'{"tests": [], "tests": []}'), 400, "given twice"),
        (file("x.npz", b"PK"), 422, "not an NPZ file"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_on_a_page(
    admin: Visitor, files: dict[str, tuple[str, bytes]], status: int, words: str
) -> None:
    """In words, with the right status."""
    answer = admin.post(TESTS, files=files or None, data={"mutants": "yes"} if not files else None)
    assert answer.status_code == status, answer.text
    assert words in html.unescape(answer.text)
    assert 'id="file"' in answer.text


def test_a_form_that_is_none_is_refused(admin: Visitor) -> None:
    """Too large, cut off, or with more fields than any form of ours has."""
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    many = {f"field{i}": "x" for i in range(50)}
    for sent, statuses in (
        ({"content": b"--x\r\nnonsense", "headers": kind}, (400, 422)),
        ({"content": b"", "headers": {"Content-Type": "multipart/form-data"}}, (400, 422)),
        ({"data": many, "files": file("x.json", b"{}")}, (400,)),
        ({"content": bytes(20 << 20), "headers": kind}, (413,)),
    ):
        answer = admin.post(TESTS, **sent)
        assert answer.status_code in statuses, answer.text[:200]


def test_a_package_is_uploaded_and_published_by_forms(site: Inside, admin: Visitor) -> None:
    """The page of a version follows its examination, and offers what can be done."""
    found = package(lesson__md=b"<script>alert(1)</script>\n")
    went = admin.post("/admin/packages", files=file("own_mean.zip", found.packed()))
    assert went.status_code == 303, went.text
    place = went.headers["location"]
    waiting = admin.get(place).text
    assert "It waits for the gate." in waiting
    assert 'http-equiv="refresh"' in waiting
    assert "<script>alert" not in waiting
    family, key = place.rsplit("/", 2)[1:]
    let_through(site, {"family": family, "hash": key})
    assert "Publish this version" in admin.get(place).text
    here = f"/admin/packages/{family}"
    assert admin.post(f"{here}/publish", data={"hash": key}).headers["location"] == here
    shown = admin.get(here).text
    assert "Unpublish" in shown
    assert f'href="/problems/{family}/plain"' in shown
    assert key[:12] in admin.get("/admin/packages").text
    assert admin.get(f"{here}/served/archive").content == found.packed()
    assert admin.post(f"{here}/publish", data={"hash": ""}).status_code == 303
    assert "not served" in admin.get("/admin/packages").text


def test_a_package_that_cannot_be_read_is_told_above_the_form(admin: Visitor) -> None:
    """With every fault in its place, so that it can be mended and sent again."""
    broken = package(variants___plain___variant__yaml=b"title: [", lesson__md=None)
    answer = admin.post("/admin/packages", files=file("x.zip", broken.packed()))
    assert answer.status_code == 422
    assert "own_mean/variants/plain/variant.yaml" in answer.text
    assert 'id="file"' in answer.text
    answer = admin.post("/admin/packages", files=file("x.zip", b"PK"))
    assert "is not a zip" in answer.text
    assert 'id="file"' in answer.text


def test_what_was_never_handed_out_is_not_found(admin: Visitor) -> None:
    """Whatever stands in a hidden field: zero bytes and others' alphabets do not reach the store."""
    for odd in ("", "x" * 5000, "\0", "\ud83d", "é", "../x", "'; --"):
        field = odd.encode("utf-8", "surrogatepass")
        for path, name in (
            (f"{TESTS}/apply", "examined"),
            (f"{TESTS}/retire", "name"),
            (f"{TESTS}/restore", "version"),
            ("/admin/packages/weighted_mean/publish", "hash"),
        ):
            answer = admin.post(path, data={name: field})
            assert answer.status_code == 404, (path, odd, answer.status_code)
        place = f"/admin/packages/{quote(field)}" if odd else "/admin/packages/"
        assert admin.get(place).status_code == 404, odd


def test_another_sites_form_changes_nothing(site: Inside) -> None:
    """A browser says where a form came from; whoever is not known is asked to sign in."""
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Accept": "text/html"}
    for path in (TESTS, f"{TESTS}/apply", f"{TESTS}/retire", "/admin/packages"):
        for headers in (elsewhere, OWN_PAGE):
            answer = site.visitor(headers).post(path, data={"name": "x"})
            assert answer.status_code in (303, 401, 403), (path, answer.status_code)
    assert site.ask(site.store.test_versions("weighted_mean")) == ()
