"""What answers a question, and what a Boss alone does: each with its permission.

Rule: AD-13, AD-19, AD-20, AD-23, AD-24, AD-25, AD-28.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.core.action import Action, always, plainly, plainly_ahead
from rules.core.asking.ask import Ask, Effect
from rules.core.asking.told import Told
from rules.core.blows.opened import asked_about
from rules.core.command import Command
from rules.core.offer import Param
from rules.core.typed.names import shown
from rules.errors import Illegal, Refusal
from rules.systems.adventurers import belongings, blows, body, creatures, deaths, notes, prospects, rounds
from rules.systems.adventurers.checks import Adventuring, check, via
from rules.systems.adventurers.creatures import (
    WILLPOWER,
    is_boss,
    is_helpless,
    pool_now,
)
from rules.systems.adventurers.grid import YELL
from rules.systems.adventurers.permission import gone
from rules.systems.adventurers.state import (
    AdventurersState,
    set_full_power,
    spend_action,
)

DIE = "die"

# A Boss (AD-23, AD-24)


def _may_full_power(state: AdventurersState, who: str) -> Refusal | None:
    refusal = gone(state, who)
    if refusal is not None:
        return refusal
    if not is_boss(state, who):
        return Illegal(f"{who} is not a Boss.", rule="AD-23", instead="Only a Boss has Full Power.")
    if who in state.full_power:
        return Illegal(f"{who} is already in Full Power.", rule="AD-23")
    pool = state.combatant(who).pools.get(WILLPOWER)
    if pool is None or pool.top is None or pool.now * 2 >= pool.top:
        return Illegal(
            f"{who}'s Willpower is not below half of its maximum.", rule="AD-23", instead="Wait until it is lower."
        )
    return None


def _full_power(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    """Ask first if it would kill: after a failed death check no Willpower could be spent any more."""
    who, kills = ask.who, ask.state.question_to(ask.who, "willpower") is not None
    if kills:
        why = f"In Full Power Willpower can't help the failed death check: {who} dies at once."
        notes_on = {DIE: "in Full Power Willpower can't help the failed death check"}
        ask.take(Param(name="note", label="and die", choices=(DIE,), rule="AD-23", unsaid=why, notes=notes_on))

    def go_all_out(step: Adventuring) -> None:
        set_full_power(step, who, on=True)
        step.tell("{who} enters Full Power: rebounds are 0, and evading is easier by 2.", who=who)
        body.gain_extra(step, who)
        if kills:
            body.die(step, who)

    return go_all_out


def _may_yell(state: AdventurersState, who: str) -> Refusal | None:
    refusal = gone(state, who)
    if refusal is not None:
        return refusal
    if creatures.tables(state).name(YELL) is None:
        return Illegal("This table's grid has no Yell.", rule="AD-24", instead="pass.")
    if rounds.can_yell(state, who):
        return None
    if not is_boss(state, who) or not is_helpless(state, who):
        return Illegal("Only a Helpless Boss yells.", rule="AD-24", instead="Anybody else acts as usual.")
    why = f"{who} has already yelled or passed this round." if who in state.done else "A Boss yells in step C."
    return Illegal(why, rule="AD-24", instead="Once a round, in step C.")


def _shout(step: Adventuring) -> str:
    return creatures.tables(step.state).name(YELL) or YELL


def _yell(step: Adventuring, who: str) -> None:
    spend_action(step, who)
    if check(step, who, _shout(step), "yell").success:
        body.change_willpower(step, who, 1, "Yell")


# Answers


def _may_evade(state: AdventurersState, who: str) -> Refusal | None:
    if blows.can_evade(state, who):
        return None
    why = f"Evading costs {blows.EVASION} Willpower, which you don't have."
    return Illegal(why, rule="AD-25", instead="To accept the hit, use take.")


def _evasion(step: Adventuring) -> str:
    blow, _ = asked_about(step.state, step.question)
    return blows.specialty_of(step.state, blow)


def _take(step: Adventuring, who: str, _command: Command) -> None:
    blow, _ = asked_about(step.state, step.question)
    blows.take(step, blow, who)


def _may_break(state: AdventurersState, who: str) -> Refusal | None:
    if not creatures.weapons(state.combatant(who)):
        return Illegal(f"{who} has no weapon equipped.", rule="AD-20", instead="To roll, use death-check.")
    return None


def _break_words(state: AdventurersState, who: str) -> str:
    """Name the only weapon; of several the one that is chosen. Rule: AD-20."""
    held = creatures.weapons(state.combatant(who))
    return f"Break {held[0]}" if len(held) == 1 else "Break {using}"


def _break(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    """Ask which weapon breaks, if there are several."""
    who, combatant = ask.who, ask.state.combatant(ask.who)
    held = creatures.weapons(combatant)
    name = next(iter(held), "")
    if len(held) != 1 or ask.text("using"):
        every = tuple(dict.fromkeys(good.name for good in creatures.goods(combatant)))
        words = notes.things(ask.state, who, held)
        name = ask("using", "weapon", held, nameable=every, why=_not_equipped(held), notes=words, all_lead=True)
    return lambda step: deaths.break_weapon(step, who, name)


def _not_equipped(held: tuple[str, ...]) -> Callable[[str], Refusal]:
    instead = f"Equipped: {shown(held)}."
    return lambda name: Illegal(f"{name} is not an equipped weapon.", rule="AD-20", instead=instead)


def _accept(step: Adventuring, who: str, command: Command) -> None:
    if step.question.about == belongings.OFFER:
        belongings.hand_over(step, who)
    else:
        body.die(step, who)


def _may_willpower(state: AdventurersState, who: str) -> Refusal | None:
    if who in state.full_power and any(death.who == who for death in state.deaths):
        return Illegal("In Full Power Willpower can't help a death check.", rule="AD-23", instead="accept.")
    if pool_now(state, who, WILLPOWER) < 1:
        return Illegal(f"{who} has no Willpower left.", rule="AD-20", instead="To take the result, use accept.")
    return None


def _willpower(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    most = max(1, pool_now(ask.state, ask.who, WILLPOWER))
    amounts = tuple(str(amount) for amount in range(1, most + 1))
    words = notes.raises(ask.state, ask.who, amounts)
    first = tuple(sorted(amounts, key=lambda amount: "not enough" in words.get(amount, "")))  # what saves comes first
    ask.take(Param(name="amount", label="Willpower", choices=first, least=1, most=most, rule="AD-20", notes=words))
    return lambda step: deaths.spend_on_death(step, ask.who, ask.number("amount") or 0)


def _cure(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    who, held = ask.who, body.ailments_of(ask.state, ask.who)
    ailment = ask("using", "ailment", held, notes=notes.ailments(ask.state, held), all_lead=True)
    return lambda step: body.cured(step, who, ailment)


def answer_actions() -> tuple[Action[AdventurersState], ...]:
    """Return the actions that answer questions, and those of a Boss."""
    return (
        Told("evade", "Evade", via(_evasion, blows.evade), ("using",)).action(
            _may_evade,
            answer=True,
            rule="AD-25",
            button_rank=1,
            prospect=prospects.evade,
            ahead=plainly_ahead,
        ),
        Action(
            id="take",
            label="Take it",
            do=_take,
            answer=True,
            rule="AD-25",
            default_answer=plainly,
            ahead=plainly_ahead,
            button_rank=2,
        ),
        Action(
            id="death-check",
            label="Death check",
            do=lambda step, who, _command: deaths.roll_death(step, who),
            answer=True,
            rule="AD-19",
            button_rank=1,
        ),
        Told("break-weapon", "Break a weapon", _break, ("using",)).action(
            _may_break,
            answer=True,
            rule="AD-20",
            button_rank=2,
            words=_break_words,
            prospect=prospects.break_weapon,
        ),
        Told("willpower", "Spend Willpower", _willpower, ("amount",)).action(
            _may_willpower,
            answer=True,
            rule="AD-20",
            button_rank=1,
            prospect=prospects.willpower,
        ),
        Action(
            id="accept",
            label="Accept",
            do=_accept,
            answer=True,
            rule="AD-20",
            button_rank=2,
            prospect=prospects.accept,
        ),
        Told("cure", "Cure", _cure, ("using",)).action(
            lambda _state, _who: None,
            answer=True,
            rule="AD-28",
            default_answer=lambda state, who: {"using": body.ailments_of(state, who)[0]},
            button_rank=1,
        ),
        Told("full-power", "Full Power", _full_power, ("note",)).action(
            _may_full_power,
            beside=always,
            button_rank=5,
        ),
        Told("yell", "Yell", via(_shout, _yell), ("using",)).action(_may_yell, button_rank=1),
    )
