"""How a runtime lays its memory out. Each test in an interpreter of its own, whose memory it is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MEMORY = Path(__file__).resolve().parents[2] / "app" / "sandbox" / "memory.py"

# Leaves a hole between any two objects, of every small and many a large size, as imports do.
HOLES = """
import importlib.util, json, os, sys
spec = importlib.util.spec_from_file_location("memory", sys.argv[1])
memory = importlib.util.module_from_spec(spec)
spec.loader.exec_module(memory)
memory.gather()
sizes = [*range(48, 513, 16), *range(600, 4000, 200)]
left = [bytes(size - 33) for size in sizes for _ in range(400)]
left = left[::2]
"""
PAGES = """
made = [bytes(size - 33) for size in sizes for _ in range(40)]
pages = {page for one in made for page in range(id(one) >> 12, (id(one) + sys.getsizeof(one) >> 12) + 1)}
print(json.dumps([len(pages), sum(map(sys.getsizeof, made)) >> 12, len(sizes)]))
"""
# As a runtime ends: what was there before its memory was laid out is never given back.
END = "\nsys.stdout.flush()\nos._exit(0)"


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-c", program + END, str(MEMORY)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def pages(program: str) -> tuple[int, int, int]:
    """The pages that new objects lie on, how many would hold them all, how many sizes there are."""
    on, least, sizes = json.loads(run(program))
    return on, least, sizes


@pytest.mark.skipif(not hasattr(sys, "_debugmallocstats"), reason="another interpreter")
def test_new_objects_lie_side_by_side_when_the_holes_are_filled() -> None:
    strewn, _, _ = pages(HOLES + PAGES)
    dense, least, sizes = pages(HOLES + "memory.fill_holes()" + PAGES)

    # Each size begins a page of its own, and fills it.
    assert dense <= least + sizes < strewn


@pytest.mark.parametrize(
    "lacking", ["del sys._debugmallocstats", "memory._libc = object()"], ids=["python", "libc"]
)
def test_where_nobody_tells_of_holes_they_stay(lacking: str) -> None:
    pages(HOLES + lacking + "\nmemory.fill_holes()" + PAGES)


def test_nothing_is_said_on_standard_error_or_left_open() -> None:
    before = '\nbefore = os.listdir("/proc/self/fd")\n'
    after = '\nassert os.listdir("/proc/self/fd") == before'

    assert run(HOLES + before + "memory.fill_holes()" + after) == ""


JOINED = """
import importlib.util, json, math, _struct, sys, os
spec = importlib.util.spec_from_file_location("memory", sys.argv[1])
memory = importlib.util.module_from_spec(spec)
spec.loader.exec_module(memory)
def mappings():
    with open("/proc/self/maps") as maps:
        lines = [line.split(None, 5) for line in maps]
    return [(line[1], line[-1].strip()) for line in lines if ".so" in line[-1]]
before = mappings()
memory.join_mappings()
after = mappings()
assert math.sqrt(16.0) == 4.0 and _struct.pack("<d", 1.5) == bytes.fromhex("000000000000f83f")
print(json.dumps([before, after]))
"""


def test_a_library_is_one_mapping_of_code_and_one_of_variables() -> None:
    before, after = json.loads(run(JOINED))
    assert {name for _, name in after} == {name for _, name in before}
    assert {access for access, _ in after} <= {"r-xp", "rw-p"}
    assert len(after) <= 0.6 * len(before)
