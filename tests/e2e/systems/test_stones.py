"""Speaking Stones through the real client: whole games by thumbs, and an ear at everybody's door."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.discord.client import RefereeClient
from rules.dice.verify import verify_export
from tests.e2e.loopback import Seat, Table, local_table
from tests.e2e.referee import export, prompts, quiet, referee_at, refereed, told
from tests.e2e.systems.stones_table import OPTIONS, StonesTable, taps

MOST_TAPS = 160
STURDY = "HP 40, ATK 5, ARM 1, MOV 4, RNG 20, CRT 30, TYPE Physical"
GUESSED = ("Ash 1", "Brine 2")
LEDGER_SHEET = "HP 20, ATK 6, ARM 2, MOV 4, RNG 1, CRT 20, TYPE Physical"
SEARING = "card offensive; element Fire; cost 3; text [Standard Attack], [On 1-50] adds [Burn]"


async def ledger_duel(world: Table, client: RefereeClient, stones: str, options: str = "") -> tuple[Seat, Seat, Seat]:
    """Seat Ayla (Ana, side A) against Borr (Bo, side B) with Fire stones of these counts alone, and begin."""
    gwen, ana, bo = (world.person(name) for name in ("Gwen", "Ana", "Bo"))
    more = f", {options}" if options else ""
    await gwen.slash(f"/encounter start system:stones name:Duel options:first=A, elements=Fire, stones={stones}{more}")
    await ana.slash(f"/character add name:Ayla sheet:{LEDGER_SHEET} system:stones")
    await ana.slash(f"/character ability name:Ayla ability:Searing Blow fields:{SEARING}")
    await bo.slash(f"/character add name:Borr sheet:{LEDGER_SHEET} system:stones")
    await ana.slash("/join character:Ayla side:A")
    await bo.slash("/join character:Borr side:B")
    await gwen.slash("/encounter begin")
    await quiet(world, client)
    return gwen, ana, bo


async def test_the_ledgers_example_typed_as_it_stands(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = await ledger_duel(world, client, "0/20/0/0/0", "physical_dice=on")
        await ana.slash("/act action:begin")
        await ana.slash("/act action:activate character:Ayla")
        blow = "/act action:ability using:Searing Blow target:Borr cards:Fire 2, Fire 2"
        missed = await ana.slash(f"{blow} faces:17, 51")
        assert "paid with 2x Fire 2 (1 star lost)" in missed.text
        assert "d100 (**17**) against CRT 20, critical hit: 6 × 2 - 2 = 10 Physical damage." in missed.text
        assert "Borr: HP 20 → 10/20." in missed.text
        assert "d100 (**51**), no effect" in missed.text
        content = await export(bo)
        assert content["combatants"]["Borr"]["pools"]["HP"] == [10, 20]
        assert content["combatants"]["Borr"]["conditions"] == []
        assert content["deck"]["discard"] == ["Fire 2", "Fire 2"]
        assert "attack" not in content["legal"]["Ayla"]
        assert "**ST-12**" in (await ana.slash("/act action:attack target:Borr")).content
        await gwen.slash("/encounter undo")
        burnt = await ana.slash(f"{blow} faces:17, 50")
        assert "Borr has Burn from Ayla." in burnt.text
        (held,) = (await export(bo))["combatants"]["Borr"]["conditions"]
        assert (held["name"], held["source"]) == ("Burn", "Ayla")
        assert world.faults() == []


async def test_an_infinite_stone_is_asked_about_before_it_is_spent_and_one_tap_spends_it(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        _, ana, bo = await ledger_duel(world, client, "0/0/0/0/20")
        await ana.slash("/act action:begin")
        await ana.slash("/act action:activate")
        typed = await ana.slash("/act action:ability using:Searing Blow target:Borr")
        assert typed.ephemeral
        assert "costs 3 Fire; all that the hand has for it, Fire inf, spends an infinite stone." in typed.content
        assert typed.buttons[0] == "Fire inf"
        (own,) = (await export(ana))["hands"][ana.id]["cards"][:1]
        assert own == "Fire inf"
        (prompt,) = prompts(ana)
        tapped = await ana.press(prompt, "My turn")
        (menu,) = [each for each in tapped.shown.selects if each["placeholder"] == "What to do?"]
        (blow,) = [each for each in menu["options"] if each["label"] == "Searing Blow on Borr for Fire inf"]
        assert "an infinite stone, spent for this alone" in blow["description"]
        assert not any("inf" in label for label in prompt.buttons)  # never by a button that does not name it
        done = await ana.select(tapped, blow["value"], menu=menu["custom_id"])
        assert "paid with Fire inf." in done.text
        again = await ana.press(typed, "Fire inf")
        assert again.ephemeral
        assert "**ST-05**" in again.content
        assert (await export(bo))["hands"][ana.id]["count"] == 2
        assert world.faults() == []


async def test_an_exact_payment_is_not_asked_for(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        _, ana, bo = await ledger_duel(world, client, "0/0/20/0/0")
        await ana.slash("/act action:begin")
        await ana.slash("/act action:activate")
        panel = await ana.press(prompts(ana)[0], "My turn")
        done = await ana.press(panel, "Searing Blow on Borr")
        await quiet(world, client)
        assert done.text.count("paid with Fire 3.") == 1  # on top of the renewed panel
        assert {"Move", "End turn"} <= set(done.buttons)
        assert any(option["label"].startswith("Discard ") for option in done.shown.selects[0]["options"])
        assert told(bo).count("paid with Fire 3.") == 1


async def test_ending_too_early_offers_what_is_to_be_discarded(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        gwen, ana, bo = await ledger_duel(world, client, "20/0/0/0/0")
        await ana.slash("/act action:begin")
        await gwen.slash(f"/gm cards who:{ana.mention} do:draw count:2")
        early = await ana.slash("/act action:end")
        assert early.ephemeral
        assert "**ST-16** Hand and fused stones are 2 stones over the limit of 3. discard 2." in early.content
        (menu,) = early.shown.selects
        assert menu["placeholder"] == "Stones"
        before = await export(bo)
        done = await ana.select(early, *[option["value"] for option in menu["options"]][:2])
        assert "movement and attack are unused" in done.text
        done = await ana.press(done, "Discard 2x Fire 1")
        assert "Ana discards 2x Fire 1." in done.text
        after = await export(bo)
        assert (before["deck"]["discard"], after["deck"]["discard"]) == ([], ["Fire 1", "Fire 1"])
        assert "Ana ends the turn." in done.text  # nothing but that was left
        assert world.faults() == []


async def test_two_against_two_to_the_end_by_thumbs_and_nobody_reads_anothers_stones(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        table = StonesTable(world, client, ("Ana", "Bo", "Cai", "Dee"))
        await table.set_up("ABAB", "first=A")
        async with table.ear.pages_of((*table.players, "Sol")):
            turns = await play_to_the_end(table)
        assert table.ear.frames > len(turns)
        sides = ["AB"[list(table.players).index(name_of(table, user)) % 2] for user in turns]
        assert all(one != other for one, other in pairwise(sides))
        assert prompts(table.gm) == []
        told = [each for each in table.gm.sees() if "All others are incapacitated" in each.text and not each.ephemeral]
        assert len(told) == 1
        content = await export(table.gm)
        assert (content["turn"], content["legal"]) == ([], {})
        await table.gm.slash("/encounter end")
        await table.gm.slash("/fair reveal")
        (data,) = (await table.gm.slash("/fair export")).files.values()
        found = verify_export(json.loads(data))
        assert found.is_sound, found.faults
        assert world.faults() == []


async def play_to_the_end(table: StonesTable) -> list[str]:
    """Play by thumbs until a side has won, listening all the time; return who had the turns."""
    rng = taps("two against two")
    turns: list[str] = []
    for count in range(MOST_TAPS):
        if table.state.over is not None:
            return turns
        seat = rng.choice(table.who_is_waited_for())
        await table.tap(seat, rng)
        await quiet(table.world, table.client)
        if table.state.current is not None and turns[-1:] != [table.state.current]:
            turns.append(table.state.current)
        if count % 9 == 0:
            await look_around(table)
        table.listen()
    raise AssertionError(f"{MOST_TAPS} taps, and nobody has won")


def name_of(table: StonesTable, user: str) -> str:
    return next(name for name, seat in table.players.items() if seat.id == user)


async def look_around(table: StonesTable) -> None:
    """Let everybody ask for everything that could tell them of others' hands."""
    for seat in (*table.players.values(), table.gm):
        await seat.slash("/turn")
        await seat.slash("/hand show")
        await seat.slash("/deck show")
        await seat.slash("/deck discards")
        await seat.slash("/encounter log")
        await seat.slash("/encounter log file:True")
        if seat is not table.gm:
            await export(seat)
            await seat.slash("/fair export")
        for text, focused in (
            ("/act action:", "action"),
            ("/act action:discard cards:", "cards"),
            ("/act action:ability using:", "using"),
            ("/act action:ability cards:", "cards"),
            ("/act action:fuse character:AnaX cards:", "cards"),
        ):
            if seat is not table.gm:
                await seat.autocomplete(text, focused=focused)
        if seat is not table.gm:
            table.own.setdefault(seat.id, set()).update(GUESSED)  # a refusal repeats what one typed oneself
            await seat.slash(f"/act action:discard cards:{', '.join(GUESSED)}")
            await seat.slash("/act action:ability character:AnaX")


