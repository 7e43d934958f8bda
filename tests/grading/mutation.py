"""Mutation testing of what grades: `python -m tests.grading.mutation [MODULE...] [--only PATTERN]`.

Every first-order mutant of the comparator and of the diagnosis meets the tests that are meant to
notice it. One that no test notices is a survivor: exit 1. What makes no difference stands, by pattern,
in survivors.txt with its reason, and is tried only with `--all`: then a reason whose mutant is noticed
is a false one, and exit 1 as well. Exit 2 if tests fail even without a mutant. MODULE is a path such
as app/compare.py; without one, all of them.

A mutant inside a function is tried in a fork of a session that has loaded everything (warm.py). One
that changes what an import does is tried the slow way: in a fork that loads our modules anew.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import random
import re
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import pytest

from app.verify.operators import Mutant, mutants
from tests.grading.warm import Warm

ROOT = Path(__file__).resolve().parent.parent.parent
REASONS = Path(__file__).resolve().parent / "survivors.txt"
COMPARING = ("app/compare.py", "app/closeness.py", "app/form")
DIAGNOSING = ("app/diagnose",)

TESTS = (
    "test_compare",
    "test_compare_properties",
    "test_compare_size",
    "test_closeness",
    "test_closeness_edge",
    "test_form",
    "test_recast",
    "test_said_of_form",
    "test_said_of_numbers",
    "test_diagnose",
    "test_diagnose_mistakes",
    "test_diagnose_order",
    "test_diagnose_patterns",
    "test_diagnose_forms",
    "test_diagnose_precision",
    "test_notation",
    "test_feedback",
    "verify/test_closeness",
    "grading/test_said",
)

# Tests of size say nothing about rules, and cost the most.
_QUICK = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-k", "not million"]
# What a failed test would have said is of no interest.
_QUICK += ["--assert=plain", "--tb=no", "-m", "slow or not slow"]
_CPU_S = 120


class BrokenTests(Exception):
    """Tests fail without a mutant."""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that no test noticed."""

    module: str
    mutant: Mutant

    @classmethod
    def of(cls, path: Path, mutant: Mutant) -> Survivor:
        return cls(str(path.relative_to(ROOT)), mutant)

    @property
    def key(self) -> str:
        """Stays the same while lines move."""
        one = self.mutant
        return f"{self.module} | {one.statement} | {one.before} -> {one.after or '(removed)'}"

    def reason(self, known: Mapping[str, str]) -> str:
        """Why it makes no difference, if somebody has said so."""
        return next((why for pattern, why in known.items() if matches(pattern, self.key)), "")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))))


def matches(pattern: str, key: str) -> bool:
    """`*` stands for anything."""
    return _compiled(pattern).fullmatch(key) is not None


class _Instead(MetaPathFinder, Loader):
    """Imports one module from a text instead of its file."""

    def __init__(self, name: str, source: str, package: bool):
        self._name, self._source, self._package = name, source, package

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        spec = spec_from_loader(fullname, self, is_package=self._package)
        if spec and self._package:
            spec.submodule_search_locations = [str(ROOT / fullname.replace(".", "/"))]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._source, self._name, "exec"), module.__dict__)


def files(chosen: Sequence[str]) -> list[Path]:
    found: list[Path] = []
    for name in chosen or (*COMPARING, *DIAGNOSING):
        path = ROOT / name
        found += sorted(path.glob("*.py")) if path.is_dir() else [path]
    return found


