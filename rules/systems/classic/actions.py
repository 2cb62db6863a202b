"""The actions of a classic encounter: `next`, `delay`, `back`, `ready`, `use-ready`, `react`, `interrupt`."""

from __future__ import annotations

from collections.abc import Callable

from rules.core import refusals
from rules.core.action import Action, always, plainly
from rules.core.blow import Answer
from rules.core.blows.answered import respond, useful
from rules.core.blows.limits import spend
from rules.core.blows.todo import leave_to_gm, leave_whole
from rules.core.command import Command
from rules.core.model import without
from rules.core.offer import Param
from rules.core.turns import delays
from rules.core.typed.input import note_of
from rules.core.typed.names import find_name, resolve_name, shown
from rules.core.values import Question
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.classic import turns
from rules.systems.classic.abilities import deed_of, limit_of
from rules.systems.classic.attacks import blow_actions, using
from rules.systems.classic.order import Classic, is_joker, sharing
from rules.systems.classic.state import ClassicState


def living(may: Callable[[ClassicState, str], Refusal | None]) -> Callable[[ClassicState, str], Refusal | None]:
    """Refuse the dead before anything else is asked. Rule: CL-08."""

    def checked(state: ClassicState, who: str) -> Refusal | None:
        if turns.is_out(state, who):
            return turns.refusal(state, who)
        return may(state, who)

    return checked


def _own_turn(state: ClassicState, who: str) -> Refusal | None:
    if who in state.current:
        return None
    return refusals.not_turn(who, rule="CL-03", instead=f"It is {state.whose_turn} turn; the prompt will name you.")


def candidates_next(state: ClassicState, who: str) -> tuple[str, ...]:
    """Return who `next` may name in popcorn: who has not acted, or anybody once all have. Rule: CL-09."""
    return turns.left_to_act(state) or tuple(
        name for name in state.order if name not in state.delayed and not turns.is_out(state, name)
    )


def _next_params(state: ClassicState, who: str) -> tuple[Param, ...]:
    # An interrupted turn goes on by itself.
    if state.options.get("by") != "popcorn" or state.interrupted:
        return ()
    choices = candidates_next(state, who)
    if not choices:
        return ()
    return (Param(name="target", label="who goes next", choices=choices, required=len(choices) > 1, free=True),)


def _delay_params(state: ClassicState, who: str) -> tuple[Param, ...]:
    """Return until when somebody delays; in popcorn who goes next, if anybody is left. Rule: CL-05, CL-09."""
    if state.options.get("by") == "popcorn":
        return _next_params(state, who) if turns.left_to_act(state) else ()
    return (delays.when_param(state, turns.left_to_act(state), "until", "CL-05"),)


def _named_next(step: Classic, who: str, named: str | None) -> str | None:
    """Return who goes next in popcorn: the one named, or the only one who can. Rule: CL-09."""
    state = step.state
    if state.interrupted:
        if named is not None:
            raise Illegal(
                "The turn that the joker interrupted goes on next.", rule="CL-10", instead="Leave out target."
            )
        return None
    possible = candidates_next(state, who)
    if named is None:
        return (possible or (None,))[0]
    follower = resolve_name(named, state.names, "combatant")
    if follower not in possible:
        out = turns.out_words(state, follower) if turns.is_out(state, follower) else None
        why = out or ("delays" if follower in state.delayed else None)
        raise Illegal(
            f"{follower} {why or 'has acted this round'}.",
            rule="CL-09",
            instead=f"Still to act: {shown(possible)}." if possible else "Leave out target.",
        )
    return follower


def _follower(step: Classic, who: str, command: Command) -> str | None:
    """Return who goes next where one names them, as popcorn does; None elsewhere. Raises: Malformed. Rule: CL-09."""
    if step.option("by") == "popcorn":
        return _named_next(step, who, command.target)
    if command.target is not None:
        raise Malformed(
            "Only in popcorn initiative do you name who goes next.", rule="CL-09", instead="Leave out target."
        )
    return None


def _next(step: Classic, who: str, command: Command) -> None:
    follower = _follower(step, who, command)
    turns.end_turn_of(step, who)
    _pass_on(step, follower)


