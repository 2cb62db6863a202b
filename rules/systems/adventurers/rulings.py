"""What the GM does by hand: turns, skips, damage, and what the rules leave to the GM.

Rule: AD-04, AD-16, AD-21, AD-27, G-01.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from rules.core import refusals
from rules.core.rulings import ByHand, LeftToGM
from rules.core.sheets.forms import NONE
from rules.core.sheets.sheet import parse_value
from rules.core.turns.fallen import is_out
from rules.core.typed.names import resolve_name, shown
from rules.errors import Illegal
from rules.systems.adventurers import body, rounds
from rules.systems.adventurers.checks import Adventuring
from rules.systems.adventurers.creatures import (
    DAMAGED,
    DEAD,
    ENEMY,
    STAMINA,
    is_helpless,
    pool_now,
    tables,
)
from rules.systems.adventurers.state import (
    ADVANCE,
    EXTRA,
    INITIATIVE,
    LATE,
    PHASES,
    AdventurersState,
    set_full_power,
    spend_action,
)


def _nothing_to_skip(state: AdventurersState, who: str) -> bool:
    if who in rounds.waiting(state):
        return False
    if is_out(state, who) or is_helpless(state, who) or state.phase == INITIATIVE:
        return True
    return state.extra.get(who, 0) == 0 if state.phase == EXTRA else who in state.done


def _skip_turn(step: Adventuring, who: str) -> None:
    state = step.state
    if state.phase == INITIATIVE and state.given != who:
        rounds.make_initiative(step, who)
    else:
        spend_action(step, who)


def _require_to_come(state: AdventurersState, who: str, word: str) -> None:
    """Refuse a step that is over for somebody who has not acted: they would act nowhere. Raises: Illegal."""
    if who in state.done or PHASES.index(state.phase or INITIATIVE) <= PHASES.index(word):
        return
    raise Illegal(
        f"Step {rounds.TITLES[word]} is over, and {who} has not acted.",
        rule="AD-04",
        instead=f"/gm turn target:{who} gives them their action now.",
    )


def set_damaged(step: Adventuring, who: str, words: tuple[str, ...]) -> None:
    parts = tables(step.state).parts
    named = [word for word in words if word.casefold() not in NONE]
    found = tuple(dict.fromkeys(resolve_name(word, parts, "body part") for word in named))
    body.keep_damaged(step, who, found)
    step.tell("{who}, damaged: {parts}.", who=who, parts=shown(found, 30) or "none")


def _damage_parts(step: Adventuring, who: str, _key: str, value: str) -> None:
    parsed = parse_value(value)
    set_damaged(step, who, parsed if isinstance(parsed, tuple) else (str(parsed),))


def _choose_step(step: Adventuring, who: str, _key: str, value: str) -> None:
    word = resolve_name(value, (ADVANCE, LATE), "step")
    if step.state.status != "running":
        raise refusals.not_begun()
    _require_to_come(step.state, who, word)
    rounds.set_initiative(step, who, passed=word == ADVANCE)


def _give_full_power(step: Adventuring, who: str, _key: str, value: str) -> None:
    on = value.casefold() in ("on", "yes", "true")
    set_full_power(step, who, on=on)
    step.tell("{who}: Full Power {state}.", who=who, state="on" if on else "off")


# What the rules leave to the GM


def _spare(step: Adventuring, who: str) -> None:
    if step.combatant(who).kind != ENEMY:
        raise Illegal(f"{who} makes death checks.", rule="AD-21", instead="That is for enemies that are not a Boss.")
    step.set_mark(who, body.SPARE, "")
    if step.combatant(who).has(DEAD) or pool_now(step.state, who, STAMINA) == 0:
        body.spare(step, who)
    else:
        step.tell("{who} will be Helpless at Stamina 0.", who=who, seen_by=("gm",))


def _kill(step: Adventuring, who: str) -> None:
    step.set_mark(who, body.SPARE, None)
    body.die(step, who)


def _on_somebody(do: Callable[[Adventuring, str], None]) -> Callable[[Adventuring, str], None]:
    """Return what is done to the combatant whom the GM names."""
    return lambda step, value: do(step, resolve_name(value, step.state.visible_names(step.seat), "combatant"))


def _enemies(state: AdventurersState) -> tuple[str, ...]:
    return tuple(combatant.name for combatant in state.combatants if combatant.kind == ENEMY)


def _in_the_fight(state: AdventurersState) -> tuple[str, ...]:
    return tuple(name for name in state.names if not is_out(state, name))


def _specialties(state: AdventurersState) -> tuple[str, ...]:
    return tuple(name for area in tables(state).grid for name in area)


def _choose_specialty(step: Adventuring, value: str) -> None:
    specialty = resolve_name(value, _specialties(step.state), "specialty")
    if step.state.status == "running" and step.state.phase == INITIATIVE:
        rounds.name_specialty(step, specialty)
        step.tell("The GM chooses {specialty} for this round's check.", specialty=specialty)
    else:
        step.change(next_specialty=specialty)
        step.tell("The GM chooses {specialty} for the next round's check.", specialty=specialty)


# Turns


def _give_turn(step: Adventuring, who: str, is_extra: bool) -> None:
    if is_out(step.state, who):
        raise refusals.is_out(who, rule="G-01", instead="Take Dead or Fled off them first with /condition remove.")
    if is_helpless(step.state, who):
        instead = "Free them first with /gm set pool:WILLPOWER value:1."
        raise Illegal(f"{who} is Helpless.", rule="G-01", instead=instead)
    step.change(given=who, besides=who if is_extra else None)


def _skip(step: Adventuring, who: str) -> None:
    """Roll somebody's check in step A, else take their action of the round off them. Rule: AD-04, AD-07."""
    if _nothing_to_skip(step.state, who):
        raise Illegal(
            f"{who} has nothing to skip now.",
            rule="G-01",
            instead=f"Waiting: {shown(rounds.waiting(step.state)) or 'nobody'}.",
        )
    step.tell("The GM skips {who}.", who=who)
    _skip_turn(step, who)


