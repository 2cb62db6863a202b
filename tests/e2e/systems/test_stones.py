"""Speaking Stones through the real client: what is asked before stones are spent, and whose hand is read."""

from __future__ import annotations

from pathlib import Path

from bot.discord.client import RefereeClient
from tests.e2e.loopback import Seat, Table
from tests.e2e.referee import export, prompts, quiet, refereed

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


async def test_an_infinite_stone_is_asked_about_before_it_is_spent_and_one_tap_spends_it(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        _, ana, bo = await ledger_duel(world, client, "0/0/0/0/20")
        await ana.slash("/act action:begin")
        await ana.slash("/act action:activate")
        typed = await ana.slash("/act action:ability using:Searing Blow target:Borr")
        assert typed.ephemeral
        assert "costs 3 Fire" in typed.content
        assert "Fire inf" in typed.content
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


async def test_a_stand_in_sees_the_hand_while_its_owner_is_away_and_each_look_is_logged(tmp_path: Path) -> None:
    async with refereed(tmp_path / "referee.sqlite3") as (world, client):
        _, ana, bo = await ledger_duel(world, client, "0/20/0/0/0", "auto=off")
        cai = world.person("Cai")
        refused = await cai.slash(f"/hand show player:{ana.mention}")
        assert "**G-04**" in refused.content
        await ana.slash(f"/remind away until:3d stand_in:{cai.mention}")
        begun = await cai.slash("/act action:begin")
        await world.settle()
        assert "Drawn: " in begun.text
        looked = await cai.slash("/hand show")
        assert "Ana's hand (Duel), 3 cards, limit 3:" in looked.content
        assert looked.shown.files
        assert "**G-04**" in (await bo.slash(f"/hand show player:{ana.mention}")).content
        assert "Cai looks at the hand of Ana." in (await bo.slash("/encounter log")).text
        await cai.slash("/act action:activate")
        assert "Ayla attacks Borr" in (await cai.slash("/act action:attack target:Borr")).text
        await ana.slash("/remind back")
        assert "0 cards" in (await cai.slash("/hand show")).content
        assert "**G-04**" in (await cai.slash(f"/hand show player:{ana.mention}")).content
        assert "**G-03**" in (await cai.slash("/act action:end")).content
        assert world.faults() == []
