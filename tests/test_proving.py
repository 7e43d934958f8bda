"""Packages are verified beside the service, and only while it has nothing else to do."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import structlog

from app.commands.beside import Paced, heard
from app.model import Call, Outcome, Returned
from app.proving import Attended, Proving

ROOT = Path(__file__).resolve().parent.parent
BASE = ROOT / "tests" / "packages" / "base"


class _Counting:
    """A runner that notes in which order it was given what."""

    def __init__(self) -> None:
        self.rounds: list[list[str]] = []

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        self.rounds.append([calls[i].source for i in range(len(calls))])
        for index in range(len(calls)):
            yield index, Outcome(Returned(index, True), 0.0, 0.0, 0)


def _calls(count: int) -> list[Call]:
    return [Call(str(number), "f", ()) for number in range(count)]


def test_calls_go_in_small_rounds_and_keep_their_numbers() -> None:
    """So that one that waits need not wait for a whole variant's mutants."""
    counting, may_run = _Counting(), threading.Event()
    may_run.set()
    outcomes = list(Paced(counting, may_run, 2).run(_calls(5)))
    assert [index for index, _ in outcomes] == [0, 1, 2, 3, 4]
    assert counting.rounds == [["0", "1"], ["2", "3"], ["4"]]


def test_nothing_runs_before_its_turn() -> None:
    """A round waits; the one after it waits again."""
    counting, may_run = _Counting(), threading.Event()
    outcomes: list[int] = []

    def work() -> None:
        for index, _ in Paced(counting, may_run, 1).run(_calls(2)):
            may_run.clear()
            outcomes.append(index)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(0.02)
    assert counting.rounds == []
    may_run.set()
    while not outcomes:
        thread.join(0.001)
    thread.join(0.02)
    assert counting.rounds == [["0"]]
    may_run.set()
    thread.join()
    assert outcomes == [0, 1]


def test_the_last_word_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """`go` and `wait` in turn; the end of the input interrupts, for its service is gone."""
    ended = threading.Event()
    monkeypatch.setattr(os, "kill", lambda pid, number: ended.set())
    may_run = heard(io.StringIO("go\nwait\n"))
    assert ended.wait(5)
    assert may_run.wait(5)


def test_a_runner_is_busy_while_it_runs_and_a_moment_longer() -> None:
    """The moment is what the next submission in the queue takes to start."""
    attended = Attended(_Counting(), linger_s=0.02)
    seen = [attended.busy]
    outcomes = attended.run(_calls(1))
    next(outcomes)
    seen.append(attended.busy)
    list(outcomes)
    seen.append(attended.busy)
    threading.Event().wait(0.03)
    seen.append(attended.busy)
    assert seen == [False, True, True, False]


def _proving(script: str, busy: bool = False) -> Proving:
    command = (sys.executable, "-c", script)
    return Proving(command, lambda: busy, delay_s=0.0, every_s=0.001)


def test_reports_are_logged_and_kept_for_whoever_shows_them() -> None:
    """Also where one line is not a report."""
    reason = {"where": "w/plain", "rule": "prose", "message": "it says nothing"}
    report = {"package": "w", "reasons": [reason], "remarks": [], "figures": {}}
    proving = _proving(f"print('x'); print({json.dumps(json.dumps(report))})")
    with structlog.testing.capture_logs() as lines:
        asyncio.run(proving.run())
    assert not proving.reports["w"].kept
    events = [line["event"] for line in lines]
    assert events == ["not a report", "breaks a promise", "examined"]


def test_an_examination_that_fails_is_told_and_ends_nothing() -> None:
    """The service goes on without it."""
    with structlog.testing.capture_logs() as lines:
        asyncio.run(_proving("raise SystemExit(3)").run())
        asyncio.run(Proving(("/nowhere",), lambda: False, delay_s=0.0).run())
    assert [line["event"] for line in lines] == [
        "packages were not all examined",
        "packages are not examined",
    ]


def test_it_is_told_to_go_only_when_the_service_is_idle() -> None:
    """The first word is `go` where nothing runs, and there is none while something does."""
    script = (
        "import sys, select\n"
        "heard = select.select([sys.stdin], [], [], 0.3)[0]\n"
        "raise SystemExit(0 if heard and sys.stdin.readline() == 'go\\n' else 5)"
    )
    for busy, failed in ((False, False), (True, True)):
        with structlog.testing.capture_logs() as lines:
            asyncio.run(_proving(script, busy).run())
        assert bool(lines) is failed


def test_it_ends_with_its_service() -> None:
    """Cancelled, or when nobody is at the other end any more."""

    async def cancelled() -> None:
        proving = _proving("import sys; print('{}', flush=True); sys.stdin.read()")
        with structlog.testing.capture_logs() as lines:
            task = asyncio.create_task(proving.run())
            while not lines:
                await asyncio.sleep(0.005)
            task.cancel()
            await asyncio.wait({task})

    asyncio.run(asyncio.wait_for(cancelled(), 20))


@pytest.mark.slow
def test_the_command_examines_what_changed_and_remembers_it(tmp_path: Path) -> None:
    """With the lowest priority, one report a line; the second time nothing is left to do."""
    problems = tmp_path / "problems"
    shutil.copytree(BASE, problems, ignore=shutil.ignore_patterns("report"))
    variant = problems / "weighted_mean" / "variants" / "plain" / "variant.yaml"
    variant.write_text(variant.read_text().replace("next: weighted_mean/report\n", ""))
    command = [sys.executable, "-m", "app", "verify", "--beside", "--problems", str(problems)]
    command += ["--data", str(tmp_path / "data"), "--min-tier", "C"]
    for words in ("go\n", ""):
        with subprocess.Popen(
            command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(words)
            process.stdin.flush()
            line = process.stdout.readline()
            assert process.wait(120) == 0
        report = json.loads(line)
        assert (report["package"], report["kept"]) == ("weighted_mean", True)
