"""The people, characters and stones of the stones tests. A deck can be stacked by the faces of its shuffle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rules.core.cards import counted
from rules.dice.source import Die
from rules.systems.stones.players import excess, key_for
from rules.systems.stones.state import StonesState
from tests.rules.table import Game

SHEET: Mapping[str, int | str] = {
    "HP": 20,
    "ATK": 6,
    "ARM": 2,
    "MOV": 4,
    "RNG": 1,
    "CRT": 20,
    "TYPE": "Physical",
}


def ability(name: str, text: str, **fields: str) -> dict[str, Any]:
    return {"name": name, "kind": "", "fields": fields, "text": text}


SEARING = ability(
    "Searing Blow", "[Standard Attack], [On 1-50] adds [Burn]", card="offensive", element="Fire", cost="3"
)
BOLT = ability("Bolt", "[Any Range], [Standard Attack]", card="offensive", element="Wind", cost="1")
SKIN = ability("Stone Skin", "[Fuse] Armor is higher.", card="defensive", element="Earth", cost="2", arm="+1")
BOOTS = ability("Boots", "[Fuse] Faster.", card="defensive", element="Wind", cost="1", mov="+2")
MEND = ability("Mend", "adds [Shielded]", card="defensive", element="Light", cost="1", duration="2")

SHOVE = ability("Shove", "[Push 2], [Draw]", card="offensive", element="Fire", cost="0")


def table(options: str = "", people: Iterable[str] = ("Gwen", "Ana", "Bo")) -> Game:
    """Return a table that does everything by hand, unless the options say otherwise."""
    return Game("stones", options if "auto" in options else f"auto=off, {options}", people=people)


def add(
    game: Game,
    name: str,
    *,
    owner: str | None = None,
    side: str | None = None,
    abilities: Iterable[dict[str, Any]] = (),
    **changes: int | str,
) -> None:
    """Bring in a character: a player's own, or the GM's."""
    fields = {**SHEET, **changes}
    document = {"name": name, "owner": "0", "fields": fields, "abilities": list(abilities)}
    placed: dict[str, Any] = {} if side is None else {"side": side}
    if owner is None:
        game.do(game.gm, "gm add", name=name, document=document, **placed)
    else:
        game.do(owner, "join", document=document, **placed)


def game_of(
    *characters: tuple[str, str, str], options: str = "first=A", abilities: Mapping[str, Any] | None = None
) -> Game:
    """Return a table that has not begun: (name, player, side) for each character."""
    game = table(options, people=("Gwen", "Ana", "Bo", "Cai", "Dee", "Eve", "Fay"))
    for name, player, side in characters:
        add(game, name, owner=player, side=side, abilities=(abilities or {}).get(name, ()))
    return game


def duel(options: str = "first=A", **changes: Any) -> Game:
    """Ayla (Ana, side A) begins against Borr (Bo, side B)."""
    game = table(options)
    add(game, "Ayla", owner="Ana", side="A", abilities=(SEARING, BOLT, SKIN, BOOTS, MEND), **changes)
    add(game, "Borr", owner="Bo", side="B", abilities=(SKIN,))
    game.do("Gwen", "encounter begin")
    return game


def player(game: Game, name: str) -> str:
    return key_for(game.state, game.users[name])


def give(game: Game, name: str, *cards: str) -> None:
    """Put exactly these stones into a hand, in exchange for others; nothing is lost of the deck."""
    state: StonesState = game.state
    key = player(game, name)
    pile = [*state.hands.get(key, ()), *state.pile]
    for card in cards:
        pile.remove(card)
    state = state.evolve(hands={**state.hands, key: cards}, pile=tuple(pile))
    game.table = game.table.evolve(encounter=state)


def stack(game: Game, *cards: str) -> None:
    """Put these stones on top of the pile."""
    pile = list(game.state.pile)
    for card in cards:
        pile.remove(card)
    game.table = game.table.evolve(encounter=game.state.evolve(pile=(*cards, *pile)))


def held(game: Game, name: str) -> tuple[str, ...]:
    hands: Mapping[str, tuple[str, ...]] = game.state.hands
    return hands.get(player(game, name), ())


def everything(state: StonesState) -> Counter[str]:
    """Return all stones wherever they are."""
    found = Counter((*state.pile, *state.discards))
    for cards in state.hands.values():
        found.update(cards)
    for lying in state.fused.values():
        for cards in lying.values():
            found.update(cards)
    return found


def take_turn(game: Game, name: str) -> None:
    """Claim a turn and end it at once, with whatever must be discarded."""
    game.do(name, "begin")
    over = excess(game.state, player(game, name))
    if over:
        game.do(name, "discard", cards=counted(held(game, name)[:over]))
    game.do(name, "end")


def faces(game: Game) -> list[tuple[int, int, str]]:
    """Return sides, face and purpose of the last command's dice."""
    return [(die.sides, die.face, die.purpose) for die in game.decisions[-1].dice.records if isinstance(die, Die)]
