"""A table of adventurers at the loopback Discord: Rhea, Pip and Tam in the Ogre's cave."""

from __future__ import annotations

import json
from typing import Any

from bot.discord.client import RefereeClient
from tests.e2e.loopback import Answer, Seat, Shown, Table
from tests.e2e.referee import accepted, export, prompts, quiet

SWORD = {"name": "Sword", "kind": "weapon", "fields": {"specialty": "Arm", "damage": "4"}}
CLUB = {"name": "Club", "kind": "weapon", "fields": {"specialty": "Arm", "damage": "5"}}
KNIFE = {"name": "Knife", "kind": "weapon", "fields": {"specialty": "Hand", "damage": "2"}}
TAUNT = {"name": "Taunt", "fields": {"type": "Support", "rebound": "1", "damage": "2"}}

RHEA: dict[str, Any] = {"STAMINA": 5, "WILLPOWER": 4, "SPECIALTIES": ["Arm", "Courage"], "DAMAGED": ["Leg"]}
PIP: dict[str, Any] = {"STAMINA": 3, "WILLPOWER": 5, "SPECIALTIES": ["Hand"], "DAMAGED": ["Leg", "Foot"]}
TAM: dict[str, Any] = {"STAMINA": 5, "WILLPOWER": "0/3", "SPECIALTIES": ["Heart"]}
OGRE: dict[str, Any] = {
    "STAMINA": 8,
    "WILLPOWER": 4,
    "KIND": "boss",
    "LEVEL": 1,
    "SPECIALTIES": ["Arm", "Yell"],
}


async def character(seat: Seat, name: str, sheet: dict[str, Any], *abilities: dict[str, Any]) -> None:
    content = {"name": name, "system": "adventurers", "sheet": sheet, "abilities": list(abilities)}
    files = {"file": ("character.json", json.dumps(content).encode())}
    answer = await seat.slash("/character import file:character.json", files=files)
    assert f"{name} is saved" in answer.content


class Cave:
    """Rhea (Ana), Pip (Bo) and Tam (Cai, Helpless) against an Ogre (a Boss), each round's check on Arm."""

    def __init__(self, world: Table, client: RefereeClient) -> None:
        self.world, self.client = world, client
        self.gwen, self.ana, self.bo, self.cai = (world.person(name) for name in ("Gwen", "Ana", "Bo", "Cai"))

    async def opens(self) -> None:
        await self.gwen.slash("/encounter start system:adventurers name:Cave options:physical_dice=on, checks=asked")
        await character(self.ana, "Rhea", RHEA, SWORD)
        await character(self.bo, "Pip", PIP, KNIFE, TAUNT)
        await character(self.cai, "Tam", TAM)
        await character(self.gwen, "Ogre", OGRE, CLUB)
        for seat in (self.ana, self.bo, self.cai):
            await seat.slash("/join")
        await self.gwen.slash("/gm add name:Ogre")
        await self.gwen.slash("/encounter begin")
        await self.gwen.slash("/gm choose what:specialty value:Arm")

    async def act(self, seat: Seat, text: str) -> Answer:
        """Do an action that must be accepted."""
        return await accepted(self.client, seat, f"/act action:{text}")

    async def refused(self, seat: Seat, text: str, rule: str) -> str:
        answer = await seat.slash(f"/act action:{text}")
        assert answer.ephemeral, f"{text} was accepted"
        assert answer.content.startswith(f"**{rule}**"), answer.content
        return answer.content

    async def prompt(self) -> Shown:
        await quiet(self.world, self.client)
        (prompt,) = prompts(self.gwen)
        return prompt

    async def press(self, seat: Seat, button: str) -> Answer:
        """Press a button of the live prompt."""
        return await seat.press(await self.prompt(), button)

    async def panel(self, seat: Seat, button: str) -> Answer:
        """Press a button of *My turn*."""
        return await seat.press(await self.press(seat, "My turn"), button)

    async def now(self) -> dict[str, Any]:
        return await export(self.gwen)

    async def asked(self) -> list[tuple[str, str]]:
        return [(each["who"], each["for"]) for each in (await self.now())["waiting"]]
