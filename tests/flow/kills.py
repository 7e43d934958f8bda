"""Kills everything at random moments under load, and then counts: nothing lost, nothing twice.

    python -m tests.flow.kills --kills 200 [--postgresql] [--seed N]

Web processes, workers with their keepers, runtimes and their boxes are killed by SIGKILL; on
PostgreSQL also connections, and the server itself is stopped and started. In the end every
submission in the database has exactly one current judgement, with the verdict of a calm run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.descent import descendants
from tests.flow.processes import Alive, Program
from tests.flow.served import BROKEN, PROBLEM, RIGHT, WRONG
from tests.postgres import Server, running_server

_SENDERS = 3
_SOURCES = {
    "right": RIGHT,
    "wrong": WRONG,
    "raises": BROKEN,
    "no colon": "def weighted_mean(values, weights)\n    pass",
}
_END_CONNECTION = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE application_name = 'allclose' ORDER BY random() LIMIT 1"
)
_BACKENDS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'allclose'"
_ROWS = (
    "SELECT submissions.id, submissions.source, judgements.judging_number, judgements.verdict, "
    "submissions.current_judging_number, submissions.judging_number FROM submissions "
    "LEFT JOIN judgements ON judgements.submission = submissions.number"
)


@dataclass
class Installation:
    """The processes of a service, and its database."""

    folder: Path
    server: Server | None
    url: str
    webs: list[Program] = field(default_factory=list)
    workers: list[Program] = field(default_factory=list)

    @property
    def programs(self) -> list[Program]:
        return [*self.webs, *self.workers]

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        if self.server is not None:
            return self.server.ask(question, self.url)
        with sqlite3.connect(self.folder / "web-0" / "allclose.sqlite3", timeout=30) as connection:
            rows = connection.execute(question).fetchall()
        connection.close()
        return rows


@contextmanager
def installed(folder: Path, server: Server | None) -> Iterator[Installation]:
    """One server on SQLite; two that only serve and two that only judge on PostgreSQL."""
    url = server.create() if server is not None else ""
    found = Installation(folder, server, url)
    common = {"ALLCLOSE_DATABASE_URL": url} if url else {}
    if server is None:
        found.webs = [Program(folder / "web-0", "serve", {"ALLCLOSE_WORKERS": "2"})]
    else:
        quiet = {**common, "ALLCLOSE_WORKERS": "0"}
        found.webs = [Program(folder / f"web-{n}", "serve", quiet) for n in range(2)]
        one = {**common, "ALLCLOSE_WORKERS": "1"}
        found.workers = [Program(folder / f"work-{n}", "work", one) for n in range(2)]
    try:
        for program in found.programs:
            program.start()
        for program in found.programs:
            program.wait_ready()
        yield found
    finally:
        for program in found.programs:
            program.stop()


class Load(threading.Thread):
    """Sends programs; notes what was accepted and how often it was not."""

    def __init__(self, installation: Installation, seed: int) -> None:
        super().__init__(daemon=True)
        self._installation, self._chooser = installation, random.Random(seed)
        self.accepted: dict[str, str] = {}
        self.answers: Counter[str] = Counter()
        self.ending = threading.Event()

    def run(self) -> None:
        while not self.ending.is_set():
            web = self._chooser.choice(self._installation.webs)
            kind = self._chooser.choice(list(_SOURCES))
            if web.url is None:
                self.ending.wait(0.05)
                continue
            self._send(web.url, kind)
            self.ending.wait(0.1)

    def _send(self, url: str, kind: str) -> None:
        body = {"problem": PROBLEM, "source": _SOURCES[kind]}
        try:
            answer = httpx.post(f"{url}/api/v1/submissions", json=body, timeout=20)
        except httpx.HTTPError:
            self.answers["no answer"] += 1
            return
        self.answers[str(answer.status_code)] += 1
        if answer.status_code == 202:
            self.accepted[answer.json()["id"]] = kind
        elif answer.status_code in (429, 503):
            self.ending.wait(0.3)


@dataclass
class Report:
    """What happened, and what was found afterwards."""

    engine: str
    kills: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    submissions: int = 0
    known: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    judging_errors: int = 0
    left_running: list[int] = field(default_factory=list)
    while_stopped: dict[str, int] = field(default_factory=dict)
    resumed_s: float | None = None
    answers: dict[str, int] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        return not (self.lost or self.twice or self.wrong or self.left_running)

    def shown(self) -> dict[str, Any]:
        return {**vars(self), "kills": dict(self.kills), "all_kills": self.kills.total()}


def run(
    kills: int,
    postgresql: bool,
    seed: int = 1,
    say: Callable[[str], None] = print,
    most_s: float = 3600.0,
) -> Report:
    """The whole of it, with fewer kills where they take longer than `most_s`; what was found."""
    report = Report("postgresql" if postgresql else "sqlite")
    with tempfile.TemporaryDirectory(prefix="allclose-kills-") as folder:
        if not postgresql:
            _run(report, Path(folder), None, kills, seed, say, most_s)
        else:
            with running_server() as server:
                _run(report, Path(folder), server, kills, seed, say, most_s)
    return report


def _run(
    report: Report,
    folder: Path,
    server: Server | None,
    kills: int,
    seed: int,
    say: Callable[[str], None],
    most_s: float,
) -> None:
    alive = Alive()
    with installed(folder, server) as found:
        calm = _calm(found)
        say(f"calm: {calm}")
        loads = [Load(found, seed) for seed in range(_SENDERS)]
        for load in loads:
            load.start()
        begun = time.monotonic()
        killer = _Killer(found, alive, report, random.Random(seed))
        while report.kills.total() < kills and time.monotonic() - begun < most_s:
            if not killer.once():
                continue
            if server is not None and report.resumed_s is None and 2 * killer.count > kills:
                _stop_and_start(found, server, loads, report)
            if killer.count % 20 == 0:
                say(f"{killer.count} kills, {sum(len(load.accepted) for load in loads)} accepted")
        for load in loads:
            load.ending.set()
        for load in loads:
            load.join()
        report.seconds = round(time.monotonic() - begun, 1)
        killer.restart_all()
        _wait_judged(found)
        for program in found.programs:
            alive.note(program)
    _count(report, found, loads, calm)
    report.left_running = alive.left(within_s=15)


class _Killer:
    """Chooses what to kill, kills it, and starts again what does not start by itself."""

    def __init__(
        self, found: Installation, alive: Alive, report: Report, chooser: random.Random
    ) -> None:
        self._found, self._alive, self._report, self._chooser = found, alive, report, chooser
        self.count = 0

    def once(self) -> bool:
        """Whether there was something to kill."""
        time.sleep(self._chooser.uniform(0.1, 1.3))
        self.restart()
        # Alone on SQLite, the web process is also the worker; nothing goes on while it starts again.
        alone = not self._found.workers
        kinds = {"runtime": 3.0, "web": 0.5 if alone else 2.0, "worker": 0 if alone else 2.0}
        if self._found.server is not None:
            kinds |= {"connection": 3.0, "backend": 0.3}
        kind = self._chooser.choices(list(kinds), list(kinds.values()))[0]
        if not getattr(self, f"_{kind}")():
            return False
        self._report.kills[kind] += 1
        self.count += 1
        return True

    def restart(self) -> None:
        for program in self._found.programs:
            self._alive.note(program)
            if not program.running:
                program.start()

    def restart_all(self) -> None:
        self.restart()
        for program in self._found.programs:
            program.wait_ready()

    def _web(self) -> bool:
        return self._program(self._found.webs)

    def _worker(self) -> bool:
        return self._program(self._found.workers)

    def _program(self, programs: list[Program]) -> bool:
        ready = [program for program in programs if program.ready]
        if not ready:
            return False
        self._chooser.choice(ready).kill()
        return True

    def _runtime(self) -> bool:
        """Below a process that judges: a runtime, or a box in the middle of a test."""
        pids = [
            pid
            for program in (self._found.workers or self._found.webs)
            if program.ready and program.pid is not None
            for pid in descendants(program.pid)
        ]
        return bool(pids) and _killed(self._chooser.choice(pids))

    def _connection(self) -> bool:
        assert self._found.server is not None
        with suppress(Exception):
            return bool(self._found.server.ask(_END_CONNECTION))
        return False

    def _backend(self) -> bool:
        """PostgreSQL ends all other connections then, and recovers as after a crash."""
        assert self._found.server is not None
        with suppress(Exception):
            pids = [pid for (pid,) in self._found.server.ask(_BACKENDS)]
            return bool(pids) and _killed(self._chooser.choice(pids))
        return False


def _killed(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


def _calm(found: Installation) -> dict[str, str]:
    """The verdict of each program when nobody is killed."""
    verdicts = {}
    for kind, source in _SOURCES.items():
        body = {"problem": PROBLEM, "source": source}
        url = f"{found.webs[0].url}/api/v1/submissions?wait=60"
        verdicts[kind] = httpx.post(url, json=body, timeout=90).json()["verdict"]
    return verdicts


def _stop_and_start(found: Installation, server: Server, loads: list[Load], report: Report) -> None:
    """Meanwhile submissions are refused with 503; afterwards work goes on by itself."""
    for program in found.programs:
        program.wait_ready()
    server.stop()
    before = _answers(loads)
    time.sleep(3)
    report.while_stopped = dict(_answers(loads) - before)
    judged = "SELECT count(*) FROM judgements"
    server.start()
    begun, ((first,),) = time.monotonic(), found.rows(judged)
    while found.rows(judged)[0][0] == first and time.monotonic() - begun < 120:
        time.sleep(0.1)
    report.resumed_s = round(time.monotonic() - begun, 1)


def _answers(loads: list[Load]) -> Counter[str]:
    return sum((load.answers for load in loads), Counter())


def _wait_judged(found: Installation, within_s: float = 300) -> None:
    """Until nothing waits, and nothing that was our fault is left to be judged again."""
    deadline = time.monotonic() + within_s
    waiting = "SELECT count(*) FROM submissions WHERE judged_number < judging_number"
    errors = (
        "SELECT count(*) FROM submissions JOIN judgements ON judgements.submission = "
        "submissions.number AND judgements.judging_number = submissions.judging_number "
        "WHERE verdict = 'JE' AND submissions.judging_number < 3"
    )
    while found.rows(waiting)[0][0] or found.rows(errors)[0][0]:
        if time.monotonic() > deadline:
            return
        time.sleep(0.5)


def _count(report: Report, found: Installation, loads: list[Load], calm: dict[str, str]) -> None:
    accepted = {name for load in loads for name in load.accepted}
    kinds = {source: kind for kind, source in _SOURCES.items()}
    judged: dict[str, dict[int, list[str]]] = {}
    wanted: dict[str, tuple[str, int | None, int]] = {}
    for name, source, judging, verdict, current, number in found.rows(_ROWS):
        wanted[name] = (calm[kinds[source]], current, number)
        of = judged.setdefault(name, {})
        if verdict is not None:
            of.setdefault(judging, []).append(verdict)
    report.submissions, report.known = len(wanted), len(accepted)
    report.answers = dict(_answers(loads))
    report.lost = sorted(accepted - wanted.keys())
    for name, (verdict, current, number) in wanted.items():
        judgings = judged[name]
        report.judging_errors += sum("JE" in of for of in judgings.values())
        if any(len(of) > 1 for of in judgings.values()):
            report.twice.append(name)
        if current is None or current != number:
            report.lost.append(name)
        elif judgings[current] != [verdict]:
            report.wrong.append(f"{name}: {judgings[current]}, not {verdict}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600.0, help="stop killing after so many")
    given = parser.parse_args()

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    report = run(given.kills, given.postgresql, given.seed, say, given.seconds)
    print(json.dumps(report.shown(), indent=1, default=str))
    return 0 if report.good else 1


if __name__ == "__main__":
    sys.exit(main())
