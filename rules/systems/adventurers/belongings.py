"""Weapons, items and bags: equip, exchange, store, use up.

Rule: AD-10, AD-12, AD-13, AD-14.
"""

from __future__ import annotations

from pydantic import JsonValue

from rules.core.asking.ask import Ask, Effect
from rules.core.registry import option_value
from rules.core.sheets.abilities import with_field
from rules.core.sheets.numbers import as_written
from rules.core.turns.fallen import is_out
from rules.core.typed.names import shown
from rules.core.typed.skeleton import same, skeleton
from rules.core.values import Ability, Combatant, Question
from rules.errors import Illegal, Refusal
from rules.systems.adventurers.body import discard
from rules.systems.adventurers.checks import Adventuring
from rules.systems.adventurers.creatures import (
    BAG,
    ITEM,
    LOOSE,
    WEAPON,
    bags,
    camp,
    goods,
    is_adventurer,
    place_of,
    thing_words,
)
from rules.systems.adventurers.state import AdventurersState, spend_action

OFFER = "exchange"
GIVE = "give"
TAKE = "take"
IN = "in"
OUT = "out"


def use_up(step: Adventuring, who: str, ability: Ability) -> None:
    """Count one use of an item (field `uses`); with the last one it is gone."""
    text = ability.field("uses").strip()
    if ability.kind != ITEM or not text.isdecimal():
        return
    left = max(0, int(text) - 1)
    if left == 0:
        discard(step, who, ability.name, lambda each: each.kind == ITEM)
        step.tell("{item} is used up.", item=ability.name, who=who)
        return
    _replace(step, who, ability, with_field(ability, "uses", str(left)))
    step.tell("{item}: {left} uses left.", item=ability.name, left=left, who=who)


def _replace(step: Adventuring, who: str, old: Ability, new: Ability) -> None:
    abilities = list(step.combatant(who).abilities)
    abilities[abilities.index(old)] = new
    step.change_combatant(who, abilities=tuple(abilities))


# What lasts beyond the encounter


def packed(combatant: Combatant) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ability.name for ability in combatant.abilities if ability.kind in (ITEM, WEAPON, BAG)))


def kept(combatant: Combatant, brought: tuple[str, ...], saved: tuple[Ability, ...]) -> tuple[Ability, ...]:
    """Return the saved abilities with the belongings as the encounter leaves them.

    What was saved meanwhile and never came along stays. Rule: AD-13, AD-20.
    """
    now = [ability for ability in combatant.abilities if ability.kind in (ITEM, WEAPON, BAG)]
    known = {skeleton(name) for name in (*brought, *(each.name for each in now))}
    abilities: list[Ability] = []
    for each in saved:
        if each.kind not in (ITEM, WEAPON, BAG) or skeleton(each.name) not in known:
            abilities.append(each)
        elif (still := next((held for held in now if same(held.name, each.name)), None)) is not None:
            now.remove(still)
            abilities.append(as_written(still))
    return (*abilities, *map(as_written, now))


# Equip (AD-12)


def stored_weapons(state: AdventurersState, who: str) -> tuple[str, ...]:
    return tuple(
        ability.name for ability in state.combatant(who).abilities if ability.kind == WEAPON and ability.field("bag")
    )


def nothing_to_equip(state: AdventurersState, who: str) -> Refusal | None:
    if stored_weapons(state, who):
        return None
    return Illegal(
        f"{who} has no weapon left to equip.", rule="AD-12", instead="A weapon that is in no bag is already equipped."
    )


