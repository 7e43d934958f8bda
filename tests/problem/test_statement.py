"""Markdown and formulas become HTML that can do nothing but be read."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.errors import PackageError
from app.problem.statement import Renderer

KATEX = Path(__file__).resolve().parents[2] / "static" / "dist" / "katex.js"


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    if not KATEX.exists():
        pytest.skip("needs the built pages: python static/hatch_build.py")
    return Renderer(KATEX)


def test_formulas_are_typeset_with_mathml_inside(renderer: Renderer) -> None:
    """Inline and displayed formulas need no script, and readers of screens get MathML."""
    html = renderer.render("The norm $\\sqrt{x^2}$ is\n\n$$\n\\sum_i x_i\n$$\n\nand $$y$$ too.")
    assert html.count("<math") == 3
    assert html.count('class="katex-display"') == 2
    assert "<script" not in html


@pytest.mark.parametrize(
    ("markdown", "line"),
    [
        ("$\\frac{1}$", 1),
        ("fine\n\nand $\\nope{1}$ is\nnot", 3),
        ("fine\nmore $x$\nthen $\\left( x$", 3),
        ("text\n\n$$\nx^{\n$$\n", 3),
        ("| a |\n|---|\n| $\\badcommand$ |", 3),
    ],
)
def test_a_bad_formula_names_its_line(renderer: Renderer, markdown: str, line: int) -> None:
    """An author is told where and what, and the page is not rendered half."""
    with pytest.raises(PackageError, match="the formula") as caught:
        renderer.render(markdown, "a/statement.md")
    assert (caught.value.path, caught.value.line) == (Path("a/statement.md"), line)


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "text <img src=x onerror=alert(1)> text",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>1</script>)",
        "```html\n<script>alert(1)</script>\n```",
        '```"><script>alert(1)</script>\n1\n```',
        "`<script>`",
        "$\\href{javascript:alert(1)}{x}$",
        "$\\htmlData{onclick=alert(1)}{x}$",
        "$\\includegraphics{https://example.org/x.png}$",
        "$\\text{<script>alert(1)</script>}$",
    ],
)
def test_nothing_in_a_statement_can_act(renderer: Renderer, markdown: str) -> None:
    """Tags are text, and links lead only where a link may lead."""
    try:
        html = renderer.render(markdown)
    except PackageError:
        return
    assert not re.search(r"<(script|img|iframe)|<[^>]*(on[a-z]+=|javascript:|data:text)", html)


def test_a_formula_that_never_ends_is_refused(renderer: Renderer) -> None:
    """A macro bomb costs a bounded time and gives an error like any other."""
    bomb = "$\\def\\a{\\a\\a}\\a$"
    with pytest.raises(PackageError, match="the formula"):
        renderer.render(bomb)


def test_images_are_refused_with_a_remedy(renderer: Renderer) -> None:
    """A package has no images: pages load nothing from elsewhere."""
    with pytest.raises(PackageError, match="figures/"):
        renderer.render("text\n\n![alt](https://example.org/x.png)")


def test_code_is_coloured_by_classes_only(renderer: Renderer) -> None:
    """A strict policy forbids style attributes."""
    html = renderer.render("```python\ndef f():\n    return 1\n```\n\n```nonsense\nx < y\n```")
    assert '<pre class="code"><code><span class="k">def</span>' in html
    assert "x &lt; y" in html
    assert "style=" not in html


def test_many_threads_may_render_at_once(renderer: Renderer) -> None:
    """The engine belongs to one thread at a time; results do not mix."""
    with ThreadPoolExecutor(8) as threads:
        pages = list(threads.map(lambda i: renderer.render(f"$x_{{{i}}}$"), range(40)))
    assert all(f"x_{{{i}}}" in page for i, page in enumerate(pages))
