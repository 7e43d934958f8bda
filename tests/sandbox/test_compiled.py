"""A program of several calls is compiled once: one box tells, the others are given what it told."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from app.model import Call, Crashed, Exceeded, Limits, Raised, Returned
from app.sandbox import Keeper, wire
from app.sandbox.box import Box
from app.sandbox.runtimes import PROGRAM
from tests.sandbox.test_keeper import FACTS

CALLS = 6


def outcomes(keeper: Keeper, source: str, *arguments: object) -> list[tuple[object, str]]:
    """The facts of some equal calls, and what each wrote to standard error."""
    told = keeper.run([Call(source, "f", arguments, 7)] * CALLS)
    return [(outcome.fact, outcome.stderr.text) for _, outcome in told]


def facts(keeper: Keeper, source: str, *arguments: object) -> list[object]:
    return [fact for fact, _ in outcomes(keeper, source, *arguments)]


@pytest.mark.parametrize("name", FACTS)
def test_it_is_the_same_fact_whoever_compiled_it(keeper: Keeper, name: str) -> None:
    """Values, errors and their lines, and what cannot be compiled at all."""
    source, fact = FACTS[name]
    assert facts(keeper, source, 3.0) == [fact] * CALLS


@pytest.mark.parametrize("start", ["\ufeff", "", "\t\n", "\r\n\r\n", "# coding: latin-1\n"])
def test_lines_are_those_of_the_source(best: Keeper, start: str) -> None:
    source = f"{start}def f(x):\n    return x / 0\n"
    line = source.count("\n")
    assert (
        facts(best, source, 1.0)
        == [Raised("ZeroDivisionError", "float division by zero", line)] * CALLS
    )


def _counting(folder: Path) -> Path:
    """What runs inside, where a box that compiles a program says so."""
    shutil.copytree(PROGRAM.parent, folder)
    text = (folder / "inside.py").read_text()
    step = "        code = compile(source"
    assert text.count(step) == 1
    (folder / "inside.py").write_text(text.replace(step, f'        _write(2, b"compiled")\n{step}'))
    return folder / PROGRAM.name


SMALL = "def f(x):\n    return x\n"
LARGE = SMALL + "g = " + repr([f"number {number}" for number in range(wire.CODE_BYTES // 10)])


def test_only_boxes_that_start_with_the_first_compile_a_program_too(tmp_path: Path) -> None:
    with Keeper(ready_ahead=0, program=_counting(tmp_path / "inside")) as keeper:
        told = outcomes(keeper, SMALL, 1.0)
        assert [fact for fact, _ in told] == [Returned(1.0, True)] * CALLS
        assert 1 <= sum(text == "compiled" for _, text in told) <= keeper.cores


def test_a_program_that_is_too_large_to_be_told_is_compiled_by_each(tmp_path: Path) -> None:
    with Keeper(ready_ahead=0, program=_counting(tmp_path / "inside")) as keeper:
        assert outcomes(keeper, LARGE, 1.0) == [(Returned(1.0, True), "compiled")] * CALLS


def test_what_a_compiler_warns_of_is_shown_by_each_test(best: Keeper) -> None:
    source = "def f(x):\n    return 2.0 if x is 1.0 else 1.0\n"
    told = outcomes(best, source, 3.0)
    assert [fact for fact, _ in told] == [Returned(1.0, True)] * CALLS
    [words] = {text for _, text in told}
    assert words.startswith('submission.py:2: SyntaxWarning: "is" with a literal')


def test_a_flood_of_warnings_is_one_fact(best: Keeper) -> None:
    source = "def f(x):\n    return x\n" + "'' is f\n" * 900
    assert facts(best, source, 1.0) == [Exceeded("printed")] * CALLS


WORDS = "{'cat', 'dog', 'bird', 'fish', 'cow', 'pig', 'hen', 'ox', 'ant', 'bee', 'fly'}"
SETS = {
    "numbers": "def f(x):\n    return list({8, 0, 16})\n",
    "one of them": "def f(x):\n    return {3, 11, 19}.pop()\n",
    "floats": "def f(x):\n    return [v for v in {1e16, 1.0, -1e16, 3.0, 0.1}]\n",
    "words": f"def f(x):\n    return [w for w in {WORDS}]\n",
    "inside": "def f(x):\n    return [[v for v in {8, 0, 16}] for _ in range(2)]\n",
    "as a default": "def f(x, g=lambda: [*{8, 0, 16}]):\n    return g()\n",
}


@pytest.mark.parametrize("name", SETS)
def test_a_set_that_is_a_constant_has_one_order(best: Keeper, name: str) -> None:
    """In every box, and in a submission of one test as in one of many."""
    [(_, alone)] = best.run([Call(SETS[name], "f", (1.0,), 7)])
    assert isinstance(alone.fact, Returned)
    assert facts(best, SETS[name], 1.0) == [alone.fact] * CALLS


DEEP = "def f(x):\n    return x\ng = " + "lambda: " * 1200 + "1"


def test_what_cannot_be_written_down_is_compiled_by_each(best: Keeper) -> None:
    assert facts(best, DEEP, 2.0) == [Returned(2.0, True)] * CALLS


def test_what_a_thread_does_after_the_answer_costs_nothing(best: Keeper) -> None:
    """A box ends when it has answered, however late the keeper looks."""
    source = (
        "import threading\ndef g():\n    while True: pass\n"
        "def f(x):\n    threading.Thread(target=g, daemon=True).start()\n    return x\n"
    )
    told = []
    for _, outcome in best.run([Call(source, "f", (1.0,), 7, "numpy", Limits(time_s=0.02))] * 8):
        told.append(outcome.fact)
        time.sleep(0.05)
    assert told == [Returned(1.0, True)] * 8


LARGE_FORGED = """
import marshal, os, struct
PAD = {pad!r}
def f(x):
    source = "def f(x): return [%r, x]" % (x,)  # this test's argument, for all the others
    data = marshal.dumps(compile(source, "submission.py", "exec"))
    header = b"\\x91\\xc8" + struct.pack(">Hb", len(data), 9) + data
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 6, 0, 1, len(header), 0) + header)
    return [x, x]
