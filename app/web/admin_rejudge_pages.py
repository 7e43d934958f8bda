"""The pages of rejudges, as plain forms that need no scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app.errors import Invalid
from app.store import Move, Rejudge, Selection
from app.store.results import LETTERS
from app.web.admin_area import area
from app.web.admin_rejudge_schemas import RejudgeNumber, SubmissionId
from app.web.admin_rejudges import requeue, who
from app.web.form import posted
from app.web.pages import Pages
from app.web.results import moment

_SHOWN = 20
_PAGE = 50
_LAST_YEAR = 9000
_AREA = "/admin/rejudges"


def router(pages: Pages) -> APIRouter:
    """/admin/rejudges."""
    routes = area(pages)
    store = pages.parts.store

    @routes.get("/rejudges")
    async def rejudges(request: Request) -> Response:
        asked = {name: request.query_params.getlist(name) for name in request.query_params}
        pages.again(request, "admin_rejudges.html", **await _choosing(pages, {}))
        return pages.form(request, "admin_rejudges.html", **await _choosing(pages, asked))

    @routes.post("/rejudges")
    async def begin(request: Request) -> Response:
        sent = await posted(request)
        pages.again(request, "admin_rejudges.html", **await _choosing(pages, {}))
        number = await store.begin_rejudge(_selection(sent), who(request))
        return _see(f"{_AREA}/{number}")

    @routes.get("/rejudges/{number}")
    async def rejudge(
        request: Request, number: RejudgeNumber, after: Annotated[int, Query(ge=0, le=2**53)] = 0
    ) -> Response:
        return pages.form(request, "admin_rejudge.html", **await _one(pages, number, after))

    @routes.post("/rejudges/{number}/release")
    async def release(request: Request, number: RejudgeNumber) -> Response:
        pages.again(request, "admin_rejudge.html", **await _one(pages, number))
        await store.release_rejudge(number, who(request))
        return _see(f"{_AREA}/{number}")

    @routes.post("/rejudges/{number}/discard")
    async def discard(request: Request, number: RejudgeNumber) -> Response:
        pages.again(request, "admin_rejudge.html", **await _one(pages, number))
        await store.discard_rejudge(number, who(request))
        return _see(f"{_AREA}/{number}")

    @routes.post("/submissions/{id}/requeue")
    async def requeue_one(request: Request, id: SubmissionId) -> Response:
        await requeue(pages.parts, id, who(request))
        return _see(f"/submissions/{id}")

    return routes


async def _choosing(pages: Pages, asked: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The form, what it would choose once it was sent, and the newest rejudges."""
    store, variants = pages.parts.store, pages.parts.catalogue.variants
    chosen = await store.chosen(_selection(asked)) if asked else ()
    return {
        "asked": {name: values[-1] for name, values in asked.items() if values},
        "asked_verdicts": [v for v in asked.get("verdict", ()) if v in LETTERS],
        "previewed": bool(asked),
        "chosen": chosen,
        "total": sum(kind.count for kind in chosen),
        "families": sorted({variant.family for variant in variants}),
        "problems": sorted(variant.id for variant in variants),
        "verdicts": list(LETTERS),
        "rejudges": await store.rejudges(_SHOWN),
    }


async def _one(pages: Pages, number: int, after: int = 0) -> dict[str, Any]:
    store = pages.parts.store
    rejudge = await store.rejudge(number)
    moves = await store.rejudge_moves(number)
    changes = await store.rejudge_changes(number, _PAGE, after)
    return {
        "rejudge": rejudge,
        "words": selection_words(rejudge.selection),
        "table": _table(moves),
        "lost": sum(m.count for m in moves if m.before == "AC" and m.after not in ("AC", "JE")),
        "gained": sum(m.count for m in moves if m.before != "AC" and m.after == "AC"),
        "failed": sum(m.count for m in moves if m.after == "JE"),
        "tests": (await store.rejudge_flips(number))[:_PAGE],
        "changes": changes,
        "next": changes[-1].key if len(changes) == _PAGE else None,
        "state_words": _state(rejudge),
    }


def _table(moves: Sequence[Move]) -> dict[str, Any]:
    """Verdicts before (rows) and after (columns), only those that occur."""
    counts = {(move.before, move.after): move.count for move in moves}
    rows = [v for v in LETTERS if any(move.before == v for move in moves)]
    columns = [v for v in LETTERS if any(move.after == v for move in moves)]
    cells = [(row, [(column, counts.get((row, column), 0)) for column in columns]) for row in rows]
    return {"columns": columns, "rows": cells}


def selection_words(selection: Selection) -> str:
    """What was chosen, as a line."""
    words = [selection.problem or "all problems"]
    if selection.verdicts:
        words.append("with " + ", ".join(selection.verdicts))
    if selection.package_version:
        words.append(f"of version {selection.package_version}")
    if selection.from_ms is not None:
        words.append(f"sent from {moment(selection.from_ms)}")
    if selection.to_ms is not None:
        words.append(f"sent before {moment(selection.to_ms)}")
    return ", ".join(words)


def _state(rejudge: Rejudge) -> str:
    if rejudge.state != "open":
        return rejudge.state.capitalize()
    return "Finished: release or discard it" if rejudge.finished else "Being judged"


def _selection(sent: Mapping[str, Sequence[str]]) -> Selection:
    """What a form says. Days are whole, in UTC; the last one is included. Raises Invalid."""

    def one(name: str) -> str:
        return (sent.get(name) or [""])[-1].strip()

    from_, to = _midnight(one("from")), _midnight(one("to"))
    return Selection(
        problem=one("problem")[:200].replace("\0", ""),
        verdicts=tuple(v for v in LETTERS if v in sent.get("verdict", ())),
        from_ms=None if from_ is None else int(from_.timestamp() * 1000),
        to_ms=None if to is None else int((to + timedelta(days=1)).timestamp() * 1000),
        package_version=one("version")[:64].replace("\0", ""),
    )


def _midnight(day: str) -> datetime | None:
    if not day:
        return None
    try:
        found = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise Invalid("a day is written as year-month-day, for instance 2026-03-01") from None
    if found.year > _LAST_YEAR:
        raise Invalid(f"{day} is too far away")
    return found


def _see(url: str) -> Response:
    return RedirectResponse(url, status_code=303)
