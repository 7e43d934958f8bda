"""Everything that is kept of an account, as one JSON document."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request
from starlette.responses import StreamingResponse

from app.store import Account
from app.web.parts import Parts
from app.web.signing import own_account


async def exported(parts: Parts, request: Request) -> StreamingResponse:
    """Written as it is read: somebody may have thousands of programs."""
    account = await own_account(parts, request)
    headers = {
        "Content-Disposition": 'attachment; filename="allclose.json"',
        "Cache-Control": "no-store",
    }
    return StreamingResponse(
        _document(parts, account), headers=headers, media_type="application/json"
    )


async def _document(parts: Parts, account: Account) -> AsyncIterator[bytes]:
    """An object with an array for each kind of thing. No hash of a secret is in it."""
    about = {"name": account.name, "role": account.role, "created_ms": account.created_ms}
    yield b'{"account": [\n' + _line(about)
    last = "account"
    async for kind, row in parts.store.kept_of(account.number):
        if kind == last:
            yield b",\n" + _line(row)
        else:
            yield b"\n],\n" + json.dumps(kind).encode() + b": [\n" + _line(row)
            last = kind
    yield b"\n]}\n"


def _line(row: Any) -> bytes:
    """What was kept as JSON is JSON again, under its plain name."""
    plain = {}
    for name, value in row.items():
        as_json = name.endswith("_json") and isinstance(value, str)
        plain[name.removesuffix("_json")] = json.loads(value) if as_json else value
    return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
