"""HTML for pages under a strict policy: no style attributes, code in backquotes marked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from markupsafe import Markup, escape

_STYLED = re.compile(r'<([a-z][a-z0-9]*)((?:\s[^<>]*?)?)\sstyle="([^"]*)"([^<>]*)>')
_CLASS = re.compile(r'\sclass="([^"]*)"')
# What formulas and table columns are styled with; anything that could load or run is not there.
_DECLARATION = re.compile(r"[a-z-]+:\s*[#a-z0-9.%\s-]+;?")


def lift_styles(html: str) -> tuple[str, dict[str, str]]:
    """Each style attribute becomes a class; the classes with their declarations come beside.

    Rendered formulas place their parts by style attributes, which our content security policy
    forbids: it knows no exception for good ones.
    """
    rules: dict[str, str] = {}

    def lifted(tag: re.Match[str]) -> str:
        name, before, declarations, after = tag.groups()
        if not all(
            _DECLARATION.fullmatch(part.strip()) for part in declarations.split(";") if part.strip()
        ):
            return f"<{name}{before}{after}>"
        key = "s" + hashlib.sha256(declarations.encode()).hexdigest()[:8]
        rules[key] = declarations
        attributes = before + after
        if _CLASS.search(attributes):
            added = _CLASS.sub(rf' class="\g<1> {key}"', attributes, count=1)
            return f"<{name}{added}>"
        return f'<{name}{attributes} class="{key}">'

    return _STYLED.sub(lifted, html), rules


def stylesheet(rules: Iterable[tuple[str, str]]) -> Markup:
    """The lifted rules; two classes in the selector, so that they win as attributes would."""
    return Markup("".join(f".{key}.{key}{{{declarations}}}" for key, declarations in sorted(rules)))


def marked_code(text: str) -> Markup:
    """Escaped text in which what stands in backquotes is code."""
    pieces = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if index % 2 else escape(piece)
        for index, piece in enumerate(pieces)
    )
