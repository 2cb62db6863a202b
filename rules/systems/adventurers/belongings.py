"""Weapons, items and bags: equip, exchange, store, use up.

Rule: AD-10, AD-12, AD-13, AD-14.
"""

from __future__ import annotations

from pydantic import JsonValue

from rules.core.command import Command
from rules.core.offer import Param
from rules.core.registry import option_value
from rules.core.sheets.abilities import with_field
from rules.core.sheets.numbers import as_written
from rules.core.typed.names import shown
from rules.core.typed.skeleton import same, skeleton
from rules.core.values import Ability, Combatant, Question
from rules.errors import Illegal, Malformed, Refusal
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
    is_out,
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


def equip_params(state: AdventurersState, who: str) -> tuple[Param, ...]:
    held = stored_weapons(state, who)
    return (Param(name="using", label="weapon", choices=held, notes=_words(state.combatant(who))),)


def equip(step: Adventuring, who: str, command: Command) -> None:
    weapon = next(
        ability
        for ability in step.combatant(who).abilities
        if ability.name == command.using and ability.field("bag") and ability.kind == WEAPON
    )
    spend_action(step, who)
    _replace(step, who, weapon, with_field(weapon, "bag", None))
    words = "{who} equips {weapon}." if weapon.field("bag") == LOOSE else "{who} equips {weapon} out of {bag}."
    step.tell(words, who=who, weapon=weapon.name, bag=weapon.field("bag"))


# Exchange (AD-13)


def _words(*holders: Combatant) -> dict[str, str]:
    """Return what each thing is good for, to stand below it in a list."""
    return {good.name: words for holder in holders for good in goods(holder) if (words := thing_words(good))}


def _names(state: AdventurersState, who: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(good.name for good in goods(state.combatant(who))))


def allies(state: AdventurersState, who: str) -> tuple[str, ...]:
    """Return whom one may exchange with: others of one's own side who are still here."""
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
    """Return the allies with whom something could change hands."""
    if _names(state, who):
        return allies(state, who)
    return tuple(name for name in allies(state, who) if _names(state, name))


def nothing_to_exchange(state: AdventurersState, who: str) -> Refusal | None:
    if _exchanges(state, who):
        return None
    return Illegal("An exchange needs an ally and an item.", rule="AD-13", instead="One of them is missing.")


def exchange_narrow(state: AdventurersState, who: str, command: Command) -> tuple[Param, ...]:
    """Return ally, direction and item; the item belongs to whoever gives it."""
    ways: tuple[str, ...] = (GIVE, TAKE)
    ally = next((name for name in allies(state, who) if command.target and same(name, command.target)), "")
    if ally:
        ways = tuple(way for way, giver in ((GIVE, who), (TAKE, ally)) if _names(state, giver))
    way = (command.note or "").strip().casefold()
    every = tuple(
        dict.fromkeys((*_names(state, who), *(n for each in allies(state, who) for n in _names(state, each))))
    )
    asks = {GIVE: "hand it over"}
    if option_value(state, "consent") == "on":
        asks[TAKE] = f"{ally or 'the ally'} is asked first"
    holders = [state.combatant(name) for name in ((who,) if way == GIVE else (ally,) if ally else (who,))]
    items = every
    if ally and way in (GIVE, TAKE):
        items = _names(state, who if way == GIVE else ally)
    return (
        Param(name="target", label="ally", choices=_exchanges(state, who)),
        Param(name="note", label="give or take", choices=ways, nameable=(GIVE, TAKE), notes=asks),
        Param(name="using", label="item", choices=items, nameable=every, notes=_words(*holders)),
    )


def exchange(step: Adventuring, who: str, command: Command) -> None:
    ally, item = command.target or "", command.using or ""
    giver = who if command.note == GIVE else ally
    if item not in _names(step.state, giver):
        raise Illegal(
            f"{giver} has no {item}.",
            rule="AD-13",
            instead=f"Possible: {shown(_names(step.state, giver)) or 'nothing'}.",
        )
    if command.note == TAKE and step.option("consent") == "on":
        step.tell("{who} asks {ally} for {item}.", who=who, ally=ally, item=item)
        words = f"{who} asks for {item}: accept hands it over, pass keeps it."
        step.close(
            *(
                question
                for question in step.state.questions
                if question.about == OFFER and question.data.get("taker") == who
            )
        )
        data: dict[str, JsonValue] = {"taker": who, "item": item, "since": _acts_so_far(step.state, who)}
        step.ask(ally, OFFER, words, ("accept", "pass"), alone=True, data=data)
        return
    spend_action(step, who)
    _move(step, giver, ally if giver == who else who, item)


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
    step.change_combatant(taker, abilities=(*step.combatant(taker).abilities, thing))
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


def store_narrow(state: AdventurersState, who: str, command: Command) -> tuple[Param, ...]:
    """Return direction, item and bag; taking out needs no bag."""
    way = (command.note or "").strip().casefold()
    inside, outside = _inside(state, who), _outside(state, who)
    every = tuple(dict.fromkeys((*outside, *inside)))
    items = outside if way == IN else inside if way == OUT else every
    held = bags(state.combatant(who))
    known = tuple(dict.fromkeys((*held, *(good.field("bag") for good in goods(state.combatant(who)) if _in_bag(good)))))
    thing = next(
        (
            good
            for good in goods(state.combatant(who))
            if command.using and same(good.name, command.using) and _in_bag(good)
        ),
        None,
    )
    places = held if way != OUT else known if thing is None else (thing.field("bag"),)
    which = way == IN and len(held) > 1
    asked = (
        Param(name="note", label="in or out", choices=_ways(state, who), nameable=(IN, OUT)),
        Param(name="using", label="item", choices=items, nameable=every, notes=_words(state.combatant(who))),
    )
    # The only bag, and the one that a thing lies in, are evident.
    if which or command.to:
        return (*asked, Param(name="to", label="bag", choices=places, nameable=known, required=which))
    return asked


def store(step: Adventuring, who: str, command: Command) -> None:
    going_in = command.note == IN
    held = bags(step.combatant(who))
    bag = command.to or (held[0] if going_in and len(held) == 1 else "")
    thing = next(
        (
            good
            for good in goods(step.combatant(who))
            if good.name == command.using
            and _in_bag(good) != going_in
            and (going_in or not bag or skeleton(good.field("bag")) == skeleton(bag))
        ),
        None,
    )
    if thing is None:
        where = "in no bag" if not going_in else "in a bag already"
        raise Illegal(
            f"{command.using} is {where}.", rule="AD-14", instead="To put in, use note:in; to take out, note:out."
        )
    if going_in and bag not in held:
        raise Malformed("Say which bag with the option to.", rule="AD-14", instead=f"Bags: {shown(held) or 'none'}.")
    spend_action(step, who)
    if going_in:
        _replace(step, who, thing, with_field(thing, "bag", bag))
        step.tell("{who} puts {item} into {bag}.", who=who, item=thing.name, bag=bag)
    else:
        _replace(step, who, thing, with_field(thing, "bag", None))
        step.tell("{who} takes {item} out of {bag}.", who=who, item=thing.name, bag=thing.field("bag"))
