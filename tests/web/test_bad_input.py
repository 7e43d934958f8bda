"""Whatever a client sends: a clear refusal, documented, in one shape; never a fault of ours."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.web import body as reading
from app.web.body import parsed
from app.web.form import posted_program
from tests.web.started import PROBLEM, RIGHT, Lines, Site

JSON = {"Content-Type": "application/json"}


def body(**changed: object) -> bytes:
    sent = {"problem": PROBLEM, "source": RIGHT, **changed}
    return json.dumps(sent, separators=(",", ":")).encode()


BODIES: dict[str, tuple[bytes, int]] = {
    "empty": (b"", 400),
    "not JSON": (b"problem=x", 400),
    "cut off": (body()[:-5], 400),
    "two values": (body() + b" {}", 400),
    "a key twice": (b'{"problem": "a", "problem": "b", "source": ""}', 400),
    "a key twice, escaped": (b'{"problem": "a", "probl\\u0065m": "b", "source": ""}', 400),
    "NaN": (b'{"problem": NaN, "source": ""}', 400),
    "-Infinity": (b'{"problem": -Infinity, "source": ""}', 400),
    "beyond float": (b'{"problem": 1e999, "source": ""}', 400),
    "an endless integer": (b'{"problem": ' + b"9" * 5000 + b', "source": ""}', 400),
    "too deep": (b"[" * 100_000, 400),
    "deep and closed": (b"[" * 50_000 + b"]" * 50_000, 400),
    "not UTF-8": (b'{"problem": "\xff", "source": ""}', 400),
    "UTF-16": (body().decode().encode("utf-16"), 400),
    "a byte order mark": (b"\xef\xbb\xbf" + body(), 400),
    "a list": (b"[]", 422),
    "a string": (b'"problem"', 422),
    "null": (b"null", 422),
    "no source": (b'{"problem": "a"}', 422),
    "an unknown field": (body(verdict="AC"), 422),
    "an unknown field, not Unicode": (b'{"problem": "a", "source": "", "\\ud800": 1}', 422),
    "a source that is a number": (body(source=1), 422),
    "a source that is a list": (body(source=["a"]), 422),
    "NUL": (body(source="x = '\0'"), 422),
    "half a surrogate pair": (b'{"problem": "a", "source": "\\ud83d"}', 422),
    "the other half": (b'{"problem": "a", "source": "\\ude00\\ud83d"}', 422),
    "a source of 64 KiB and a byte": (body(source="#" * (64 * 1024 + 1)), 422),
    "64 Ki characters, more in UTF-8": (body(source="é" * (32 * 1024 + 1)), 422),
    "a problem id of 201 characters": (body(problem="x" * 201), 422),
    "an unknown problem": (body(problem="weighted_mean/none"), 404),
    "a path as a problem": (body(problem="../../etc/passwd"), 404),
    "NUL in the problem": (body(problem="a\0b"), 404),
    "257 KiB": (b" " * (257 * 1024), 413),
    "16 MiB": (b" " * (16 * 1024 * 1024), 413),
}

TYPES: dict[str, int] = {
    "": 415,
    "text/plain": 415,
    "application/x-www-form-urlencoded": 415,
    "multipart/form-data": 415,
    "application/json; charset=latin-1": 415,
    "application/jsonp": 415,
    "text/html, application/json": 415,
    "\u0100".encode().decode("latin-1"): 415,
}

ARGUMENTS: dict[str, object] = {
    "a list": [],
    "a number": 7,
    "nothing": {},
    "one missing": {"values": [1.0]},
    "one too many": {"values": [1.0], "weights": [1.0], "more": 1},
    "text": {"values": "abc", "weights": [1.0]},
    "ragged": {"values": [[1.0], [1.0, 2.0]], "weights": [1.0]},
    "not finite": {"values": [{"float": "NaN"}], "weights": [1.0]},
    "an unknown tag": {"values": {"pickle": "gASV"}, "weights": [1.0]},
    "object dtype": {"values": {"array": [1], "dtype": "object"}, "weights": [1.0]},
    "a bad shape": {"values": [1.0, 2.0], "weights": [1.0]},
    "out of the domain": {"values": [1.0], "weights": [-1.0]},
    "a huge integer": {"values": [10**400], "weights": [1.0]},
    **{
        f"{depth} deep": {"values": json.loads("[" * depth + "]" * depth), "weights": [1.0]}
        for depth in (10, 65, 200, 500, 900)
    },
    "many": {"values": [0] * 100_001, "weights": [1.0]},
    "odd names": {"values": [1.0], "weights": [1.0], "\u202e\u200b": 1, "x" * 5000: 1},
}

WAITS = ["abc", "-1", "1e999", "nan", "inf", "601", "", "1&wait=x", "%00", "%ff"]

PATHS: list[tuple[str, str, int]] = [
    ("GET", "/api/v1/nothing", 404),
    ("GET", "/api/v1/problems/weighted_mean/none", 404),
    ("GET", "/api/v1/problems/%00/%00", 404),
    ("GET", "/api/v1/problems/..%2f..%2fetc/passwd", 404),
    ("GET", "/api/v1/problems/%ff/%fe", 404),
    ("GET", "/api/v1/submissions/none", 404),
    ("GET", "/api/v1/submissions/%00", 404),
    ("GET", "/api/v1/submissions/" + "x" * 5000, 404),
    ("GET", "/api/v1/submissions/none/events", 404),
    ("GET", f"/static/{'x' * 300}", 404),
    ("GET", f"/static/figures/weighted_mean/{'x' * 300}.0.js", 404),
    ("GET", f"/static/figures/{'x' * 300}/x.0.js", 404),
    ("GET", f"/problems/{'x' * 300}/{'y' * 5000}", 404),
    ("PUT", "/api/v1/submissions", 405),
    ("DELETE", "/api/v1/submissions/none", 405),
    ("PATCH", "/api/v1/problems", 405),
    ("POST", "/readyz", 405),
    ("PUT", "/api/v1/admin/problems/weighted_mean/tests", 405),
]


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site.url, timeout=30) as opened:
        yield opened


@pytest.fixture(scope="module")
def documented(client: httpx.Client) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/api/v1/openapi.json").json()
    return document


def check(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The one shape of every refusal; in UTF-8, and legal for any reader of JSON."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    refusal: dict[str, Any] = json.loads(answer.content.decode("utf-8"))
    assert set(refusal) == {"type", "title", "status", "detail", "errors"}
    assert refusal["status"] == status
    assert refusal["detail"]
    for error in refusal["errors"]:
        assert set(error) == {"where", "message"}
        assert error["message"]
    return refusal


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda t: t.encode(errors="replace")))
def test_any_bytes_are_json_or_refused(sent: bytes) -> None:
    """Malformed JSON says why; nothing else comes out of reading it."""
    refused: HTTPException | None = None
    try:
        parsed(sent)
    except HTTPException as error:
        refused = error
    assert refused is None or (refused.status_code in (400, 422) and refused.detail)


@pytest.mark.parametrize("route", ["submissions", "runs"])
@pytest.mark.parametrize("case", BODIES)
def test_a_bad_body_is_refused(
    client: httpx.Client, documented: dict[str, Any], route: str, case: str
) -> None:
    """Each with its status, which the API's document lists, also when its length is not announced."""
    content, status = BODIES[case]
    post = partial(client.post, f"/api/v1/{route}", headers=JSON)
    check(post(content=content), status)
    check(post(content=(content[i : i + 65536] for i in range(0, len(content), 65536))), status)
    assert str(status) in documented["paths"][f"/api/v1/{route}"]["post"]["responses"]


