"""The actions of the ledger's table: when each may be done, what it takes, what it does.

Rule: AD-03 to AD-15, AD-19, AD-20, AD-23 to AD-25, AD-28, AD-29.
"""

from __future__ import annotations

from rules.core.action import Action, Param
from rules.core.command import Command
from rules.core.errors import Illegal, Refusal
from rules.core.events import ConditionAdded
from rules.core.names import shown
from rules.core.values import Condition
from rules.systems.adventurers import attacks, belongings, body, creatures, rounds
from rules.systems.adventurers.checks import Adventuring, check
from rules.systems.adventurers.creatures import (
    ASSIST,
    FLED,
    ITEM,
    SUPPORT,
    WILLPOWER,
    is_adventurer,
    is_boss,
    is_helpless,
    is_out,
    pool_now,
    rebound,
)
from rules.systems.adventurers.grid import FLEE, YELL
from rules.systems.adventurers.state import (
    EXTRA,
    INITIATIVE,
    ActionSpent,
    AdventurersState,
    Cooperated,
    Cooperation,
    FullPowered,
)


def busy(state: AdventurersState) -> Refusal | None:
    """Refuse ordinary actions while somebody has to answer."""
    if not state.questions:
        return None
    question = state.questions[0]
    rule = {
        attacks.HIT: "AD-25",
        body.BREAK_OR_ROLL: "AD-20",
        body.SPEND_OR_DIE: "AD-20",
        body.CURE: "AD-28",
        belongings.OFFER: "AD-13",
    }.get(question.about)
    return Illegal(
        f"{question.who} has a question to answer first.", rule=rule, instead=f"Answers: {shown(question.choices)}."
    )


def gone(state: AdventurersState, who: str) -> Refusal | None:
    if not is_out(state, who):
        return None
    dead = state.combatant(who).has(creatures.DEAD)
    return Illegal(
        f"{who} {'is dead' if dead else 'has fled'}.",
        rule="AD-19" if dead else "AD-11",
        instead="The GM may rule otherwise.",
    )


def may_act(state: AdventurersState, who: str) -> Refusal | None:
    """Say whether somebody has an action now. Rule: AD-03, AD-06, AD-07, AD-27, AD-29."""
    refusal = gone(state, who) or busy(state)
    if refusal is not None or state.given == who:
        return refusal
    if is_helpless(state, who):
        return Illegal(
            f"{who} is Helpless and takes no action.",
            rule="AD-29",
            instead="Willpower back at 1 or more frees them; the initiative check is still made.",
        )
    if state.given is not None:
        return Illegal(f"The GM gave the turn to {state.given}.", rule="G-01", instead="Afterwards the step goes on.")
    if state.phase == EXTRA:
        if who in rounds.extra_group(state):
            return None
        later = who in rounds.members(state, EXTRA)
        return Illegal(
            f"{who}'s extra actions come later." if later else f"{who} has no extra action.",
            rule="AD-27",
            instead=f"Now: {shown(rounds.extra_group(state))}.",
        )
    if who in state.done:
        return Illegal(f"{who} has had this round's action.", rule="AD-07", instead="The next round brings another.")
    if state.phase == INITIATIVE:
        rolled = who in state.passed
        left = shown(rounds.waiting(state))
        return Illegal(
            "The initiative checks come first." if not rolled else "Others have yet to make the initiative check.",
            rule="AD-04",
            instead=f"initiative: {left}.",
        )
    if who not in rounds.members(state, state.phase):
        return Illegal(
            f"It is step {rounds.TITLES.get(state.phase or '', '?')}, and {who} acts in another.",
            rule="AD-03",
            instead=f"Now: {shown(rounds.waiting(state)) or 'nobody'}.",
        )
    return None


# Step A (AD-04, AD-05)


def _may_initiative(state: AdventurersState, who: str) -> Refusal | None:
    refusal = gone(state, who) or busy(state)
    if refusal is not None:
        return refusal
    if not is_adventurer(state, who):
        return Illegal(f"{who} acts in step C without a check.", rule="AD-04", instead="Only adventurers roll.")
    if state.phase != INITIATIVE:
        return Illegal("The initiative check belongs to step A.", rule="AD-04", instead="The next round has another.")
    if who in state.passed:
        return Illegal(f"{who} has made this round's check.", rule="AD-04", instead="Wait for the others.")
    return None


def _initiative(step: Adventuring, who: str, command: Command) -> None:
    rounds.make_initiative(step, who)


# Attack (AD-08)


def _may_attack(state: AdventurersState, who: str) -> Refusal | None:
    return may_act(state, who)


def _attack_params(state: AdventurersState, who: str) -> tuple[Param, ...]:
    return _attack_narrow(state, who, Command(action="attack"))


