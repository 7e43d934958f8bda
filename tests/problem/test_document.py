"""The YAML reader: plain data with line numbers, and nothing clever."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import PackageError
from app.problem import document


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-7", -7),
        ("1.5", 1.5),
        ("1e-6", 1e-6),
        ("1.0e+3", 1000.0),
        (".5", 0.5),
        ("'5'", "5"),
        ("yes", "yes"),
        ("off", "off"),
        ("1:30", "1:30"),
        ("2024-01-01", "2024-01-01"),
        ("0x1F", "0x1F"),
        ("true", True),
        ("null", None),
        ("~", None),
    ],
)
def test_scalars_follow_yaml_1_2(text: str, value: object) -> None:
    """`1e-6` is a number and `yes` a string: what an author sees is what there is."""
    found = document.parse(f"key: {text}", Path("f.yaml")).data["key"]
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: &x [1]\nb: *x", 1, "anchor"),
        ("a: 1\nb: &x {c: *x}", 2, "anchor"),
        ("a: 1\na: 2", 2, "twice"),
        ("a: 1\nb: !!python/object:os.system x", 2, "tag"),
        ("a: 1\n---\nb: 2", 2, "more than one document"),
        ("a: [1\nb: 2", 2, "not YAML"),
        ("a: 1\n? [1, 2]\n: 3", 2, "key that is not a word"),
        ("a: 1\nb: .nan", 2, "write {float: NaN}"),
        ("a: 1\nb: 1e999", 2, "too large"),
        ("a:\n  " + "[" * 60 + "]" * 60, 2, "nested too deep"),
        ("a: \x07", 1, "not YAML"),
    ],
)
def test_what_could_hide_something_is_refused_with_its_line(
    text: str, line: int, words: str
) -> None:
    """Aliases, tags, duplicates and the like name file, line and what to do."""
    with pytest.raises(PackageError, match=words) as caught:
        document.parse(text, Path("f.yaml"))
    assert (caught.value.path, caught.value.line) == (Path("f.yaml"), line)


def test_an_empty_file_is_refused() -> None:
    """No document at all is an error of its own."""
    with pytest.raises(PackageError, match="is empty"):
        document.parse("# nothing\n", Path("f.yaml"))


def test_every_place_knows_its_line() -> None:
    """Keys know the line they stand on, items likewise; unknown places that of what is around."""
    page = document.parse("a:\n  b:\n    - 1\n    - 2\nc: 3", Path("f.yaml"))
    lines = [page.line(at) for at in [("a",), ("a", "b", 1), ("a", "b", 9, "x"), ("c",), ("z",)]]
    assert lines == [1, 4, 2, 5, 1]
