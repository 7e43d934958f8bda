"""The whole catalogue against a running server, over REST:

    python -m tests.hostile.over_rest [URL]

Without a URL it starts a server of its own. The server must serve `tests/hostile/problems`. Prints
name, wanted, seen, milliseconds, leftovers; exit 1 if anything is not as wanted.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import httpx
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.descent import descendants
from tests.flow.served import served
from tests.hostile.catalogue import Attack, load
from tests.hostile.stage import RIGHT

PROBLEMS = Path(__file__).with_name("problems")
PROBLEM = "attacks/sum"


def main(url: str | None) -> int:
    if url is not None:
        with httpx.Client(base_url=f"{url.rstrip('/')}/api/v1", timeout=90) as api:
            return run(api, None)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder, "data"), PROBLEMS) as service,
    ):
        return run(service.api, service.process.pid)


def run(api: httpx.Client, server: int | None) -> int:
    """Submit every attack and a right program after it; the number of surprises."""
    table = Table("attack", "wanted", "seen", "ms", "leftovers")
    _submit(api, RIGHT)
    before, surprises = _at_rest(server), 0
    for attack in track(load(), "attacks", console=Console(stderr=True), transient=True):
        start = time.perf_counter()
        seen = _submit(api, attack.source)
        took_ms = (time.perf_counter() - start) * 1000
        alive = _submit(api, RIGHT) == "AC"
        left = _settled(server, before)
        wanted = _wanted(attack)
        fine = seen in wanted and alive and left == 0
        surprises += not fine
        style = None if fine else "bold red"
        cells = (str(attack), "|".join(sorted(wanted)), seen, f"{took_ms:.0f}", str(left or ""))
        table.add_row(*cells, style=style)
    Console().print(table)
    print(f"{table.row_count} attacks, {surprises} not as wanted")
    return surprises


def _wanted(attack: Attack) -> set[str]:
    """Any tier's verdict will do here: which one the server has is not its client's to know.

    A limit takes longer to run out than in the suite, where the limits are made for it.
    """
    wanted = {verdict for wants in attack.wants.values() for verdict, _ in wants}
    if attack.name in {"bad-utf8-source", "lone-surrogate-in-a-name", "null-byte"}:
        return {"422"}  # refused before a box is used
    return wanted | {"TLE"} if attack.limits else wanted


def _submit(api: httpx.Client, source: str) -> str:
    """The verdict, or the status of a refusal."""
    # Half a surrogate pair cannot be sent as text, but JSON can spell it.
    content = json.dumps({"problem": PROBLEM, "source": source})
    headers = {"content-type": "application/json"}
    answer = api.post("/submissions?wait=60", content=content, headers=headers)
    if answer.status_code not in (200, 202):
        return str(answer.status_code)
    return str(answer.json()["verdict"])


def _at_rest(server: int | None) -> int:
    """Processes below the server once nothing has come or gone for a second.

    A box that is used is missing until the next one stands ready: seen then, there are too few.
    """
    seen, since = _descendants(server), time.monotonic()
    while server is not None and time.monotonic() < since + 1:
        time.sleep(0.02)
        if (now := _descendants(server)) != seen:
            seen, since = now, time.monotonic()
    return seen


def _settled(server: int | None, before: int) -> int:
    """Processes below the server that were not there before, once it has had a moment."""
    for _ in range(100):
        left = _descendants(server) - before
        if left <= 0:
            return 0
        time.sleep(0.02)
    return left


def _descendants(server: int | None) -> int:
    if server is None:
        return 0
    return 1 + len(descendants(server))


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1] if len(sys.argv) > 1 else None) else 0)