def _pass_on(step: Classic, follower: str | None) -> None:
    """Let the one who was named go next, or the next in the order."""
    if follower is not None and not step.state.current and not step.state.interrupted:
        turns.pass_to(step, follower)
    else:
        turns.advance(step)


def _delay(step: Classic, who: str, command: Command) -> None:
    popcorn = step.option("by") == "popcorn"
    follower = _follower(step, who, command)
    note = command.note or ""
    if note and popcorn:
        raise Malformed(
            "In popcorn initiative you name the next one when you delay.", rule="CL-09", instead="Leave out note."
        )
    state = step.state
    step.change(
        delayed_in={**state.delayed_in, who: state.round},
        current=without(state.current, who),
        extra=None if state.extra == who else state.extra,
    )
    delays.put_off(step, who, note, "{who} delays and can come back after any turn.")
    _pass_on(step, follower)


def _may_back(state: ClassicState, who: str) -> Refusal | None:
    if who in state.delayed:
        return None
    return refusals.not_delayed(who, rule="CL-05", instead="Leave the order with delay, on your own turn.")


def _back(step: Classic, who: str, command: Command) -> None:
    state = step.state
    others = without(state.order, who)
    places = [others.index(name) for name in state.current if name in others]
    acts_now = who in state.ripe and places and state.is_fresh
    at = min(places) if acts_now else max(places, default=-1) + 1
    turns.come_back(step, who, at)
    if acts_now:
        step.tell("{who} is back and acts now, before {whose} turn.", who=who, whose=state.whose_turn)
        turns.give_turn(step, (who,), aside=state.current)
        return
    if not step.state.current and not step.state.interrupted:
        step.tell("{who} is back and acts now.", who=who)
        turns.give_turn(step, (who,))
        return
    present = step.state.whose_turn
    step.tell("{who} is back and acts after {whose} turn.", who=who, whose=present)


def _ready_params(state: ClassicState, who: str) -> tuple[Param, ...]:
    return (Param(name="note", label="trigger and action"),)


def _ended(words: str) -> str:
    """Return the words as the end of a sentence."""
    return words if words.endswith(("!", "?", "…", ".")) else f"{words}."


def _ready(step: Classic, who: str, command: Command) -> None:
    words = note_of(command)
    if not words:
        raise Malformed("Say the trigger and the action with the option note.", rule="CL-05")
    step.change(readied={**step.state.readied, who: words})
    turns.use_turn(step, who)
    step.tell("{who} readies: {words}", who=who, words=_ended(words))


def _may_use_ready(state: ClassicState, who: str) -> Refusal | None:
    if who in state.readied:
        return None
    return Illegal(f"{who} has no readied action.", rule="CL-05", instead="Ready one with ready, on your own turn.")


def _use_ready(step: Classic, who: str, command: Command) -> None:
    readied = dict(step.state.readied)
    words = readied.pop(who)
    step.change(readied=readied)
    step.tell("{who} uses the readied action: {words}", who=who, words=_ended(words))


def _may_react(state: ClassicState, who: str) -> Refusal | None:
    """Refuse who has spent the reaction; what a blow asks may need none, or be a friend's. Rule: CL-08."""
    is_spent = turns.REACTION in state.combatant(who).marks and state.question_to(who, "react") is None
    return _spent(who) if is_spent else None


def _spent(who: str) -> Refusal:
    return Illegal(f"{who} has already reacted.", rule="CL-08", instead="It comes back when your turn starts.")


def _react_params(state: ClassicState, who: str) -> tuple[Param, ...]:
    """Return what a button asks for: the words, unless a blow asks; no button spends a reaction on nothing."""
    params = _react_narrow(state, who, Command(action="react"))
    return params if len(params) > 1 else tuple(param.evolve(required=True) for param in params)


def _react_narrow(state: ClassicState, who: str, _command: Command) -> tuple[Param, ...]:
    """Return with what somebody answers a blow, if one asks them. Rule: CL-08."""
    note = Param(name="note", label="what", required=False)
    asked = state.question_to(who, "react")
    if asked is None:
        return (note,)
    names = tuple(useful(state, asked))
    own = tuple(ability.name for ability in state.combatant(who).abilities)
    return (using(names, (*names, *(name for name in own if name not in names))), note) if names else (note,)


