"""`/metrics`: who may read it, and that it counts what happened under labels of our own only."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.errors import SettingsError
from app.metrics import Backlog, Metrics
from app.model import Crashed, Exceeded, NotCompiled, Outcome, Raised, Returned
from tests.web.started import PROBLEM, RIGHT, WRONG, Site


def scraped(site: Site) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by its name and labels."""
    answer = httpx.get(f"{site.url}/metrics")
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def of(name: str, **labels: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    return name, tuple(sorted(labels.items()))


def test_what_happened_is_counted(site: Site, api: httpx.Client) -> None:
    """Submissions, trials, verdicts, boxes, the store and requests, each by the words of ours."""
    before = scraped(site)
    for source in (RIGHT, WRONG):
        api.post("/submissions?wait=30", json={"problem": PROBLEM, "source": source})
    api.post("/runs?wait=30", json={"problem": PROBLEM, "source": RIGHT})
    after = scraped(site)

    def more(name: str, **labels: str) -> float:
        return after.get(of(name, **labels), 0) - before.get(of(name, **labels), 0)

    assert more("allclose_accepted_total", kind="submission") == 2
    assert more("allclose_judgements_total", kind="submission", verdict="AC") == 1
    assert more("allclose_judgements_total", kind="submission", verdict="WA") == 1
    assert more("allclose_judgements_total", kind="trial", verdict="AC") == 1
    assert more("allclose_waited_seconds_count", kind="submission") == 2
    assert more("allclose_store_seconds_count", access="write") >= 6
    labels = {"method": "POST", "route": "/api/v1/submissions", "status": "200"}
    assert more("allclose_http_requests_total", **labels) == 2
    assert after[of("allclose_queue_waiting", kind="submission")] == 0
    assert after[of("allclose_fit")] == 1
    assert after[of("process_open_fds")] > 0


def test_what_strangers_send_becomes_no_label(site: Site, api: httpx.Client) -> None:
    """Thousands of paths, ids and methods that do not exist are a few lines, not thousands."""
    before = len(scraped(site))
    for number in range(30):
        api.get(f"/submissions/none-{number}")
        httpx.get(f"{site.url}/no/such/{number}")
        httpx.request(f"M{number}", f"{site.url}/")
    names = scraped(site)
    assert len(names) - before < 60
    assert not re.search(r"none-\d|such|M\d", str(sorted(names)))


def test_from_elsewhere_it_takes_an_admins_token(site: Site) -> None:
    """The proxy on this machine is believed when it says where a request came from."""
    answer = httpx.get(f"{site.url}/metrics", headers={"X-Forwarded-For": "203.0.113.9"})
    assert answer.status_code == 401
    assert "allclose_" not in answer.text


@pytest.mark.parametrize(
    ("fact", "name"),
    [
        (Returned(1, True), "returned"),
        (Raised("ValueError", "", 1), "raised"),
        (NotCompiled("syntax", ""), "not compiled"),
        (Exceeded("cpu"), "exceeded cpu"),
        (Crashed(11), "crashed"),
    ],
)
def test_each_kind_of_fact_has_a_name(fact: object, name: str) -> None:
    metrics = Metrics()
    metrics.ran(Outcome(fact, 0.5, 1.0, 1024))  # type: ignore[arg-type]
    assert f'allclose_runs_total{{fact="{name}"}} 1.0' in metrics.text().decode()


def test_two_sets_of_metrics_know_nothing_of_each_other() -> None:
    """Nothing is global: two services in one process would not mix."""
    one, other = Metrics(), Metrics()
    one.accepted(trial=False)
    one.now(Backlog(3, 1.5), Backlog(0, 0.0), True, 6, 2)
    assert 'allclose_accepted_total{kind="submission"} 1.0' in one.text().decode()
    assert 'allclose_queue_waiting{kind="submission"} 3.0' in one.text().decode()
    assert 'allclose_accepted_total{kind="submission"}' not in other.text().decode()


def test_a_request_and_its_judging_are_found_by_one_id(site: Site, api: httpx.Client) -> None:
    """The worker's lines carry the id that the answer to the request carried."""
    answer = api.post("/submissions?wait=30", json={"problem": PROBLEM, "source": RIGHT})
    lines = Path(site.log).read_text().splitlines()
    judged = [line for line in lines if '"judged"' in line and answer.json()["id"] in line]
    assert len(judged) == 1
    assert f'"request": "{answer.headers["x-request-id"]}"' in judged[0]


def test_a_process_without_pages_answers_at_a_port_of_its_own() -> None:
    """Until it ends; a port that is taken is told."""
    metrics = Metrics()
    metrics.accepted(trial=True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError), metrics.listening("127.0.0.1", port):
            pass
    with metrics.listening("127.0.0.1", port):
        assert 'kind="trial"' in httpx.get(f"http://127.0.0.1:{port}/metrics").text
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics")
