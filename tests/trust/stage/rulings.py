"""Every argument of every command of a GM, with a canary in it: what they type of their own is theirs alone.

Rule: G-08
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rules.core.sheets.sheet import parse_sheet

if TYPE_CHECKING:
    from rules.core.encounter import Encounter
    from tests.trust.stage.evening import Evening

# `{n}` is a fresh number of the GM's, `{foe}` somebody of theirs, `{someone}` anybody, `{who}` a player.
# What is no number (a name, a condition, a cell) is told to all as it happens; others' rows hold none of it either.
LINES = (
    "/gm add name:{name} sheet:{sheet}, GOLD {n}, LOOT 3/{n} count:2 side:{side} hidden:False",
    "/gm add name:{name} side:{side}",  # with a file
    "/gm add name:{name} sheet:{sheet} hp:{n} bonus:2 side:{side}",
    "/gm add name:{name} sheet:{sheet} dice:1d20+1 side:{side}",
    "/gm set target:{foe} pool:HP value:{n}/{n}",
    "/gm set target:{foe} pool:GOLD value:{n}",
    "/gm set target:{foe} pool:mark:sly value:on",
    "/gm damage target:{foe} amount:{n} type:fire half:{foe}",
    "/gm damage target:{foe} amount:2d6+{n}",
    "/gm damage target:{foe}, {someone} amount:1d1*0*{n}",
    "/gm heal target:{foe} amount:{n} type:holy half:{foe}",
    "/gm correct what:amount value:{n} target:{foe}",
    "/gm done what:1",
    "/gm done what:1 ask:never",
    "/gm done ask:again",
    "/gm heal target:{foe} amount:1d4+{n}",
    "/gm ask who:{foe} dice:1d20+{n} at_least:{n} reason:listening show:gm",
    "/gm ask who:{foe}, {someone} dice:1d20+1 at_least:{n} show:blind",
    "/gm note target:{foe} text:{n} gold show:gm",
    "/gm reveal target:{foe}",
    "/gm rename target:{foe} to:{name}",
    "/gm move target:{foe} to:A1",
    "/gm turn target:{foe} extra:True",
    "/gm skip target:{foe}",
    "/gm remove target:{foe}",
    "/gm next-phase",
    "/gm order names:{foe}, {someone}",
    "/gm answer target:{foe} choice:decline",
    "/gm choose what:break value:{n}",
    "/gm effect creator:{foe} name:Hex bearer:{someone} duration:2 ritual:True",
    "/gm aware who:{foe} of:{someone} yes:True",
    "/gm trigger note:the gate falls",
    "/gm cards who:{who} do:draw count:1",
    "/gm cards who:{who} do:give cards:Canary 01q to:{who}",
    "/init add name:{name} dice:2d20kh1 bonus:2 count:2 side:{side}",
    "/init add name:{name} result:7 group:gang",
    "/init add name:{name} bonus:1 hp:{n} sheet:GOLD {n} hidden:False",
    "/gm away target:{who} wait:True",
    "/condition add target:{foe} name:Slow duration:2 ticks:bearer-end source:{foe} concentration:True",
    "/condition add target:{foe} name:Daze save:1d20>=12",
)
GROUPS = ("gm ", "init add", "condition add")
OPEN = ("encounter ", "deck ", "hand ", "roll")  # house rules, and what checks of cards and rolls need
KEPT = frozenset({"action", "piles", "seal"})


async def rule(evening: Evening, state: Encounter, sheet: str, players: Mapping[str, str]) -> None:
    """Let the GM type one of the lines, or bring somebody in from a file."""
    rng = evening.rng
    visible = [each for each in state.combatants if not each.hidden]
    foes = [each.name for each in visible if each.owner is None]
    if not foes:
        return
    line = rng.choice([each for each in LINES if evening.system == "classic" or not each.startswith("/init")])
    side = rng.choice([each.side for each in visible if each.owner is None]) or "GM"
    always = line.startswith(("/gm ask", "/gm note"))  # whatever the option says
    while "{n}" in line:
        line = line.replace("{n}", evening.large(always=always), 1)
    names = {"foe": rng.choice(foes), "someone": rng.choice(visible).name, "who": rng.choice(list(players))}
    text = line.format(name=evening.fresh("Mook"), sheet=sheet, side=side, **names)
    file = None
    if line == LINES[1]:
        fields = {**parse_sheet(sheet), "GOLD": int(evening.large())}
        file = json.dumps({"name": "Mook", "fields": fields}).encode()
    await evening.type("Gwen", text, file)


def without_canary(
    every: Mapping[str, Any], read: Callable[[str], tuple[str, Mapping[str, Any]]]
) -> set[tuple[str, str]]:
    """Return the options of a GM's commands that no line here gives: a new one is to be searched too."""
    wanted = {
        (name, str(option.display_name))
        for name, command in every.items()
        if name.startswith(GROUPS)
        for option in command.parameters
    }
    given = {
        (name, option) for name, options in (read(line.replace("{n}", "1")) for line in LINES) for option in options
    }
    return wanted - given - {("gm add", "file")}


def rows_in(text: str) -> Iterator[Mapping[str, Any]]:
    """Return the rows of the log of each export in a text."""
    for line in text.split("\n"):
        if line.startswith('{"format": 1'):
            yield from json.loads(line)["log"]


def told_too_much(text: str, gms: frozenset[str], encounter: str) -> list[str]:
    """Return what rows of GMs say beyond what they did, in exports of others at a table with veiled numbers."""
    return [
        f"a row of the GM holds more than the action: {row['command']}"
        for row in rows_in(text)
        if row["encounter"] == encounter
        and (row["by"] in gms or row["ruling"])
        and not str(row["command"].get("action", "roll")).startswith(OPEN)
        and not row["command"].keys() <= KEPT
    ]
