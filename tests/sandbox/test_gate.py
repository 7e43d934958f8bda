"""The gate: each layer broken on purpose, in a runtime that goes wrong after it was accepted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app.errors import BoxFault
from app.model import Call
from app.sandbox import Keeper
from app.sandbox.cgroups import Group
from app.sandbox.runtimes import PROGRAM
from tests.hostile.stage import RIGHT, submit
from tests.sandbox.conftest import keeper_of

_CALL = Call("def f():\n    return 1\n", "f", ())

# What a broken runtime does to the steps of a box, and what the keeper then finds.
_PRETEND = "[step._replace(number=GETPID, must=None) if step.layer == {layer!r} else step for step in steps]"
BREAKS = {
    "skips Landlock": ("[s for s in steps if s.layer != 'landlock']", "lacks the layers ['landlock']"),
    "skips seccomp": ("[s for s in steps if s.layer != 'seccomp']", "lacks the layers ['seccomp']"),
    "stays in its session": ("[s for s in steps if s.layer != 'session']", "lacks the layers ['session']"),
    "outlives its parent": ("[s for s in steps if s.layer != 'parent_death']", "['parent_death']"),
    "keeps descriptors": ("[s for s in steps if s.layer != 'descriptors']", "['descriptors']"),
    "does not try what must fail": (
        "[s._replace(number=GETPID) if s.must and s.must < 0 else s for s in steps]",
        "lacks the layers ['landlock', 'seccomp']",
    ),
    "does more than asked": (
        "[*steps, steps[0]._replace(layer='mystery', number=GETPID)]",
        "has ['mystery'] that were not asked for",
    ),
    "only says that it has seccomp": (_PRETEND.format(layer="seccomp"), "seccomp is not in force"),
    "only says that it has a uid": (_PRETEND.format(layer="uid"), "its uid is 0"),
    "takes another uid": (
        "[s._replace(must=None, arguments=tuple(a and a + 1 for a in s.arguments)) "
        "if s.layer == 'uid' else s for s in steps]",
        "its uid is",
    ),
    "fails half way": ("[s._replace(number=99999) if s.layer == 'scratch' else s for s in steps]", "failed"),
}  # fmt: skip

_PATCH = """

_whole, _made, GETPID = Lock.steps, [], layers.NUMBERS["getpid"]


def _broken(self, uid):
    steps = _whole(self, uid)
    _made.append(uid)
    return {expression} if len(_made) > 1 else steps


Lock.steps = _broken
"""


def _programs(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of what runs inside, with one text replaced (or, without `old`, added)."""
    shutil.copytree(PROGRAM.parent, folder, dirs_exist_ok=True)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new) if old else text + new)
    return folder / PROGRAM.name


def _assert_nothing_is_judged(keeper: Keeper, found: str) -> None:
    with capture_logs() as logs, pytest.raises(BoxFault) as fault:
        list(keeper.run([_CALL]))
    assert found in str(fault.value)
    [line] = [line for line in logs if line["event"] == "box_fault"]
    assert line["log_level"] == "error"
    assert found in line["reason"]
    judgement, runs, _ = submit(RIGHT, keeper)
    assert judgement.verdict == "JE"
    assert {run.verdict for run in runs} == {"JE"}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_layer_is_a_fault_of_ours(tmp_path: Path, name: str) -> None:
    """A box without a layer, or with another, is never given anything: JE and a log line."""
    expression, found = BREAKS[name]
    patch = _PATCH.format(expression=expression)
    program = _programs(tmp_path / "inside", "lockdown.py", "", patch)
    with keeper_of("A"):
        pass
    with Keeper(force_tier="A", ready_ahead=0, program=program) as keeper:
        _assert_nothing_is_judged(keeper, found)


NAMESPACES = {
    "mnt": (" | layers.CLONE_NEWNS | layers.CLONE_NEWIPC", " | layers.CLONE_NEWIPC"),
    "ipc": (" | layers.CLONE_NEWNS | layers.CLONE_NEWIPC", " | layers.CLONE_NEWNS"),
}


@pytest.mark.parametrize("name", NAMESPACES)
def test_a_namespace_that_is_shared_is_seen_from_outside(tmp_path: Path, name: str) -> None:
    """The box cannot tell that it shares a namespace; the keeper can, and finds no such tier."""
    old, new = NAMESPACES[name]
    program = _programs(tmp_path / "inside", "runtime.py", old, new)
    with keeper_of("A"):
        pass
    from app.errors import SandboxUnavailable

    with pytest.raises(SandboxUnavailable, match=f"its {name} namespace is not its own|scratch"):
        Keeper(force_tier="A", ready_ahead=0, program=program)


def test_a_box_in_another_group_is_seen_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stale cgroup: the box is not where its limits are."""
    with keeper_of("A", ready_ahead=0) as keeper:
        monkeypatch.setattr(Group, "admit", lambda group, pid: None)
        _assert_nothing_is_judged(keeper, "it is in cgroup")


def test_an_accepted_runtime_goes_on_after_a_fault(tmp_path: Path) -> None:
    """One bad box costs one judging error; the next is judged."""
    expression = "steps if len(_made) != 2 else [s for s in steps if s.layer != 'landlock']"
    program = _programs(
        tmp_path / "inside", "lockdown.py", "", _PATCH.format(expression=f"({expression})")
    )
    with keeper_of("A"):
        pass
    with Keeper(force_tier="A", ready_ahead=0, program=program) as keeper:
        assert submit(RIGHT, keeper)[0].verdict == "JE"
        assert submit(RIGHT, keeper)[0].verdict == "AC"
