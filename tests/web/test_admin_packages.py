"""Packages are uploaded, examined, published and taken back, over the REST API."""

from __future__ import annotations

import asyncio
import io
import time
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.examining import Examining
from app.model import Call, Outcome
from app.problem.archive import Package, folder_package
from app.web.secret import new_token
from tests.problem.plain_runner import PlainRunner
from tests.web.inside import OWN_PAGE, Inside, Visitor, inside
from tests.web.started import BASE

HERE = "/api/v1/admin/packages"
TOKENS = {name: new_token() for name in ("admin", "author", "other", "learner")}
ZIP = {"Content-Type": "application/zip"}


def package(family: str = "own_mean", **changed: bytes | None) -> Package:
    """The base package under another name; `core__py=b"..."` replaces a file, None removes it."""
    files = dict(folder_package(BASE, "weighted_mean").files)
    for name, content in changed.items():
        path = name.replace("___", "/").replace("__", ".")
        if content is None:
            files.pop(path)
        else:
            files[path] = content
    return Package(family, files)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Inside]:
    with inside(tmp_path) as running:
        for name, role in (("admin", "admin"), ("author", "author"), ("other", "author")):
            running.ask(running.store.add_user(name, role))
            running.ask(running.store.add_token(name, "laptop", TOKENS[name], {"admin", "read"}))
        running.ask(running.store.add_user("learner", "learner"))
        running.ask(running.store.add_token("learner", "x", TOKENS["learner"], {"read"}))
        yield running


def sent(visitor: Visitor, found: Package | bytes) -> httpx.Response:
    content = found if isinstance(found, bytes) else found.packed()
    return visitor.post(HERE, content=content, headers=ZIP)


def let_through(site: Inside, upload: dict[str, Any], state: str = "kept") -> None:
    """As if the gate had spoken: it is slow, and another test's."""
    report = '{"reasons": [], "remarks": [], "figures": {}}'
    family, key = upload["family"], upload["hash"]
    site.ask(site.store.package_examined(family, key, state, report))  # type: ignore[arg-type]


def test_a_package_is_served_once_it_is_published(site: Inside) -> None:
    """Uploaded, it waits; what the gate has not let through cannot be published."""
    author = site.visitor(token=TOKENS["author"])
    answer = sent(author, package())
    assert answer.status_code == 202, answer.text
    upload = answer.json()
    assert (upload["family"], upload["state"]) == ("own_mean", "waiting")
    early = author.post(f"{upload['url']}/publish")
    assert (early.status_code, "has not passed the gate" in early.text) == (409, True)
    assert author.get("/api/v1/problems/own_mean/plain").status_code == 404
    let_through(site, upload)
    assert author.post(f"{upload['url']}/publish").status_code == 200
    assert author.get("/api/v1/problems/own_mean/plain").status_code == 200
    assert not list(BASE.glob("own_mean"))
    assert author.post(f"{HERE}/own_mean/unpublish").status_code == 200
    assert author.get("/api/v1/problems/own_mean/plain").status_code == 404
    history = author.get(f"{HERE}/own_mean").json()
    assert [one["hash"] for one in history["publications"]] == [None, upload["hash"]]


def test_an_upload_goes_before_what_is_on_disk_until_it_is_taken_back(site: Inside) -> None:
    """And says beforehand what differs, and which of it decides verdicts."""
    admin = site.visitor(token=TOKENS["admin"])
    family = folder_package(BASE, "weighted_mean").files["family.yaml"]
    changed = package(
        "weighted_mean",
        family__yaml=family.replace(b"title: The weighted mean", b"title: A better mean"),
        lesson__md=b"# Another lesson\n",
        core__py=folder_package(BASE, "weighted_mean").files["core.py"] + b"# the same\n",
    )
    upload = sent(admin, changed).json()
    found = admin.get(upload["url"]).json()
    assert [(f["path"], f["kind"], f["decides"]) for f in found["difference"]["files"]] == [
        ("core.py", "changed", True),
        ("family.yaml", "changed", True),
        ("lesson.md", "changed", False),
    ]
    assert "+# the same" in found["difference"]["files"][0]["lines"]
    assert [one["variant"] for one in found["difference"]["variants"]] == ["plain", "report"]
    before = admin.get("/api/v1/problems/weighted_mean/plain").json()["package_version"]
    let_through(site, upload)
    admin.post(f"{upload['url']}/publish")
    after = admin.get("/api/v1/problems/weighted_mean/plain").json()["package_version"]
    assert after != before
    assert admin.get(upload["url"]).json()["difference"] == {"files": [], "variants": []}
    admin.post(f"{HERE}/weighted_mean/unpublish")
    assert admin.get("/api/v1/problems/weighted_mean/plain").json()["package_version"] == before


