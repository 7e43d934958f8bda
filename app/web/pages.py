"""The pages: readable without scripts; whatever acts goes through the same doors as the REST API."""

from __future__ import annotations

import gzip
import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.errors import FieldError, Invalid, NotFound
from app.model import Run, Variant, Verdict
from app.problem.statement import Renderer
from app.store import Standing
from app.web.assets import FOR_EVER, Assets, accepts
from app.web.markup import marked_code
from app.web.parts import Parts
from app.web.reading import Reading, reading
from app.web.schemas import SubmissionIn
from app.web.submitting import account_of, submit

VERDICT_NAMES: Mapping[Verdict, str] = {
    "AC": "Accepted",
    "WA": "Wrong Answer",
    "RTE": "Run-Time Error",
    "CE": "Compile Error",
    "TLE": "Time Limit Exceeded",
    "MLE": "Memory Limit Exceeded",
    "OLE": "Output Limit Exceeded",
    "JE": "Judging Error",
}
DIFFICULTIES = ("easy", "medium", "hard")
STATE_NAMES = {"queued": "Waiting for its turn", "judging": "Being judged", "judged": "Judged"}
WAIT_FOR_FORM_S = 10.0
FIGURE_NAME = re.compile(r"[a-z0-9_-]+")
MOST_FIELDS = 10
SMALLEST_TO_COMPRESS = 1024


class Pages:
    """Templates, assets and the parts; one method a page."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.assets = Assets(parts.static)
        self._render = Renderer(parts.static / "katex.js").render
        self._readings: dict[str, tuple[object, Reading]] = {}
        self._templates = Environment(
            loader=PackageLoader("app.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters["code"] = marked_code
        self._templates.globals.update(
            asset=self.assets.url,
            asset_parts=self.assets.parts,
            verdict_name=VERDICT_NAMES.__getitem__,
            tone=tone,
            duration=duration,
        )

    def page(self, request: Request, template: str, status: int = 200, **shown: Any) -> Response:
        """One template as a response, compressed where the browser takes it."""
        nonce = secrets.token_urlsafe(16)
        text = self._templates.get_template(template).render({"nonce": nonce, "here": "", **shown})
        body, headers = text.encode(), security_headers(nonce)
        headers |= {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if len(body) >= SMALLEST_TO_COMPRESS and accepts(request, "gzip"):
            body = gzip.compress(body, compresslevel=5)
            headers["Content-Encoding"] = "gzip"
        return HTMLResponse(body, status_code=status, headers=headers)

    def error(
        self,
        request: Request,
        status: int,
        title: str,
        detail: str,
        errors: Sequence[FieldError] = (),
    ) -> Response:
        """An error for people: what happened, and where to go from here."""
        shown = {"code": status, "title": title, "detail": detail, "errors": errors}
        return self.page(request, "error.html", status=status, **shown)

    def figure_url(self, variant: Variant) -> str:
        """A figure's module, under a name that changes with its content."""
        if not variant.page.figure:
            return ""
        content = self._figure(variant.family, variant.page.figure)
        return f"/static/figures/{variant.family}/{variant.page.figure}.{_hash(content)}.js"

    def figure(self, request: Request, family: str, name: str) -> Response:
        """A module of a package, if it is still the one that was linked."""
        stem, _, rest = name.partition(".")
        if not FIGURE_NAME.fullmatch(stem):
            raise NotFound(f"There is no figure {name} here.")
        content = self._figure(family, stem)
        if rest != f"{_hash(content)}.js":
            raise NotFound(f"The figure {stem} has changed; reload its page.")
        body = content.encode()
        headers = {
            "Cache-Control": FOR_EVER,
            "X-Content-Type-Options": "nosniff",
            "Vary": "Accept-Encoding",
        }
        if accepts(request, "gzip"):
            body = gzip.compress(body)
            headers["Content-Encoding"] = "gzip"
        return Response(body, media_type="text/javascript", headers=headers)

    def _figure(self, family: str, name: str) -> str:
        folder = self.parts.catalogue.family(family).folder
        if not folder.exists(f"figures/{name}.js"):
            raise NotFound(f"There is no figure {name} here.")
        return folder.text(f"figures/{name}.js")

    def reading(self, variant: Variant) -> Reading:
        """Everything on a problem's page; made again when what it shows or its neighbours changed."""
        variants = tuple(self.parts.catalogue.variants)
        made_from = (variants, variant)
        kept = self._readings.get(variant.id)
        # Identity, not equality: comparing catalogues would compare every test of every problem.
        if kept is None or not _same(kept[0], made_from):
            kept = (made_from, reading(variant, variants, self._render))
            self._readings[variant.id] = kept
        return kept[1]


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def _same(kept: object, now: tuple[tuple[Variant, ...], Variant]) -> bool:
    assert isinstance(kept, tuple)
    variants, variant = kept
    return (
        variant is now[1]
        and len(variants) == len(now[0])
        and all(a is b for a, b in zip(variants, now[0], strict=True))
    )


