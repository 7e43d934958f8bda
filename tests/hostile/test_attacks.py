"""Every attack, in tier A and again in tier C, with its twins beside it and a look at what is left."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from app.model import Limits
from app.sandbox import Keeper
from tests.hostile.catalogue import Attack, load
from tests.hostile.leftovers import Traces, look
from tests.hostile.stage import LIMITS, RIGHT, WRONG, submit

_EVERYDAY = {"exhaustion/infinite-loop", "exhaustion/sleep-forever", "exhaustion/numpy-ones-bomb"}


def _parameters() -> list[object]:
    return [
        pytest.param(
            attack,
            id=str(attack),
            marks=pytest.mark.slow if attack.slow and str(attack) not in _EVERYDAY else (),
        )
        for attack in load()
    ]


@pytest.mark.parametrize("attack", _parameters())
def test_an_attack_gets_what_it_deserves_and_leaves_nothing(keeper: Keeper, attack: Attack) -> None:
    """The verdict is the stated one; right and wrong twins are told apart; nothing is left over."""
    before, memory_kib = look(keeper.waiting()), keeper.runtime_memory_kib("numpy")
    judgement, _, detail = submit(attack.source, keeper, _limits(attack))
    verdicts = [verdict for verdict, wanted in attack.wants[keeper.tier] if wanted in ("", detail)]
    assert judgement.verdict in verdicts, (judgement.verdict, detail, attack.wants[keeper.tier])
    assert submit(RIGHT, keeper)[0].verdict == "AC"
    assert submit(WRONG, keeper)[0].verdict == "WA"
    assert _settled(keeper, before) == []
    assert keeper.runtime_memory_kib("numpy") - memory_kib <= 256


def _limits(attack: Attack) -> Limits:
    return replace(LIMITS, **attack.limits)  # type: ignore[arg-type]


def _settled(keeper: Keeper, before: Traces) -> list[str]:
    """What is left after a moment: a killed process takes one to go."""
    for _ in range(50):
        left = look(keeper.waiting()).more_than(before)
        if not left:
            break
        time.sleep(0.01)
    return left


def test_the_catalogue_covers_every_kind_and_more() -> None:
    """Seven kinds of attack, each with dozens of examples, each wanting a known verdict."""
    attacks = load()
    kinds = {attack.kind for attack in attacks}
    assert kinds == {
        "exhaustion", "processes", "files", "kernel", "channels", "cheating", "source",
    }  # fmt: skip
    assert len({str(attack) for attack in attacks}) == len(attacks) >= 250
    for attack in attacks:
        for wants in attack.wants.values():
            assert all(
                verdict in {"AC", "WA", "RTE", "CE", "TLE", "MLE", "OLE"} for verdict, _ in wants
            )


_SENT = """
import os, struct
def solve(values):
    header = bytes([0x93, 0xAA]) + b"ValueError" + b"\\xa0\\xd3" + struct.pack(">q", {line})
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 3, 0, 3, len(header), 0) + header)
"""
_MOVED = """
def fail():
    raise ValueError
fail.__code__ = fail.__code__.replace(co_firstlineno={line})
def solve(values):
    fail()
"""


@pytest.mark.parametrize("source", [_SENT, _MOVED], ids=["a forged frame", "changed code"])
@pytest.mark.parametrize("line", [8, 1 << 30])
def test_a_line_that_is_not_in_the_source_is_not_told(
    keeper: Keeper, source: str, line: int
) -> None:
    """A number of the program's own choice could spell a hidden input."""
    judgement, _, _ = submit(source.format(line=line), keeper)
    assert judgement.runs[0].feedback.exception_type == "ValueError"
    told = judgement.runs[0].feedback.line
    assert told is None or told <= len(source.splitlines()) + 1
    assert str(1 << 30) not in judgement.message
