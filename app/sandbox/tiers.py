"""Which tier this machine gives: each way of making boxes is tried, best first, with a real box."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from app.errors import BoxFault, SandboxUnavailable
from app.sandbox import cgroups
from app.sandbox.plan import TIERS, Plan, Tier
from app.sandbox.pool import Pool


def open_pool(
    min_tier: Tier, force_tier: Tier | None, ready_ahead: int, program: Path, report: list[str]
) -> Pool:
    """The best pool that policy allows. `report` collects why better ones were passed over.

    Raises SandboxUnavailable where nothing at or above `min_tier` works.
    """
    for plan in _plans():
        if force_tier is not None and plan.tier != force_tier:
            continue
        if TIERS.index(plan.tier) > TIERS.index(min_tier):
            break
        try:
            return _tried(plan, ready_ahead, program)
        except (SandboxUnavailable, BoxFault, OSError) as error:
            report.append(f"tier {plan.tier}: {error}")
    reasons = "; ".join(report) or "nothing was tried"
    raise SandboxUnavailable(f"no box of tier {force_tier or min_tier} can be made here: {reasons}")


def _plans() -> Iterator[Plan]:
    """Every way of making boxes, best first; never by asking for root, only by using it."""
    root = os.geteuid() == 0
    for cgroup in (True, False):
        if root:
            yield Plan(True, False, cgroup, own_uid=True, chroot=False)
        yield Plan(True, True, cgroup, own_uid=False, chroot=False)
    if root:
        yield Plan(False, False, False, own_uid=True, chroot=True)
        yield Plan(False, False, False, own_uid=True, chroot=False)
    yield Plan(False, False, False, own_uid=False, chroot=False)


def _tried(plan: Plan, ready_ahead: int, program: Path) -> Pool:
    """A pool whose first box passed the gate."""
    pool = Pool(plan, cgroups.open_groups() if plan.cgroup else None, ready_ahead, program)
    try:
        box, _ = pool.take("numpy")
        pool.discard(box)
        pool.tend()
    except BaseException:
        pool.close()
        raise
    return pool
