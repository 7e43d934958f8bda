"""What the web hands out is asked of these parts; `assembly` builds them and hands them down."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TypeAlias

from app.metrics import Metrics
from app.model import Runner
from app.problem import Catalogue
from app.queue import Queue
from app.store import Store
from app.web.events import Events
from app.web.queue_place import QueuePlaces

Network: TypeAlias = IPv4Network | IPv6Network
LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.1"), ip_network("::1"))


@dataclass(frozen=True, slots=True)
class SandboxState:
    """Whether programs can be judged here. `reason` and `remedy` are for the admin and the log."""

    tier: str  # "A", "B", "C" or "X"
    allowed: bool
    reason: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything a route may ask, and nothing else: no settings travel."""

    catalogue: Catalogue
    store: Store
    queue: Queue
    events: Events
    sandbox: Callable[[], SandboxState]
    runner: Runner
    static: Path
    metrics: Metrics = field(default_factory=Metrics)
    metrics_readers: tuple[Network, ...] = LOOPBACK  # who needs no token to read them
    boxes: Callable[[], int] = lambda: 0  # kept ready now
    unfit: Callable[[], str] = lambda: ""  # why the worker here takes no work; empty: it does
    queue_limit: int = 1000  # submissions that may wait
    queue_share: int = 100  # of these, submissions of one account
    wait_s: float = 60.0  # the longest `?wait=`
    session_s: float = 30 * 86400.0  # after which an unused session ends
    places: QueuePlaces = field(default_factory=QueuePlaces)
    guest_key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
