"""Stamina, Willpower, body damage, death, ailments: what happens to a character.

Rule: AD-16, AD-17, AD-19, AD-20, AD-21, AD-23, AD-27, AD-28, AD-29.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from rules.core.blows.opened import open_blow
from rules.core.conditions import add_condition, drop_condition, put_condition
from rules.core.model import without_key
from rules.core.turns.fallen import is_out
from rules.core.typed.names import find_name, shown
from rules.core.typed.skeleton import same
from rules.core.values import Ability, Condition
from rules.systems.adventurers import creatures
from rules.systems.adventurers.checks import Adventuring, faces
from rules.systems.adventurers.creatures import (
    BOSS,
    DAMAGED,
    DEAD,
    ENEMY,
    HELPLESS,
    STAMINA,
    WILLPOWER,
    damaged_parts,
    is_helpless,
    pool_now,
    tables,
)
from rules.systems.adventurers.state import AdventurersState, DeathCheck

HIT = "hit"
BREAK_OR_ROLL = "body damage"
SPEND_OR_DIE = "death check"
CURE = "cure"
SPARE = "spare"
AILMENT = "ailment"  # marks a condition that an ability brought, whatever the table calls its ailments


# Conditions


def has_lost(step: Adventuring, who: str, name: str) -> None:
    """Take a condition off, no matter who it is from."""
    for condition in step.combatant(who).conditions:
        if same(condition.name, name):
            drop_condition(step, who, condition)


def mark_state(step: Adventuring, who: str, name: str) -> None:
    if not step.combatant(who).has(name):
        put_condition(step, who, Condition(name=name))


def change_willpower(step: Adventuring, who: str, by: int, why: str) -> None:
    """Spend or regain Willpower and tell it; 0 makes Helpless. Rule: AD-29."""
    if by == 0 or WILLPOWER not in step.combatant(who).pools:
        return
    before, after = step.set_pool(who, WILLPOWER, pool_now(step.state, who, WILLPOWER) + by)
    step.tell("{who}: {change} ({why}).", who=who, change=step.pool_fact(who, WILLPOWER, before, after), why=why)
    willpower_changed(step, who, after)


def willpower_changed(step: Adventuring, who: str, now: int) -> None:
    """Keep the Helpless state in step with Willpower. Rule: AD-29."""
    if now <= 0 and not is_helpless(step.state, who):
        mark_state(step, who, HELPLESS)
        step.tell("{who} is Helpless.", who=who)
    elif now > 0 and is_helpless(step.state, who):
        has_lost(step, who, HELPLESS)
        step.tell("{who} is no longer Helpless.", who=who)


# Ailments (AD-28)


def ailments_of(state: AdventurersState, who: str) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(condition.name for condition in state.combatant(who).conditions if is_ailment(state, condition))
    )


def is_ailment(state: AdventurersState, held: Condition) -> bool:
    """Tell whether a condition is an ailment: one of the table's, or one that an ability brought."""
    return AILMENT in held.data or any(same(held.name, name) for name in tables(state).ailments)


def afflict(step: Adventuring, who: str, ailment: Condition) -> None:
    """Put an ailment on somebody; the same one does not stack. Rule: AD-28."""
    name = find_name(ailment.name, tuple(tables(step.state).ailments)) or ailment.name[:32].strip()
    if not name or is_out(step.state, who):
        return
    if step.combatant(who).has(name):
        step.tell("{who} already has {ailment}, and it does not stack.", who=who, ailment=name)
        return
    add_condition(step, who, ailment.evolve(name=name, data={AILMENT: True}))


def cure_one(step: Adventuring, who: str) -> None:
    """Cure one ailment; with two or more the sufferer chooses. Rule: AD-28."""
    held = ailments_of(step.state, who)
    if not held or is_out(step.state, who):
        step.tell("{who} has no ailment to cure.", who=who)
    elif len(held) == 1:
        cured(step, who, held[0])
    else:
        step.ask(who, CURE, f"Which ailment do you cure: {shown(held)}?", ("cure",), alone=True)


