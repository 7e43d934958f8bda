"""The command line of `allclose rejudge`. What it does is in rejudges.py, which is read when needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from app.config import read_settings

rejudge = typer.Typer(
    help="Judge submissions once more, apart from what learners see.", no_args_is_help=True
)
_errors = Console(stderr=True, highlight=False)

Data = Annotated[
    Path | None, typer.Option(help="Folder of the database and of caches.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for scripts.")]
RejudgeNumber = Annotated[int, typer.Argument(help="Its number, as `rejudge list` tells it.")]


@rejudge.command("begin")
def rejudge_begin(
    problem: Annotated[str, typer.Argument(help="FAMILY[/VARIANT]; all, if none is named.")] = "",
    verdict: Annotated[
        list[str] | None, typer.Option(help="Only with this verdict; may be given several times.")
    ] = None,
    first: Annotated[
        str | None, typer.Option("--from", help="Only sent on this day or later, in UTC.")
    ] = None,
    last: Annotated[
        str | None, typer.Option("--to", help="Only sent on this day or before, in UTC.")
    ] = None,
    version: Annotated[str, typer.Option(help="Only judged with this package version.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say which.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Until all are judged.")] = False,
    data: Data = None,
) -> None:
    """Judge the chosen submissions again, after all that is new; nothing is shown to learners yet."""
    settings = read_settings(data=data)
    from app.commands import rejudges

    selection = rejudges.selected(problem, verdict or (), first, last, version)
    number = rejudges.begin(settings, selection, _errors, dry_run=dry_run)
    if number:
        print(f"rejudge {number}")
        if wait:
            rejudges.wait(settings, number, _errors)


@rejudge.command("list")
def rejudge_list(data: Data = None) -> None:
    """The newest rejudges."""
    settings = read_settings(data=data)
    from app.commands import rejudges

    rejudges.listed(settings, Console())


@rejudge.command("show")
def rejudge_show(number: RejudgeNumber, as_json: Json = False, data: Data = None) -> None:
    """How far it is, who would change, and which tests say so."""
    settings = read_settings(data=data)
    from app.commands import rejudges

    rejudges.show(settings, number, Console(), as_json=as_json)


@rejudge.command("release")
def rejudge_release(number: RejudgeNumber, data: Data = None) -> None:
    """Show its judgements, all at once; solved marks are added by it and never taken away."""
    settings = read_settings(data=data)
    from app.commands import rejudges

    rejudges.release(settings, number)
    print(f"released rejudge {number}")


@rejudge.command("discard")
def rejudge_discard(number: RejudgeNumber, data: Data = None) -> None:
    """Leave everything as it was."""
    settings = read_settings(data=data)
    from app.commands import rejudges

    rejudges.discard(settings, number)
    print(f"discarded rejudge {number}")


@rejudge.command("one")
def rejudge_one(
    submission: Annotated[str, typer.Argument(help="Its id.")], data: Data = None
) -> None:
    """Judge one submission again; its new judgement is shown at once."""
    settings = read_settings(data=data)
    from app.commands import rejudges

    rejudges.requeue(settings, submission)
    print(f"asked for another judging of {submission}")
