"""The one error table: every deliberate exception becomes problem+json (RFC 9457) here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import HTTPExceptionHandler

from app.errors import (
    Busy,
    Conflict,
    FieldError,
    Forbidden,
    Invalid,
    NotFound,
    Outdated,
    PackageError,
    ProviderUnavailable,
    SandboxError,
    StoreError,
    TooManyRequests,
    Unauthorized,
)
from app.web.logs import because

MEDIA_TYPE = "application/problem+json"
_MOST_FAULTS = 100  # a body may have tens of thousands of fields that nobody knows


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
    headers: Mapping[str, str] = field(default_factory=dict)


TABLE: Mapping[type[Exception], _Row] = {
    NotFound: _Row(404),
    Invalid: _Row(422),
    Outdated: _Row(412),
    Unauthorized: _Row(401, headers={"WWW-Authenticate": "Bearer"}),
    Forbidden: _Row(403),
    Conflict: _Row(409),
    TooManyRequests: _Row(429),
    Busy: _Row(503, retry_s=2),
    ProviderUnavailable: _Row(503, retry_s=30),
    StoreError: _Row(503, retry_s=2),
    PackageError: _Row(503, retry_s=30),  # a package of this server's, changed under its hands
    SandboxError: _Row(503, retry_s=30),
}

# In place of the framework's own words, which only repeat the status.
_FRAMEWORK = {
    404: "there is nothing at this address",
    405: "{method} is not possible at this address",
}

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request was refused, before it is decided how that is told."""

    status: int
    detail: str
    errors: Sequence[FieldError] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return HTTPStatus(self.status).phrase

    def as_json(self) -> Response:
        out = ErrorOut(
            title=self.title,
            status=self.status,
            detail=_utf8(self.detail),
            errors=[FaultOut(where=_utf8(e.where), message=_utf8(e.message)) for e in self.errors],
        )
        return Response(out.model_dump_json(), self.status, dict(self.headers), MEDIA_TYPE)


# Tells a person who reads pages; None where a program asked.
Page = Callable[[Request, Refusal], Response | None]


def install(app: FastAPI, page: Page, refused: Callable[[type[Exception]], None]) -> None:
    """Make the table the answer to every exception of this app; `refused` counts them by kind."""

    def told(explain: Callable[[Request, Exception], Refusal]) -> HTTPExceptionHandler:
        async def handle(request: Request, error: Exception) -> Response:
            refusal = explain(request, error)
            if refusal.status == 204:
                return Response(status_code=204)
            return page(request, refusal) or refusal.as_json()

        return handle

    def counted(request: Request, error: Exception) -> Refusal:
        refused(next(kind for kind in TABLE if isinstance(error, kind)))
        return deliberate(request, error)

    for kind in TABLE:
        app.add_exception_handler(kind, told(counted))
    app.add_exception_handler(HTTPException, told(_http))
    app.add_exception_handler(RequestValidationError, told(_validation))
    app.add_exception_handler(ValidationError, told(_validation))
    app.add_exception_handler(Exception, told(_bug))


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The same refusals, for the OpenAPI document."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in statuses
    }


def deliberate(request: HTTPConnection, error: Exception) -> Refusal:
    """What the table says of an exception."""
    row = next(row for kind, row in TABLE.items() if isinstance(error, kind))
    headers = dict(row.headers)
    retry_s = error.retry_after_s if isinstance(error, TooManyRequests) else row.retry_s
    if retry_s is not None:
        headers["Retry-After"] = str(max(1, math.ceil(retry_s)))
    if isinstance(error, Busy | TooManyRequests):
        because(request, str(error), one_of_many=True)
    elif row.status >= 500:
        because(request, str(error))
    errors = error.errors if isinstance(error, Invalid) else ()
    return Refusal(row.status, str(error), errors, headers)


def _http(request: Request, error: Exception) -> Refusal:
    """What the framework refuses: unknown paths, methods, and bodies that cannot be read."""
    assert isinstance(error, HTTPException)
    detail = str(error.detail)
    if detail == HTTPStatus(error.status_code).phrase:
        detail = _FRAMEWORK.get(error.status_code, detail).replace("{method}", request.method)
    return Refusal(error.status_code, detail, headers=error.headers or {})


def _validation(_request: Request, error: Exception) -> Refusal:
    assert isinstance(error, RequestValidationError | ValidationError)
    faults = error.errors()
    errors = [
        FieldError(_place(fault["loc"]), fault["msg"].removeprefix("Value error, "))
        for fault in faults[:_MOST_FAULTS]
    ]
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return Refusal(422, f"{errors[0].where}: {errors[0].message}{more}", errors)


def _bug(request: Request, error: Exception) -> Refusal:
    """Our fault. The text of the exception is for the log only: it may hold anything."""
    _log.error("failed", path=request.url.path, exc_info=error)
    return Refusal(500, "Something went wrong here. It is our fault, and it has been logged.")


def _place(location: Sequence[int | str]) -> str:
    """`arguments.grads[0]`: as it would be written in Python."""
    place = ""
    for step in (
        location[1:]
        if location and location[0] in ("body", "query", "path", "header")
        else location
    ):
        place += f"[{step}]" if isinstance(step, int) else f".{step}" if place else step
    return place or "body"


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
