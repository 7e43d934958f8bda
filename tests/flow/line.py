"""The smallest client of HTTP that can send much and cost little: one kept-alive connection."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """Asks one thing after another; connects again where the server has closed."""

    def __init__(self, host: str, port: int) -> None:
        self._place = (host, port)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, sent: Any = None, address: str = "") -> Answer:
        """`address`: on whose behalf, as a proxy would say."""
        body = b"" if sent is None else json.dumps(sent).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
        if address:
            head += f"X-Forwarded-For: {address}\r\n"
        if body:
            head += "Content-Type: application/json\r\n"
        for attempt in range(2):
            try:
                return await self._asked(head.encode() + b"\r\n" + body)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()  # kept alive for too long, perhaps
                if attempt:
                    raise
        raise AssertionError

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _asked(self, request: bytes) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._place)
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in head[1:] if line)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection") == "close":
            self.close()
        return Answer(int(head[0].split()[1]), headers, body)