def _attack_narrow(state: AdventurersState, who: str, command: Command) -> tuple[Param, ...]:
    means = creatures.means_of_attack(state, who)
    possible = attacks.possible_plans(state, who)
    chosen = [each for each in means if command.using and each.name.casefold() in command.using.casefold()]
    several = any(creatures.targets_of(each) > 1 for each in chosen) if chosen else False
    several = several or (len(means) == 1 and creatures.targets_of(means[0]) > 1)
    # With one target each, a list of them is let through so that the refusal can say why (AD-08).
    several = several or "," in (command.target or "")
    visible = attacks.can_be_hit(state, who)
    known = tuple(each.name for each in state.combatants if each.name in visible or not each.hidden)
    return (
        Param(
            name="using",
            label="ability or weapon, then Support abilities",
            choices=possible,
            required=len(possible) != 1 or len(means) != 1,
            free=True,
        ),
        Param(name="target", label="target", choices=visible, universe=known, many=several),
    )


def _attack(step: Adventuring, who: str, command: Command) -> None:
    plan = attacks.plan_of(step.state, who, command.using)
    targets = tuple(part.strip() for part in (command.target or "").split(","))
    possible = attacks.can_be_hit(step.state, who)
    for target in targets:
        if target not in possible:
            why = "is the attacker" if target == who else "is out of the fight"
            raise Illegal(f"{target} {why}.", rule="AD-08", instead=f"Targets: {shown(possible) or 'nobody'}.")
    attacks.attack(step, who, plan, targets)


# Cooperative attack (AD-09)


def _supports(state: AdventurersState, who: str) -> tuple[str, ...]:
    return tuple(each.name for each in creatures.of_type(state, who, SUPPORT))


def _may_cooperate(state: AdventurersState, who: str) -> Refusal | None:
    if not is_adventurer(state, who):
        return Illegal(f"{who} is no adventurer.", rule="AD-09", instead="Enemies attack, assist and pass.")
    return may_act(state, who)


def _cooperate_params(state: AdventurersState, who: str) -> tuple[Param, ...]:
    usable = _supports(state, who)
    every = tuple(each.name for each in state.combatant(who).abilities)
    others = tuple(
        each.name
        for each in state.combatants
        if each.name != who and is_adventurer(state, each.name) and not is_out(state, each.name) and not each.hidden
    )
    return (
        Param(name="target", label="adventurer", choices=others),
        Param(name="using", label="Support ability", choices=usable, universe=every, required=len(usable) > 1),
    )


def _cooperate(step: Adventuring, who: str, command: Command) -> None:
    usable = _supports(step.state, who)
    name = command.using or (usable[0] if len(usable) == 1 else "")
    target = command.target or ""
    if name:
        ability = step.combatant(who).ability(name)
        if ability is None or creatures.type_of(ability) != SUPPORT:
            raise Illegal(
                f"{name} is no Support ability.",
                rule="AD-09",
                instead=f"Possible: {shown(usable) or 'none; leave using out'}.",
            )
        attacks.require_usable(step.state, who, ability)
    step.emit(ActionSpent(who=who), Cooperated(cooperation=Cooperation(helper=who, target=target, ability=name)))
    words = "{who} cooperates with {target}" + (": {ability} waits for their next attack." if name else ".")
    step.tell(words, who=who, target=target, ability=name or None)


# Assist (AD-10)


def _assists(state: AdventurersState, who: str) -> tuple[str, ...]:
    usable = creatures.of_type(state, who, ASSIST, ITEM)
    return tuple(each.name for each in usable if attacks.can_pay(state, who, rebound(state, who, each)))


def _may_assist(state: AdventurersState, who: str) -> Refusal | None:
    refusal = may_act(state, who)
    if refusal is not None:
        return refusal
    combatant = state.combatant(who)
    if ASSIST in combatant.marks or any(creatures.type_of(each) in (ASSIST, ITEM) for each in combatant.abilities):
        return None
    return Illegal(
        f"{who} has no Assist ability and no item.",
        rule="AD-10",
        instead="The GM allows something else with /gm set pool:mark:assist value:what it is.",
    )


def _assist_params(state: AdventurersState, who: str) -> tuple[Param, ...]:
    combatant = state.combatant(who)
    every = tuple(each.name for each in combatant.abilities)
    here = tuple(each.name for each in state.combatants if not is_out(state, each.name) and not each.hidden)
    allowed = ASSIST in combatant.marks
    choices = _assists(state, who)
    return (
        Param(name="using", label="Assist ability or item", choices=choices, universe=every, required=not allowed),
        Param(name="target", label="target", choices=here or (who,), required=False),
    )


