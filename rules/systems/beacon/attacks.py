"""Attacks: Volley, Fight, Shove and Grapple; what each needs, the roll with boons and banes, what a hit does.

Rule: BE-10, BE-15, BE-16, BE-17, BE-25.
"""

from __future__ import annotations

from typing import Any

from rules.core.asking.ask import Ask, Why
from rules.core.blow import Deed
from rules.core.blows import flow
from rules.core.blows.health import change_pool
from rules.core.blows.todo import leave_to_gm, leave_whole
from rules.core.command import Command
from rules.core.effects.bonuses import changed, edges_of
from rules.core.encounter import Encounter
from rules.core.model import per_state
from rules.core.offer import Prospect
from rules.core.reach import ranges
from rules.core.reach.shoves import free_steps
from rules.core.reach.vision import asks_sight, cover_counted, cover_number
from rules.core.registry import system_of
from rules.core.space.cells import names_of
from rules.core.typed.names import shown
from rules.core.values import Ability, Combatant
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.beacon import refusals, sheet
from rules.systems.beacon.blows import deed_of, deed_without, far_of, most_of, rolled_as
from rules.systems.beacon.harm import pay, unaffordable
from rules.systems.beacon.state import BeaconState

BeaconAsk = Ask[BeaconState]
IMPROVISED = "improvised"
RULES = {"volley": "BE-15", "fight": "BE-16", "shove": "BE-17", "grapple": "BE-17"}


@per_state
def can_be_named(state: BeaconState, who: str, *, own: bool = False) -> tuple[str, ...]:
    """Return all that somebody may aim at at all: foes first."""
    names = _foes_first(state, state.combatant(who).side)
    left_out = {name for name in state.hidden_names if not sheet.sees(state, who, name)}
    if not own:
        left_out.add(who)
    return tuple(name for name in names if name not in left_out) if left_out else names


@per_state
def _foes_first(state: BeaconState, side: str) -> tuple[str, ...]:
    combatants = sorted(state.combatants, key=lambda combatant: (sheet.is_out(combatant), combatant.side == side))
    return tuple(combatant.name for combatant in combatants)


def spaces_of(state: BeaconState, who: str, kind: str, ability: Ability | None) -> int | None:
    """Return how far an attack goes: its ability's distance, SCOPE for a spell, else an adjacent space."""
    if ability is not None:
        return far_of(state.combatant(who), ability, kind)
    if kind == "volley":
        return state.combatant(who).number("SCOPE") or None
    return 1


def aims(state: BeaconState, who: str, kind: str, ability: Ability | None) -> tuple[str, ...]:
    """Return all that an attack could be aimed at."""
    limit = spaces_of(state, who, kind, ability)
    if not asks_sight(ability):
        return ranges.among(state, who, can_be_named(state, who), limit, sight=asks_sight(ability))
    return _within(state, who, limit)


@per_state
def _within(state: BeaconState, who: str, limit: int | None) -> tuple[str, ...]:
    return ranges.among(state, who, can_be_named(state, who), limit)


@per_state
def usable(state: BeaconState, who: str, kind: str) -> tuple[str, ...]:
    """Return the abilities that Volley or Fight could use now, and whether it could be improvised."""
    names = (ability.name for ability in state.combatant(who).abilities)
    able = tuple(name for name in names if refuse_attack(state, who, kind, name) is None)
    return able if refuse_attack(state, who, kind, None) is not None else (*able, IMPROVISED)


def refuse_attack(state: BeaconState, who: str, kind: str, name: str | None, *, slow: bool = False) -> Illegal | None:
    """Return why an attack with an ability, or improvised, is not possible, no matter who it is aimed at."""
    rule, combatant = RULES[kind], state.combatant(who)
    if name is not None:
        if kind in ("shove", "grapple"):
            return Illegal(f"{kind.title()} does not use an ability.", rule=rule, instead="Name only a target.")
        ability = combatant.ability(name)
        if ability is None:
            return refusals.no_ability(who, name[:40], rule=rule)
        return _refuse_ability(state, combatant, ability, kind, slow=slow)
    if kind == "volley":
        magic = combatant.pools.get(sheet.MAGIC)
        if magic is None or magic.now < 1:
            return Illegal("An improvised spell costs 1 MP.", rule=rule, instead="Name an ability, or refresh first.")
    elif kind == "fight" and combatant.has(sheet.DISARMED):
        return refusals.disarmed(who, instead="You can still Grapple and Shove.")
    return None


