"""A rejudge by the real command with real boxes, through a restart, to its release."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from app.store import open_store
from app.web.secret import new_token
from tests.flow.served import PROBLEM, RIGHT, Served, served

LUCKY = RIGHT.replace(  # right on every test but the one that is uploaded later
    "    return", "    if list(values) == [2.0, 4.0]:\n        return 0.0\n    return"
)
UPLOAD = {
    "tests": [
        {
            "name": "two_heavy",
            "labels": ["unequal weights"],
            "arguments": {"values": [2.0, 4.0], "weights": [3.0, 1.0]},
        }
    ]
}


def admin_token(data: Path) -> str:
    token = new_token()

    async def add() -> None:
        store = open_store(data / "allclose.sqlite3")
        await store.add_user("Ada", "admin")
        await store.add_token("Ada", "laptop", token, {"admin"})
        await store.close()

    asyncio.run(add())
    return token


def asked(service: Served, token: str, method: str, path: str, **sent: Any) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"}
    answer = service.api.request(method, f"/admin{path}", headers=headers, **sent)
    assert answer.status_code < 300, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.slow
def test_a_rejudge_goes_through_a_restart_to_its_release(tmp_path: Path) -> None:
    """A new test turns lucky programs; nobody sees it before it is released."""
    data = tmp_path / "data"
    token = admin_token(data)
    with served(data) as service:
        names = {service.send(LUCKY if number % 2 else RIGHT): number % 2 for number in range(30)}
        old = {service.judged(name)["package_version"] for name in names}
        asked(service, token, "POST", "/problems/weighted_mean/tests?dry_run=false", json=UPLOAD)
        body = {"problem": PROBLEM, "verdicts": ["AC"]}
        begun = asked(service, token, "POST", "/rejudges?dry_run=false", json=body)
        place = f"/rejudges/{begun['rejudge']}"
        service.kill()
    with served(data) as service:
        assert service.judged(service.send(RIGHT))["verdict"] == "AC"
        deadline = time.monotonic() + 60
        while (found := asked(service, token, "GET", place))["judged"] < found["total"]:
            assert time.monotonic() < deadline, found
            time.sleep(0.1)
        assert (found["total"], found["changed"]) == (30, 15)
        assert found["tests"][0]["test"] == "two_heavy"
        assert {service.judged(name)["verdict"] for name in names} == {"AC"}
        assert {service.judged(name)["package_version"] for name in names} == old
        asked(service, token, "POST", f"{place}/release")
        verdicts = {name: service.judged(name)["verdict"] for name in names}
        assert verdicts == {name: "WA" if lucky else "AC" for name, lucky in names.items()}
        assert service.stop() == 0
