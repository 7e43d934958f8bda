"""The tier is what the machine gives: found by trying, as root and not, confined and not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from app.errors import SandboxUnavailable
from app.sandbox import Keeper, cgroups
from tests.sandbox.conftest import keeper_of

ROOT = Path(__file__).resolve().parents[2]
SITE = str(Path(numpy.__file__).parents[1])

# Says the tier and runs a right, a wrong, a greedy and an endless program.
_PROGRAM = f"""
import json, sys
sys.path[:0] = [{str(ROOT)!r}, {SITE!r}]
from app.errors import SandboxUnavailable
from app.model import Call, Limits
from app.sandbox import Keeper
try:
    keeper = Keeper("C", ready_ahead=1)
except SandboxUnavailable as error:
    print(json.dumps(["X", str(error)]))
    raise SystemExit
limits = Limits(time_s=0.2, memory_mib=64)
sources = [
    "import numpy as np\\ndef f(): return float(np.ones(3).sum())",
    "def f(): return 1 / 0",
    "def f():\\n a = []\\n while True: a.append(bytearray(1 << 20))",
    "def f():\\n while True: pass",
    "import os\\ndef f(): os.fork()",
    "import unittest.mock\\ndef f(): return len('x'.encode('idna'))",
]
with keeper:
    seen = dict(keeper.run([Call(source, "f", (), limits=limits) for source in sources]))
    [(_, python)] = keeper.run([Call("import numpy", "f", (), runtime="python")])
facts = [str(seen[n].fact) for n in range(len(sources))] + [str(python.fact)]
print(json.dumps([keeper.tier, facts]))
"""

_FACTS = [
    "Returned(value=3.0, inputs_unchanged=True)",
    "Raised(type_name='ZeroDivisionError', message='division by zero', line=1)",
    "Exceeded(limit='memory')",
    "Exceeded(limit='cpu')",
    "Raised(type_name='PermissionError', message='[Errno 1] Operation not permitted', line=2)",
    "Returned(value=1, inputs_unchanged=True)",
    "Raised(type_name='ModuleNotFoundError', message=\"No module named 'numpy'\", line=1)",
]

CONFINED = {
    "as root in a container's default profile": (["container"], "C"),
    "as an ordinary user": (["user"], "B"),
    "as an ordinary user without user namespaces": (["user", "no-userns"], "C"),
    "as an ordinary user in a container": (["container", "user"], "C"),
    "on a kernel without Landlock": (["no-landlock"], "X"),
    "on a kernel without seccomp": (["no-seccomp"], "X"),
}


def _python_for_all() -> str:
    """An interpreter of this version that any user may execute."""
    for path in (
        sys.executable,
        shutil.which("python3.11") or "",
        "/usr/bin/python3.11",
        "/usr/bin/python3",
    ):
        real = os.path.realpath(path) if path else ""
        folders = [Path(real), *Path(real).parents] if real else []
        if folders and all(folder.stat().st_mode & 0o001 for folder in folders):
            asking = [real, "-c", "import sys; print(*sys.version_info[:2])"]
            version = subprocess.run(asking, capture_output=True)
            if version.stdout.split() == [b"%d" % part for part in sys.version_info[:2]]:
                return real
    pytest.skip("no Python of this version that other users may execute")


def _run(how: list[str], python: str) -> list[object]:
    command = [
        sys.executable,
        str(Path(__file__).with_name("confine.py")),
        *how,
        "--",
        python,
        "-c",
        _PROGRAM,
    ]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": SITE, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd="/", env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    answer: list[object] = json.loads(done.stdout)
    return answer


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take on other people's restrictions")
@pytest.mark.parametrize("name", CONFINED)
def test_the_tier_is_what_the_restrictions_leave(name: str) -> None:
    """Found by probing; and in each tier the same programs come to the same facts."""
    how, tier = CONFINED[name]
    seen, facts = _run(how, _python_for_all())
    assert seen == tier, facts
    if tier != "X":
        assert facts == _FACTS


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take on other people's restrictions")
def test_a_missing_layer_is_named() -> None:
    """What is said below tier C names the layer that cannot be had."""
    _, reason = _run(["no-landlock"], _python_for_all())
    assert "andlock" in str(reason)


def test_policy_is_never_weakened_silently() -> None:
    """A keeper that would have to go below its minimum is not made."""
    best = Keeper(ready_ahead=0)
    best.close()
    if best.tier == "A":
        pytest.skip("there is nothing above what this machine gives")
    with pytest.raises(SandboxUnavailable, match="no box of tier A"):
        Keeper("A")


@pytest.mark.parametrize("tier", ["A", "B", "C"])
def test_a_tier_can_be_asked_for(tier: str) -> None:
    """Tests of weaker tiers run on machines that give stronger ones."""
    with keeper_of(tier, ready_ahead=0) as keeper:  # type: ignore[arg-type]
        assert keeper.tier == tier


# --- Where groups are ---------------------------------------------------------------------------

MOUNTS = {
    "version 1": (
        "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "31 25 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n",
        "4:memory:/jobs/7\n8:pids:/\n",
        ("/sys/fs/cgroup/memory/jobs/7", "/sys/fs/cgroup/pids"),
    ),
    "version 1 in a container": (
        "30 25 0:26 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "31 25 0:27 /docker/abc /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n",
        "4:memory:/docker/abc\n8:pids:/docker/abc\n",
        ("/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids"),
    ),
    "two controllers together": (
        "30 25 0:26 / /cg rw - cgroup cgroup rw,pids,memory\n",
        "4:memory,pids:/a\n",
        ("/cg/a", "/cg/a"),
    ),
    "hybrid": (
        "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "31 25 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
        "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
        "4:memory:/x\n8:pids:/y\n0::/z\n",
        ("/sys/fs/cgroup/memory/x", "/sys/fs/cgroup/pids/y"),
    ),
    "none": ("30 25 0:26 / / rw - ext4 /dev/vda rw\n", "", None),
}


@pytest.mark.parametrize("name", MOUNTS)
def test_groups_are_found_where_the_kernel_says(name: str) -> None:
    """Whatever is mounted where, by what the kernel says about mounts and about this process."""
    mounts, own, wanted = MOUNTS[name]
    found = list(cgroups.candidates(mounts, own, []))
    if wanted is None:
        assert found == []
    else:
        assert (str(found[0].memory), str(found[0].pids)) == wanted


def test_version_two_is_used_where_it_has_the_controllers(tmp_path: Path) -> None:
    """One folder serves both, and controllers are handed on to children."""
    group = tmp_path / "service"
    group.mkdir()
    (group / "cgroup.controllers").write_text("cpu memory pids\n")
    (group / "cgroup.subtree_control").write_text("")
    mounts = f"30 25 0:26 / {tmp_path} rw - cgroup2 cgroup2 rw\n"
    [parents] = cgroups.candidates(mounts, "0::/service\n", [])
    assert parents.memory == parents.pids == group
    assert parents.files is cgroups.V2
    assert parents.inside == {"": "/service"}
    assert (group / "cgroup.subtree_control").read_text() == "+memory +pids"
