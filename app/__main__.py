"""The command `allclose`, also `python -m app`.

A command reads the settings, asks `assembly` for the parts, calls one function and prints what it
said. Heavy imports wait until a command needs them: `--help` must be quick.

Exit codes: 0 well, 1 a verdict other than accepted or a promise not kept, 2 wrong usage,
3 a judging error or no safe sandbox.
"""

from __future__ import annotations

import gc
import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from app.commands.rejudge import rejudge
from app.config import read_settings
from app.errors import AllcloseError, Invalid, SandboxError

_FAILED, _USAGE, _OUR_FAULT = 1, 2, 3

commands = typer.Typer(
    name="allclose",
    help="A practice judge for numerical and machine-learning code.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
users = typer.Typer(help="People with an account.", no_args_is_help=True)
commands.add_typer(users, name="user")
database = typer.Typer(help="The database as one file, and back.", no_args_is_help=True)
commands.add_typer(database, name="db")
commands.add_typer(rejudge, name="rejudge")
new = typer.Typer(
    help="Start a package that only lacks what its author must decide.", no_args_is_help=True
)
commands.add_typer(new, name="new")

_errors = Console(stderr=True, highlight=False)

Problems = Annotated[
    Path | None, typer.Option(help="Folder of the problem packages.", show_default=False)
]
Data = Annotated[
    Path | None, typer.Option(help="Folder of the database and of caches.", show_default=False)
]
MinTier = Annotated[
    str | None,
    typer.Option(help="Weakest sandbox tier that may judge: A, B or C.", show_default=False),
]
Workers = Annotated[
    int | None,
    typer.Option(help="Submissions judged at the same time.", show_default="processors"),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for scripts.")]
Targets = Annotated[
    list[str] | None,
    typer.Argument(metavar="FAMILY[/VARIANT]", help="All, unless some are named."),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"allclose {metadata.version('allclose')}")
        raise typer.Exit


@commands.callback()
def allclose(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """A practice judge for numerical and machine-learning code."""


@commands.command()
def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Port; 0 takes a free one.", show_default="8000")
    ] = None,
    data: Data = None,
    problems: Problems = None,
    min_tier: MinTier = None,
    workers: Workers = None,
    watch: Annotated[
        bool | None,
        typer.Option("--watch", help="Reload and verify packages that change: for authors."),
    ] = None,
    verify: Annotated[
        bool | None,
        typer.Option(
            "--verify/--no-verify",
            help="Verify changed packages when idle.",
            show_default="--verify",
        ),
    ] = None,
) -> None:
    """Serve the pages and the API, with an embedded database and worker."""
    settings = read_settings(
        host=host,
        port=port,
        data=data,
        problems=problems,
        min_tier=min_tier,
        workers=workers,
        watch=watch,
        verify=verify,
    )
    gc.disable()  # until it serves: nothing that is loaded goes away again
    from app.commands.serve import serve

    serve(settings, _errors)


@commands.command()
def work(
    data: Data = None,
    problems: Problems = None,
    min_tier: MinTier = None,
    workers: Workers = None,
) -> None:
    """Judge for the servers that share this one's PostgreSQL database."""
    settings = read_settings(data=data, problems=problems, min_tier=min_tier, workers=workers)
    gc.disable()  # until it works
    from app.commands.serve import work

    work(settings, _errors)


@commands.command()
def judge(
    problem: Annotated[str, typer.Argument(help="FAMILY/VARIANT")],
    file: Annotated[
        Path, typer.Argument(help="A Python file; - reads standard input.", allow_dash=True)
    ],
    as_json: Json = False,
    samples: Annotated[bool, typer.Option("--samples", help="Run the samples only.")] = False,
    every: Annotated[
        bool,
        typer.Option(
            "--all", help="Details of every failed test, not of the first hidden one only."
        ),
    ] = False,
    problems: Problems = None,
    data: Data = None,
    min_tier: MinTier = None,
) -> None:
    """Judge one file and print the verdict, test by test."""
    settings = read_settings(data=data, problems=problems, min_tier=min_tier)
    from app.commands.judge import judge

    verdict = judge(settings, problem, file, as_json=as_json, samples=samples, every=every)
    raise typer.Exit({"AC": 0, "JE": _OUR_FAULT}.get(verdict, _FAILED))


@commands.command()
def verify(
    targets: Targets = None,
    as_json: Json = False,
    remarks: Annotated[
        bool, typer.Option("--remarks", help="Also list equivalent mutants and other remarks.")
    ] = False,
    beside: Annotated[
        bool, typer.Option("--beside", hidden=True, help="As a service does it for itself.")
    ] = False,
    problems: Problems = None,
    data: Data = None,
    min_tier: MinTier = None,
) -> None:
    """Check that packages keep their promises; one line for each reason why not."""
    settings = read_settings(problems=problems, data=data, min_tier=min_tier)
    if beside:
        from app.commands.beside import verify_beside

        raise typer.Exit(0 if verify_beside(settings) else _FAILED)
    from app.commands.verify import verify

    kept = verify(settings, targets or (), as_json=as_json, remarks=remarks, errors=_errors)
    raise typer.Exit(0 if kept else _FAILED)


@commands.command()
def generate(
    families: Annotated[
        list[str] | None, typer.Argument(help="All families, unless some are named.")
    ] = None,
    check: Annotated[
        bool, typer.Option(help="Change nothing; exit 1 if something would change.")
    ] = False,
    as_json: Json = False,
    problems: Problems = None,
    data: Data = None,
) -> None:
    """Run generators and cores in boxes, and write the stored inputs and answers."""
    settings = read_settings(problems=problems, data=data)
    from app.commands.generate import generate

    current = generate(settings, families or (), check=check, as_json=as_json, errors=_errors)
    raise typer.Exit(0 if current else _FAILED)


@commands.command()
def doctor(as_json: Json = False, min_tier: MinTier = None) -> None:
    """Say what the sandbox can do here, each layer proved by a real probe in a real box."""
    settings = read_settings(min_tier=min_tier)
    from app.commands.doctor import doctor

    raise typer.Exit(0 if doctor(settings, as_json=as_json) else _FAILED)


@commands.command()
def bench(
    as_json: Json = False,
    seconds: Annotated[
        float, typer.Option(help="How long each figure is measured.", min=0.2)
    ] = 4.0,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--soak",
            help="Instead: send right, wrong, slow, hostile and large programs for so many minutes, "
            "and tell what grows.",
            min=0.1,
            metavar="MINUTES",
        ),
    ] = None,
    database_url: Annotated[
        str | None,
        typer.Option(
            help="A PostgreSQL database for the server measured, which is filled; "
            "none: the embedded one.",
            metavar="URL",
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            help="Worker processes that share the processors, with --database-url; "
            "0: the server judges itself.",
            min=0,
        ),
    ] = 0,
    problems: Problems = None,
) -> None:
    """Measure the judge against a bare fork, on an otherwise idle machine."""
    settings = read_settings(problems=problems)
    if workers and not database_url:
        raise Invalid("--workers takes a --database-url: workers are given their work by it")
    from app.bench.http import Others
    from app.commands.bench import bench, soak

    if minutes is not None:
        flat = soak(settings, minutes, as_json=as_json, errors=_errors)
        raise typer.Exit(0 if flat else _FAILED)

    others = Others(workers, database_url) if database_url else None
    bench(settings, seconds, as_json=as_json, errors=_errors, others=others)


