"""Whole fights played with the words alone: a reader has no more than these, and all of it holds (maps 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.table.room import Room
from rules.core.encounter import Encounter
from rules.core.registry import system_of
from rules.core.space.cells import distance, parse_cell
from rules.core.space.sight import seen_from
from rules.core.space.steps import step_bars
from tests.features.tables.words_reader import Read
from tests.wire import GUILD, Sent, Wire, wired

WALKING = ("adventurers", "classic", "soulweaver")  # no movement of their own: /board move, as far as SPEED
WOUND = 4  # what the GM says that a blow takes, if no rule says it
HAND = 3  # stones that one keeps
MOST = 120  # turns: such a fight takes some thirty
MAP = """\
############
#....#.....#
#....+..%..#
#....#..%..#
##+###..=..#
#.......#..#
#..~~...+..#
#..~~...#..#
############"""

SETUPS = {
    "tactics": (
        ("Ana", "/character add name:Rhea system:tactics sheet:INT 1, AGI 2, ATK 6, DEF 9, TIER 1, HP 14, SPD 2"),
        ("Ana", "/character ability name:Rhea ability:Spear fields:kind power; damage 1d6+2; range 2"),
        ("Gwen", "/gm add name:Ogre sheet:INT 0, AGI 0, ATK 3, DEF 6, TIER 1, HP 12, SPD 2"),
    ),
    "stones": (
        (
            "Ana",
            "/character add name:Rhea system:stones sheet:HP 20, ATK 6, ARM 2, MOV 4, RNG 2, CRT 20, TYPE Physical",
        ),
        ("Gwen", "/gm add name:Ogre sheet:HP 12, ATK 5, ARM 1, MOV 4, RNG 1, CRT 15, TYPE Physical"),
    ),
    "beacon": (
        (
            "Ana",
            "/character add name:Rhea system:beacon sheet:HP 14, STRESS 6, FOCUS 1, ARMOR 1, DODGE 10, GRIT 4, SPEED 4",
        ),
        (
            "Ana",
            "/character ability name:Rhea ability:Spear fields:activation FIGHT; reach 2; damage 1d6+2 physical",
        ),
        (
            "Gwen",
            "/gm add name:Ogre sheet:HP 9, ARMOR 0, DODGE 6, ADEF 8, GRIT 2, SPEED 4, SIZE 1, SAVE 12, INITIATIVE 5",
        ),
    ),
    "adventurers": (
        (
            "Ana",
            "/character add name:Rhea system:adventurers sheet:STAMINA 8, WILLPOWER 4, SPEED 4, SPECIALTIES Arm + Eyes",
        ),
        ("Ana", "/character ability name:Rhea ability:Sword fields:kind weapon; specialty Arm; damage 1d6+2"),
        (
            "Gwen",
            "/character add name:Ogre system:adventurers sheet:KIND enemy, STAMINA 9, SPEED 4, SPECIALTIES Run",
        ),
        ("Gwen", "/character ability name:Ogre ability:Club fields:kind weapon; specialty Arm; damage 1d6"),
        ("Gwen", "/gm add name:Ogre"),
    ),
    "classic": (
        ("Ana", "/character add name:Rhea system:classic sheet:HP 12, INITIATIVE 2, SPEED 4"),
        ("Gwen", "/gm add name:Ogre sheet:HP 9, INITIATIVE 1, SPEED 4"),
    ),
    "soulweaver": (
        ("Ana", "/character add name:Rhea system:soulweaver sheet:ZEAL 6, POISE 2, MINOR 1, SPEED 4, HP 12"),
        ("Gwen", "/gm add name:Ogre sheet:ZEAL 1, POISE 0, MINOR 1, SPEED 4, HP 9"),
    ),
}


def _noon() -> float:
    return 1_790_000_000.0


