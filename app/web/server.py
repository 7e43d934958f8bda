"""Runs the site, and a worker beside it, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import structlog
import uvicorn
from fastapi import FastAPI

from app.errors import SettingsError
from app.web.connections import KEEP_S, BoundedProtocol, connections_for
from app.web.events import Events

# How long a thread that judges may keep the event loop from the interpreter's lock.
_SWITCH_S = 0.0005
# Of the threads that serve and judge; boxes keep that of the process that started us.
_NICENESS = -5

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Listening:
    """Where to listen, whom to believe, and how long to wait for the last ones."""

    host: str = "127.0.0.1"
    port: int = 8000
    proxies: str = "127.0.0.1"
    stop_s: float = 10.0
    connections: int = 4096


def serve(
    site: FastAPI,
    events: Events,
    listening: Listening,
    work: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ready: Callable[[str], None] = lambda url: None,
    runner: asyncio.Runner | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; `work` runs beside it and may finish what it is at.

    On the loop of `runner`, where others live on that already.

    `ready` is told the URL once connections are accepted.
    Raises SettingsError where the address cannot be had.
    """
    listener = _listener(listening)
    config = uvicorn.Config(
        site,
        log_config=None,
        access_log=False,
        lifespan="off",
        http=BoundedProtocol,
        limit_concurrency=connections_for(listening.connections),
        timeout_keep_alive=KEEP_S,
        server_header=False,
        forwarded_allow_ips=listening.proxies,
        timeout_graceful_shutdown=max(1, round(listening.stop_s)),
    )
    server = _Server(config, events)
    sys.setswitchinterval(_SWITCH_S)
    _go_first()
    keep_what_is_loaded()
    ready(_url(listening, listener))
    if runner is not None:
        runner.run(_both(server, listener, work))
        return
    with new_runner() as runner:
        runner.run(_both(server, listener, work))


def new_runner() -> asyncio.Runner:
    """A loop of the kind that serves best here."""
    # Without its own logging, which would print a line for each request beside our logs.
    config = uvicorn.Config("", log_config=None)
    return asyncio.Runner(loop_factory=config.get_loop_factory())


def work_until_told(runner: asyncio.Runner, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Work until SIGTERM or SIGINT; it may finish what it is at."""

    async def until_told() -> None:
        told = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, told.set)
        tasks = {asyncio.create_task(work()), asyncio.create_task(told.wait())}
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        _log.info("stopping")
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception | ExceptionGroup):
                raise ended

    sys.setswitchinterval(_SWITCH_S)
    keep_what_is_loaded()
    runner.run(until_told())


def keep_what_is_loaded() -> None:
    """Look for garbage from now on, and never through what is loaded, which takes as long as several
    requests. Whoever starts a server has turned the search off before."""
    gc.freeze()
    gc.enable()


def _go_first() -> None:
    """Answer before boxes compute, where this process may ask for that; runtimes do not inherit it."""
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)


async def _both(
    server: _Server, listener: socket.socket, work: Callable[[], Coroutine[Any, Any, None]] | None
) -> None:
    """The server and the worker; where one ends, so does the other."""
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    tasks = {serving}
    if work is not None:
        tasks.add(asyncio.create_task(work()))
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await asyncio.wait({serving})
    for task in tasks - {serving}:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception | ExceptionGroup):
            raise ended


class _Server(uvicorn.Server):
    """Lets watchers go before it waits for them, and leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config, events: Events) -> None:
        super().__init__(config)
        self._events = events

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        _log.info("stopping")
        self._events.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """uvicorn would raise the signal again at its end, before the worker has finished."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)


def _listener(listening: Listening) -> socket.socket:
    """A socket that already takes connections, so that a printed URL works."""
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    try:
        return socket.create_server(
            (listening.host, listening.port), family=family, backlog=2048, reuse_port=False
        )
    except OSError as error:
        place = f"{listening.host}:{listening.port}"
        raise SettingsError(
            f"cannot listen on {place}: {os.strerror(error.errno or 0)}; "
            "choose another with --port or --host"
        ) from error


def _url(listening: Listening, listener: socket.socket) -> str:
    host = f"[{listening.host}]" if ":" in listening.host else listening.host
    return f"http://{host}:{listener.getsockname()[1]}"
