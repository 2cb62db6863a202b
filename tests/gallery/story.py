"""What a channel shows of a round on a phone: thirty combatants, nasty sheets, and the people of the reference rounds.

Six characters with five weapons, twenty powers and five reactions in free words each, and four kinds of creatures of
the GM's. Each picture is the screen (390 x 700) that somebody sees who opens the channel.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.core.encounter import Encounter
from tests.bench._hands import GM, PLAYERS, Hands, Wish
from tests.bench._rounds import REFERENCES, Reference, enemy_of, next_step
from tests.e2e.days import Later
from tests.e2e.loopback import local_table
from tests.e2e.page.chromium import Page, browser_page
from tests.e2e.page.rounds import MARK_PROMPT, PROMPT
from tests.e2e.referee import drawn, referee_at
from tests.patience import patient

WIDTH, HEIGHT = 390, 700
CREATURES = ("Wolf", "Goblin Archer", "Cultist of the Deep", "Ogre of the Northern Gate")
EACH = 6
HEROES = ("Rhea", "Pip", "Cat", "Tam")
SECOND_HEROES = (("Ana", "Old Bramble"), ("Bo", "Mist"))
WEAPONS = ("Claw", "Bow of the Old Guard", "Spear", "Hooked Net", "Lamp Oil")
POWERS = ("Salt and Silence", "Lanterns over the Fen", "The Third Warning", "Hold the Narrow Door", "Ash on the Tongue")
FREE_WORDS = "whenever the fog comes down, everybody steps back"
MOST_STEPS = 14
HEIGHT_OF = f"""(() => {{ {MARK_PROMPT}; const prompt = document.querySelector('{PROMPT}');
    prompt.scrollIntoView({{block: 'end'}}); return Math.round(prompt.getBoundingClientRect().height); }})()"""

# A weapon, a power and a reaction of each system. {} is a number from 1 on.
FIELDS = {
    "classic": ("+5 to hit; 1d8+{} slashing damage", "+4 to hit; 2d6+{} fire damage, and the target is Frightened",
                "When an ally is hit, reduce the damage by 1d10"),
    "tactics": ("kind power; damage 1d6+{}; range 9", "kind power; damage 1d4+{}; range 6; effect Slowed; save ends",
                "kind reaction; text " + FREE_WORDS),
    "adventurers": ("kind weapon; specialty Arm; damage 1d6+{}", "type Support; rebound 1; damage {}; cell D6",
                    "kind reaction; text " + FREE_WORDS),
    "stones": ("card offensive; element Fire; cost 3; duration 2; text [Standard Attack], [On 1-50] adds [Burn]",
               "card defensive; element Earth; cost 2; ARM +1; text [Fuse] Armor is higher {}",
               "card defensive; element Wind; cost 1; text [Counter] " + FREE_WORDS),
    "beacon": ("activation FIGHT; reach 9; damage 1d6+{} physical; tags weapon",
               "activation CHANNEL; cost 1; range 9; damage 2d6+{} fire; tags channel",
               "activation REACTION; trigger whenever the fog comes down; text everybody steps back"),
    "soulweaver": ("kind attack", "kind trick", "kind response; text " + FREE_WORDS),
}  # fmt: skip
ON_A_BOARD = {"tactics", "beacon", "stones"}


def _wishes_of_the_kit(state: Encounter, who: str) -> tuple[Wish, ...]:
    return (Wish("attack", (enemy_of(state, who),), once=True), Wish("end"), Wish("pass"))


KIT = Reference("fast-slow", 0, {"ATK": 2, "DEF": 11}, {"ATK": 1}, _wishes_of_the_kit, (0, 0, None), (0, 0, None))
TABLES: Mapping[str, Reference] = {table.name: table for table in (*REFERENCES, KIT)}


async def story(system: str) -> list[tuple[int, bytes]]:
    """Return the screens of a round, each with the prompt's height, as the people press their way through it."""
    screens: list[tuple[int, bytes]] = []
    with tempfile.TemporaryDirectory() as folder, patient():
        async with (
            local_table() as world,
            referee_at(world, Path(folder) / "referee.sqlite3", clock=(clock := Later())) as client,
            browser_page(world.discord.page_url, WIDTH, HEIGHT) as page,
        ):
            hands = Hands(world, client, clock)
            hands.counts.close()
            await _set_up(hands, TABLES[system])
            await page.resize(WIDTH, HEIGHT, mobile=True, pixels=2)
            await page.open(world.discord.page_url)
            await page.click("[data-person=Ana]")
            done: set[tuple[str, str]] = set()
            for _ in range(MOST_STEPS):
                await drawn(page, world, client)
                screens.append(await _screen(page, Path(folder) / "screen.png"))
                state = hands.room.encounter
                assert state is not None
                if state.round > 1:
                    break
                try:
                    await next_step(hands, TABLES[system], state, done)
                except AssertionError:  # a menu of a crowd does not name what each may do
                    await hands.types(GM, f"/gm skip target:{hands.waits_for()}")
    return screens


