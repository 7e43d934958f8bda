"""How fast is the judge, in ratios that carry over from one machine to another?

    floor   the same calls, each in a bare fork of an equally warm interpreter, one after the other:
            fork, exec of the compiled source, call, exit, reap. No sandbox, no transport, no verdict.
    judge   source to judgement inside this process, submissions back to back
    cold    each test in a new `python -I` that imports NumPy: what a judge without warm runtimes pays
    http    POST with wait to verdict, against a server of its own
    box     one small test from source to result, in a box that was waiting

Every figure comes from one run on one machine; only their ratios mean anything elsewhere.
"""

from app.bench.figures import Figures
from app.bench.measure import measure

__all__ = ["Figures", "measure"]
