"""For whoever watches the process: is it alive, and may work be sent to it?"""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.errors import StoreError
from app.web.parts import Parts
from app.web.schemas import HealthOut


def router(parts: Parts) -> APIRouter:
    """`/livez` and `/readyz`."""
    health = APIRouter(tags=["health"])

    @health.get("/livez")
    async def livez() -> HealthOut:
        """The process answers."""
        return HealthOut(ready=True, checks={})

    @health.get("/readyz", responses={503: {"model": HealthOut, "description": "Not fit for work"}})
    async def readyz(response: Response) -> HealthOut:
        """The database can be written, boxes of the tier that policy asks for can be made, and an
        accepted program is accepted."""
        checks = {
            "database": await _database(parts),
            "sandbox": _sandbox(parts),
            "canary": parts.unfit() or "ok",
        }
        ready = all(state == "ok" for state in checks.values())
        response.status_code = 200 if ready else 503
        return HealthOut(ready=ready, checks=checks)

    return health


async def _database(parts: Parts) -> str:
    try:
        await parts.store.ready()
    except StoreError as error:
        return str(error)
    return "ok"


def _sandbox(parts: Parts) -> str:
    state = parts.sandbox()
    return "ok" if state.allowed else state.reason or f"tier {state.tier} is below the policy"
