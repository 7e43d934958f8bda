"""What this machine gives: each layer, whether policy needs it, how that was probed, what to do."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from app.errors import SandboxError
from app.model import Call, Exceeded, Fact, Outcome, Returned
from app.sandbox.keeper import Keeper
from app.sandbox.plan import TIERS, Plan, Tier
from app.sandbox.probes import PROBES, Probe

_ROUNDS = 21

State = Literal["holds", "missing", "broken"]


@dataclass(frozen=True, slots=True)
class Probed:
    """One attack that was tried in a box, and what came of it."""

    layer: str
    attempt: str
    refused: bool
    seen: str


@dataclass(frozen=True, slots=True)
class LayerReport:
    """`required`: the tier that was asked for needs it. `remedy`: what to do if it does not hold."""

    layer: str
    required: bool
    state: State
    how: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Report:
    """`tier` is what boxes here have; `reasons` why not more. `box_ms`: a small test in a waiting box."""

    tier: Tier
    min_tier: Tier
    sufficient: bool
    layers: tuple[LayerReport, ...]
    probes: tuple[Probed, ...]
    reasons: tuple[str, ...]
    box_ms: float | None


def examine(min_tier: Tier = "C", force_tier: Tier | None = None) -> Report:
    """Make boxes as the service would, and attack them. Never raises: a machine without is tier X."""
    try:
        with Keeper("C", force_tier=force_tier) as keeper:
            probes = tuple(_probe(keeper, PROBES))
            box_ms = _latency_ms(keeper)
            plan, reasons = keeper.plan, tuple(keeper.report)
    except SandboxError as error:
        nothing = tuple(_layers(None, min_tier, ()))
        return Report("X", min_tier, False, nothing, (), (str(error),), None)
    layers = tuple(_layers(plan, min_tier, probes))
    broken = any(layer.state == "broken" for layer in layers)
    tier: Tier = "X" if broken else plan.tier
    sufficient = TIERS.index(tier) <= TIERS.index(min_tier)
    return Report(tier, min_tier, sufficient, layers, probes, reasons, box_ms)


def _probe(keeper: Keeper, probes: Iterable[Probe]) -> Iterable[Probed]:
    """Run the attacks that must fail in this tier, each in a box of its own."""
    tried = [probe for probe in probes if keeper.tier in probe.tiers]
    calls = [Call(p.source, "probe", (), 0, p.runtime, p.limits) for p in tried]
    outcomes = dict(keeper.run(calls))
    for index, probe in enumerate(tried):
        yield _judged(probe, outcomes[index])


def _judged(probe: Probe, outcome: Outcome) -> Probed:
    fact: Fact = outcome.fact
    if probe.ends:
        refused = fact == Exceeded(probe.ends)  # type: ignore[arg-type]
        seen = f"stopped by the {probe.ends} limit" if refused else str(fact)
    else:
        refused = isinstance(fact, Returned) and fact.value == ""
        seen = "refused" if refused else str(getattr(fact, "value", fact))
    return Probed(probe.layer, probe.attempt, refused, seen)


def _latency_ms(keeper: Keeper) -> float:
    """Median from source to result of one small test, in a box that was waiting, milliseconds."""
    call = Call("def f(x):\n    return x + 1\n", "f", (1.0,))
    walls_s = []
    for _ in range(_ROUNDS):
        time.sleep(0.01)
        start = time.perf_counter()
        list(keeper.run([call]))
        walls_s.append(time.perf_counter() - start)
    return round(statistics.median(walls_s) * 1000, 3)


# --- Layers -------------------------------------------------------------------------------------

_OUTSIDE = "seen from outside, in /proc, for every box before it is used"
_UNSHARE = (
    "allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0), or run as root with CAP_SYS_ADMIN; "
    "in Docker: --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
)
_CGROUP = (
    "run as root with a writable /sys/fs/cgroup, or give the service a delegated group "
    "(systemd: Delegate=memory pids); in Docker: --cgroupns=private and a writable /sys/fs/cgroup"
)
_KERNEL = "needs Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK, and `landlock` in the lsm= boot option"
_SECCOMP = "install libseccomp (Debian: apt-get install libseccomp2) on a kernel with CONFIG_SECCOMP_FILTER"
_OURS = "this is a defect: please report it as SECURITY.md says"

# layer: (tiers that need it, how it is probed, what to do)
_KNOWN: dict[str, tuple[str, str, str]] = {
    "namespaces": ("AB", _OUTSIDE, _UNSHARE),
    "private root": ("AB", "looking for the machine's files from inside", _UNSHARE),
    "cgroup": ("A", _OUTSIDE, _CGROUP),
    "memory": ("ABC", "using too much", _CGROUP),
    "uid": ("ABC", "asking who it is; seen from outside", "run as root, or as any user but root"),
    "capabilities": ("ABC", _OUTSIDE, _OURS),
    "no_new_privs": ("ABC", _OUTSIDE, _OURS),
    "limits": ("ABC", "going beyond each", _OURS),
    "descriptors": ("ABC", "looking for open ones from inside", _OURS),
    "environment": ("ABC", "reading it from inside", _OURS),
    "runtime": ("ABC", "importing NumPy where it must not be", _OURS),
    "landlock": ("ABC", "opening what is not allowed, in every box", _KERNEL),
    "seccomp": ("ABC", "making forbidden system calls, in every box", _SECCOMP),
}


def _layers(plan: Plan | None, min_tier: Tier, probes: Iterable[Probed]) -> Iterable[LayerReport]:
    failed = {probe.layer for probe in probes if not probe.refused}
    for layer, (tiers, how, remedy) in _KNOWN.items():
        if plan is None or not _has(plan, layer):
            state: State = "missing"
        else:
            state = "broken" if layer in failed else "holds"
        yield LayerReport(layer, min_tier in tiers, state, how, "" if state == "holds" else remedy)


def _has(plan: Plan, layer: str) -> bool:
    if layer in {"namespaces", "private root"}:
        return plan.namespaces or (layer == "private root" and plan.chroot)
    return plan.cgroup if layer == "cgroup" else True
