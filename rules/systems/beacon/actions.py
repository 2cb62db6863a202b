"""The actions of the ledger's table on one's own turn: what each needs and takes.

Rule: BE-02 to BE-06, BE-08 to BE-19.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.core.action import Action, Param, Takes
from rules.core.command import Command
from rules.core.errors import Illegal, Malformed, Refusal
from rules.core.names import find_name, shown
from rules.systems.beacon.attacks import can_be_named
from rules.systems.beacon.choices import (
    abilities_params,
    attack_params,
    full_choices,
    order_from,
    order_params,
    phase_allows,
    refresh_choices,
    rush_params,
    shove_params,
    target_param,
    target_params,
    written,
)
from rules.systems.beacon.effects import needs_order
from rules.systems.beacon.movement import declare_move, where_params
from rules.systems.beacon.phases import (
    candidates,
    end_turn,
    may_release,
    open_turn,
    other,
    surge_phases,
    turn_kind,
)
from rules.systems.beacon.release import channelable
from rules.systems.beacon.sheet import (
    HIDDEN,
    PHASE_OF,
    SILENCED,
    BeaconStep,
    attack_kinds,
    is_beacon,
    is_out,
    phase_number,
    side_of,
    spaces,
    within,
)
from rules.systems.beacon.standard import execute, in_scope, refuse, split
from rules.systems.beacon.state import (
    DELAY,
    PHASES,
    RELEASE,
    BeaconState,
    ChannelSet,
    LevelSet,
    Order,
    Passed,
    Planned,
    Ready,
    ReadySet,
    SideSet,
    StackSet,
    SurgeSet,
    TurnSet,
    Unleash,
)

May = Callable[[BeaconState, str], Refusal | None]


def shown_name(state: BeaconState, who: str) -> str:
    """Return a name for everybody: a hidden combatant, or the GM deciding, is just the GM."""
    found = state.find(who)
    return "the GM" if found is None or found.hidden else who


def parse_phase(text: str | None, among: tuple[str, ...]) -> str:
    """Read a phase's name or number. Raises: Malformed."""
    wanted = " ".join((text or "").casefold().replace("-", " ").split())
    if wanted in ("fullattack", "full"):
        wanted = "full attack"
    if wanted.isdigit() and 1 <= int(wanted) <= len(PHASES):
        return PHASES[int(wanted) - 1]
    found = find_name(wanted, (*PHASES, "no")) if wanted else None
    if found is None:
        raise Malformed(f"{(text or '')[:40] or 'That'} is no phase.", instead=f"Possible: {shown(among)}.")
    return found


# Whose turn it is


def blocked(state: BeaconState) -> Illegal | None:
    """Refuse while questions or reactions are open. Rule: BE-24."""
    if state.questions:
        names = shown(dict.fromkeys(shown_name(state, question.who) for question in state.questions))
        rule = "BE-08" if state.questions[0].about == "surge" else "BE-24"
        return Illegal(f"The table waits for {names}.", rule=rule, instead="Their answer comes first.")
    return None


def may_turn(state: BeaconState, who: str) -> Refusal | None:
    """Refuse who has no turn now and cannot begin one. Rule: BE-02, BE-03."""
    held = blocked(state)
    if held is not None:
        return held
    turn = state.turn
    if turn is not None:
        if turn.who == who:
            return None
        return Illegal(f"It is the turn of {shown_name(state, turn.who)}.", rule="BE-02", instead="After its end.")
    refusal = _may_begin(state, who)
    if refusal is None and needs_order(state, who):
        return Illegal("Effects at the start of the turn need an order.", rule="BE-07", instead="begin comes first.")
    return refusal


def _may_begin(state: BeaconState, who: str) -> Refusal | None:
    combatant = state.combatant(who)
    if is_out(combatant):
        return Illegal(f"{who} is out of the round.", rule="BE-02", instead="/condition remove brings them back.")
    if turn_kind(state, who) is None:
        return _no_turn(state, who)
    if side_of(combatant) != state.side:
        names = shown(shown_name(state, name) for name in candidates(state, state.side))
        return Illegal("The other side has the next turn.", rule="BE-02", instead=f"Now: {names or 'nobody'}.")
    return None


