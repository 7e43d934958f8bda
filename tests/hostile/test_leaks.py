"""Nothing hidden leaks directly: programs tell all they know, and then everything public is read.

The narrow channels that remain (verdict, coarse time and memory, line, kind of exception) are listed
with their bounds in SECURITY.md.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flow.served import BASE, PROBLEM, ROOT, Served, served

# Inputs of one hidden test, unlike anything else; `told` in the programs is them, in every writing.
VALUES = [271828182.25, 8314159265.5, 1.0]
WEIGHTS = [7.0, 2000.0, 161803398.875]

_TOLD = """
import numpy as np
import logging, os, sys, traceback, warnings

def told(values, weights):
    both = [float(x) for x in list(values) + list(weights)]
    digits = "_".join(str(x).replace(".", "_").replace("-", "m").replace("+", "") for x in both)
    mean = sum(v * w for v, w in zip(values, weights)) / sum(weights)
    raw = np.array(both).tobytes().hex()
    return f"{both!r} {mean!r} {digits} {[x.hex() for x in both]} {raw}", digits, both

def weighted_mean(values, weights):
    text, digits, both = told(values, weights)
"""

# Before the function is called its inputs are already in the process: in a frame below the module.
_PEEKED = (
    _TOLD.split("def weighted_mean")[0]
    + """
frame = sys._getframe()
while "task" not in frame.f_locals:
    frame = frame.f_back
text, digits, both = told(*frame.f_locals["task"].arguments[:2])
"""
)


def _block(*lines: str) -> str:
    return "\n    ".join(lines)


PROGRAMS = {
    "prints": "print(text); print(text, file=sys.stderr); os.write(1, text.encode()); return 0.0",
    "logs and warns": "logging.error(text); warnings.warn(text); return 0.0",
    "raises": "raise ValueError(text)",
    "raises in a chain": _block(
        "try: raise KeyError(text)", "except KeyError as error: raise OSError(text) from error"
    ),
    "names an exception": "raise type('E' + digits, (Exception,), {})(text)",
    "names an exception like one of Python's": "raise type('ValueError' + digits, (ValueError,), {})()",
    "notes on an exception": "e = ValueError(text); e.add_note(text); raise e",
    "misses a key": "return {}[text]",
    "misses an attribute": "return getattr(np, 'a' + digits)",
    "misses a name": "return eval('n' + digits)",
    "misses a module": "__import__('m' + digits)",
    "misses a file": "open('/' + digits)",
    "has bad syntax": "exec('(' + digits + ' ' + digits)",
    "asserts": "assert False, text",
    "exits": "sys.exit(text)",
    "exits with a number": "os._exit(int(both[0]) % 256)",
    "returns text": "return text",
    "returns keys": "return {digits: 1.0, text: 2.0}",
    "returns a class of that name": "return type('C' + digits, (), {})()",
    "returns an object of that name": "return [type('C' + digits, (float,), {})(1.0)]",
    "returns the inputs": "return [values, weights]",
    "returns a shape": "return np.zeros((int(both[0]) % 1000, int(both[1]) % 1000))",
    "returns a length": "return [0.0] * (int(both[0]) % 99991)",
    "returns a near miss": "return sum(v * w for v, w in zip(values, weights)) / sum(weights) * 1.001",
    "returns a number of theirs": "return both[0]",
    "returns not a number": "return complex(both[0], both[1])",
    "names a function": "f = lambda: 1 / 0; f.__name__ = f.__qualname__ = digits; f()",
    "prints a traceback": _block(
        "try: raise ValueError(text)", "except ValueError:", "    traceback.print_exc()", "    raise"
    ),
    "forges a frame": "os.write(3, text.encode())",
    "changes its inputs and tells": "values[:] = [0.0] * len(values); return text",
}  # fmt: skip

# What says that a program cannot even be called; each is spelled with what was peeked at.
UNCALLED = {
    "spells a signature": (
        "class Told:\n    __repr__ = lambda self: digits\n"
        "def weighted_mean(one, two, three, four=Told()): pass\n"
    ),
    "spells the name of an argument": "exec(f'def weighted_mean(one, two, a{digits}): pass')\n",
    "spells a function's name": "exec(f'def f{digits}(values, weights): return 0.0')\n",
    "spells a syntax error": "raise SyntaxError(text, ('submission.py', 1, 1, text))\n",
}


def _needles() -> list[str]:
    """Ways to write a hidden number that nothing else would have."""
    mean = sum(v * w for v, w in zip(VALUES, WEIGHTS, strict=True)) / sum(WEIGHTS)
    found = []
    for number in (VALUES[0], VALUES[1], WEIGHTS[2], mean):
        digits = f"{number:.6f}".replace(".", "")
        found += [digits[:8], f"{number:.6e}".replace(".", "")[:7], number.hex()[4:12]]
        found.append(struct.pack("<d", number).hex())
    return found


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service whose problem has a hidden test with these inputs."""
    folder = tmp_path_factory.mktemp("leaks")
    problems = shutil.copytree(BASE, folder / "problems")
    family = problems / "weighted_mean" / "family.yaml"
    text = family.read_text()
    plain = "{values: [3.0e+9, 8.5e+9, 1.0], weights: [7.0, 2.0e+3, 1.0]}"
    assert plain in text
    family.write_text(text.replace(plain, f"{{values: {VALUES}, weights: {WEIGHTS}}}"))
    environment = os.environ | {"ALLCLOSE_PROBLEMS": str(problems)}
    subprocess.run([sys.executable, "-m", "app", "generate"], cwd=ROOT, env=environment, check=True)
    with served(folder / "data", problems) as running:
        yield running


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_of_a_hidden_test_is_seen_outside(service: Served, name: str) -> None:
    """Not in the API, not in the events, not on a page, not in the log."""
    _nothing_is_seen(service, _TOLD + f"    {PROGRAMS[name]}\n", {"WA", "RTE"})


@pytest.mark.parametrize("name", UNCALLED)
def test_nothing_is_seen_of_what_a_program_spells_before_it_is_called(
    service: Served, name: str
) -> None:
    """A signature, a name, a message of the compiler's: none of it is told of a hidden test."""
    told = _nothing_is_seen(service, _PEEKED + UNCALLED[name], {"CE", "RTE"})
    assert "1_0_2_0_6_0" in told  # of the sample it is told: the program does what it says


def _nothing_is_seen(service: Served, source: str, verdicts: set[str]) -> str:
    """Looks everywhere for what is hidden; gives what was told."""
    answer = service.api.post("/submissions?wait=60", json={"problem": PROBLEM, "source": source})
    found = answer.json()
    assert found["state"] == "judged", answer.text
    assert found["verdict"] in verdicts, found["message"]
    submission = found["id"]
    root = str(service.api.base_url).removesuffix("/api/v1/")
    public = {
        "reply": answer.text,
        "submission": json.dumps(
            service.api.get(f"/submissions/{submission}").json(), ensure_ascii=False
        ),
        "events": service.api.get(f"/submissions/{submission}/events").text,
        "problem": service.api.get(f"/problems/{PROBLEM}").text,
        "page": service.api.get(f"{root}/problems/{PROBLEM}").text,
        "log": (service.data.parent / "log").read_text(),
    }
    leaks = [
        (place, needle) for place, text in public.items() for needle in _needles() if needle in text
    ]
    assert leaks == []
    return answer.text


def test_the_needles_would_be_found() -> None:
    """What the programs tell is what is looked for: a test that could not fail proves nothing."""
    seen: dict[str, object] = {}
    exec(_TOLD.split("def weighted_mean")[0], seen)
    text = str(seen["told"](VALUES, WEIGHTS))  # type: ignore[operator]
    assert sum(needle in text for needle in _needles()) >= 8
    assert Path(BASE).is_dir()
