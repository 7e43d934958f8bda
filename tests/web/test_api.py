"""The REST API as a script uses it, over real HTTP."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from tests.web.started import BASE, PROBLEM, RIGHT, WRONG, Lines, Site, started


def sent(api: httpx.Client, route: str = "submissions", **changed: object) -> httpx.Response:
    """A right program, unless something is said to be otherwise."""
    return api.post(f"/{route}", json={"problem": PROBLEM, "source": RIGHT, **changed})


def judged(api: httpx.Client, route: str = "submissions", **changed: object) -> dict[str, Any]:
    answer = api.post(f"/{route}?wait=30", json={"problem": PROBLEM, "source": RIGHT, **changed})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_problems_are_listed(api: httpx.Client) -> None:
    """Enough to choose one, and where to find more."""
    problems = api.get("/problems").json()["problems"]
    assert [problem["id"] for problem in problems] == [
        "weighted_mean/plain",
        "weighted_mean/report",
    ]
    assert api.get(problems[0]["url"].removeprefix("/api/v1")).json()["id"] == PROBLEM


def test_a_problem_tells_all_but_its_secret_tests(api: httpx.Client) -> None:
    """Statement, contract, starter and samples with answers; of the rest only how many there are."""
    problem = api.get(f"/problems/{PROBLEM}").json()
    assert problem["entry_point"] == "weighted_mean"
    assert problem["starter"].startswith("def weighted_mean")
    assert problem["returns"] == {"number": {"display": 4}}
    assert problem["samples"][0]["arguments"] == {
        "values": [1.0, 2.0, 6.0],
        "weights": [1.0, 1.0, 1.0],
    }
    assert problem["samples"][0]["answer"] == 3.0
    assert problem["secret_tests"] == 9
    shown = json.dumps(problem)
    for secret in ("core", "heavy_end", "mistake", "def core"):
        assert secret not in shown


def test_a_submission_is_accepted_with_its_address(api: httpx.Client) -> None:
    """202 at once: the id, where the verdict will be, and where it is told live."""
    answer = sent(api)
    assert answer.status_code == 202
    accepted = answer.json()
    assert accepted["url"] == f"/api/v1/submissions/{accepted['id']}" == answer.headers["location"]
    assert accepted["events_url"] == accepted["url"] + "/events"


def test_waiting_gives_the_verdict_in_the_reply(api: httpx.Client) -> None:
    """The same as GET gives afterwards, with every test's run."""
    found = judged(api)
    assert (found["state"], found["verdict"], found["score"]) == ("judged", "AC", 100.0)
    assert len(found["runs"]) == 11
    assert [run["index"] for run in found["runs"]] == list(range(11))
    assert api.get(f"/submissions/{found['id']}").json() == found
    names = {"id", "problem", "state", "verdict", "score", "points", "bonus", "diagnosis", "runs"}
    assert names | {"package_version"} <= set(found)
    run_names = {"index", "label", "sample", "verdict", "time_ms", "memory_kib", "feedback"}
    assert set(found["runs"][0]) == run_names


def test_a_wait_that_is_too_short_gives_the_address(api: httpx.Client) -> None:
    """Nothing is lost: the verdict comes later, where the address says."""
    answer = api.post("/submissions?wait=0.001", json={"problem": PROBLEM, "source": RIGHT})
    assert answer.status_code == 202
    url = answer.json()["url"].removeprefix("/api/v1")
    deadline = time.monotonic() + 30
    while (found := api.get(url).json())["state"] != "judged":
        assert found["verdict"] is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert found["verdict"] == "AC"


def test_a_wrong_program_learns_no_secret(api: httpx.Client) -> None:
    """Samples are told in full; of a secret test neither number, nor input, nor answer."""
    found = judged(api, source=WRONG)
    assert found["verdict"] == "WA"
    assert 0 < found["score"] < 100
    samples = [run["feedback"] for run in found["runs"] if run["sample"] and run["verdict"] == "WA"]
    secrets = [
        run["feedback"] for run in found["runs"] if not run["sample"] and run["verdict"] == "WA"
    ]
    assert samples[0]["mismatch"]["differences"]
    assert samples[0]["answer"]
    for feedback in secrets:
        assert not feedback["returned"]
        assert not feedback["answer"]
        assert not feedback["arguments"]
        assert not (feedback["mismatch"] or {}).get("differences")