"""
UNTOLD = {
    "large": LARGE_FORGED.format(pad="x" * (wire.CODE_BYTES + 1)),
    "deep": LARGE_FORGED.format(pad="") + "g = " + "lambda: " * 1200 + "1\n",
    "with a set": LARGE_FORGED.format(pad="") + "x = {1, 2, 3}\n",
    "warned of": LARGE_FORGED.format(pad="") + "x = '' is PAD\n",
}


@pytest.mark.parametrize("name", UNTOLD)
def test_where_nothing_is_told_the_program_cannot_tell_either(keeper: Keeper, name: str) -> None:
    """Not by the box that was asked: its turn was over before the first line ran."""
    told = keeper.run([Call(UNTOLD[name], "f", (float(n),), 7) for n in range(CALLS)])
    assert [outcome.fact for _, outcome in told] == [Crashed(malformed=True)] * CALLS


FORGED = """
import marshal, os, struct
def f(x):
    data = marshal.dumps(compile("def f(x): return 2.0", "submission.py", "exec"))
    header = b"\\x91\\xc8" + struct.pack(">Hb", len(data), {code}) + data
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", {kind}, 0, 1, len(header), 0) + header)
    return 1.0
"""


@pytest.mark.parametrize(("kind", "code"), [(wire.COMPILED, wire.CODE), (wire.RETURNED, wire.CODE)])
def test_a_program_cannot_tell_another(keeper: Keeper, kind: int, code: int) -> None:
    """What comes after its first line has run is not what the compiler made, whatever it says."""
    source = FORGED.format(kind=kind, code=code)
    assert facts(keeper, source, 1.0) == [Crashed(malformed=True)] * CALLS


@pytest.mark.parametrize(
    "header",
    [b"\x90", b"\x91\x01", b"\x92\xc7\x01\x09x\x01", b"\x91\xc7\x01\x08x", b"\x91\xc7\x01"],
    ids=["nothing", "a number", "something more", "another token", "cut short"],
)
def test_what_is_no_program_is_malformed(header: bytes) -> None:
    """Even from a box that was asked; the keeper hands on only what has the right form."""
    box = Box.__new__(Box)
    box.call, box.code_due = Call(SMALL, "f", (1.0,)), True
    count = header[0] & 0x0F
    prefix = wire.PREFIX.pack(wire.MAGIC, wire.COMPILED, 0, count, len(header), 0)
    box.incoming = bytearray(prefix + header)
    box.received = len(box.incoming)
    box._check_frame()
    assert box.malformed
    assert box.code is None


def test_after_what_is_no_program_nothing_is_believed() -> None:
    """Though a whole result came along with it."""
    box = Box.__new__(Box)
    box.call, box.code_due = Call(SMALL, "f", (1.0,)), True
    bad = wire.PREFIX.pack(wire.MAGIC, wire.COMPILED, 0, 1, 2, 0) + b"\x91\x01"
    good = wire.PREFIX.pack(wire.MAGIC, wire.RETURNED, 0, 2, 3, 0) + b"\x92\xc3\x01"
    box.incoming = bytearray(bad + good)
    box.received = len(box.incoming)
    box._check_frame()
    assert box.malformed
    assert not box.complete


def test_a_program_that_comes_in_pieces_is_waited_for() -> None:
    box = Box.__new__(Box)
    box.call, box.code_due = Call(SMALL, "f", (1.0,)), True
    header = b"\x91\xc7\x03\x09abc"
    whole = wire.PREFIX.pack(wire.MAGIC, wire.COMPILED, 0, 1, len(header), 0) + header
    box.incoming = bytearray()
    for byte in whole:
        assert box.code is None
        box.incoming.append(byte)
        box.received = len(box.incoming)
        box._check_frame()
    assert box.code == b"abc"
    assert not box.code_due
    assert not box.malformed
    assert not box.incoming