def _react(step: Classic, who: str, command: Command) -> None:
    """React in words, or answer a blow that asks with an ability of the sheet. Rule: CL-08."""
    asked = step.answered
    found = {} if asked is None else useful(step.state, asked)
    if asked is not None and (found or command.using is not None):
        name = find_name(command.using or next(iter(found), ""), tuple(found))
        if name is None:
            now = f"Possible: {shown(found)}." if found else "To let it pass, use decline."
            raise Illegal("That would change nothing now.", rule="CL-08", instead=now)
        _answer(step, asked, found[name])
        return
    if turns.REACTION in step.combatant(who).marks:
        raise _spent(who)
    step.set_mark(who, turns.REACTION, "spent")
    combatant = step.combatant(who)
    ability = combatant.ability(find_name(command.using or "", [each.name for each in combatant.abilities]) or "")
    words = note_of(command) or command.using
    step.tell("{who} reacts" + (": {words}" if words else "."), who=who, words=_ended(words) if words else None)
    if ability is not None and deed_of(ability).answer is not None:
        leave_whole(step, who, ability)  # no blow is open that it would change
    elif ability is not None:
        leave_to_gm(step, who, ability.name)


def _answer(step: Classic, asked: Question, answer: Answer) -> None:
    """Answer a blow with an ability, and pay for it. Rule: CL-08."""
    who, response = answer.who, answer.response
    respond(step, asked, answer)
    spend(step, who, answer.ability, limit_of(step.combatant(who), answer.ability), "CL-08")
    if response.reacts:
        step.set_mark(who, turns.REACTION, "spent")


def _may_interrupt(state: ClassicState, who: str) -> Refusal | None:
    if not is_joker(state, who):
        return Illegal(f"{who} has no joker.", rule="CL-10", instead="Wait for your place in the order.")
    if who in (*state.acted, *state.current, *state.set_aside):
        return refusals.had_turn(who, rule="CL-10")
    if who in state.delayed:
        return Illegal(f"{who} delays.", rule="CL-05", instead="Return to the order first, with back.")
    return None


def _interrupt(step: Classic, who: str, command: Command) -> None:
    step.tell("{who} plays the joker and acts now.", who=who)
    mates = sharing(step.state, who, turns.left_to_act(step.state))  # CL-07: a place has one turn
    turns.give_turn(step, mates, aside=step.state.current)


def classic_actions() -> tuple[Action[ClassicState], ...]:
    """Return the actions in the order in which they are offered. The dead have none."""
    own_turn = living(_own_turn)
    return (
        *blow_actions(own_turn),
        Action(
            id="next",
            label="End turn",
            do=_next,
            may=own_turn,
            takes=("target",),
            params=_next_params,
            button_rank=2,
            player_wide=True,
            ends=True,
            words="{label}[, then {target}]",
        ),
        Action(
            id="delay",
            label="Delay",
            do=_delay,
            may=own_turn,
            takes=("target", "note"),
            params=_delay_params,
            words="{label}[, then {target}][: {note}]",
            is_open=True,
            button_rank=4,
            ends=True,
            keeps=True,
        ),
        Action(
            id="ready",
            label="Ready",
            do=_ready,
            may=own_turn,
            takes=("note",),
            params=_ready_params,
            button_rank=5,
        ),
        Action(
            id="back",
            label="Come back",
            do=_back,
            may=living(_may_back),
            button_rank=6,
            answer=True,
            unasked=True,
            rule="CL-05",
            off_turn=True,
        ),
        delays.wait_on("CL-05", button_rank=7),
        Action(
            id="use-ready",
            label="Use the readied action",
            do=_use_ready,
            may=living(_may_use_ready),
            button_rank=7,
            off_turn=True,
        ),
        Action(
            id="react",
            label="React",
            do=_react,
            may=living(_may_react),
            takes=("using", "note"),
            params=_react_params,
            narrow=_react_narrow,
            words="{label}[ with {using}][: {note}]",
        ),
        Action(
            id="decline", label="Let it pass", do=None, answer=True, rule="CL-08", default_answer=plainly, button_rank=8
        ),
        Action(
            id="interrupt",
            label="Act now (joker)",
            do=_interrupt,
            may=living(_may_interrupt),
            button_rank=8,
            off_turn=True,
            beside=always,
        ),
    )