def _no_turn(state: BeaconState, who: str) -> Refusal:
    now = (state.phase or "").upper()
    if not is_beacon(state.combatant(who)):
        number = state.initiative.get(who, 0)
        phase = PHASES[number - 1].upper() if 1 <= number <= len(PHASES) else "no phase"
        return Illegal(
            f"{who} has no turn in {now}.",
            rule="BE-03",
            instead=f"INITIATIVE {number}: {phase}; once for each of TURNS.",
        )
    if state.taken.get(who, 0):
        named = state.surges.get(who)
        where = f"A surge turn comes in {named.upper()}." if named in PHASES else "Next round."
        return Illegal(f"{who} has taken the turn of this round.", rule="BE-02", instead=where)
    if who in state.passed:
        return Illegal(f"{who} has passed on {now}.", rule="BE-02", instead="A later phase; plan may name it.")
    if state.phase == RELEASE:
        return Illegal(
            "RELEASE is for those who channel.", rule="BE-13", instead="plan names RELEASE, or a later phase."
        )
    planned = state.plans.get(who, "a later phase").upper()
    return Illegal(f"{who} will act in {planned}.", rule="BE-02", instead="plan changes that.")


def may_standard(state: BeaconState, who: str, action: str) -> Refusal | None:
    """Refuse a standard action: no turn, used up, or not of this phase. Rule: BE-01, BE-04, BE-09."""
    refusal = may_turn(state, who)
    if refusal is not None:
        return refusal
    turn = state.turn
    if turn is not None and turn.acted:
        return Illegal(f"{who} has used the standard action.", rule="BE-04", instead="move, minor, free, or end.")
    if turn is not None and turn.one and (turn.moved or turn.minor):
        return _only_one()
    if action in PHASE_OF:
        refusal = phase_allows(state, who, Order(action=action), late=False)
        if refusal is not None:
            return refusal
    return (
        refuse(state, who, Order(action=action))
        if action in ("volley", "fight", "full-attack") and not _any_ability(state, who, action)
        else None
    )


def _any_ability(state: BeaconState, who: str, action: str) -> bool:
    if action == "full-attack":
        return False
    return any(action in attack_kinds(ability) for ability in state.combatant(who).abilities)


def _only_one() -> Illegal:
    return Illegal(
        "A partial surge has one of action, movement and minor action.", rule="BE-09", instead="free, or end."
    )


def standard_may(action: str) -> May:
    return lambda state, who: may_standard(state, who, action)


def use_standard(step: BeaconStep, who: str) -> None:
    turn = open_turn(step, who)
    step.emit(TurnSet(turn=turn.evolve(acted=True)))


def do_standard(step: BeaconStep, who: str, command: Command) -> None:
    """Do a standard action of the phase."""
    order = order_from(step.state, who, command)
    phase_refusal = phase_allows(step.state, who, order, late=False) if order.action == "ability" else None
    refusal = phase_refusal or refuse(step.state, who, order)
    if refusal is not None:
        raise refusal
    use_standard(step, who)
    execute(step, who, order)


# Planning and passing


def _may_plan(state: BeaconState, who: str) -> Refusal | None:
    combatant = state.combatant(who)
    if not is_beacon(combatant):
        return Illegal("An NPC acts in the phase of its INITIATIVE.", rule="BE-03", instead="/gm set INITIATIVE.")
    if is_out(combatant):
        return Illegal(f"{who} is out of the round.", rule="BE-02")
    if state.taken.get(who, 0):
        return Illegal(
            f"{who} has taken the turn of this round.", rule="BE-02", instead="Next round; surge may be open."
        )
    return None


def _plan_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    return (Param(name="note", label="phase", choices=PHASES[phase_number(state.phase) :], free=True),)


def _plan(step: BeaconStep, who: str, command: Command) -> None:
    possible = PHASES[phase_number(step.state.phase) :]
    phase = parse_phase(command.note, possible)
    if phase not in possible:
        raise Illegal(f"{phase.upper()} has passed.", rule="BE-02", instead=f"Possible: {shown(possible)}.")
    step.emit(Planned(who=who, phase=phase))
    step.tell("{who} will act in {phase}.", who=who, phase=phase.upper())