def _refuse_ability(
    state: BeaconState, combatant: Combatant, ability: Ability, kind: str, *, slow: bool
) -> Illegal | None:
    kinds = sheet.attack_kinds(ability)
    if kind not in kinds:
        able = [each.name for each in combatant.abilities if kind in sheet.attack_kinds(each)]
        return Illegal(
            f"{ability.name} can't be used with {kind.title()}.",
            rule="BE-05",
            instead=f"With {kind.title()} you can use {shown(able) or 'the improvised attack'}.",
        )
    if sheet.is_channel(ability):
        return refusals.channeled(ability.name)
    if sheet.tagged(ability, "slow") and not slow:
        return refusals.slow(ability.name)
    if sheet.is_weapon(ability) and combatant.has(sheet.DISARMED):
        return refusals.disarmed(
            combatant.name, instead="You can still Grapple and Shove, and use what is not a weapon."
        )
    return unaffordable(state, combatant.name, ability, RULES[kind])


def refuse_target(state: BeaconState, who: str, kind: str, ability: Ability | None, target: str) -> Illegal | None:
    """Return why an attack cannot be aimed at somebody, if so."""
    if target == who:
        return refusals.not_oneself(rule=RULES[kind])
    limit = spaces_of(state, who, kind, ability)
    if ranges.within(state, who, target, limit, sight=asks_sight(ability)):
        return None
    near = aims(state, who, kind, ability)
    return ranges.beyond(state, who, target, limit, near, rule=RULES[kind], what=f"you can choose {limit}")


# Asking for targets


def whom(
    ask: BeaconAsk,
    ability: Ability | None,
    values: tuple[str, ...],
    why: Why,
    *,
    required: bool = True,
    rule: str = "BE-05",
    unsaid: str = "",
) -> tuple[str, ...]:
    """Ask for as many targets as there may be, for one of a weapon; `why` refuses one out of reach. Rule: BE-05."""
    nameable = can_be_named(ask.state, ask.who, own=True)

    def refusal(target: str) -> Refusal | None:
        if ask.state.find(target) is None:
            return Malformed(f"There is no {target[:40]} here.", instead=f"Possible: {shown(values) or 'nobody'}.")
        return why(target)

    most = 1 if ability is None else most_of(ability)
    found = ask.several(
        "target",
        "target",
        values,
        nameable=nameable,
        why=refusal,
        required=required,
        many=most != 1,
        rule=rule,
        unsaid=unsaid,
    )
    if ability is not None and most is not None and len(found) > most:
        raise Illegal(f"{ability.name} can have {most} targets.", rule=rule, instead=f"Name {most} of them.")
    return found


def aimed(ask: BeaconAsk, kind: str, ability: Ability | None) -> tuple[str, ...]:
    """Ask for an attack's targets."""
    state, who = ask.state, ask.who

    def why(target: str) -> Refusal | None:
        return refuse_target(state, who, kind, ability, target)

    return whom(ask, ability, aims(state, who, kind, ability), why)


def push_cells(state: BeaconState, who: str, target: str) -> tuple[str, ...]:
    """Return the cells that a shove can push somebody to: one space, away from the attacker."""
    return names_of(free_steps(state, who, target))


# Beginning


def set_about(step: sheet.BeaconStep, *acts: flow.Act) -> None:
    """Begin blows, the first before the second: their windows, their dice and what they do follow. Rule: BE-24."""
    for act in reversed(acts):
        flow.begin(step, act, goes_on=False)


def declared(
    step: sheet.BeaconStep,
    who: str,
    kind: str,
    ability: Ability | None,
    targets: tuple[str, ...],
    *,
    choice: str | None = None,
    to: str | None = None,
    words: str = "",
) -> flow.Act:
    """Declare an attack and pay its price; return what is to begin."""
    facts: dict[str, Any] = {"who": who, "target": ", ".join(targets), "kind": kind.title()}
    text = "{who}: {kind} against {target}" if not words else "{who}: {words}, {kind} against {target}"
    if words:
        facts["words"] = words
    if ability is not None:
        text += " with {ability}"
        facts["ability"] = ability.name
    elif kind in ("volley", "fight"):
        text += ", improvised"
    step.tell(text + ".", seen_by=None, good=None, **facts)
    if ability is not None:
        leave_to_gm(step, who, ability.name, targets, degrees=())
        pay(step, who, ability)
        return flow.Act(who, ability, numbered(step.state, who, ability), targets, action=kind)
    if kind == "volley":
        change_pool(step, who, sheet.MAGIC, -1)
    if kind == "shove" and choice == "push":
        to = (to or "").strip().upper() or next(iter(push_cells(step.state, who, targets[0])), "")
    return flow.Act(who, Ability(name=""), deed_without(kind, choice, to or ""), targets, action=kind)


