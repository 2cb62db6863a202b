"""What is typed becomes one command of the rules, with nothing lost and nothing added."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.requests.members import Place
from rules.core.command import Command
from tests.cogs.table import Client
from tests.wire import PEOPLE

THERE = Place("777", discord.Permissions.all())
BO = PEOPLE["Bo"]
STEPS: list[tuple[str, dict[str, Any], Command]] = [
    ("init join", {"bonus": 3}, Command(action="join", args={"bonus": 3})),
    (
        "init add",
        {"name": "Goblin", "dice": "1d20+2", "count": 4},
        Command(action="add", args={"name": "Goblin", "dice": "1d20+2", "count": 4}),
    ),
    ("init next", {"target": "Bo"}, Command(action="next", target="Bo")),
    ("init delay", {}, Command(action="delay")),
    ("init back", {}, Command(action="back")),
    ("init ready", {"trigger": "if they run, I shoot"}, Command(action="ready", note="if they run, I shoot")),
    ("init remove", {"target": "Goblin 1"}, Command(action="remove", target="Goblin 1")),
    ("init end", {}, Command(action="encounter end")),
    ("encounter begin", {}, Command(action="encounter begin")),
    ("encounter pause", {}, Command(action="encounter pause")),
    ("encounter resume", {"name": "Ambush"}, Command(action="encounter resume", args={"name": "Ambush"})),
    ("encounter options", {"set": "by=side"}, Command(action="encounter options", args={"set": "by=side"})),
    (
        "encounter gm",
        {"user": "Bo"},
        Command(action="encounter gm", args={"user": BO, "user_name": "Bo", "role": "co-gm"}),
    ),
    ("join", {"side": "Foes"}, Command(action="join", args={"side": "Foes"})),
    (
        "gm add",
        {"name": "Ogre", "sheet": "HP 30", "hidden": True},
        Command(action="gm add", args={"name": "Ogre", "sheet": "HP 30", "hidden": True}),
    ),
    ("gm reveal", {"target": "Ogre"}, Command(action="gm reveal", target="Ogre")),
    (
        "gm set",
        {"target": "Bo", "pool": "HP", "value": "12/20"},
        Command(action="gm set", target="Bo", args={"pool": "HP", "value": "12/20"}),
    ),
    (
        "gm damage",
        {"target": "Bo, Ana", "amount": "2d6+1", "type": "fire", "half": "Ana"},
        Command(action="gm damage", target="Bo, Ana", args={"amount": "2d6+1", "type": "fire", "half": "Ana"}),
    ),
    ("gm heal", {"target": "Bo", "amount": "5"}, Command(action="gm heal", target="Bo", args={"amount": "5"})),
    ("gm move", {"target": "Bo", "to": "C4"}, Command(action="gm move", target="Bo", to="C4")),
    ("gm turn", {"target": "Bo"}, Command(action="gm turn", target="Bo")),
    ("gm skip", {"target": "Bo"}, Command(action="gm skip", target="Bo")),
    ("gm remove", {"target": "Bo"}, Command(action="gm remove", target="Bo")),
    ("gm next-phase", {}, Command(action="gm next-phase")),
    ("gm order", {"names": "Bo, Ana"}, Command(action="gm order", args={"names": "Bo, Ana"})),
    (
        "gm answer",
        {"target": "Bo", "choice": "decline"},
        Command(action="gm answer", target="Bo", args={"choice": "decline"}),
    ),
    (
        "gm choose",
        {"what": "part", "value": "Arm"},
        Command(action="gm choose", args={"what": "part", "value": "Arm"}),
    ),
    (
        "gm effect",
        {"creator": "Ana", "name": "Haste", "bearer": "Bo", "duration": 3},
        Command(action="gm effect", args={"creator": "Ana", "name": "Haste", "bearer": "Bo", "duration": 3}),
    ),
    (
        "gm aware",
        {"who": "Ana", "of": "Bo", "yes": False},
        Command(action="gm aware", args={"who": "Ana", "of": "Bo", "yes": False}),
    ),
    ("gm trigger", {"note": "A bell rings"}, Command(action="gm trigger", note="A bell rings")),
    (
        "gm cards",
        {"who": "Ana", "do": "give", "cards": "AS", "to": "Bo"},
        Command(
            action="gm cards",
            cards="AS",
            args={"who": PEOPLE["Ana"], "who_name": "Ana", "do": "give", "to_user": BO, "to_name": "Bo"},
        ),
    ),
    (
        "gm note",
        {"target": "Bo", "text": "lies", "show": "owner"},
        Command(action="gm note", target="Bo", args={"text": "lies", "show": "owner"}),
    ),
    (
        "gm ask",
        {"who": "Ana, Bo", "dice": "1d20", "at_least": 12, "reason": "Stealth", "show": "blind"},
        Command(
            action="gm ask",
            args={"who": "Ana, Bo", "dice": "1d20", "at_least": 12, "reason": "Stealth", "show": "blind"},
        ),
    ),
    (
        "act",
        {"action": "use ready", "target": "Bo", "amount": "2", "faces": "17, 51", "character": "Ana"},
        Command(action="use-ready", target="Bo", amount=2, faces=(17, 51), character="Ana"),
    ),
    ("hand draw", {"count": 3}, Command(action="hand draw", args={"count": 3})),
    ("hand play", {"cards": "2x Fire 2"}, Command(action="hand play", cards="2x Fire 2")),
    ("hand discard", {"cards": "AS"}, Command(action="hand discard", cards="AS")),
    (
        "hand give",
        {"cards": "AS", "player": "Bo"},
        Command(action="hand give", cards="AS", args={"player": BO, "player_name": "Bo"}),
    ),
    ("deck new", {"kind": "stones"}, Command(action="deck new", args={"kind": "stones"})),
    ("deck shuffle", {}, Command(action="deck shuffle")),
    ("deck clear", {}, Command(action="deck clear")),
    (
        "condition add",
        {"target": "Bo", "name": "Burn", "duration": "3", "ticks": "bearer-start", "source": "Ana"},
        Command(
            action="condition add",
            target="Bo",
            args={"name": "Burn", "duration": "3", "ticks": "bearer-start", "source": "Ana"},
        ),
    ),
    (
        "condition remove",
        {"target": "Bo", "name": "Burn"},
        Command(action="condition remove", target="Bo", args={"name": "Burn"}),
    ),
    ("board size", {"size": "20x15"}, Command(action="board size", args={"size": "20x15"})),
    (
        "board place",
        {"target": "Bo", "cells": "C4"},
        Command(action="board place", target="Bo", args={"cells": "C4"}),
    ),
    (
        "board terrain",
        {"cells": "A1:C3", "kind": "difficult"},
        Command(action="board terrain", args={"cells": "A1:C3", "kind": "difficult"}),
    ),
    ("board clear", {"target": "Bo"}, Command(action="board clear", target="Bo")),
]
LOOKS: list[tuple[str, dict[str, Any], str, str, tuple[Any, ...]]] = [
    (
        "roll",
        {"dice": "2d6", "times": 3, "show": "gm", "faces": "4 5"},
        "rolls",
        "roll",
        ("2d6", 3, None, "gm", (4, 5)),
    ),
    ("roll", {"dice": "2d6"}, "rolls", "roll", ("2d6", 1, None, "all", ())),
    ("odds", {"dice": "2d6; 1d12", "at_least": 7}, "odds", "show", ("2d6; 1d12", 7, "all")),
    ("macro save", {"name": "Sword", "dice": "1d8"}, "macros", "save", ("Sword", "1d8", "me")),
    ("macro run", {"name": "Sword"}, "macros", "run", ("Sword",)),
    ("macro list", {}, "macros", "list", ()),
    ("macro delete", {"name": "Sword"}, "macros", "delete", ("Sword", "me")),
    ("fair show", {}, "fairness", "show", ()),
    ("fair reveal", {}, "fairness", "reveal", ()),
    ("fair export", {}, "fairness", "export", ()),
    ("luck", {"who": "Bo", "die": "d20", "since": "7d"}, "luck", "show", (BO, "d20", "7d", "all")),
    ("encounter log", {"page": 2, "file": True}, "exports", "log", (2, True)),
    ("encounter export", {}, "exports", "encounter", ()),
    ("encounter list", {"server": True}, "referee", "encounters", (True,)),
    ("encounter options", {}, "referee", "options", ()),
    ("encounter move", {"channel": "777"}, "referee", "move", (THERE, None)),
    ("encounter move", {"name": "Ambush"}, "referee", "move", (None, "Ambush")),
    ("encounter undo", {"steps": 2, "reshuffle": True}, "referee", "undo", (2, True)),
    ("encounter redo", {}, "referee", "redo", (1,)),
    ("encounter show", {}, "referee", "show", ()),
    ("turn", {}, "referee", "turn", ()),
    ("hand show", {}, "referee", "hand", ()),
    ("deck show", {}, "referee", "deck", ()),
    ("deck discards", {}, "referee", "discards", ()),
    ("init list", {}, "referee", "init_list", ()),
    ("condition list", {}, "referee", "conditions", ()),
    ("board show", {"text": True}, "pictures", "show", (True, None, None)),
    ("board show", {"target": "Ana"}, "pictures", "show", (False, "Ana", None)),
    ("privacy export", {}, "privacy", "export", ()),
    ("privacy delete", {}, "privacy", "delete", ()),
    ("privacy server", {}, "privacy", "server", ()),
]


@pytest.mark.parametrize(("path", "options", "command"), STEPS, ids=[step[0] for step in STEPS])
async def test_a_slash_command_is_one_command_of_the_rules(
    client: Client, path: str, options: dict[str, Any], command: Command
) -> None:
    await client.slash("Ana", path, **options)
    assert client.seen.commands == [command]


@pytest.mark.parametrize(("path", "options", "feature", "call", "given"), LOOKS)
async def test_a_look_goes_to_its_feature(
    client: Client, *, path: str, options: dict[str, Any], feature: str, call: str, given: tuple[Any, ...]
) -> None:
    await client.slash("Ana", path, **options)
    assert getattr(client, feature).calls == [(call, given)]


async def test_starting_gives_the_encounter_the_interactions_id(client: Client) -> None:
    await client.slash("Gwen", "init start", name="Ambush")
    await client.slash("Gwen", "encounter start", system="classic", options="by=side")
    first, second = client.seen.commands
    assert (first.action, first.text("system"), first.text("name")) == ("encounter start", "classic", "Ambush")
    assert second.text("options") == "by=side"
    assert str(first.text("id")).isdigit()
    assert first.text("id") != second.text("id")


async def test_the_first_next_opens_the_first_round(client: Client) -> None:
    """Rule: CL-03."""
    await client.do("Gwen", "encounter start", system="classic", id="77")
    await client.do("Ana", "join", bonus=1)
    await client.slash("Gwen", "init next")
    await client.do("Gwen", "encounter begin")
    await client.slash("Gwen", "init next")
    assert [command.action for command in client.seen.commands] == ["encounter begin", "next"]


async def test_a_saved_character_comes_in_with_its_sheet(client: Client) -> None:
    await client.slash("Ana", "character add", name="Ayla", sheet="HP 20")
    await client.slash("Ana", "init join", character="ay")
    document = client.seen.commands[-1].args["document"]
    assert isinstance(document, dict)
    assert (document["name"], document["fields"]) == ("Ayla", {"HP": 20})


async def test_the_gm_adds_from_a_template_of_exactly_that_name(client: Client) -> None:
    await client.slash("Gwen", "character add", name="Goblin", sheet="HP 7")
    await client.slash("Gwen", "gm add", name="goblin", count=3)
    await client.slash("Gwen", "gm add", name="gob")
    with_template, without = client.seen.commands
    assert with_template.args["document"]["fields"] == {"HP": 7}  # type: ignore[index, call-overload] # JSON, whose form is asserted here
    assert "document" not in without.args


@pytest.mark.parametrize("faces", ["1d6", "17; 51", "-3", "1" * 9, "²"])
async def test_faces_that_are_no_numbers_are_refused(client: Client, faces: str) -> None:
    answer = await client.slash("Ana", "act", action="next", faces=faces)
    assert "whole numbers" in answer["data"]["content"]
    assert client.seen.commands == []


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("deck new", {}),
        ("character import", {}),
        ("gm add", {"name": "Ogre"}),
        ("encounter options", {}),
    ],
)
async def test_a_file_of_eight_megabytes_is_refused_unread(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, options: dict[str, Any]
) -> None:
    monkeypatch.setattr(client.http, "get_from_cdn", None)
    answer = await client.slash("Gwen", path, files={"file": ("big.json", bytes(8 * 2**20))}, **options)
    assert "8192 KB" in answer["data"]["content"]
    assert client.seen.commands == []


async def test_a_command_that_is_gone_is_answered(client: Client) -> None:
    asked = client.interaction("Ana", "turn", {})
    data: Any = asked.data
    data["name"] = "reminder"
    await client.hear(asked)
    assert "Reload Discord" in client.sent[-1]["data"]["content"]


async def test_an_option_that_discord_would_not_send_is_refused(client: Client) -> None:
    asked = client.interaction("Ana", "init remove", {"target": "Bo"})
    data: Any = asked.data
    data["options"][0]["options"] = []
    await client.hear(asked)
    assert client.sent[-1]["data"]["flags"] & 64
    assert client.seen.commands == []


async def test_our_own_bug_is_answered_with_a_number_to_report(
    client: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "referee", None)
    answer = await client.slash("Ana", "turn")
    assert "report it with" in answer["data"]["content"]
    assert "error" in caplog.text


async def test_a_bot_is_no_person(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.cogs.table.BOTS", {"Bo"})
    for path, options in (
        ("encounter gm", {"user": "Bo"}),
        ("hand give", {"cards": "AS", "player": "Bo"}),
        ("gm cards", {"who": "Bo", "do": "draw"}),
    ):
        answer = await client.slash("Ana", path, **options)
        assert "Bo is a bot" in answer["data"]["content"]
    assert client.seen.commands == []
