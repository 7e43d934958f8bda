"""The disk of the database server is full: refused whole, and what was accepted is judged later."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flow.served import PROBLEM, RIGHT, served
from tests.postgres import Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgresql,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: mounts a small file system"),
]


@pytest.fixture
def disk(postgres: Server) -> Iterator[Path]:
    """A small file system of the database server's own."""
    place = postgres.folder / "small"
    place.mkdir()
    options = ["-t", "tmpfs", "-o", "size=32m", "tmpfs", str(place)]
    if subprocess.run(["mount", *options], capture_output=True).returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        shutil.chown(place, "postgres", "postgres")
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_refused_with_503_and_nothing_by_halves(
    tmp_path: Path, postgres: Server, disk: Path
) -> None:
    postgres.ask(f"CREATE TABLESPACE small LOCATION '{disk}'")
    postgres.ask("CREATE DATABASE small TABLESPACE small")
    url = postgres.url("small")
    with served(tmp_path / "data", database_url=url) as service:
        accepted = [service.send(RIGHT)]
        service.judged(accepted[0])
        ballast = disk / "ballast"
        room = os.statvfs(disk)
        ballast.write_bytes(b"x" * (room.f_bavail * room.f_frsize))
        refused = ""
        # Text that does not compress, so that each takes a page of the table.
        for number in range(200):
            source = f"{RIGHT}# {number} {os.urandom(15_000).hex()}"
            answer = service.api.post("/submissions", json={"problem": PROBLEM, "source": source})
            if answer.status_code == 503:
                refused = answer.json()["detail"]
                break
            accepted.append(answer.json()["id"])
        assert "disk of the database server is full" in refused
        ballast.unlink()
        verdicts = {name: service.judged(name)["verdict"] for name in accepted}
        assert service.judged(service.send(RIGHT))["verdict"] == "AC"
    assert verdicts == dict.fromkeys(accepted, "AC")
    kept = postgres.ask("SELECT id FROM submissions", url)
    assert {name for (name,) in kept} >= set(accepted)
    assert len(kept) == len(accepted) + 1
    twice = "SELECT submission FROM judgements GROUP BY submission HAVING count(*) > 1"
    assert postgres.ask(twice, url) == []
    postgres.ask("DROP DATABASE small WITH (FORCE)")
    postgres.ask("DROP TABLESPACE small")
