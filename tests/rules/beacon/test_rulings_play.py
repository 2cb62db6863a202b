"""Random play with people who come and go: joining, leaving, owners, kinds, hidden ones, skips, timers at any seam.

All who were there when a round began have exactly the turns that the rules give them; what is accepted has an effect;
nobody acts who is out; no question names who is gone; nothing changes between two encounters but by a rule.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from rules.core.registry import system_of
from rules.core.seen.lines import plain
from rules.core.sheets.sheet import Character
from rules.errors import Refusal
from rules.systems.beacon.sheet import is_beacon, is_out
from rules.systems.beacon.state import NPC
from tests.rules.beacon.rounds import ANSWERS
from tests.rules.beacon.scene import BOW, DAGGER, FIREBALL, PARRY, QUICK, SPEAR, add
from tests.rules.table import Game, command_for, hangs

PEOPLE = ("Gwen", "Ana", "Bo", "Cai")
QUIET = ("decline",)  # once more by somebody who has let it pass already changes nothing, and need not


@dataclass
class Tale:
    """What has happened: who was there all round, who has left, how many have come."""

    game: Game
    rng: random.Random
    came: int = 0
    gone: list[str] = field(default_factory=list)
    steady: set[str] = field(default_factory=set)
    round: int = 0
    gave_up: set[str] = field(default_factory=set)

    def somebody(self) -> str:
        return str(self.rng.choice(self.game.state.names))

    def changed(self, *names: str) -> None:
        """Somebody was ruled about: what turns they have in this round is the GM's."""
        self.steady -= set(names)


def table(seed: int) -> Tale:
    rng = random.Random(seed)
    game = Game("beacon", ("", "first=npc", "surge=partial")[seed % 3], people=PEOPLE)
    add(game, "Rhea", owner="Ana", abilities=(BOW, SPEAR, FIREBALL, *ANSWERS[:3]))
    add(game, "Pip", owner="Bo", abilities=(DAGGER, FIREBALL, QUICK, PARRY, ANSWERS[6]))
    add(game, "Cat", owner="Cai", abilities=(SPEAR,))
    add(game, "Ogre", abilities=(SPEAR,), INITIATIVE=5, TURNS=2, REACTIONS="Counterattack + Opportunity Attack")
    add(game, "Imp", abilities=(BOW, FIREBALL, *ANSWERS[3:]), INITIATIVE=rng.randint(1, 8), REACTIONS="Interpose")
    if seed % 2:
        game.do("Gwen", "board size", size="9x7")
        for name, cell in (("Rhea", "B2"), ("Pip", "B5"), ("Cat", "C3"), ("Ogre", "E3"), ("Imp", "G5")):
            game.do("Gwen", "board place", target=name, cells=cell)
    game.do("Gwen", "encounter begin")
    return Tale(game, rng, steady=set(game.state.names), round=1)


# What a GM may do in between


def comes(tale: Tale) -> None:
    tale.came += 1
    if tale.rng.random() < 0.5:
        add(tale.game, f"Wight{tale.came}", abilities=(SPEAR,), INITIATIVE=tale.rng.randint(1, 8))
    else:
        add(tale.game, f"Guest{tale.came}", owner=tale.rng.choice(PEOPLE[1:]), abilities=(SPEAR, FIREBALL))


def comes_unseen(tale: Tale) -> None:
    tale.came += 1
    name = f"Ghost{tale.came}"
    tale.game.do("Gwen", "gm add", name=name, sheet="HP 9, SPEED 3, INITIATIVE 3", hidden=True)
    if tale.rng.random() < 0.5:
        tale.game.do("Gwen", "gm reveal", target=name)


def leaves(tale: Tale) -> None:
    if len(tale.game.state.names) > 3:
        who = tale.somebody()
        tale.game.do("Gwen", "gm remove", target=who)
        tale.gone.append(who)
        tale.changed(who)


def changes_hands(tale: Tale) -> None:
    who = tale.somebody()
    owner = tale.rng.choice(("gm", *(tale.game.users[name] for name in PEOPLE[1:])))
    owner = owner if owner == "gm" else f"<@{owner.zfill(18)}>"
    tale.game.do("Gwen", "gm set", target=who, pool="owner", value=owner)


def changes_sides(tale: Tale) -> None:
    who = tale.somebody()
    state = tale.game.state
    if "INITIATIVE" not in state.combatant(who).fields:
        tale.game.do("Gwen", "gm set", target=who, pool="INITIATIVE", value="4")
    kind = "beacon" if state.combatant(who).kind == NPC else "npc"
    tale.game.do("Gwen", "gm set", target=who, pool="KIND", value=kind)
    tale.changed(who)


def falls_or_rises(tale: Tale) -> None:
    who = tale.somebody()
    combatant = tale.game.state.combatant(who)
    if combatant.has("Out"):
        tale.game.do("Gwen", "condition remove", target=who, name="Out")
    elif is_out(combatant):
        tale.game.do("Gwen", "gm heal", target=who, amount="9")
    elif tale.rng.random() < 0.5:
        tale.game.do("Gwen", "gm damage", target=who, amount="99")
    else:
        tale.game.do("Gwen", "condition add", target=who, name="Out")
    tale.changed(who)


def is_skipped(tale: Tale) -> None:
    who = tale.somebody()
    try:
        tale.game.do("Gwen", "gm skip", target=who)
    except Refusal:
        return
    tale.changed(who)


