"""Mutation testing of what grades: `python -m tests.grading.mutation [MODULE...] [--sample N] [--json]`.

Every first-order mutant of the comparator and of the diagnosis meets the tests that are meant to
notice it; one that no test notices is a survivor, and must stand in survivors.txt with the reason
why it makes no difference. Exit 1 if one does not, 2 if tests fail even without a mutant. MODULE is
a path such as app/compare.py; without one, all of them. Each mutant runs in a fork of a process that
has loaded all but our own modules.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import resource
import signal
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

import hypothesis
import hypothesis.extra.numpy  # loaded once, before the forks
import pytest

from app.verify.operators import Mutant, mutants

ROOT = Path(__file__).resolve().parent.parent.parent
REASONS = Path(__file__).resolve().parent / "survivors.txt"
COMPARING = ("app/compare.py", "app/closeness.py", "app/form")
DIAGNOSING = ("app/diagnose",)

# Tests of size say nothing about rules, and cost the most.
_QUICK = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-k", "not million"]
# Hypothesis is loaded before pytest can rewrite its assertions, which none of our tests needs.
_QUICK += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
_CPU_S = 120


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that no test noticed."""

    module: str
    mutant: Mutant

    @property
    def key(self) -> str:
        """Stays the same while lines move."""
        one = self.mutant
        return f"{self.module} | {one.statement} | {one.before} -> {one.after or '(removed)'}"


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


def tests_for(path: Path) -> list[str]:
    diagnosing = "diagnose" in path.parts
    names = ("test_diagnose",) if diagnosing else ("test_compare", "test_diagnose", "test_notation")
    return [str(ROOT / "tests" / f"{name}.py") for name in names]


def is_noticed(path: Path, source: str) -> bool:
    """Whether a test fails, an import breaks, or the time runs out with `source` in the file's place."""
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
    relative = path.relative_to(ROOT).with_suffix("")
    package = relative.name == "__init__"
    name = ".".join((relative.parent if package else relative).parts)
    sys.meta_path.insert(0, _Instead(name, source, package))
    hypothesis.settings.register_profile(
        "mutants",
        max_examples=40,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        deadline=None,
    )
    hypothesis.settings.load_profile("mutants")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return int(pytest.main([*_QUICK, *tests_for(path)])) and 1


def reasons() -> dict[str, str]:
    """Survivors that make no difference: a line `key` and below it, indented, the reason."""
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--sample", type=int, help="try only so many, chosen at random")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    tried = _all_mutants(options.modules, options.sample)
    for path in dict.fromkeys(path for path, _ in tried):
        # The control: tests that fail without any change would "kill" every mutant.
        if is_noticed(path, path.read_text()):
            print(f"the tests of {path.relative_to(ROOT)} fail without a mutant", file=sys.stderr)
            return 2
    known, survivors = reasons(), list[Survivor]()
    started = time.monotonic()
    for number, (path, mutant) in enumerate(tried, 1):
        if not is_noticed(path, mutant.source):
            survivors.append(Survivor(str(path.relative_to(ROOT)), mutant))
            if survivors[-1].key not in known and not options.json:
                print(f"\r\x1b[K{survivors[-1].key}  (line {mutant.line})")
        if sys.stderr.isatty():
            print(f"\r{number} of {len(tried)}", end="", file=sys.stderr)
    new = [one for one in survivors if one.key not in known]
    figures = {
        "mutants": len(tried),
        "killed": len(tried) - len(survivors),
        "survivors_with_a_reason": len(survivors) - len(new),
        "survivors": [one.key for one in new],
        "seconds": round(time.monotonic() - started),
    }
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        print(
            f"{figures['killed']} of {len(tried)} mutants killed, {len(new)} survivors unexplained"
        )
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