def _assist(step: Adventuring, who: str, command: Command) -> None:
    target = command.target or who
    if not command.using:
        words = step.combatant(who).marks.get(ASSIST) or "what the GM allows"
        step.emit(ActionSpent(who=who))
        belongings.clear_mark(step, who, ASSIST)
        step.tell("{who} assists {target}: {what}.", who=who, target=target, what=words)
        return
    ability = step.combatant(who).ability(command.using)
    if ability is None or creatures.type_of(ability) not in (ASSIST, ITEM):
        raise Illegal(
            f"{command.using} is no Assist ability and no item.",
            rule="AD-10",
            instead=f"Possible: {shown(_assists(step.state, who)) or 'none'}.",
        )
    attacks.require_usable(step.state, who, ability)
    cost = rebound(step.state, who, ability)
    attacks.require_cost(step.state, who, cost, ability.name)
    step.emit(ActionSpent(who=who))
    step.tell("{who} uses {ability} on {target}.", who=who, ability=ability.name, target=target)
    attacks.pay(step, who, cost)
    body.gain_extra(step, who, creatures.extras_of(ability), habit=True)
    belongings.use_up(step, who, ability)
    attacks.give_help(step, who, target, ability)


# Flee and pass (AD-11, AD-15)


def _may_flee(state: AdventurersState, who: str) -> Refusal | None:
    if creatures.tables(state).name(FLEE) is None:
        return Illegal("This table's grid has no Flee.", rule="AD-11", instead="The GM can let them go.")
    return may_act(state, who)


def _flee(step: Adventuring, who: str, command: Command) -> None:
    step.emit(ActionSpent(who=who))
    target = creatures.tables(step.state).name(FLEE) or FLEE
    if check(step, who, target, "flee").success:
        step.emit(ConditionAdded(who=who, condition=Condition(name=FLED)))
        step.tell("{who} withdraws from combat.", who=who)


def _may_pass(state: AdventurersState, who: str) -> Refusal | None:
    if belongings.offered(state, who) is not None:
        return None
    if rounds.can_yell(state, who):
        return busy(state)
    return may_act(state, who)


def _pass(step: Adventuring, who: str, command: Command) -> None:
    question = belongings.offered(step.state, who)
    if question is not None:
        belongings.decline(step, who, question)
        return
    step.emit(ActionSpent(who=who))
    step.tell("{who} passes.", who=who)


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
    step.emit(ActionSpent(who=who))
    target = creatures.tables(step.state).name(YELL) or YELL
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
    held = creatures.weapons(state.combatant(who))
    every = tuple(dict.fromkeys(each.name for each in creatures.goods(state.combatant(who))))
    return (Param(name="using", label="weapon", choices=held, universe=every, required=len(held) > 1),)


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
    return (
        Param(name="amount", label="Willpower", least=1, most=max(1, pool_now(state, who, WILLPOWER)), rule="AD-20"),
    )


def _may_cure(state: AdventurersState, who: str) -> Refusal | None:
    if body.question_of(state, who, body.CURE) is not None:
        return None
    return Illegal(f"{who} has no ailment to choose.", rule="AD-28", instead="A cure asks, where there are two.")


def _cure_params(state: AdventurersState, who: str) -> tuple[Param, ...]:
    return (Param(name="using", label="ailment", choices=body.ailments_of(state, who)),)


def _cure(step: Adventuring, who: str, command: Command) -> None:
    question = body.question_of(step.state, who, body.CURE)
    if question is not None:
        step.close(question)
    body.cured(step, who, command.using or "")


def adventurers_actions() -> tuple[Action[AdventurersState], ...]:
    """Return the actions in the order in which they are offered."""
    return (
        Action(id="initiative", label="Initiative check", do=_initiative, may=_may_initiative, usual=1),
        Action(
            id="attack",
            label="Attack",
            do=_attack,
            may=_may_attack,
            takes=("target", "using"),
            params=_attack_params,
            narrow=_attack_narrow,
            usual=1,
        ),
        Action(
            id="cooperate",
            label="Cooperative attack",
            do=_cooperate,
            may=_may_cooperate,
            takes=("target", "using"),
            params=_cooperate_params,
            usual=3,
        ),
        Action(
            id="assist",
            label="Assist",
            do=_assist,
            may=_may_assist,
            takes=("using", "target"),
            params=_assist_params,
            usual=2,
        ),
        Action(id="flee", label="Flee", do=_flee, may=_may_flee),
        Action(
            id="equip",
            label="Equip",
            do=belongings.equip,
            may=lambda state, who: may_act(state, who) or belongings.nothing_to_equip(state, who),
            takes=("using",),
            params=belongings.equip_params,
        ),
        Action(
            id="exchange",
            label="Exchange",
            do=belongings.exchange,
            may=lambda state, who: may_act(state, who) or belongings.nothing_to_exchange(state, who),
            takes=("target", "using", "note"),
            params=belongings.exchange_params,
            narrow=belongings.exchange_narrow,
        ),
        Action(
            id="store",
            label="Store",
            do=belongings.store,
            may=lambda state, who: may_act(state, who) or belongings.nothing_to_store(state, who),
            takes=("using", "to", "note"),
            params=belongings.store_params,
            narrow=belongings.store_narrow,
        ),
        Action(id="pass", label="Pass", do=_pass, may=_may_pass, usual=4),
        Action(
            id="evade",
            label="Evade",
            do=lambda step, who, _command: attacks.evade(step, who),
            may=_may_evade,
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
        Action(id="yell", label="Yell", do=_yell, may=_may_yell, usual=1),
    )
