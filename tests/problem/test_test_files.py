"""Tests from CSV and NPZ files: read as they are meant, or refused in words."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.contract import Argument, DictOf, Leaf, ListOf
from app.errors import Invalid
from app.problem import paths
from app.problem.csv_tests import MOST_COLUMNS, csv_tests
from app.problem.entries import Entries, Unreadable
from app.problem.npz_tests import npz_tests

INPUTS = (
    Argument("values", Leaf("array_like")),
    Argument("grads", ListOf(Leaf("array_like"))),
    Argument("steps", ListOf(Leaf("integer"))),
    Argument("weights", DictOf(Leaf("nested_list"))),
    Argument("limit", Leaf("number")),
)


def read_csv(text: str) -> Entries:
    return csv_tests(text.encode(), 1000)


def npz(**arrays: Any) -> bytes:
    """An NPZ file; `two__values` stands for `two/values`."""
    file = io.BytesIO()
    np.savez(file, **{name.replace("__", "/"): array for name, array in arrays.items()})
    return file.getvalue()


def read_npz(content: bytes) -> Entries:
    return npz_tests(content, INPUTS, 1000)


# --- Places ---------------------------------------------------------------------------------------


def test_entries_at_their_places_become_typed_data() -> None:
    """Lists by position, dicts by key, however deep."""
    entries = {"a[1]": 2, "a[0]": 1, "b.x[0][0]": 3, "c": {"float": "NaN"}}
    found = paths.assembled((paths.path_of(place), entry) for place, entry in entries.items())
    assert found == {"a": [1, 2], "b": {"dict": {"x": [[3]]}}, "c": {"float": "NaN"}}
    for name in ("a", "b"):
        back = dict(paths.flattened(name, found[name]))
        assert back == {place: entry for place, entry in entries.items() if place[0] == name}


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (["a[0]", "a[2]"], r"a\[1\]: is missing"),
        (["a[0]", "a.x"], "mixes positions and keys"),
        (["a", "a[0]"], "lies inside another entry"),
        (["a[0]", "a"], "others inside it"),
        (["a[0]", "a[0]"], "is there twice"),
        (["a[999999]"], r"a\[0\]: is missing"),
    ],
)
def test_places_that_contradict_one_another_are_refused(places: list[str], words: str) -> None:
    """With the place in question."""
    with pytest.raises(Invalid, match=words):
        paths.assembled((paths.path_of(place), 1) for place in places)


@pytest.mark.parametrize("text", ["", "a[", "a[-1]", "a[1", "[0]", "a..b", "a[1]b", "a" * 300])
def test_what_is_no_place_is_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(Invalid, match="is not a place"):
        paths.path_of(text)


# --- CSV ------------------------------------------------------------------------------------------


def test_a_row_is_a_test() -> None:
    """Integers and floats as written, words for what has no number, empty cells left out."""
    found = read_csv(
        "name,labels,values[0],values[1],limit,expected.mean,answers.plain\n"
        "one, a | b ,1,2.5e0,NaN,-Infinity,7\n"
        "\n"
        'two,"c, d",[],,true,,\n'
    )
    assert found.places == ("line 2", "line 4")
    assert found.tests[0] == {
        "name": "one",
        "labels": ["a", "b"],
        "arguments": {"values": [1, 2.5], "limit": {"float": "NaN"}},
        "expected": {"mean": {"float": "-Infinity"}},
        "answers": {"plain": 7},
    }
    assert found.tests[1] == {
        "name": "two",
        "labels": ["c, d"],
        "arguments": {"values": [[]], "limit": True},
    }


def test_a_row_that_cannot_be_read_takes_no_other_along() -> None:
    """It is told in its own place."""
    found = read_csv("name,labels,a[0],a[1]\nx,l,,2\ny,l,1,2,3\nz,l,1,2\n")
    assert [isinstance(test, Unreadable) for test in found.tests] == [True, True, False]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "name and labels"),
        (b"name,values\n", "name and labels"),
        (b"name,labels,a,a\n", "'a' twice"),
        (b"name,labels,a[\n", "is not a place"),
        (b"name,labels," + b",".join(b"a[%d]" % i for i in range(1_000_000)), "columns"),
        (b"name,labels,a\n" + b"," * 1_000_000, f"more than {MOST_COLUMNS} columns"),
        (b"name,labels\n" + b"a,b\n" * 1001, "more than 1000 tests"),
        (b"name,labels,a\n\xff,b,1\n", "not UTF-8"),
        (b"name,labels,a\nx\0,b,1\n", "zero byte"),
        (b'name,labels,a\n"x,b,1\n', "is not CSV"),
        (b'name,labels,a\n"' + b"x" * 200_000 + b'",b,1\n', "is not CSV"),
    ],
)
def test_a_csv_file_that_is_none_is_refused(content: bytes, words: str) -> None:
    """A million columns, zero bytes, open quotes: at once, in words."""
    with pytest.raises(Invalid, match=words):
        csv_tests(content, 1000)


# --- NPZ ------------------------------------------------------------------------------------------


def test_members_are_handed_on_as_the_contract_asks() -> None:
    """Arrays where arrays are taken, plain numbers and lists elsewhere; labels are texts."""
    content = npz(
        one__labels=np.array(["a", "é"]),
        one__values=np.array([[1.5, np.nan]]),
        one__steps=np.array([1, 2]),
        one__limit=np.array(3),
        **{"one/grads[0]": np.array([1, 2], ">i4"), "one/grads[1]": np.array(2.5)},
        **{"one/weights.x": np.array([[1.0], [2.0]], order="F"), "one/expected.mean": 4.0},
    )
    [test] = read_npz(content).tests
    assert test == {
        "name": "one",
        "labels": ["a", "é"],
        "arguments": {
            "values": {"array": [[1.5, "NaN"]], "dtype": "float64"},
            "steps": [1, 2],
            "limit": 3,
            "grads": [{"array": [1, 2], "dtype": "int32"}, 2.5],
            "weights": {"dict": {"x": [[1.0], [2.0]]}},
        },
        "expected": {"mean": 4.0},
    }


class _Marked:
    """Says so if it is ever unpickled."""

    unpickled = False

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return setattr, (_Marked, "unpickled", True)


def member(header: bytes, rest: bytes = b"", name: str = "a/values.npy") -> bytes:
    """An NPZ file with one member that NumPy would not write."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        text = header.ljust(117) + b"\n"
        made.writestr(name, b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + rest)
    return file.getvalue()