def equip(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    who, held = ask.who, stored_weapons(ask.state, ask.who)
    name = ask("using", "weapon", held, notes=_words(ask.state.combatant(who)), all_lead=True)

    def do(step: Adventuring) -> None:
        weapon = next(each for each in goods(step.combatant(who)) if each.name == name and each.field("bag"))
        spend_action(step, who)
        _replace(step, who, weapon, with_field(weapon, "bag", None))
        words = "{who} equips {weapon}." if weapon.field("bag") == LOOSE else "{who} equips {weapon} out of {bag}."
        step.tell(words, who=who, weapon=name, bag=weapon.field("bag"))

    return do


# Exchange (AD-13)


def _words(*holders: Combatant) -> dict[str, str]:
    """Return what each thing is good for, for the line below it in a list."""
    return {good.name: words for holder in holders for good in goods(holder) if (words := thing_words(good))}


def _names(state: AdventurersState, who: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(good.name for good in goods(state.combatant(who))))


def allies(state: AdventurersState, who: str) -> tuple[str, ...]:
    """Return those one may exchange with: others of one's own side who are still here."""
    own = state.combatant(who)
    return tuple(
        combatant.name
        for combatant in state.combatants
        if combatant.name != who
        and camp(combatant) == camp(own)
        and is_adventurer(state, combatant.name)
        and not is_out(state, combatant.name)
        and (own.hidden or not combatant.hidden)
    )


def _exchanges(state: AdventurersState, who: str) -> tuple[str, ...]:
    """Return the allies who could exchange something with them."""
    if _names(state, who):
        return allies(state, who)
    return tuple(name for name in allies(state, who) if _names(state, name))


def nothing_to_exchange(state: AdventurersState, who: str) -> Refusal | None:
    if _exchanges(state, who):
        return None
    return Illegal("An exchange needs an ally and an item.", rule="AD-13", instead="One of them is missing.")


def exchange(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    """Ask for ally, direction and item; the item belongs to the one who gives it."""
    state, who = ask.state, ask.who
    ally = ask("target", "ally", _exchanges(state, who), all_lead=True)
    ways = tuple(way for way, giver in ((GIVE, who), (TAKE, ally)) if not ally or _names(state, giver))
    is_asked = option_value(state, "consent") == "on"
    notes = {GIVE: "hand it over"} | ({TAKE: f"{ally or 'the ally'} is asked first"} if is_asked else {})
    way = ask("note", "give or take", ways, nameable=(GIVE, TAKE), rule="AD-13", notes=notes, all_lead=True)
    giver, taker = (ally, who) if way == TAKE else (who, ally)
    every = tuple(dict.fromkeys(name for each in (who, *allies(state, who)) for name in _names(state, each)))
    items = _names(state, giver) if way and giver else every

    def no_item(item: str) -> Refusal:
        instead = f"Possible: {shown(items) or 'nothing'}."
        return Illegal(f"{giver} has no {item}.", rule="AD-13", instead=instead)

    words = _words(state.combatant(giver or who))
    item = ask("using", "item", items, nameable=every, why=no_item, notes=words, all_lead=True)

    def do(step: Adventuring) -> None:
        if way == TAKE and is_asked:
            _ask_for(step, who, ally, item)
            return
        spend_action(step, who)
        _move(step, giver, taker, item)

    return do


def _ask_for(step: Adventuring, who: str, ally: str, item: str) -> None:
    """Ask an ally for a thing of theirs; an earlier request of the same one is over."""
    step.tell("{who} asks {ally} for {item}.", who=who, ally=ally, item=item)
    requests = (question for question in step.state.questions if question.about == OFFER)
    step.close(*(request for request in requests if request.data.get("taker") == who))
    words = f"{who} asks for {item}: accept hands it over, pass keeps it."
    data: dict[str, JsonValue] = {"taker": who, "item": item, "since": _acts_so_far(step.state, who)}
    step.ask(ally, OFFER, words, ("accept", "pass"), alone=True, data=data)


def _acts_so_far(state: AdventurersState, who: str) -> list[JsonValue]:
    return [state.round, who in state.done, state.extras.get(who, 0)]


def is_withdrawn(state: AdventurersState, request: Question) -> bool:
    """Tell whether a request is over: its maker has gone or done something else, or the thing is gone. Rule: AD-13."""
    taker = str(request.data.get("taker"))
    if state.find(taker) is None or is_out(state, taker) or request.data.get("item") not in _names(state, request.who):
        return True
    since = request.data.get("since")
    return isinstance(since, list | tuple) and [*since] != _acts_so_far(state, taker)


def hand_over(step: Adventuring, who: str) -> None:
    taker, item = str(step.question.data["taker"]), str(step.question.data["item"])
    if item not in _names(step.state, who):
        step.tell("Nothing changes hands.")
        return
    spend_action(step, taker)
    _move(step, who, taker, item)


def _move(step: Adventuring, giver: str, taker: str, item: str) -> None:
    """Hand a thing over; a weapon is not equipped by it, which is an action of its own. Rule: AD-12, AD-13."""
    thing = with_field(discard(step, giver, item, lambda ability: ability.kind in (ITEM, WEAPON)), "bag", None)
    if thing.kind == WEAPON:
        bag = next(iter(bags(step.combatant(taker))), LOOSE)
        thing = with_field(thing, "bag", bag)
    own = thing.evolve(sheet="")  # a name in its text was the giver's
    step.change_combatant(taker, abilities=(*step.combatant(taker).abilities, own))
    words = "{giver} gives {item} to {taker}" + (" ({place})." if thing.kind == WEAPON else ".")
    step.tell(words, giver=giver, item=item, taker=taker, place=place_of(thing))


# Store (AD-14)


def _inside(state: AdventurersState, who: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(good.name for good in goods(state.combatant(who)) if _in_bag(good)))


def _outside(state: AdventurersState, who: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(good.name for good in goods(state.combatant(who)) if not _in_bag(good)))


def _in_bag(thing: Ability) -> bool:
    return thing.field("bag") not in ("", LOOSE)


def _ways(state: AdventurersState, who: str) -> tuple[str, ...]:
    can_in = bool(_outside(state, who) and bags(state.combatant(who)))
    return tuple(way for way, possible in ((IN, can_in), (OUT, bool(_inside(state, who)))) if possible)


def nothing_to_store(state: AdventurersState, who: str) -> Refusal | None:
    if _ways(state, who):
        return None
    return Illegal(
        f"{who} has no bag with anything to put in or take out.",
        rule="AD-14",
        instead="A bag is an ability of kind bag.",
    )


def store(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    """Ask for direction, item and bag; the only bag, and the one that a thing lies in, are evident."""
    state, who, combatant = ask.state, ask.who, ask.state.combatant(ask.who)
    way = ask("note", "in or out", _ways(state, who), nameable=(IN, OUT), rule="AD-14", all_lead=True)
    inside, outside = _inside(state, who), _outside(state, who)
    every = tuple(dict.fromkeys((*outside, *inside)))
    items = outside if way == IN else inside if way == OUT else every

    def elsewhere(item: str) -> Refusal:
        where = "in a bag already" if way == IN else "in no bag"
        return Illegal(f"{item} is {where}.", rule="AD-14", instead="To put in, use note:in; to take out, note:out.")

    item = ask("using", "item", items, nameable=every, why=elsewhere, notes=_words(combatant), all_lead=True)
    things = [each for each in goods(combatant) if each.name == item and _in_bag(each) == (way != IN)]
    places = bags(combatant) if way == IN else tuple(dict.fromkeys(each.field("bag") for each in things))
    bag = next(iter(places), "")
    if (way == IN and len(places) > 1) or ask.text("to"):
        bag = ask("to", "bag", places, nameable=_bags_known(combatant), rule="AD-14", all_lead=True)

    def do(step: Adventuring) -> None:
        thing = next(each for each in things if way == IN or each.field("bag") == bag)
        spend_action(step, who)
        _replace(step, who, thing, with_field(thing, "bag", bag if way == IN else None))
        words = "{who} puts {item} into {bag}." if way == IN else "{who} takes {item} out of {bag}."
        step.tell(words, who=who, item=item, bag=bag)

    return do


def _bags_known(combatant: Combatant) -> tuple[str, ...]:
    inside = (each.field("bag") for each in goods(combatant) if _in_bag(each))
    return tuple(dict.fromkeys((*bags(combatant), *inside)))
