"""For whoever watches the process: is it alive, and may work be sent to it?"""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Response

from app.errors import StoreError
from app.web.parts import Parts
from app.web.schemas import HealthOut

_HEARD_OF_S = 30.0


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
        accepted program is accepted. Notes are what an admin should know, and do not make it unfit."""
        checks = {
            "database": await _database(parts),
            "sandbox": _sandbox(parts),
            "canary": parts.unfit() or "ok",
        }
        ready = all(state == "ok" for state in checks.values())
        response.status_code = 200 if ready else 503
        notes = await _notes(parts) if checks["database"] == "ok" else {}
        return HealthOut(ready=ready, checks=checks, notes=notes)

    return health


async def _notes(parts: Parts) -> Mapping[str, str]:
    """Whether judging is paused, which variants cannot be judged, which packages fail the gate.

    Reasons may tell of secret tests, so they are for admins: only the names are here.
    """
    notes = {}
    if broken := sorted(parts.broken_promises()):
        notes["packages"] = f"{', '.join(broken)}: refused by verification; see /admin/health"
    if await parts.store.paused() is not None:
        notes["paused"] = "judging is paused"
    for worker in await parts.store.workers(_HEARD_OF_S):
        notes |= dict.fromkeys(worker.kept_out, "cannot be judged; kept out")
    return notes


async def _database(parts: Parts) -> str:
    try:
        await parts.store.ready()
    except StoreError as error:
        return str(error)
    return "ok"


def _sandbox(parts: Parts) -> str:
    state = parts.sandbox()
    return "ok" if state.allowed else state.reason or f"tier {state.tier} is below the policy"
