"""The pages: readable without scripts; whatever acts goes through the same doors as the REST API."""

from __future__ import annotations

import gzip
import hashlib
import re
import secrets
from typing import Any

from fastapi import APIRouter, Depends, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.errors import NotFound
from app.model import Variant
from app.problem.statement import Renderer
from app.web.assets import FOR_EVER, Assets, accepts
from app.web.identity import identifier, person_of, remember_guest
from app.web.links import sign_in_url
from app.web.listing import catalogue_filters, catalogue_row
from app.web.markup import marked_code
from app.web.parts import Parts
from app.web.personal import browser_key, personal
from app.web.plain_form import taken
from app.web.policy import security_headers
from app.web.problem_json import Refusal
from app.web.reading import Reading, reading
from app.web.results import VERDICT_NAMES, coarse, duration, moment, on_day, shown_result, tone

# In people's words; the API has those of the standard.
TITLES = {
    400: "That could not be read",
    401: "Sign in first",
    403: "Not from here",
    404: "There is nothing here",
    405: "That cannot be done here",
    409: "That has changed meanwhile",
    412: "That was changed meanwhile",
    413: "That is too large",
    422: "That cannot be taken",
    429: "Too much at once",
    500: "Something broke on our side",
    503: "Not now",
}
FIGURE_NAME = re.compile(r"[a-z0-9_-]+")
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
        self._templates.filters["when"] = moment
        self._templates.globals.update(
            asset=self.assets.url,
            asset_parts=self.assets.parts,
            sign_in_url=sign_in_url,
            verdict_name=VERDICT_NAMES.__getitem__,
            tone=tone,
            duration=duration,
            coarse=coarse,
            on_day=on_day,
        )

    def page(self, request: Request, template: str, status: int = 200, **shown: Any) -> Response:
        """One template as a response, compressed where the browser takes it."""
        nonce = secrets.token_urlsafe(16)
        person = getattr(request.state, "person", None)  # None: an error, before it was asked
        paused = getattr(request.state, "paused", None)
        about = {"nonce": nonce, "here": "", "path": _path(request), "paused": paused}
        about |= {"person": person, **shown}
        text = self._templates.get_template(template).render(about)
        body, headers = text.encode(), security_headers(nonce)
        headers |= {"Cache-Control": "private, no-cache", "Vary": "Accept-Encoding, Cookie"}
        if len(body) >= SMALLEST_TO_COMPRESS and accepts(request, "gzip"):
            body = gzip.compress(body, compresslevel=5)
            headers["Content-Encoding"] = "gzip"
        return HTMLResponse(body, status_code=status, headers=headers)

    def error(self, request: Request, refusal: Refusal) -> Response:
        """An error for people: what happened, and where to go from here."""
        shown = {
            "code": refusal.status,
            "title": TITLES.get(refusal.status, refusal.title),
            "detail": _sentence(refusal.detail),
            "errors": refusal.errors,
            "back": request.url.path if refusal.status == 401 else "",
            "problem": _problem_of(request),
        }
        return self.page(request, "error.html", status=refusal.status, **shown)

    def form(self, request: Request, template: str, **shown: Any) -> Response:
        """A page with a form. Where what is sent with it is refused, the page comes again and says
        why: `again` in the route that takes it."""
        return self.page(request, template, **{"refused": "", "errors": (), **shown})

    def again(self, request: Request, template: str, **shown: Any) -> None:
        """If this request is refused, answer with this form."""
        request.state.form = (template, shown)

    def refused_form(self, request: Request, refusal: Refusal) -> Response | None:
        """The form that this was sent with, and what was wrong."""
        if not hasattr(request.state, "form") or refusal.status >= 500:
            return None
        template, shown = request.state.form
        told = {**shown, "refused": _sentence(refusal.detail), "errors": refusal.errors}
        return self.page(request, template, status=refusal.status, **told)

    def title(self, problem: str) -> str:
        """Of a problem; its id where the package was taken away since: what was judged stays readable."""
        known = {variant.id: variant.title for variant in self.parts.catalogue.variants}
        return known.get(problem, problem)

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


def _path(request: Request) -> str:
    """Where the reader is, to come back to; a page that only takes forms cannot be gone to."""
    return request.url.path if request.method == "GET" else ""


def _problem_of(request: Request) -> str:
    """The page of the problem whose program was sent with this request, if any."""
    path = request.url.path
    return path if request.method == "POST" and path.startswith("/problems/") else ""


def _sentence(text: str) -> str:
    """What a program says, as a sentence. A place (`a/values.npy: ...`) keeps its letters."""
    if text.partition(" ")[0].isalpha():
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


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

    async def look_for_pause(request: Request) -> None:
        request.state.paused = await pages.parts.store.paused()

    asked = [Depends(identifier(pages.parts)), Depends(look_for_pause)]
    routes = APIRouter(include_in_schema=False, dependencies=asked)

    @routes.get("/")
    async def catalogue(request: Request) -> Response:
        solved = await pages.parts.store.solved(person_of(request).owner)
        rows = [catalogue_row(variant, solved) for variant in pages.parts.catalogue.variants]
        return pages.page(
            request,
            "catalogue.html",
            here="problems",
            problems=rows,
            filters=catalogue_filters(rows),
            solved=sum(row["solved"] for row in rows),
            who=browser_key(person_of(request)),
        )

    @routes.get("/problems/{family}/{variant}")
    async def problem(request: Request, family: str, variant: str) -> Response:
        found = pages.parts.catalogue.get(f"{family}/{variant}")
        remember_guest(request)
        # Rendering formulas for the first time takes tens of milliseconds.
        shown = await run_in_threadpool(pages.reading, found)
        return pages.page(
            request,
            "problem.html",
            problem=shown,
            mine=await personal(pages.parts, person_of(request), found),
            math_rules=shown.math_rules,
            figure_url=pages.figure_url(found),
            sandbox=pages.parts.sandbox(),
        )

    @routes.post("/problems/{family}/{variant}")
    async def program(request: Request, family: str, variant: str) -> Response:
        """The plain form, for browsers without scripts."""
        remember_guest(request)
        submission_id = await taken(pages.parts, request, f"{family}/{variant}")
        return RedirectResponse(f"/submissions/{submission_id}", status_code=303)

    @routes.get("/submissions/{submission_id}")
    async def submission(request: Request, submission_id: str) -> Response:
        standing = await pages.parts.store.standing(submission_id)
        title = pages.title(standing.submission.problem)
        judging = pages.parts.events.judging(submission_id)
        return pages.page(request, "submission.html", **shown_result(standing, title, judging))

    return routes


def files(pages: Pages) -> APIRouter:
    """What pages load: the same for everybody."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/static/figures/{family}/{name}")
    async def figure(request: Request, family: str, name: str) -> Response:
        return pages.figure(request, family, name)

    @routes.get("/static/{name}")
    async def static(request: Request, name: str) -> Response:
        return pages.assets.response(name, request)

    return routes