@users.command("add")
def user_add(
    name: Annotated[str, typer.Argument(help="The name that the audit log will show.")],
    admin: Annotated[bool, typer.Option("--admin", help="May upload and change tests.")] = False,
    password_stdin: Annotated[
        bool,
        typer.Option("--password-stdin", help="Read the password from the first line of input."),
    ] = False,
    data: Data = None,
) -> None:
    """Make a user and print an API token, which is shown this once.

    On a terminal, an admin's password is asked for, so that they can sign in on the pages.
    """
    settings = read_settings(data=data)
    from app.commands.users import add_user

    password = None
    if password_stdin:
        password = sys.stdin.readline().rstrip("\n")
    elif admin and sys.stdin.isatty():
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    token, recovery_code = add_user(settings, name, admin=admin, password=password)
    print(token)
    if recovery_code:
        _errors.print(f"Recovery code, shown this once: {recovery_code}", markup=False)


@users.command("revoke")
def user_revoke(
    name: Annotated[str, typer.Argument(help="Whose tokens.")],
    token: Annotated[
        str | None,
        typer.Option(help="Only tokens of this name; that of `user add` is named first."),
    ] = None,
    data: Data = None,
) -> None:
    """Make a user's API tokens worthless, at once and for good."""
    settings = read_settings(data=data)
    from app.commands.users import revoke_tokens

    count = revoke_tokens(settings, name, token)
    print(f"revoked {count} {'token' if count == 1 else 'tokens'}")


@database.command("backup")
def database_backup(
    file: Annotated[Path, typer.Argument(help="The file to make; there must be none yet.")],
    data: Data = None,
) -> None:
    """Copy the database into one file while the service goes on, and look the copy through."""
    settings = read_settings(data=data)
    from app.commands.databases import back_up

    back_up(settings, file)


@database.command("restore")
def database_restore(
    file: Annotated[Path, typer.Argument(help="What `db backup` made.")],
    data: Data = None,
) -> None:
    """Make the database from a backup; move the old one away first, the service stopped."""
    settings = read_settings(data=data)
    from app.commands.databases import restore

    restore(settings, file)


@database.command("copy")
def database_copy(data: Data = None) -> None:
    """Copy the embedded database into the empty PostgreSQL database of ALLCLOSE_DATABASE_URL."""
    settings = read_settings(data=data)
    from app.commands.databases import copy

    copy(settings, _errors)


@new.command("family")
def new_family(
    name: Annotated[str, typer.Argument(help="Small letters, digits and underscores.")],
    problems: Problems = None,
) -> None:
    """Write a family that `verify` refuses only where its author must decide something."""
    if "/" in name:
        raise Invalid(
            f"{name!r} is not the name of a family; for a variant: allclose new variant {name}"
        )
    _scaffold(name, problems)


@new.command("variant")
def new_variant(
    name: Annotated[str, typer.Argument(help="FAMILY/VARIANT")], problems: Problems = None
) -> None:
    """Write a variant of a family that exists."""
    if "/" not in name:
        raise Invalid(f"a variant is named FAMILY/VARIANT, for instance {name}/rounded")
    _scaffold(name, problems)


def _scaffold(name: str, problems: Path | None) -> None:
    from app.problem import scaffold

    folder = read_settings(problems=problems).problems
    for path in scaffold.write(folder, name):
        print(folder / path)
    family = name.partition("/")[0]
    print(f"Replace every DECIDE, then: allclose generate {family} && allclose verify {name}")


def main() -> NoReturn:
    """Run a command; a deliberate exception becomes one plain line and an exit code."""
    try:
        commands()
    except SandboxError as error:
        _errors.print(f"allclose: {error}", style="red", markup=False)
        sys.exit(_OUR_FAULT)
    except AllcloseError as error:
        _errors.print(f"allclose: {error}", style="red", markup=False)
        sys.exit(_USAGE)
    sys.exit(0)


if __name__ == "__main__":
    main()
