"""Markdown with formulas and code becomes HTML; nothing in it can act, and formulas need no script.

Raw HTML is shown as text. Code is coloured by classes. Formulas are typeset here, by KaTeX in an
embedded JavaScript engine that knows neither files nor network and lives for one document.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import quickjs  # type: ignore[import-untyped]  # ships no types
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from app.errors import PackageError

# One formula takes a millisecond; what needs this much is a mistake or an attack.
FORMULA_TIME_S = 2
ENGINE_MIB = 128
_OPTIONS = {
    "output": "htmlAndMathml",
    "throwOnError": True,
    "strict": "ignore",
    "maxSize": 20,
    "maxExpand": 500,
}
_TYPESET = "(tex, options) => JSON.stringify(katex.renderToString(tex, JSON.parse(options)))"


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders documents; safe to call from several threads.

    `katex` is the script that the asset build makes: it sets the global `katex` and exports nothing.
    """

    katex: Path
    _formulas: dict[tuple[str, bool], str] = field(default_factory=dict)
    _typesetting: threading.Lock = field(default_factory=threading.Lock)

    def render(self, markdown: str, path: Path | str = "text") -> str:
        """HTML of a document. Raises PackageError with `path` and line for a bad formula."""
        reader = _reader()
        tokens = reader.parse(markdown)
        formulas = list(_formulas(tokens, Path(path)))
        self._typeset([f for f in formulas if f.key not in self._formulas])
        for formula in formulas:
            formula.token.meta["html"] = self._formulas[formula.key]
        html: str = reader.renderer.render(tokens, reader.options, {})
        return html

    def _typeset(self, formulas: Sequence[_Formula]) -> None:
        if not formulas:
            return
        with self._typesetting:
            engine = self._engine()
            typeset = engine.eval(_TYPESET)
            for formula in formulas:
                options = json.dumps({**_OPTIONS, "displayMode": formula.display})
                try:
                    # The engine's own strings are cut at a NUL and the like; JSON passes whole.
                    html = json.loads(typeset(formula.tex, options))
                except quickjs.JSException as error:
                    raise formula.error(str(error)) from None
                self._formulas[formula.key] = html

    def _engine(self) -> quickjs.Context:
        try:
            script = self.katex.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise PackageError(
                "is missing", self.katex, remedy="build the pages: python static/hatch_build.py"
            ) from None
        engine = quickjs.Context()
        engine.set_memory_limit(ENGINE_MIB << 20)
        engine.set_time_limit(FORMULA_TIME_S)
        engine.eval(script)
        return engine


@dataclass(frozen=True, slots=True)
class _Formula:
    """One formula of a document and its place."""

    token: Token
    path: Path
    line: int | None

    @property
    def tex(self) -> str:
        return self.token.content.strip()

    @property
    def display(self) -> bool:
        return self.token.type != "math_inline"

    @property
    def key(self) -> tuple[str, bool]:
        return self.tex, self.display

    def error(self, message: str) -> PackageError:
        reason = message.splitlines()[0].removeprefix("ParseError: ")
        return PackageError(
            f"the formula ${self.tex[:60]}$ is wrong: {reason[:200]}", self.path, self.line
        )


def _formulas(tokens: Sequence[Token], path: Path) -> Iterator[_Formula]:
    for token in tokens:
        line = token.map[0] + 1 if token.map else None
        if token.type.startswith("math_"):
            yield _Formula(token, path, line)
        for child in token.children or ():
            if child.type == "image":
                raise PackageError(
                    "images are not shown", path, line, "draw it in a module under figures/"
                )
            if child.type.startswith("math_"):
                within = token.content.partition(child.content)[0].count("\n")
                yield _Formula(child, path, line and line + within)


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "highlight": _coloured})
    reader.enable(["table", "strikethrough"])
    reader.use(deflist_plugin)
    reader.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    for kind in ("math_inline", "math_inline_double", "math_block", "math_block_label"):
        reader.add_render_rule(kind, _typeset_html)
    return reader


def _typeset_html(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    html = str(token.meta["html"])
    return html if token.type == "math_inline" else f'<div class="formula">{html}</div>\n'


def _coloured(code: str, language: str, attributes: str) -> str:
    """Code with a class for each kind of word; unknown languages stay plain."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    body = highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    return f'<pre class="code"><code>{body}</code></pre>\n'
