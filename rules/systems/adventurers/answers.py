"""What answers a question, and what a Boss alone does: each with its permission.

Rule: AD-13, AD-19, AD-20, AD-23, AD-24, AD-25, AD-28.
"""

from __future__ import annotations

from rules.core.action import Action, Param
from rules.core.command import Command
from rules.core.errors import Illegal, Refusal
from rules.core.names import shown
from rules.systems.adventurers import attacks, belongings, body, creatures, notes, rounds
from rules.systems.adventurers.checks import Adventuring, check, require_serving, via
from rules.systems.adventurers.creatures import (
    WILLPOWER,
    is_boss,
    is_helpless,
    pool_now,
)
from rules.systems.adventurers.grid import YELL
from rules.systems.adventurers.permission import busy, gone
from rules.systems.adventurers.state import (
    ActionSpent,
    AdventurersState,
    FullPowered,
)

# A Boss (AD-23, AD-24)


def _may_full_power(state: AdventurersState, who: str) -> Refusal | None:
    refusal = gone(state, who)
    if refusal is not None:
        return refusal
    if not is_boss(state, who):
        return Illegal(f"{who} is no Boss.", rule="AD-23", instead="Only a Boss has Full Power.")
    if who in state.full_power:
        return Illegal(f"{who} is in Full Power already.", rule="AD-23")
    held = state.combatant(who).pools.get(WILLPOWER)
    if held is None or held.top is None or held.now * 2 >= held.top:
        return Illegal(
            f"{who}'s Willpower is not below half of its maximum.", rule="AD-23", instead="Wait until it is lower."
        )
    return None


def _full_power(step: Adventuring, who: str, command: Command) -> None:
    step.emit(FullPowered(who=who))
    step.tell("{who} enters Full Power: rebounds are 0, evasion is easier by 2.", who=who)
    body.gain_extra(step, who)
    for question in step.state.questions:
        if question.who == who and question.about == body.SPEND_OR_DIE:
            step.close(question)
            body.die(step, who)


def _may_yell(state: AdventurersState, who: str) -> Refusal | None:
    refusal = gone(state, who) or busy(state)
    if refusal is not None:
        return refusal
    if creatures.tables(state).name(YELL) is None:
        return Illegal("This table's grid has no Yell.", rule="AD-24", instead="pass.")
    if rounds.can_yell(state, who):
        return None
    if not is_boss(state, who) or not is_helpless(state, who):
        return Illegal("Only a Helpless Boss yells.", rule="AD-24", instead="Others act as usual.")
    why = f"{who} has yelled or passed this round." if who in state.done else "Yelling is done in step C."
    return Illegal(why, rule="AD-24", instead="Once a round, in step C.")


def _yell(step: Adventuring, who: str, command: Command) -> None:
    target = creatures.tables(step.state).name(YELL) or YELL
    require_serving(step.state, who, target, command.using)
    step.emit(ActionSpent(who=who))
    if check(step, who, target, "yell").success:
        body.change_willpower(step, who, 1, "Yell")


# Answers


def _may_take(state: AdventurersState, who: str) -> Refusal | None:
    if body.question_of(state, who, attacks.HIT) is not None:
        return None
    return Illegal(f"{who} has no hit to answer.", rule="AD-25", instead="The prompt says who is asked what.")


def _may_evade(state: AdventurersState, who: str) -> Refusal | None:
    refusal = _may_take(state, who)
    if refusal is not None:
        return refusal
    if attacks.can_evade(state, who):
        return None
    return Illegal("Evading costs 1 Willpower, and none is left.", rule="AD-25", instead="take accepts the hit.")


def _evade(step: Adventuring, who: str, command: Command) -> None:
    attack = step.state.attack
    assert attack is not None  # noqa: S101 - a hit is open
    require_serving(step.state, who, attack.specialty, command.using)
    attacks.evade(step, who)


def _may_roll(state: AdventurersState, who: str) -> Refusal | None:
    if body.question_of(state, who, body.BREAK_OR_ROLL) is not None:
        return None
    return Illegal(f"{who} has no death check to make.", rule="AD-19", instead="Body damage calls for one.")


def _may_break(state: AdventurersState, who: str) -> Refusal | None:
    if body.question_of(state, who, body.BREAK_OR_ROLL) is None:
        return Illegal(f"{who} has no death check to cancel.", rule="AD-20", instead="Body damage calls for one.")
    if not creatures.weapons(state.combatant(who)):
        return Illegal(f"{who} has no weapon equipped.", rule="AD-20", instead="death-check rolls.")
    return None


def _break_params(state: AdventurersState, who: str) -> tuple[Param, ...]:
    return _break_narrow(state, who, Command(action="break-weapon"))