@pytest.mark.parametrize("kind", TYPES)
def test_only_json_is_taken(client: httpx.Client, kind: str) -> None:
    """A form from another site cannot submit anything."""
    headers = [(b"Content-Type", kind.encode("latin-1"))] if kind else []
    content = [body()]  # an iterator: httpx adds no type of its own
    check(client.post("/api/v1/submissions", headers=headers, content=iter(content)), TYPES[kind])


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"']
)
def test_json_may_name_its_charset(client: httpx.Client, kind: str) -> None:
    """As many clients do, in whatever case."""
    answer = client.post("/api/v1/submissions", headers={"Content-Type": kind}, content=body())
    assert answer.status_code == 202


@pytest.mark.parametrize("case", ARGUMENTS)
def test_bad_custom_input_is_refused_at_its_field(client: httpx.Client, case: str) -> None:
    """Before anything runs, and with the place of each error."""
    content = body(arguments=ARGUMENTS[case])
    refusal = check(client.post("/api/v1/runs", headers=JSON, content=content), 422)
    assert all(error["where"].startswith("arguments") for error in refusal["errors"])
    assert refusal["errors"]


@pytest.mark.parametrize("wait", WAITS)
def test_a_bad_wait_is_refused(client: httpx.Client, wait: str) -> None:
    """Nothing is stored for a request that cannot be answered as asked."""
    answer = client.post(f"/api/v1/submissions?wait={wait}", headers=JSON, content=body())
    check(answer, 422)


