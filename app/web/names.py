"""Names of accounts: of any script, and such that two people can tell two names apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from app.errors import FieldError, Invalid

MOST_LETTERS = 40
_BETWEEN = " -_.'’·"
_MOST_MARKS = 4  # on one letter; more would run into the lines above and below
# Letters and marks that show nothing: fillers, joiners, selectors of a glyph's form.
_INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810)} | {
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
}


def legal_name(name: str) -> str:
    """The name in its usual encoding (NFKC). Raises Invalid for what would be no name."""
    normal = unicodedata.normalize("NFKC", name).strip(" ")
    for reason in _wrong(normal):
        raise Invalid(f"this cannot be a name: it {reason}", [FieldError("name", reason)])
    return normal


def _wrong(name: str) -> Iterator[str]:
    if not name:
        yield "is empty"
    if len(name) > MOST_LETTERS:
        yield f"has more than {MOST_LETTERS} characters"
    marks = 0
    for letter in name:
        kind = unicodedata.category(letter)
        if ord(letter) in _INVISIBLE or not (kind[0] in "LMN" or letter in _BETWEEN):
            yield f"holds U+{ord(letter):04X}, which is no letter, digit or one of - _ . '"
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > _MOST_MARKS:
            yield "piles marks on a letter"
    if name and not (
        _reads(name[0]) and (_reads(name[-1]) or unicodedata.category(name[-1])[0] == "M")
    ):
        yield "must begin and end with a letter or a digit"
    if any(pair in name for pair in ("  ", "--", "__", "..")):
        yield "has a gap in it"


def _reads(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LN"
