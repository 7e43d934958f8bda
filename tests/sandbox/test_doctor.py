"""The doctor: what holds is said to hold, what is missing is named with its remedy."""

from __future__ import annotations

import pytest

from app.sandbox import allowlist, doctor
from app.sandbox.doctor import examine
from app.sandbox.probes import PROBES, Probe
from tests.sandbox.conftest import keeper_of


@pytest.mark.parametrize("tier", ["A", "B", "C"])
def test_a_machine_is_examined_with_real_attacks(tier: str) -> None:
    """Every attack of the tier is tried and refused; every layer it needs holds."""
    with keeper_of(tier, ready_ahead=0):  # type: ignore[arg-type]
        pass
    report = examine("C", force_tier=tier)  # type: ignore[arg-type]
    assert report.tier == tier
    assert report.sufficient
    assert len(report.probes) >= 25
    assert [probe for probe in report.probes if not probe.refused] == []
    assert report.box_ms is not None
    for layer in report.layers:
        assert layer.how
        assert (layer.state == "holds") == (not layer.remedy)
        assert not (layer.required and layer.state != "holds")


def test_a_tier_that_is_not_enough_is_said_to_be_so() -> None:
    """Tier C does not do where B is asked for, and what is missing has a remedy."""
    with keeper_of("C", ready_ahead=0):
        pass
    report = examine("B", force_tier="C")
    assert not report.sufficient
    missing = {
        layer.layer for layer in report.layers if layer.required and layer.state == "missing"
    }
    assert "namespaces" in missing


def test_a_probe_that_gets_through_breaks_its_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One attack that succeeds makes the machine unfit, whatever else holds."""
    hole = Probe(
        "landlock",
        "read what it may",
        "def probe():\n    return open(__import__('os').__file__).read(9)",
    )
    monkeypatch.setattr(doctor, "PROBES", (*PROBES[:3], hole))
    report = examine()
    assert report.tier == "X"
    assert not report.sufficient
    assert [layer.layer for layer in report.layers if layer.state == "broken"] == ["landlock"]
    assert not report.probes[-1].refused
    assert report.probes[-1].seen != "refused"


def test_a_machine_without_a_sandbox_is_tier_x(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is raised: the reasons are in the report."""
    from app.errors import SandboxUnavailable

    def missing(hide_memory_later: bool) -> bytes:
        raise SandboxUnavailable("libseccomp is not on this machine")

    monkeypatch.setattr(allowlist, "program", missing)
    report = examine()
    assert report.tier == "X"
    assert "libseccomp" in report.reasons[0]
    assert all(layer.state == "missing" for layer in report.layers)


def test_the_filter_is_small() -> None:
    """A search tree over the allow-list: few enough instructions to load for every box."""
    assert 8 * 100 < len(allowlist.program(False)) < 8 * 400
