"""Tables as CSV that a spreadsheet takes for data and never for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

# What spreadsheets take for the beginning of a formula, or skip in front of one.
_ACTING = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(head: Sequence[str], rows: Iterable[Sequence[str | int | float | None]]) -> str:
    """RFC 4180, with CR LF. Text that would act in a spreadsheet gets a quote in front of it."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(map(_harmless, head))
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return written.getvalue()


def _harmless(cell: str | int | float | None) -> str | int | float:
    if cell is None:
        return ""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_ACTING):
        return f"'{cell}"
    return cell