class Reader:
    """Plays everybody at a table without pictures: each person by what they are sent in words."""

    def __init__(self, wire: Wire, room: Room) -> None:
        self.wire = wire
        self.room = room
        self.refused = 0

    @property
    def state(self) -> Encounter:
        assert self.room.encounter is not None
        return self.room.encounter

    def waits_for(self) -> str | None:
        return next(iter(system_of(self.state).waits_for(self.state)), None) if self.state.over is None else None

    def fallen(self) -> list[str]:
        return [name for name in ("Rhea", "Ogre") if system_of(self.state).is_out(self.state, name)]

    def person(self, who: str) -> str:
        combatant = self.state.find(who)
        return "Gwen" if combatant is None or combatant.owner is None else self.wire.name_of(combatant.owner)

    async def act(self, who: str, action: str, **given: str) -> list[Sent]:
        sent = await self.wire.send(self.person(who), "act", {"action": action, "character": who, **given})
        await self.wire.settle()
        return sent

    async def answer(self) -> None:
        """Answer for the first who is asked; what hits wounds by the GM's word, if no rule says how much."""
        question = next(each for each in self.state.questions if not each.answered and each.sealed is None)
        await self.act(question.who, next(each for each in ANSWERS if each in question.choices))
        if "hit" in question.choices:
            target = question.words.partition("→ ")[2].partition(")")[0]
            words = await self.wire.type("Gwen", f"/gm damage target:{target} amount:{WOUND}")
            if any("HP 0" in each.content or "→ 0" in each.content for each in words):
                await self.wire.type("Gwen", f"/condition add target:{target} name:dead")

    async def labels(self, who: str) -> str:
        """Return what the one who acts may press."""
        sent = await self.wire.type(self.person(who), "/turn")
        every = (part for each in sent for part in each.components)
        found = [
            str(option["label"]) for part in every for option in part.get("options") or (part,) if "label" in option
        ]
        return "; ".join(found)

    async def read(self, who: str) -> Read:
        """Return what the one who acts is told, and look that all of it holds."""
        sent = await self.wire.type(self.person(who), "/turn")
        read = Read([line.replace("\\", "") for each in sent for line in each.content.splitlines()])
        state = self.state
        told, board = read.board(), state.board
        assert board is not None
        assert step_bars(told) == step_bars(board)
        cells = {each.name: each.cell for each in state.combatants}
        assert read.own[who] == cells[who]
        assert {name: other.cell for name, other in read.others.items()} == {
            name: cell for name, cell in cells.items() if name not in read.own
        }
        for name, other in read.others.items():
            at = parse_cell(str(cells[who]))
            assert other.seen is (parse_cell(other.cell) in seen_from(told, at)), name
            assert other.spaces == distance(system_of(state).metric, at, parse_cell(other.cell))
        return read

    async def go_near(self, who: str, read: Read, foe: str, **given: str) -> bool:
        """Go to the numbered cell that is nearest to a foe, as the words have it; False if no cell is nearer."""
        ways = read.ways_to(read.others[foe].cell, system_of(self.state).metric)
        goal = min(read.goals, key=lambda each: (ways[each[2]], int(each[3])), default=None)
        if goal is None or ways[goal[2]] >= ways[read.own[who]]:
            return False
        using = {"using": goal[4]} if goal[4] else {}
        if system_of(self.state).id in WALKING:
            sent = await self.wire.type(self.person(who), f"/board move to:{goal[2]} character:{who}")
        else:
            sent = await self.act(who, "move", to=goal[2], **using, **given)
        words = "\n".join(each.content for each in sent)
        assert f"{who}: {read.own[who]} → {goal[2]}." in words, words
        return True

    async def strike(self, who: str, action: str, read: Read, foe: str, **given: str) -> bool:
        """Attack a foe that the words have in range; any other is refused, and nothing happens."""
        if foe not in read.in_range.get(who, ()) and read.others[foe].spaces > 1:
            before = self.room.next_seq
            await self.act(who, action, target=foe, **given)
            assert self.room.next_seq == before
            self.refused += 1
            return False
        before = self.room.next_seq
        await self.act(who, action, target=foe, **given)
        assert self.room.next_seq > before, self.wire.refused
        return True


async def _tactics(reader: Reader, who: str, foe: str) -> None:
    read = await reader.read(who)
    if reader.state.phase == "movement":
        if read.others[foe].spaces <= 1 or not await reader.go_near(who, read, foe):
            await reader.act(who, "skip")
    elif not await reader.strike(who, "attack", read, foe):
        await reader.act(who, "pass")


async def _stones(reader: Reader, who: str, foe: str) -> None:
    read = await reader.read(who)
    if read.others[foe].spaces > 1:
        await reader.go_near(who, read, foe)
    await reader.strike(who, "attack", await reader.read(who), foe)
    await reader.act(who, "end")
    if reader.waits_for() == who:  # with too many stones the turn does not end
        await reader.act(who, "discard", cards=", ".join((await reader.read(who)).hand[HAND:]))


