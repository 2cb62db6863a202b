"""What must hold at any classic table: random play over every combination of the options, secrets, and the way back.

A failing example prints the seed and the options; both bring it back exactly.
"""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.blows.answered import RESPONSE, useful
from rules.core.command import Command
from rules.core.registry import load_encounter, system_of
from rules.core.views.export import export_view
from rules.core.views.view import offers_for, view_of
from rules.errors import Refusal
from tests.rules.classic.scene import arm
from tests.rules.table import Game, play_randomly

ROLLED = ("once", "each-round", "cards")
BY = ("each", "side", "popcorn")
BLOWS = itertools.cycle(
    f"resolve={resolve}, saves={saves}, death={death}"
    for resolve, saves, death in itertools.product(("auto", "ask", "off"), ("rolled", "asked"), ("off", "saves"))
)
HANDS = itertools.cycle(("players", "gm"))
DICE = itertools.cycle(("1d20", "2d6", "1d20"))
COMBINATIONS = [
    f"rolled={rolled}, by={by}, order={order}, die={next(DICE)}, hands={next(HANDS)}, {next(BLOWS)}"
    for rolled, by, order in itertools.product(ROLLED, BY, ("high", "low"))
]
ARMS = {
    "Ana": (
        ("Sword", "+5 to hit, reach 10 ft.; on a hit 1d8+3 slashing damage; on a miss half"),
        ("Fireball", "up to 6 targets. Each target makes a DC 15 DEX save, taking 8d6 fire damage on a failed save"),
        ("Dart", "+4 to hit, range 10/20 ft.; on a hit 1d4+3 piercing damage"),
        ("Touch", "range touch; another creature regains 1d8 HP"),
        ("Potion", "You regain 2d4+2 HP"),
        ("Lucky", "3/round; reroll a missed attack"),
        ("Shield", "reaction; +5 AC"),
        ("Thorns", "A creature that touches you takes 1d6 piercing damage"),
    ),
    "Bo": (
        ("Mace", "+3 to hit; on a hit 1d6 bludgeoning damage"),
        ("Guard", "When an ally within 30 feet is hit, you can use your reaction to reduce the damage by 1d10"),
        ("Cut", "When an ally is hit, you can use your reaction to subtract 1d6 from the attack roll"),
    ),
    "Ogre": (
        ("Club", "kind weapon"),
        ("Burst", "When the ogre dies, each creature within 5 feet takes 1d6 fire damage"),
        (
            "Web",
            "The target must succeed on a DC 11 Strength saving throw or is Restrained for 2 rounds. Concentration",
        ),
    ),
    "Rat 2": (
        ("Nip", "+2 to hit; on a hit 1d4 piercing damage"),
        ("Swarm", "When an ally is attacked, you can use your reaction to impose disadvantage on the attack"),
        ("Screech", "When you or an ally is hit, you can use your reaction to force the attacker to reroll the attack"),
    ),
    "Rat 1": (
        (
            "Bite",
            "Melee Weapon Attack: +2 to hit. Hit: 1d4 piercing damage. The creature is Poisoned for 1 round",
        ),
    ),
}
HIDDEN = "Qxqzzy"
NOTE = "kwyjibo"


def table(options: str, seed: int) -> Game:
    """Bring in two players, a group, a lone one and a hidden one, and begin."""
    rng = random.Random(seed)
    game = Game("classic", options)
    for name in ("Ana", "Bo"):
        bonus = rng.randint(-1, 3)
        game.do(name, "join", bonus=0 if "by=side" in options or "rolled=cards" in options else bonus)
    game.do("Gwen", "add", name="Rat", count=2, group="Rats")
    game.do("Gwen", "gm add", name="Ogre", sheet="HP 20, AC 13")
    game.do("Gwen", "gm add", name=HIDDEN, hidden=True, sheet="HP 9")
    game.do("Gwen", "gm note", target="Ogre", text=NOTE)
    for name, abilities in ARMS.items():
        arm(game, name, *abilities)
    if seed % 2:  # on a board not everybody is in range
        game.do("Gwen", "board size", size="6x6")
        for name in game.state.names[1:]:
            game.do("Gwen", "board place", target=name, cells=f"{rng.choice('ABCDEF')}{rng.randint(1, 6)}")
    game.do("Gwen", "encounter begin")
    return game


def rulings(rng: random.Random, names: tuple[str, ...]) -> tuple[str, str, dict[str, Any]]:
    """Pick something that people do at a table beside ending turns: who, what, with which options."""
    one, other = rng.choice(names), rng.choice(names)
    ticks = rng.choice(("bearer-start", "bearer-end", "source-start", "source-end", "round-end"))
    possible: list[tuple[str, str, dict[str, Any]]] = [
        ("Gwen", "gm turn", {"target": one}),
        ("Gwen", "gm skip", {"target": one}),
        ("Gwen", "gm next-phase", {}),
        ("Gwen", "gm order", {"names": f"{one}, {other}"}),
        ("Gwen", "gm set", {"target": one, "pool": "initiative", "value": str(rng.randint(1, 20))}),
        ("Gwen", "gm set", {"target": one, "pool": "mark:dead", "value": rng.choice(("on", "off"))}),
        ("Gwen", "gm set", {"target": one, "pool": "group", "value": rng.choice(("Rats", "off"))}),
        ("Gwen", "gm set", {"target": one, "pool": "side", "value": rng.choice(("Players", "GM", "Third"))}),
        ("Gwen", "gm damage", {"target": "Ogre", "amount": "1d6"}),
        ("Gwen", "gm remove", {"target": one}),
        ("Gwen", "gm ask", {"who": f"{one}, {other}", "rolls": "1d20", "show": rng.choice(("all", "gm", "blind"))}),
        ("Gwen", "ask-roll", {}),
        ("Gwen", "add", {"name": rng.choice(("Wolf", "Bat")), "count": rng.randint(1, 2)}),
        ("Gwen", "encounter options", {"set": rng.choice(COMBINATIONS)}),
        (
            "Gwen",
            "condition add",
            {
                "target": one,
                "source": other,
                "name": rng.choice(("Web", "Hex")),
                "duration": str(rng.randint(1, 3)),
                "ticks": ticks,
                "concentration": rng.random() < 0.3,
            },
        ),
        ("Ana", "join", {}),
        ("Bo", "remove", {}),
    ]
    return rng.choice(possible)