async def _screen(page: Page, path: Path) -> tuple[int, bytes]:
    height = int(await page.run(HEIGHT_OF))
    await page.until("document.getAnimations().length === 0")
    await page.screenshot(path)
    return height, await asyncio.to_thread(path.read_bytes)


def _abilities(system: str) -> list[tuple[str, str]]:
    """Return thirty abilities as names and fields: five weapons, twenty powers, five reactions."""
    if system not in FIELDS:
        return []
    weapon, power, reaction = FIELDS[system]
    weapons = [(name, weapon.format(number)) for number, name in enumerate(WEAPONS, 1)]
    powers = [(f"{POWERS[at % 5]} {at // 5 + 1}", power.format(at % 4 + 1)) for at in range(20)]
    return [*weapons, *powers, *((f"Step Aside {number}", reaction) for number in range(1, 6))]


async def _set_up(hands: Hands, table: Reference) -> None:
    """Bring thirty with nasty sheets to the table, and begin."""

    async def types(who: str, line: str) -> None:
        answer = await hands.types(who, line, "set-up")
        assert not answer.ephemeral or not answer.content.startswith("**"), f"{line}: {answer.content}"

    async def saves(who: str, name: str, sheet: Mapping[str, Any], abilities: list[tuple[str, str]]) -> None:
        fields = (f"{key} {' + '.join(each) if isinstance(each, list) else each}" for key, each in sheet.items())
        await types(who, f"/character add name:{name} system:{table.system} sheet:{', '.join(fields)}")
        for ability, text in abilities:
            await types(who, f"/character ability name:{name} ability:{ability} fields:{text}")

    abilities = _abilities(table.system)
    heroes = (*zip(PLAYERS, HEROES, strict=True), *SECOND_HEROES)
    sides = [f" side:{('North', 'South')[at % 2]}" if table.sides else "" for at in range(4)]
    await types(GM, f"/encounter start system:{table.system} name:The siege of the salt gate")
    for at, (who, name) in enumerate(heroes):
        await saves(who, name, table.hero, abilities)
        await types(who, f"/join character:{name}{sides[at // 2 % 2]}")
    for at, name in enumerate(CREATURES):
        await saves(GM, name, table.foe, abilities[:6])
        await types(GM, f"/gm add name:{name} count:{EACH}{sides[at]}")
    if table.system in ON_A_BOARD:
        await types(GM, "/board size size:14x10")
        names = [*(name for _, name in heroes), *(f"{name} {at}" for name in CREATURES for at in range(1, EACH + 1))]
        cells = [f"{column}{row}" for column in "BHJLM" for row in (1, 3, 5, 6, 8, 10)]
        await types(GM, f"/board place target:{', '.join(names)} cells:{', '.join(cells)}")
    await types(GM, "/encounter begin")
    for line in table.after:
        await types(GM, line)
    await hands.calm()
