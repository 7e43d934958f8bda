"""Several processes on one PostgreSQL database are one service."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.flow.processes import Program
from tests.flow.served import BASE, ENDLESS, PROBLEM, RIGHT, WRONG
from tests.postgres import Server, running_server

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]


@pytest.fixture(scope="module")
def url(postgres: Server) -> str:
    return postgres.create()


@contextmanager
def running(*programs: Program) -> Iterator[None]:
    try:
        for program in programs:
            program.start()
        for program in programs:
            program.wait_ready()
        yield
    finally:
        for program in programs:
            program.stop()


@pytest.fixture(scope="module")
def webs(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[tuple[Program, Program]]:
    """Two web processes, the second with a newer version of the package; one worker without any."""
    folder = tmp_path_factory.mktemp("cluster")
    newer = folder / "newer"
    shutil.copytree(BASE, newer)
    page = newer / "weighted_mean" / "variants" / "plain" / "variant.yaml"
    page.write_text(page.read_text() + "\npoints: 50\n")
    settings = {"ALLCLOSE_DATABASE_URL": url, "ALLCLOSE_WORKERS": "0"}
    first = Program(folder / "first", "serve", settings)
    second = Program(folder / "second", "serve", settings, newer)
    working = {"ALLCLOSE_DATABASE_URL": url, "ALLCLOSE_WORKERS": "2"}
    worker = Program(folder / "worker", "work", working, folder / "none")
    with running(first), running(second, worker):
        yield first, second


def send(web: Program, source: str, wait_s: int = 60) -> dict[str, Any]:
    body = {"problem": PROBLEM, "source": source}
    address = f"{web.url}/api/v1/submissions?wait={wait_s}"
    answer: dict[str, Any] = httpx.post(address, json=body, timeout=90).json()
    return answer


def test_a_reply_that_waits_hears_of_a_judgement_made_elsewhere(
    webs: tuple[Program, Program],
) -> None:
    """The process that holds the reply is not the one that judges."""
    assert send(webs[0], RIGHT)["verdict"] == "AC"
    assert send(webs[0], WRONG)["verdict"] == "WA"


def test_the_story_is_told_by_every_web_process(webs: tuple[Program, Program]) -> None:
    """Sent to one, watched at the other; late or early, its end is told."""
    sent = send(webs[0], WRONG, 0)["id"]
    address = f"{webs[1].url}/api/v1/submissions/{sent}/events"
    for _ in range(2):
        text = httpx.get(address, timeout=60).text
        assert 'event: judged\ndata: {"verdict": "WA"' in text


def test_each_is_judged_by_the_version_under_which_it_was_accepted(
    webs: tuple[Program, Program],
) -> None:
    """While a new version is rolled out, both are served, and nobody gets the other's tests."""
    for web, points in ((webs[0], 100), (webs[1], 50), (webs[0], 100)):
        found = send(web, RIGHT)
        assert (found["verdict"], found["points"]) == ("AC", points), found
    versions = {send(web, RIGHT)["package_version"] for web in webs}
    assert len(versions) == 2


@pytest.fixture
def cable() -> Iterator[tuple[tuple[str, ...], str]]:
    """A network of its own for one process, by one cable: what to run it by, the cable's name."""
    space, here, there = f"allclose-{os.getpid()}", f"ac{os.getpid()}", f"ad{os.getpid()}"
    if os.geteuid() != 0 or not shutil.which("ip") or _ip(f"netns add {space}"):
        pytest.skip("needs the right to make a network namespace")
    try:
        for words in (
            f"link add {here} type veth peer name {there} netns {space}",
            f"address add {HERE}/30 dev {here}",
            f"link set {here} up",
            f"-n {space} address add {THERE}/30 dev {there}",
            f"-n {space} link set {there} up",
        ):
            assert _ip(words) == 0, words
        yield ("ip", "netns", "exec", space), here
    finally:
        _ip(f"link del {here}")
        _ip(f"netns del {space}")


def _ip(words: str) -> int:
    return subprocess.run(["ip", *words.split()], capture_output=True).returncode


HERE, THERE = "10.213.71.1", "10.213.71.2"


def test_a_worker_that_is_cut_off_loses_its_job_and_its_late_judgement_is_dropped(
    tmp_path: Path, cable: tuple[tuple[str, ...], str]
) -> None:
    """The engine's heartbeat hands the job to another worker; its judgement stays."""
    prefix, name = cable
    with running_server(f"{THERE}/32") as server:
        url = server.create()
        far = url.replace("@/", f"@{HERE}/").partition("?")[0]
        near = {"ALLCLOSE_DATABASE_URL": url}
        web = Program(tmp_path / "web", "serve", {**near, "ALLCLOSE_WORKERS": "0"})
        cut = Program(tmp_path / "cut", "work", {"ALLCLOSE_DATABASE_URL": far}, prefix=prefix)
        other = Program(tmp_path / "other", "work", near)
        with running(web), running(cut):
            sent = send(web, ENDLESS, 0)["id"]
            _until(lambda: _state(web, sent) == "judging")
            assert _ip(f"link set {name} down") == 0
            with running(other):
                _until(lambda: _state(web, sent) == "judged")
            assert _ip(f"link set {name} up") == 0
            # It comes too late, or has given up on a database that did not answer.
            late = ("judged already", "not remembered")
            _until(lambda: any(words in cut.log.read_text() for words in late))
        judgements = server.ask("SELECT verdict FROM judgements", url)
        assert judgements == [("TLE",)]


def _state(web: Program, submission_id: str) -> str:
    found = httpx.get(f"{web.url}/api/v1/submissions/{submission_id}", timeout=30).json()
    return str(found["state"])


def _until(condition: Callable[[], bool], within_s: float = 240) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
