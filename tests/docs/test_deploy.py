"""What docs/deploy holds can be used as it is: it parses, and names what exists."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner

from app.__main__ import commands
from app.config import PREFIX, Settings
from app.metrics import Backlog, Metrics
from app.model import Outcome, Returned

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs" / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
COMPOSES = sorted(DEPLOY.glob("compose*.yaml"))


def known_metrics() -> dict[str, set[str]]:
    """Every metric that there is, by the names of its samples, with its labels."""
    metrics = Metrics()
    metrics.accepted(trial=False)
    metrics.judged(trial=False, verdict="AC", took_s=0.1)
    metrics.waited(trial=False, waited_s=0.1)
    metrics.failed("sandbox")
    metrics.ran(Outcome(Returned(1, True), 0.1, 0.1, 1))
    metrics.stored("read", 0.1, failed=True)
    metrics.answered("GET", "/", 200, 0.1)
    metrics.refused(ValueError)
    metrics.now(Backlog(0, 0.0), Backlog(0, 0.0), True, 0, 0)
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(metrics.text().decode()):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found | {"up": set()}


KNOWN = known_metrics()
# What Prometheus itself adds to every sample, and what only looks like a label.
ADDED = {"job", "instance"}


def expressions() -> Iterator[tuple[str, str]]:
    """(where, PromQL) of every panel and every rule."""
    dashboard = json.loads((DEPLOY / "dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel.get("targets", ()):
            yield f"panel {panel['title']}", target["expr"]
    for rule in alerts():
        yield f"alert {rule['alert']}", rule["expr"]


def alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_every_metric_and_label_that_is_looked_at_exists(where: str, expression: str) -> None:
    """A metric that is renamed would otherwise be an empty panel, or an alert that never comes."""
    bare = re.sub(r'"[^"]*"', '""', expression)
    names = set(re.findall(r"\b(?:allclose|process)_\w+|\bup\b", bare))
    assert names, where
    assert names <= set(KNOWN), names - set(KNOWN)
    labels = set(re.findall(r"[{,]\s*(\w+)\s*(?:=~|!~|!=|=)", bare))
    for group in re.findall(r"\bby\s*\(([^)]*)\)", bare):
        labels |= {one.strip() for one in group.split(",")}
    assert labels <= set().union(*(KNOWN[name] for name in names)) | ADDED


def test_every_metric_of_ours_is_looked_at() -> None:
    """What nobody looks at need not be counted."""
    text = " ".join(expression for _, expression in expressions())
    ours = {re.sub(r"_(bucket|sum|count|created)$", "", name) for name in KNOWN}
    assert {name for name in ours if name.startswith("allclose_") and name not in text} == set()


def test_alerts_say_how_bad_it_is_and_what_to_do() -> None:
    names = [rule["alert"] for rule in alerts()]
    assert len(names) == len(set(names)) >= 10
    for rule in alerts():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "what_to_do"}


def test_panels_do_not_lie_over_each_other() -> None:
    """Each has an id and a place of its own."""
    panels = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        place = {(at["x"] + i, at["y"] + j) for i in range(at["w"]) for j in range(at["h"])}
        assert not place & taken, panel["title"]
        taken |= place


def test_prometheus_finds_the_rules_and_the_route() -> None:
    scrape = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text())
    assert all((DEPLOY / name).is_file() for name in scrape["rule_files"])
    [job] = scrape["scrape_configs"]
    assert job["job_name"] == "allclose"
    assert f'"{job["metrics_path"]}"' in (ROOT / "app" / "web" / "scrape.py").read_text()


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_is_one_that_systemd_understands(path: Path, tmp_path: Path) -> None:
    """Verified by systemd itself where it is there; the program stands where the unit says."""
    unit = _unit(path)
    assert unit.has_section("Unit")
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze")
    for one in UNITS:  # a timer names its service
        text = one.read_text().replace("/opt/allclose/.venv/bin/allclose", "/bin/true")
        (tmp_path / one.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / path.name)],
        capture_output=True,
        text=True,
    )
    about_us = [line for line in done.stderr.splitlines() if path.name in line]
    assert done.returncode == 0, done.stderr
    assert not about_us


@pytest.mark.parametrize("path", [p for p in UNITS if p.suffix == ".service"], ids=lambda p: p.name)
def test_a_service_runs_a_command_that_exists(path: Path) -> None:
    """As nobody special, with settings that are settings."""
    service = dict(_unit(path)["Service"])
    words = re.findall(r"/allclose ((?:[a-z]+ ?)+)", service["ExecStart"])
    assert words
    help_ = CliRunner().invoke(commands, [*words[0].split()[:2], "--help"])
    assert help_.exit_code == 0, help_.output
    assert service["User"] == "allclose"
    _are_settings(re.findall(rf"{PREFIX}(\w+)=", service["Environment"]))


def test_the_service_leaves_boxes_of_tier_a_possible() -> None:
    """Groups of its own, and nothing that covers /proc or forbids namespaces."""
    service = dict(_unit(DEPLOY / "allclose.service")["Service"])
    assert set(service["Delegate"].split()) >= {"memory", "pids"}
    forbidden = {
        "ProtectKernelTunables", "ProtectKernelLogs", "ProtectProc", "ProcSubset",
        "ProtectControlGroups", "RestrictNamespaces", "SystemCallFilter", "PrivateUsers",
    }  # fmt: skip
    assert not forbidden & set(service)
    assert int(service["TimeoutStopSec"]) > 2 * Settings.model_fields["stop_s"].default


@pytest.mark.parametrize("path", COMPOSES, ids=lambda path: path.name)
def test_a_compose_file_runs_commands_and_settings_that_exist(path: Path) -> None:
    """And every volume that a service mounts is declared."""
    compose = yaml.safe_load(path.read_text())
    declared = set(compose.get("volumes") or {})
    for name, service in compose["services"].items():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in declared or source.startswith(("/", ".")), (name, source)
        if service.get("image") != "allclose":
            continue
        command = service["command"][0]
        assert CliRunner().invoke(commands, [command, "--help"]).exit_code == 0
        given = service.get("environment", {})
        _are_settings([key.removeprefix(PREFIX) for key in given if key.startswith(PREFIX)])
        if "build" in service:
            assert (DEPLOY / service["build"] / "Dockerfile").is_file()
        routes = re.findall(r"http://127\.0\.0\.1:\d+(/\w+)", str(service.get("healthcheck")))
        health = (ROOT / "app" / "web" / "health.py").read_text()
        assert all(f'"{route}"' in health for route in routes)


def _are_settings(names: list[str]) -> None:
    assert {name.lower() for name in names} <= set(Settings.model_fields)


def _unit(path: Path) -> configparser.ConfigParser:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(path.read_text())
    return unit
