"""JSON text, read strictly: no key twice, no NaN, nothing that a float64 cannot hold."""

from __future__ import annotations

import json
import math
from typing import NoReturn

from app.errors import FieldError, Invalid


def parse(text: str) -> object:
    """The data of a JSON text. Raises Invalid with line and column, or with the key given twice."""
    try:
        return json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_in_range,
            parse_int=_short_enough,
        )  # fmt: skip
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Invalid(
            f"not JSON: {error.msg} at {where}", (FieldError(where, error.msg),)
        ) from None
    except RecursionError:
        raise Invalid("not JSON that can be read: nested too deep") from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, item in pairs:
        if key in found:
            raise Invalid(f"the key {key[:40]!r} is there twice in one object")
        found[key] = item
    return found


def _no_constant(word: str) -> NoReturn:
    raise Invalid(f'{word} is not JSON; write {{"float": "{word}"}}')


def _in_range(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise Invalid(f"{text[:40]} is too large for a 64-bit float")
    return number


def _short_enough(text: str) -> int:
    if len(text) > 4000:
        raise Invalid(f"an integer of {len(text)} digits is too large")
    return int(text)