def _may_pass(state: BeaconState, who: str) -> Refusal | None:
    if state.turn is not None and state.turn.who == who:
        return Illegal(f"{who} is taking a turn.", rule="BE-02", instead="end closes it.")
    if state.phase == RELEASE and may_release(state, who):
        return None
    if not is_beacon(state.combatant(who)):
        return Illegal("An NPC acts in its phase.", rule="BE-03", instead="begin, then end, for an empty turn.")
    return None if turn_kind(state, who) is not None else _no_turn(state, who)


def _pass(step: BeaconStep, who: str, command: Command) -> None:
    state = step.state
    surge = turn_kind(state, who) == "surge"
    step.emit(Passed(who=who))
    if surge:
        step.emit(SurgeSet(who=who, phase="no"))
    if state.phase == RELEASE and who in state.channels:
        step.tell("{who} goes on channeling.", who=who)
    else:
        words = "{who} lets the turn of this round go." if state.phase == DELAY else "{who} passes on {phase}."
        step.tell(words, who=who, phase=None if state.phase == DELAY else (state.phase or "").upper())


# The turn


def _may_begin_now(state: BeaconState, who: str) -> Refusal | None:
    refusal = blocked(state)
    if refusal is not None:
        return refusal
    if state.turn is not None:
        return Illegal(f"{shown_name(state, state.turn.who)} has the turn.", rule="BE-02", instead="After its end.")
    return _may_begin(state, who)


def _begin(step: BeaconStep, who: str, command: Command) -> None:
    from rules.systems.beacon.phases import begin_turn  # noqa: PLC0415 - open_turn serves all others

    begin_turn(step, who, turn_kind(step.state, who) or "given")


