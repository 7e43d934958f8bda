"""When memory that a box shares can no longer change: not before every thread of it is at its end."""

from __future__ import annotations

import subprocess
import sys
import time

from app.sandbox import shared

_BUSY = """
import threading
print("ready", flush=True)
threading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()
while True:
    pass
"""


def test_a_process_is_settled_once_it_was_killed_and_not_before() -> None:
    """While it lives each look says no; killed, it says yes, before or after it is dead."""
    with subprocess.Popen([sys.executable, "-c", _BUSY], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert not shared.settled(process.pid)
        process.kill()
        until = time.monotonic() + 10
        while not shared.settled(process.pid):
            assert time.monotonic() < until
