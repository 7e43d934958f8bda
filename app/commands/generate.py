"""`allclose generate`: stored inputs and answers, made anew in boxes."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console
from rich.progress import Progress, TaskID

from app.config import Settings
from app.problem import load
from app.problem.generate import Change
from app.problem.generate import generate as generated
from app.sandbox import Keeper


def generate(
    settings: Settings, families: Sequence[str], *, check: bool, as_json: bool, errors: Console
) -> bool:
    """Write (or with `check` only compare) the data of the families; whether nothing was out of date.

    Raises PackageError where a program of a package fails; then nothing of that family is written.
    """
    changes: list[Change] = []
    with Keeper(min_tier=settings.policy_tier) as keeper, Progress(console=errors) as bar:
        for family in families or load.names(settings.problems):
            task = bar.add_task(family, total=None)

            def progress(done: int, total: int, task: TaskID = task) -> None:
                bar.update(task, completed=done, total=total)

            changes += generated(settings.problems, family, keeper, check=check, progress=progress)
    changed = [change for change in changes if change.kind != "unchanged"]
    if as_json:
        print(json.dumps([{"file": str(c.file), "change": c.kind} for c in changes], indent=1))
    else:
        for change in changed:
            print(f"{change.kind:9} {change.file}")
        unchanged = len(changes) - len(changed)
        print(
            f"{len(changed)} files {'would change' if check else 'written'}, {unchanged} as before"
        )
    return not (check and changed)
