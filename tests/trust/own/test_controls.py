"""No control and no bidirectional character of anybody reaches what the bot sends, shows or exports (design 3.2)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import discord
from pydantic import SecretStr

from bot.caller import Caller
from tests.files import json_file
from tests.wire import GUILD, PEOPLE, Sent, Wire, wired

ODD = "\u202e\u2066\u200f\u0007\u2028\ufeff\x00"
"""Turned round, isolated, marked, rung, broken, unseen; and what no text of PostgreSQL may hold."""
FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
NAMES = {who: f"{who}{ODD}" for who in ("Gwen", "Ana", "Bo")}


def _bad(what: Any) -> str:
    return " ".join(
        f"U+{ord(char):04X}" for char in sorted(set(FORBIDDEN.findall(json.dumps(what, ensure_ascii=False))))
    )


def _told(sent: Sent) -> list[Any]:
    return [sent.data, *(file.data.decode(errors="replace") for file in sent.files), *(file.alt for file in sent.files)]


def _texts(wire: Wire, path: str) -> list[str]:
    kinds = discord.AppCommandOptionType
    return [
        str(each.display_name) for each in wire.find(path).parameters if each.type is kinds.string and not each.choices
    ]


async def _table(wire: Wire) -> list[Sent]:
    """Open a table of people whose very names are odd, with every text of it odd."""
    wire.people |= {odd: PEOPLE[who] for who, odd in NAMES.items()}
    gwen, ana, bo = NAMES.values()
    said: list[Sent] = []
    for who, text in (
        (ana, f"/roll dice:2d6+3 fi{ODD}re reason:be{ODD}cause"),
        (ana, f"/character add name:Ay{ODD}la sheet:HP 10, NO{ODD}TE tr{ODD}ue"),
        (ana, f"/character ability name:Ayla ability:Bla{ODD}de fields:kind weapon; dice 1d6; text fro{ODD}m behind"),
        (gwen, f"/init start name:The br{ODD}idge"),
        (ana, "/join character:Ayla"),
        (bo, "/init join bonus:2"),
        (gwen, f"/gm note target:Ayla text:a no{ODD}te show:owner"),
        (gwen, f"/condition add target:Ayla name:Bu{ODD}rn duration:3 source:Bo"),
        (gwen, f"/gm set target:Ayla pool:mark:cur{ODD}sed value:by mo{ODD}on"),
        (gwen, f"/board place target:Ayla cells:C4 text:h{ODD}ere"),
        (gwen, "/encounter begin"),
        (gwen, f"/init ready trigger:wh{ODD}en"),
        (gwen, "/encounter show"),
        (gwen, "/encounter log"),
        (ana, "/encounter export"),
        (ana, "/encounter log file:True"),
        (ana, "/character show name:Ayla"),
        (ana, f"/macro save name:Str{ODD}ike dice:1d20 an{ODD}d"),
        (ana, "/macro run name:Strike"),
        (ana, "/fair export"),
    ):
        said += await wire.type(who, text)
        await wire.settle()
    return said


async def test_no_odd_character_of_a_name_or_a_text_is_sent_or_exported(place: Path | SecretStr) -> None:
    async with wired(place) as wire:
        seen: list[Sent] = []
        wire.watch = seen.append
        said = await _table(wire)
        assert [each.content for each in said if "U+" in each.content] == [], "cleaned, not refused"
        for sent in seen:
            assert [_bad(what) for what in _told(sent) if _bad(what)] == [], sent.data
        caller = Caller(user=PEOPLE["Ana"], name="Ana", interaction="1", channel="901", guild=GUILD)
        export = json_file(await wire.exports.encounter(caller))
        assert {"Ayla", "Bo"} <= set(export["combatants"])
        assert _bad(export) == ""


async def test_no_text_option_of_any_command_brings_an_odd_character_back(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await _table(wire)
        seen: list[Sent] = []
        wire.watch = seen.append
        tried = 0
        for path in sorted(wire.every_command()):
            texts = _texts(wire, path)
            if not texts or path == "encounter end":
                continue
            tried += 1
            await wire.send(NAMES["Gwen"], path, dict.fromkeys(texts, f"A{ODD}yla"))
            await wire.settle()
        assert tried > 40
        for sent in seen:
            assert [_bad(what) for what in _told(sent) if _bad(what)] == [], sent.data


async def test_a_form_is_cleaned_like_an_option_and_keeps_its_lines(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        seen: list[Sent] = []
        wire.watch = seen.append
        ability = f'{{"name": "Aid", "text": "one\\ntw{ODD[0]}o \\u202e"}}'
        template = f'{{"name": "Ayla", "sheet": {{"HP": 10}}, "abilities": [{ability}]}}'
        await wire.send("Ana", "character import", {}, files={"file": ("ayla.json", template.encode())})
        await wire.type("Ana", "/character show name:Ayla")
        assert any("tw" in json.dumps(sent.data) for sent in seen)
        for sent in seen:
            assert _bad(sent.data) == ""
