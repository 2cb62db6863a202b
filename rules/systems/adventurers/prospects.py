"""What is said of an action before it is done: its place in a menu, what it needs, what is asked first (play 3).

Asked is what spends the last Willpower or loses something for good; what would do nothing is in no menu.
Rule: AD-08, AD-09, AD-10, AD-19, AD-20, AD-25, AD-29.
"""

from __future__ import annotations

from rules.core.blow import Effect, Healing, Lift, Points
from rules.core.blows.opened import asked_about
from rules.core.command import Command
from rules.core.offer import Prospect
from rules.core.registry import option_value, system_of
from rules.core.turns.fallen import fallen_words
from rules.core.typed.names import find_name
from rules.core.values import Ability
from rules.errors import Refusal
from rules.systems.adventurers import blows, body, creatures, notes, plans
from rules.systems.adventurers.abilities import ANY_AILMENT, FIELDS, effects_of, harms
from rules.systems.adventurers.checks import HIGHEST, way_to
from rules.systems.adventurers.creatures import STAMINA, WILLPOWER, is_helpless, pool_now, rebound, tables
from rules.systems.adventurers.grid import FLEE
from rules.systems.adventurers.state import AdventurersState


def _would_be_helpless(state: AdventurersState, who: str, cost: int, pool: str = WILLPOWER) -> str:
    """Warn if a cost is the last Willpower. Rule: AD-29."""
    if pool != WILLPOWER or cost == 0 or pool_now(state, who, WILLPOWER) > cost:
        return ""
    return f"That is {who}'s last Willpower: they will be Helpless."


def _price(state: AdventurersState, cost: int) -> str:
    """Return what a rebound costs, for a button. Rule: AD-30."""
    return f"{cost} {plans.cost_pool(state).capitalize()}" if cost else ""


def attack(state: AdventurersState, who: str, command: Command) -> Prospect:
    """Put what hits easily and costs little first. Rule: AD-08, AD-09, AD-30."""
    try:
        plan = plans.plan_of(state, who, command.using)
    except Refusal:
        return Prospect()
    own = (plan.means, *plan.joining)
    specialty = tables(state).name(creatures.specialty_of(state.combatant(who), plan.means)) or ""
    needs = way_to(state, who, specialty).needs(int(option_value(state, "difficulty")))
    cost = sum(rebound(state, who, ability) for ability in own)
    pool = plans.cost_pool(state)
    asks = [_would_be_helpless(state, who, cost, pool)]
    for cooperation in plan.waiting:
        lent = plans.helper_ability(state, cooperation)
        if lent is not None:
            asks.append(_would_be_helpless(state, cooperation.helper, rebound(state, cooperation.helper, lent), pool))
    return Prospect(
        rank=(HIGHEST + 1 if needs is None else needs) + 3 * cost - len(plan.waiting),
        price=_price(state, cost) if command.using or command.target else "",
        notes="" if command.using else notes.of_plan(state, who, plan),
        asks=" ".join(part for part in asks if part),
    )


def cooperate(state: AdventurersState, who: str, command: Command) -> Prospect:
    """Ask before the last Willpower is promised; help that nobody can use is moot. Rule: AD-09, AD-29."""
    usable = creatures.of_type(state, who, creatures.SUPPORT)
    lent = next(
        (ability for ability in usable if ability.name == command.using), usable[0] if len(usable) == 1 else None
    )
    target = command.target or ""
    late = notes.helped(state, (target,)) if state.find(target) is not None else {}
    if lent is None:
        return Prospect(moot=f"{who} can't lend anything." if not usable else "")
    said = "" if command.using else notes.lent(state, who, (lent.name,)).get(lent.name, "")
    cost = rebound(state, who, lent)
    asks = _would_be_helpless(state, who, cost, plans.cost_pool(state))
    return Prospect(
        price=_price(state, cost), notes=said, asks=asks, moot=f"{target} {late[target]}." if target in late else ""
    )


