"""Another file for the encounter that is open: one step, undone like any other."""

from __future__ import annotations

from typing import Any

from rules.core.registry import load_encounter, system_of
from rules.errors import Refusal
from rules.kits.document import digest_of, read_text
from tests.rules.kit.tables import LIST, NAMED, KitGame, begun, seated
from tests.rules.table import Game

REACTING = LIST + '[reaction]\nduck = { to = "targeted", do = ["it is harder by 2"] }\n'
PLANS = """kit = 1
id = "two-plans"
phase = [ { name = "plans", type = "open", turns = 1, plan = "secret", resolve = "together" } ]
pool = { HP = { start = 9, out = true } }
[action]
push = { target = "foe", do = ["target loses 1 HP"] }
pull = { target = "foe", do = ["target loses 2 HP"] }
"""


def changed(game: Game, text: str, by: str = "Gwen") -> Any:
    document = read_text(text)
    return game.do(by, "encounter options", tables={"file": dict(document.content), "source": document.source})


def refused(game: Game, text: str, **given: Any) -> Refusal:
    document = read_text(text)
    tables = {"file": dict(document.content), "source": document.source}
    return game.refused("Gwen", "encounter options", tables=tables, **given)


def pools(game: Game, who: str) -> dict[str, tuple[int, int | None]]:
    return {name: (pool.now, pool.top) for name, pool in game.state.combatant(who).pools.items()}


def test_costs_actions_and_rules_change_at_once_and_it_is_a_ruling() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    first = game.waits_for()[0]
    player = {"Ayla": "Ana", "Bran": "Bo", "Ogre": "Gwen"}[first]
    decision = changed(game, LIST.replace("[action]\nwalk", "[action]\nsing = { ends = true }\nwalk"))
    assert decision.ruling
    assert game.waits_for() == (first,)
    assert "sing" in game.legal(first)
    assert game.state.tables["digest"] == digest_of(game.state.tables["file"])
    game.do(player, "sing", character=first)
    assert load_encounter(game.state.model_dump(mode="json", exclude_defaults=True)) == game.state


def test_a_new_pool_starts_at_its_start_and_what_is_gone_is_taken_off_and_named() -> None:
    game = begun(KitGame(LIST), "Ogre")
    game.do("Gwen", "condition add", target="Ogre", name="Prone", duration="none")
    text = LIST.replace('MOVE = { start = 6, refill = "turn", shown = "no" }', "LUCK = { start = 3, most = 5 }")
    text = text.replace("prone = { forbids", "fallen = { forbids").replace("prone", "fallen")
    text = text.replace('cost = "{amount} MOVE", amount = "1-6", do = ["self moves {amount}"]', 'do = ["self moves 6"]')
    text = text.replace('cost = "3 MOVE", ', "")
    changed(game, text)
    assert pools(game, "Ayla") == {"HP": (10, 10), "ACT": (1, None), "LUCK": (3, 5)}
    assert game.state.combatant("Ogre").conditions == ()
    assert any(line.startswith("Ayla: MOVE 6 → 0, which is gone") for line in game.lines("Ana"))
    assert not any("Ayla: MOVE" in line for line in game.lines("Bo"))


def test_a_maximum_that_the_kit_gave_becomes_the_new_one_and_a_sheet_s_own_stays() -> None:
    game = seated(KitGame(LIST), "Ogre")
    game.do("Gwen", "gm set", target="Ayla", pool="HP", value="7/20")
    game.do("Gwen", "encounter begin")
    changed(game, LIST.replace("HP = { start = 10", "HP = { start = 6"))
    assert pools(game, "Ogre")["HP"] == (6, 6)
    assert pools(game, "Ayla")["HP"] == (7, 20)


def test_order_phases_and_sides_change_with_the_next_round() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    order = 'order = { key = "1d20+{DEX}", ties = ["{DEX}", "roll"] }'
    text = LIST.replace(order, 'order = { type = "sides", first = "Monsters" }')
    changed(game, text.replace('id = "plain-order"', 'id = "plain-order"\nsides = ["Party", "Monsters"]'))
    assert "Its order, phases and sides come with round 2." in game.lines()
    assert game.state.combatant("Ogre").side == "GM"
    exported = system_of(game.state).own_tables.exported(game.state)["kit"]
    assert isinstance(exported, dict)
    assert "order" in str(exported["next_round"])
    while game.state.round == 1:
        game.do("Gwen", "gm skip", target=game.waits_for()[0])
    assert game.state.combatant("Ogre").side == "Monsters"
    assert game.waits_for() == ("Ogre",)
    assert game.state.tables["following"] is None


def test_what_this_round_cannot_do_without_keeps_the_whole_file_for_the_next_round() -> None:
    game = begun(KitGame(LIST), "Ogre")
    changed(game, NAMED)
    assert any("This round is still played with the old one" in line for line in game.lines())
    assert "attack" in game.legal(game.waits_for()[0])
    game.do("Gwen", "gm next-phase")
    assert system_of(game.state).title == "hand-on"
    assert set(pools(game, "Ayla")) == {"HP"}
    assert game.waits_for() == ("Ayla", "Bran", "Ogre")


