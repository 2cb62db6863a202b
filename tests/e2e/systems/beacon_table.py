"""A table of beacon at the loopback Discord."""

from __future__ import annotations

from bot.discord.client import RefereeClient
from tests.e2e.loopback import Seat, Table
from tests.e2e.referee import quiet

SHEET = "HP 14, STRESS 6, MP 4, FOCUS 2, RECOVERIES 2, ARMOR 1, DODGE 10, ADEF 9, GRIT 2, SPEED 4, SIZE 1, SCOPE 10"


SCORES = "SAVE 11, BULK 2, MIND 1, AGILITY 2"


SPEAR = "activation FIGHT; reach 2; damage 1d6+2 physical; tags weapon"


async def table(world: Table, client: RefereeClient) -> tuple[Seat, Seat, Seat, Seat]:
    """Rhea, Pip and Cat, each with a spear, around an Ogre of BRAWL; the board is 10 by 8."""
    gwen, ana, bo, cai = (world.person(name) for name in ("Gwen", "Ana", "Bo", "Cai"))
    await gwen.slash("/encounter start system:beacon name:Tower")
    for seat, name in ((ana, "Rhea"), (bo, "Pip"), (cai, "Cat")):
        await seat.slash(f"/character add name:{name} sheet:{SHEET}, {SCORES} system:beacon")
        await seat.slash(f"/character ability name:{name} ability:Spear fields:{SPEAR}")
        await seat.slash(f"/join character:{name}")
    await gwen.slash("/gm add name:Ogre sheet:HP 90, DODGE 30, ADEF 30, GRIT 1, SPEED 4, SAVE 12, INITIATIVE 5")
    await gwen.slash("/board size size:10x8")
    await gwen.slash("/board place target:Rhea, Pip, Cat, Ogre cells:C3, C5, B4, D4")
    await gwen.slash("/encounter begin")
    await quiet(world, client)
    return gwen, ana, bo, cai


async def to_brawl(world: Table, client: RefereeClient, *seats: Seat) -> None:
    """Let the players plan DELAY, so that the Ogre's phase comes at once."""
    for seat in seats:
        await seat.slash("/act action:plan note:delay")
    await quiet(world, client)
