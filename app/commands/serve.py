"""`allclose serve` and `allclose work`: where it listens and what the host should know, then the logs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from app import assembly
from app.config import Settings


def serve(settings: Settings, console: Console) -> None:
    """Serve until SIGTERM or SIGINT."""

    def ready(url: str, notes: Sequence[str]) -> None:
        print(f"Allclose is served on {url}", flush=True)
        console.print("  Ctrl+C stops it")
        for note in notes:
            console.print(f"  {note}", markup=False, soft_wrap=True)

    assembly.serve_site(settings, ready)


def work(settings: Settings, console: Console) -> None:
    """Judge until SIGTERM or SIGINT."""

    def ready(notes: Sequence[str]) -> None:
        print("Allclose judges for its cluster", flush=True)
        console.print("  Ctrl+C stops it")
        for note in notes:
            console.print(f"  {note}", markup=False, soft_wrap=True)

    assembly.work(settings, ready)
