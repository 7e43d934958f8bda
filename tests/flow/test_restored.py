"""A backup of a running service, restored somewhere else, goes on as if nothing had been."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.flow.served import RIGHT, ROOT, WRONG, served
from tests.postgres import Server

pytestmark = pytest.mark.slow


def command(*words: str, database_url: str = "") -> None:
    """The real command, which must succeed."""
    environment = os.environ | ({"ALLCLOSE_DATABASE_URL": database_url} if database_url else {})
    done = subprocess.run(
        [sys.executable, "-m", "app", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_embedded(tmp_path: Path) -> None:
    """What was judged is there, and what had waited is judged."""
    kept, new = tmp_path / "kept", tmp_path / "new"
    with served(tmp_path / "old") as service:
        judged = service.send(WRONG)
        assert service.judged(judged)["verdict"] == "WA"
    with served(tmp_path / "old", workers="0") as service:
        waiting = service.send(RIGHT)
        command("db", "backup", str(kept), "--data", str(service.data))
    command("db", "restore", str(kept), "--data", str(new))
    with served(new) as service:
        assert service.judged(judged)["verdict"] == "WA"
        assert service.judged(waiting)["verdict"] == "AC"
        assert service.judged(service.send(RIGHT))["verdict"] == "AC"


@pytest.mark.postgresql
def test_postgresql(tmp_path: Path, postgres: Server) -> None:
    """Into a new database, jobs and their queue included."""
    old, new, kept = postgres.create(), postgres.create(), tmp_path / "kept"
    with served(tmp_path / "old", database_url=old) as service:
        judged = service.send(WRONG)
        assert service.judged(judged)["verdict"] == "WA"
    with served(tmp_path / "old", database_url=old, workers="0") as service:
        waiting = service.send(RIGHT)
        command("db", "backup", str(kept), database_url=old)
    command("db", "restore", str(kept), database_url=new)
    with served(tmp_path / "new", database_url=new) as service:
        assert service.judged(judged)["verdict"] == "WA"
        assert service.judged(waiting)["verdict"] == "AC"
        assert service.judged(service.send(RIGHT))["verdict"] == "AC"
