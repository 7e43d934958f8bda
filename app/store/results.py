"""A judgement without its texts: one character a test, so that very many can be counted at once.

Verdicts are their first letters. Times and memory are kept in steps of a quarter of an octave: near
enough for a spread, and a hundred thousand of them are one short text to read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model import Judgement, Run, Verdict

LETTERS: Mapping[Verdict, str] = {
    "AC": "A",
    "WA": "W",
    "RTE": "R",
    "CE": "C",
    "TLE": "T",
    "MLE": "M",
    "OLE": "O",
    "JE": "J",
}
VERDICTS: Mapping[str, Verdict] = {letter: verdict for verdict, letter in LETTERS.items()}

STEPS = 78  # so many steps there are; the last one is for whatever is larger
_FIRST = ord("0")
_A_OCTAVE = 4
_TIME_UNIT_MS = 0.1
_MEMORY_UNIT_KIB = 64.0


def result_of(judgement: Judgement, cause: str) -> dict[str, Any]:
    """The columns of its row. `cause`: why there is a judging error, for the admin."""
    runs = judgement.runs
    diagnosis = judgement.diagnosis.name if judgement.diagnosis else ""
    return {
        "package_version": judgement.package_version,
        "verdict": judgement.verdict,
        "cause": cause or diagnosis,
        "verdicts": "".join(LETTERS[run.verdict] for run in runs),
        "times": "".join(_step(run.time_ms / _TIME_UNIT_MS) for run in runs),
        "memories": "".join(_step(run.memory_kib / _MEMORY_UNIT_KIB) for run in runs),
    }


def test_list(judgement: Judgement) -> str:
    """The tests that the characters stand for, as JSON: name and labels of each."""
    return json.dumps([(_name(run), ", ".join(run.labels)) for run in judgement.runs])


def columns(texts: str, tests: int) -> NDArray[np.uint8]:
    """The joined texts of many rows as a matrix, one row a judgement, one column a test."""
    return np.frombuffer(texts.encode("ascii"), dtype=np.uint8).reshape(-1, tests)


def counted(steps: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How often each step occurs."""
    return np.bincount(steps.ravel().astype(np.int64) - _FIRST, minlength=STEPS)


def time_ms(step: float) -> float:
    """The time at a step; halves lie between two."""
    return _amount(step) * _TIME_UNIT_MS


def memory_mib(step: float) -> float:
    """The memory at a step."""
    return _amount(step) * _MEMORY_UNIT_KIB / 1024


def _step(amount: float) -> str:
    step = round(_A_OCTAVE * math.log2(1 + max(0.0, amount)))
    return chr(_FIRST + min(step, STEPS - 1))


def _amount(step: float) -> float:
    return float(2.0 ** (step / _A_OCTAVE) - 1)


def _name(run: Run) -> str:
    return run.test or f"test {run.index + 1}"