def cured(step: Adventuring, who: str, ailment: str) -> None:
    has_lost(step, who, ailment)
    step.tell("{who} is cured of {ailment}.", who=who, ailment=ailment)


def settle_ailments(step: Adventuring) -> None:
    """Let nothing stack that was added by hand. Rule: AD-28."""
    for name in step.state.names:
        seen: set[str] = set()
        for condition in step.combatant(name).conditions:
            folded = condition.name.casefold()
            if folded in seen and is_ailment(step.state, condition):
                drop_condition(step, name, condition)
            seen.add(folded)


def gain_extra(step: Adventuring, who: str, count: int = 1) -> None:
    """Give extra actions for step E. Rule: AD-27."""
    if count <= 0:
        return
    step.change(extra={**step.state.extra, who: step.state.extra.get(who, 0) + count})
    words = "{who} has 1 more action in step E." if count == 1 else "{who} has {count} more actions in step E."
    step.tell(words, who=who, count=count)


# Damage (AD-16, AD-17)


def causes_body_damage(state: AdventurersState, who: str, damage: int) -> bool:
    """Tell whether that damage would go below 0 Stamina, on somebody who has body parts to lose. Rule: AD-16."""
    if damage <= 0 or state.combatant(who).kind == ENEMY:
        return False
    return damage > pool_now(state, who, STAMINA)


def usable_abilities(state: AdventurersState, who: str) -> tuple[str, ...]:
    """Return the abilities that no damaged part blocks. Rule: AD-18."""
    combatant = state.combatant(who)
    return tuple(
        ability.name for ability in combatant.abilities if creatures.blocker(state, combatant, ability) is None
    )


def parts_left(state: AdventurersState, who: str) -> tuple[str, ...]:
    damaged = damaged_parts(state.combatant(who))
    return tuple(part for part in tables(state).parts if part not in damaged)


def roll_part(step: Adventuring, who: str) -> str | None:
    """Roll which body part is hit; None if none is left. Rule: AD-17."""
    left = parts_left(step.state, who)
    if not left:
        return None
    held = tables(step.state)
    while True:
        area_die = step.die(6, who=who, purpose="area")
        parts = held.parts_of(area_die.face)
        part_die = step.die(len(parts), who=who, purpose="body part") if len(parts) > 1 else None
        part = None if not parts else parts[0] if part_die is None else parts[part_die.face - 1]
        rolled = (area_die.face,) if part_die is None else (area_die.face, part_die.face)
        if part is not None and part in left:
            shown_faces = faces(step, who, *rolled)
            step.tell("Body part of {who}, area and part ({faces}): {part}.", who=who, faces=shown_faces, part=part)
            return part
        area_die.kept = False
        if part_die is not None:
            part_die.kept = False
        why = "there is no body part" if part is None else "damaged already"
        dropped = faces(step, who, *rolled, kept=False)
        step.tell(
            "Body part of {who}, area and part ({faces}): {why}, so I roll again.", who=who, faces=dropped, why=why
        )


def take_damage(step: Adventuring, who: str, damage: int, kind: str | None = None) -> None:
    """Take damage off Stamina; below 0 a body part suffers, and a death check is due. Rule: AD-16, AD-19, AD-21."""
    if damage <= 0 or is_out(step.state, who):
        return
    body = causes_body_damage(step.state, who, damage)
    now = pool_now(step.state, who, STAMINA)
    before, after = step.set_pool(who, STAMINA, now - damage)
    change = step.pool_fact(who, STAMINA, before, after)
    step.tell("{who}: {change}" + (" ({kind})." if kind else "."), who=who, change=change, kind=kind)
    if body:
        damage_part(step, who)
    elif before > 0 or step.combatant(who).kind == ENEMY:
        stamina_gone(step, who, after)


def _part_of_hit(step: Adventuring, who: str) -> str | None:
    """Return the body part that was rolled with the hit that somebody takes now."""
    asked = any(question.who == who and question.about == HIT for question in step.state.questions)
    part = None if asked or open_blow(step.state) is None else step.state.parts.get(who)
    if part is not None:
        step.change(parts=without_key(step.state.parts, who))
    return part if part in parts_left(step.state, who) else None


