"""JSON is read strictly: what two readers could take differently is refused."""

from __future__ import annotations

import pytest

from app.errors import Invalid
from app.problem import plain_json


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"tests": [\n{"name": "a",]}', "line 2, column 14"),
        ('{"a": 1, "a": 2}', "the key 'a' is there twice"),
        ('{"a": NaN}', 'write {"float": "NaN"}'),
        ('{"a": 1e309}', "1e309 is too large"),
        ('{"a": ' + "9" * 5000 + "}", "an integer of 5000 digits"),
        ("[" * 100_000, "nested too deep"),
        ("", "line 1, column 1"),
    ],
)
def test_text_that_is_not_plain_json_is_refused(text: str, words: str) -> None:
    """With line and column where there is one, or the key that is there twice."""
    with pytest.raises(Invalid) as caught:
        plain_json.parse(text)
    assert words in str(caught.value)
