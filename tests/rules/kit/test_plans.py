"""Plans: secret or open, carried out in an order or all at the same time (kits 5 and 15)."""

from __future__ import annotations

import pytest

from rules.core.seen.looks import Row
from rules.core.views.view import legal_for, view_of
from rules.systems.kit.system import KitSystem
from tests.rules.kit.tables import KitGame, seated
from tests.rules.kit.watch import Watch
from tests.rules.table import Game

PARTS = """
[pool]
HP = { start = 5, out = true }
EDGE = { start = 3, most = 9 }
[check]
clash = { roll = "1d6", against = "1d6" }
[condition]
guarding = { lasts = 1, ticks = "round-end" }
[action]
thrust = { target = "foe", check = "clash", success = ["target loses 5 HP if target is not guarding"], speed = 3 }
stab = { target = "foe", do = ["target loses 5 HP"], speed = 1 }
guard = { do = ["self is guarding"] }
feint = { target = "foe", do = ["self gains 1 EDGE if target is guarding"] }
lunge = { cost = "2 EDGE", target = "foe", do = ["target loses 1 HP"] }
halt = { do = ["phase ends"] }
flee = { ends = true }
[rules]
PL-01 = "Plans are secret until all have one."
"""


def table(phase: str, *foes: str, more: str = "") -> Game:
    head = f'kit = 1\nid = "plans"\nprefix = "PL"\nphase = [ {{ name = "plans", {phase} }} ]\n'
    game = seated(KitGame(head + more + PARTS), *(foes or ("Ogre",)))
    game.do("Gwen", "encounter begin")
    return game


def secret(more: str = "", *foes: str) -> Game:
    return table(f'type = "open", turns = 1, plan = "secret", rule = "PL-01"{more}', *foes)


TOGETHER = ', resolve = "together"'


def hp(game: Game, who: str) -> int:
    return int(game.state.combatant(who).pools["HP"].now)


def test_ki_08_a_secret_plan_is_its_owner_s_until_all_have_one() -> None:
    game = secret()
    assert set(game.waits_for()) == {"Ayla", "Bran", "Ogre"}
    decision = game.do("Ana", "thrust", target="Ogre")
    assert decision.secret
    assert decision.unsaid
    assert game.said("Ana") == "Ayla plans: Thrust → Ogre.\nAyla has planned."
    assert game.said("Bo") == game.said("Gwen") == "Ayla has planned."
    assert set(game.waits_for()) == {"Bran", "Ogre"}
    for person in ("Bo", "Gwen"):
        view = view_of(game.table, game.seat(person))
        assert view is not None
        assert "hrust" not in view.model_dump_json()
    refused = game.refused("Ana", "guard")
    assert refused.rule == "PL-01"
    game.do("Bo", "guard")
    game.do("Gwen", "guard", character="Ogre", dice=[(6, 1), (6, 2)])
    assert "Ayla plans: Thrust → Ogre." in game.said("Bo")
    assert hp(game, "Ogre") == 5
    assert game.state.round == 2


def test_what_the_gm_may_do_hangs_on_no_secret_plan() -> None:
    game = secret(", steps = 2")
    before = {offer.action for offer in legal_for(game.table, "Ayla", game.seat("Gwen"))}
    game.do("Ana", "lunge", target="Ogre")
    after = {offer.action for offer in legal_for(game.table, "Ayla", game.seat("Gwen"))}
    assert after == {*before, "unplan"}, "though the second lunge is too dear"
    assert "lunge" not in {offer.action for offer in legal_for(game.table, "Ayla", game.seat("Ana"))}


def test_the_gm_plans_only_for_those_who_are_away() -> None:
    game = secret()
    refused = game.refused("Gwen", "guard", character="Ayla")
    assert (refused.rule, refused.reason) == ("PL-01", "Only Ana can plan for Ayla.")
    game.do("Gwen", "gm skip", target="Ayla")
    assert "Ayla" not in game.waits_for()
    game.do("Gwen", "guard", character="Ogre")
    game.do("Bo", "guard")
    assert game.state.round == 2


