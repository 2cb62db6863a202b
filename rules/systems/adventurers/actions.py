"""The actions of one's turn: when each may be done, what it takes, what it does.

Rule: AD-04, AD-07 to AD-15.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.core.action import Action, plainly
from rules.core.asking.ask import Ask, Effect
from rules.core.asking.told import Told
from rules.core.blows.aiming import reached, too_far
from rules.core.blows.calling import call_actions
from rules.core.blows.limits import spend
from rules.core.blows.todo import leave_to_gm
from rules.core.command import Command
from rules.core.model import per_state, without
from rules.core.offer import Param
from rules.core.turns.fallen import is_out
from rules.core.typed.names import find_name, shown
from rules.errors import Illegal, Refusal
from rules.systems.adventurers import attacks, belongings, body, creatures, notes, plans, prospects, rounds
from rules.systems.adventurers.abilities import deed_of, harms, targets_of
from rules.systems.adventurers.answers import answer_actions
from rules.systems.adventurers.blows import withdraw
from rules.systems.adventurers.checks import Adventuring, check, via
from rules.systems.adventurers.creatures import (
    ADVENTURER,
    ASSIST,
    ATTACK,
    ITEM,
    SUPPORT,
    WEAPON,
    is_adventurer,
    rebound,
)
from rules.systems.adventurers.grid import FLEE
from rules.systems.adventurers.permission import adventurers_only, gone, may_act
from rules.systems.adventurers.state import (
    INITIATIVE,
    AdventurersState,
    Cooperation,
    spend_action,
)

May = Callable[[AdventurersState, str], Refusal | None]

# Step A (AD-04, AD-05)


def _may_initiative(state: AdventurersState, who: str) -> Refusal | None:
    refusal = gone(state, who)
    if refusal is not None:
        return refusal
    if not is_adventurer(state, who):
        return Illegal(
            f"{who} acts in step C and makes no check.", rule="AD-04", instead="Only adventurers roll for initiative."
        )
    if state.phase != INITIATIVE:
        return Illegal(
            "The initiative check is made in step A.", rule="AD-04", instead="The next round brings another."
        )
    if who in state.passed:
        return Illegal(f"{who} has already made this round's check.", rule="AD-04", instead="Wait for the others.")
    return None


# Attack (AD-08)


def _may_attack(state: AdventurersState, who: str) -> Refusal | None:
    refusal = may_act(state, who)
    if refusal is not None or plans.possible_plans(state, who):
        return refusal
    for ability in state.combatant(who).abilities:
        if creatures.type_of(ability) in (ATTACK, WEAPON):
            try:
                plans.require_plan(state, who, plans.Plan(means=ability))
            except Illegal as why:
                return why
    return Illegal(
        f"{who} has no Attack ability and no weapon.",
        rule="AD-08",
        instead="Give them an ability of type Attack, or a weapon.",
    )


def _attack(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    """Ask with what and whom; if there is one way alone to attack, nobody is asked for it."""
    state, who, text = ask.state, ask.who, ask.text("using")
    means = creatures.means_of_attack(state, who)
    possible = plans.possible_plans(state, who)
    selected = tuple(plans.means_named(state, who, text)) or (means if len(means) == 1 else ())
    most = max((targets_of(ability) for ability in selected), default=1)
    bare = means[0].name if len(means) == 1 and means[0].name in possible else ""
    every = plans.can_be_hit(state, who)
    able = tuple(said for said, plan in possible.items() if reached(state, who, plan.means, every))
    if text or not bare or len(possible) != 1:
        using = Param(
            name="using",
            label="ability or weapon, then Support abilities",
            choices=tuple(possible) if bare else able,
            required=not bare,
            free=True,
            implied=bare,
            notes=notes.plans(state, who),
        )
        ask.take(using)
    # With one target each, a list of them is let through so that the refusal can say why (AD-08).
    means_named = selected[0].name if selected else ""
    ask.take(_aimed(state, who, most, means_named, many=most > 1 or "," in (ask.text("target") or "")))

    def attack(step: Adventuring) -> None:
        plan = plans.plan_of(step.state, who, text)
        targets = ask.names("target")
        hittable = plans.can_be_hit(step.state, who)
        for target in targets:
            if target not in hittable:
                why = "is the attacker" if target == who else "is out of the fight"
                raise Illegal(f"{target} {why}.", rule="AD-08", instead=f"Targets: {shown(hittable) or 'nobody'}.")
            if (far := too_far(step.state, who, plan.means, hittable)(target)) is not None:
                raise far
        attacks.attack(step, who, plan, targets)

    return attack


@per_state  # menus of whole actions ask for it with each target
def _aimed(state: AdventurersState, who: str, most: int, using: str, *, many: bool) -> Param:
    means = next((each for each in creatures.means_of_attack(state, who) if each.name == using), None)
    visible = reached(state, who, means, plans.can_be_hit(state, who))
    return Param(
        name="target",
        label="target" if most == 1 else f"targets, {most} at most" if most < len(visible) else "targets",
        choices=visible,
        nameable=tuple(
            combatant.name for combatant in state.combatants if combatant.name in visible or not combatant.hidden
        ),
        many=many,
        bundles=_bundles(state, who, visible, most),
        notes=notes.targets(state, who, visible),
    )


def _bundles(state: AdventurersState, who: str, visible: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Return the lists of targets that a menu has: all foes if they may be, then each alone."""
    own = creatures.camp(state.combatant(who))
    foes = tuple(name for name in visible if creatures.camp(state.combatant(name)) != own)
    return (", ".join(foes), *visible) if 1 < len(foes) <= most else ()


