"""The gate: each layer broken on purpose, in a runtime that goes wrong after it was accepted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app.errors import BoxFault
from app.model import Call
from app.sandbox import Keeper
from app.sandbox.runtimes import PROGRAM
from tests.hostile.stage import RIGHT, submit
from tests.sandbox.conftest import keeper_of

_CALL = Call("def f():\n    return 1\n", "f", ())

# What a broken runtime does to the steps of a box, and what the keeper then finds. A step that is
# skipped gives an error; one that is pretended gives what a harmless call gives.
_SKIP = "[step._replace(call=(99_999,) + (0,) * 5) if step.layer == {layer!r} else step for step in steps]"
_PRETEND = "[step._replace(call=(GETPID,) + (0,) * 5) if step.layer == {layer!r} else step for step in steps]"
BREAKS = {
    **{
        f"skips {layer}": (_SKIP.format(layer=layer), f"lacks the layers ['{layer}']")
        for layer in (
            "landlock", "seccomp", "session", "parent_death", "descriptors", "scratch", "uid", "capabilities",
            "hidden_memory", "pid", "cgroup",
        )
    },
    "only says that it has Landlock": (_PRETEND.format(layer="landlock"), "lacks the layers ['landlock']"),
    "only says that it has seccomp": (_PRETEND.format(layer="seccomp"), "lacks the layers ['seccomp']"),
    "only says that it has a uid": (_PRETEND.format(layer="uid"), "lacks the layers ['uid']"),
    # It gets what joining would have given, but is still where its runtime is.
    "only says that it is in its groups": (_PRETEND.format(layer="cgroup"), "it is in cgroup"),
    "loads another filter as well": (
        "[*steps[:-3], steps[-3], *steps[-3:]]", "lacks the layers",
    ),
    "leaves a step out": ("steps[1:]", "lacks the layers"),
    "does more than asked": ("[*steps, steps[0]]", "lacks the layers"),
    "takes another uid": (
        "[s._replace(call=tuple(a and a + (n > 0) for n, a in enumerate(s.call))) "
        "if s.layer == 'uid' else s for s in steps]",
        "lacks the layers ['uid']",
    ),
}  # fmt: skip

_PATCH = """

_whole, _made, GETPID = Lock.steps, [], layers.NUMBERS["getpid"]


def _broken(self, uid):
    steps = _whole(self, uid)
    _made.append(uid)
    return {expression} if len(_made) > 2 else steps  # after the promise, and one box that is right


Lock.steps = _broken
Lock.calls = lambda self, uid: [step.call for step in self.steps(uid)]
"""

# A box that skips a layer and reports what was promised: only the look from outside can tell.
_LYING = """

_honest, _told, _promises, _made = shut, Lock.promises, [], []


def shut(calls):
    steps = list(zip(_promises, calls))
    if not steps:  # a rehearsal
        return _honest(calls)
    uid = next(call[1] for (layer, _), call in steps if layer == "uid")
    results = _honest([call for (layer, _), call in steps if layer != {layer!r} or {right}])
    told = [uid if must == "uid" else must or 0 for _, must in _promises]
    return results if {right} else told


def _promise(self):
    _promises[:] = _told(self)
    return list(_promises)


_calls = Lock.calls


def _counted(self, uid):
    _made.append(uid)
    return _calls(self, uid)


Lock.promises, Lock.calls = _promise, _counted
"""
LIES = {
    "seccomp": "seccomp is not in force",
    "uid": "its uid is 0",
    "cgroup": "it is in cgroup",
}


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


@pytest.mark.parametrize("told", ["proof[:-8]", "proof + proof[-8:]"], ids=["less", "more"])
def test_a_box_that_tells_of_less_or_more_than_its_steps_is_given_nothing(
    tmp_path: Path, told: str
) -> None:
    """Which result belongs to which step cannot be known then."""
    lie = f"_write(CHANNEL, {told} if len(_made) > 1 else proof)"  # one that is right comes first
    program = _programs(tmp_path / "inside", "runtime.py", "_write(CHANNEL, proof)", lie)
    text, step = program.read_text(), "        pid = call(*lock.clone)"
    assert step in text
    counted = text.replace(step, f"        _made.append(1)\n{step}")
    program.write_text(counted.replace("_PATIENCE_MS = 40", "_PATIENCE_MS, _made = 40, []"))
    with keeper_of("A"):
        pass
    with Keeper(force_tier="A", ready_ahead=0, program=program) as keeper:
        _assert_nothing_is_judged(keeper, "lacks the layers")


@pytest.mark.parametrize("layer", LIES)
def test_a_lie_is_seen_from_outside(tmp_path: Path, layer: str) -> None:
    """A box that reports a layer it does not have is found out by what the kernel says of it."""
    patch = _LYING.format(layer=layer, right="len(_made) == 1")
    program = _programs(tmp_path / "inside", "lockdown.py", "", patch)
    with keeper_of("A"):
        pass
    with Keeper(force_tier="A", ready_ahead=0, program=program) as keeper:
        _assert_nothing_is_judged(keeper, LIES[layer])


NAMESPACES = {
    "mnt": (" | layers.CLONE_NEWNS | layers.CLONE_NEWIPC", " | layers.CLONE_NEWIPC"),
    "ipc": (" | layers.CLONE_NEWNS | layers.CLONE_NEWIPC", " | layers.CLONE_NEWNS"),
}


@pytest.mark.parametrize("name", NAMESPACES)
def test_a_namespace_that_is_shared_is_seen_from_outside(tmp_path: Path, name: str) -> None:
    """The box cannot tell that it shares a namespace; the keeper can, and finds no such tier."""
    old, new = NAMESPACES[name]
    program = _programs(tmp_path / "inside", "lockdown.py", old, new)
    with keeper_of("A"):
        pass
    from app.errors import SandboxUnavailable

    with pytest.raises(SandboxUnavailable, match=f"its {name} namespace is not its own|scratch"):
        Keeper(force_tier="A", ready_ahead=0, program=program)


def test_an_accepted_runtime_goes_on_after_a_fault(tmp_path: Path) -> None:
    """One bad box costs one judging error; the next is judged."""
    expression = f"steps if len(_made) != 3 else {_SKIP.format(layer='landlock')}"
    program = _programs(
        tmp_path / "inside", "lockdown.py", "", _PATCH.format(expression=f"({expression})")
    )
    with keeper_of("A"):
        pass
    with Keeper(force_tier="A", ready_ahead=0, program=program) as keeper:
        assert submit(RIGHT, keeper)[0].verdict == "JE"
        assert submit(RIGHT, keeper)[0].verdict == "AC"