def _next_step(step: Adventuring) -> None:
    """End the step for everybody; what is open is dropped, and named. A fight of the Helpless goes on."""
    if step.state.over is not None:
        if step.state.played_on or rounds.outcome(step.state.evolve(played_on=True)) is not None:
            raise refusals.fight_over(step.state.over, rule="AD-21", instead="End it with /encounter end.")
        step.change(played_on=True)
        return
    open_ones = step.state.held_up()  # a life hangs on the others: they stay
    dropped = [f"{one.who} ({one.about})" for one in open_ones]
    step.close(*open_ones)
    step.change(blows=(), parts={}, given=None, besides=None)
    step.tell("The GM ends step {title}.", title=rounds.TITLES.get(step.state.phase or "", "?"))
    if dropped:
        step.tell("Dropped unanswered: {dropped}.", dropped=", ".join(dropped))
    while rounds.waiting(step.state):
        _skip_turn(step, rounds.waiting(step.state)[0])


def _damage(step: Adventuring, who: str, amount: int, kind: str | None) -> bool:
    """Deal damage as the rules take it: below Stamina 0 a body part suffers. Rule: AD-16, AD-21.

    It is no attack, so that there is nothing to evade; /gm set changes the number alone.
    """
    if step.state.status != "running" or is_out(step.state, who):
        return False
    body.take_damage(step, who, amount, kind)
    return True


BY_HAND = ByHand(turn=_give_turn, skip=_skip, next_phase=_next_step, damage=_damage)
OWN_VALUES = MappingProxyType({DAMAGED: _damage_parts, INITIATIVE: _choose_step, "full_power": _give_full_power})
LEFT_TO_GM = (
    LeftToGM("specialty", _specialties, _choose_specialty, is_ahead=True),
    LeftToGM("helpless", _enemies, _on_somebody(_spare)),
    LeftToGM("dead", lambda state: state.names, _on_somebody(_kill)),
    LeftToGM("extra", _in_the_fight, _on_somebody(body.gain_extra)),
)