# Cooperative attack (AD-09)


def _supports(state: AdventurersState, who: str) -> tuple[str, ...]:
    return tuple(ability.name for ability in creatures.of_type(state, who, SUPPORT))


def _may_cooperate(state: AdventurersState, who: str) -> Refusal | None:
    if not is_adventurer(state, who):
        return Illegal(f"{who} is not an adventurer.", rule="AD-09", instead="Enemies attack, assist and pass.")
    return may_act(state, who)


def _cooperate(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    """Ask for an ally to help, and with what; the only Support is lent without asking, and you may help without any."""
    state, who, usable = ask.state, ask.who, _supports(ask.state, ask.who)
    here = (each for each in state.combatants if each.name != who and not each.hidden)
    others = tuple(each.name for each in here if each.kind == ADVENTURER and not is_out(state, each.name))
    target = ask("target", "adventurer", others, notes=notes.helped(state, others), all_lead=True)
    name = usable[0] if len(usable) == 1 else ""

    def unfit(name: str) -> Refusal:
        ability = state.combatant(who).ability(name)
        if ability is not None and creatures.type_of(ability) == SUPPORT:
            plans.require_usable(state, who, ability)
        possible = f"Possible: {shown(usable) or 'none, so leave out using'}."
        return Illegal(f"{name} is not a Support ability.", rule="AD-09", instead=possible)

    if len(usable) > 1 or ask.text("using"):
        every = tuple(ability.name for ability in state.combatant(who).abilities)
        words = notes.lent(state, who, usable)
        name = ask("using", "Support ability", usable, nameable=every, why=unfit, notes=words, all_lead=True)

    def do(step: Adventuring) -> None:
        spend_action(step, who)
        step.change(cooperations=(*step.state.cooperations, Cooperation(helper=who, target=target, ability=name)))
        words = "{who} cooperates with {target}" + (": {ability} waits for their next attack." if name else ".")
        step.tell(words, who=who, target=target, ability=name or None)

    return do


# Assist (AD-10)


def _assists(state: AdventurersState, who: str) -> tuple[str, ...]:
    usable = creatures.of_type(state, who, ASSIST, ITEM)
    return tuple(ability.name for ability in usable if plans.can_pay(state, who, rebound(state, who, ability)))


def _may_assist(state: AdventurersState, who: str) -> Refusal | None:
    refusal = may_act(state, who)
    if refusal is not None:
        return refusal
    combatant = state.combatant(who)
    if ASSIST in combatant.marks or any(
        creatures.type_of(ability) in (ASSIST, ITEM) for ability in combatant.abilities
    ):
        return None
    return Illegal(
        f"{who} has no Assist ability and no item.",
        rule="AD-10",
        instead="The GM can allow something else with /gm set pool:mark:assist value:what it is.",
    )


def _assist(ask: Ask[AdventurersState]) -> Effect[AdventurersState]:
    """Ask with what and whom; what the GM allows needs no ability, and if there is none, nobody is asked for one."""
    state, who, name = ask.state, ask.who, ask.text("using")
    combatant = state.combatant(who)
    here = tuple(each.name for each in state.combatants if not is_out(state, each.name) and not each.hidden)
    allowed = ASSIST in combatant.marks
    choices = tuple(each for each in _assists(state, who) if _on_whom(state, who, here, each).choices)
    if name or choices or not allowed:
        using = Param(
            name="using",
            label="Assist ability or item",
            choices=choices,
            nameable=tuple(ability.name for ability in combatant.abilities),
            required=not allowed,
            notes=notes.things(state, who, choices),
        )
        ask.take(using)
    ask.take(_on_whom(state, who, here, name or (choices[0] if len(choices) == 1 else "")))
    targets = ask.names("target") or (who,)
    return lambda step: _help(step, who, name, targets)


def _on_whom(state: AdventurersState, who: str, here: tuple[str, ...], using: str) -> Param:
    """Return an Assist's targets: oneself, if nobody is named; what harms asks for a target, foes first."""
    ability = state.combatant(who).ability(find_name(using, _assists(state, who)) or "")
    most = 1 if ability is None else targets_of(ability)
    many, label = most > 1, "target" if most == 1 else "targets"
    if ability is None or not harms(ability):
        is_for_others = ability is not None and deed_of(ability).others
        here = without(here, who) if is_for_others else here
        first = tuple(sorted(reached(state, who, ability, here), key=lambda name: name != who))
        own = creatures.camp(state.combatant(who))
        mates = tuple(name for name in first if creatures.camp(state.combatant(name)) == own)
        bundles = (", ".join(mates), *first) if many and 1 < len(mates) <= most else ()
        implied = "" if is_for_others else who
        return Param(
            name="target", label=label, choices=first, nameable=here, required=is_for_others, implied=implied,
            rule="AD-10", notes={who: "yourself"}, many=many, bundles=bundles,
        )  # fmt: skip
    foes_first = reached(state, who, ability, plans.can_be_hit(state, who))
    last = (*foes_first, *(name for name in reached(state, who, ability, here) if name not in foes_first))
    unsaid = f"{ability.name} hurts or afflicts its target: say who with the option target."
    warned = {**notes.targets(state, who, last), who: "yourself"}
    bundles = _bundles(state, who, foes_first, most) if many else ()
    return Param(
        name="target", label=label, choices=last, nameable=tuple(dict.fromkeys((*plans.can_be_hit(state, who), *here))),
        rule="AD-10", unsaid=unsaid, notes=warned, many=many, bundles=bundles,
    )  # fmt: skip


def _help(step: Adventuring, who: str, name: str | None, targets: tuple[str, ...]) -> None:
    target = ", ".join(targets)
    if not name:
        words = step.combatant(who).marks.get(ASSIST) or "what the GM allows"
        spend_action(step, who)
        step.set_mark(who, ASSIST, None)
        step.tell("{who} assists {target}: {what}.", who=who, target=target, what=words)
        return
    ability = step.combatant(who).ability(name)
    if ability is None or creatures.type_of(ability) not in (ASSIST, ITEM):
        raise Illegal(
            f"{name} is not an Assist ability or an item.",
            rule="AD-10",
            instead=f"Possible: {shown(_assists(step.state, who)) or 'none'}.",
        )
    plans.require_usable(step.state, who, ability)
    cost = rebound(step.state, who, ability)
    plans.require_cost(step.state, who, cost, ability.name)
    for refused in filter(None, map(too_far(step.state, who, ability, step.state.names), targets)):
        raise refused
    if len(targets) > targets_of(ability):
        raise Illegal(f"{ability.name} is for fewer than {len(targets)}.", rule="AD-10", instead="Name fewer.")
    spend_action(step, who)
    step.tell("{who} uses {ability} on {target}.", who=who, ability=ability.name, target=target)
    leave_to_gm(step, who, ability.name, targets)
    spend(step, who, ability)
    attacks.pay(step, who, cost)
    body.gain_extra(step, who, creatures.extras_of(ability))
    belongings.use_up(step, who, ability)
    attacks.give_help(step, who, targets, ability)


# Flee and pass (AD-11, AD-15)


def _may_flee(state: AdventurersState, who: str) -> Refusal | None:
    if creatures.tables(state).name(FLEE) is None:
        return Illegal("This table's grid has no Flee.", rule="AD-11", instead="The GM can let them go.")
    return adventurers_only(state, who) or may_act(state, who)


def _flight(step: Adventuring) -> str:
    return creatures.tables(step.state).name(FLEE) or FLEE


def _flee(step: Adventuring, who: str) -> None:
    spend_action(step, who)
    if check(step, who, _flight(step), "flee").success:
        withdraw(step, who)


def _may_pass(state: AdventurersState, who: str) -> Refusal | None:
    if state.question_to(who, "pass") is not None or rounds.can_yell(state, who):
        return None
    return may_act(state, who)


def _pass(step: Adventuring, who: str, command: Command) -> None:
    if step.answered is not None:  # a request for something of theirs: who asked has not acted yet
        step.tell("{who} keeps {item}.", who=who, item=str(step.question.data["item"]))
        return
    spend_action(step, who)
    step.tell("{who} passes.", who=who)


# Belongings (AD-12, AD-13, AD-14)


def _belongings(told: Told[AdventurersState], missing: May, words: str = "") -> Action[AdventurersState]:
    """Return what an adventurer does with belongings, unless something is `missing` for it."""
    action = told.action(lambda state, who: adventurers_only(state, who) or may_act(state, who) or missing(state, who))
    return replace(action, words=words, is_one_entry=True)


def adventurers_actions() -> tuple[Action[AdventurersState], ...]:
    """Return the actions in the order in which they are offered."""
    initiative = via(lambda step: rounds.specialty_of(step.state), rounds.make_initiative)
    return (
        Told("initiative", "Initiative check", initiative, ("using",)).action(_may_initiative, button_rank=1),
        Told("attack", "Attack", _attack, ("target", "using")).action(
            _may_attack,
            button_rank=1,
            is_open=True,
            harms=True,
            prospect=prospects.attack,
        ),
        Told("cooperate", "Cooperative attack", _cooperate, ("target", "using")).action(
            _may_cooperate,
            button_rank=3,
            is_one_entry=True,
            prospect=prospects.cooperate,
        ),
        Told("assist", "Assist", _assist, ("using", "target")).action(
            _may_assist,
            button_rank=2,
            words="{label}[: {using}][ on {target}]",
            prospect=prospects.assist,
        ),
        Told("flee", "Flee", via(_flight, _flee), ("using",)).action(_may_flee, prospect=prospects.flee),
        _belongings(Told("equip", "Equip", belongings.equip, ("using",)), belongings.nothing_to_equip),
        _belongings(
            Told("exchange", "Exchange", belongings.exchange, ("target", "using", "note")),
            belongings.nothing_to_exchange,
            "{label}[: {note}][ {using}][, {target}]",
        ),
        _belongings(
            Told("store", "Store", belongings.store, ("using", "to", "note")),
            belongings.nothing_to_store,
            "{label}[: {note}][ {using}][, {to}]",
        ),
        Action(id="pass", label="Pass", do=_pass, may=_may_pass, button_rank=4, default_answer=plainly, ends=True),
        *call_actions(),
        *answer_actions(),
    )