def npz_member(array: Any) -> bytes:
    raw = io.BytesIO()
    np.save(raw, array)
    return raw.getvalue()


def bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a/values.npy", npz_member(np.zeros(1_900_000)))
    return file.getvalue()


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no zip": lambda: b"\x93NUMPY" * 9,
    "half a file": lambda: npz(a__values=np.arange(999.0))[:2000],
    "an array of objects": lambda: npz(a__values=np.array([_Marked()], dtype=object)),
    "a structure": lambda: npz(a__values=np.zeros(3, dtype=[("x", "f8"), ("y", "i4")])),
    "dates": lambda: npz(a__values=np.zeros(3, dtype="M8[s]")),
    "bytes": lambda: npz(a__values=np.array([b"abc"])),
    "long doubles": lambda: npz(a__values=np.zeros(3, dtype=np.longdouble)),
    "no test": lambda: npz(values=np.zeros(3)),
    "a name that is no place": lambda: npz(**{"a/../../x": np.zeros(3)}),
    "a bomb": bomb,
    "a huge shape": lambda: member(b"{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999,), }"),
    "a thousand million empty lists": lambda: member(
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 0), }"
    ),
    "a thousand million empty texts": lambda: member(
        b"{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000,), }", name="a/labels.npy"
    ),
    "a negative shape": lambda: member(b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"),
    "a header that calls": lambda: member(b"{'descr': print(1), 'fortran_order': False, 'shape': ()}"),
    "a header of brackets": lambda: member(b"[" * 100),
    "objects in a header": lambda: member(
        b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", b"x" * 8
    ),
    "text that is none": lambda: member(
        b"{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }", b"\xff" * 4, "a/labels.npy"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_npz_file_is_refused(what: str) -> None:
    """In words; nothing is unpickled or evaluated, and no memory is taken for what is not there."""
    with pytest.raises(Invalid):
        read_npz(HOSTILE[what]())
    assert not _Marked.unpickled
