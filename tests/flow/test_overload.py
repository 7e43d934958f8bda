"""Far more than can be judged: accepted work is judged, the rest is refused, everybody else is served."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flow.overload import run


@pytest.mark.slow
def test_ten_times_what_can_be_judged(tmp_path: Path) -> None:
    """Times are only bounded roughly: other tests share the machine. `overload` itself measures them."""
    found = run(seconds=6, times=10, folder=tmp_path, queue_limit=30)
    assert found.refused > 0
    assert (found.other_answers, found.refused_without_retry_after) == (0, 0)
    assert (found.lost, found.judged_twice, found.wrong_verdicts) == (0, 0, 0)
    assert found.runs > 0
    assert found.runs_failed == 0
    assert found.judged_while_flooded > 0
    assert found.most_overtaken_s < 10
    assert found.memory_end_mib < 1.3 * found.memory_begin_mib + 20
    assert found.health_p50 < 1000