def _break_narrow(state: AdventurersState, who: str, command: Command) -> tuple[Param, ...]:
    held = creatures.weapons(state.combatant(who))
    every = tuple(dict.fromkeys(each.name for each in creatures.goods(state.combatant(who))))
    words = notes.abilities(state, who, held)
    which = Param(name="using", label="weapon", choices=held, universe=every, notes=words)
    return (which,) if len(held) != 1 or command.using else ()


def _break(step: Adventuring, who: str, command: Command) -> None:
    held = creatures.weapons(step.combatant(who))
    name = command.using or held[0]
    if name not in held:
        raise Illegal(f"{name} is no equipped weapon.", rule="AD-20", instead=f"Equipped: {shown(held)}.")
    body.break_weapon(step, who, name)


def _may_accept(state: AdventurersState, who: str) -> Refusal | None:
    if body.question_of(state, who, body.SPEND_OR_DIE) is not None or belongings.offered(state, who) is not None:
        return None
    return Illegal(f"{who} has nothing to accept.", rule="AD-20", instead="A failed death check asks for it.")


def _accept(step: Adventuring, who: str, command: Command) -> None:
    question = belongings.offered(step.state, who)
    if question is not None and body.question_of(step.state, who, body.SPEND_OR_DIE) is None:
        belongings.hand_over(step, who, question)
        return
    body.die(step, who)


def _may_willpower(state: AdventurersState, who: str) -> Refusal | None:
    if who in state.full_power and any(each.who == who for each in state.deaths):
        return Illegal("In Full Power no Willpower goes into a death check.", rule="AD-23", instead="accept.")
    if body.question_of(state, who, body.SPEND_OR_DIE) is None:
        return Illegal(f"{who} has no failed death check.", rule="AD-20", instead="Willpower is spent after it.")
    if pool_now(state, who, WILLPOWER) < 1:
        return Illegal(f"{who} has no Willpower left.", rule="AD-20", instead="accept takes the result.")
    return None


def _willpower_params(state: AdventurersState, who: str) -> tuple[Param, ...]:
    most = max(1, pool_now(state, who, WILLPOWER))
    amounts = tuple(str(amount) for amount in range(1, most + 1))
    words = notes.raises(state, who, amounts)
    first = sorted(amounts, key=lambda amount: "not enough" in words.get(amount, ""))  # what saves comes first
    return (
        Param(
            name="amount",
            label="Willpower",
            choices=tuple(first),
            least=1,
            most=most,
            rule="AD-20",
            notes=words,
        ),
    )


def _may_cure(state: AdventurersState, who: str) -> Refusal | None:
    if body.question_of(state, who, body.CURE) is not None:
        return None
    return Illegal(f"{who} has no ailment to choose.", rule="AD-28", instead="A cure asks, where there are two.")


def _cure_params(state: AdventurersState, who: str) -> tuple[Param, ...]:
    held = body.ailments_of(state, who)
    return (Param(name="using", label="ailment", choices=held, notes=notes.ailments(state, held)),)


def _cure(step: Adventuring, who: str, command: Command) -> None:
    question = body.question_of(step.state, who, body.CURE)
    if question is not None:
        step.close(question)
    body.cured(step, who, command.using or "")


def answer_actions() -> tuple[Action[AdventurersState], ...]:
    """Return the actions that answer questions, and those of a Boss."""
    return (
        Action(
            id="evade",
            label="Evade",
            do=_evade,
            may=_may_evade,
            takes=("using",),
            narrow=via,
            answer=True,
            usual=1,
        ),
        Action(
            id="take",
            label="Take it",
            do=lambda step, who, _command: attacks.take(step, who),
            may=_may_take,
            answer=True,
            usual=2,
        ),
        Action(
            id="death-check",
            label="Death check",
            do=lambda step, who, _command: body.roll_death(step, who),
            may=_may_roll,
            answer=True,
            usual=1,
        ),
        Action(
            id="break-weapon",
            label="Break a weapon",
            do=_break,
            may=_may_break,
            takes=("using",),
            params=_break_params,
            narrow=_break_narrow,
            answer=True,
            usual=2,
        ),
        Action(
            id="willpower",
            label="Spend Willpower",
            do=lambda step, who, command: body.spend_on_death(step, who, command.amount or 0),
            may=_may_willpower,
            takes=("amount",),
            params=_willpower_params,
            answer=True,
            usual=1,
        ),
        Action(id="accept", label="Accept", do=_accept, may=_may_accept, answer=True, usual=2),
        Action(
            id="cure",
            label="Cure",
            do=_cure,
            may=_may_cure,
            takes=("using",),
            params=_cure_params,
            answer=True,
            usual=1,
        ),
        Action(id="full-power", label="Full Power", do=_full_power, may=_may_full_power, usual=5),
        Action(id="yell", label="Yell", do=_yell, may=_may_yell, takes=("using",), narrow=via, usual=1),
    )
