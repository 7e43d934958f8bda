"""Statistics over REST, as CSV, and as charts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest

from app.model import Diagnosis, Judgement, Run, Submission
from app.store import Spread
from app.store.results import time_ms
from app.web import charts
from app.web.csv_text import csv_text
from tests.web.administrated import API, Administrated, administrated

PROBLEM = "weighted_mean/plain"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Administrated]:
    with administrated(tmp_path_factory.mktemp("data")) as running:
        for name, verdict in (("one", "AC"), ("two", "WA"), ("three", "WA")):
            sent = Submission(name, PROBLEM, "def weighted_mean(): pass\n")
            running.site.ask(running.site.store.add_submission(sent, "guest:1", "user:1"))
            runs = (
                Run(0, ("=HYPERLINK()",), True, "AC", 3.0, 4096, test="first"),
                Run(1, ("unequal",), False, verdict, 40.0, 4096, test="second"),  # type: ignore[arg-type]
            )
            why = Diagnosis("plain_mean", "A plain mean", "") if verdict == "WA" else None
            judgement = Judgement(verdict, 0.0, 100, 0, runs, "v", "", why)  # type: ignore[arg-type]
            running.site.ask(running.site.store.add_judgement(sent, judgement))
        yield running


def test_the_page_says_what_stops_most(there: Administrated) -> None:
    """In numbers, in charts and in tables that say the same; nothing of it is styled inline."""
    page = there.admin.get("/admin/statistics").text
    assert f'href="/admin/statistics/{PROBLEM}"' in page
    assert "33 %" in page
    page = there.admin.get(f"/admin/statistics/{PROBLEM}").text
    for words in ("<dd>second</dd>", "<dd>plain_mean</dd>", "33.3 %", "<svg", "As a table"):
        assert words in page, words
    assert " style=" not in page
    assert "Nobody has submitted" in there.admin.get("/admin/statistics/weighted_mean/no").text


def test_the_same_over_rest(there: Administrated) -> None:
    """With null where nothing is known."""
    found = there.admin.get(f"{API}/statistics/{PROBLEM}").json()
    assert (found["attempts"], found["accepted"]) == (3, 1)
    assert (found["learners"], found["solved_by"]) == (1, 1)
    assert found["diagnoses"] == [{"name": "plain_mean", "count": 2}]
    first, second = found["tests"]
    assert (first["test"], first["passed"], first["stopped"]) == ("first", 3, 0)
    assert (second["runs"], second["passed"], second["stopped"]) == (3, 1, 2)
    assert second["time_ms"]["median"] == pytest.approx(40, rel=0.1)
    nothing = there.admin.get(f"{API}/statistics/no/such").json()
    assert nothing["time_ms"] == {"median": None, "p95": None, "largest": None}
    assert there.admin.get(f"{API}/statistics").json()["problems"][0]["problem"] == PROBLEM


def test_a_spreadsheet_gets_no_formula(there: Administrated) -> None:
    """What authors name a test must not act on the machine of whoever opens the file."""
    answer = there.admin.get(f"{API}/statistics/{PROBLEM}/tests.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0]["labels"] == "'=HYPERLINK()"
    assert rows[1]["stopped"] == "2"
    overview = there.admin.get(f"{API}/statistics.csv").content.decode("utf-8-sig")
    assert overview.splitlines()[1].startswith(f"{PROBLEM},3,1,0.3333,1,2,")
    assert overview.splitlines()[1].endswith(",1,1")


def test_the_time_is_chosen_on_the_page_and_stays(there: Administrated) -> None:
    """In every link from it; what no form offers is shown all the same, nonsense is refused."""
    page = there.admin.get("/admin/statistics?days=7").text
    assert '<option value="7" selected>' in page
    assert f'href="/admin/statistics/{PROBLEM}?days=7"' in page
    assert "statistics.csv?days=7" in page
    page = there.admin.get(f"/admin/statistics/{PROBLEM}?days=8").text
    assert '<option value="8" selected>' in page
    assert "tests.csv?days=8" in page
    for path in (f"{API}/statistics", f"{API}/statistics/{PROBLEM}", f"{API}/statistics.csv"):
        assert there.admin.get(f"{path}?days=7").status_code == 200
        assert there.admin.get(f"{path}?days=-1").status_code == 422
    assert there.admin.get(f"{API}/statistics/{PROBLEM}?days=1").json()["learners"] == 1


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\r=1"])
def test_text_that_would_act_is_quoted(text: str) -> None:
    """A number stays a number, also a negative one."""
    row = next(csv.reader(io.StringIO(csv_text(["a"], [[text, -1]])).readlines()[1:]))
    assert row[0].startswith("'")
    assert csv_text(["a"], [[-1]]).endswith("-1\r\n")


def test_a_chart_stays_within_its_frame() -> None:
    """However the values lie."""
    for used in ([0], [77], [0, 77], [10, 11, 12]):
        spread = Spread(tuple(5 if step in used else 0 for step in range(78)))
        drawn = charts.histogram(spread, time_ms, "ms")
        assert drawn is not None
        for bar in drawn.bars:
            assert 0 <= bar.x <= bar.x + bar.width <= charts.WIDTH
            assert 0 <= bar.y <= bar.y + bar.height <= charts.HEIGHT + 0.01
    assert charts.histogram(Spread(), time_ms, "ms") is None
    assert charts.shares([]) == ()
