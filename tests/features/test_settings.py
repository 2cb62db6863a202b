"""What the host may set, and what is said of what cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import SettingsError, load_settings, unknown_names


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("RETENTION_DAYS", "soon", "RETENTION_DAYS: soon is not a whole number of days from 1 to 36500, such as 90."),
        ("RETENTION_DAYS", "0", "RETENTION_DAYS: 0 is not a whole number of days from 1 to 36500, such as 90."),
        ("LEFT_SERVER_DAYS", "1.5", "LEFT_SERVER_DAYS: 1.5 is not a whole number of days from 1 to 36500, such as 90."),
        ("LOCAL_PORT", "99999", "LOCAL_PORT: 99999 is not a port from 0 to 65535, such as 8765."),
        ("TEST_GUILD_ID", "home", "TEST_GUILD_ID: home is not a server's id, such as 123456789012345678."),
        ("LOG_LEVEL", "loud", "LOG_LEVEL: loud is not DEBUG, INFO, WARNING or ERROR."),
        ("DISCORD_API_URL", "discord.com", "DISCORD_API_URL: it must begin with http:// or https://."),
        ("DICE_SEED", "dice", "DICE_SEED: it must be hexadecimal digits, two for each byte."),
    ],
)
def test_a_wrong_value_is_one_sentence_that_says_what_is_needed(name: str, value: str, words: str) -> None:
    with pytest.raises(SettingsError) as error:
        load_settings({name: value}, None)
    assert str(error.value) == words


def test_a_misspelt_name_is_named_with_the_right_one(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("\ufeffDISCORD_TOKN=abc\nLOG_LEVEL=INFO\nCOLOUR=red\n", "utf-8")
    lines = list(unknown_names({"LOCALPORT": "1", "HOME": "/root", "PATH": "/bin"}, file))
    assert lines[0] == f"{file}: DISCORD_TOKN is not a setting. Did you mean DISCORD_TOKEN?"
    assert lines[1].startswith(f"{file}: COLOUR is not a setting. The settings are DISCORD_TOKEN, ")
    assert lines[2:] == ["Environment: LOCALPORT is not a setting. Did you mean LOCAL_PORT?"]
    assert "abc" not in "".join(lines)


def test_a_name_that_is_near_one_that_is_set_is_somebody_else_s() -> None:
    assert list(unknown_names({"DISCORD_TOKEN": "x", "DISCORD_TOKENS": "y"}, None)) == []


def test_the_database_lies_outside_the_clone_and_an_older_one_stays_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone, home = tmp_path / "clone", tmp_path / "home"
    (clone / "data").mkdir(parents=True)
    monkeypatch.chdir(clone)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    found = load_settings({}, None).database_path
    assert found == home / ".local" / "share" / "referee" / "referee.sqlite3"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    assert load_settings({}, None).database_path == tmp_path / "kept" / "referee" / "referee.sqlite3"
    (clone / "data" / "referee.sqlite3").touch()
    assert load_settings({}, None).database_path == Path("data/referee.sqlite3")
    assert load_settings({"DATABASE_PATH": "/srv/r.sqlite3"}, None).database_path == Path("/srv/r.sqlite3")
