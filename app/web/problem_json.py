"""The one error table: every deliberate exception becomes problem+json (RFC 9457) here."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException

from app.errors import (
    FieldError,
    Forbidden,
    Invalid,
    NotFound,
    SandboxError,
    StoreError,
    TooLarge,
    TooManyRequests,
    Unauthorized,
)

MEDIA_TYPE = "application/problem+json"


class FaultOut(BaseModel):
    """One rule that was broken: where, and what is wrong."""

    where: str
    message: str


class ErrorOut(BaseModel):
    """Why a request was refused (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[FaultOut] = []


@dataclass(frozen=True, slots=True)
class _Row:
    status: int
    retry_s: float | None = None
    headers: Mapping[str, str] | None = None


TABLE: Mapping[type[Exception], _Row] = {
    NotFound: _Row(404),
    Invalid: _Row(422),
    TooLarge: _Row(413),
    Unauthorized: _Row(401, headers={"WWW-Authenticate": "Bearer"}),
    Forbidden: _Row(403),
    TooManyRequests: _Row(429),
    StoreError: _Row(503, retry_s=2),
    SandboxError: _Row(503, retry_s=30),
}

# In place of the framework's own words, which only repeat the status.
_FRAMEWORK = {
    404: "there is nothing at this address",
    405: "{method} is not possible at this address",
}

_log = structlog.get_logger()


def install(app: FastAPI) -> None:
    """Make the table the answer to every exception of this app."""
    for kind in TABLE:
        app.add_exception_handler(kind, _deliberate)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(ValidationError, _validation)
    app.add_exception_handler(Exception, _bug)


def refusal(
    status: int,
    detail: str,
    errors: Sequence[FieldError] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A refusal as problem+json."""
    faults = [FaultOut(where=_utf8(e.where), message=_utf8(e.message)) for e in errors]
    title = HTTPStatus(status).phrase
    out = ErrorOut(title=title, status=status, detail=_utf8(detail), errors=faults)
    return Response(out.model_dump_json(), status, dict(headers or {}), MEDIA_TYPE)


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The same refusals, for the OpenAPI document."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in statuses
    }


async def _deliberate(_request: Request, error: Exception) -> Response:
    row = next(row for kind, row in TABLE.items() if isinstance(error, kind))
    headers = dict(row.headers or {})
    retry_s = error.retry_after_s if isinstance(error, TooManyRequests) else row.retry_s
    if retry_s is not None:
        headers["Retry-After"] = str(max(1, math.ceil(retry_s)))
    if row.status >= 500:
        _log.warning("refused", status=row.status, reason=str(error))
    errors = error.errors if isinstance(error, Invalid) else ()
    return refusal(row.status, str(error), errors, headers)


async def _http(request: Request, error: Exception) -> Response:
    """What the framework refuses: unknown paths, methods, and bodies that cannot be read."""
    assert isinstance(error, HTTPException)
    if error.status_code == 204:
        return Response(status_code=204)
    detail = str(error.detail)
    if detail == HTTPStatus(error.status_code).phrase:
        detail = _FRAMEWORK.get(error.status_code, detail)
    return refusal(
        error.status_code, detail.replace("{method}", request.method), headers=error.headers
    )


async def _validation(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError | ValidationError)
    errors = [
        FieldError(_place(fault["loc"]), fault["msg"].removeprefix("Value error, "))
        for fault in error.errors()
    ]
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    return refusal(422, f"{errors[0].where}: {errors[0].message}{more}", errors)


async def _bug(request: Request, error: Exception) -> Response:
    """Our fault. The text of the exception is for the log only: it may hold anything."""
    _log.error("failed", path=request.url.path, exc_info=error)
    return refusal(500, "Something went wrong here. It is our fault, and it has been logged.")


def _place(location: Sequence[int | str]) -> str:
    """`arguments.grads[0]`: as it would be written in Python."""
    place = ""
    for step in location[1:] if location[0] in ("body", "query", "path", "header") else location:
        place += f"[{step}]" if isinstance(step, int) else f".{step}" if place else step
    return place or str(location[0])


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
