"""Values on disk: exact, mapped, whole or not there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from app.problem.kept import Kept
from app.problem.versions import digest

VALUE = {
    "big": [np.arange(2000.0).reshape(2, 1000), np.arange(600)],
    "small": np.array([1.0, np.nan]),
    "rest": (1, -0.0, None, "text", np.float32(2.5)),
}


def test_values_come_back_exactly_and_large_arrays_mapped(tmp_path: Path) -> None:
    """Types are exact, so a mapped array is an ndarray like any other, and cannot be written to."""
    kept = Kept(tmp_path / "cache")
    assert kept.read("key") is None
    kept.write("key", VALUE)
    found = kept.read("key")
    assert digest(found) == digest(VALUE)
    assert isinstance(found, dict)
    big = found["big"][0]
    assert type(big) is np.ndarray
    assert isinstance(big.base, np.memmap)
    assert not big.flags.writeable


@pytest.mark.parametrize(
    "hold", [list, tuple, lambda items: {"name": items}, lambda items: ([{"a": tuple(items)}],)]
)
def test_a_large_array_has_a_file_of_its_own_wherever_it_stands(
    hold: Callable[[list[object]], object], tmp_path: Path
) -> None:
    """A million numbers written as text would take seconds to read, and gigabytes of disk."""
    kept = Kept(tmp_path)
    value = hold([np.arange(50_000.0), 1.5])
    assert digest(kept.write("key", value)) == digest(value)
    assert (tmp_path / "key" / "tree.json").stat().st_size < 1000


def test_a_damaged_entry_is_not_there_and_heals(tmp_path: Path) -> None:
    """A cut file, a broken tree: the value is made and kept again."""
    kept = Kept(tmp_path)
    for damage in ("0.npy", "tree.json"):
        kept.write("key", VALUE)
        (tmp_path / "key" / damage).write_bytes(b"")
        assert kept.read("key") is None
        kept.write("key", VALUE)
        assert digest(kept.read("key")) == digest(VALUE)


def test_many_may_write_the_same_entry_at_once(tmp_path: Path) -> None:
    """Whoever is first wins, nobody reads half, nothing is left lying about."""
    kept = Kept(tmp_path)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: digest(kept.write("key", VALUE)), range(32)))
    assert set(found) == {digest(VALUE)}
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_disk_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    """The value at hand serves."""
    (tmp_path / "file").write_text("")
    assert Kept(tmp_path / "file" / "cache").write("key", VALUE) is VALUE


def test_what_was_read_longest_ago_is_pruned_first(tmp_path: Path) -> None:
    """Until the rest fits; what somebody holds stays readable, and can be made again."""
    kept = Kept(tmp_path)
    for number, name in enumerate(("old", "used", "new")):
        kept.write(name, VALUE)
        os.utime(tmp_path / name, (number, number))
    held = kept.read("used")
    size = sum(file.stat().st_size for file in (tmp_path / "new").iterdir())
    assert kept.prune(3 * size) == 0
    assert kept.prune(size * 5 // 2) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "used"]
    assert kept.prune(size) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["used"]
    assert kept.prune(0) == 1
    assert digest(held) == digest(VALUE)
    kept.write("used", VALUE)
    assert digest(kept.read("used")) == digest(VALUE)


def test_pruning_clears_what_a_killed_process_left(tmp_path: Path) -> None:
    """After an hour nobody is making it any more; what is not ours is left alone."""
    for name, age_s in ((".making-dead", 7200), (".making-busy", 10)):
        (tmp_path / name).mkdir()
        made_s = time.time() - age_s
        os.utime(tmp_path / name, (made_s, made_s))
    (tmp_path / "verified").mkdir()
    assert Kept(tmp_path).prune(0) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [".making-busy", "verified"]
    assert Kept(tmp_path / "none").prune(0) == 0