def damage_part(step: Adventuring, who: str) -> None:
    """Damage a body part (rolled now if it is not yet) and call for the death check. Rule: AD-17, AD-19."""
    part = _part_of_hit(step, who) or roll_part(step, who)
    if part is None:
        step.tell("{who} has no body part left.", who=who)
        die(step, who)
        return
    free = usable_abilities(step.state, who)
    damaged = [*damaged_parts(step.combatant(who)), part]
    keep_damaged(step, who, damaged)
    step.tell("{who}: {part} is damaged ({count} in all).", who=who, part=part, count=len(damaged))
    blocked = [name for name in free if name not in usable_abilities(step.state, who)]
    if blocked:
        seen_by = None if step.is_open(who) else ("gm",)
        words = "{who} can't use what lies beside it: {blocked}."
        step.tell(words, who=who, blocked=", ".join(blocked), seen_by=seen_by)
    call_death_check(step, who)


def stamina_gone(step: Adventuring, who: str, now: int) -> None:
    """Do what Stamina 0 means for the GM's characters. Rule: AD-21."""
    combatant = step.combatant(who)
    if now > 0 or is_out(step.state, who):
        return
    if combatant.kind == BOSS:
        call_death_check(step, who)
    elif combatant.kind == ENEMY:
        if SPARE in combatant.marks:
            spare(step, who)
        else:
            die(step, who)


def keep_damaged(step: Adventuring, who: str, parts: Sequence[str]) -> None:
    """Keep which body parts of somebody are damaged."""
    facts = {key: value for key, value in step.combatant(who).facts.items() if key != DAMAGED}
    step.change_combatant(who, facts={**facts, DAMAGED: [*parts]} if parts else facts)


def spare(step: Adventuring, who: str) -> None:
    """Leave an enemy Helpless instead of dead, this once. Rule: AD-21."""
    step.set_mark(who, SPARE, None)
    has_lost(step, who, DEAD)
    if WILLPOWER in step.combatant(who).pools:
        step.set_pool(who, WILLPOWER, 0)
    mark_state(step, who, HELPLESS)
    step.tell("{who} is Helpless instead of dead.", who=who)


def die(step: Adventuring, who: str) -> None:
    mark_state(step, who, DEAD)
    step.tell("{who} dies.", who=who)
    if step.combatant(who).kind == ENEMY:
        step.tell("To make them Helpless instead: /gm choose what:helpless value:{who}", who=who, seen_by=("gm",))
    drop_death(step, who)


def drop_death(step: Adventuring, who: str) -> None:
    """Let go of a death check that nobody has to make any more."""
    step.change(deaths=tuple(death for death in step.state.deaths if death.who != who))


# Death checks (AD-19, AD-20)


def call_death_check(step: Adventuring, who: str) -> None:
    """Put a death check among those that wait; they are asked in `resume`."""
    check = DeathCheck(who=who, damaged=len(damaged_parts(step.combatant(who))))
    step.change(deaths=(*step.state.deaths, check))


def ask_openly(
    step: Adventuring,
    who: str,
    about: str,
    full: str,
    public: str,
    choices: tuple[str, ...],
    data: Mapping[str, JsonValue],
) -> None:
    """Ask with every number; if players may not know this one's, they read `public`. Rule: G-08."""
    inside, words = ("", full) if step.is_open(who) else (full, public)
    step.ask(who, about, words, choices, alone=True, inside=inside, data=data)


def discard(step: Adventuring, who: str, name: str, fits: Callable[[Ability], bool]) -> Ability:
    """Take the first fitting thing of that name off a sheet, and return it."""
    left = list(step.combatant(who).abilities)
    gone = next(ability for ability in left if ability.name == name and fits(ability))
    left.remove(gone)
    step.change_combatant(who, abilities=tuple(left))
    return gone
