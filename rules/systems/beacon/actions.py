"""The actions of the ledger's table on one's own turn: what each needs and takes.

Rule: BE-02 to BE-06, BE-08 to BE-19.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.core.action import Action, always
from rules.core.command import Command
from rules.core.offer import Param, Takes
from rules.core.typed.names import find_name, shown
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.beacon import choices
from rules.systems.beacon.attacks import RULES, can_be_named, foretell
from rules.systems.beacon.channels import channel_actions
from rules.systems.beacon.movement import declare_move, left_params, most_spaces, where_params
from rules.systems.beacon.orders import FULL_ATTACK, REFRESH, Order, order_from, split
from rules.systems.beacon.phases import end_turn, may_surge, open_turn, surge_phases
from rules.systems.beacon.planning import read_surge, surge_param
from rules.systems.beacon.reactions.windows import join_windows
from rules.systems.beacon.release import channelable
from rules.systems.beacon.rights import may_turn, only_one, standard_may, use_standard
from rules.systems.beacon.sheet import HIDDEN, BeaconStep, is_beacon
from rules.systems.beacon.standard import execute, in_scope, refuse
from rules.systems.beacon.state import SURGE, BeaconState, Ready, drop_ready, set_channel


def do_standard(step: BeaconStep, who: str, command: Command) -> None:
    """Do a standard action of the phase."""
    order = order_from(step.state, who, command)
    phase_refusal = choices.phase_allows(step.state, who, order, late=True) if order.action == "ability" else None
    refusal = phase_refusal or refuse(step.state, who, order)
    if refusal is not None:
        raise refusal
    use_standard(step, who)
    execute(step, who, order)


# The turn


def _may_end(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    if refusal is None and state.turn is None and is_beacon(state.combatant(who)):
        return Illegal(f"{who} has not begun a turn.", rule="BE-04", instead="pass-phase, or begin for an empty turn.")
    return refusal


def _end_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    turn = state.turn
    first = turn is not None and turn.who == who and turn.kind != SURGE
    return (surge_param(state, who, required=False),) if first and may_surge(state, who) else ()


def _end(step: BeaconStep, who: str, command: Command) -> None:
    """End the turn, and say with it whether one surges. Rule: BE-08."""
    surge = "no" if command.note is None else read_surge(command.note, ("no", *surge_phases(step.state)))
    open_turn(step, who)
    if surge != "no" and not _end_params(step.state, who):
        raise Illegal(f"{who} has no surge to name now.", rule="BE-08", instead="end alone, or note:no.")
    end_turn(step, surge)


def _may_move(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    if refusal is not None:
        return refusal
    turn = state.turn
    if turn is not None and turn.spared:
        return None
    if turn is not None and turn.moved:
        return Illegal(f"{who} has made the standard movement.", rule="BE-04", instead="rush, in REPOSITION.")
    if turn is not None and turn.one and (turn.acted or turn.minor):
        return only_one()
    if state.combatant(who).number("SPEED") < 1:
        return Illegal(f"{who} has no SPEED.", rule="BE-04", instead="Any action, or end.")
    return None


def _move_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    return (*where_params(state, who, most_spaces(state, who)), *left_params(state, who))


def _move(step: BeaconStep, who: str, command: Command) -> None:
    turn = open_turn(step, who)
    most = most_spaces(step.state, who)
    step.change(turn=turn.evolve(spared=0) if turn.spared else turn.evolve(moved=True))
    channel = step.state.channels.get(who)
    if channel is not None and not channel.settled:
        set_channel(step, who, channel.evolve(may_move=False))
    declare_move(step, who, command.to, command.amount, most, provokes=not turn.free_step, left=split(command.target))


def _may_minor(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    turn = state.turn
    if refusal is None and turn is not None:
        if turn.minor:
            return Illegal(f"{who} has used the minor action.", rule="BE-04", instead="free, or end.")
        if turn.one and (turn.acted or turn.moved):
            return only_one()
    return refusal


def _minor(step: BeaconStep, who: str, command: Command) -> None:
    order = order_from(step.state, who, command)
    refusal = refuse(step.state, who, order)
    if refusal is not None:
        raise refusal
    turn = open_turn(step, who)
    if order.action == "minor":
        step.change(turn=turn.evolve(minor=True))
    execute(step, who, order)


# Delay and Ready


def _delay(step: BeaconStep, who: str, command: Command) -> None:
    order = choices.written(step.state, who, command).evolve(note=command.note)
    if order.action in ("release", "delay", "ready", "minor", "free"):
        raise Illegal(
            f"Delay cannot take {order.action}.",
            rule="BE-06",
            instead="The standard actions of phases 1 to 7 but Release.",
        )
    _require_whole(step.state, who, order)
    refusal = choices.phase_allows(step.state, who, order, late=True) or refuse(step.state, who, order)
    if refusal is not None:
        raise refusal
    use_standard(step, who)
    execute(step, who, order)


def _require_whole(state: BeaconState, who: str, order: Order) -> None:
    """Refuse an order that lacks its target or choice. Raises: Malformed."""
    needs = order.action in ("volley", "fight", "shove", "grapple", "mark", "search")
    if needs and not order.targets:
        raise Malformed(f"{order.action.title()} needs a target (option target).")
    if order.action == "shove" and order.choice not in ("push", "prone"):
        raise Malformed("Shove needs push or prone.", instead="shove:push, or shove:prone.")
    if order.action == "search" and order.choice not in ("reveal", "learn"):
        raise Malformed("Search needs reveal or learn.", instead="search:reveal, or search:learn.")
    if order.action == "rush" and order.choice not in ("move", "free"):
        raise Malformed("Rush needs move or free.", instead="rush:move, or rush:free.")
    if order.action == "channel" and order.ability is None:
        raise Malformed("Channel needs an ability.", instead=f"Possible: {shown(channelable(state, who)) or 'none'}.")
    if (order.action == FULL_ATTACK and not order.halves) or (order.action == REFRESH and order.choice is None):
        raise Malformed(f"Say what {order.action} is, after a colon.", instead="full-attack:volley:Bow, shove:prone.")


def _ready_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    found = choices.order_params(state, who, command, late=False)
    kept = tuple(
        param.evolve(required=False) if param.name == "target" else param
        for param in found
        if param.name in ("using", "target")
    )
    return (Param(name="note", label="trigger"), *kept)


def _ready(step: BeaconStep, who: str, command: Command) -> None:
    order = choices.written(step.state, who, command)
    refusal = choices.refuse_ready(step.state, who, order) or choices.phase_allows(step.state, who, order, late=True)
    if refusal is not None:
        raise refusal
    use_standard(step, who)
    trigger = " ".join((command.note or "").split())[:200]
    ready = Ready(trigger=trigger, order=order, since=step.state.events)
    step.change(readied={**step.state.readied, who: ready})
    step.tell("{who} readies an action. Trigger: {trigger}", who=who, trigger=trigger)


def _may_drop(state: BeaconState, who: str) -> Refusal | None:
    if who in state.readied:
        return None
    return Illegal(f"{who} has nothing readied.", rule="BE-19", instead="ready, as a standard action.")


def _drop(step: BeaconStep, who: str, command: Command) -> None:
    drop_ready(step, who)
    step.tell("{who} gives the readied action up.", who=who)
    join_windows(step, who)


# Parameters of the standard actions


def _targets_of(action: str) -> Callable[[BeaconState, str], tuple[Param, ...]]:
    order = Order(action=action)
    return lambda state, who: choices.target_params(state, who, order)


def _target_narrow(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    return choices.target_params(state, who, Order(action=command.action))


def _attacks(kind: str) -> Callable[[BeaconState, str], tuple[Param, ...]]:
    return lambda state, who: choices.attack_offer(state, who, kind)


def _search_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    target = choices.target_param(in_scope(state, who), can_be_named(state, who))
    using: tuple[str, ...] = ("reveal", "learn")
    found = None if command.target is None else find_name(command.target, can_be_named(state, who))
    if found is not None and not state.combatant(found).has(HIDDEN):
        using = ("learn",)
    return (target, Param(name="using", label="reveal or learn", choices=using, universe=("reveal", "learn")))


def _refresh_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    using = Param(name="using", label="two choices", choices=choices.refresh_choices(state, who), free=True)
    if command.using is None:
        return (using,)
    return (using, *choices.target_params(state, who, order_from(state, who, command)))


def _full_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    using = Param(
        name="using", label="Slow ability, or two attacks", choices=choices.full_choices(state, who), free=True
    )
    if command.using is None:
        return (using,)
    return (using, *choices.target_params(state, who, order_from(state, who, command.evolve(target=None))))


def _channel_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    every = tuple(ability.name for ability in state.combatant(who).abilities)
    return (Param(name="using", label="ability", choices=channelable(state, who), universe=every),)


def _with(
    action: str, narrow: Callable[[BeaconState, str, Command], tuple[Param, ...]]
) -> Callable[[BeaconState, str], tuple[Param, ...]]:
    command = Command(action=action)
    return lambda state, who: narrow(state, who, command)


def _late(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    return choices.order_params(state, who, command, late=True)


def _nothing(_state: BeaconState, _who: str) -> tuple[Param, ...]:
    return ()


def turn_actions() -> tuple[Action[BeaconState], ...]:
    """Return the actions of turns and phases, in the order in which they are offered."""

    def standard(
        action: str,
        label: str,
        takes: tuple[Takes, ...] = (),
        *,
        narrow: Callable[[BeaconState, str, Command], tuple[Param, ...]] | None = None,
        params: Callable[[BeaconState, str], tuple[Param, ...]] | None = None,
        usual: int = 0,
        do: Callable[[BeaconStep, str, Command], None] = do_standard,
        is_open: bool = False,
        harms: bool = False,
        words: str = "",
    ) -> Action[BeaconState]:
        if params is None:
            params = _nothing if narrow is None else _with(action, narrow)
        found = Action(
            id=action,
            label=label,
            do=do,
            may=standard_may(action),
            takes=takes,
            params=params,
            narrow=narrow,
            usual=usual,
            is_open=is_open,
            harms=harms,
            words=words,
        )
        return replace(found, prospect=foretell) if action in RULES else found

    every: tuple[Takes, ...] = ("using", "target", "to", "amount", "note")
    return (
        standard("defend", "Defend", usual=2),
        standard("refresh", "Refresh", ("using", "target", "note"), narrow=_refresh_params, usual=3),
        standard("channel", "Channel", ("using",), params=_channel_params, usual=2, is_open=True),
        standard("mark", "Mark", ("target",), params=_targets_of("mark"), narrow=_target_narrow, usual=4),
        standard("search", "Search", ("target", "using"), narrow=_search_params, usual=5),
        standard(
            "volley",
            "Volley",
            ("target", "using"),
            params=_attacks("volley"),
            narrow=choices.attack_params,
            usual=2,
            is_open=True,
            harms=True,
        ),
        standard("rush", "Rush", ("using", "to", "amount", "target"), narrow=choices.rush_params, usual=2),
        standard("hide", "Hide", usual=3),
        standard(
            "fight",
            "Fight",
            ("target", "using"),
            params=_attacks("fight"),
            narrow=choices.attack_params,
            usual=2,
            is_open=True,
            harms=True,
        ),
        standard(
            "shove", "Shove", ("target", "using", "to"), narrow=choices.shove_params, usual=4, is_open=True, harms=True
        ),
        standard(
            "grapple",
            "Grapple",
            ("target",),
            params=_targets_of("grapple"),
            narrow=_target_narrow,
            usual=5,
            is_open=True,
            harms=True,
        ),
        standard("full-attack", "Full Attack", ("using", "target"), narrow=_full_params, usual=2),
        standard("delay", "Delay", every, narrow=_late, do=_delay),
        standard("ability", "Ability", ("using", "target", "to"), narrow=choices.abilities_params, usual=3),
        standard("ready", "Ready", ("note", "using", "target"), narrow=_ready_params, usual=6, do=_ready),
        Action(
            id="move",
            label="Move",
            do=_move,
            may=_may_move,
            takes=("to", "amount", "target"),
            params=_move_params,
            words="{label}[ to {to}][ {amount}][, leaving {target}]",  # the target may react, and moves not
            usual=1,
        ),
        Action(
            id="minor",
            label="Minor action",
            do=_minor,
            may=_may_minor,
            takes=("using", "target", "to"),
            params=_with("minor", choices.abilities_params),
            narrow=choices.abilities_params,
        ),
        Action(
            id="free",
            label="Free action",
            do=_minor,
            may=may_turn,
            takes=("using", "target", "to"),
            params=_with("free", choices.abilities_params),
            narrow=choices.abilities_params,
        ),
        *channel_actions(),
        Action(
            id="end",
            label="End the turn",
            do=_end,
            may=_may_end,
            takes=("note",),
            params=_end_params,
            usual=7,
            ends=True,
            is_open=True,
            words="{label}[ and surge in {note}]",
        ),
        Action(id="drop-ready", label="Give up the readied action", do=_drop, may=_may_drop, beside=always),
    )