def test_while_a_question_is_open_no_kit_is_changed() -> None:
    game = begun(KitGame(REACTING), "Ogre", DEX=30)
    first = game.waits_for()[0]
    player = {"Ayla": "Ana", "Bran": "Bo", "Ogre": "Gwen"}[first]
    game.do(player, "attack", character=first, target="Ogre" if first != "Ogre" else "Ayla")
    refusal = refused(game, LIST, rule="KI-09")
    assert refusal.instead == "Answer it first, or use /gm answer."


def test_plans_that_no_longer_fit_are_dropped_with_a_word_to_their_owner() -> None:
    game = begun(KitGame(PLANS), "Ogre")
    game.do("Ana", "push", target="Ogre")
    game.do("Bo", "pull", target="Ogre")
    changed(game, PLANS.replace('push = { target = "foe", do = ["target loses 1 HP"] }\n', ""))
    assert "Ayla's plan is dropped: push." in game.lines("Ana")
    assert not any("push" in line for line in (*game.lines("Bo"), *game.lines("Gwen")))
    assert game.waits_for() == ("Ayla", "Ogre")
    game.do("Ana", "pull", target="Ogre")


def test_orders_that_no_longer_fit_are_cancelled_with_a_word_to_their_owner() -> None:
    game = begun(KitGame(LIST), "Ogre", DEX=30)
    later = game.state.names[2 if game.waits_for() == ("Ayla",) else 0]
    player = {"Ayla": "Ana", "Bran": "Bo", "Ogre": "Gwen"}[later]
    game.do(player, "shout", character=later, when="my-turn")
    changed(game, LIST.replace("shout =", "yell ="))
    assert game.state.orders == ()
    assert any("order is cancelled" in line for line in game.lines(player))


def test_a_sheet_that_lacks_what_is_needed_refuses_the_kit_in_a_fight_and_not_before_it() -> None:
    text = LIST.replace("sheet = {", 'sheet = { SPEED = "needed",')
    game = seated(KitGame(LIST), "Ogre")
    changed(game, text)
    changed(game, LIST)
    game.do("Gwen", "encounter begin")
    lacking = "Ayla SPEED, Bran SPEED, Ogre SPEED"
    assert refused(game, text).reason == f"That kit needs something that the sheets here lack: {lacking}."
    for who in ("Ayla", "Bran", "Ogre"):
        game.do("Gwen", "gm set", target=who, pool="SPEED", value="3")
    changed(game, text)


def test_shared_pools_come_and_go_with_the_kit() -> None:
    game = begun(KitGame(LIST), "Ogre")
    shared = '[pool]\nFEAR = { of = "table", start = 2, most = 6 }\nLEAD = { of = "side", start = 1 }\n'
    more = LIST.replace("[pool]\n", shared)
    changed(game, more)
    assert game.state.table_pools["FEAR"].now == 2
    assert game.state.side_pools["GM"]["LEAD"].now == 1
    changed(game, LIST)
    assert game.state.table_pools == {}
    assert game.state.side_pools == {"Players": {}, "GM": {}}
    assert any("FEAR" in line for line in game.lines("Bo"))


def test_a_hidden_creature_has_the_pools_of_the_new_kit_too() -> None:
    game = begun(KitGame(LIST), "Ogre")
    game.do("Gwen", "gm add", name="Spy", hidden=True)
    changed(game, LIST.replace("HP = {", "LUCK = { start = 3 }\nHP = {"))
    (spy,) = game.state.hidden
    assert spy.combatant.pools["LUCK"].now == 3
    assert not any("Spy" in line for line in game.lines("Bo"))
    changed(game, LIST)
    (spy,) = game.state.hidden
    assert "LUCK" not in spy.combatant.pools


def test_an_encounter_whose_kit_this_program_cannot_read_takes_a_corrected_file() -> None:
    game = begun(KitGame(LIST), "Ogre")
    broken = {**game.state.tables["file"], "ordr": 1}
    state = game.state.evolve(tables={"file": broken, "source": "", "digest": "0" * 64})
    game.table = game.table.evolve(encounter=state)
    assert game.refused("Ana", "attack", target="Ogre")
    changed(game, LIST)
    assert game.waits_for()
    assert "attack" in game.legal(game.waits_for()[0])


def test_a_file_that_waits_is_replaced_by_the_next_one_that_is_given() -> None:
    game = begun(KitGame(LIST), "Ogre")
    changed(game, NAMED)
    changed(game, LIST.replace("yell", "shout"))
    assert game.state.tables["following"] is None
    game.do("Gwen", "gm next-phase")
    assert system_of(game.state).title == "plain-order"