def is_ruled(tale: Tale) -> None:
    if tale.rng.random() < 0.5:
        who = tale.somebody()
        tale.game.do("Gwen", "gm turn", target=who)
        tale.changed(who)
    else:
        tale.game.do("Gwen", "gm next-phase")
    tale.steady.clear()


def clock_strikes(tale: Tale) -> None:
    """A reminder does the mildest thing for somebody who does not answer."""
    state = tale.game.state
    for who in system_of(state).waits_for(state)[:1]:
        command = system_of(state).timeout_action(state, who)
        if command is not None:
            tale.game.decided(command)


RULINGS: tuple[Callable[[Tale], None], ...] = (
    comes, comes_unseen, leaves, changes_hands, changes_sides, falls_or_rises, is_skipped, is_ruled,
    clock_strikes, clock_strikes, clock_strikes,
)  # fmt: skip


# What must hold


def look(tale: Tale, seed: int) -> None:
    state = tale.game.state
    system = system_of(state)
    assert hangs(tale.game) is None, f"seed {seed}: {hangs(tale.game)}"
    for who in state.names:
        if is_out(state.combatant(who)):
            tale.changed(who)
            assert system.offers(state, who) == (), f"seed {seed}: {who} is out and acts"
            assert who not in system.waits_for(state), f"seed {seed}: {who} is out and waited for"
    for question in state.questions:
        named = f"{question.words} {question.inside}".replace(",", " ").replace(":", " ").replace("?", " ").split()
        assert not set(named) & set(tale.gone), f"seed {seed}: {question.words} names who is gone"


def count_turns(tale: Tale, seed: int) -> None:
    """As a round ends, look at the last state of it: nobody who was there all the time lacks a turn or has one more."""
    state = tale.game.state
    lines = [text for line in tale.game.decisions[-1].lines if (text := plain(line, tale.game.seat("Gwen")))]
    for text in lines:
        for ending in (" gives up this round's turn.", " ends the turn."):
            if text.endswith(ending):
                tale.gave_up.add(text.removesuffix(ending))
    if state.round == tale.round:
        return
    for who in tale.steady & set(state.names):
        assert who in tale.gave_up, f"seed {seed}: {who} had no turn in round {tale.round}"
    tale.round = state.round
    tale.steady = set(state.names)
    tale.gave_up = set()
    for who in state.names:
        begun = state.turn is not None and state.turn.who == who
        assert state.taken.get(who, 0) == int(begun), f"seed {seed}: {who} begins round {state.round} with a turn taken"


def no_more_turns_than_due(tale: Tale, seed: int) -> None:
    state = tale.game.state
    for who in tale.steady & set(state.names):
        combatant = state.combatant(who)
        due = 1 if is_beacon(combatant) else combatant.number("TURNS", 1)
        assert state.taken.get(who, 0) <= due, f"seed {seed}: {who} has had {state.taken[who]} turns"


@pytest.mark.parametrize("seed", range(6))
def test_everybody_has_their_turns_no_matter_who_comes_and_goes(seed: int) -> None:
    tale = table(seed)
    play(tale, seed, 120)
    assert tale.game.state.round >= 1


def play(tale: Tale, seed: int, steps: int) -> None:
    rng = tale.rng
    for _ in range(steps):
        if rng.random() < 0.2:
            rng.choice(RULINGS)(tale)
        else:
            act(tale, seed)
        count_turns(tale, seed)
        look(tale, seed)
        no_more_turns_than_due(tale, seed)


def act(tale: Tale, seed: int) -> None:
    game, rng = tale.game, tale.rng
    state = game.state
    system = system_of(state)
    able = [who for who in system.waits_for(state) if system.offers(state, who)]
    if not able:
        able = [who for who in system.actors(state) if system.offers(state, who)]
    if not able:
        return  # everybody is out: the GM goes on
    who = rng.choice(able)
    offers = system.offers(state, who)
    ending = [offer for offer in offers if offer.action in ("end", "decline", "plan")]
    offer = rng.choice(ending if ending and rng.random() < 0.4 else offers)
    command = command_for(offer, rng, state)
    given = {key: value for key, value in command.model_dump(exclude_defaults=True).items() if key != "action"}
    combatant = state.find(who)
    owner = None if combatant is None else combatant.owner
    by = next((name for name, user in game.users.items() if user == owner), game.gm)
    try:
        decision = game.do(by, command.action, **given)
    except Refusal as refusal:
        raise AssertionError(f"seed {seed}: {command!r} was offered and refused: {refusal}") from refusal
    assert command.action in QUIET or decision.table.encounter != state, f"seed {seed}: {command!r} did nothing"


def test_be_26_between_two_encounters_only_what_a_rule_says_changes() -> None:
    for seed in range(4):
        tale = table(seed)
        play(tale, seed, 60)
        state = tale.game.state
        if "Pip" not in state.names:
            continue
        pip = state.combatant("Pip")
        tale.game.do("Gwen", "encounter end")
        ended = tale.game.state.combatant("Pip")
        lost = {held.name.casefold() for held in pip.conditions} - {held.name.casefold() for held in ended.conditions}
        assert lost <= {"grappled", "hidden", "marked", "out", "defending"}
        assert ended.pools == pip.pools
        home = system_of(state).carried(state, ended, Character(name="Pip", owner="102", fields=pip.fields))
        assert home.fields["STRESS"] == f"{pip.pools['STRESS'].now}/{pip.pools['STRESS'].top}"