def check_sound(game: Game) -> None:
    """Assert what no step may break."""
    state = game.state
    names = set(state.names)
    for held in (state.order, state.current, state.acted, state.started, state.delayed):
        assert set(held) <= names
        assert len(set(held)) == len(held)
    set_aside = [name for each in state.interrupted for name in each]
    assert set(set_aside) <= names
    assert not set(set_aside) & set(state.current)
    assert set(state.order) == names
    assert not set(state.current) & set(state.delayed)
    if state.options.get("rolled") == "cards" and state.pile:
        assert (len(state.pile) + len(state.dropped) + len(state.dealt)) % 54 == 0
    assert load_encounter(json.loads(state.model_dump_json(exclude_defaults=True))) == state
    for question in state.questions:
        assert question.about != RESPONSE or question.silent or useful(state, question)
    view = view_of(game.table, game.seat("Gwen"))
    assert view is not None
    assert set(view.turn) <= set(export_view(game.table, game.seat("Gwen"))["legal"])


def everything_shown(game: Game, reader: str) -> str:
    """Return all that a person is shown of the table and of the last step, as one text."""
    seat = game.seat(reader)
    view = view_of(game.table, seat)
    assert view is not None
    offers = [offers_for(game.table, who, seat) for who in view.combatants]
    shown = json.dumps(export_view(game.table, seat), ensure_ascii=False)
    return f"{shown}{view.model_dump_json()}{offers!r}{game.said(reader)}"


@pytest.mark.parametrize("rolled", range(len(ROLLED)))
@pytest.mark.parametrize("seed", range(6))
def test_offers_agree_with_decisions_in_every_combination_of_options(rolled: int, seed: int) -> None:
    """Each seed has each option; all six have all combinations."""
    options = COMBINATIONS[6 * rolled + 2 * ((rolled + seed) % 3) + (rolled + seed // 3) % 2]
    game = table(options, seed=len(options))
    play_randomly(game, seed=COMBINATIONS.index(options) + 18 * (seed // 6), steps=40)
    check_sound(game)
    assert game.state.round >= 2


@pytest.mark.parametrize("seed", range(12))
def test_any_mixture_of_turns_and_rulings_keeps_the_table_sound_and_secrets_secret(seed: int) -> None:
    rng = random.Random(seed)
    game = table(COMBINATIONS[seed * 7 % len(COMBINATIONS)], seed)
    for _ in range(35):
        names = tuple(game.state.names)
        if not names:
            break
        if rng.random() < 0.5:
            who = rng.choice(names)
            offers = system_of(game.state).offers(game.state, who)
            if not offers:
                continue
            by, action, given = "Gwen", rng.choice(offers).action, {"character": who, "note": None}
        else:
            by, action, given = rulings(rng, names)
        try:
            game.do(by, action, **given)
        except Refusal as refusal:
            assert str(refusal)  # noqa: PT017 - a refusal is one of two good outcomes
            continue
        check_sound(game)
        for reader in ("Ana", "Bo"):
            shown = everything_shown(game, reader)
            assert HIDDEN not in shown, f"seed {seed}: {reader} learns of the hidden one by {action} {given}"
            assert NOTE not in shown, f"seed {seed}: {reader} reads the GM's note after {action}"


@given(
    count=st.integers(1, 6),
    moves=st.lists(st.sampled_from(("draw", "play", "discard", "give", "shuffle")), max_size=14),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=60, deadline=None)
def test_cards_beside_a_fight_are_kept_and_hands_are_their_owners(count: int, moves: list[str], seed: int) -> None:
    rng = random.Random(seed)
    game = Game("classic", "gm_sees_hands=off")
    game.do("Ana", "join")
    names = [f"Card{number:03}x" for number in range(12)]
    game.decided(Command(action="deck new", args={"cards": names}), game.seat("Gwen"))
    for move in moves:
        who = rng.choice(("Ana", "Bo"))
        other = "Bo" if who == "Ana" else "Ana"
        held = game.table.cards.hands.get(game.users[who], ())
        try:
            if move == "shuffle":
                game.do("Gwen", "deck shuffle")
            elif move == "draw":
                game.do(who, "hand draw", count=count)
            elif move == "give" and held:
                game.do(who, "hand give", cards=rng.choice(held), player=game.users[other], player_name=other)
            elif held:
                game.do(who, f"hand {move}", cards=rng.choice(held))
        except Refusal:
            continue
        cards = game.table.cards
        everywhere = [*cards.pile, *cards.discards, *(card for hand in cards.hands.values() for card in hand)]
        assert sorted(everywhere) == sorted(names)
        for reader in ("Gwen", "Ana", "Bo"):
            shown = json.dumps(export_view(game.table, game.seat(reader)))
            secret = [
                *cards.pile,
                *(c for user, hand in cards.hands.items() if user != game.users[reader] for c in hand),
            ]
            assert not [card for card in secret if card in shown], f"{reader} sees cards after {move}"
