"""Reading a request's body: bounded, JSON only, and JSON that means one thing only."""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

BODY_KIB = 256
_BODY_S = 30.0
_DRAIN_FACTOR = 8  # a body this many times over the limit is read to its end before it is refused
_INLINE_BYTES = 256 * 1024  # longer JSON is parsed in a thread

Admit = Callable[[Request], Awaitable[None]]


def json_route(body_kib: int = BODY_KIB, admit: Admit | None = None) -> type[APIRoute]:
    """A route that reads at most `body_kib`, and asks `admit` before it reads anything."""

    class JsonRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handle = super().get_route_handler()

            async def handle_json(request: Request) -> Response:
                if admit is not None:
                    await admit(request)
                return await handle(_JsonRequest(request, body_kib * 1024))

            return handle_json

    return JsonRoute


class _JsonRequest(Request):
    """A request whose body is read once, within its limits."""

    def __init__(self, request: Request, limit_bytes: int) -> None:
        super().__init__(request.scope, request.receive)
        self._limit_bytes = limit_bytes

    async def body(self) -> bytes:
        if not hasattr(self, "_read"):
            _check_type(self.headers.get("content-type", ""))
            self._read = await bounded(self, self._limit_bytes)
            if not self._read:
                raise HTTPException(400, "the body is empty; a JSON object is asked for")
        return self._read

    async def json(self) -> Any:
        body = await self.body()
        if len(body) > _INLINE_BYTES:
            return await asyncio.to_thread(parsed, body)
        return parsed(body)


async def bounded(request: Request, limit_bytes: int) -> bytes:
    """A request's body, refused where it is too large, too slow, or not there to its end."""
    try:
        async with asyncio.timeout(_BODY_S):
            body, size = await _counted(request, limit_bytes)
    except TimeoutError:
        raise _refused(408, f"the body did not arrive within {_BODY_S:.0f} s") from None
    except ClientDisconnect:
        raise _refused(400, "the body ended early") from None
    if size > limit_bytes:
        raise _refused(413, f"the body is over {limit_bytes // 1024} KiB")
    return body


async def _counted(request: Request, limit_bytes: int) -> tuple[bytes, int]:
    """The body, counted as it arrives: a length that was announced may be a lie, or missing."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= limit_bytes:
            chunks.append(chunk)
        elif size > limit_bytes * _DRAIN_FACTOR:
            break
    return b"".join(chunks), size


def parsed(body: bytes) -> Any:
    """The value of a JSON text (RFC 8259) in which nothing is left to the reader's choice.

    Raises 400 for what is not JSON, for a key given twice, and for numbers that no float holds;
    422 for text that is not Unicode (half of a surrogate pair).
    """
    try:
        value = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except UnicodeDecodeError as error:
        raise HTTPException(400, f"the body is not UTF-8: byte {error.start}") from None
    except json.JSONDecodeError as error:
        detail = f"the body is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        raise HTTPException(400, detail) from None
    except RecursionError:
        raise HTTPException(400, "the body is nested too deeply") from None
    except ValueError:
        raise HTTPException(400, "the body holds an integer with too many digits") from None
    if b"\\u" in body:
        _check_unicode(value)
    return value


def _check_type(content_type: str) -> None:
    kind, _, parameters = content_type.partition(";")
    charset = parameters.strip().lower().replace('"', "")
    if kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8"):
        raise HTTPException(415, "the body must be application/json, in UTF-8")


def _refused(status: int, detail: str) -> HTTPException:
    """The rest of the body is not read: this connection is of no more use."""
    return HTTPException(status, detail, {"Connection": "close"})


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        times_given = Counter(key for key, _ in pairs)
        twice = next(key for key, times in times_given.items() if times > 1)
        raise HTTPException(400, f"the body is ambiguous: the key {twice[:50]!r} is given twice")
    return made


def _no_constant(name: str) -> NoReturn:
    raise HTTPException(400, f'the body is not JSON: {name}; write {{"float": "{name}"}}')


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise HTTPException(400, f"the number {text[:30]} is beyond the range of a float")
    return number


def _check_unicode(value: Any) -> None:
    for text in _texts(value):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise HTTPException(422, "the body holds half of a surrogate pair") from None


def _texts(value: Any) -> Iterator[str]:
    """All strings, keys too."""
    rest = [value]
    while rest:
        match rest.pop():
            case str(text):
                yield text
            case dict(fields):
                rest += [*fields.keys(), *fields.values()]
            case list(items):
                rest += items
