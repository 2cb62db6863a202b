"""Every option that names a channel asks what the one who names it may do there."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest

from tests.wire import ALL_PERMISSIONS, Sent, wired

THERE = "901777"


@pytest.mark.parametrize(
    ("allowed", "goes"),
    [
        ("0", False),
        (str(discord.Permissions(view_channel=True).value), False),
        (str(discord.Permissions(send_messages=True).value), False),
        (str(discord.Permissions(view_channel=True, send_messages=True).value), True),
        (ALL_PERMISSIONS, True),
    ],
)
async def test_a_channel_that_is_named_hears_nothing_from_who_may_not_write_there(
    tmp_path: Path, allowed: str, goes: bool
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        sent: list[Sent] = []
        wire.watch = sent.append
        for line in ("/init start name:Ambush", "/init add name:Goblin result:10", "/encounter begin"):
            await wire.type("Gwen", line)
        await wire.settle()
        wire.allowed_elsewhere = allowed
        named = [
            (path, str(each.display_name))
            for path, command in wire.every_command().items()
            for each in command.parameters
            if each.type is discord.AppCommandOptionType.channel
        ]
        assert named
        for path, option in named:
            sent.clear()
            wire.refused = None
            await wire.send("Gwen", path, {option: THERE})
            await wire.settle()
            assert any(each.channel == THERE for each in sent) is goes, path
            assert (wire.refused is None) is goes, path
