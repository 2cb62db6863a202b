"""What is said ahead by a press: *Pass this round*, one press to take it back, *Nobody else: go on*, *Come back*."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.posting.prompt_payload import prompt_payload
from bot.table.room import Room
from rules.core.registry import system_of
from tests.features.tables.fights import begun
from tests.wire import GUILD, PEOPLE, Sent, Wire, wired

SHEET = "INT 1, AGI 1, ATK 3, DEF 9, TIER 1, HP 12, SPD 5"


async def typed(wire: Wire, *lines: tuple[str, str]) -> Room:
    for who, text in lines:
        await wire.type(who, text)
    return await wire.tables.room_of("901", GUILD)


async def leaving(wire: Wire) -> Room:
    """The Ogre leaves squares that Rhea (Ana) and Pip (Bo) threaten: both are asked."""
    return await typed(
        wire,
        ("Gwen", "/encounter start system:tactics name:Road"),
        ("Ana", f"/character add name:Rhea system:tactics sheet:{SHEET}"),
        ("Ana", "/join"),
        ("Bo", f"/character add name:Pip system:tactics sheet:{SHEET}"),
        ("Bo", "/join"),
        ("Gwen", f"/gm add name:Ogre sheet:{SHEET}, KIND monster"),
        ("Gwen", "/board size size:12x12"),
        ("Gwen", "/board place target:Rhea cells:C3"),
        ("Gwen", "/board place target:Pip cells:C4"),
        ("Gwen", "/board place target:Ogre cells:D4"),
        ("Gwen", "/encounter begin"),
        ("Gwen", "/gm turn target:Ogre"),
        ("Gwen", "/act action:move using:Walk to:H4"),
    )


def on_prompt(wire: Wire, room: Room, label: str) -> str:
    """Return the custom id of the live prompt's button whose label begins so."""
    payload = prompt_payload(wire.tables.people, room, room.public_view())
    assert payload is not None
    buttons: list[dict[str, Any]] = [each for row in payload.components for each in row["components"]]
    return next(str(each["custom_id"]) for each in buttons if str(each.get("label")).startswith(label))


async def behind_react(wire: Wire, room: Room, who: str, label: str) -> str:
    """Return the custom id of a button that *React…* shows somebody in private."""
    (shown,) = await wire.press(who, on_prompt(wire, room, "React…"), private=False)
    assert shown.reader == PEOPLE[who]
    return next(str(each["custom_id"]) for each in shown.components if str(each.get("label")).startswith(label))


