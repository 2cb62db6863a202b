"""What was found in playing, one test for each finding (issue 18, point 5)."""

from __future__ import annotations

from pathlib import Path

from tests.features.tables.fights import begun, fight, second_turn, waits_for
from tests.wire import PEOPLE, Sent, wired


async def test_a_redo_lists_its_steps_as_they_happened(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        hurt, healed = "/gm damage target:Goblin amount:1", "/gm heal target:Goblin amount:1"
        await fight(wire, "/init next", hurt, healed, options=" options:npc_pools=exact")
        await wire.type("Gwen", "/encounter undo steps:2")
        said = " ".join(each.content for each in await wire.type("Gwen", "/encounter redo steps:2"))
        assert 0 < said.index("HP 7 → 6") < said.index("HP 6 → 7"), said


async def test_an_order_reads_as_people_call_it(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await fight(wire, "/init next")
        (said,) = await wire.type("Bo", "/act action:next when:my-turn")
        assert "When it is Borr's turn: end turn." in said.content
        panel = (await wire.type("Bo", "/turn"))[0]
        assert "When it is Borr's turn: end turn." in panel.content


async def test_a_turn_that_an_order_takes_pings_nobody(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next")
        await wire.type("Bo", "/act action:next when:my-turn")
        sent: list[Sent] = []
        await wire.type("Ana", "/init next")  # Rex
        wire.watch = sent.append
        await wire.type("Ana", "/init next")  # Mirre; then Borr by the order, then the Goblin
        await wire.settle()
        assert waits_for(room) == ("Goblin",)
        pinged = {user for each in sent for user in each.data.get("allowed_mentions", {}).get("users", ())}
        assert PEOPLE["Bo"] not in pinged
        assert PEOPLE["Gwen"] in pinged, [(each.reader, each.data) for each in sent]


async def test_a_skip_of_who_has_acted_is_refused(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next")
        await wire.type("Ana", "/init next")
        before = room.next_seq
        (said,) = await wire.type("Gwen", "/gm skip target:Rex")
        assert room.next_seq == before
        assert "no turn left to skip" in said.content


async def test_react_asks_which_reaction_and_a_tap_alone_spends_nothing(tmp_path: Path) -> None:
    async with begun("soulweaver", tmp_path) as (wire, room):
        await second_turn(wire, room, "Hound")
        await wire.type("Gwen", "/act action:attack character:Hound target:Sella")
        await wire.settle()
        before = room.next_seq
        panel = (await wire.type("Ana", "/turn"))[-1]
        react = panel.components[0]  # what is asked is answered first
        assert str(react.get("label")).startswith("React")
        assert "Major 1/1" in panel.content, "a bar for each pool would wrap away from its name"
        (form,) = await wire.press("Ana", react["custom_id"])
        assert form.form
        (refused,) = await wire.submit("Ana", str(form.data["custom_id"]), {})
        assert "React needs what" in refused.content
        assert room.next_seq == before
        await wire.submit("Ana", str(form.data["custom_id"]), {"note": "duck"})
        assert room.next_seq > before


async def test_a_gm_who_has_not_typed_yet_is_called_by_their_name(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next", "/encounter gm user:Cai")
        assert room.encounter is not None
        assert room.encounter.people[PEOPLE["Cai"]] == "Cai"


async def test_a_turn_is_skipped_by_its_players_name(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next", "/init next", "/init next")
        assert waits_for(room) == ("Borr",)
        await wire.type("Gwen", "/gm skip target:Bo")
        assert waits_for(room) == ("Goblin",)
        (said,) = await wire.type("Gwen", "/gm skip target:Ana")
        assert "Ana plays more than one." in said.content


async def test_a_ruling_that_names_its_gm_says_the_name_once(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await fight(wire, "/init next", "/gm ask who:Rex dice:1d20", "/gm damage target:Goblin amount:1")
        told = [row.text for row in room.story]
        assert any(text.startswith("⚖️ Gwen asks ") for text in told), told
        assert any(text.startswith("⚖️ Gwen: Goblin: ") for text in told), told


async def test_reminders_that_would_end_in_no_known_way_are_refused_in_a_sentence(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await fight(wire, "/init next")
        (said,) = await wire.send("Gwen", "remind turns", {"after": "8h", "then": ""})
        assert "then: gm, skip, nothing." in said.content, said.content