def _may_end(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    if refusal is None and state.turn is None and is_beacon(state.combatant(who)):
        return Illegal(f"{who} has not begun a turn.", rule="BE-04", instead="pass-phase, or begin for an empty turn.")
    return refusal


def _end(step: BeaconStep, who: str, command: Command) -> None:
    open_turn(step, who)
    end_turn(step)


def _may_move(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    if refusal is not None:
        return refusal
    turn = state.turn
    if turn is not None and turn.moved:
        return Illegal(f"{who} has made the standard movement.", rule="BE-04", instead="rush, in REPOSITION.")
    if turn is not None and turn.one and (turn.acted or turn.minor):
        return _only_one()
    if state.combatant(who).number("SPEED") < 1:
        return Illegal(f"{who} has no SPEED.", rule="BE-04", instead="Any action, or end.")
    return None


def _move(step: BeaconStep, who: str, command: Command) -> None:
    turn = open_turn(step, who)
    step.emit(TurnSet(turn=turn.evolve(moved=True)))
    channel = step.state.channels.get(who)
    if channel is not None and channel.round == step.state.round:
        step.emit(ChannelSet(who=who, channel=channel.evolve(may_move=False)))
    speed = step.combatant(who).number("SPEED")
    declare_move(step, who, command.to, command.amount, speed, provokes=not turn.free_step)


def _may_minor(state: BeaconState, who: str) -> Refusal | None:
    refusal = may_turn(state, who)
    turn = state.turn
    if refusal is None and turn is not None:
        if turn.minor:
            return Illegal(f"{who} has used the minor action.", rule="BE-04", instead="free, or end.")
        if turn.one and (turn.acted or turn.moved):
            return _only_one()
    return refusal


def _minor(step: BeaconStep, who: str, command: Command) -> None:
    order = order_from(step.state, who, command)
    refusal = refuse(step.state, who, order)
    if refusal is not None:
        raise refusal
    turn = open_turn(step, who)
    if order.action == "minor":
        step.emit(TurnSet(turn=turn.evolve(minor=True)))
    execute(step, who, order)


# Channel and release


def _may_stop(state: BeaconState, who: str) -> Refusal | None:
    if who not in state.channels:
        return Illegal(f"{who} channels nothing.", rule="BE-12", instead="channel, in CHANNEL.")
    return may_turn(state, who)


def _stop(step: BeaconStep, who: str, command: Command) -> None:
    open_turn(step, who)
    channel = step.state.channels.get(who)
    if channel is not None:
        step.emit(ChannelSet(who=who))
        step.tell("{who} stops channeling {ability}.", who=who, ability=channel.ability)


def _may_release_now(state: BeaconState, who: str) -> Refusal | None:
    if who not in state.channels:
        return Illegal(f"{who} channels nothing.", rule="BE-13", instead="channel, in CHANNEL.")
    if state.phase != RELEASE:
        return Illegal(
            f"RELEASE is a phase; this is {(state.phase or '').upper()}.", rule="BE-13", instead="Wait for RELEASE."
        )
    if state.combatant(who).has(SILENCED):
        return Illegal(f"{who} is SILENCED and cannot release.", rule="BE-13", instead="The channeling goes on.")
    refusal = blocked(state)
    if refusal is not None:
        return refusal
    if state.turn is not None:
        return Illegal(
            f"It is the turn of {shown_name(state, state.turn.who)}.", rule="BE-02", instead="After its end."
        )
    if not may_release(state, who):
        return Illegal(f"{who} goes on channeling in this round.", rule="BE-13", instead="In the next round.")
    if side_of(state.combatant(who)) != state.side:
        return Illegal("The other side has the next turn.", rule="BE-02", instead="After one of theirs.")
    return None


def _release_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    every = can_be_named(state, who, own=True)
    channel = state.channels.get(who)
    ability = None if channel is None else state.combatant(who).ability(channel.ability)
    if channel is None or ability is None:
        return ()
    far = spaces(ability, "range") if spaces(ability, "range") is not None else spaces(ability, "reach")
    attack = bool(attack_kinds(ability))
    near = tuple(name for name in every if within(state, who, name, far) and not (attack and name == who))
    target = target_param(near, every, many=True, required=False)
    if channel.round != state.round or not channel.may_move or state.board is None:
        return (target,)
    where = where_params(state, who, state.combatant(who).number("SPEED"), required=False)
    return (target, *(param for param in where if param.name == "to"))


def _release(step: BeaconStep, who: str, command: Command) -> None:
    state = step.state
    channel = state.channels[who]
    ability = state.combatant(who).ability(channel.ability)
    targets = split(command.target)
    moves = command.to is not None
    if moves and (channel.round != state.round or not channel.may_move):
        why = "it was channeled in an earlier round" if channel.round != state.round else "they have moved already"
        raise Illegal(f"{who} cannot move with this release: {why}.", rule="BE-13", instead="Leave to out.")
    if ability is not None and not moves:
        far = spaces(ability, "range") if spaces(ability, "range") is not None else spaces(ability, "reach")
        for name in targets:
            if not within(state, who, name, far):
                raise Illegal(f"{name} is farther than {far} spaces.", rule="BE-13", instead="Another target.")
    if ability is not None and attack_kinds(ability) and who in targets:
        raise Illegal("Nobody attacks themselves.", rule="BE-13", instead="Another target.")
    step.emit(SideSet(side=other(side_of(state.combatant(who)))))
    step.emit(StackSet(stack=(*state.stack, Unleash(who=who, ability=channel.ability, targets=targets))))
    if moves:
        declare_move(step, who, command.to, None, step.combatant(who).number("SPEED"), rule="BE-13")


# Delay and Ready


def _delay(step: BeaconStep, who: str, command: Command) -> None:
    order = written(step.state, who, command).evolve(note=command.note)
    if order.action in ("release", "delay", "ready", "minor", "free"):
        raise Illegal(
            f"Delay cannot take {order.action}.",
            rule="BE-06",
            instead="The standard actions of phases 1 to 7 but Release.",
        )
    _require_whole(step.state, who, order)
    refusal = phase_allows(step.state, who, order, late=True) or refuse(step.state, who, order)
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
    if order.action in ("full-attack", "refresh") and order.choice is None:
        raise Malformed(f"Say what {order.action} is, after a colon.", instead="full-attack:volley:Bow, shove:prone.")


def _ready_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    found = order_params(state, who, command, late=False)
    kept = tuple(
        param.evolve(required=False) if param.name == "target" else param
        for param in found
        if param.name in ("using", "target")
    )
    return (Param(name="note", label="trigger"), *kept)


def _ready(step: BeaconStep, who: str, command: Command) -> None:
    order = written(step.state, who, command)
    if order.action in ("channel", "release", "delay", "ready", "free", "full-attack", "refresh"):
        rule = "BE-12" if order.action == "channel" else "BE-19"
        raise Illegal(
            f"{order.action} cannot be readied.", rule=rule, instead="An action of this phase, or minor:NAME."
        )
    refusal = phase_allows(step.state, who, order, late=True) or refuse(step.state, who, order)
    if refusal is not None:
        raise refusal
    use_standard(step, who)
    trigger = " ".join((command.note or "").split())[:200]
    step.emit(ReadySet(who=who, ready=Ready(trigger=trigger, order=order, since=step.state.events)))
    step.tell("{who} readies an action. Trigger: {trigger}", who=who, trigger=trigger)


def _may_drop(state: BeaconState, who: str) -> Refusal | None:
    if who in state.readied:
        return None
    return Illegal(f"{who} has nothing readied.", rule="BE-19", instead="ready, as a standard action.")


def _drop(step: BeaconStep, who: str, command: Command) -> None:
    step.emit(ReadySet(who=who))
    step.tell("{who} gives the readied action up.", who=who)


# Surge and rest


def _may_surge(state: BeaconState, who: str) -> Refusal | None:
    if any(question.who == who and question.about == "surge" for question in state.questions):
        return None
    if not is_beacon(state.combatant(who)):
        return Illegal("Only beacons surge.", rule="BE-08", instead="TURNS gives an NPC more turns.")
    if not state.taken.get(who, 0):
        return Illegal(f"{who} has not taken the first turn of this round.", rule="BE-08", instead="Act first.")
    if state.surges.get(who) == "done":
        return Illegal(f"{who} has surged this round.", rule="BE-08", instead="Next round.")
    if state.options.get("surge") == "restricted" and who in state.surged:
        return Illegal(f"{who} has surged in this scene.", rule="BE-09", instead="In the next encounter.")
    if state.turn is not None and state.turn.who == who:
        return Illegal(f"{who}'s turn goes on.", rule="BE-08", instead="end, then the referee asks.")
    return Illegal(f"{who} has answered about surging.", rule="BE-08", instead="Next round.")


def _surge_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    return (Param(name="note", label="phase or no", choices=(*surge_phases(state), "no"), free=True),)


def _surge(step: BeaconStep, who: str, command: Command) -> None:
    possible = (*surge_phases(step.state), "no")
    phase = parse_phase(command.note, possible)
    if phase not in possible:
        raise Illegal(f"{phase.upper()} has passed.", rule="BE-08", instead=f"Possible: {shown(possible)}.")
    step.close(*(each for each in step.state.questions if each.who == who and each.about == "surge"))
    step.emit(SurgeSet(who=who, phase=phase))
    words = "{who} will not surge." if phase == "no" else "{who} will surge in {phase}."
    step.tell(words, who=who, phase=None if phase == "no" else phase.upper())


def _may_rest(state: BeaconState, who: str) -> Refusal | None:
    if not is_beacon(state.combatant(who)):
        return Illegal("Only beacons have a surge level.", rule="BE-08")
    if state.turn is not None and state.turn.who == who:
        return Illegal(f"{who} is taking a turn.", rule="BE-08", instead="end, then rest.")
    return blocked(state)


def _rest(step: BeaconStep, who: str, command: Command) -> None:
    step.emit(LevelSet(who=who, level=0))
    step.tell("{who} takes a Long Rest: surge level 0.", who=who)


# Parameters of the standard actions


def _targets_of(action: str) -> Callable[[BeaconState, str], tuple[Param, ...]]:
    return lambda state, who: target_params(state, who, Order(action=action))


def _search_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    target = target_param(in_scope(state, who), can_be_named(state, who))
    using: tuple[str, ...] = ("reveal", "learn")
    found = None if command.target is None else find_name(command.target, can_be_named(state, who))
    if found is not None and not state.combatant(found).has(HIDDEN):
        using = ("learn",)
    return (target, Param(name="using", label="reveal or learn", choices=using, universe=("reveal", "learn")))


def _refresh_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    using = Param(name="using", label="two choices", choices=refresh_choices(state, who), free=True)
    if command.using is None:
        others = can_be_named(state, who)
        return (
            using,
            target_param(others, others, required=False),
            Param(name="note", label="condition", choices=(), free=True, required=False),
        )
    order = Order(action="refresh", choice=command.using.casefold().strip(), targets=split(command.target))
    return (using, *target_params(state, who, order))


def _full_params(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    using = Param(name="using", label="Slow ability, or two attacks", choices=full_choices(state, who), free=True)
    if command.using is None:
        others = can_be_named(state, who, own=True)
        return (using, target_param(others, others, many=True, required=False))
    return (using, *target_params(state, who, Order(action="full-attack", choice=command.using)))


def _channel_params(state: BeaconState, who: str) -> tuple[Param, ...]:
    every = tuple(ability.name for ability in state.combatant(who).abilities)
    return (Param(name="using", label="ability", choices=channelable(state, who), universe=every),)


def _with(
    action: str, narrow: Callable[[BeaconState, str, Command], tuple[Param, ...]]
) -> Callable[[BeaconState, str], tuple[Param, ...]]:
    return lambda state, who: narrow(state, who, Command(action=action))


def _late(state: BeaconState, who: str, command: Command) -> tuple[Param, ...]:
    return order_params(state, who, command, late=True)


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
    ) -> Action[BeaconState]:
        if params is None:
            params = _nothing if narrow is None else _with(action, narrow)
        return Action(
            id=action,
            label=label,
            do=do,
            may=standard_may(action),
            takes=takes,
            params=params,
            narrow=narrow,
            usual=usual,
        )

    every: tuple[Takes, ...] = ("using", "target", "to", "amount", "note")
    return (
        standard("defend", "Defend", usual=2),
        standard("refresh", "Refresh", ("using", "target", "note"), narrow=_refresh_params, usual=3),
        standard("channel", "Channel", ("using",), params=_channel_params, usual=2),
        standard("mark", "Mark", ("target",), params=_targets_of("mark"), usual=4),
        standard("search", "Search", ("target", "using"), narrow=_search_params, usual=5),
        standard("volley", "Volley", ("target", "using"), narrow=attack_params, usual=2),
        standard("rush", "Rush", ("using", "to", "amount"), narrow=rush_params, usual=2),
        standard("hide", "Hide", usual=3),
        standard("fight", "Fight", ("target", "using"), narrow=attack_params, usual=2),
        standard("shove", "Shove", ("target", "using", "to"), narrow=shove_params, usual=4),
        standard("grapple", "Grapple", ("target",), params=_targets_of("grapple"), usual=5),
        standard("full-attack", "Full Attack", ("using", "target"), narrow=_full_params, usual=2),
        standard("delay", "Delay", every, narrow=_late, usual=2, do=_delay),
        standard("ability", "Ability", ("using", "target", "to"), narrow=abilities_params, usual=3),
        standard("ready", "Ready", ("note", "using", "target"), narrow=_ready_params, usual=6, do=_ready),
        Action(
            id="move",
            label="Move",
            do=_move,
            may=_may_move,
            takes=("to", "amount"),
            params=lambda state, who: where_params(state, who, state.combatant(who).number("SPEED")),
            usual=1,
        ),
        Action(
            id="minor",
            label="Minor action",
            do=_minor,
            may=_may_minor,
            takes=("using", "target", "to"),
            params=_with("minor", abilities_params),
            narrow=abilities_params,
        ),
        Action(
            id="free",
            label="Free action",
            do=_minor,
            may=may_turn,
            takes=("using", "target", "to"),
            params=_with("free", abilities_params),
            narrow=abilities_params,
        ),
        Action(
            id="release",
            label="Release",
            do=_release,
            may=_may_release_now,
            takes=("target", "to"),
            params=_release_params,
            usual=1,
        ),
        Action(id="stop-channel", label="Stop channeling", do=_stop, may=_may_stop),
        Action(id="begin", label="Begin the turn", do=_begin, may=_may_begin_now, usual=1),
        Action(id="end", label="End the turn", do=_end, may=_may_end, usual=7),
        Action(id="pass-phase", label="Pass", do=_pass, may=_may_pass, usual=8),
        Action(id="plan", label="Plan", do=_plan, may=_may_plan, takes=("note",), params=_plan_params, usual=9),
        Action(id="drop-ready", label="Give up the readied action", do=_drop, may=_may_drop),
        Action(
            id="surge",
            label="Surge",
            do=_surge,
            may=_may_surge,
            takes=("note",),
            params=_surge_params,
            usual=1,
            answer=True,
        ),
        Action(id="long-rest", label="Long Rest", do=_rest, may=_may_rest),
    )