async def test_all_who_are_asked_share_two_buttons_and_react_shows_each_their_own(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        payload = prompt_payload(wire.tables.people, room, room.public_view())
        assert payload is not None
        rows = [[str(each["label"]) for each in row["components"]] for row in payload.components]
        assert rows[0][:2] == ["React…", "Let it pass"]
        assert len(rows) <= 3
        attack = await behind_react(wire, room, "Ana", "Opportunity attack")
        await wire.press("Ana", attack)
        assert room.encounter is not None
        assert [each.who for each in room.encounter.questions if not each.answered] == ["Pip"]
        (nothing,) = await wire.press("Gwen", on_prompt(wire, room, "React…"), private=False)
        assert [str(each["label"]) for each in nothing.components] == ["Nobody else: go on (GM)"]


async def test_the_receipt_of_a_pass_offers_the_whole_round(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        sent = await wire.press("Ana", on_prompt(wire, room, "Let it pass"), private=False)
        (receipt,) = [each for each in sent if each.reader == PEOPLE["Ana"]]
        (longer,) = [str(each["custom_id"]) for each in receipt.components if each.get("label") == "Pass this round"]
        await wire.press("Ana", longer)
        assert room.encounter is not None
        assert [(each.who, each.when) for each in room.encounter.orders] == [("Rhea", "this-round")]


async def test_let_it_pass_said_twice_is_heard_once(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        for words in ("Nobody else learns it", "You have said so already"):
            sent = await wire.press("Ana", on_prompt(wire, room, "Let it pass"), private=False)
            assert words in next(each.content for each in sent if each.reader == PEOPLE["Ana"])
            rows = await wire.tables.store.log("901")
        assert len([row for row in rows if "let-go" in row.command]) == 1


async def test_let_it_pass_asks_which_of_several_events_or_all(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        state = room.encounter
        assert state is not None
        first, other = state.questions
        more = first.evolve(id=90, window=first.window + 1, words="Another leaves: attack?")
        room.table = room.table.evolve(encounter=state.evolve(questions=(first, other, more)))
        (which,) = await wire.press("Ana", on_prompt(wire, room, "Let it pass"), private=False)
        ways = {str(each["label"]): str(each["custom_id"]) for each in which.components}
        assert list(ways) == [first.words, "Another leaves: attack?", "All of these"]
        await wire.press("Ana", ways["Another leaves: attack?"])
        open_still = [each.id for each in room.encounter.questions if not each.answered] if room.encounter else []
        assert open_still == [first.id, other.id]


async def test_pass_this_round_is_on_the_panel_and_one_press_takes_it_back(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        await wire.press("Ana", await behind_react(wire, room, "Ana", "Pass this round"))
        state = room.encounter
        assert state is not None
        assert [(each.who, each.when) for each in state.orders] == [("Rhea", "this-round")]
        (panel,) = await wire.type("Ana", "/turn")
        assert "In this round Rhea lets pass" in panel.content
        (others,) = await wire.type("Bo", "/turn")
        assert "lets pass" not in others.content
        cancel = next(each for each in panel.components if str(each.get("label")).startswith("Remove"))
        await wire.press("Ana", str(cancel["custom_id"]))
        assert room.encounter is not None
        assert room.encounter.orders == ()


async def test_nobody_else_go_on_is_the_gms_ruling_and_nobody_elses(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        go_on = await behind_react(wire, room, "Gwen", "Nobody else: go on")
        before = room.next_seq
        await wire.press("Bo", go_on)
        assert room.next_seq == before
        await wire.press("Gwen", go_on)
        state = room.encounter
        assert state is not None
        assert (state.questions, state.combatant("Ogre").cell) == ((), "H4")
        rows = await wire.tables.store.log("901", after=before - 1, limit=5)
        assert [row.ruling for row in rows] == [True]


@pytest.mark.parametrize("note", ["", " note:ask"])
async def test_one_who_delays_comes_back_by_a_press(note: str, tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await typed(
            wire,
            ("Gwen", "/encounter start system:classic name:Road"),
            ("Ana", "/init join result:20"),
            ("Bo", "/init join result:15"),
            ("Gwen", "/init add name:Ogre result:10"),
            ("Gwen", "/encounter begin"),
            ("Ana", f"/act action:delay{note}"),
        )
        if note:
            await wire.type("Bo", "/init next")
        await wire.press("Ana", on_prompt(wire, room, "Come back"), private=False)
        state = room.encounter
        assert state is not None
        assert "Ana" in system_of(state).turn_order(state)
        assert system_of(state).waits_for(state) == (("Ana",) if note else ("Bo",))


async def test_those_who_let_pass_are_asked_in_a_message_like_anybody_but_for_the_ping(tmp_path: Path) -> None:
    """Of the systems that ask at each attack the live prompt is edited instead: tests/e2e/outages/test_live_message."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        await wire.type("Gwen", "/encounter undo")
        for who in ("Ana", "Bo"):
            await wire.type(who, "/act action:let-go when:this-fight")
        await wire.settle()
        before = room.prompt.message
        assert before is not None
        sent: list[Sent] = []
        wire.watch = sent.append
        await wire.type("Gwen", "/act action:move using:Walk to:H4")
        await wire.settle()
        assert room.prompt.message not in (None, before)
        (asked,) = [each for each in sent if each.reader is None and "a question" in each.content]
        assert asked.content.startswith("Ana (Rhea), Bo (Pip), a question: Ogre leaves D4")
        assert asked.data["allowed_mentions"].get("users", []) == []


async def test_the_ahead_menu_orders_a_whole_action_in_one_press(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        await wire.type("Gwen", "/encounter undo")
        await wire.type("Gwen", "/gm next-phase")
        await wire.type("Gwen", "/gm turn target:Ogre")
        (panel,) = await wire.type("Ana", "/turn")
        (menu,) = [each for each in panel.components if str(each.get("placeholder")).startswith("Ahead")]
        entries = {str(each["label"]): str(each["value"]) for each in menu["options"]}
        assert len(entries) == len(set(entries.values())) <= 25
        assert "On my turn: Attack …" not in entries, "every way stands there"
        attack = next(label for label in entries if label.startswith("On my turn: Attack Ogre"))
        await wire.press("Ana", str(menu["custom_id"]), [entries[attack]])
        assert room.encounter is not None
        assert [(each.command.action, each.command.target, each.when) for each in room.encounter.orders] == [
            ("attack", "Ogre", "my-turn")
        ]
        (again,) = await wire.press("Ana", str(menu["custom_id"]), [entries[attack].rpartition("|")[0] + "|abcdef"])
        assert "/turn shows" in again.content


async def test_what_one_does_when_drawn_into_conflict_is_said_ahead_by_one_press(tmp_path: Path) -> None:
    sheet = "ZEAL 2, POISE 0, MINOR 2, SPEED 7"
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await typed(
            wire,
            ("Gwen", "/encounter start system:soulweaver name:Road"),
            ("Ana", f"/character add name:Rhea system:soulweaver sheet:{sheet}"),
            ("Ana", "/join"),
            ("Gwen", f"/gm add name:Hound sheet:{sheet}"),
            ("Gwen", "/encounter begin"),
        )
        (panel,) = await wire.type("Ana", "/turn")
        menu = next(each for each in panel.components if str(each.get("placeholder")).startswith("Ahead"))
        values = {str(each["label"]): str(each["value"]) for each in menu["options"]}
        assert {"If asked: Enter Conflict", "If asked: Stay out of Conflict", "If asked: React"} <= values.keys()
        (kept,) = await wire.press("Ana", str(menu["custom_id"]), [values["If asked: Enter Conflict"]])
        assert "If Rhea is asked: enter Conflict." in kept.content
        assert "Remove" in {str(each.get("label")) for each in kept.components}
        await wire.type("Gwen", "/gm turn target:Hound")
        await wire.press("Gwen", on_prompt(wire, room, "Attack Rhea: hits"), private=False)
        state = room.encounter
        assert state is not None
        assert (state.questions, state.orders) == ((), ())
        assert any("Rhea enters Conflict." in row.text for row in room.story)


@pytest.mark.parametrize("word", ["hit", "miss"])
async def test_what_the_gm_says_ahead_of_an_attack_counts_when_it_is_made_and_asks_nobody(
    word: str, tmp_path: Path
) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        sheet = "ZEAL 2, POISE 0, MINOR 2, SPEED 7"
        room = await typed(
            wire,
            ("Gwen", "/encounter start system:soulweaver name:Road"),
            ("Ana", f"/character add name:Rhea system:soulweaver sheet:{sheet}"),
            ("Ana", "/join"),
            ("Gwen", f"/gm add name:Hound sheet:{sheet}"),
            ("Gwen", "/encounter begin"),
            ("Gwen", "/gm turn target:Rhea"),
        )
        await wire.type("Gwen", f"/act action:{word} character:Soulweaver target:Rhea when:if-asked")
        state = room.encounter
        assert state is not None
        assert [order.command.action for order in state.orders] == [word]
        await wire.type("Ana", "/act action:attack target:Hound")
        await wire.settle()
        state = room.encounter
        assert state is not None
        assert any(row.text == f"Rhea against Hound: {word}." for row in room.story)
        assert state.orders == ()
        assert "Soulweaver" not in {question.who for question in state.questions}


async def test_the_menu_offers_ahead_what_somebody_may_be_asked(tmp_path: Path) -> None:
    offered = {
        "classic": set(),
        "tactics": {"Let go, this round", "Opportunity attack"},
        "adventurers": {"Take it, this round", "Evade"},
        "stones": set(),
        "beacon": {"Decline, this round", "React"},
        "soulweaver": {"Decline, this round", "React", "Enter Conflict", "Stay out of Conflict"},
    }
    for system, answers in offered.items():
        async with begun(system, tmp_path / system) as (wire, _):
            (panel,) = await wire.type("Ana", "/turn")
            menus = [each for each in panel.components if str(each.get("placeholder")).startswith("Ahead")]
            labels = {str(each["label"]) for menu in menus for each in menu["options"]}
            asked = {label.removeprefix("If asked: ") for label in labels if label.startswith("If asked: ")}
            longer = ("this turn", "this fight", "unless aimed at me")
            assert {each for each in asked if not each.endswith(longer)} == answers, system


async def test_a_crowded_panel_keeps_the_way_to_the_gms_work(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        await typed(
            wire,
            ("Gwen", "/encounter start system:soulweaver name:Road"),
            ("Gwen", "/gm add name:Wolf sheet:ZEAL 1, POISE 0, MINOR 2, SPEED 7 count:9"),
            ("Gwen", "/encounter begin"),
        )
        (panel,) = await wire.type("Gwen", "/turn")
        assert len(panel.data["components"]) == 5
        labels = [str(each.get("label") or each.get("placeholder")) for each in panel.components]
        assert "GM …" in labels
        assert any(each.startswith("Ahead") for each in labels)


def menu_of(page: Sent, head: str) -> tuple[str, dict[str, str]]:
    """Return the custom id of a page's menu, and its entries by their labels."""
    (menu,) = [each for each in page.components if str(each.get("placeholder")) == head]
    return str(menu["custom_id"]), {str(each["label"]): str(each["value"]) for each in menu["options"]}


async def test_all_that_a_round_may_ask_is_said_at_one_sitting_while_others_are_asked(tmp_path: Path) -> None:
    """The prompt asks Ana and Bo; each thing that Bo says ahead renews the page that *Ahead* has opened."""
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        (page,) = await wire.press("Bo", on_prompt(wire, room, "Ahead"), private=False)
        assert page.reader == PEOPLE["Bo"]
        menu, entries = menu_of(page, "On Pip's turn …")
        (page,) = await wire.press("Bo", menu, [entries["Skip"]])
        assert "When it is Pip's turn: skip." in page.content
        assert "Then, on Pip's turn …" in [each.get("placeholder") for each in page.components]
        menu, entries = menu_of(page, "If asked …")
        assert list(entries)[:2] == ["Opportunity attack", "Let go, this round"]
        passing = next(str(each["custom_id"]) for each in page.components if each.get("label") == "Pass this round")
        (page,) = await wire.press("Bo", passing)
        assert "In this round Pip lets pass" in page.content
        cancel = [str(each["custom_id"]) for each in page.components if str(each.get("label")).startswith("Remove")]
        assert len(cancel) == 2
        (page,) = await wire.press("Bo", cancel[0])
        assert room.encounter is not None
        assert [(each.who, each.when) for each in room.encounter.orders] == [("Pip", "this-round")]
        assert "turn: skip" not in page.content


async def test_after_ten_answers_no_menu_offers_another(tmp_path: Path) -> None:
    async with begun("tactics", tmp_path) as (wire, room):
        for count in range(11):
            (page,) = await wire.press("Ana", on_prompt(wire, room, "Ahead"), private=False)
            _, entries = menu_of(page, "If asked …")
            assert ("Opportunity attack" in entries) is (count < 10)
            (panel,) = await wire.type("Ana", "/turn")
            labels = [str(each["label"]) for part in panel.components for each in part.get("options", ())]
            assert ("If asked: Opportunity attack" in labels) is (count < 10)
            if count < 10:
                await wire.type("Ana", "/act action:opportunity when:if-asked")


async def test_pass_this_round_shows_what_else_may_be_said_ahead(tmp_path: Path) -> None:
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await leaving(wire)
        sent = await wire.press("Ana", await behind_react(wire, room, "Ana", "Pass this round"))
        (page,) = [each for each in sent if each.reader == PEOPLE["Ana"]]
        assert "On Rhea's turn …" in [each.get("placeholder") for each in page.components]
        assert not any("On Rhea's turn …" in str(each.data) for each in sent if each.reader is None)


async def test_a_turn_that_begins_with_a_draw_is_ordered_by_presses_too(tmp_path: Path) -> None:
    """Stones: nobody may see yet what the turn will draw, but all else of it is on the page (play 5)."""
    sheet = "HP 20, ATK 6, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical"
    async with wired(tmp_path / "referee.sqlite3") as wire:
        room = await typed(
            wire,
            ("Gwen", "/encounter start system:stones name:Road options:first=A"),
            ("Ana", f"/character add name:Rhea system:stones sheet:{sheet}"),
            ("Ana", "/join side:A"),
            ("Bo", f"/character add name:Pip system:stones sheet:{sheet}"),
            ("Bo", "/join side:B"),
            ("Gwen", "/encounter begin"),
        )
        await wire.settle()
        (page,) = await wire.press("Bo", on_prompt(wire, room, "Ahead"), private=False)
        assert "nothing to decide ahead" not in page.content
        for head, label in (("On Pip's turn …", "Attack Rhea"), ("Then, on Pip's turn …", "End turn")):
            menu, entries = menu_of(page, head)
            (page,) = await wire.press("Bo", menu, [entries[label]])
        state = room.encounter
        assert state is not None
        assert [(each.who, each.command.action) for each in state.orders] == [("Pip", "attack"), ("Pip", "end")]
        await wire.type("Ana", "/act action:end")
        await wire.settle()
        state = room.encounter
        assert state is not None
        assert (state.round, state.orders) == (2, ())
