"""A whole site in a process of its own, for tests over real HTTP.

    python -m tests.web.site DATA PROBLEMS [key=value ...]

Prints its URL. Programs run in plain forked processes: what these tests ask does not depend on walls.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from app.examining import Examining
from app.metrics import MeasuredRunner, Metrics
from app.problem import load_catalogue
from app.published import serve_uploaded
from app.queue import MemoryQueue
from app.store import open_store
from app.web.app import create_app
from app.web.events import Events
from app.web.logs import configure_logs
from app.web.parts import Allowance, Allowances, Parts, SandboxState
from app.web.server import Listening, serve
from app.worker import Pace, Worker
from tests.problem.plain_runner import PlainRunner


def main(data: Path, problems: Path, options: dict[str, str]) -> None:
    """`worker=no`: nothing is judged. `sandbox=no`: none is good enough. `queue=N`: so many may wait,
    `share=N` of one account.
    """
    configure_logs("debug", "json")
    store, queue, events, runner = (
        open_store(data / "allclose.sqlite3"),
        MemoryQueue(),
        Events(),
        PlainRunner(),
    )
    metrics = Metrics()
    store, measured = store.timed(metrics.stored), MeasuredRunner(runner, metrics)
    catalogue = load_catalogue(problems, data / "cache", runner)
    asyncio.run(serve_uploaded(store, catalogue))
    examining = Examining(store, catalogue, runner, data / "cache", None)
    worker = Worker(store, queue, catalogue, measured, events, Pace(sweep_s=0.5, stop_s=2), metrics)
    allowed = options.get("sandbox") != "no"
    judging = options.get("worker") != "no"
    parts = Parts(
        catalogue=catalogue,
        store=store,
        queue=queue,
        events=events,
        sandbox=lambda: SandboxState(
            "C" if allowed else "X", allowed, "" if allowed else "no Landlock"
        ),
        runner=runner,
        static=Path("static/dist"),
        metrics=metrics,
        unfit=lambda: worker.unfit_reason if judging else "",
        queue_limit=int(options.get("queue", "1000")),
        allowances=Allowances(guest=Allowance(waiting=int(options.get("share", "100")))),
    )

    async def work() -> None:
        await asyncio.gather(worker.run(), examining.run())

    serve(
        create_app(parts),
        events,
        Listening(port=int(options.get("port", "0")), stop_s=2),
        work=work if judging else None,
        ready=lambda url: print(url, flush=True),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), dict(pair.split("=", 1) for pair in sys.argv[3:]))