def test_a_run_tries_the_samples_only(api: httpx.Client) -> None:
    """As fast as can be, and with everything shown."""
    found = judged(api, "runs")
    assert found["trial"]
    assert [run["sample"] for run in found["runs"]] == [True, True]
    assert (found["verdict"], found["score"], found["points"]) == ("AC", None, None)


def test_a_run_with_arguments_is_held_against_the_core(api: httpx.Client) -> None:
    """Custom input has an answer too: what the core says."""
    arguments = {"values": [1.0, 3.0], "weights": [1.0, 3.0]}
    right = judged(api, "runs", arguments=arguments)
    assert (right["verdict"], right["runs"][0]["feedback"]["answer"]) == ("AC", "2.5")
    wrong = judged(api, "runs", arguments=arguments, source=WRONG)
    assert (wrong["verdict"], wrong["runs"][0]["feedback"]["returned"]) == ("WA", "2.0")


def test_ids_cannot_be_guessed(api: httpx.Client) -> None:
    """Guests have no accounts: who knows the id may read the submission, nobody else."""
    ids = {sent(api).json()["id"] for _ in range(5)}
    assert len(ids) == 5
    assert all(len(one) >= 22 for one in ids)


def test_the_address_of_a_client_is_not_kept(site: Site, api: httpx.Client) -> None:
    """The queue must tell guests apart, but nobody's address is written down."""
    sent(api)
    for file in site.data.glob("allclose.sqlite3*"):
        assert b"127.0.0.1" not in file.read_bytes()


def test_the_document_of_the_api_is_complete(api: httpx.Client) -> None:
    """OpenAPI 3.1: every body and every refusal has a schema, and every reference leads somewhere."""
    document = api.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    schemas = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["description"], (method, path)
            for status, response in operation["responses"].items():
                content = response.get("content", {})
                assert content or status == "204", (method, path, status)
                kind = "application/problem+json"
                if path.startswith("/api") and int(status) >= 400:
                    assert content[kind]["schema"]["$ref"].endswith("/ErrorOut")
    for reference in _references(document):
        assert reference.removeprefix("#/components/schemas/") in schemas


def test_a_full_queue_refuses_quickly_and_says_when_to_come_back(
    tmp_path: Any,
) -> None:
    """Accepted work stays; the rest gets 503 with Retry-After."""
    with (
        started(tmp_path, BASE, "worker=no", "queue=2") as site,
        httpx.Client(base_url=f"{site.url}/api/v1") as api,
    ):
        assert [sent(api).status_code for _ in range(4)] == [202, 202, 503, 503]
        answer = sent(api)
        assert int(answer.headers["retry-after"]) >= 1
        assert "2 submissions are waiting" in answer.json()["detail"]
        of_refused = site.logged(503, bool)
    assert "2 submissions are waiting" in of_refused[0]["reason"]


def told_of(lines: Lines) -> int:
    """How many refused requests these lines tell of."""
    return sum(1 + line.get("and_refused_before", 0) for line in lines)


def test_a_flood_is_a_line_a_second_in_the_log_and_none_is_lost(tmp_path: Any) -> None:
    """Of what was refused before, the next line says how much; metrics count each."""
    with (
        started(tmp_path, BASE, "worker=no", "queue=1") as site,
        httpx.Client(base_url=f"{site.url}/api/v1") as api,
    ):
        assert sent(api).status_code == 202
        begun = time.monotonic()
        assert {sent(api).status_code for _ in range(20)} == {503}
        time.sleep(max(0.0, begun + 1.1 - time.monotonic()))
        assert sent(api).status_code == 503
        refused = site.logged(503, lambda lines: told_of(lines) >= 21)
    assert told_of(refused) == 21
    assert len(refused) < 10
    assert all("1 submission is waiting" in line["reason"] for line in refused)


