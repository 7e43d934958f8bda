"""One test the slow way: run by `python -I`, imports NumPy, calls the function, ends.

Imports nothing of Allclose, so that what is timed is the interpreter and NumPy alone.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np


def _value(item: Any) -> Any:
    if isinstance(item, dict):
        return np.array(item["array"], dtype=item["dtype"])
    if isinstance(item, list):
        return [_value(part) for part in item]
    return item


def main() -> None:
    order = json.load(sys.stdin)
    namespace: dict[str, Any] = {"__name__": "submission"}
    exec(compile(order["source"], "submission.py", "exec"), namespace)
    namespace[order["entry_point"]](*[_value(item) for item in order["arguments"]])


if __name__ == "__main__":
    main()
