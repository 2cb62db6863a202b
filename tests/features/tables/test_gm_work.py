"""The GM's panel has the GM's work as buttons: for several at once, with amounts as dice (play 3)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot import custom_ids
from bot.table.room import Room
from rules.core.blows.calling import CALL
from rules.core.registry import systems
from tests.features.tables.fights import begun, fight, play_on, waits_for
from tests.features.tables.panel import labelled, labels, opened
from tests.wire import GUILD, PEOPLE, Sent, Wire, wired


def whom(sent: Sent, *names: str) -> list[str]:
    """Return what a select of creatures gives for these."""
    values = [str(each["value"]) for each in sent.components[0]["options"] if each["label"] in names]
    assert len(values) == len(names)
    return values


async def filled_in(wire: Wire, what: str, *names: str, **fields: str) -> list[Sent]:
    """Open a form of the GM's work and send it; return the answers."""
    (form,) = await wire.press("Gwen", labelled(await opened(wire), what))
    assert form.form
    return await wire.submit("Gwen", str(form.data["custom_id"]), {"whom": whom(form, *names), **fields})


def hp(room: Room, who: str) -> int:
    assert room.encounter is not None
    return room.encounter.combatant(who).pools["HP"].now


async def test_one_form_hurts_several_by_dice(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init add name:Wolf count:2 hp:9 result:5", "/init next")
        answers = await filled_in(wire, "Damage", "Wolf 1", "Wolf 2", amount="1d4+2", type="fire")
        await wire.settle()
        assert hp(room, "Wolf 1") == hp(room, "Wolf 2") < 9
        assert hp(room, "Goblin") == 7
        assert any(each.startswith("GM …") for each in labels(answers[-1])), "the panel is renewed in place"


async def test_the_fallen_leave_with_one_press(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init add name:Wolf count:2 hp:9 result:5", "/init next")
        await wire.type("Gwen", "/gm damage target:Wolf 1, Goblin amount:9")
        work = await opened(wire)
        assert "Down: Goblin and Wolf 1." in work.content
        await wire.press("Gwen", labelled(work, "Remove the 2 who are down"))
        assert room.encounter is not None
        assert {"Goblin", "Wolf 1"}.isdisjoint(room.encounter.names)
        assert "Wolf 2" in room.encounter.names


@pytest.mark.parametrize("system", ["classic", "beacon"])
async def test_a_fallen_creature_asks_for_no_turn_and_may_be_kept(system: str, tmp_path: Path) -> None:
    async with begun(system, tmp_path) as (wire, room):
        assert room.encounter is not None
        foe = next(each.name for each in room.encounter.combatants if each.owner is None)
        await wire.type("Gwen", f"/gm damage target:{foe} amount:500")
        (panel,) = await wire.type("Gwen", "/turn")
        assert f"GM … ({foe} down)" in labels(panel)
        (work,) = await wire.press("Gwen", labelled(panel, f"GM … ({foe} down)"))
        assert {f"Remove {foe}", f"Keep {foe}"} <= {*labels(work)}
        assert foe not in waits_for(room)
        await wire.press("Gwen", labelled(work, f"Keep {foe}"))
        (panel,) = await wire.type("Gwen", "/turn")
        assert "GM …" in labels(panel)


FOE = {
    "adventurers": "STAMINA 3, WILLPOWER 4, KIND enemy, SPECIALTIES Arm",
    "beacon": "HP 6, DODGE 10, ADEF 10, GRIT 1, SPEED 4, SAVE 10, INITIATIVE 8",
    "classic": "HP 6",
    "soulweaver": "ZEAL 1, POISE 0, MINOR 2, SPEED 7, OPINION Sella 2",
    "stones": "HP 6, ATK 6, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical",
    "tactics": "INT 0, AGI 2, ATK 3, DEF 9, TIER 1, HP 6, SPD 5, KIND monster",
}
FELLED = {"soulweaver": "/condition add target:Rat name:Dead"}  # who runs out of Zeal there is not down


@pytest.mark.parametrize("system", sorted(systems()))
async def test_the_gm_reads_of_a_fallen_creature_where_it_falls_and_it_has_no_turn(system: str, tmp_path: Path) -> None:
    rng = random.Random(7)
    async with begun(system, tmp_path) as (wire, room):
        more = " side:South" if system == "stones" else ""
        await wire.type("Gwen", f"/gm add name:Rat sheet:{FOE[system]}{more}")
        sent: list[Sent] = []
        wire.watch = sent.append
        await wire.type("Gwen", FELLED.get(system, "/gm damage target:Rat amount:500"))
        await wire.settle()
        (word,) = (each for each in sent if each.reader == PEOPLE["Gwen"])
        assert "Rat is down" in word.content
        assert all("Rat is down" not in each.content for each in sent if each.reader != PEOPLE["Gwen"])
        can_stay = systems()[system].kept_by is not None
        assert [*labels(word), *([] if can_stay else ["Keep Rat"])] == ["Remove Rat", "Keep Rat"]
        for _ in range(20):
            assert "Rat" not in waits_for(room), "a corpse has no turn and is asked nothing"
            if not await play_on(wire, room, rng):
                break
        (panel,) = await wire.type("Gwen", "/turn")
        (work,) = await wire.press("Gwen", labelled(panel, next(each for each in labels(panel) if "Rat" in each)))
        await wire.press("Gwen", labelled(work, "Remove Rat"))
        assert room.encounter is not None
        assert "Rat" not in room.encounter.names


async def test_next_skip_undo_and_pause_are_one_press_each(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next")
        assert waits_for(room) == ("Rex",)
        await wire.press("Gwen", labelled(await opened(wire), "Next"))
        assert waits_for(room) == ("Mirre",)
        await wire.press("Gwen", labelled(await opened(wire), "Undo"))
        assert waits_for(room) == ("Rex",)
        await wire.type("Ana", "/init next")
        assert waits_for(room) == ("Mirre",)
        (asked,) = await wire.press("Gwen", labelled(await opened(wire), "Undo"))
        assert "Rex" in asked.content
        assert waits_for(room) == ("Mirre",), "what somebody else did is asked about first"
        await wire.press("Gwen", labelled(asked, "Take it back"))
        assert waits_for(room) == ("Rex",)
        (select,) = await wire.press("Gwen", labelled(await opened(wire), "Skip"))
        await wire.press("Gwen", str(select.components[0]["custom_id"]), whom(select, "Rex"))
        assert waits_for(room) == ("Mirre",)
        await wire.press("Gwen", labelled(await opened(wire), "Pause"))
        assert room.table.active is None


async def test_a_condition_and_a_newcomer_come_by_forms(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next")
        await filled_in(wire, "Condition", "Goblin", name="Burn", duration="2")
        assert room.encounter is not None
        assert room.encounter.combatant("Goblin").has("Burn")
        (form,) = await wire.press("Gwen", labelled(await opened(wire), "Add"))
        await wire.submit("Gwen", str(form.data["custom_id"]), {"name": "Rat", "count": "2", "sheet": "HP 3"})
        assert {"Rat 1", "Rat 2"} <= {*room.encounter.names}


async def test_a_form_outlives_what_others_do_meanwhile(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next")
        (form,) = await wire.press("Gwen", labelled(await opened(wire), "Damage"))
        await wire.type("Ana", "/init next")
        await wire.type("Gwen", "/gm add name:Bat sheet:HP 2")
        given: dict[str, str | list[str]] = {"whom": whom(form, "Goblin"), "amount": "3"}
        await wire.submit("Gwen", str(form.data["custom_id"]), given)
        assert hp(room, "Goblin") == 4
        await wire.type("Gwen", "/gm remove target:Goblin")
        before = room.next_seq
        (refused,) = await wire.submit("Gwen", str(form.data["custom_id"]), given)
        assert "Goblin" in refused.content
        (unsaid,) = await wire.submit("Gwen", str(form.data["custom_id"]), {"amount": "3"})
        assert unsaid.reader == PEOPLE["Gwen"]
        assert room.next_seq == before


async def test_nobody_else_has_the_gms_buttons(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next")
        work = await opened(wire)
        (panel,) = await wire.type("Ana", "/turn")
        assert "GM …" not in labels(panel)
        before = room.next_seq
        (refused,) = await wire.press("Ana", labelled(work, "Pause"))
        assert room.next_seq == before
        assert "Only the encounter's GM can do that." in refused.content


@pytest.mark.parametrize("line", ["/gm add name:Ogre", "/encounter begin"])
async def test_without_an_encounter_the_refusal_says_how_to_open_one(line: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        (refused,) = await wire.type("Gwen", line)
        assert "/init start" in refused.content


@pytest.mark.parametrize("system", sorted(systems()))
async def test_the_gms_panel_and_work_are_sendable_everywhere(system: str, tmp_path: Path) -> None:
    async with begun(system, tmp_path) as (wire, _room):
        work = await opened(wire)
        assert {"Damage", "Heal", "Condition", "Add", "Next", "Skip", "Undo", "Pause"} <= {*labels(work)}
        assert all(len(row["components"]) <= 5 for row in work.data["components"])
        (form,) = await wire.press("Gwen", labelled(work, "Damage"))
        assert form.form
        assert form.reader == PEOPLE["Gwen"]


def test_no_two_kinds_of_custom_ids_share_a_letter() -> None:
    found = {
        name: value
        for name, value in vars(custom_ids).items()
        if name.isupper() and isinstance(value, str) and len(value) == 1
        # what a press of these two does is the first of its parts
        if not name.startswith(("CAST_", "CHARACTER_"))
    }
    assert len(set(found.values())) == len(found), found


@pytest.mark.parametrize("system", ["beacon", "classic", "soulweaver"])
async def test_a_given_turn_becomes_one_besides_by_one_press(system: str, tmp_path: Path) -> None:
    async with begun(system, tmp_path) as (wire, room):
        assert room.encounter is not None
        rules = systems()[system]
        before = room.encounter
        turn = waits_for(room)
        foe = next(each.name for each in before.combatants if each.owner is None and each.name not in turn)
        assert not rules.is_done(before, foe)
        answers = await wire.type("Gwen", f"/gm turn target:{foe}")
        (found,) = (each for each in answers if "An extra turn" in labels(each))
        assert found.reader is not None, "it is the GM's alone"
        await wire.press("Gwen", labelled(found, "An extra turn"))
        assert foe in waits_for(room)
        ending = "next" if system == "classic" else "end"
        await wire.type("Gwen", f"/act action:{ending} character:{foe}")
        assert rules.is_done(room.encounter, foe) is False
        assert waits_for(room) == turn, "whose turn it was goes on"


async def test_a_turn_besides_comes_only_right_after_the_turn_that_it_replaces(tmp_path: Path) -> None:
    async with begun("classic", tmp_path) as (wire, room):
        assert room.encounter is not None
        answers = await wire.type("Gwen", "/gm turn target:Goblin 2")
        button = labelled(next(each for each in answers if "An extra turn" in labels(each)), "An extra turn")
        await wire.type("Gwen", "/gm damage target:Goblin 2 amount:1")
        held = room.encounter
        await wire.press("Gwen", button)
        assert room.encounter == held


async def test_what_no_rule_carries_out_waits_for_the_gm_with_a_button(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Cai", "/character add name:Bard sheet:HP 9")
        await wire.type("Cai", "/character ability name:Bard ability:Song fields:Everybody who hears it weeps")
        room = await fight(wire)
        await wire.type("Cai", "/join character:Bard")
        await wire.type("Gwen", "/gm set target:Bard pool:initiative value:40")
        await wire.type("Gwen", "/init next")
        await wire.type("Cai", "/act action:use using:Song")
        assert room.encounter is not None
        await wire.settle()
        assert [each.text for each in room.encounter.todo] == ["Everybody who hears it weeps"]
        (panel,) = await wire.type("Gwen", "/turn")
        (work,) = await wire.press("Gwen", labelled(panel, "GM … (1 to settle)"))
        assert "Everybody who hears it weeps" in work.content
        await wire.press("Gwen", labelled(work, "Done: 1"))
        assert room.encounter.todo == ()
        before = room.next_seq
        await wire.press("Gwen", labelled(work, "Done: 1"))
        assert room.next_seq == before, "a late press settles nothing"


async def test_a_line_of_the_to_do_opens_the_form_that_settles_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Cai", "/character add name:Bard sheet:HP 9")
        words = "Whenever it sings, the target takes 1d1+2 fire damage"
        await wire.type("Cai", f"/character ability name:Bard ability:Song fields:+50 to hit; {words}; The moon hums")
        room = await fight(wire)
        await wire.type("Cai", "/join character:Bard")
        await wire.type("Gwen", "/gm set target:Bard pool:initiative value:40")
        await wire.type("Gwen", "/init next")
        await wire.type("Cai", "/act action:attack using:Song target:Goblin")
        await wire.type("Gwen", "/act action:hit amount:0")
        await wire.settle()
        before = hp(room, "Goblin")
        (work,) = await wire.press("Gwen", labelled(await opened(wire), "To settle …"))
        (form,) = await wire.press("Gwen", labelled(work, "Damage 1d1+2 fire"))
        whom_first, *texts = form.components
        assert [each["value"] for each in whom_first["options"] if each.get("default")] == ["Goblin"]
        values = {"whom": ["Goblin"], **{each["custom_id"]: each["value"] for each in texts}}
        assert values == {"whom": ["Goblin"], "amount": "1d1+2", "type": "fire"}
        await wire.submit("Gwen", str(form.data["custom_id"]), values)
        assert hp(room, "Goblin") == before - 3
        assert room.encounter is not None
        assert [each.text for each in room.encounter.todo] == ["The moon hums"], "what was sent has settled its line"
        await wire.submit("Gwen", str(form.data["custom_id"]), values)
        assert hp(room, "Goblin") == before - 6, "once more is damage alone"
        (work,) = await wire.press("Gwen", labelled(await opened(wire), "To settle …"))
        await wire.press("Gwen", labelled(work, "Stop asking: 1"))
        assert (room.encounter.todo, room.encounter.unasked) == ((), (("Song", "The moon hums"),))
        (work,) = await wire.press("Gwen", labelled(await opened(wire), "To settle …"))
        await wire.press("Gwen", labelled(work, "Ask again (1)"))
        assert room.encounter.unasked == ()


BURST = "Death Burst: When the mephit dies, it explodes. Each creature within 5 feet takes 3 fire damage."


def calls(sent: Sent) -> dict[str, tuple[str, str, str]]:
    """Return what a menu calls: by its label the select, the value, and what is said below it."""
    return {
        each["label"]: (str(select["custom_id"]), str(each["value"]), each.get("description", ""))
        for select in sent.components
        for each in select.get("options", [])
        if each["label"].startswith("Call ")
    }


async def test_the_fallen_burst_by_the_gms_menu_and_undo_takes_it_back(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, f"/gm add name:Mephit sheet:HP 5, AC 12, {BURST}", "/init next")
        for name in ("Rex", "Borr"):
            await wire.type("Gwen", f"/gm set target:{name} pool:HP value:8/8")
        (panel,) = await wire.type("Gwen", "/turn")
        assert not calls(panel)
        await wire.type("Gwen", "/gm damage target:Mephit amount:9")
        (panel,) = await wire.type("Gwen", "/turn")
        first, *_ = calls(panel).items()
        label, (select, value, below) = first
        assert all(name in label for name in ("Death Burst", "Rex", "Mirre", "Borr"))
        assert "when the mephit dies" in below
        await wire.press("Gwen", select, [value])
        await wire.settle()
        assert _health(room) == [5, 6, 5]
        await wire.type("Gwen", "/encounter undo")
        await wire.settle()
        assert _health(room) == [8, 9, 8]


HERO = {
    "adventurers": "STAMINA 20, WILLPOWER 10, SPECIALTIES Arm",
    "beacon": "HP 12, DODGE 10, ADEF 10, GRIT 1, SPEED 4, SAVE 10",
    "classic": "HP 9, AC 12",
    "soulweaver": "ZEAL 1, POISE 0, MINOR 2, SPEED 7",
    "tactics": "INT 0, AGI 2, ATK 3, DEF 9, TIER 1, HP 6, SPD 5",
}
REBUKES = {
    "adventurers": "When an enemy speaks, it loses 2 Stamina",
    "soulweaver": "When an enemy speaks, it is Frightened for 2 rounds",
}


@pytest.mark.parametrize("system", sorted(name for name, each in systems().items() if CALL in each.actions.by_id))
async def test_every_panel_opens_while_a_player_calls_a_moment(system: str, tmp_path: Path) -> None:
    """Rule: G-12."""
    rebuke = REBUKES.get(system, "When an enemy hits me, it takes 3 damage")
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.type("Gwen", f"/encounter start system:{system} options:hands=gm")
        await wire.type("Gwen", f"/gm add name:Rat sheet:{FOE[system]}")
        await wire.type("Ana", f"/character add name:Rhea sheet:{HERO[system]}")
        await wire.type("Ana", f"/character ability name:Rhea ability:Rebuke fields:{rebuke}")
        await wire.type("Ana", "/join character:Rhea")
        await wire.type("Gwen", "/encounter begin")
        room = await wire.tables.room_of("901", GUILD)
        assert room.encounter is not None
        before = room.encounter.combatant("Rat")
        await wire.type("Ana", "/act action:call using:Rebuke target:Rat")
        await wire.type("Ana", "/turn")
        (panel,) = await wire.type("Gwen", "/turn")
        assert {"It has come", "It has not"} <= {*labels(panel)}
        await wire.type("Gwen", "/encounter undo")
        await wire.type("Ana", "/act action:call using:Rebuke target:Rat")
        assert room.encounter.combatant("Rat") == before
        (panel,) = await wire.type("Gwen", "/turn")
        await wire.press("Gwen", labelled(panel, "It has come"))
        rat = room.encounter.combatant("Rat")
        assert (rat.pools, rat.conditions) != (before.pools, before.conditions)
        await wire.type("Ana", "/act action:call using:Rebuke target:Rat")
        await wire.type("Gwen", "/gm remove target:Rat")
        assert room.encounter.blows == () or not room.encounter.blows[0].is_open


def _health(room: Room) -> list[int]:
    assert room.encounter is not None
    return [room.encounter.combatant(name).pools["HP"].now for name in ("Rex", "Mirre", "Borr")]