@pytest.mark.parametrize(("method", "path", "status"), PATHS)
def test_a_bad_address_is_refused(
    client: httpx.Client, method: str, path: str, status: int
) -> None:
    """Unknown things are 404; known things asked in an unknown way are 405 and say how."""
    answer = client.request(method, path)
    check(answer, status)
    assert ("allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize("seen", ["", "judged", "x" * 5000, "judged.1", "\u00e9", "0.0"])
def test_any_last_event_id_is_taken(client: httpx.Client, seen: str) -> None:
    """It comes from whoever reconnects; what makes no sense counts as nothing seen."""
    made = client.post("/api/v1/submissions?wait=30", headers=JSON, content=body())
    headers = [(b"Last-Event-ID", seen.encode("latin-1"))]
    answer = client.get(f"/api/v1/submissions/{made.json()['id']}/events", headers=headers)
    assert answer.status_code == (204 if seen == "judged" else 200)


RAW = [
    b"GET / HTTP/9.9\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST /api/v1/submissions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: -1\r\n\r\n",
    b"POST /api/v1/submissions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: 9999999999\r\n\r\n{}",
    b"POST /api/v1/submissions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n",
    b"GET /api/v1/problems HTTP/1.1\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
]


@pytest.mark.parametrize("raw", RAW, ids=range(len(RAW)))
def test_what_is_hardly_http_does_no_harm(site: Site, client: httpx.Client, raw: bytes) -> None:
    """The connection ends, or gets a refusal; the next client is served as if nothing had been."""
    address = urlsplit(site.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        reply = b""
        with suppress(OSError):  # it may have ended in the middle of the request
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
            reply = connection.recv(65536)
    assert not reply.startswith(b"HTTP/1.1 5"), reply
    assert client.get("/livez").status_code == 200


@pytest.mark.parametrize(
    "path", ["/api/v1/submissions", "/api/v1/runs", f"/problems/{PROBLEM}"], ids=str
)
def test_a_client_that_leaves_while_it_sends_does_no_harm(
    site: Site, client: httpx.Client, path: str
) -> None:
    """Whatever it was sending, and to whom: that is everyday life, and no fault."""
    address = urlsplit(site.url)
    kind = "application/json" if path.startswith("/api/") else "application/x-www-form-urlencoded"
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: {kind}\r\nContent-Length: 99\r\n\r\n"

    def refused(lines: Lines) -> int:
        return sum(line["path"] == path for line in lines)

    before = refused(site.logged(400, lambda lines: True))
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(head.encode() + b"source=")
    after = site.logged(400, lambda lines: refused(lines) > before)
    assert refused(after) == before + 1
    assert client.get("/livez").status_code == 200


def test_a_body_that_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a program in JSON nor one in a form may hold a connection for ever."""
    monkeypatch.setattr(reading, "_BODY_S", 0.05)

    async def nothing() -> dict[str, object]:
        await asyncio.sleep(60)
        raise AssertionError

    request = Request({"type": "http", "method": "POST", "headers": []}, nothing)
    with pytest.raises(HTTPException) as refused:
        asyncio.run(posted_program(request, PROBLEM))
    assert refused.value.status_code == 408


def test_one_key_twice_among_many_is_found_at_once() -> None:
    """The event loop reads it, and everybody waits meanwhile."""
    keys = [*(f'"{n:05d}":1' for n in range(24_000)), '"23999":1']
    before_s = time.process_time()
    with pytest.raises(HTTPException, match="the key '23999' is given twice"):
        parsed(b"{" + ",".join(keys).encode() + b"}")
    assert time.process_time() - before_s < 1.0


def test_a_refusal_is_shorter_than_what_it_refuses(client: httpx.Client) -> None:
    """Of many faults a hundred are told, and how many there are."""
    sent = body(**{f"k{n:05d}": 1 for n in range(10_000)})
    answer = client.post("/api/v1/submissions", content=sent, headers=JSON)
    assert answer.status_code == 422
    assert "and 9999 more" in answer.json()["detail"]
    assert len(answer.json()["errors"]) == 100
    assert len(answer.content) < len(sent)


def test_nothing_of_all_this_was_a_fault_of_ours(site: Site) -> None:
    """No request ended in a traceback; comes last in this file on purpose."""
    assert '"level": "error"' not in site.log.read_text()