async def _beacon(reader: Reader, who: str, foe: str) -> None:
    if reader.state.phase != "brawl":
        await reader.act(who, "plan", note="brawl")
        return
    if "End the turn" not in await reader.labels(who):
        await reader.act(who, "begin")
        read = await reader.read(who)
        if read.others[foe].spaces > 1:
            await reader.go_near(who, read, foe)
        using = {"using": "Spear"} if who == "Rhea" else {}
        await reader.strike(who, "fight", await reader.read(who), foe, **using)
    await reader.act(who, "end")


async def _walk(reader: Reader, who: str, foe: str) -> bool:
    """Go as near as the words have it; True if the foe is beside one then. All other cells are refused."""
    read = await reader.read(who)
    if read.others[foe].spaces <= 1:
        return True
    before = reader.room.next_seq
    await reader.wire.type(reader.person(who), f"/board move to:{read.others[foe].cell} character:{who}")
    assert reader.room.next_seq == before
    reader.refused += 1
    await reader.go_near(who, read, foe)
    return (await reader.read(who)).others[foe].spaces <= 1


async def _adventurers(reader: Reader, who: str, foe: str) -> None:
    if await _walk(reader, who, foe):
        await reader.act(who, "attack", target=foe, using="Sword" if who == "Rhea" else "Club")
    else:
        await reader.act(who, "pass")


async def _classic(reader: Reader, who: str, foe: str) -> None:
    if await _walk(reader, who, foe):
        await reader.wire.type("Gwen", f"/gm damage target:{foe} amount:{WOUND}")
    await reader.act(who, "next")


async def _soulweaver(reader: Reader, who: str, foe: str) -> None:
    if who in ("Rhea", "Ogre") and await _walk(reader, who, foe) and "; Attack" in f"; {await reader.labels(who)}":
        await reader.act(who, "attack", target=foe)
        return
    await reader.act(who, "end")


TURNS = {
    "tactics": _tactics,
    "stones": _stones,
    "beacon": _beacon,
    "adventurers": _adventurers,
    "classic": _classic,
    "soulweaver": _soulweaver,
}
ANSWERS = ("let-go", "decline", "take", "death-check", "accept", "enter-conflict", "hit", "go-on")


@pytest.mark.parametrize("system", [*SETUPS])
async def test_a_fight_is_played_to_its_end_with_the_words_alone(system: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", clock=_noon) as wire:
        wire.number(_noon)
        sent: list[Sent] = []
        wire.watch = sent.append
        await wire.type("Gwen", f"/encounter start system:{system} name:Hall options:plain=on, npc_pools=exact")
        for who, line in SETUPS[system]:
            await wire.type(who, line)
        await wire.type("Ana", "/join character:Rhea")
        imported = await wire.send("Gwen", "map import", {"name": "Hall"}, files={"file": ("hall.txt", MAP.encode())})
        take = next(each for answer in imported for each in answer.components if each.get("label") == "Take it")
        await wire.press("Gwen", take["custom_id"])
        await wire.type("Gwen", "/board place target:Rhea, Ogre cells:B2, J7")
        await wire.type("Gwen", "/board door at:C5 do:open")
        await wire.type("Gwen", "/board door at:I7 do:open")
        await wire.type("Gwen", "/encounter begin")
        await wire.settle()
        sent.clear()
        reader = Reader(wire, await wire.tables.room_of("901", GUILD))
        for _ in range(MOST):
            acting = reader.waits_for()
            if acting is None or reader.fallen():
                break
            if reader.state.questions:
                await reader.answer()
            else:
                await TURNS[system](reader, acting, "Ogre" if acting == "Rhea" else "Rhea")
        assert len(reader.fallen()) == 1
        assert reader.refused > 0
        assert not any(each.files for each in sent)
        (told,) = await wire.type("Ana", "/board show text:True")
        read = Read(told.content.splitlines())
        fell = [name for name, other in read.others.items() if other.out]
        assert (fell or ["Rhea"]) == reader.fallen()
        assert ("Out." in told.content.splitlines()[1]) is (reader.fallen() == ["Rhea"])
