"""A table always goes on: by the kit's own sentences, else by the GM's word."""

from tests.rules.kit.tables import LIST, KitGame, begun

DROWSY = """kit = 1
id = "drowsy"
order = { key = "{PLACE}" }
sheet = { PLACE = 1 }
pool = { HP = { start = 5, out = true } }
condition = { held = { do = ["turn ends"] } }
[action]
hit = { target = "foe", do = ["target loses 5 HP"] }
hold-on = { target = "foe", do = ["target is held"], ends = true }
"""
CLAIMED = DROWSY.replace('key = "{PLACE}"', 'type = "alternate", first = "Players"')
PLANNED = DROWSY.replace('key = "{PLACE}"', 'type = "list", key = "{PLACE}"').replace(
    "sheet =", 'phase = [ { name = "plans", plan = "open", steps = 1 } ]\nsheet ='
)


def stunned() -> KitGame:
    game = KitGame(LIST)
    begun(game, "Ogre")
    for name in ("Ayla", "Bran", "Ogre"):
        game.do("Gwen", "condition add", target=name, name="Stunned", duration="none")
    while not game.state.is_stuck:
        game.do("Gwen", "gm next-phase")
    return game


def test_a_turn_that_the_gm_gives_is_taken_by_no_condition() -> None:
    game = stunned()
    assert game.waits_for() == ()
    game.do("Gwen", "gm turn", target="Ayla")
    assert game.waits_for() == ("Ayla",)
    game.do("Ana", "attack", target="Ogre", seed=b"1" * 32)


def test_somebody_who_is_out_is_given_no_turn() -> None:
    game = begun(KitGame(LIST), "Ogre", "Rat")
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="0")
    refusal = game.refused("Gwen", "gm turn", target="Ogre", rule="KI-06")
    assert refusal.instead == "/gm heal brings somebody back."


def test_a_sentence_ends_a_turn_as_it_starts_and_the_next_one_begins() -> None:
    game = begun(KitGame(DROWSY), "Ogre", PLACE=3)
    game.do("Ana", "hold-on", target="Ogre")
    game.do("Bo", "end")
    assert game.waits_for() == ("Ayla",)
    assert game.state.round == 2
    assert "Ogre's turn ends at once." in game.lines()


def test_somebody_who_claims_a_turn_that_ends_as_it_starts_has_done_nothing() -> None:
    game = begun(KitGame(CLAIMED), "Ogre", "Rat")
    game.do("Ana", "hold-on", target="Ogre")
    game.do("Gwen", "hit", character="Ogre", target="Bran")
    assert game.state.combatant("Bran").pools["HP"].now == 5
    assert game.waits_for() == ("Bran",)


def test_a_plan_is_dropped_whose_turn_ends_as_it_starts() -> None:
    game = begun(KitGame(PLANNED), "Ogre", PLACE=3)
    game.do("Gwen", "condition add", target="Ogre", name="Held", duration="none")
    game.do("Ana", "hold-on", target="Ogre")
    game.do("Bo", "hold-on", target="Ogre")
    game.do("Gwen", "hit", character="Ogre", target="Bran")
    assert game.state.round == 2
    assert game.state.combatant("Bran").pools["HP"].now == 5


def test_a_turn_that_the_gm_gives_is_ended_by_no_sentence_as_it_starts() -> None:
    game = begun(KitGame(DROWSY), "Ogre", PLACE=3)
    game.do("Ana", "hold-on", target="Ogre")
    game.do("Gwen", "gm turn", target="Ogre")
    assert game.waits_for() == ("Ogre",)


def test_a_kit_in_which_every_turn_ends_as_it_starts_stops_and_the_gm_gives_turns() -> None:
    game = begun(KitGame(DROWSY + '[when]\nturn-start = ["turn ends"]\n'), "Ogre")
    assert game.state.is_stuck
    assert game.state.round <= 3
    game.do("Gwen", "gm turn", target="Ayla")
    game.do("Ana", "hit", target="Ogre")
    assert game.state.over == "Nobody of GM is left."


def test_a_gm_plays_on_though_one_side_alone_is_left_and_a_healed_foe_goes_on() -> None:
    game = begun(KitGame(LIST), "Ogre")
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="0")
    assert game.state.over is not None
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="3")
    assert game.state.over is None
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="0")
    game.do("Gwen", "gm next-phase")
    assert game.state.over is None
    assert game.waits_for()


def test_a_fight_that_a_sentence_has_ended_goes_on_by_no_rule() -> None:
    game = begun(KitGame(DROWSY + 'ring = { do = ["fight ends: the bell is rung"] }\n'), "Ogre")
    game.do("Ana", "ring")
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="0")
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="5")
    assert game.state.over == "the bell is rung"


def test_a_ruling_after_which_a_sentence_ends_the_round_ends_it() -> None:
    game = begun(KitGame(DROWSY + '[when]\nHP-loss = ["round ends"]\n'), "Ogre")
    game.do("Gwen", "gm damage", target="Ogre", amount="1")
    assert game.state.round == 2
