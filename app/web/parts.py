"""What the web hands out is asked of these parts; `assembly` builds them and hands them down."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TypeAlias

from starlette.requests import Request

from app.metrics import Metrics
from app.model import Runner
from app.problem import Catalogue
from app.queue import Queue
from app.store import Store
from app.web.address import address_key
from app.web.events import Events
from app.web.passwords import Passwords
from app.web.provider import Provider
from app.web.queue_place import QueuePlaces
from app.web.rates import Rates
from app.web.room import Room
from app.web.secret import OneTimeKey

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
class Allowance:
    """What somebody may ask for; 0: as much as they like."""

    submissions_a_minute: int = 0
    runs_a_minute: int = 0
    waiting: int = 100  # submissions and runs that may wait at once


@dataclass(frozen=True, slots=True)
class Allowances:
    """A guest is an address, behind which may be a classroom; a token has its own rates, and the
    queue is shared between accounts whatever they use."""

    guest: Allowance = Allowance()
    account: Allowance = Allowance()
    token: Allowance = Allowance()


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
    data: Path = Path()  # whose disk is looked at
    metrics: Metrics = field(default_factory=Metrics)
    metrics_readers: tuple[Network, ...] = LOOPBACK  # who needs no token to read them
    boxes: Callable[[], int] = lambda: 0  # kept ready now
    unfit: Callable[[], str] = lambda: ""  # why the worker here takes no work; empty: it does
    # By package: what verification beside the service found against it.
    broken_promises: Callable[[], Mapping[str, Sequence[str]]] = dict
    queue_limit: int = 1000  # submissions that may wait
    allowances: Allowances = Allowances()  # what guests, accounts and tokens may ask for
    guest_submissions: bool = True  # whether guests may run and submit
    sign_up: bool = True  # whether everybody may make an account
    # The package and the uploaded tests of a family that are served now, where others judge.
    version: Callable[[str], tuple[str, str]] = lambda family: ("", "")
    wait_s: float = 60.0  # the longest `?wait=`
    session_s: float = 30 * 86400.0  # after which an unused session ends
    provider: Provider | None = None  # with whom people can sign in as well
    set_up: OneTimeKey = field(
        default_factory=lambda: OneTimeKey("")
    )  # opens the page for the first admin
    places: QueuePlaces = field(default_factory=QueuePlaces)
    guest_key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    passwords: Passwords = field(default_factory=Passwords)
    rates: Rates = field(default_factory=Rates)
    room: Room = field(default_factory=Room)

    def address(self, request: Request) -> str:
        """From where somebody asks; no more is known of it than whether two are the same."""
        return address_key(self.guest_key, request)
