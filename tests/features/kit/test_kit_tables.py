"""Kits through the whole bot: each way of handing out turns has its prompts, refusals, rules and undo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.local.tryit import kit_scripts
from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from rules.core.offer import Offer
from rules.core.registry import system_of
from rules.dice.verify import verify_export
from rules.kits.document import digest_of
from rules.kits.library import library
from tests.features.kit.kits import WAYS, player_of, seated
from tests.trust.stage.days import Later
from tests.wire import GUILD, PEOPLE, Sent, wired


def waits_for(room: Room) -> tuple[str, ...]:
    state = room.table.active
    return () if state is None else system_of(state).waits_for(state)


def typed(offer: Offer) -> str:
    given = (
        f" {each.name}:{(each.choices or (str(each.least or 'so'),))[0]}" for each in offer.params if each.required
    )
    return f"/act action:{offer.action} character:{offer.who}{''.join(given)}"


def offered(room: Room, who: str) -> Offer:
    """Return the first button of the prompt."""
    state = room.table.active
    assert state is not None
    return min(system_of(state).offers(state, who), key=lambda each: (not each.button_rank, each.button_rank))


@pytest.mark.parametrize("way", WAYS)
async def test_a_kit_is_played_through_the_bot_and_each_step_is_undone(way: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, WAYS[way])
        for _ in range(6):
            state = room.table.active
            assert state is not None
            waits = waits_for(room)
            prompt = prompt_payload(wire.tables.people, room, room.public_view())
            assert prompt is not None
            assert all(f"<@{PEOPLE[player_of(wire, room, who)]}>" in prompt.content for who in waits[:2])
            wire.refused = None
            await wire.type(player_of(wire, room, waits[0]), typed(offered(room, waits[0])))
            await wire.settle()
            assert wire.refused is None
            assert room.table.active != state
            after = room.table.active
            await wire.type("Gwen", "/encounter undo")
            assert room.table.active == state
            await wire.type("Gwen", "/encounter redo")
            assert room.table.active == after
            if room.table.active is None or room.table.active.over is not None:
                return


async def test_what_a_kit_of_the_library_types_to_be_tried_begins_a_fight(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await wire.tables.room_of("901", GUILD)
        for script in kit_scripts():
            if script.id.removeprefix("kit-") in WAYS.values():
                continue  # those are played above
            for line in script.lines:
                await wire.type(line.who, line.text)
                assert wire.refused is None, f"{script.id}: {line.text}"
            state = room.table.active
            assert state is not None
            assert (state.status, state.round) == ("running", 1), script.id
            assert waits_for(room), script.id
            await wire.type("Gwen", "/encounter end")


@pytest.mark.parametrize("kit", ["token-bag", "open-slots", "tick-clock"])
async def test_whose_turn_it_is_not_reads_the_kit_s_own_rule(kit: str, tmp_path: Path) -> None:
    clock = Later()
    async with wired(tmp_path / "referee.sqlite3", clock=clock) as wire:
        wire.number(clock)  # the same ids roll the same dice: on a clock all three may come to one tick
        room = await seated(wire, kit)
        waits = waits_for(room)
        other = next(who for who in ("Ayla", "Bran", "Ogre 1") if who not in waits)
        await wire.type(player_of(wire, room, other), f"/act action:end character:{other}")
        assert wire.refused is not None
        prefix = "".join(word[0] for word in kit.split("-")).upper()
        assert f"{prefix}-01" in wire.refused


async def test_a_secret_plan_leaves_the_bot_for_its_owner_alone(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "hidden-plans")
        heard: list[Sent] = []
        wire.watch = heard.append
        await wire.type("Ana", "/act action:lunge target:Ogre 1 amount:2")
        for line in ("/turn", "/encounter show", "/encounter log", "/encounter export"):
            for who in ("Bo", "Gwen"):
                await wire.type(who, line)
        await wire.settle()
        others = [sent for sent in heard if sent.reader != PEOPLE["Ana"]]
        assert any("Ayla has planned" in json.dumps(sent.data) for sent in others)
        for sent in others:
            whole = json.dumps(sent.data, ensure_ascii=False) + b"".join(file.data for file in sent.files).decode(
                "utf-8", "replace"
            )
            assert "Lunge 2" not in whole
            assert '"action": "lunge"' not in whole
        panel = await wire.type("Ana", "/turn")
        assert "Planned: Lunge 2 → Ogre 1" in json.dumps([each.data for each in panel], ensure_ascii=False)
        assert "Ayla" not in waits_for(room)


async def test_another_file_in_mid_fight_is_one_step_that_is_undone_and_verified(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "fast-slow")
        before = room.table.active
        text = library()["fast-slow"].source.replace("start = 12", "start = 9").replace('"fast-slow"', '"our-own"')
        text = text.replace("kit = 1", 'kit = 1\nprefix = "FS"', 1)
        files = {"file": ("ours.toml", text.encode())}
        sent = (await wire.send("Ana", "encounter options", {}, files=files))[-1]
        assert "GM" in sent.content  # a player may not
        sent = (await wire.send("Gwen", "encounter options", {}, files={"file": ("ours.toml", b"kit = 1\nidd = 2")}))[
            -1
        ]
        assert "Did you mean id?" in sent.content
        await wire.send("Gwen", "encounter options", {}, files=files)
        after = room.table.active
        assert after is not None
        assert after.combatant("Ayla").pools["HEALTH"].top == 9
        await wire.type("Gwen", "/encounter undo")
        assert room.table.active == before
        await wire.type("Gwen", "/encounter redo")
        assert room.table.active == after
        shown = (await wire.type("Gwen", "/encounter options"))[-1]
        assert (shown.files[0].name, shown.files[0].data) == ("our-own.toml", text.encode())
        waits = waits_for(room)
        await wire.type(player_of(wire, room, waits[0]), typed(offered(room, waits[0])))
        exported = (await wire.type("Gwen", "/encounter export"))[-1]
        content = json.loads(exported.files[0].data)
        assert content["kit"]["id"] == "our-own"
        assert content["kit"]["digest"] == digest_of(content["kit"]["file"])
        assert any(row["ruling"] and row["command"]["action"] == "encounter options" for row in content["log"])
        await wire.type("Gwen", "/encounter end")
        await wire.type("Gwen", "/fair reveal")
        shown = (await wire.type("Gwen", "/encounter export"))[-1]
        assert verify_export(json.loads(shown.files[0].data)).is_sound


@pytest.mark.parametrize("line", ["/gm damage target:Ogre 1 amount:2", "/gm skip target:Ayla", "/gm reveal target:Zyq"])
async def test_a_ruling_says_so_wherever_it_is_told(line: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "fast-slow")
        await wire.type("Gwen", "/gm add name:Zyq hidden:True")
        told = await wire.type("Gwen", line)
        assert any("⚖️ Ruling: " in json.dumps(sent.data, ensure_ascii=False) for sent in told), "to who ruled"
        prompt = prompt_payload(wire.tables.people, room, room.public_view(), room.story)
        assert prompt is not None
        assert "⚖️ Gwen" in prompt.content, "to everybody"


GM_FIRST = """kit = 1
id = "in-turn"
order = { type = "alternate", first = "GM" }
pool = { HP = { start = 9, out = true } }
[action]
poke = { ends = true, target = "foe", do = ["target loses 1 HP"] }
"""


async def test_the_earlier_of_two_orders_claims_a_turn_that_the_side_shares(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await wire.send("Gwen", "encounter start", {"name": "X"}, files={"file": ("t.toml", GM_FIRST.encode())})
        room = await seated(wire, "")
        assert set(waits_for(room)) == {"Ogre 1", "Ogre 2"}
        await wire.type("Bo", "/act action:poke target:Ogre 1 when:my-turn")
        await wire.type("Ana", "/act action:poke target:Ogre 2 when:my-turn")
        await wire.type("Gwen", "/act action:end character:Ogre 1")
        await wire.settle()
        state = room.table.active
        assert state is not None
        assert [state.combatant(f"Ogre {number}").pools["HP"].now for number in (1, 2)] == [8, 9], "the turn was one"
        assert waits_for(room) == ("Ogre 2",)
        await wire.type("Gwen", "/act action:end character:Ogre 2")
        await wire.settle()
        state = room.table.active
        assert state is not None
        assert state.combatant("Ogre 2").pools["HP"].now == 8, "and hers comes with the next one"
        assert state.round == 2


async def test_the_button_of_an_old_refusal_shows_the_rule_that_refused_then(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await seated(wire, "fast-slow")
        refused = (await wire.type("Gwen", "/act action:attack character:Ogre 1 target:Ayla"))[-1]
        (button,) = [each["custom_id"] for each in refused.components if "FS-0" in each["label"]]
        text = library()["fast-slow"].source
        for newer in ("Rounds have three parts.", "Rounds have two parts."):
            file = text.replace("A round has four parts: fast players, fast foes, slow players, slow foes.", newer)
            assert file != text
            await wire.send("Gwen", "encounter options", {}, files={"file": ("ours.toml", file.encode())})
        found = json.dumps((await wire.type("Gwen", "/rules search:FS-01"))[-1].data)
        assert "Rounds have two parts." in found
        assert "Fast and slow" in found, "whose words they are stands beside them"
        shown = json.dumps((await wire.press("Gwen", button))[-1].data)
        assert "A round has four parts" in shown
        assert "Rounds have" not in shown


@pytest.mark.parametrize("kit", ["high-first", "round-table", "card-ladder", "ten-less"])
async def test_init_next_ends_the_turn_as_its_button_does(kit: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, kit)
        for _ in range(3):  # within the round: undone dice fall anew
            (who,) = waits_for(room)
            await wire.type(player_of(wire, room, who), f"/act action:end character:{who}")
            ended = room.table.active
            await wire.type("Gwen", "/encounter undo")
            await wire.type("Gwen", "/init next")
            assert wire.refused is None
            assert room.table.active is not None
            assert ended is not None
            assert system_of(room.table.active).waits_for(room.table.active) == system_of(ended).waits_for(ended)


async def test_init_next_asks_whose_turn_is_meant_if_several_have_one(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await seated(wire, "fast-slow")
        await wire.type("Gwen", "/init next")
        assert wire.refused is not None
        assert "Add character: and one of Ayla, Bran." in wire.refused


async def test_a_paused_kit_resumes_at_the_same_point(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await seated(wire, "high-first")
        before = room.table.active
        assert before is not None
        await wire.type("Gwen", "/encounter pause")
        paused = (await wire.type("Gwen", "/turn"))[-1]
        assert "/encounter resume" in paused.content
        await wire.type("Gwen", "/encounter resume")
        after = room.table.active
        assert after is not None
        assert system_of(after).waits_for(after) == system_of(before).waits_for(before)
        await wire.type("Gwen", "/init next")
        assert wire.refused is None
