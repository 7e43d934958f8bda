"""`allclose user add`: a token for scripts, and a password for the pages."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.__main__ import commands
from app.store import Account, Owner, open_store


def known(data: Path, name: str, token: str) -> tuple[Account | None, Owner | None]:
    async def ask() -> tuple[Account | None, Owner | None]:
        store = open_store(data / "allclose.sqlite3")
        found = await store.account_named(name), await store.token_owner(token)
        await store.close()
        return found

    return asyncio.run(ask())


def test_an_admin_is_made_with_a_password_from_a_script(tmp_path: Path) -> None:
    """The token alone on standard output, the recovery code beside it; neither is kept as it is."""
    words = ["user", "add", "--admin", "Ada", "--password-stdin", "--data", str(tmp_path)]
    done = CliRunner().invoke(commands, words, input="correct horse battery\n")
    assert done.exit_code == 0, done.output
    token = done.stdout.strip()
    account, owner = known(tmp_path, "ada", token)
    assert owner is not None
    assert (owner.name, owner.role) == ("Ada", "admin")
    assert account is not None
    assert (account.password_hash or "").startswith("$argon2id$")
    assert account.recovery_hash is not None
    assert "Recovery code" in done.stderr
    assert "correct horse" not in done.output


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [("Ada", "short", "fewer than 10"), ("Ada\u202e", "x" * 5 + "yzab1", "cannot be a name")],
)
def test_what_the_pages_would_refuse_is_refused_here(
    tmp_path: Path, name: str, password: str, told: str
) -> None:
    """The same rules for names and passwords; nothing is made."""
    words = ["user", "add", name, "--password-stdin", "--data", str(tmp_path)]
    done = CliRunner().invoke(commands, words, input=f"{password}\n")
    assert done.exit_code != 0
    assert told in str(done.exception)
