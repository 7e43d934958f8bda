"""What strangers send reaches the log, and through it a terminal: as text, and on one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.web.started import BASE, started

PROGRAM = """
import sys, structlog
from app.web.logs import configure_logs

configure_logs("info", sys.argv[1])
structlog.get_logger().info("request", path=ascii_path.encode().decode("unicode_escape"))
"""
SENT = {
    "colours": r"/\x1b[31mred",
    "a line of its own": r"/x\r\n2026-01-01 [error] forged",
    "C1 controls": r"/\x9b31m\x85",
    "direction": r"/\u202egnp.exe",
    "line separators": r"/\u2028\u2029",
    "NUL": r"/\x00",
}


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("sent", SENT)
def test_a_line_of_the_log_holds_nothing_that_steers_a_terminal(sent: str, form: str) -> None:
    """Colours, line ends and directions are written out."""
    program = f"ascii_path = {SENT[sent]!r}\n{PROGRAM}"
    ran = subprocess.run(
        [sys.executable, "-c", program, form], capture_output=True, check=True, encoding="utf-8"
    )
    assert ran.stderr.endswith("\n")
    assert ran.stderr.removesuffix("\n").isprintable()
    assert "request" in ran.stderr


def test_nothing_but_the_address_is_printed(tmp_path: Path) -> None:
    """Whoever started the server and reads only where it is would stop it with a full pipe."""
    with started(tmp_path / "data", BASE, "worker=no") as site:
        assert httpx.get(f"{site.url}/api/v1/problems").status_code == 200
        site.stop()
        assert site.process.stdout is not None
        assert site.process.stdout.read() == ""
    assert '"event": "request"' in site.log.read_text()