def router(pages: Pages) -> APIRouter:
    """All pages. They come after the API's routes, which have names of their own."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def catalogue(request: Request) -> Response:
        variants = pages.parts.catalogue.variants
        rows = [catalogue_row(variant) for variant in variants]
        filters = catalogue_filters(rows)
        return pages.page(
            request, "catalogue.html", here="problems", problems=rows, filters=filters
        )

    @routes.get("/problems/{family}/{variant}")
    async def problem(request: Request, family: str, variant: str) -> Response:
        found = pages.parts.catalogue.get(f"{family}/{variant}")
        # Rendering formulas for the first time takes tens of milliseconds.
        shown = await run_in_threadpool(pages.reading, found)
        return pages.page(
            request,
            "problem.html",
            problem=shown,
            math_rules=shown.math_rules,
            figure_url=pages.figure_url(found),
        )

    @routes.post("/problems/{family}/{variant}")
    async def program(request: Request, family: str, variant: str) -> Response:
        """The plain form, for browsers without scripts: submits, waits a little, shows the verdict."""
        given = await posted_program(request, f"{family}/{variant}")
        account = account_of(pages.parts, request)
        submission_id = await submit(pages.parts, given, account, WAIT_FOR_FORM_S)
        return RedirectResponse(f"/submissions/{submission_id}", status_code=303)

    @routes.get("/submissions/{submission_id}")
    async def submission(request: Request, submission_id: str) -> Response:
        standing = await pages.parts.store.standing(submission_id)
        return submission_page(pages, request, standing)

    @routes.get("/static/figures/{family}/{name}")
    async def figure(request: Request, family: str, name: str) -> Response:
        return pages.figure(request, family, name)

    @routes.get("/static/{name}")
    async def static(request: Request, name: str) -> Response:
        return pages.assets.response(name, request)

    return routes


def tone(verdict: Verdict) -> str:
    """How a verdict is coloured; its word and icon say the same."""
    return {"AC": "pass", "JE": "ours"}.get(verdict, "fail")


def duration(run: Run) -> str:
    """Times of hidden tests are told in steps of 10 ms."""
    if not run.sample and run.time_ms < 10:
        return "< 10 ms"
    return f"{run.time_ms:.1f} ms" if run.time_ms < 10 else f"{run.time_ms:.0f} ms"


def catalogue_row(variant: Variant) -> dict[str, Any]:
    """A problem in the list: what is shown, and what it can be found by."""
    page = variant.page
    return {
        "id": variant.id,
        "title": variant.title,
        "entry_point": variant.entry_point,
        "difficulty": page.difficulty,
        "minutes": page.minutes,
        "number": page.number,
        "track": page.track,
        "tags": list(page.tags),
        "roles": list(page.roles),
    }


def catalogue_filters(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, list[str]]]:
    """What the list can be narrowed by: name of the field, its title, what occurs."""
    present = {row["difficulty"] for row in rows}
    filters = [("difficulty", "Difficulty", [d for d in DIFFICULTIES if d in present])]
    filters.append(("track", "Track", sorted({row["track"] for row in rows if row["track"]})))
    for name, field, title in (("tag", "tags", "Tag"), ("role", "roles", "Role")):
        filters.append((name, title, sorted({word for row in rows for word in row[field]})))
    return [entry for entry in filters if entry[2]]


async def posted_program(request: Request, problem: str) -> SubmissionIn:
    """The program in a posted form; browsers send lines that end in CR LF. Raises Invalid."""
    body = (await request.body()).decode("ascii", errors="replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
        source = fields.get("source", [""])[0].replace("\r\n", "\n")
        return SubmissionIn(problem=problem, source=source)
    except ValidationError as refused:
        faults = refused.errors(include_url=False, include_input=False)
        errors = [FieldError("source", fault["msg"]) for fault in faults]
        raise Invalid("The program was not accepted.", errors) from None
    except ValueError as refused:
        raise Invalid("The form cannot be read.") from refused


def submission_page(pages: Pages, request: Request, standing: Standing) -> Response:
    submission, judgement = standing.submission, standing.judgement
    judging = pages.parts.events.judging(submission.id)
    try:
        title = pages.parts.catalogue.get(submission.problem).title
    except NotFound:  # the package was taken away since; what was judged stays readable
        title = submission.problem
    state = "judged" if judgement else "judging" if judging else "queued"
    return pages.page(
        request,
        "submission.html",
        problem=submission.problem,
        problem_title=title,
        state=state,
        words=VERDICT_NAMES[judgement.verdict] if judgement else STATE_NAMES[state],
        source=submission.source,
        judgement=judgement,
        passed=passed(judgement.runs) if judgement else 0,
        score=f"{judgement.score:g}" if judgement else "",
        lines=feedback_lines,
        facts={"id": submission.id, "state": state},
    )


def passed(runs: Sequence[Run]) -> int:
    return sum(run.verdict == "AC" for run in runs)


def feedback_lines(run: Run) -> list[str]:
    """What there is to say about a run besides its verdict, each on a line."""
    told = run.feedback
    raised = f"{told.exception_type}: {told.exception_message}".strip(": ")
    wrong = told.mismatch.message if told.mismatch else ""
    hint = f"Hint: {told.hint}" if told.hint else ""
    return [line for line in (told.message or wrong or raised, told.remark, hint) if line]


def wants_page(request: Request) -> bool:
    """Whether an error goes to somebody who reads pages: not a script, not a file of a page."""
    path = request.url.path
    if path.startswith(("/api/", "/static/")):
        return False
    return "text/html" in request.headers.get("accept", "")


def security_headers(nonce: str) -> dict[str, str]:
    """No inline script, no other origin; the editor's own style element carries the nonce."""
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }
