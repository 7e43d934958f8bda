"""The attacks: one file each, under `attacks/KIND/NAME.py`, read as data.

The first line says what the judge must make of it:

    # want: VERDICT [DETAIL][|VERDICT [DETAIL]...]
    # want: A: ..., C: ...            where tiers differ

The detail is the type of the exception, which limit, `signal N`, `exit N`, `malformed`, or why it
did not compile. The rest of the file is the source, unless it has lines of these kinds:

    # source: EXPRESSION              what the source is, where it is too long to be written out
    # calls: NAME NUMBER ARGUMENT...  a system call that must be refused; what is returned is right
    # limits: NAME=NUMBER...          other limits than the usual
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("attacks")

_REFUSED = """
import ctypes, errno

def solve(values):
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype, call.argtypes = ctypes.c_long, [ctypes.c_long] * 7
    for name, number, *arguments in {calls!r}:
        result = call(number, *(arguments + [0] * 6)[:6])
        refused = result == -1 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS)
        assert refused, (name, result, ctypes.get_errno())
    return values.sum()
"""


@dataclass(frozen=True, slots=True)
class Attack:
    """`wants`: by tier, the verdicts that will do, each with the detail it must have ("" for any)."""

    kind: str
    name: str
    source: str
    wants: dict[str, tuple[tuple[str, str], ...]]
    limits: dict[str, float]

    @property
    def slow(self) -> bool:
        """Whether a limit has to run out: not for the everyday suite."""
        return bool(self.limits) or any(v in {"TLE", "MLE"} for v, _ in self.wants["A"])

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


def load() -> list[Attack]:
    """Every attack there is, in order."""
    return list(_read())


def _read() -> Iterator[Attack]:
    for path in sorted(FOLDER.glob("*/*.py")):
        first, _, rest = path.read_text().partition("\n")
        assert first.startswith("# want: "), path
        name = path.stem
        yield Attack(
            path.parent.name,
            name,
            _source(rest),
            _wants(first.removeprefix("# want: ")),
            {key: float(value) for key, value in _limits(rest)},
        )


def _limits(text: str) -> list[tuple[str, str]]:
    line = re.search(r"^# limits: (.+)$", text, re.M)
    return re.findall(r"(\w+)=([\d.]+)", line[1]) if line else []


def _wants(text: str) -> dict[str, tuple[tuple[str, str], ...]]:
    by_tier = dict(re.findall(r"([ABC]): ([^,]+)", text)) or {"A": text}
    wants = {}
    for tier in "ABC":
        chosen = by_tier.get(tier) or by_tier["A"]
        wants[tier] = tuple(_want(one.strip()) for one in _alternatives(chosen))
    return wants


def _alternatives(text: str) -> list[str]:
    """`RTE OSError|PermissionError|AC` names two exceptions and another verdict."""
    found: list[str] = []
    for part in text.split("|"):
        verdict = re.match(r"(AC|WA|RTE|CE|TLE|MLE|OLE)\b", part.strip())
        found.append(part if verdict else f"{found[-1].split()[0]} {part}")
    return found


def _want(text: str) -> tuple[str, str]:
    verdict, _, detail = text.partition(" ")
    return verdict, detail.strip()


def _source(text: str) -> str:
    built = re.search(r"^# source: (.+)$", text, re.M)
    if built:
        source: str = eval(built[1])  # our own files: an expression that builds a long source
        return source
    calls = [line.split() for line in re.findall(r"^# calls: (.+)$", text, re.M)]
    if calls:
        return _REFUSED.format(calls=[(name, *map(int, numbers)) for name, *numbers in calls])
    return text
