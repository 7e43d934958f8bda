"""The figures of one run, and how they are put."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and 95th percentile, in milliseconds."""

    p50: float
    p95: float

    @classmethod
    def of(cls, walls_s: Sequence[float]) -> Spread:
        ordered = sorted(walls_s)
        return cls(
            p50=round(ordered[len(ordered) // 2] * 1000, 3),
            p95=round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))] * 1000, 3),
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """What `bench --json` prints. Times in milliseconds, memory in MiB."""

    tier: str
    tests: int
    floor_ms: float
    judge_ms: Spread
    ratio_to_floor: float
    cpu_ratio: float
    cold_ms: float
    speedup_over_cold: float
    http_ms: Spread
    queue_ms: float
    half_load_ms: Spread
    throughput_per_s: float
    throughput_ratio: float
    box_ms: float
    large_copies: float
    rss_idle_mib: float
