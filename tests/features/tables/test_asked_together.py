"""One person who acts for several is asked once: one message, one ping, one press for all, none or each (play 2).

An answer that is said twice is heard once: no row, no message for all, one private word (play 1 and 4).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.discord_numbers import Component
from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from rules.core.registry import system_of
from tests.features.tables.fights import begun, second_turn
from tests.wire import GUILD, PEOPLE, Sent, Wire, wired

RHEA = {
    "soulweaver": "ZEAL 6, POISE 2, MINOR 2, SPEED 9, GRIT 0",
    "adventurers": "STAMINA 30, WILLPOWER 4, SPECIALTIES Arm",
    "beacon": "HP 60, STRESS 8, MP 4, FOCUS 2/9, RECOVERIES 2, ARMOR 1, DODGE 2, ADEF 9, GRIT 2, SPEED 4, SIZE 1,"
    " SCOPE 10, SAVE 11, BULK 1, MIND 1, AGILITY 2",
    "tactics": "INT 1, AGI 2, ATK 3, DEF 9, TIER 1, HP 12, SPD 9",
}
RAT = {
    "soulweaver": "ZEAL 1, POISE 0, MINOR 2, SPEED 7, OPINION Rhea 2",
    "adventurers": "STAMINA 30, WILLPOWER 4, KIND boss, LEVEL 1, SPECIALTIES Arm",
    "beacon": "HP 60, DODGE 10, ADEF 10, GRIT 1, SPEED 4, SAVE 10, FOCUS 2/9, INITIATIVE 8, REACTIONS interpose",
    "tactics": "INT 0, AGI 2, ATK 3, DEF 9, TIER 1, HP 12, SPD 5, KIND monster",
}
CLAW = {
    "adventurers": "kind weapon; specialty Arm; damage 1; targets 9",
    "beacon": "activation FIGHT; reach 2; damage 1d6 physical; tags weapon",
}
ASKED: dict[str, tuple[tuple[str, str], ...]] = {
    "soulweaver": (),
    "adventurers": (
        ("Gwen", "/gm choose what:specialty value:Arm"),
        ("Gwen", "/gm turn target:Rhea"),
        ("Ana", f"/act action:attack target:{', '.join(f'Rat {at}' for at in range(1, 10))} using:Claw"),
    ),
    "beacon": (
        ("Ana", "/act action:plan note:brawl"),
        ("Ana", "/act action:begin"),
        ("Ana", "/act action:fight target:Rat 1 using:Claw"),
    ),
    "tactics": (
        ("Gwen", "/board size size:12x12"),
        ("Gwen", "/board place target:Rhea cells:E5"),
        *(
            ("Gwen", f"/board place target:Rat {at} cells:{cell}")
            for at, cell in enumerate(("D4", "E4", "F4", "D5", "F5", "D6", "E6", "D7", "F7"), 1)
        ),
        ("Gwen", "/gm turn target:Rhea"),
        ("Ana", "/act action:move using:Walk to:E5 F6 G7 H8"),
    ),
}
OPTIONS = {"adventurers": " options:difficulty=1"}
SAID = "You have said so already"
SHIELDS = """kit = 1
id = "shields"
order = { key = "{DEX}", ties = ["Players"] }
sheet = { DEX = 0 }
[pool]
HP = { start = 9, out = true }
[action.poke]
target = "foe"
do = ["target loses 1 HP"]
[reaction]
cover = { to = "targeted", for = "anyone", do = ["it is harder by 1"] }
"""
ALL = {"soulweaver": "Enter Conflict", "adventurers": "Evade", "beacon": "Decline", "tactics": "Opportunity attack"}
PRESSES = {
    "soulweaver": ("Enter Conflict …", "All"),
    "adventurers": ("Evade …", "All"),
    "beacon": ("Let it pass",),
    "tactics": ("Let it pass",),
}


def _noon() -> float:
    return 1_790_000_000.0


def _is_of(line: str, rats: int) -> bool:
    """Tell whether a line is about the rats that there are."""
    return not any(line.startswith(f"/board place target:Rat {at}") for at in range(rats + 1, 10))


async def asked(wire: Wire, system: str, sent: list[Sent], rats: int = 9) -> Room:
    """Bring nine rats of the GM to one question, or some. The dice are the same in each run."""
    wire.number(_noon)
    others = "".join(f", Rat {at}" for at in range(3, rats + 1))
    lines: Sequence[tuple[str, str]] = (
        ("Gwen", f"/encounter start system:{system} name:Cellar{OPTIONS.get(system, '')}"),
        ("Ana", f"/character add name:Rhea system:{system} sheet:{RHEA[system]}"),
        *((("Ana", f"/character ability name:Rhea ability:Claw fields:{CLAW[system]}"),) if system in CLAW else ()),
        ("Ana", "/join"),
        ("Gwen", f"/gm add name:Rat sheet:{RAT[system]} count:{rats}"),
        ("Gwen", "/encounter begin"),
        *(
            (who, line.replace(", Rat 3, Rat 4, Rat 5, Rat 6, Rat 7, Rat 8, Rat 9", others))
            for who, line in ASKED[system]
        ),
    )
    for who, line in (each for each in lines if _is_of(each[1], rats)):
        sent.clear()
        wire.watch = sent.append
        await wire.type(who, line)
        await wire.settle()
    return await wire.tables.room_of("901", GUILD)


def buttons(wire: Wire, room: Room) -> dict[str, str]:
    payload = prompt_payload(wire.tables.people, room, room.public_view())
    assert payload is not None
    return {str(each.get("label")): str(each["custom_id"]) for row in payload.components for each in row["components"]}


def waiting(room: Room) -> set[str]:
    assert room.encounter is not None
    return {each.who for each in room.encounter.questions if not each.answered and each.who.startswith("Rat")}


@pytest.mark.parametrize("system", sorted(ALL))
async def test_nine_rats_are_asked_in_one_message_and_answered_for_together(system: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", clock=_noon) as wire:
        sent: list[Sent] = []
        room = await asked(wire, system, sent)
        rats = waiting(room)
        assert len(rats) >= 5, rats
        (prompt,) = [each for each in sent if each.reader is None and "a question" in each.content]
        called = {PEOPLE["Ana" if system == "soulweaver" else "Gwen"]}  # there Gwen begins it herself
        assert set(prompt.data["allowed_mentions"]["users"]) == called
        shown = json.dumps([prompt.content, prompt.data["embeds"]], ensure_ascii=False)
        assert (shown.count("a question"), shown.count("❓")) in {(1, 0), (1, 1)}, "the same question is shown once"
        (panel,) = await wire.type("Gwen", "/turn")
        assert f"{ALL[system]} (all)" in {each.get("label") for each in panel.components}
        pressed, *then = PRESSES[system]
        on_prompt = buttons(wire, room)
        assert len(on_prompt) <= 10
        assert [label for label in on_prompt if "(Rat" in label] == [], "no button is one rat's own"
        answer = await wire.press("Gwen", on_prompt[pressed], private=False)
        for label in then:
            together = next(each for each in answer[-1].components if each.get("label") == label)
            answer = await wire.press("Gwen", str(together["custom_id"]))
        assert not rats & waiting(room)


@pytest.mark.parametrize("rats", [2, 9])
@pytest.mark.parametrize("system", sorted(ALL))
async def test_the_panel_has_all_answers_of_the_prompt_as_buttons_or_all_in_its_menu(
    system: str, rats: int, tmp_path: Path
) -> None:
    async with wired(tmp_path / "referee.sqlite3", clock=_noon) as wire:
        room = await asked(wire, system, [], rats)
        assert room.encounter is not None
        (panel,) = await wire.type("Gwen", "/turn")
        on_buttons, in_menus = set(), set()
        for who in waiting(room):
            (question,) = [each for each in room.encounter.questions if each.who == who]
            for choice in question.choices:
                for each in panel.components:
                    if each["type"] == Component.BUTTON and f"|{choice}|{who}" in str(each["custom_id"]):
                        on_buttons.add((choice, who))
                    if any(str(option["value"]).startswith(f"{choice}|{who}|") for option in each.get("options", ())):
                        in_menus.add((choice, who))
        assert on_buttons | in_menus
        if rats == 2:
            assert not in_menus, "what takes nothing is a button, whatever is said of it"
        else:
            assert not on_buttons, "eighteen answers have no room; none stands apart from the others"


async def test_what_an_answer_needs_is_told_with_the_question_if_it_is_a_button(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", clock=_noon) as wire:
        await asked(wire, "tactics", [], 2)
        (panel,) = await wire.type("Gwen", "/turn")
        asks = next(at for at, line in enumerate(panel.content.splitlines()) if line.startswith("❓"))
        assert "hits at 6 on 2d6" in panel.content.splitlines()[asks + 1]
    async with wired(tmp_path / "other.sqlite3", clock=_noon) as wire:
        await asked(wire, "adventurers", [], 2)
        (panel,) = await wire.type("Gwen", "/turn")
        assert panel.content.count("needs 5") == 1, "what the question says already is not said twice"


@pytest.mark.parametrize("system", sorted(set(ALL) - {"tactics"}))
async def test_one_of_nine_rats_answers_alone(system: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", clock=_noon) as wire:
        room = await asked(wire, system, [])
        rats = waiting(room)
        label = "React…" if system == "beacon" else f"{ALL[system]} …"  # a pass is for all, a reaction is not
        found = await wire.press("Gwen", buttons(wire, room)[label], private=False)
        entries = [(each, option) for each in found[-1].components for option in each.get("options", (each,))]
        menu, one = next((each, option) for each, option in entries if "(Rat 3)" in str(option.get("label")))
        await wire.press("Gwen", str(menu["custom_id"]), [str(one["value"])] if "value" in one else None)
        assert "Rat 3" in rats - waiting(room)
        assert system == "beacon" or len(waiting(room)) == len(rats) - 1


@pytest.mark.parametrize("system", sorted(ALL))
async def test_the_same_answer_said_twice_is_heard_once(system: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", clock=_noon) as wire:
        sent: list[Sent] = []
        room = await asked(wire, system, sent)
        assert room.encounter is not None
        question = next(each for each in room.encounter.questions if each.who in waiting(room) and not each.silent)
        default_answer = system_of(room.encounter).actions.default_command(room.encounter, question)
        assert default_answer is not None
        await wire.type("Gwen", f"/act action:{default_answer.action} character:{question.who}")
        await wire.settle()
        rows, state = await wire.tables.store.log("901"), room.encounter
        sent.clear()
        await wire.type("Gwen", f"/act action:{default_answer.action} character:{question.who}")
        await wire.settle()
        assert (await wire.tables.store.log("901"), room.encounter) == (rows, state)
        still_asked = question.id in {each.id for each in state.questions}
        assert [each.data["flags"] for each in sent] == [64], "a private word"
        assert (question.window > 0 and still_asked) == ("You have said so already" in sent[0].data["content"])


async def said_twice(wire: Wire, who: str, line: str) -> tuple[Sequence[Sent], bool]:
    """Type an answer twice; return what came of the second, and whether it changed anything."""
    await wire.type(who, line)
    await wire.settle()
    room = await wire.tables.room_of("901", GUILD)
    rows, state = await wire.tables.store.log("901"), room.encounter
    sent: list[Sent] = []
    wire.watch = sent.append
    await wire.type(who, line)
    await wire.settle()
    return sent, (await wire.tables.store.log("901"), room.encounter) != (rows, state)


def those_asked(room: Room) -> set[str]:
    assert room.encounter is not None
    return {each.who for each in room.encounter.questions}


async def kit_asks(wire: Wire) -> Room:
    """Let the Ogre poke Ayla: Ayla, Bran and Cora are asked."""
    await wire.send(
        "Gwen",
        "encounter start",
        {"name": "X", "options": "npc_pools=exact"},
        files={"file": ("mine.toml", SHIELDS.encode())},
    )
    for who, line in (
        ("Ana", "/init join name:Ayla"),
        ("Bo", "/init join name:Bran"),
        ("Gwen", "/gm add name:Ogre sheet:DEX 9"),
        ("Gwen", "/gm add name:Imp"),
        ("Gwen", "/encounter begin"),
        ("Gwen", "/act action:poke character:Ogre target:Ayla"),
    ):
        await wire.type(who, line)
    await wire.settle()
    return await wire.tables.room_of("901", GUILD)


@pytest.mark.parametrize("answer", ["cover", "decline"])
@pytest.mark.parametrize(("who", "actor"), [("Ana", "Ayla"), ("Bo", "Bran"), ("Gwen", "Imp")])
async def test_the_same_answer_said_twice_is_heard_once_in_a_kit(
    who: str, actor: str, answer: str, tmp_path: Path
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await kit_asks(wire)
        assert {"Ayla", "Bran", "Imp"} <= those_asked(room)
        sent, is_changed = await said_twice(wire, who, f"/act action:{answer} character:{actor}")
        assert not is_changed
        # A reaction counts at once, so that nobody is asked for it again; a pass waits till all have answered.
        words = SAID if answer == "decline" else actor
        assert [(each.data["flags"], words in each.data["content"]) for each in sent] == [(64, True)]


async def test_nine_are_asked_in_one_message_and_one_press_answers_for_all_in_a_kit(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3", clock=_noon) as wire:
        sent: list[Sent] = []
        await wire.send(
            "Gwen",
            "encounter start",
            {"name": "X", "options": "npc_pools=exact"},
            files={"file": ("mine.toml", SHIELDS.encode())},
        )
        for who, line in (
            ("Ana", "/init join name:Ayla result:20"),
            ("Gwen", "/gm add name:Rat count:9"),
            ("Gwen", "/encounter begin"),
            ("Ana", "/act action:poke character:Ayla target:Rat 1"),
        ):
            sent.clear()
            wire.watch = sent.append
            await wire.type(who, line)
            await wire.settle()
        room = await wire.tables.room_of("901", GUILD)
        assert len(waiting(room)) == 9
        (prompt,) = [each for each in sent if each.reader is None and "a question" in each.content]
        assert prompt.data["allowed_mentions"]["users"] == [PEOPLE["Gwen"]]
        assert str(prompt.data["embeds"]).count("❓") == 0, "the first line has said it"
        await wire.press("Gwen", buttons(wire, room)["Let it pass"], private=False)
        await wire.settle()
        assert waiting(room) == set()
        assert "Rat 1: HP 9 → 8" in " ".join(row.text for row in room.story)


@pytest.mark.parametrize("answer", ["hit", "miss"])
async def test_the_gm_s_sealed_hit_said_twice_is_heard_once(answer: str, tmp_path: Path) -> None:
    async with begun("soulweaver", tmp_path) as (wire, room):
        await second_turn(wire, room, "Sella")
        await wire.type("Ana", "/act action:attack character:Sella target:Hound")
        await wire.settle()
        assert {"Soulweaver", "Orrin"} <= those_asked(room), "the GM decides while others may react"
        sent, is_changed = await said_twice(wire, "Gwen", f"/act action:{answer} character:Soulweaver")
        assert not is_changed
        assert [(each.data["flags"], SAID in each.data["content"]) for each in sent] == [(64, True)]


async def test_what_stones_leave_to_the_gm_is_done_once(tmp_path: Path) -> None:
    sheet = "HP 20, ATK 6, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical"
    async with wired(tmp_path / "referee.sqlite3") as wire:
        for who, line in (
            ("Gwen", "/encounter start system:stones name:Quarry options:first=A"),
            ("Ana", f"/character add name:Ayla sheet:{sheet} system:stones"),
            (
                "Ana",
                "/character ability name:Ayla ability:Song fields:card offensive; cost 0; range any; text [Draw]",
            ),
            ("Ana", "/join character:Ayla side:A"),
            ("Bo", f"/character add name:Borr sheet:{sheet} system:stones"),
            ("Bo", "/join character:Borr side:B"),
            ("Gwen", "/encounter begin"),
            ("Ana", "/act action:ability using:Song target:Borr"),
        ):
            await wire.type(who, line)
            await wire.settle()
        room = await wire.tables.room_of("901", GUILD)
        assert "the GM" in those_asked(room)
        sent, is_changed = await said_twice(wire, "Gwen", "/act action:by-hand")
        assert not is_changed
        assert [each.data["flags"] for each in sent] == [64]


@pytest.mark.parametrize(
    ("system", "who"),
    [
        *((each, "Ana") for each in ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics")),
        *((each, "Gwen") for each in ("adventurers", "beacon", "classic", "soulweaver", "tactics")),
    ],
)
async def test_a_roll_that_was_asked_is_rolled_once(system: str, who: str, tmp_path: Path) -> None:
    async with begun(system, tmp_path) as (wire, room):
        await wire.type("Gwen", "/gm ask dice:1d20 who:all reason:Perception")
        await wire.settle()
        panel = (await wire.type(who, "/turn"))[-1]
        roll = next(str(each["custom_id"]) for each in panel.components if "Perception" in str(each.get("label")))
        await wire.press(who, roll)
        await wire.settle()
        rows, state = await wire.tables.store.log("901"), room.encounter
        assert state is not None
        assert [len(each.results) for each in state.asks] == [1]
        sent = await wire.press(who, roll)
        await wire.settle()
        assert (await wire.tables.store.log("901"), room.encounter) == (rows, state)
        assert [each.reader for each in sent] == [PEOPLE[who]], [each.data for each in sent]