def test_a_plan_is_taken_back_and_closed_early() -> None:
    game = secret(", steps = 2")
    game.do("Ana", "guard")
    assert "Ayla" in game.waits_for(), "a second step is to come"
    game.do("Ana", "unplan")
    assert game.state.plans["Ayla"] == ()
    game.do("Ana", "end")
    assert "Ayla" not in game.waits_for()
    game.do("Ana", "unplan")
    assert "Ayla" in game.waits_for()
    assert game.refused("Bo", "unplan").rule == "PL-01"


@pytest.mark.parametrize("resolve", ["", TOGETHER], ids=["in an order", "together"])
def test_steps_behind_one_that_ends_the_turn_are_dropped_with_a_word(resolve: str) -> None:
    """They are planned all the same, or the questions would tell others what the first step is."""
    game = secret(f", steps = 3{resolve}")
    for action in ("flee", "guard", "halt"):
        assert "Ayla" in game.waits_for()
        game.do("Ana", action)
    game.do("Bo", "end")
    game.do("Gwen", "end", character="Ogre")
    told = [
        "Ayla: Flee.",
        "Ayla's guard is dropped: the turn has ended.",
        "Ayla's halt is dropped: the turn has ended.",
    ]
    assert [line for line in game.lines() if line in told] == told
    assert "Ayla: Guard." not in game.lines()


def test_ki_08_a_plan_that_is_whole_is_not_changed_but_taken_back() -> None:
    game = table('type = "open", turns = 1, plan = "secret"')
    assert game.refused("Ana", "unplan").rule == "KI-08"
    game.do("Ana", "guard")
    game.do("Ana", "unplan")
    assert "Ayla" in game.waits_for()


def test_costs_of_earlier_steps_count_when_a_step_is_checked() -> None:
    game = secret(", steps = 2")
    game.do("Ana", "lunge", target="Ogre")
    refused = game.refused("Ana", "lunge", target="Ogre")
    assert refused.reason == "Ayla has 1 EDGE, and lunge costs 2."


def test_in_an_order_what_has_become_illegal_is_dropped_with_its_reason() -> None:
    game = secret("", "Ogre", "Rat")
    game.do("Ana", "stab", target="Ogre")
    game.do("Bo", "stab", target="Ogre")
    game.do("Gwen", "guard", character="Rat")
    game.do("Gwen", "stab", character="Ogre", target="Ayla")
    assert "Bran's stab is dropped: You can't aim Stab at Ogre." in game.said()
    assert hp(game, "Ayla") == 5, "the ogre fell before"


def test_at_the_same_time_two_may_fall_together() -> None:
    game = secret(TOGETHER, "Ogre", "Rat")
    game.do("Ana", "stab", target="Ogre")
    game.do("Bo", "guard")
    game.do("Gwen", "stab", character="Ogre", target="Ayla")
    game.do("Gwen", "thrust", character="Rat", target="Bran", dice=[(6, 6), (6, 1)])
    assert (hp(game, "Ogre"), hp(game, "Ayla")) == (0, 0)
    assert hp(game, "Bran") == 5
    assert game.state.over is None
    assert set(game.waits_for()) == {"Bran", "Rat"}


def test_checks_and_ifs_look_at_the_values_after_the_first_pass() -> None:
    game = secret(TOGETHER)
    game.do("Ana", "feint", target="Ogre")
    game.do("Bo", "thrust", target="Ogre")
    game.do("Gwen", "guard", character="Ogre", dice=[(6, 6), (6, 1)])
    assert game.state.combatant("Ayla").pools["EDGE"].now == 4
    assert hp(game, "Ogre") == 5


def test_somebody_who_falls_in_a_step_has_no_later_ones() -> None:
    game = secret(f"{TOGETHER}, steps = 2", "Ogre", "Rat")
    for _ in range(2):
        game.do("Ana", "stab", target="Ogre")
        game.do("Gwen", "stab", character="Ogre", target="Ayla")
    game.do("Bo", "end")
    game.do("Gwen", "end", character="Rat")
    assert (hp(game, "Ayla"), hp(game, "Ogre")) == (0, 0)
    assert set(game.waits_for()) == {"Bran", "Rat"}
    assert game.state.round == 2