def test_what_is_exported_can_be_uploaded_again(site: Inside) -> None:
    """The same bytes each time, and the same hash."""
    admin = site.visitor(token=TOKENS["admin"])
    one, two = (admin.get(f"{HERE}/weighted_mean/served/archive") for _ in range(2))
    assert one.headers["content-disposition"] == 'attachment; filename="weighted_mean.zip"'
    assert one.content == two.content == package("weighted_mean").packed()
    upload = sent(admin, one.content).json()
    assert admin.get(f"{upload['url']}/archive").content == one.content
    assert sent(admin, one.content).json() == upload


def test_authors_change_what_is_theirs_and_nothing_else(site: Inside) -> None:
    """Not what is on disk, not another's, not even to look at; an admin may all."""
    author, other, admin, learner = (
        site.visitor(token=TOKENS[name]) for name in ("author", "other", "admin", "learner")
    )
    upload = sent(author, package()).json()
    let_through(site, upload)
    assert sent(author, package("weighted_mean")).status_code == 403
    assert sent(other, package(lesson__md=b"mine\n")).status_code == 403
    for path in (f"{HERE}/own_mean", upload["url"], f"{upload['url']}/archive"):
        assert other.get(path).status_code == 403
        assert admin.get(path).status_code == 200
    for path in (f"{upload['url']}/publish", f"{HERE}/own_mean/unpublish"):
        assert other.post(path).status_code == 403
    assert other.get(HERE).json() == []
    assert [one["family"] for one in author.get(HERE).json()] == ["own_mean"]
    assert [one["family"] for one in admin.get(HERE).json()] == ["own_mean", "weighted_mean"]
    assert learner.get(HERE).status_code == 403
    assert sent(learner, package()).status_code == 403
    assert sent(site.visitor(), package()).status_code == 401
    assert author.post(f"{upload['url']}/publish").status_code == 200
    tests = "/api/v1/admin/problems/own_mean/tests"
    assert (author.get(tests).status_code, other.get(tests).status_code) == (200, 403)


def test_scripts_are_published_by_admins_alone(site: Inside) -> None:
    """A figure runs on every reader's page, an admin's too."""
    author, admin = site.visitor(token=TOKENS["author"]), site.visitor(token=TOKENS["admin"])
    upload = sent(author, package(figures___plot__js=b"export const draw = () => {};\n")).json()
    let_through(site, upload)
    refused = author.post(f"{upload['url']}/publish")
    assert (refused.status_code, "an admin must publish it" in refused.text) == (403, True)
    assert admin.post(f"{upload['url']}/publish").status_code == 200


def test_what_an_author_writes_is_shown_as_text(site: Inside) -> None:
    """Titles, statements, hints and programs: no markup of theirs reaches a page."""
    author = site.visitor(token=TOKENS["author"])
    evil = b"<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1))\n"
    base = folder_package(BASE, "weighted_mean").files
    changed: dict[str, Any] = {
        "lesson__md": evil,
        "variants___plain___statement__md": base["variants/plain/statement.md"] + b"\n" + evil,
        "variants___plain___hints__md": b"## <b>x</b>\n\n" + evil,
        "variants___plain___starter__py": b"# " + evil + base["variants/plain/starter.py"],
        "family__yaml": base["family.yaml"].replace(b"The weighted mean", b"<script>x</script>"),
    }
    upload = sent(author, package(**changed)).json()
    let_through(site, upload)
    assert author.post(f"{upload['url']}/publish").status_code == 200
    reader = site.browser()
    admin = site.visitor(OWN_PAGE, token=TOKENS["admin"])
    place = f"/admin/packages/own_mean/{upload['hash']}"
    for page in (
        reader.get("/problems/own_mean/plain"),
        reader.get("/"),
        admin.get("/admin/packages"),
        admin.get("/admin/packages/own_mean"),
        admin.get("/admin/problems/own_mean/tests"),
        admin.get(place),
    ):
        assert page.status_code == 200
        for markup in ("<script>alert", "<script>x", "<img src=x", 'href="javascript', "<b>x"):
            assert markup not in page.text, page.url


BAD: dict[str, tuple[Any, str]] = {
    "YAML in a circle": ({"family__yaml": b"a: &a [*a]\n"}, "anchor"),
    "a core with no end of brackets": ({"core__py": b"(" * 100_000}, "core.py"),
    "a core of zero bytes": ({"core__py": b"\0" * 100}, "core.py"),
    "a core that is not UTF-8": ({"core__py": b"\xff\xfe"}, "not UTF-8"),
    "no core": ({"core__py": None}, "missing"),
    "data with a number of a million digits": (
        {"data___equal__json": b'{"inputs_hash": ' + b"9" * 1_000_000 + b"}"},
        "equal.json",
    ),
    "deep data": ({"data___equal__json": b"[" * 100_000}, "equal.json"),
    "a name that would leave the page": (
        {"family__yaml": b'title: "\xe2\x80\xaegnp"\n'},
        "family.yaml",
    ),
}