def test_what_a_full_queue_refuses_at_the_door_is_told_and_counted_as_ever(tmp_path: Any) -> None:
    """The same answer, with a body of any size, on a connection that goes on."""
    with (
        started(tmp_path, BASE, "worker=no", "queue=1") as site,
        httpx.Client(base_url=f"{site.url}/api/v1") as api,
    ):
        assert sent(api).status_code == 202
        all_the_way = sent(api)
        for source in (RIGHT, RIGHT + "#" * 60_000):
            at_the_door = sent(api, source=source)
            assert at_the_door.status_code == 503
            assert at_the_door.json() == all_the_way.json()
            for header in ("content-type", "retry-after", "x-content-type-options"):
                assert at_the_door.headers[header] == all_the_way.headers[header]
        assert api.get("/problems").status_code == 200
        metrics = httpx.get(f"{site.url}/metrics").text
    assert 'allclose_refused_total{reason="Busy"} 3.0' in metrics
    of_requests = [line for line in metrics.splitlines() if "requests_total" in line]
    assert any('"503"' in line and "/api/v1/submissions" in line for line in of_requests)


def test_a_full_queue_of_submissions_leaves_room_for_trials(tmp_path: Any) -> None:
    """People can go on working; their room is bounded as well."""
    with (
        started(tmp_path, BASE, "worker=no", "queue=8") as site,
        httpx.Client(base_url=f"{site.url}/api/v1") as api,
    ):
        assert [sent(api).status_code for _ in range(9)] == [202] * 8 + [503]
        assert [sent(api, "runs").status_code for _ in range(3)] == [202, 202, 503]
        assert sent(api).status_code == 503


def test_nobody_takes_the_whole_queue(tmp_path: Any) -> None:
    """One account has its share, trials included, and is told when to come back; others get theirs."""
    with (
        started(tmp_path, BASE, "worker=no", "share=2", "queue=3") as site,
        httpx.Client(base_url=f"{site.url}/api/v1") as api,
    ):
        assert [sent(api).status_code for _ in range(2)] == [202, 202]
        answer = sent(api, "runs")
        assert answer.status_code == 429
        assert answer.headers["content-type"] == "application/problem+json"
        assert int(answer.headers["retry-after"]) >= 1
        assert "2 of your submissions are waiting" in answer.json()["detail"]
        api.headers["X-Forwarded-For"] = "192.0.2.7"
        assert sent(api).status_code == 202


def test_without_a_safe_sandbox_nothing_is_accepted(tmp_path: Any) -> None:
    """503 with the reason; problems can still be read, and readiness says what is wrong."""
    with (
        started(tmp_path, BASE, "worker=no", "sandbox=no") as site,
        httpx.Client(base_url=site.url) as client,
    ):
        answer = client.post("/api/v1/submissions", json={"problem": PROBLEM, "source": RIGHT})
        assert answer.status_code == 503
        assert "Landlock" in answer.json()["detail"]
        assert "retry-after" in answer.headers
        assert client.get("/api/v1/problems").status_code == 200
        assert client.get("/livez").status_code == 200
        ready = client.get("/readyz")
        assert ready.status_code == 503
        assert ready.json()["checks"] == {
            "database": "ok",
            "sandbox": "no Landlock",
            "canary": "ok",
        }


@pytest.mark.parametrize("path", ["/api/v1/problems", "/api/v1/nothing", "/livez"])
def test_every_answer_carries_its_request_id(site: Site, path: str) -> None:
    """A report of a fault can name the line of the log."""
    answer = httpx.get(site.url + path)
    assert len(answer.headers["x-request-id"]) == 16
    assert answer.headers["x-content-type-options"] == "nosniff"


def _references(tree: object) -> list[str]:
    match tree:
        case dict():
            found = [tree["$ref"]] if isinstance(tree.get("$ref"), str) else []
            return found + [one for value in tree.values() for one in _references(value)]
        case list():
            return [one for value in tree for one in _references(value)]
    return []
