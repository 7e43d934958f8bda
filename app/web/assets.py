"""Built scripts, styles and fonts: names that change with their content, sent compressed, kept for ever."""

from __future__ import annotations

import json
import mimetypes
import os
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from app.errors import NotFound, SettingsError

# From best to worst; each was written beside the file when the assets were built.
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
FOR_EVER = "public, max-age=31536000, immutable"
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class Assets:
    """The manifest of one build, and the files that it names."""

    def __init__(self, folder: Path) -> None:
        try:
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        except OSError as missing:
            raise SettingsError(
                f"{folder} holds no built pages; `pip install -e .` builds them, "
                "or ALLCLOSE_STATIC names the folder where they are"
            ) from missing
        self._folder = folder / "assets"
        self._files: dict[str, str] = manifest["files"]
        self._parts: dict[str, list[str]] = manifest["preloads"]

    def url(self, name: str) -> str:
        """Where the browser finds what was built from `name`, say `problem.js`."""
        return f"/static/{self._files[name]}"

    def parts(self, name: str) -> list[str]:
        """URLs of the modules that `name` needs at once."""
        return [f"/static/{part}" for part in self._parts.get(name, [])]

    def response(self, name: str, request: Request) -> Response:
        """One file, in the best encoding that the browser takes."""
        path = self._folder / name
        # os.path says no also where a name is longer than the file system takes; pathlib raises.
        known = SAFE_NAME.fullmatch(name) and os.path.isfile(path)
        if not known or name.endswith((".br", ".gz")):
            raise NotFound(f"There is no file {name} here.")
        headers = {"Cache-Control": FOR_EVER, "X-Content-Type-Options": "nosniff"}
        for encoding, ending in ENCODINGS:
            packed = path.with_name(name + ending)
            if packed.is_file():
                headers["Vary"] = "Accept-Encoding"
                if accepts(request, encoding):
                    headers["Content-Encoding"] = encoding
                    path = packed
                    break
        return Response(path.read_bytes(), media_type=media_type(name), headers=headers)


def media_type(name: str) -> str:
    """Not left to the machine's tables: some of them do not know fonts."""
    known = {".js": "text/javascript", ".woff2": "font/woff2", ".svg": "image/svg+xml"}
    return (
        known.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    )


def accepts(request: Request, encoding: str) -> bool:
    """Whether the request takes this content encoding (`gzip;q=0` refuses it)."""
    for part in request.headers.get("accept-encoding", "").split(","):
        name, _, quality = part.partition(";")
        if name.strip().lower() == encoding:
            return quality.replace(" ", "").lower() not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False
