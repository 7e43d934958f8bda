"""Settings, frozen, read once: the environment first, then a file. Nothing else reads either.

Every setting is an environment variable `ALLCLOSE_<NAME>`, or a line of the same name in a file
`allclose.env` in the working directory (`ALLCLOSE_ENV_FILE` names another one).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.errors import SettingsError

PREFIX = "ALLCLOSE_"
ENV_FILE = "allclose.env"

Port = Annotated[int, Field(ge=0, le=65535)]
Rate = Annotated[int, Field(ge=0, le=1_000_000)]
Share = Annotated[int | None, Field(ge=1)]


class Settings(BaseSettings):
    """What an installation decides. Each field's description is its documentation."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file_encoding="utf-8", frozen=True, extra="ignore"
    )

    data: Path = Field(
        default=Path("data"),
        description="Folder of the embedded database and of caches; created if missing.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="PostgreSQL database of a cluster, `postgresql://NAME:PASSWORD@HOST/DATABASE`. "
        "Unset: the embedded database in DATA, for one server.",
    )
    problems: Path = Field(
        default_factory=lambda: _beside("problems"),
        description="Folder of the problem packages; only read. Unset: problems, or that of the clone.",
    )
    static: Path = Field(
        default_factory=lambda: _built_pages(),
        description="Folder of the built scripts, styles and fonts of the pages. "
        "Unset: static/dist, or where the installed package has them.",
    )
    host: str = Field(
        default="127.0.0.1",
        description="Address to listen on. Anything but loopback raises the default of MIN_TIER to B.",
    )
    port: Port = Field(
        default=8000,
        description="Port to listen on; 0 takes a free one and prints it.",
    )
    min_tier: Literal["A", "B", "C"] | None = Field(
        default=None,
        description="Weakest sandbox tier that may judge. Unset: C on loopback, B otherwise.",
    )
    workers: int = Field(
        default_factory=lambda: os.cpu_count() or 1,
        ge=0,
        le=256,
        description="Submissions judged at the same time. Unset: the number of processors. "
        "0: others judge.",
    )
    queue_limit: int = Field(
        default=1000,
        ge=1,
        description="Submissions that may wait; more are refused with 503 until some are judged.",
    )
    queue_share: int = Field(
        default=100,
        ge=1,
        description="Submissions of one account, or one guest's address, that may wait; "
        "more are refused with 429.",
    )
    guest_queue_share: Share = Field(
        default=None,
        description="The same for guests' addresses alone. Unset: QUEUE_SHARE.",
    )
    token_queue_share: Share = Field(
        default=None,
        description="The same for what comes with an API token. Unset: QUEUE_SHARE.",
    )
    guest_submissions: bool = Field(
        default=True,
        description="Guests may run and submit; without it they may read, and are asked to sign in.",
    )
    guest_submissions_a_minute: Rate = Field(
        default=1200,
        description="Submissions a minute from one guest's address, behind which may be a classroom; "
        "0: any number.",
    )
    guest_runs_a_minute: Rate = Field(
        default=2400,
        description="Runs on samples and custom input a minute from one guest's address; "
        "0: any number.",
    )
    account_submissions_a_minute: Rate = Field(
        default=120,
        description="Submissions a minute of one account on the pages; 0: any number.",
    )
    account_runs_a_minute: Rate = Field(
        default=600,
        description="Runs a minute of one account on the pages; 0: any number.",
    )
    token_submissions_a_minute: Rate = Field(
        default=1200,
        description="Submissions a minute with one API token; 0: any number.",
    )
    token_runs_a_minute: Rate = Field(
        default=2400,
        description="Runs a minute with one API token; 0: any number.",
    )
    sign_up: bool = Field(
        default=True,
        description="Everybody may make an account; without it admins make them.",
    )
    oidc_issuer: str = Field(
        default="",
        description="OpenID provider with which people can sign in; needs the extra `oauth`. "
        "It is told that browsers come back to /sign-in/provider/back.",
    )
    oidc_client_id: str = Field(default="", description="What the provider calls this site.")
    oidc_client_secret: SecretStr = Field(
        default=SecretStr(""), description="What proves to the provider that it is this site."
    )
    oidc_name: str = Field(
        default="", description="What the page calls the provider. Unset: its host."
    )
    session_days: float = Field(
        default=30.0,
        gt=0,
        le=400,
        description="Days after which a session that was not used ends.",
    )
    wait_limit_s: float = Field(
        default=60.0,
        gt=0,
        le=600,
        description="Longest time, in seconds, for which `?wait=` holds a reply.",
    )
    trial_hours: float = Field(
        default=1.0,
        gt=0,
        description="Hours after which runs on samples and custom input are deleted.",
    )
    submission_days: float | None = Field(
        default=None,
        gt=0,
        description="Days after which judged submissions are deleted. Unset: never.",
    )
    audit_days: float | None = Field(
        default=None,
        gt=0,
        description="Days after which lines of the audit log are deleted. Unset: never.",
    )
    cache_mib: int = Field(
        default=2048,
        ge=16,
        description="Size of the cache of big tests, in MiB; what was read longest ago goes first.",
    )
    stop_s: float = Field(
        default=10.0,
        ge=0,
        description="Seconds that judging in progress gets to finish when the server stops.",
    )
    proxies: str = Field(
        default="127.0.0.1",
        description="Addresses of reverse proxies whose X-Forwarded-For is believed, by commas.",
    )
    connections: int = Field(
        default=4096,
        ge=16,
        description="Open connections, event streams among them; more are refused with 503.",
    )
    work_port: Port | None = Field(
        default=None,
        description="Port on HOST at which `allclose work` answers `/metrics`, to whoever can reach it. "
        "Unset: none.",
    )
    metrics_readers: str = Field(
        default="127.0.0.1,::1",
        description="Addresses or networks that may read `/metrics`, by commas; "
        "others need an admin's token.",
    )
    watch: bool = Field(
        default=False,
        description="Reload packages that change on disk and verify them again: for authors.",
    )
    verify: bool = Field(
        default=True,
        description="Verify changed packages beside the service after its start, when it is idle.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info",
        description="Least severe log line that is written.",
    )
    log_format: Literal["text", "json"] = Field(
        default="text",
        description="`text` for people, `json` for machines: one object a line.",
    )

    @field_validator("database_url")
    @classmethod
    def _is_postgresql(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None and not url.get_secret_value().startswith(
            ("postgresql://", "postgres://")
        ):
            raise ValueError("must begin with postgresql://")
        return url

    @property
    def cluster(self) -> str:
        """Address of the cluster's database, password and all; empty where there is none."""
        return self.database_url.get_secret_value() if self.database_url else ""

    @property
    def database(self) -> Path:
        """File of the embedded database."""
        return self.data / "allclose.sqlite3"

    @property
    def cache(self) -> Path:
        """Folder of what can be made again."""
        return self.data / "cache"

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return self.host == "localhost" or self.host == "::1" or self.host.startswith("127.")

    @property
    def policy_tier(self) -> Literal["A", "B", "C"]:
        """The weakest tier that may judge, after the default has been decided."""
        return self.min_tier or ("C" if self.loopback else "B")


def _beside(name: str) -> Path:
    """A folder of the working directory, or else the one that a clone has beside `app`."""
    here = Path(name)
    return here if here.is_dir() else Path(__file__).resolve().parent.parent / name


def _built_pages() -> Path:
    """A clone has them beside `app`, an installed wheel inside."""
    clone = _beside("static/dist")
    return clone if clone.is_dir() else Path(__file__).parent / "dist"


def read_settings(**given: object) -> Settings:
    """What the command line gave (None: not given), then the environment, then the file.

    Raises SettingsError, which names the variable and says what it may be.
    """
    env_file = Path(os.environ.get(PREFIX + "ENV_FILE", ENV_FILE))
    chosen = {name: value for name, value in given.items() if value is not None}
    _refuse_unknown(os.environ)
    try:
        # pydantic's plugin cannot see that the rest comes from the environment.
        return Settings(_env_file=env_file, **chosen)  # type: ignore[call-arg, arg-type]
    except ValidationError as error:
        raise SettingsError(_explained(error)) from None


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    """A misspelt setting would otherwise be ignored in silence."""
    known = {PREFIX + name.upper() for name in Settings.model_fields} | {PREFIX + "ENV_FILE"}
    for name in environment:
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            raise SettingsError(f"{name} is not a setting; there are {', '.join(sorted(known))}")


def _explained(error: ValidationError) -> str:
    """One line a wrong setting, without its value: it may be a secret."""
    lines = []
    for fault in error.errors(include_url=False, include_input=False):
        name = str(fault["loc"][0]) if fault["loc"] else ""
        field = Settings.model_fields.get(name)
        meaning = f" ({field.description})" if field else ""
        lines.append(f"{PREFIX}{name.upper()}: {fault['msg']}{meaning}")
    return "\n".join(lines)
