"""A pool with `shown = "no"` is its owner's and the GM's: of a character, of a side, and of the table (kits 3)."""

from __future__ import annotations

import json

import pytest

from rules.core.registry import system_of
from rules.core.views.export import export_view
from rules.core.views.view import view_of
from rules.kits.document import read_text
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

UNSEEN = """kit = 1
id = "shade"
order = { key = "{DEX}" }
sheet = { DEX = 0 }
[pool]
HP = { start = 9, out = true }
VEIL = { start = 5, most = 9, shown = "no" }
FURY = { of = "side", start = 5, most = 9, shown = "no" }
GLOOM = { of = "table", start = 5, most = 9, shown = "no" }
HEAT = { of = "table", start = 1, most = 9 }
TEMP = { start = 0, shown = "no" }
DOOM = { of = "table", start = 2, shown = "no" }
[action]
whisper = { do = ["self gains 2 VEIL", "side gains 2 FURY", "table gains 2 GLOOM", "table gains 2 HEAT"] }
pray = { cost = "1 VEIL, 1 FURY, 1 GLOOM" }
curse = { cost = "3 DOOM" }
hex = { cost = "{amount} DOOM", amount = "1-5" }
[when]
GLOOM-loss = ["table gains 1 HEAT"]
"""
# Who reads each of them: everybody else, somebody else's player of the same side, its owner, the GM
READS = {"VEIL": (False, False, True, True), "FURY": (False, True, True, True), "GLOOM": (False, False, False, True)}
DONE = ("whisper", "pray")


@pytest.fixture
def game() -> Game:
    """A fight in which Ana's Ayla acts first, and somebody looks on."""
    found = begun(KitGame(UNSEEN, people=("Gwen", "Ana", "Bo", "Cai")), "Ogre")
    found.do("Gwen", "gm turn", target="Ayla")
    return found


def read(game: Game, who: str) -> str:
    """Return all that somebody reads: the prompt's lines, their export, their log and their menu."""
    seat = game.seat(who)
    view = view_of(game.table, seat)
    assert view is not None
    seen = {name: dict(each.pools) for name, each in view.combatants.items() if name == "Ayla"}
    exported = export_view(game.table, seat)
    exported["combatants"].pop("Bran")  # Bo's own
    exported.pop("kit")  # the file is no secret: what a pool is at is
    told = [line for line in game.lines(who) if not line.startswith("Bran:")]
    return json.dumps([view.lines, str(seen), exported, told], ensure_ascii=False)


@pytest.mark.parametrize("pool", READS)
def test_somebody_who_may_not_read_a_pool_reads_neither_it_nor_what_becomes_of_it(pool: str, game: Game) -> None:
    for action in DONE:
        game.do("Ana", action)
        for who, may in zip(("Cai", "Bo", "Ana", "Gwen"), READS[pool], strict=True):
            assert (pool in read(game, who)) is may, (action, who)


@pytest.mark.parametrize(
    ("pool", "target"), [("VEIL", "Ayla"), ("FURY", "Players"), ("GLOOM", "table")], ids=["each", "side", "table"]
)
def test_what_the_gm_sets_there_is_told_to_nobody_else(pool: str, target: str, game: Game) -> None:
    game.do("Gwen", "gm set", target=target, pool=pool, value="3")
    for who, may in zip(("Cai", "Bo", "Ana", "Gwen"), READS[pool], strict=True):
        assert (pool in read(game, who)) is may, who


def test_a_kit_that_takes_such_a_pool_away_says_to_nobody_else_what_it_was(game: Game) -> None:
    lines = UNSEEN[: UNSEEN.index("[action]")].splitlines()
    less = "\n".join(line for line in lines if not line.startswith(tuple(READS)))
    document = read_text(less)
    game.do("Gwen", "encounter options", tables={"file": dict(document.content), "source": document.source})
    for pool, readers in READS.items():
        for who, may in zip(("Cai", "Bo", "Ana", "Gwen"), readers, strict=True):
            assert (f"{pool} 5" in read(game, who)) is may, (pool, who)


def test_what_everybody_sees_is_said_to_everybody(game: Game) -> None:
    game.do("Ana", "whisper")
    assert "HEAT 1 → 3" in game.said("Cai")
    view = view_of(game.table, game.seat("Cai"))
    assert view is not None
    assert any("Table: HEAT" in line for line in view.lines)


def test_what_is_taken_off_hidden_temporary_points_is_their_owner_s_and_the_gm_s(game: Game) -> None:
    game.do("Gwen", "gm set", target="Ayla", pool="TEMP", value="4")
    game.do("Gwen", "gm damage", target="Ayla", amount="3")
    for who, may in (("Cai", False), ("Bo", False), ("Ana", True), ("Gwen", True)):
        assert ("TEMP 4 → 1" in game.said(who)) is may, who


def test_somebody_who_cannot_pay_from_a_pool_that_players_do_not_see_is_not_told_what_it_holds(game: Game) -> None:
    refused = game.refused("Ana", "curse", rule="KI-03")
    assert refused.reason == "Curse costs 3 DOOM, which is more than you have."
    refused = game.refused("Ana", "hex", amount=3, rule="KI-03")
    assert refused.reason == "Hex costs 3 DOOM, which is more than you have."
    hexing = next(each for each in system_of(game.state).offers(game.state, "Ayla") if each.action == "hex")
    assert hexing.params[0].most == 5
    game.do("Ana", "hex", amount=2)


ENTRY = """order = { type = "open", pay = "1 DOOM" }
pool = { HP = { start = 9, out = true }, DOOM = { of = "table", shown = "no" } }
[action.rest]
do = ["say so"]
"""
LEAD = """order = { type = "alternate", first = "Players", keep = "1 DOOM" }
pool = { HP = { start = 9, out = true }, DOOM = { of = "table", shown = "no" } }
[action.rest]
do = ["say so"]
"""


def test_neither_does_an_entry_nor_the_lead_tell_it() -> None:
    head = 'kit = 1\nid = "shade"\n'
    refused = begun(KitGame(head + ENTRY), "Ogre").refused("Ana", "rest")
    assert refused.reason == "A turn in turns costs 1 DOOM, which is more than you have."
    game = begun(KitGame(head + LEAD), "Ogre")
    game.do("Ana", "rest")
    assert game.refused("Ana", "keep").reason == "Keeping the lead costs 1 DOOM, which is more than you have."


PLANNED = """kit = 1
id = "shade"
phase = [ { name = "plans", type = "open", turns = 1, plan = "secret" } ]
[pool]
HP = { start = 9, out = true }
VEIL = { start = 5, shown = "no" }
[action]
gift = { cost = "4 VEIL" }
oath = { needs = ["VEIL >= 4"] }
"""


@pytest.mark.parametrize("action", ["gift", "oath"])
def test_a_plan_that_is_dropped_tells_nobody_what_an_unseen_pool_holds(action: str) -> None:
    game = begun(KitGame(PLANNED, people=("Gwen", "Ana", "Bo", "Cai")), "Ogre")
    game.do("Ana", action)
    game.do("Gwen", "gm set", target="Ayla", pool="VEIL", value="2")
    game.do("Gwen", "gm next-phase")
    assert f"Ayla's {action} is dropped: it is no longer possible." in game.said("Cai")
    assert "VEIL" not in game.said("Cai")
