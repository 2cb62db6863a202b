"""What is read back is what the engine then does: of a cast, of a sheet and of an order, each with random numbers."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.local.tryit import scripts
from rules.core.encounter import Encounter
from rules.core.registry import systems
from tests.wire import Sent, Wire, wired

KINDS = ("Goblin", "Rat", "Boss", "Archer", "Wolf")
CAST_LINE = re.compile(r"^\*\*(?:(\d+) × )?(\w+)\*\*: (.+)$", re.MULTILINE)
POOL = re.compile(r"([A-Z]+) (\d+)/(\d+)")


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with wired(tmp_path / "referee.sqlite3") as opened:
        yield opened


async def played(wire: Wire) -> Encounter:
    room = await wire.tables.room_of("901", "900")
    assert room.encounter is not None
    return room.encounter


def cast(rng: random.Random) -> str:
    """Return a cast as somebody may type it: each part of a line is there or not."""
    return "\n".join(
        " ".join(
            part
            for part in (
                rng.choice(("", f"{rng.randint(2, 4)}")),
                kind,
                f"HP {rng.randint(1, 40)}",
                rng.choice(("", f"AC {rng.randint(8, 18)}")),
                rng.choice(("", f"{rng.randint(-3, 6):+d}")),
                rng.choice(("", "", "hidden")),
            )
            if part
        )
        for kind in KINDS
    )


@pytest.mark.parametrize("seed", range(4))
async def test_a_cast_comes_in_as_it_was_read_back(wire: Wire, seed: int) -> None:
    await wire.type("Gwen", "/init start")
    (form,) = await wire.type("Gwen", "/encounter cast")
    (said,) = await wire.submit("Gwen", form.data["custom_id"], {"lines": cast(random.Random(seed)), "name": ""})
    yes = next(each for each in said.components if each["label"].startswith("Add"))
    told = await wire.press("Gwen", yes["custom_id"])
    state = await played(wire)
    lines = CAST_LINE.findall(said.content)
    assert [name for _, name, _ in lines] == list(KINDS)
    for count, name, words in lines:
        hidden = "hidden" in words
        everybody = [each.combatant for each in state.hidden] if hidden else state.combatants
        there = [each for each in everybody if each.name.startswith(name)]
        assert len(there) == int(count or 1)
        for each in there:
            assert str(each.pools["HP"].now) == re.findall(r"HP (\d+)", words)[0]
            armor = each.fields.get("AC")
            assert ([] if armor is None else [str(armor)]) == re.findall(r"AC (\d+)", words)
        bonus = int((re.findall(r"initiative ([+-]\d+)", words) or ["0"])[0])
        rolls = re.findall(rf"{name}[ \d]*: initiative 1d20 \(\**(\d+)\**\)[^=\n]*?= \**(-?\d+)", all_of(told))
        assert [int(total) - int(face) for face, total in rolls] == [bonus] * int(count or 1)


def all_of(sent: list[Sent]) -> str:
    embeds = [each for message in sent for each in message.data.get("embeds") or ()]
    return "\n".join((*(each.content for each in sent), *(each.get("description", "") for each in embeds)))


@pytest.mark.parametrize("system", sorted(systems()))
async def test_a_sheet_s_pools_are_in_the_first_round_what_was_read_back(wire: Wire, system: str) -> None:
    said: dict[str, set[tuple[str, ...]]] = {}
    for line in next(each for each in scripts() if each.id == system).lines:
        name = re.search(r"(?:name|character):([\w ]+?)(?= \w+:|$)", line.text)
        for sent in await wire.type(line.who, line.text):
            if name is not None and sent.reader is not None and "What I understood" in sent.content:
                understood = sent.content.partition("What I understood")[2].partition("\n")[0]
                said.setdefault(name[1], set()).update(POOL.findall(understood))
    state = await played(wire)
    for who, pools in said.items():
        combatant = state.combatant(who)
        for key, now, top in pools:
            pool = combatant.pools[key]
            assert (str(pool.now), str(pool.top)) == (now, top), f"{who}: {key}"


@pytest.mark.parametrize("seed", range(4))
async def test_an_order_does_on_its_turn_what_was_read_back(wire: Wire, seed: int) -> None:
    rng = random.Random(seed)
    weapon, target = rng.choice(("Sword", "Bow")), f"Goblin {rng.randint(1, 3)}"
    await wire.type("Gwen", "/init start")
    await wire.type("Ana", "/init join name:Ayla hp:20 result:25")
    await wire.type("Bo", "/character add name:Bran sheet:HP 24, AC 14; Sword: +99 to hit, 7; Bow: +99 to hit, 5")
    await wire.type("Bo", "/join character:Bran")
    await wire.type("Gwen", "/init add name:Goblin sheet:HP 30, AC 13 count:3 result:0")
    await wire.type("Gwen", "/init next")
    (said,) = await wire.type("Bo", f"/act action:attack using:{weapon} target:{target} when:my-turn")
    assert said.reader is not None
    assert {name for name in ("Sword", "Bow", "Goblin 1", "Goblin 2", "Goblin 3") if name in said.content} == {
        weapon,
        target,
    }
    assert lost(await played(wire)) == {}
    await wire.type("Ana", "/init next")
    await wire.settle()
    if not lost(await played(wire)):  # a 1 misses, whatever is added
        assert "(**1**)" in all_of(await wire.type("Gwen", "/encounter log"))
        return
    assert set(lost(await played(wire))) == {target}


def lost(state: Encounter) -> dict[str, int]:
    goblins = (each for each in state.combatants if each.name.startswith("Goblin"))
    return {each.name: 30 - each.pools["HP"].now for each in goblins if each.pools["HP"].now < 30}


@pytest.mark.parametrize("action", ["damage", "heal"])
async def test_what_happens_at_once_is_no_order_and_says_so(wire: Wire, action: str) -> None:
    await wire.type("Gwen", "/init start")
    await wire.type("Ana", "/init join name:Ayla hp:20 result:18")
    await wire.type("Bo", "/init join name:Bran hp:24 result:12")
    await wire.type("Gwen", "/init next")
    before = await played(wire)
    (said,) = await wire.type("Bo", f"/act action:{action} target:Bran amount:3 when:my-turn")
    assert "CL-17" in said.content
    assert await played(wire) == before