def test_a_package_that_cannot_be_read_is_refused_and_not_kept(site: Inside) -> None:
    """With file and line, and nothing of it stays: not in the store, not on disk."""
    admin = site.visitor(token=TOKENS["admin"])
    for name, (changed, words) in BAD.items():
        answer = sent(admin, package(**changed))
        assert answer.status_code == 422, (name, answer.status_code, answer.text[:300])
        assert words in answer.text, (name, answer.text[:300])
    for raw in (b"", b"PK\x03\x04", b"\x1f\x8b" + b"x" * 99, b"x" * 2000):
        assert sent(admin, raw).status_code == 422
    assert admin.post(HERE, content=b"x", headers={"Content-Type": "text/html"}).status_code == 415
    large = b"PK" + bytes(17 << 20)
    assert sent(admin, large).status_code == 413
    for name in ("Own Mean", "own.mean", "x" * 90):
        assert sent(admin, package(name)).status_code == 422
    assert [one["uploads"] for one in admin.get(HERE).json()] == [0]
    unpacked = site.database.parent / "packages"
    assert not unpacked.exists() or not list(unpacked.iterdir())
    assert admin.get("/api/v1/problems/weighted_mean/plain").status_code == 200


def test_a_zip_bomb_costs_nothing(site: Inside) -> None:
    """Half a gigabyte in half a megabyte is refused by what it says of itself."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made, made.open("own/a", "w") as entry:
        for _ in range(64):
            entry.write(bytes(1 << 20))
    answer = sent(site.visitor(token=TOKENS["admin"]), file.getvalue())
    assert answer.status_code == 422
    assert "larger than 16 MiB" in answer.text


def test_the_next_start_serves_what_is_published(tmp_path: Path) -> None:
    """Also where the folder of unpacked packages is lost: the store has it."""
    with inside(tmp_path) as first:
        first.ask(first.store.add_user("admin", "admin"))
        first.ask(first.store.add_token("admin", "laptop", TOKENS["admin"], {"admin"}))
        admin = first.visitor(token=TOKENS["admin"])
        upload = sent(admin, package()).json()
        let_through(first, upload)
        assert admin.post(f"{upload['url']}/publish").status_code == 200
    for path in sorted((tmp_path / "packages").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    with inside(tmp_path) as second:
        assert second.visitor().get("/api/v1/problems/own_mean/report").status_code == 200


def test_a_stop_does_not_wait_for_the_gate(site: Inside) -> None:
    """What was being examined is examined again by whoever comes next."""
    sent(site.visitor(token=TOKENS["admin"]), package())
    parts, ran = site.parts, 0

    class Slow:
        def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
            nonlocal ran
            for found in PlainRunner().run(calls):
                ran += 1
                time.sleep(0.01)
                yield found

    cache = site.database.parent / "cache"
    examining = Examining(parts.store, parts.catalogue, Slow(), cache, None, 0.01)

    async def stopped() -> int:
        task = asyncio.create_task(examining.run())
        while not ran:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return ran

    async def ended() -> None:
        await asyncio.get_running_loop().shutdown_default_executor()

    before = site.ask(stopped())
    site.ask(ended())
    assert ran <= before + 2


@pytest.mark.slow
def test_the_gate_examines_one_after_another_and_says_why(site: Inside) -> None:
    """In the background, with progress: a broken promise is a reason with its place."""
    admin = site.visitor(token=TOKENS["admin"])
    starter = b"def weighted_mean(values, weights):\n    return 2.75\n"
    good = sent(admin, package()).json()
    bad = sent(admin, package("bad_mean", variants___plain___starter__py=starter)).json()
    parts = site.parts
    examining = Examining(
        parts.store, parts.catalogue, parts.runner, site.database.parent / "cache", None, 0.01
    )

    async def until_done() -> None:
        task = asyncio.create_task(examining.run())
        while any(u.state in ("waiting", "examining") for u in await parts.store.package_uploads()):
            await asyncio.sleep(0.05)
        task.cancel()

    site.ask(until_done())
    found = admin.get(good["url"]).json()
    slow = {"time_room"}  # a busy machine is not the package's fault
    assert [r for r in found["report"]["reasons"] if r["rule"] not in slow] == []
    assert found["report"]["figures"]["plain"]["mutants"]["survived"] == 0
    refused = admin.get(bad["url"]).json()
    assert refused["state"] == "refused"
    [reason] = [r for r in refused["report"]["reasons"] if r["rule"] == "starter"]
    assert reason["path"] == "bad_mean/variants/plain/starter.py"