def assist(state: AdventurersState, who: str, command: Command) -> Prospect:
    """Leave out what would do nothing to that target. Rule: AD-10, AD-28."""
    ability = state.combatant(who).ability(command.using or "")
    target = command.target or who
    if ability is None or state.find(target) is None:
        return Prospect()
    does = bool(effects_of(ability)) or creatures.extras_of(ability) > 0
    says_more = any(key not in FIELDS or key == "effect" for key in ability.fields)
    if not (does or ability.text or says_more):
        return Prospect(moot=f"{ability.name} does not say what it does.")
    cost = rebound(state, who, ability)
    price = _price(state, cost)
    asks = _would_be_helpless(state, who, cost, plans.cost_pool(state))
    is_friend = creatures.camp(state.combatant(target)) == creatures.camp(state.combatant(who))
    if harms(ability) == is_friend:
        mark = f"{target} is you." if target == who else f"{target} is {'' if is_friend else 'not '}on {who}'s side."
        return Prospect(rank=1000, price=price, asks=mark)
    if not does:
        asks = f"No rule says what {ability.name} does, so the GM decides. {asks}".strip()
    moot = (fallen_words(state, target) if harms(ability) else "") or _idle(state, target, ability)
    return Prospect(rank=int(target != who), price=price, asks=asks, moot=moot)


def _idle(state: AdventurersState, target: str, ability: Ability) -> str:
    """Say why an Assist or an item would do nothing, as far as everybody may know. Rule: G-08."""
    does = effects_of(ability)
    if not does or creatures.extras_of(ability) or ability.field("effect") or ability.text:
        return ""  # what is read aloud is the table's to judge
    if not system_of(state).opens(state, target) or any(_helps(state, target, effect) for effect in does):
        return ""
    return f"{ability.name} would do nothing for {target}."


def _helps(state: AdventurersState, target: str, effect: Effect) -> bool:
    if isinstance(effect, Lift):
        ailments = body.ailments_of(state, target)
        return bool(ailments) if effect.lifts == ANY_AILMENT else find_name(effect.lifts, ailments) is not None
    if isinstance(effect, Healing | Points):
        pool = state.combatant(target).pools.get(STAMINA if isinstance(effect, Healing) else effect.pool)
        return pool is not None and (pool.top is None or pool.now < pool.top)
    return True


def flee(state: AdventurersState, who: str, command: Command) -> Prospect:
    way = way_to(state, who, tables(state).name(FLEE) or FLEE)
    return Prospect(notes=way.words(int(option_value(state, "difficulty"))))


def evade(state: AdventurersState, who: str, command: Command) -> Prospect:
    """Ask before the last Willpower is spent. Rule: AD-25, AD-29."""
    question = state.question_to(who, "evade")
    if question is None:
        return Prospect()
    blow, _ = asked_about(state, question)
    words = way_to(state, who, blows.specialty_of(state, blow)).words(blows.evasion_base(state, blow, who))
    asks = _would_be_helpless(state, who, blows.EVASION)
    return Prospect(notes=f"{blows.EVASION} Willpower · {words}", asks=asks)


def break_weapon(state: AdventurersState, who: str, command: Command) -> Prospect:
    """Say which weapon is lost. Rule: AD-20."""
    held = creatures.weapons(state.combatant(who))
    name = command.using or (held[0] if held else "")
    return Prospect(asks=f"{name} is gone for good.")


def accept(state: AdventurersState, who: str, command: Command) -> Prospect:
    question = state.question_to(who, "accept")
    dies = question is not None and question.about == body.SPEND_OR_DIE
    return Prospect(asks=f"{who} dies.") if dies else Prospect()


def willpower(state: AdventurersState, who: str, command: Command) -> Prospect:
    """Put what saves first; what does not is no use. Rule: AD-20."""
    amount = str(command.amount or 0)
    said = notes.raises(state, who, (amount,)).get(amount, "")
    is_idle = "not enough" in said and not is_helpless(state, who)
    return Prospect(rank=int(amount), moot="It is not enough." if is_idle else "")
