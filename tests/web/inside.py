"""A site inside the test's own process, where real HTTP would add nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
from argon2 import PasswordHasher

from app.problem import load_catalogue
from app.published import serve_uploaded
from app.queue import MemoryQueue
from app.store import Store, open_store
from app.web.app import create_app
from app.web.events import Events
from app.web.parts import Parts, SandboxState
from app.web.passwords import Passwords
from tests.problem.plain_runner import PlainRunner
from tests.web.started import BASE

_Answer = TypeVar("_Answer")

# Hashes like the real ones, in a thousandth of their time.
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
# What a browser says of a request that its user's own page made.
OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}


@dataclass
class Inside:
    """A site without a worker: what is submitted waits for ever."""

    parts: Parts
    database: Path
    runner: asyncio.Runner
    transport: httpx.ASGITransport

    @property
    def store(self) -> Store:
        return self.parts.store

    def ask(self, question: Coroutine[Any, Any, _Answer]) -> _Answer:
        return self.runner.run(question)

    def visitor(
        self,
        headers: Mapping[str, str | bytes] | None = None,
        token: str | None = None,
        base: str = "http://allclose.test",
    ) -> Visitor:
        """Somebody with cookies of their own; with a token, if one is given."""
        client = httpx.AsyncClient(transport=self.transport, base_url=base)
        for name, value in (headers or {}).items():
            client.headers.update({name: value})  # type: ignore[arg-type]  # bytes are taken too
        if token is not None:
            client.headers["Authorization"] = f"Bearer {token}"
        return Visitor(self.runner, client)

    def browser(self, base: str = "http://allclose.test") -> Visitor:
        """Somebody who reads pages."""
        return self.visitor(OWN_PAGE, base=base)


@dataclass
class Visitor:
    runner: asyncio.Runner
    client: httpx.AsyncClient

    @property
    def cookies(self) -> httpx.Cookies:
        return self.client.cookies

    def ask(self, method: str, path: str, **sent: Any) -> httpx.Response:
        return self.runner.run(self.client.request(method, path, **sent))

    def get(self, path: str, **sent: Any) -> httpx.Response:
        return self.ask("GET", path, **sent)

    def post(self, path: str, **sent: Any) -> httpx.Response:
        return self.ask("POST", path, **sent)


@contextmanager
def inside(data: Path, problems: Path = BASE, **changed: Any) -> Iterator[Inside]:
    """A site over a database of its own; `changed` are other parts than the usual ones."""
    database, runner = data / "allclose.sqlite3", PlainRunner()
    store = open_store(database)
    usual: dict[str, Any] = {
        "catalogue": load_catalogue(problems, data / "cache", runner),
        "store": store,
        "queue": MemoryQueue(),
        "events": Events(),
        "sandbox": lambda: SandboxState("C", True),
        "runner": runner,
        "static": Path("static/dist"),
        "passwords": Passwords(CHEAP),
    }
    parts = Parts(**usual | changed)
    transport = httpx.ASGITransport(create_app(parts), client=("192.0.2.1", 4000))
    with asyncio.Runner() as loop:
        loop.run(serve_uploaded(parts.store, parts.catalogue))
        yield Inside(parts, database, loop, transport)
        loop.run(store.close())
