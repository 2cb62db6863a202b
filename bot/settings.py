"""Settings from the environment or `.env`, validated once at start. A wrong value is one clear line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

DISCORD_API = "https://discord.com/api/v10"


class SettingsError(Exception):
    """A setting that cannot be used; the message is the line that the host reads."""


class Settings(BaseModel):
    """What the host decides. `token` None starts the local table."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    token: SecretStr | None = Field(default=None, alias="DISCORD_TOKEN")
    api_url: str = Field(default=DISCORD_API, alias="DISCORD_API_URL")
    database_path: Path = Field(default=Path("data/referee.sqlite3"), alias="DATABASE_PATH")
    dice_seed: SecretStr | None = Field(default=None, alias="DICE_SEED")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO", alias="LOG_LEVEL")
    retention_days: int | None = Field(default=None, ge=1, le=36500, alias="RETENTION_DAYS")
    left_server_days: int = Field(default=30, ge=1, le=36500, alias="LEFT_SERVER_DAYS")
    test_guild_id: int | None = Field(default=None, ge=1, alias="TEST_GUILD_ID")
    local_port: int = Field(default=8765, ge=0, le=65535, alias="LOCAL_PORT")

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

    @field_validator("dice_seed")
    @classmethod
    def _hex(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            text = value.get_secret_value()
            if not re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text):
                raise ValueError("it must be hexadecimal digits, two for each byte")
        return value

    @property
    def seed(self) -> bytes | None:
        return None if self.dice_seed is None else bytes.fromhex(self.dice_seed.get_secret_value())

    @property
    def is_discord(self) -> bool:
        return self.api_url == DISCORD_API


def load_settings(environment: Mapping[str, str] | None = None, env_file: Path | None = Path(".env")) -> Settings:
    """Read settings; the environment wins over the file; empty values count as not set.

    Raises: SettingsError naming the variable and what is wrong.
    """
    values: dict[str, str] = {}
    if env_file is not None and env_file.is_file():
        values.update({key: value for key, value in dotenv_values(env_file).items() if value})
    values.update(
        {key: value for key, value in (os.environ if environment is None else environment).items() if value.strip()}
    )
    known = {field.alias for field in Settings.model_fields.values()}
    try:
        return Settings.model_validate({key: value.strip() for key, value in values.items() if key in known})
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        reason = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{name}: {reason}.".replace("..", ".")) from None
