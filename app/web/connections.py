"""Connections are bounded: how many there are, and how long one may take to say what it wants.

uvicorn bounds how long an idle connection is kept, but not one that never sends a whole head.
"""

from __future__ import annotations

import asyncio
import resource

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0  # from the first byte, or from connecting, to the end of a request's head
KEEP_S = 5  # between requests
_OWN_FILES = 512  # descriptors that are not connections: boxes, the database, the packages
_SPARE = 64  # connections over the limit that are still told so with 503


def connections_for(wanted: int) -> int:
    """How many connections there may be, with as many descriptors as this process can have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _SPARE + _OWN_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    return max(16, soft - _SPARE - _OWN_FILES)


class BoundedProtocol(H11Protocol):
    """Lets go of whoever does not say within HEAD_S what it wants, and of those who are too many."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.limit_concurrency and len(self.connections) > self.limit_concurrency + _SPARE:
            transport.abort()
            return
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        if not self._busy():
            self._expect_head()
        super().data_received(data)
        if self._busy():
            self._expect_nothing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def _busy(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_S, self._too_late)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_late(self) -> None:
        self._deadline = None
        if not self._busy():
            self.transport.close()
