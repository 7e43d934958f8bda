"""The floor, in a process of its own: the calls of one submission in bare forks, again and again.

Reads one JSON document from standard input, warms up, and prints one with the wall clock of every
round (seconds) and the CPU seconds of one round, children included.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from types import CodeType

from app.notation import from_json


def _round(code: CodeType, entry_point: str, calls: list[list[object]]) -> None:
    for arguments in calls:
        child = os.fork()
        if not child:
            namespace: dict[str, object] = {"__name__": "submission"}
            exec(code, namespace)
            function = namespace[entry_point]
            assert callable(function)
            function(*arguments)
            os._exit(0)
        os.waitpid(child, 0)


def main() -> None:
    order = json.load(sys.stdin)
    calls = [[from_json(value) for value in call] for call in order["calls"]]
    code = compile(order["source"], "submission.py", "exec")
    gc.collect()
    gc.freeze()
    for _ in range(order["warm_up"]):
        _round(code, order["entry_point"], calls)
    walls_s = []
    before = os.times()
    for _ in range(order["rounds"]):
        start = time.perf_counter()
        _round(code, order["entry_point"], calls)
        walls_s.append(time.perf_counter() - start)
    after = os.times()
    cpu_s = sum(after[:4]) - sum(before[:4])
    json.dump({"walls_s": walls_s, "cpu_s": cpu_s / order["rounds"]}, sys.stdout)


if __name__ == "__main__":
    main()
