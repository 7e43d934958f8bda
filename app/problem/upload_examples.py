"""An example file of tests for a family, in each format, made from its contract and its own tests."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import numpy as np
from numpy.lib import format as npy

from app import notation
from app.problem import paths
from app.problem.csv_tests import LABELS_APART, cell_of
from app.problem.family import Family, FamilyTest, Named

_SMALL = 24  # numbers in a test that is worth showing
_DATE = (1980, 1, 1, 0, 0, 0)


def example_tests(family: Family) -> list[dict[str, Any]]:
    """Two tests that the package has, under names of their own, with what the core says to them.

    To be changed: as they are, they would be refused, since the package has these inputs.
    """
    shown: list[dict[str, Any]] = []
    for test in family.tests.values():
        outputs = test.output(dict(family.parameters))
        if test.inputs is None or outputs is None or not _small(test):
            continue
        shown.append(
            {
                "name": f"my_{test.name}"[:64],
                "labels": list(test.labels),
                "arguments": _json(family.in_order(test.inputs)),
                "expected": _json(outputs),
            }
        )
        if len(shown) == 2:
            break
    return shown


def _small(test: FamilyTest) -> bool:
    numbers = [
        entry for n, d in _json(test.inputs or {}).items() for entry in paths.flattened(n, d)
    ]
    return len(numbers) <= _SMALL


def _json(values: Named) -> dict[str, Any]:
    return {name: notation.to_json(value) for name, value in values.items()}


def json_example(tests: list[dict[str, Any]]) -> bytes:
    return (json.dumps({"tests": tests}, indent=1, ensure_ascii=False) + "\n").encode()


def csv_example(tests: list[dict[str, Any]]) -> bytes:
    """A column for every place that any of the tests has."""
    rows: list[dict[str, str]] = []
    for test in tests:
        row = {"name": test["name"], "labels": LABELS_APART.join(test["labels"])}
        for name, data in test["arguments"].items():
            row |= {place: cell_of(entry) for place, entry in paths.flattened(name, data)}
        for name, data in test["expected"].items():
            flat = paths.flattened(f"expected.{name}", data)
            row |= {place: cell_of(entry) for place, entry in flat if entry is not None}
        rows.append(row)
    columns = sorted(dict.fromkeys(c for row in rows for c in row), key=_column)
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _column(name: str) -> tuple[int, tuple[Any, ...]]:
    """Name and labels first, claims last, lists in the order of their positions."""
    order = {"name": 0, "labels": 1}.get(name, 3 if name.startswith("expected.") else 2)
    steps = tuple(
        (0, step, "") if isinstance(step, int) else (1, 0, step) for step in paths.path_of(name)
    )
    return order, steps


def npz_example(tests: list[dict[str, Any]], family: Family) -> bytes:
    """A member for every input; lists of arrays have one for every array."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for test in tests:
            _member(archive, f"{test['name']}/labels", np.array(test["labels"]))
            for name, data in test["arguments"].items():
                for place, array in _arrays(name, data):
                    _member(archive, f"{test['name']}/{place}", array)
    return file.getvalue()


def _arrays(name: str, data: Any) -> list[tuple[str, np.ndarray[Any, Any]]]:
    """Arrays at their places: a list of lists of different lengths is several."""
    match data:
        case {"array": nested, "dtype": str() as dtype}:
            return [(name, np.array(nested, dtype=dtype))]
        case {"dict": pairs}:
            return [
                found
                for key, item in dict(pairs).items()
                for found in _arrays(f"{name}.{key}", item)
            ]
        case list() if data and not _plain(data):
            return [found for i, item in enumerate(data) for found in _arrays(f"{name}[{i}]", item)]
        case _:
            return [(name, np.array(data))]


def _plain(data: list[Any]) -> bool:
    return all(type(item) in (int, float) for item in data)


def _member(archive: zipfile.ZipFile, name: str, array: np.ndarray[Any, Any]) -> None:
    raw = io.BytesIO()
    npy.write_array(raw, array, allow_pickle=False)
    archive.writestr(zipfile.ZipInfo(f"{name}.npy", _DATE), raw.getvalue())
