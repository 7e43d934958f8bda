"""A test of 100 MB in and 100 MB out: what it costs beyond the function, in copies of its input."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from app.model import Call, Limits, Returned
from app.sandbox import Keeper, layers
from app.sandbox.encode import address

_ELEMENTS = 12_500_000  # float64
_PAGE = 512  # elements
_LIMITS = Limits(time_s=30, wall_s=60, memory_mib=1024, returned_mib=128)
_SOURCE = "def f(a):\n    return a * 2.0\n"
_ROUNDS = 5


def copies(keeper: Keeper, folder: Path) -> float:
    """Median over rounds of (from call to every page of the result read - own - check) / a.copy().

    own     the function itself, in this process
    check   comparing two such arrays byte by byte, as is done with the input afterwards
    """
    path = folder / "large.npy"
    np.save(path, np.linspace(-1.0, 1.0, _ELEMENTS))
    try:
        # As tests are kept: on disk, and mapped.
        array = np.asarray(np.load(path, mmap_mode="r"))
        other = array.copy()
        copy_s, own_s = _median(array.copy), _median(lambda: array * 2.0)
        check_s = _median(lambda: layers.same_memory(address(array), address(other), array.nbytes))
        whole_s = _median(lambda: _called(keeper, array))
    finally:
        path.unlink()
    return (whole_s - own_s - check_s) / copy_s


def _called(keeper: Keeper, array: object) -> None:
    for _, outcome in keeper.run([Call(_SOURCE, "f", (array,), limits=_LIMITS)]):
        assert isinstance(outcome.fact, Returned), outcome.fact
        assert isinstance(outcome.fact.value, np.ndarray)
        outcome.fact.value[::_PAGE].sum()


def _median(call: Callable[[], object]) -> float:
    walls_s = []
    for _ in range(_ROUNDS):
        time.sleep(0.05)
        start = time.perf_counter()
        call()
        walls_s.append(time.perf_counter() - start)
    return sorted(walls_s)[_ROUNDS // 2]
