"""A program in a plain form, for browsers without scripts."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request

from app.errors import Invalid
from app.web.body import BODY_KIB, bounded
from app.web.schemas import RunIn, SubmissionIn

MOST_FIELDS = 10


async def posted(request: Request) -> dict[str, list[str]]:
    """The fields of a plain form. Raises Invalid where there are too many."""
    body = (await bounded(request, BODY_KIB * 1024)).decode("ascii", errors="replace")
    try:
        return parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="replace")
    except ValueError:
        raise Invalid("The form has too many fields.") from None


async def fields(request: Request, *names: str) -> tuple[str, ...]:
    """What stood in these fields; empty where one was not sent."""
    found = await posted(request)
    return tuple(found.get(name, [""])[0] for name in names)


async def posted_program(request: Request, problem: str) -> SubmissionIn | RunIn:
    """The program that was posted, to be run where the button "run" was pressed. Browsers send lines
    that end in CR LF.

    Raises Invalid or pydantic's error for what cannot be judged, and refuses a body that no program
    needs.
    """
    source, run = await fields(request, "source", "run")
    asked = RunIn if run else SubmissionIn
    return asked(problem=problem, source=source.replace("\r\n", "\n"))