def test_open_plans_are_told_and_done_by_a_key_with_their_speed() -> None:
    head = 'kit = 1\nid = "plans"\nprefix = "PL"\n'
    order = 'order = { type = "list", key = "1d10+{speed}", best = "low", anew = "round" }\n'
    phase = 'phase = [ { name = "plans", plan = "open" } ]\n'
    game = seated(KitGame(head + order + phase + PARTS), "Ogre")
    game.do("Gwen", "encounter begin", dice=[])
    game.do("Ana", "thrust", target="Ogre")
    assert game.said("Bo") == "Ayla plans: Thrust → Ogre."
    game.do("Bo", "guard")
    faces = [(10, 6), (10, 10), (10, 2), (6, 1), (6, 6)]
    game.do("Gwen", "stab", character="Ogre", target="Bran", dice=faces)
    assert game.said().index("Ogre: Stab") < game.said().index("Ayla: Thrust")
    assert hp(game, "Bran") == 0


def test_a_reaction_stops_a_planned_action_in_the_midst() -> None:
    more = '[reaction.veil]\nto = "targeted"\ndo = ["it is stopped"]\n'
    game = table('type = "open", turns = 1, plan = "secret", resolve = "together"', more=more)
    game.do("Ana", "stab", target="Ogre")
    game.do("Bo", "stab", target="Ogre")
    game.do("Gwen", "stab", character="Ogre", target="Ayla")
    assert game.waits_for() == ("Ogre",)
    game.do("Gwen", "veil", character="Ogre")
    game.do("Gwen", "decline", character="Ogre")
    assert game.waits_for() == ("Ayla",)
    game.do("Ana", "decline")
    assert (hp(game, "Ogre"), hp(game, "Ayla")) == (0, 0)


def test_joining_leaving_and_rulings_while_plans_are_made() -> None:
    game = secret()
    game.do("Ana", "guard")
    game.do("Gwen", "gm add", name="Rat")
    assert set(game.waits_for()) == {"Bran", "Ogre", "Rat"}
    game.do("Gwen", "remove", target="Bran")
    game.do("Gwen", "gm turn", target="Rat")
    assert game.waits_for() == ("Rat",)
    game.do("Gwen", "stab", character="Rat", target="Ayla")
    assert hp(game, "Ayla") == 0, "who is given the turn acts at once"
    game.do("Gwen", "gm set", target="Ayla", pool="HP", value="5")
    game.do("Gwen", "gm next-phase")
    assert game.state.round == 2


def test_next_phase_tells_the_plans_that_there_are() -> None:
    game = secret()
    game.do("Ana", "stab", target="Ogre")
    game.do("Gwen", "gm next-phase")
    assert hp(game, "Ogre") == 0


def test_a_planned_action_may_end_the_phase() -> None:
    game = secret()
    game.do("Ana", "halt")
    game.do("Bo", "stab", target="Ogre")
    game.do("Gwen", "guard", character="Ogre")
    assert hp(game, "Ogre") == 5
    assert game.state.round == 2


def test_silence_plans_nothing() -> None:
    game = secret()
    game.do("Ana", "stab", target="Ogre")
    game.do("Bo", "end")
    game.do("Gwen", "gm skip", target="Ogre")
    assert hp(game, "Ogre") == 0


def test_a_hole_through_which_a_plan_is_seen_is_found_by_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    game = secret()
    watch = Watch(game)
    game.do("Ana", "thrust", target="Ogre")
    watch.look(game)
    assert (watch.undone, watch.kept) == (1, 4), "the step was taken back, and all but Ana looked"
    monkeypatch.setattr(KitSystem, "row", lambda self, state, who, _seat: Row(self.own_lines(state, who)))
    with pytest.raises(AssertionError, match="sees what Ayla plans"):
        watch.look(game)
