"""A program in a plain form, for browsers without scripts."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request

from app.errors import Invalid
from app.web.body import BODY_KIB, bounded
from app.web.schemas import SubmissionIn

MOST_FIELDS = 10


async def posted_program(request: Request, problem: str) -> SubmissionIn:
    """The program that was posted. Browsers send lines that end in CR LF.

    Raises Invalid or pydantic's error for what cannot be judged, and refuses a body that no program
    needs.
    """
    body = (await bounded(request, BODY_KIB * 1024)).decode("ascii", errors="replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Invalid("The form has too many fields.") from None
    source = fields.get("source", [""])[0].replace("\r\n", "\n")
    return SubmissionIn(problem=problem, source=source)
