"""Orders in advance, in the rules alone: kept, reviewed after each step, carried out by the table service."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.commands.standing_orders import due_order, offers_on_turn, on_turn
from rules.core.registry import system_of, systems
from rules.core.values import Seat
from tests.rules.table import Game
from tests.rules.tactics.scene import ability, add, skip_all, trio, two_d6


def keys() -> dict[str, object]:
    sheet = systems()["stones"].sheet.template()["sheet"]
    assert isinstance(sheet, dict)
    return {**sheet}


def seen(game: Game, reader: str) -> str:
    return game.said(reader)


def test_an_order_is_seen_by_its_owner_and_the_gm_alone() -> None:
    game = trio()
    game.do("Bo", "skip", when="my-turn")
    assert "When it is Pip's turn: skip." in seen(game, "Bo")
    assert "When it is Pip's turn: skip." in seen(game, "Gwen")
    assert "Pip" not in seen(game, "Ana")
    assert game.decisions[-1].secret


def test_an_order_is_due_as_its_turn_comes_and_no_sooner() -> None:
    game = trio()
    game.do("Bo", "skip", when="my-turn")
    assert due_order(game.table) is None
    game.do("Ana", "skip")
    due = due_order(game.table)
    assert due is not None
    assert (due.who, due.command.action) == ("Pip", "skip")
    game.do("Bo", "skip", character="Pip", ordered=True, order=due.number)
    assert game.state.orders == ()
    assert game.waits_for() == ("Ogre",)


def test_an_order_for_another_phase_of_the_turn_waits_for_it() -> None:
    game = trio()
    game.do("Bo", "attack", target="Ogre", when="my-turn")
    game.do("Ana", "skip")  # now Pip moves; the attack belongs to the battle
    assert due_order(game.table) is None
    assert [order.who for order in game.state.orders] == ["Pip"]
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    due = due_order(game.table)
    assert due is not None
    assert due.command.target == "Ogre"


def test_an_order_that_fits_no_phase_of_a_whole_turn_is_cancelled() -> None:
    game = trio()
    add(game, "Goblin")
    game.do("Bo", "attack", target="Ogre", when="my-turn")
    game.do("Gwen", "gm set", target="Ogre", pool="HP", value="0")  # out: nobody may attack it any more
    for _ in range(12):
        if not game.state.orders or game.state.over is not None:
            break
        who = game.waits_for()[0]
        game.do(game.gm, "skip" if game.state.phase == "movement" else "pass", character=who)
    assert game.state.orders == ()


def test_an_order_whose_target_is_gone_is_cancelled_with_a_private_word() -> None:
    game = trio()
    skip_all(game)
    assert game.waits_for() == ("Ogre",)
    game.do("Bo", "attack", target="Rhea", when="my-turn")
    game.do("Gwen", "gm remove", target="Rhea")
    assert game.state.orders == ()
    assert "Pip's order is cancelled: attack Rhea." in seen(game, "Bo")
    assert "order" not in seen(game, "Ana")


def carry_out(game: Game) -> list[str]:
    """Carry out what is due, as the table service does; return what was done."""
    done = []
    while (order := due_order(game.table)) is not None:
        given = order.command.model_dump(exclude_none=True, exclude={"args", "action", "faces"})
        game.do("Bo", order.command.action, **given, ordered=True, order=order.number)
        done.append(order.command.action)
    return done


def test_several_orders_are_a_list_and_are_done_one_after_the_other() -> None:
    game = trio()
    game.do("Bo", "skip", when="my-turn")
    game.do("Bo", "attack", target="Ogre", when="my-turn")
    assert [order.command.action for order in game.state.orders] == ["skip", "attack"]
    game.do("Ana", "skip")
    assert carry_out(game) == ["skip"]  # in the movement phase
    game.do("Gwen", "skip", character="Ogre")
    game.do("Gwen", "pass", character="Ogre")
    assert carry_out(game) == ["attack"]  # in the battle
    assert game.state.orders == ()


def test_what_was_to_come_after_an_order_that_is_cancelled_is_cancelled_with_it() -> None:
    game = trio()
    skip_all(game)
    game.do("Bo", "attack", target="Rhea", when="my-turn")
    game.do("Bo", "pass", when="my-turn")
    game.do("Gwen", "gm remove", target="Rhea")
    assert game.state.orders == ()
    assert "Pip's order is cancelled: pass. It depends on this coming first: attack Rhea." in seen(game, "Bo")
    assert "pass" not in seen(game, "Ana")


def test_one_order_of_a_list_is_taken_back_by_its_number() -> None:
    game = trio()
    game.do("Bo", "skip", when="my-turn")
    game.do("Bo", "attack", target="Ogre", when="my-turn")
    first, _ = game.state.orders
    game.refused("Ana", "order drop", order=first.number)
    game.do("Bo", "order drop", order=first.number)
    assert [order.command.action for order in game.state.orders] == ["attack"]


def test_an_order_of_another_phase_is_not_cancelled_by_this_one() -> None:
    game = trio()
    skip_all(game)
    game.do("Gwen", "pass", character="Ogre")
    game.do("Bo", "pass")
    game.do("Bo", "attack", target="Ogre", when="my-turn")  # for the next round's battle
    assert game.state.phase == "battle"
    game.do("Ana", "pass")
    assert game.state.phase == "movement"
    assert [order.command.action for order in game.state.orders] == ["attack"]


def test_a_new_owner_does_not_take_over_what_the_old_one_ordered() -> None:
    game = trio()
    game.do("Bo", "skip", when="my-turn")
    game.do("Gwen", "gm set", target="Pip", pool="owner", value="Ana")
    assert game.state.orders == ()
    assert "Pip's order is cancelled" in seen(game, "Bo")


def test_an_order_is_taken_back_by_its_owner_or_the_gm_and_nobody_else() -> None:
    game = trio()
    game.do("Bo", "skip", when="my-turn")
    game.refused("Ana", "order drop", character="Pip")
    game.do("Bo", "order drop")
    assert game.state.orders == ()
    game.do("Bo", "skip", when="my-turn")
    game.do("Gwen", "order drop", character="Pip")
    assert game.state.orders == ()


def test_what_is_legal_now_is_done_at_once() -> None:
    game = trio()
    game.do("Ana", "skip", when="my-turn")
    assert game.state.orders == ()
    assert game.waits_for() == ("Pip",)


@pytest.mark.parametrize(
    ("by", "given"),
    [
        ("Bo", {"when": "tomorrow"}),
        ("Bo", {"when": "my-turn", "character": "Ogre"}),
        ("Bo", {"when": "my-turn", "faces": (3,)}),
        ("Gwen", {"when": "my-turn", "character": "Nobody"}),
    ],
)
def test_an_order_that_cannot_be_is_refused_and_keeps_nothing(by: str, given: dict[str, Any]) -> None:
    game = trio()
    refusal = game.refused(by, "skip", **given)
    assert refusal.reason


def test_an_order_naming_somebody_who_is_not_there_is_refused_at_once() -> None:
    game = trio()
    skip_all(game)
    refusal = game.refused("Bo", "attack", target="Dragon", when="my-turn")
    assert "Dragon" in refusal.reason


def test_no_order_answers_a_question_that_was_not_asked() -> None:
    game = trio()
    answers = [each.id for each in systems()["tactics"].actions.all if each.answer and not each.unasked]
    assert answers
    for action in answers:
        refusal = game.refused("Bo", action, when="my-turn")
        assert "nobody has asked it" in refusal.reason


def test_what_could_be_done_on_a_turn_is_offered_before_it() -> None:
    game = trio()
    skip_all(game)
    offered = {offer.action for offer in offers_on_turn(game.table, "Pip", Seat(user=game.users["Bo"]))}
    assert {"attack", "pass"} <= offered
    assert "let-go" not in offered


def test_a_turn_that_begins_with_cards_is_told_without_them() -> None:
    game = Game("stones")
    for name, owner in (("Ayla", "Ana"), ("Bran", "Bo")):
        fields = {**keys(), "side": owner}
        game.do(owner, "join", side=owner, document={"name": name, "owner": game.users[owner], "fields": fields})
    game.do("Gwen", "encounter begin")
    assert game.state.status == "running"
    (away,) = {"Ayla", "Bran"} - set(game.waits_for())
    ahead = on_turn(game.table, away, Seat(gm=True))
    assert ahead is not None
    assert ahead.encounter is not None
    assert ahead.encounter.hands == game.state.hands
    assert system_of(ahead.encounter).waits_for(ahead.encounter) == (away,)


def test_a_powers_name_is_an_order_for_the_action_that_uses_it_in_whichever_phase() -> None:
    game = Game("tactics")
    add(game, "Rhea", owner="Ana", abilities=(ability("Sword", damage="4"),))
    add(game, "Ogre")
    game.do("Gwen", "encounter begin", dice=two_d6(1, 1, 6, 6))
    game.do("Ana", "walk", amount=2, when="my-turn")  # her turn: it is done at once
    assert "Rhea, Walk: 2 of 5 squares." in game.said("Ana")
    game.do("Ana", "sword", target="Ogre", when="my-turn")
    (order,) = game.state.orders
    assert (order.command.action, order.command.using) == ("attack", "Sword")
    assert "sord" in str(game.refused("Ana", "sord", target="Ogre", when="my-turn"))