def declare(
    step: sheet.BeaconStep, who: str, kind: str, ability: Ability | None, targets: tuple[str, ...], *, words: str = ""
) -> None:
    """Declare an attack with an ability or an improvised one, and set about it."""
    set_about(step, declared(step, who, kind, ability, targets, words=words))


def let_work(step: sheet.BeaconStep, who: str, ability: Ability, targets: tuple[str, ...]) -> None:
    """Do what an ability does: to those named, or if nothing is aimed at others, to its user. Rule: BE-05."""
    deed, kind = numbered(step.state, who, ability), rolled_as(ability)
    if deed.aims and not targets and not deed.with_user:
        leave_whole(step, who, ability)
    else:
        leave_to_gm(step, who, ability.name, targets, degrees=None if kind is None else ())
        targets = targets or (who,)
    set_about(step, flow.Act(who, ability, deed, targets, action=kind or "ability"))


def numbered(state: Encounter, who: str, ability: Ability) -> Deed:
    """Return what an ability does, with the SAVE of its user for its saves. Rule: BE-12."""
    deed, number = deed_of(ability), state.combatant(who).number("SAVE")
    if not deed.needs_number:
        return deed
    if not number:
        said = f"{ability.name} has a save against the SAVE of {who}, and the sheet says none."
        raise Illegal(said, rule="BE-12", instead=f"/gm set target:{who} pool:SAVE value:11 gives them one.")
    return deed.against(str(number))


# The roll


def boons(state: BeaconState, who: str, kind: str, target: str) -> tuple[str, ...]:
    """Return the sources of boons of an attack roll. Rule: BE-10, BE-17."""
    attacker, defender = state.combatant(who), state.combatant(target)
    found = []
    if kind == "shove":
        found += ["larger"] * max(0, attacker.number("SIZE", 1) - defender.number("SIZE", 1))
    return (*found, *_marked(attacker, "boon"), *edges_of(state, who, target, deed_of)[0])


def banes(state: BeaconState, who: str, kind: str, target: str) -> tuple[str, ...]:
    """Return the sources of banes of an attack roll. Rule: BE-10, BE-17."""
    attacker, defender = state.combatant(who), state.combatant(target)
    found = []
    if kind == "shove":
        found += ["smaller"] * max(0, defender.number("SIZE", 1) - attacker.number("SIZE", 1))
    if defender.has(sheet.DEFENDING):
        found.append(f"{target} defends")
    counted = cover_counted(state, who, target)
    if counted.endswith(("bane", "banes")):
        found += ["cover"] * int(counted[0])
    return (*found, *_marked(attacker, "bane"), *edges_of(state, who, target, deed_of)[1])


def _marked(combatant: Combatant, word: str) -> list[str]:
    """Return the sources that the GM set by hand (`mark:boon high ground`)."""
    return [
        words or mark.removeprefix(word).strip() or word
        for mark, words in combatant.marks.items()
        if mark.partition(" ")[0] == word
    ]


def dice_of(net: int) -> str:
    """Return the dice of a roll with so many boons left, below 0 banes.

    >>> dice_of(0), dice_of(2), dice_of(-1)
    ('1d20', '1d20 + 2d6kh1', '1d20 - 1d6')
    """
    if net == 0:
        return "1d20"
    count = abs(net)
    return f"1d20 {'+' if net > 0 else '-'} {count}d6" + ("kh1" if count > 1 else "")


def number_reached(ability: Ability | None, kind: str) -> str:
    """Return what an attack roll must reach. Rule: BE-15, BE-16."""
    aetheric = kind == "volley" if ability is None else sheet.is_aetheric(ability)
    return "ADEF" if aetheric else "DODGE"


def number_of(state: Encounter, who: str, key: str) -> int:
    """Return a number of somebody's sheet with what bonuses add to it."""
    return state.combatant(who).number(key) + changed(state, who, key, deed_of)


def foretell(state: BeaconState, who: str, command: Command) -> Prospect:
    """Say what an attack needs to hit, as far as everybody may know it. Rule: G-08."""
    target = state.find(command.target or "")
    if target is None or not system_of(state).opens(state, target.name):
        return Prospect()
    kind, own = command.action, state.combatant(who)
    ability = own.ability(command.using or "")
    dice = dice_of(len(boons(state, who, kind, target.name)) - len(banes(state, who, kind, target.name)))
    key = number_reached(ability, kind)
    needs = number_of(state, target.name, key) - number_of(state, who, "GRIT") - cover_number(state, who, target.name)
    return Prospect(notes=f"hits at {needs} on {dice}")
