"""Settings from the environment or `.env`, validated once at start. A wrong value is one clear line."""

from __future__ import annotations

import difflib
import os
import re
import socket
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

DISCORD_API = "https://discord.com/api/v10"
ENV_FILE = Path(".env")
OLD_DATABASE = Path("data/referee.sqlite3")  # its old default, among the program's own files
_DAYS = "a whole number of days from 1 to 36500, such as 90"
_NEAR = 0.85  # so that DISCORD_BOT_TOKEN is taken for DISCORD_TOKEN, and PATH for nothing


class SettingsError(Exception):
    """A setting that cannot be used; the message is the line that the host reads."""


def default_database() -> Path:
    """Return the database's path unless `DATABASE_PATH` says it: outside the clone, so that no cleaning takes it.

    A database at the old path stays in use.
    """
    if OLD_DATABASE.exists():
        return OLD_DATABASE
    return data_home() / "referee" / "referee.sqlite3"


def data_home() -> Path:
    """Return the person's folder for data, as their system has it."""
    named = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME", "")
    if Path(named).is_absolute():
        return Path(named)
    try:
        return Path.home() / ".local" / "share"
    except RuntimeError:
        raise SettingsError("DATABASE_PATH: this user has no home folder. Say where to put the database.") from None


class Settings(BaseModel):
    """What the host decides. `token` None starts the local table."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    token: SecretStr | None = Field(default=None, alias="DISCORD_TOKEN")
    api_url: str = Field(default=DISCORD_API, alias="DISCORD_API_URL")
    database_path: Path = Field(default_factory=default_database, alias="DATABASE_PATH")
    database_url: SecretStr | None = Field(default=None, alias="DATABASE_URL")
    lease_seconds: int = Field(
        default=15, ge=5, le=120, alias="LEASE_SECONDS", description="a number of seconds from 5 to 120, such as 15"
    )
    process_name: str = Field(
        default_factory=lambda: f"{socket.gethostname()}-{os.getpid()}", max_length=100, alias="PROCESS_NAME"
    )
    shard_count: int | None = Field(
        default=None, ge=1, le=100_000, alias="SHARD_COUNT", description="a number of shards, such as 4"
    )
    requests_a_second: int = Field(
        default=45, ge=1, le=1000, alias="REQUESTS_A_SECOND", description="a number from 1 to 1000, such as 45"
    )
    dice_seed: SecretStr | None = Field(default=None, alias="DICE_SEED")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", alias="LOG_LEVEL", description="DEBUG, INFO, WARNING or ERROR"
    )
    retention_days: int | None = Field(default=None, ge=1, le=36500, alias="RETENTION_DAYS", description=_DAYS)
    left_server_days: int = Field(default=30, ge=1, le=36500, alias="LEFT_SERVER_DAYS", description=_DAYS)
    test_guild_id: int | None = Field(
        default=None, ge=1, alias="TEST_GUILD_ID", description="a server's id, such as 123456789012345678"
    )
    local_port: int = Field(
        default=8765, ge=0, le=65535, alias="LOCAL_PORT", description="a port from 0 to 65535, such as 8765"
    )

    metrics_port: int | None = Field(
        default=None, ge=1, le=65535, alias="METRICS_PORT", description="a port from 1 to 65535, such as 9464"
    )

    metrics_host: str | None = Field(
        default=None,
        min_length=1,
        pattern=r"^[\w.:-]+$",
        alias="METRICS_HOST",
        description="an address of this machine, such as 0.0.0.0",
    )

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("api_url")
    @classmethod
    def _whole_url(cls, value: str) -> str:
        match = re.fullmatch(r"(https?://[^/\s?#]+)(/[^\s?#]*)?", value.strip())
        if not match:
            raise ValueError("it must begin with http:// or https://")
        path = (match[2] or "").rstrip("/")
        if re.search(r"/v\d+$", path):
            return match[1] + path
        return match[1] + (path or "/api") + "/v10"

    @field_validator("database_url")
    @classmethod
    def _of_postgres(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.match(r"postgres(ql)?://[^/\s]+/[^/\s?]+", value.get_secret_value()):
            raise ValueError("it must be of the form postgresql://user:password@host/name")
        return value

    @model_validator(mode="after")
    def _one_database(self) -> Self:
        if self.database_url is not None and "database_path" in self.model_fields_set:
            raise ValueError("DATABASE_URL and DATABASE_PATH are both set: remove one")
        return self

    @field_validator("dice_seed")
    @classmethod
    def _hex(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            text = value.get_secret_value()
            if not re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text):
                raise ValueError("it must be hexadecimal digits, two for each byte")
        return value

    @property
    def heart(self) -> Path:
        """The file that tells `health` and `status` of a running referee."""
        if self.database_url is None:
            return self.database_path.with_name(self.database_path.name + ".alive")
        name = self.process_name if "process_name" in self.model_fields_set else "referee"
        plain = re.sub(r"[^\w.-]", "_", name)
        return data_home() / "referee" / f"{plain}.alive"

    @property
    def place(self) -> Path | SecretStr:
        """Where the database is: a SQLite file, or the address of a PostgreSQL."""
        return self.database_path if self.database_url is None else self.database_url

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no log may hold: the token, the database's address and its password."""
        named = [each.get_secret_value() for each in (self.token, self.database_url) if each is not None]
        password = "" if self.database_url is None else urlsplit(self.database_url.get_secret_value()).password
        return (*named, *((password,) if password else ()))

    @property
    def seed(self) -> bytes | None:
        return None if self.dice_seed is None else bytes.fromhex(self.dice_seed.get_secret_value())

    @property
    def is_discord(self) -> bool:
        return self.api_url == DISCORD_API