async def test_undo_gives_the_same_hand_and_the_same_next_draw(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        table = StonesTable(world, client, ("Ana", "Bo"))
        await table.set_up("AB", "first=A, auto=off")
        ana, bo = table.players.values()
        await ana.slash("/act action:begin")
        drawn = hand_of(await export(ana), ana)
        table.listen()
        peeking = await ana.slash("/encounter undo")
        assert peeking.ephemeral
        assert "**G-05**" in peeking.content
        undone = await table.gm.slash("/encounter undo")
        assert "Ana's draw of 3" in undone.text
        assert hand_of(await export(ana), ana) == []
        await quiet(world, client)
        assert table.prompt.text.count("Deck: 60 left, 0 discarded.") == 1
        assert table.prompt.text.count("Ana (A): 0 in hand, 0 fused, limit 3") == 1
        await table.gm.slash("/encounter redo")
        assert hand_of(await export(ana), ana) == drawn
        await table.gm.slash("/encounter undo")
        await ana.slash("/act action:begin")
        assert hand_of(await export(ana), ana) == drawn  # the pile stands as it stood
        table.listen()
        shuffled = await table.gm.slash("/encounter undo reshuffle:True")
        assert "shuffles the pile of 60 stones" in shuffled.text
        await ana.slash("/act action:begin")
        assert sorted(hand_of(await export(ana), ana)) != sorted(drawn)
        assert (await export(bo))["hands"][ana.id] == {"count": 3, "cards": None, "fused": {}, "limit": 3}
        assert world.faults() == []


def hand_of(content: dict[str, Any], seat: Seat) -> list[str]:
    held: list[str] = content["hands"][seat.id]["cards"]
    return held


async def test_a_restart_in_mid_turn_changes_nothing_and_the_buttons_live_on(tmp_path: Path) -> None:
    async with local_table() as world:
        async with referee_at(world, tmp_path / "referee.sqlite3") as client:
            table = StonesTable(world, client, ("Ana", "Bo"))
            await table.set_up("AB", "first=A, auto=off", sheet=STURDY)
            ana, bo = table.players.values()
            await ana.slash("/act action:begin")
            await ana.slash("/act action:activate")
            await quiet(world, client)
            panel = await ana.press(table.prompt, "My turn")
            before, others = await export(ana), await export(bo)
        async with referee_at(world, tmp_path / "referee.sqlite3") as client:
            assert {**await export(ana), "log": None} == {**before, "log": None}
            assert (await export(bo))["legal"] == others["legal"]
            table.client = client
            done = await ana.press(panel, "Attack BoX")
            assert "AnaX attacks BoX" in done.text
            assert "**ST-12**" in (await ana.slash("/act action:ability using:Blow of Ash target:BoX")).content
            await ana.slash("/act action:end")
            await quiet(world, client)
            assert client.tables.loaded(world.place("tavern").id) is not None
            await bo.press(table.prompt, "Begin")
            assert (await export(ana))["hands"][bo.id]["count"] == 3
            table.listen()
        assert world.faults() == []


async def test_three_against_three_goes_on_alternating_when_one_is_eliminated(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        table = StonesTable(world, client, ("Ana", "Bo", "Cai", "Dee", "Eve", "Fay"))
        await table.set_up("ABABAB", "first=A, auto=off")
        ana, bo, cai, dee, eve, fay = table.players.values()
        await table.gm.slash("/gm damage target:BoX amount:6")
        unclaimed = await export(fay)
        assert unclaimed["turn"] == ["AnaX", "CaiX", "EveX"]
        assert unclaimed["legal"] == {name: ["begin"] for name in ("AnaX", "CaiX", "EveX")}
        for seat in (ana, dee, cai, fay, eve):
            await short_turn(seat)
            table.listen()
        early = await eve.slash("/act action:begin")
        assert "**ST-17**" in early.content
        content = await export(fay)
        assert content["turn"] == ["DeeX", "FayX"]  # Bo's place is theirs to take
        assert (await export(fay))["round"] == 1
        assert "**ST-17**" in (await bo.slash("/act action:begin")).content
        taken = await fay.slash("/act action:begin")
        assert "Fay takes a missing player's turn." in taken.text
        over = await fay.slash("/act action:end")
        assert "3 stones over the limit of 3" in over.content
        await fay.select(over, *[option["value"] for option in over.shown.selects[0]["options"]][:3])
        ended = await fay.slash("/act action:end")
        assert "Round 2." in ended.text
        assert (await export(bo))["turn"] == ["AnaX"]  # the first player begins the next round
        table.listen()
        assert world.faults() == []


async def short_turn(seat: Seat) -> None:
    """Claim a turn and end it."""
    assert "takes the turn" in (await seat.slash("/act action:begin")).text
    assert "ends the turn" in (await seat.slash("/act action:end")).text


async def test_the_gm_plays_for_somebody_absent(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        table = StonesTable(world, client, ("Ana", "Bo"))
        await table.set_up("AB", "first=A, auto=off", sheet=STURDY)
        ana, bo = table.players.values()
        table.own[table.gm.id] = set(table.state.definition)  # gm_sees_hands: on, and the GM plays no side
        begun = await table.gm.slash("/act action:begin character:AnaX")
        await world.settle()
        assert "Drawn: " in begun.text
        await table.gm.slash("/act action:activate character:AnaX")
        struck = await table.gm.slash("/act action:attack target:BoX character:AnaX")
        assert "AnaX attacks BoX" in struck.text
        await table.gm.slash("/act action:end character:AnaX")
        table.listen()
        panel = await ana.slash("/turn")
        assert "Drawn: " in panel.content  # what was drawn for her, when she is back
        await table.gm.slash("/gm skip target:BoX")
        assert (await export(bo))["round"] == 2
        await ana.slash("/act action:begin")
        given = await table.gm.slash("/gm turn target:BoX")
        assert "BoX" in given.text
        assert (await export(bo))["turn"] == ["BoX"]
        table.listen()
        assert world.faults() == []


async def test_a_stand_in_sees_the_hand_while_its_owner_is_away_and_each_look_is_logged(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        table = StonesTable(world, client, ("Ana", "Bo"))
        await table.set_up("AB", "first=A, auto=off", sheet=STURDY)
        ana, bo = table.players.values()
        cai = world.person("Cai")
        refused = await cai.slash(f"/hand show player:{ana.mention}")
        assert "**G-04**" in refused.content
        await ana.slash(f"/remind away until:3d stand_in:{cai.mention}")
        begun = await cai.slash("/act action:begin")
        table.own[cai.id] = set(table.state.hands[ana.id])
        await world.settle()
        assert "Drawn: " in begun.text
        looked = await cai.slash("/hand show")
        assert "Ana's hand (Quarry), 3 cards, limit 3:" in looked.content
        assert looked.shown.files
        assert "**G-04**" in (await bo.slash(f"/hand show player:{ana.mention}")).content
        assert "Cai looks at the hand of Ana." in (await bo.slash("/encounter log")).text
        await cai.slash("/act action:activate")
        assert "AnaX attacks BoX" in (await cai.slash("/act action:attack target:BoX")).text
        await ana.slash("/remind back")
        assert "0 cards" in (await cai.slash("/hand show")).content
        assert "**G-04**" in (await cai.slash(f"/hand show player:{ana.mention}")).content
        assert "**G-03**" in (await cai.slash("/act action:end")).content
        table.listen()
        assert world.faults() == []


async def test_a_gm_who_plays_a_side_reads_no_players_stones_and_none_reads_the_gms(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        table = StonesTable(world, client, ("Ana",))
        gwen, ana = table.gm, table.players["Ana"]
        await gwen.slash(f"/encounter start system:stones name:Quarry options:first=A, auto=off, {OPTIONS}")
        await ana.slash(f"/character add name:AnaX sheet:{STURDY} system:stones")
        await ana.slash("/join character:AnaX side:A")
        await gwen.slash(f"/gm add name:Wolf sheet:{STURDY} count:2 side:B")
        await gwen.slash("/encounter begin")
        await quiet(world, client)
        await ana.slash("/act action:begin")
        table.listen()
        assert "**G-04**" in (await gwen.slash(f"/hand show player:{ana.mention}")).content
        assert (await export(gwen))["hands"][ana.id]["cards"] is None
        await gwen.slash("/act action:end character:AnaX")
        await gwen.slash("/encounter log file:True")
        table.listen()
        await quiet(world, client)
        assert table.prompt.content.startswith(f"{gwen.mention} (Wolf 1 and Wolf 2), your turn")
        await gwen.press(table.prompt, "Begin")
        table.own[gwen.id] = set(table.state.hands["gm:B"])
        assert (await export(gwen))["hands"][gwen.id]["count"] == 5
        theirs = (await export(ana))["hands"][gwen.id]
        assert (theirs["count"], theirs["cards"]) == (5, None)
        panel = await gwen.press(table.prompt, "My turn")
        assert {"Activate (Wolf 1)", "Activate (Wolf 2)"} <= set(panel.buttons)
        assert "End turn" not in panel.buttons, "neither has acted: the menu has it, and asks"
        hand = await gwen.press(table.prompt, "My hand")
        assert "5 cards, limit 5:" in hand.content
        table.listen()
        assert world.faults() == []
