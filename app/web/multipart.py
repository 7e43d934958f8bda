"""Forms with a file in them, and small ones without: bounded before anything is parsed."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.types import Message

from app.errors import Invalid
from app.web.body import bounded

MOST_FIELDS = 10
FIELD_KIB = 64


@dataclass(frozen=True, slots=True)
class PostedForm:
    """Text fields by name, and the one file, if there is one."""

    fields: dict[str, str] = field(default_factory=dict)
    file_name: str = ""
    content: bytes = b""


async def posted_form(request: Request, limit_kib: int = FIELD_KIB) -> PostedForm:
    """What was posted, urlencoded or multipart. Refuses a body that is too large or is no form."""
    body = await bounded(request, limit_kib * 1024)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    fields: dict[str, str] = {}
    file_name, content = "", b""
    parsing = Request(request.scope, receive)
    async with parsing.form(
        max_files=1, max_fields=MOST_FIELDS, max_part_size=FIELD_KIB * 1024
    ) as form:
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                file_name, content = value.filename or "", await value.read()
            else:
                fields[name] = value
    return PostedForm(fields, file_name, content)


def sent_file(form: PostedForm) -> tuple[str, bytes]:
    """The file's name and content. Raises Invalid where none was chosen."""
    if not form.file_name:
        raise Invalid("Choose a file first.")
    return form.file_name, form.content