def load_settings(environment: Mapping[str, str] | None = None, env_file: Path | None = ENV_FILE) -> Settings:
    """Read settings; the environment wins over the file; empty values count as not set.

    Raises: SettingsError naming the variable and what is wrong.
    """
    values = _values_of(env_file)
    values.update(
        {key: value for key, value in (os.environ if environment is None else environment).items() if value.strip()}
    )
    try:
        return Settings.model_validate({key: value.strip() for key, value in values.items() if key in _names()})
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False)[0]
        if not first["loc"]:
            raise SettingsError(f"{first['msg'].removeprefix('Value error, ')}.") from None
        name = str(first["loc"][0])
        raise SettingsError(f"{name}: {_reason(name, first['msg'], values.get(name, ''))}.") from None


def unknown_names(environment: Mapping[str, str] | None = None, env_file: Path | None = ENV_FILE) -> Iterator[str]:
    """Say of each name in the file that it is no setting, and of those in the environment that are nearly one."""
    known = _names()
    written = _values_of(env_file)
    for name in written:
        if name not in known:
            near = difflib.get_close_matches(name.upper(), known, 1, _NEAR)
            meant = f"Did you mean {near[0]}?" if near else f"The settings are {', '.join(known)}."
            yield f"{env_file}: {name} is not a setting. {meant}"
    present = os.environ if environment is None else environment
    for name in sorted(present.keys() - set(known)):
        near = difflib.get_close_matches(name.upper(), known, 1, _NEAR)
        if near and near[0] not in written and not present.get(near[0]):
            yield f"Environment: {name} is not a setting. Did you mean {near[0]}?"


def _names() -> tuple[str, ...]:
    return tuple(str(field.alias) for field in Settings.model_fields.values())


def _values_of(env_file: Path | None) -> dict[str, str]:
    if env_file is None or not env_file.is_file():
        return {}
    return {key: value for key, value in dotenv_values(env_file, encoding="utf-8-sig").items() if value}


def _reason(name: str, message: str, value: str) -> str:
    """Say what is needed in our own words: pydantic's speak of strings and parsing."""
    field = next((field for field in Settings.model_fields.values() if field.alias == name), None)
    if field is not None and field.description:
        return f"{value.strip()[:40]} is not {field.description}"
    return message.removeprefix("Value error, ").removesuffix(".")