def is_noticed(path: Path, source: str) -> bool:
    """The slow way: whether a test fails, an import breaks or the time runs out with `source` there."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _in_child(path, source)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return status != 0


def _in_child(path: Path, source: str) -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A mutant may allocate or recurse without end.
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    for name in [name for name in sys.modules if name.split(".")[0] in ("app", "tests")]:
        del sys.modules[name]
    package = path.name == "__init__.py"
    name = _module(path)
    sys.meta_path.insert(0, _Instead(name, source, package))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return int(pytest.main([*_QUICK, *_tests()])) and 1


def _module(path: Path) -> str:
    """The name under which the file is imported."""
    relative = path.relative_to(ROOT).with_suffix("")
    return ".".join((relative.parent if relative.name == "__init__" else relative).parts)


def _tests() -> list[str]:
    return [str(ROOT / "tests" / f"{name}.py") for name in TESTS]


def _few_examples() -> None:
    """Always the same few, and no search for the smallest that fails: failing is enough."""
    hypothesis.settings.register_profile(
        "mutants",
        max_examples=15,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        deadline=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    )
    hypothesis.settings.load_profile("mutants")


def reasons() -> dict[str, str]:
    """Changes that make no difference: a line with a pattern of keys, and indented the reason."""
    known: dict[str, str] = {}
    key = ""
    for line in REASONS.read_text().splitlines() if REASONS.exists() else ():
        if line.startswith("    "):
            known[key] = f"{known[key]} {line.strip()}".strip()
        elif line.strip() and not line.startswith("#"):
            key = line.strip()
            known[key] = ""
    return known


def _all_mutants(chosen: Sequence[str], sample: int | None) -> list[tuple[Path, Mutant]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [(path, mutant) for path in files(chosen) for mutant in mutants(path.read_text())]
    if sample is None or sample >= len(found):
        return found
    return random.Random(1).sample(found, sample)


@dataclass
class Figures:
    """What became of the mutants."""

    mutants: int
    explained: int = 0
    survivors: list[Survivor] = field(default_factory=list)
    false_reasons: list[Survivor] = field(default_factory=list)
    slowly: int = 0
    seconds: float = 0.0
    cpu_s: float = 0.0
    control: bool = False

    @property
    def killed(self) -> int:
        return self.mutants - self.explained - len(self.survivors)

    @property
    def good(self) -> bool:
        return not self.survivors and not self.false_reasons

    def as_json(self) -> dict[str, Any]:
        return {
            "mutants": self.mutants,
            "killed": self.killed,
            "make_no_difference": self.explained,
            "survivors": [one.key for one in self.survivors],
            "false_reasons": [one.key for one in self.false_reasons],
            "tried_the_slow_way": self.slowly,
            "seconds": round(self.seconds),
            "cpu_s_a_mutant": round(self.cpu_s / max(self.mutants, 1), 3),
        }


def examine(
    tried: Sequence[tuple[Path, Mutant]], say: Callable[[str], object], explained_too: bool = False
) -> Figures:
    """Tries every mutant; raises BrokenTests if tests fail even without one."""
    figures, known = Figures(len(tried)), reasons()
    started, cpu = time.monotonic(), _cpu_s()

    def work(warm: Warm) -> None:
        if warm.failing:
            return
        for number, (path, mutant) in enumerate(tried, 1):
            one = Survivor.of(path, mutant)
            explained = bool(one.reason(known))
            figures.explained += explained
            if explained and not explained_too:
                continue
            noticed = warm.notices(path, mutant.line, mutant.source)
            if noticed is None:
                figures.slowly += 1
                noticed = is_noticed(path, mutant.source)
            if noticed == explained:
                (figures.false_reasons if explained else figures.survivors).append(one)
                word = "is noticed" if explained else "survives"
                say(f"{word}: {one.key}  (line {mutant.line})\n")
            say(f"\r{number} of {len(tried)} ")
        # Forks in which everything fails would notice any mutant, and this one, which is none.
        figures.control = not any(
            warm.notices(path, line, path.read_text())
            for path, line in {path: mutant.line for path, mutant in tried}.items()
        )

    warm = Warm([path for path, _ in tried], work)
    _few_examples()
    for path in dict.fromkeys(path for path, _ in tried):
        importlib.import_module(_module(path))
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*_QUICK, *_tests()], plugins=[warm])
    if warm.failing or not figures.control:
        raise BrokenTests(warm.failing or "all those in a fork")
    figures.seconds, figures.cpu_s = time.monotonic() - started, _cpu_s() - cpu
    return figures


def _cpu_s() -> float:
    of = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, of))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--sample", type=int, help="try only so many, chosen at random")
    parser.add_argument("--all", action="store_true", help="try what makes no difference, too")
    parser.add_argument("--only", action="append", help="try what matches a pattern: '*round*'")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        tried = _all_mutants(options.modules, options.sample)
        if options.only:
            keys = [(one, Survivor.of(*one).key) for one in tried]
            tried = [one for one, key in keys if any(matches(p, key) for p in options.only)]
        figures = examine(tried, sys.stderr.write, options.all)
    except BrokenTests as error:
        print(f"these tests fail without a mutant: {error}", file=sys.stderr)
        return 2
    found = figures.as_json()
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        words = f"{figures.killed} of {figures.mutants} mutants killed"
        words += f", {figures.explained} make no difference"
        print(f"{words}, {len(figures.survivors)} survive")
    return 0 if figures.good else 1


if __name__ == "__main__":
    sys.exit(main())
