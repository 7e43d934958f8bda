"""How much somebody may ask for in a time, and the headers that say so."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from fastapi import Request
from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from app.errors import TooManyRequests
from app.web.reply import add_header


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `amount` in any `window_s` seconds; 0: as many as they like."""

    name: str
    amount: int
    window_s: int = 60


class Rates:
    """Counts who asked for what, in the memory of this process."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def take(self, request: Request, rate: Rate, who: str) -> None:
        """Count one more of it, and say in the response's headers how many are left.

        The headers are those of draft-ietf-httpapi-ratelimit-headers: quota and window, then what
        remains and in how many seconds there is more. Raises TooManyRequests.
        """
        if not rate.amount:
            return
        item = RateLimitItemPerSecond(rate.amount, rate.window_s, rate.name)
        allowed = self._limiter.hit(item, who)
        stats = self._limiter.get_window_stats(item, who)
        more_s = max(1, math.ceil(stats.reset_time - time.time()))
        policy = f'"{rate.name}";q={rate.amount};w={rate.window_s}'
        add_header(request, "RateLimit-Policy", policy, key=rate.name)
        state = f'"{rate.name}";r={stats.remaining};t={more_s}'
        add_header(request, "RateLimit", state, key=rate.name)
        if not allowed:
            raise TooManyRequests(
                f"at most {rate.amount} {rate.name} in {_spoken(rate.window_s)}; "
                f"try again in {_spoken(more_s)}",
                more_s,
            )

    def forgive(self, rate: Rate, who: str) -> None:
        """Count from zero again."""
        self._limiter.clear(RateLimitItemPerSecond(rate.amount, rate.window_s, rate.name), who)


def _spoken(seconds: int) -> str:
    if seconds < 120:
        return "a minute" if seconds == 60 else f"{seconds} second{'s' if seconds > 1 else ''}"
    return f"{math.ceil(seconds / 60)} minutes"
