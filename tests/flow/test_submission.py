"""The whole way of a submission, by the real command, with real boxes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.flow.served import BROKEN, ENDLESS, PROBLEM, RIGHT, ROOT, WRONG, Served, served


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("flow") / "data") as running:
        yield running


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        (RIGHT, "AC"),
        (WRONG, "WA"),
        (BROKEN, "RTE"),
        ("def weighted_mean(values, weights)\n    pass", "CE"),
        ("def weightedmean(values, weights):\n    pass", "CE"),
        ("", "CE"),
        (ENDLESS, "TLE"),
        ("def weighted_mean(values, weights):\n    return 'x' * 10**10", "MLE"),
        ("def weighted_mean(values, weights):\n    print('x' * 100_000)", "OLE"),
        ("import os\ndef weighted_mean(values, weights):\n    os._exit(0)", "RTE"),
    ],
    ids=[
        "right",
        "wrong",
        "raises",
        "no colon",
        "misspelt",
        "empty",
        "endless",
        "too large",
        "prints too much",
        "exits",
    ],
)
def test_every_kind_of_program_gets_its_verdict(service: Served, source: str, verdict: str) -> None:
    """In the reply to a request that waits, with a run for each test."""
    answer = service.api.post("/submissions?wait=60", json={"problem": PROBLEM, "source": source})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["state"], found["verdict"]) == ("judged", verdict), found["message"]
    assert len(found["runs"]) == 11


def test_events_tell_what_the_verdict_then_says(service: Served) -> None:
    """Test by test, with the same verdicts that GET gives afterwards."""
    submission_id = service.send(WRONG)
    text = service.api.get(f"/submissions/{submission_id}/events").text
    found = service.judged(submission_id)
    runs = {run["index"]: run["verdict"] for run in found["runs"]}
    assert text.count("event: run\n") == len(runs)
    for index, verdict in runs.items():
        assert f'"index": {index}, "verdict": "{verdict}"' in text
    assert f'event: judged\ndata: {{"verdict": "{found["verdict"]}"' in text


def test_own_input_is_held_against_the_core_in_a_box(service: Served) -> None:
    """Custom input needs no stored answer."""
    arguments = {"values": {"array": [1.0, 3.0]}, "weights": [1.0, 3.0]}
    sent = {"problem": PROBLEM, "source": WRONG, "arguments": arguments}
    found = service.api.post("/runs?wait=60", json=sent).json()
    run = found["runs"][0]
    assert (found["verdict"], run["feedback"]["returned"], run["feedback"]["answer"]) == (
        "WA",
        "2.0",
        "2.5",
    )


def test_a_problem_of_the_site_is_solved(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Its starter is refused, its own accepted programs are accepted."""
    folder = ROOT / "problems" / "gradient_clipping" / "variants" / "eps"
    program = next((folder / "submissions" / "accepted").glob("*.py")).read_text()
    data = tmp_path_factory.mktemp("site") / "data"
    with served(data, ROOT / "problems") as service:
        problem = service.api.get("/problems/gradient_clipping/eps").json()
        for source, accepted in ((problem["starter"], False), (program, True)):
            submission_id = service.send(source, "gradient_clipping/eps")
            assert (service.judged(submission_id)["verdict"] == "AC") == accepted
