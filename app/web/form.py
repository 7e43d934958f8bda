"""A program in a plain form, for browsers without scripts."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.errors import Forbidden, Invalid
from app.web.body import BODY_KIB
from app.web.policy import same_site
from app.web.schemas import SubmissionIn

MOST_FIELDS = 10


async def posted_program(request: Request, problem: str) -> SubmissionIn:
    """The program that was posted. Browsers send lines that end in CR LF.

    Raises Forbidden where another site's page sent it, Invalid or pydantic's error for what cannot
    be judged, and 413 for a body that no program needs.
    """
    if not same_site(request):
        raise Forbidden("This form was sent from another site.")
    body = (await _bounded(request)).decode("ascii", errors="replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Invalid("The form has too many fields.") from None
    source = fields.get("source", [""])[0].replace("\r\n", "\n")
    return SubmissionIn(problem=problem, source=source)


async def _bounded(request: Request) -> bytes:
    """The body, counted as it arrives."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_KIB * 1024:
            raise HTTPException(413, f"The form is over {BODY_KIB} KiB.", {"Connection": "close"})
    return bytes(body)
