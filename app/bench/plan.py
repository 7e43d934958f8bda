"""What is measured: the package of one variant, cut down to the named number of small tests.

Which variant, which program and how many tests are data: `bench.yaml` in the problems folder.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import yaml

from app.errors import PackageError
from app.model import TestCase, Variant
from app.problem.predictions import numbers_in


@dataclass(frozen=True, slots=True)
class Plan:
    """`bench.yaml`, read."""

    problem: str
    program: str
    tests: int
    max_elements: int

    @classmethod
    def read(cls, problems: Path) -> Plan:
        path = problems / "bench.yaml"
        try:
            return cls(**yaml.safe_load(path.read_text(encoding="utf-8")))
        except (OSError, TypeError, yaml.YAMLError) as error:
            remedy = "it names problem, program, tests and max_elements"
            raise PackageError(f"cannot be used: {error}", path, remedy=remedy) from error


def program(plan: Plan, problems: Path) -> str:
    """The source of the accepted program."""
    family, _, name = plan.problem.partition("/")
    path = problems / family / "variants" / name / "submissions" / plan.program
    return path.read_text(encoding="utf-8")


def small_tests(plan: Plan, variant: Variant) -> tuple[TestCase, ...]:
    """The first tests, in file order, of at most the stated number of elements."""
    small = [t for t in variant.tests if numbers_in(t.contents().arguments) <= plan.max_elements]
    if len(small) < plan.tests:
        raise PackageError(f"{variant.id} has only {len(small)} small tests", "bench.yaml")
    return tuple(small[: plan.tests])


def cut_down(plan: Plan, problems: Path, tests: tuple[TestCase, ...], folder: Path) -> Path:
    """A copy of the family, in which the variant has just these tests."""
    family, _, name = plan.problem.partition("/")
    shutil.copytree(problems / family, folder / family)
    path = folder / family / "variants" / name / "variant.yaml"
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    data["tests"] = [test.name for test in tests if not test.sample]
    path.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return folder
