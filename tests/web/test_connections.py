"""Connections that say nothing, say it slowly, or are too many; and HEAD, which is GET without a body."""

from __future__ import annotations

import asyncio
import resource
import socket
import time

import httpx
import pytest
import uvicorn

from app.web import connections
from app.web.connections import BoundedProtocol, connections_for
from tests.web.started import PROBLEM, RIGHT, Site


@pytest.mark.parametrize(
    "path", ["/", f"/problems/{PROBLEM}", "/livez", "/readyz", "/api/v1/problems", "/no/such"]
)
def test_head_is_answered_as_get_is(site: Site, path: str) -> None:
    """The same status and headers, no body; the connection goes on."""
    plain = {"Accept-Encoding": "identity"}  # compressed, a page is as long as its nonce lets it
    with httpx.Client(base_url=site.url, headers=plain) as client:
        head, get = client.head(path), client.get(path)
    assert head.content == b""
    assert head.status_code == get.status_code
    for name in ("content-type", "content-length"):
        assert head.headers[name] == get.headers[name]


def test_head_of_a_stream_ends(site: Site, api: httpx.Client) -> None:
    """There is nothing to wait for."""
    sent = api.post("/submissions", json={"problem": PROBLEM, "source": RIGHT}).json()
    answer = api.head(f"/submissions/{sent['id']}/events", timeout=10)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")


class Here:
    """A server in this process whose connections have little time."""

    def __init__(self, limit: int) -> None:
        async def hello(scope: object, receive: object, send: object) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator]
            await send({"type": "http.response.body", "body": b"hello"})  # type: ignore[operator]

        config = uvicorn.Config(
            hello,
            lifespan="off",
            log_config=None,
            http=BoundedProtocol,
            limit_concurrency=limit,
            timeout_keep_alive=1,
        )
        self.server = uvicorn.Server(config)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self.listener.getsockname()


async def _ended(address: tuple[str, int], sent: bytes, slowly: bool = False) -> bytes:
    """What comes back until the server closes."""
    reader, writer = await asyncio.open_connection(*address)
    for piece in [bytes([one]) for one in sent] if slowly else [sent]:
        if reader.at_eof():
            break
        writer.write(piece)
        await asyncio.sleep(0.02 if slowly else 0)
    try:
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        return b""
    finally:
        writer.close()


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 0.2)
    monkeypatch.setattr(connections, "_SPARE", 3)
    return


@pytest.mark.usefixtures("soon")
def test_who_never_finishes_a_head_is_let_go() -> None:
    """Silent from the start, in the middle of a head, and byte by byte; others are served."""

    async def scenario() -> None:
        here = Here(limit=50)
        serving = asyncio.create_task(here.server.serve([here.listener]))
        begun = time.monotonic()
        head = b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"y" * 200
        closed = await asyncio.gather(
            _ended(here.address, b""),
            _ended(here.address, head),
            _ended(here.address, head, slowly=True),
            _ended(here.address, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
        )
        assert list(closed[:3]) == [b"", b"", b""]
        assert b"hello" in closed[3]
        assert time.monotonic() - begun < 8
        here.server.should_exit = True
        await serving

    asyncio.run(scenario())


@pytest.mark.usefixtures("soon")
def test_too_many_are_told_so_and_many_more_are_closed() -> None:
    """Over the limit comes 503; far over it the connection ends at once."""

    async def scenario() -> None:
        here = Here(limit=4)
        serving = asyncio.create_task(here.server.serve([here.listener]))
        held = [await asyncio.open_connection(*here.address) for _ in range(4)]
        ask = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        assert b" 503 " in await _ended(here.address, ask)
        held += [await asyncio.open_connection(*here.address) for _ in range(3)]
        assert await _ended(here.address, ask) == b""
        for _, writer in held:
            writer.close()
        await asyncio.sleep(0.3)
        assert b"hello" in await _ended(here.address, ask)
        here.server.should_exit = True
        await serving

    asyncio.run(scenario())


def test_no_more_connections_than_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine gives few, a part is kept for boxes and the database."""
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    assert connections_for(100) == 100
    assert not raised
    assert connections_for(4096) == 4096 - 576
    assert raised == [(4096, 4096)]
