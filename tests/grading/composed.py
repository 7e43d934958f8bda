"""Programs of random operators put together: nobody's mistake, and most likely no answer.

Each family has its own operators, since a program has to return something of the right form: what is
not even a list says nothing about the diagnosis.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.grading.programs import Program, whole

_Pick = Callable[[Sequence[str]], str]


def composed(family: str, count: int, seed: int = 5) -> list[Program]:
    """Always the same ones for a seed."""
    chance = random.Random(seed)
    return [
        _COMPOSERS[family](chance.choice, f"composed {seed}, {number}") for number in range(count)
    ]


def _program(family: str, name: str, lines: Sequence[str]) -> Program:
    return Program(family, name, (), (), "\n".join(lines) + "\n")


# --- gradient_clipping ----------------------------------------------------------------------------

_ELEMENTS = ("a * a", "np.abs(a)", "a", "np.sin(a)", "np.abs(a) ** 1.5", "np.exp(-a * a)", "a ** 4")
_OVER_ONE = ("np.sum", "np.mean", "np.max", "np.min", "np.std", "np.median", "np.ptp")
_OVER_ALL = ("sum", "max", "min", "np.mean", "np.std", "len")
_OUTSIDE = (
    "np.sqrt(np.abs({}))",
    "np.abs({})",
    "np.log1p(np.abs({}))",
    "np.cbrt({})",
    "np.tanh({})",
)
_FACTORS = (
    "max_norm / n",
    "n / max_norm",
    "max_norm / (n + max_norm)",
    "1 / (1 + n)",
    "max_norm",
    "max_norm * max_norm / n",
    "min(max_norm, n)",
    "n - max_norm",
)
_CONDITIONS = ("n > max_norm", "n < max_norm", "True", "n > 2 * max_norm", "max_norm > 1", "n > 1")
_APPLIED = (
    "a * s",
    "a + s",
    "a - s",
    "s - a",
    "a / s",
    "np.sign(a) * s",
    "a * s * s",
    "a ** 2 * s",
)


def _clipping(pick: _Pick, name: str) -> Program:
    over_all, norm = pick(_OVER_ALL), pick(("n", "n", "n * s", "n + s", "2 * n"))
    parts = f"[float({pick(_OVER_ONE)}({pick(_ELEMENTS)})) for a in arrays]"
    lines = (
        f"parts = {parts} or [0.0]",
        "with np.errstate(all='ignore'):",
        f"    n = np.float64({pick(_OUTSIDE).format(f'{over_all}(parts)')})",
        f"    s = np.float64({pick(_FACTORS)}) if {pick(_CONDITIONS)} else np.float64(1.0)",
        f"    out = [{pick(_APPLIED)} for a in arrays]",
        f"    norm = {norm}",
    )
    return whole(_program("gradient_clipping", name, lines))


# --- lr_schedule ----------------------------------------------------------------------------------

_COUNTS = ("s", "s + 1", "s + 2", "2 * s", "s // 2", "s * s", "total - s", "len(rates)", "s % 7")
_PARTS = (
    "c / total",
    "c / (warmup + 1)",
    "(c - warmup) / total",
    "warmup / (c + 1)",
    "c / (c + total)",
    "(total - c) / (warmup + 2)",
    "c / len(steps)",
)
_BENT = (
    "p",
    "p * p",
    "math.sqrt(abs(p))",
    "math.cos(p)",
    "math.sin(p)",
    "math.exp(-abs(p))",
    "1 - p",
    "1 / (1 + abs(p))",
    "math.tanh(p)",
    "math.log1p(abs(p))",
)
_RATES = (
    "peak * w",
    "floor + peak * w",
    "floor + (peak - floor) * w",
    "peak - floor * w",
    "(peak + floor) * w / 2",
    "max(floor, peak * w)",
    "min(peak, floor + w)",
    "peak * w + floor * (1 - w) ** 2",
    "w",
)
_WHEN = ("c <= warmup", "c < total", "c > total", "c % 2", "c < warmup / 2", "s > 3", "p < 0.5")


def _schedule(pick: _Pick, name: str) -> Program:
    lines = (
        "import math",
        "import numpy as np",
        "",
        "def @ENTRY(steps, peak, floor, warmup, total):",
        "    rates = []",
        "    for s in steps:",
        f"        c = {pick(_COUNTS)}",
        f"        p = {pick(_PARTS)}",
        f"        w = {pick(_BENT)} if {pick(_WHEN)} else {pick(_BENT)}",
        f"        rates.append({pick(_RATES)} if {pick(_WHEN)} else {pick(_RATES)})",
        "    @OUT(rates)",
    )
    return _program("lr_schedule", name, lines)


# --- early_stopping -------------------------------------------------------------------------------

_SEEN_AS = (
    "x * x",
    "abs(x - 0.6)",
    "math.sin(3 * x)",
    "x * (1 + e)",
    "x / (1 + e)",
    "x + e % 3",
    "round(4 * x) % 3",
    "x - x ** 3",
)
_BASES = (
    "min(v[:e])",
    "max(v[:e])",
    "sum(v[:e]) / e",
    "v[0]",
    "v[e - 1]",
    "sorted(v[:e])[e // 2]",
    "v[e // 2]",
    "v[best]",
)
_IMPROVED = (
    "v[e] < base",
    "v[e] > base",
    "v[e] < base - min_delta",
    "v[e] > base + min_delta",
    "abs(v[e] - base) < 0.2",
    "v[e] < 0.9 * base",
    "v[e] * base > min_delta",
)
_COUNTED = ("e - best", "count + 1", "count + 2", "e // 2", "2 * (e - best)", "e - best + 1")
_STOPS = (
    "count >= patience",
    "count > patience",
    "e > 2 * patience",
    "count > e / 2",
    "count * patience > e + 2",
    "e - best > patience",
)
_EPOCHS = ("best", "e", "best + 1", "e - 1", "e // 2", "len(waits)", "count", "best + patience")
_LOSSES = ("losses[best]", "losses[e]", "min(losses)", "v[best]", "sum(losses) / n", "base")


def _stopping(pick: _Pick, name: str) -> Program:
    lines = (
        "import math",
        "",
        "def @ENTRY(losses, patience, min_delta):",
        f"    v = [{pick(_SEEN_AS)} for e, x in enumerate(losses)]",
        "    n, best, count, waits, stopped, base, e = len(v), 0, 0, [0], False, v[0], 0",
        "    for e in range(1, n):",
        f"        base = {pick(_BASES)}",
        f"        if {pick(_IMPROVED)}:",
        "            best = e",
        "            count = 0",
        "        else:",
        f"            count = {pick(_COUNTED)}",
        "        waits.append(count)",
        f"        if {pick(_STOPS)}:",
        "            stopped = True",
        "            break",
        f"    @RESULT({pick(_EPOCHS)}, {pick(_EPOCHS)}, stopped, waits, {pick(_LOSSES)})",
    )
    return _program("early_stopping", name, lines)


# --- parameter_ema --------------------------------------------------------------------------------

_BEGUN = ("theta", "0 * theta", "theta * theta", "np.abs(theta)", "theta / 2", "np.sin(theta)")
_MOVED = (
    "theta + u",
    "theta - u",
    "theta + 2 * u",
    "theta * (1 + u)",
    "decay * theta + u",
    "theta + u / (i + 1)",
    "theta + u * u",
    "theta + np.tanh(u)",
    "np.maximum(theta, u)",
)
_WEIGHTS = (
    "decay",
    "decay ** 2",
    "decay / (i + 1)",
    "1 / (i + 2)",
    "1 - decay / 2",
    "decay ** i",
    "0.3",
    "np.sqrt(decay)",
)
_MIXED = (
    "w * m + (1 - w) * theta",
    "w * m + theta",
    "m + w * u",
    "w * (m + theta)",
    "(1 - w) * m + w * theta * theta",
    "m + (theta - m) * w * w",
    "np.maximum(m, w * theta)",
    "w * m - (1 - w) * theta",
)
_AT_LAST = (
    "m",
    "m + theta",
    "m / (len(updates) + 1)",
    "m * (1 - decay)",
    "theta - m",
    "np.abs(m)",
    "m / (1 - decay / 2)",
    "0.5 * (m + theta)",
)


def _averaging(pick: _Pick, name: str) -> Program:
    lines = (
        "import numpy as np",
        "",
        "def f(start, updates, decay):",
        "    theta = np.array(start, dtype=float)",
        f"    m = {pick(_BEGUN)}",
        "    with np.errstate(all='ignore'):",
        "        for i, u in enumerate(updates):",
        "            u = np.asarray(u)",
        f"            theta = {pick(_MOVED)}",
        f"            w = {pick(_WEIGHTS)}",
        f"            m = {pick(_MIXED)}",
        f"        return {pick(_AT_LAST)}",
        "",
        "def @ENTRY(params, updates, decay):",
        "    @EACH(f)",
    )
    return _program("parameter_ema", name, lines)


_COMPOSERS: dict[str, Callable[[_Pick, str], Program]] = {
    "gradient_clipping": _clipping,
    "lr_schedule": _schedule,
    "early_stopping": _stopping,
    "parameter_ema": _averaging,
}
