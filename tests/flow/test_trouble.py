"""Kills, locks and full disks: what was accepted is judged once; the rest is refused whole."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store import open_store
from tests.descent import descendants
from tests.flow.served import ENDLESS, PROBLEM, RIGHT, ROOT, WRONG, Served, served


def rows(data: Path) -> dict[str, list[str]]:
    """The verdicts of each submission's judgements, as the database has them."""
    with sqlite3.connect(data / "allclose.sqlite3") as connection:
        found: dict[str, list[str]] = {}
        query = (
            "SELECT submissions.id, judgements.verdict FROM submissions "
            "LEFT JOIN judgements ON judgements.submission = submissions.number"
        )
        for submission_id, verdict in connection.execute(query):
            found.setdefault(submission_id, []).extend([verdict] if verdict else [])
    connection.close()
    return found


def test_what_was_accepted_before_a_kill_is_judged_once_after_it(tmp_path: Path) -> None:
    """Killed in the middle, twice: nothing is lost, nothing judged twice, verdicts are right."""
    data = tmp_path / "data"
    sent: dict[str, str] = {}
    for _ in range(2):
        with served(data) as service:
            for number in range(12):
                source = WRONG if number % 3 else RIGHT
                sent[service.send(source)] = "WA" if number % 3 else "AC"
            time.sleep(0.15)
            service.kill()
    assert any(not verdicts for verdicts in rows(data).values())
    with served(data) as service:
        found = {name: service.judged(name)["verdict"] for name in sent}
        assert service.stop() == 0
    assert found == sent
    assert {name: [verdict] for name, verdict in sent.items()} == rows(data)


def test_a_stop_finishes_or_hands_back_what_is_being_judged(tmp_path: Path) -> None:
    """SIGTERM: exit 0, no verdict of ours in between, and the rest comes after the restart."""
    data = tmp_path / "data"
    with served(data) as service:
        names = [service.send(RIGHT) for _ in range(20)]
        assert service.stop() == 0
    assert {verdict for verdicts in rows(data).values() for verdict in verdicts} <= {"AC"}
    with served(data) as service:
        assert {service.judged(name)["verdict"] for name in names} == {"AC"}
    assert all(len(verdicts) == 1 for verdicts in rows(data).values())


@pytest.mark.slow
def test_a_stop_waits_for_no_endless_program(tmp_path: Path) -> None:
    """It ends within the deadline, hands back what it could not finish, and the next one judges it."""
    data = tmp_path / "data"
    with served(data, stop_s="0.5") as service:
        names = [service.send(ENDLESS) for _ in range(3)]
        time.sleep(0.5)
        begun = time.monotonic()
        assert service.stop() == 0
        assert (
            time.monotonic() - begun < 15
        )  # the deadline twice, and whatever the machine is busy with
    assert not any(rows(data).values())
    with served(data) as service:
        assert {service.judged(name)["verdict"] for name in names} == {"TLE"}
    assert all(len(verdicts) == 1 for verdicts in rows(data).values())


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: mounts a small file system")
@pytest.mark.parametrize("filled", [False, True])
def test_a_data_folder_that_cannot_be_written_is_told_at_the_start(
    tmp_path: Path, filled: bool
) -> None:
    """One line that names the place, whether or not there is a database already."""
    data = tmp_path / "data"
    data.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(data)], capture_output=True).returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        if filled:
            asyncio.run(open_store(data / "allclose.sqlite3").close())
        subprocess.run(["mount", "-o", "remount,ro", str(data)], check=True)
        done = subprocess.run(
            [sys.executable, "-m", "app", "serve", "--port", "0", "--data", str(data)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 2, done.stderr
        assert str(data) in done.stderr.replace("\n", "")
        assert "Traceback" not in done.stderr
    finally:
        subprocess.run(["umount", str(data)], check=True)


def test_a_second_server_on_one_data_folder_ends_and_the_first_goes_on(tmp_path: Path) -> None:
    """With a remedy; and after a kill, at once, the next one may have it."""
    with served(tmp_path / "data") as first:
        command = [sys.executable, "-m", "app", "serve", "--no-verify", "--port", "0"]
        second = subprocess.run(
            [*command, "--data", str(first.data)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert second.returncode == 2
        assert "another server uses the data folder" in second.stderr
        assert "--data" in second.stderr
        assert first.judged(first.send(RIGHT))["verdict"] == "AC"
        first.kill()
        with served(tmp_path / "data") as next_one:
            assert next_one.judged(next_one.send(RIGHT))["verdict"] == "AC"


def test_after_a_kill_no_process_of_ours_is_left(tmp_path: Path) -> None:
    """Boxes and runtimes end with the service that made them."""
    with served(tmp_path / "data") as service:
        service.judged(service.send(RIGHT))
        before = descendants(service.process.pid)
        assert before
        service.kill()
    deadline = time.monotonic() + 10
    while alive := [pid for pid in before if _alive(pid)]:
        assert time.monotonic() < deadline, alive
        time.sleep(0.05)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "data") as running:
        running.judged(running.send(RIGHT))
        yield running


def test_a_locked_database_refuses_with_503_and_keeps_nothing(service: Served) -> None:
    """Another process holds the lock: come back later. Reading goes on meanwhile."""
    before = rows(service.data)
    connection = sqlite3.connect(service.data / "allclose.sqlite3", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    answer = service.api.post("/submissions", json={"problem": PROBLEM, "source": RIGHT})
    assert answer.status_code == 503
    assert "locked" in answer.json()["detail"]
    assert int(answer.headers["retry-after"]) >= 1
    assert service.api.get(f"/submissions/{next(iter(before))}").status_code == 200
    connection.execute("ROLLBACK")
    connection.close()
    assert rows(service.data) == before
    assert service.judged(service.send(RIGHT))["verdict"] == "AC"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: mounts a small file system")
def test_a_full_disk_refuses_with_503_and_keeps_nothing_by_halves(tmp_path: Path) -> None:
    """What got 202 is judged once there is room again; what got 503 is not there at all."""
    data = tmp_path / "data"
    data.mkdir()
    options = ["-t", "tmpfs", "-o", "size=4m", "tmpfs", str(data)]
    if subprocess.run(["mount", *options], capture_output=True).returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        with served(data) as service:
            accepted = [service.send(RIGHT)]
            service.judged(accepted[0])
            ballast = data / "ballast"
            room = os.statvfs(data)
            ballast.write_bytes(b"x" * (room.f_bavail * room.f_frsize))
            refused = 0
            source = RIGHT + "#" * 60_000
            for _ in range(200):
                sent = {"problem": PROBLEM, "source": source}
                answer = service.api.post("/submissions", json=sent)
                if answer.status_code == 503:
                    assert "disk is full" in answer.json()["detail"]
                    refused += 1
                    break
                accepted.append(answer.json()["id"])
            assert refused
            ballast.unlink()
            verdicts = {name: service.judged(name)["verdict"] for name in accepted}
            assert service.stop() == 0
        assert verdicts == dict.fromkeys(accepted, "AC")
        assert {name: ["AC"] for name in accepted} == rows(data)
    finally:
        subprocess.run(["umount", str(data)], check=True)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
