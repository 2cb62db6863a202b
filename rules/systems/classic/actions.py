"""The actions of a classic encounter: `next`, `delay`, `back`, `ready`, `use-ready`, `react`, `interrupt`."""

from __future__ import annotations

from collections.abc import Callable

from rules.core import refusals
from rules.core.action import Action, always, plainly
from rules.core.asking.ask import Effect
from rules.core.asking.told import Told
from rules.core.blow import Answer
from rules.core.blows.answered import respond, useful
from rules.core.blows.calling import call_actions
from rules.core.blows.limits import spend
from rules.core.blows.purses import pay
from rules.core.blows.react import changes_nothing
from rules.core.blows.todo import leave_to_gm, leave_whole
from rules.core.command import Command
from rules.core.conditions import add_condition
from rules.core.model import without
from rules.core.offer import Param
from rules.core.turns import delays
from rules.core.typed.names import find_name, shown
from rules.core.values import Condition, Question
from rules.errors import Illegal, Malformed, Refusal
from rules.systems.classic import turns
from rules.systems.classic.abilities import deed_of
from rules.systems.classic.attacks import ClassicAsk, ask_with, blow_actions
from rules.systems.classic.blows import ClassicBlows
from rules.systems.classic.order import Classic, is_joker, sharing
from rules.systems.classic.state import ClassicState


def living(may: Callable[[ClassicState, str], Refusal | None]) -> Callable[[ClassicState, str], Refusal | None]:
    """Refuse the dead, and the GM as nobody in particular, before anything else is asked. Rule: CL-08."""

    def checked(state: ClassicState, who: str) -> Refusal | None:
        if state.find(who) is None:
            return turns.own_turn(state, who)
        if turns.is_out(state, who):
            return turns.refusal(state, who)
        return may(state, who)

    return checked


def candidates_next(state: ClassicState, who: str) -> tuple[str, ...]:
    """Return who `next` may name in popcorn: who has not acted, or anybody once all have. Rule: CL-09."""
    return turns.left_to_act(state) or tuple(
        name for name in state.order if name not in state.delayed and not turns.is_out(state, name)
    )


def _follower(ask: ClassicAsk) -> str | None:
    """Ask who goes next, as popcorn does; None elsewhere, and if an interrupted turn goes on. Rule: CL-09."""
    state = ask.state
    is_named = state.options.get("by") == "popcorn"
    if not is_named or state.interrupted:
        ask.require(ask.text("target") is None, lambda: _no_follower(is_interrupted=is_named))
        return None
    possible = candidates_next(state, ask.who)
    return ask(
        "target",
        "who goes next",
        possible,
        nameable=state.names,
        why=lambda name: _cannot_follow(state, name, possible),
        required=len(possible) > 1,
        all_lead=True,
    ) or next(iter(possible), None)


def _no_follower(*, is_interrupted: bool) -> Refusal:
    if is_interrupted:
        return Illegal("The turn that the joker interrupted goes on next.", rule="CL-10", instead="Leave out target.")
    return Malformed("Only in popcorn initiative do you name who goes next.", rule="CL-09", instead="Leave out target.")


def _cannot_follow(state: ClassicState, who: str, possible: tuple[str, ...]) -> Refusal:
    out = turns.out_words(state, who) if turns.is_out(state, who) else None
    why = out or ("delays" if who in state.delayed else "has acted this round")
    instead = f"Still to act: {shown(possible)}." if possible else "Leave out target."
    return Illegal(f"{who} {why}.", rule="CL-09", instead=instead)


def _next(ask: ClassicAsk) -> Effect[ClassicState]:
    follower = _follower(ask)

    def end(step: Classic) -> None:
        turns.end_turn_of(step, ask.who)
        _pass_on(step, follower)

    return end


def _pass_on(step: Classic, follower: str | None) -> None:
    """Let the one who was named go next, or the next in the order."""
    if follower is not None and not step.state.current and not step.state.interrupted:
        turns.pass_to(step, follower)
    else:
        turns.advance(step)


def _delay(ask: ClassicAsk) -> Effect[ClassicState]:
    """Tell of a delay: until when, or in popcorn who goes next, if anybody is left. Rule: CL-05, CL-09."""
    who, note, left = ask.who, ask.text("note"), turns.left_to_act(ask.state)
    is_named = ask.state.options.get("by") == "popcorn"
    if is_named:
        why = "In popcorn initiative you name the next one when you delay."
        ask.require(not note, lambda: Malformed(why, rule="CL-09", instead="Leave out note."))
    else:
        ask.take(delays.when_param(ask.state, left, "until", "CL-05"))
    is_asked = left or not is_named or ask.text("target") is not None
    follower = _follower(ask) if is_asked else next(iter(candidates_next(ask.state, who)), None)

    def delay(step: Classic) -> None:
        state = step.state
        step.change(
            delayed_in={**state.delayed_in, who: state.round},
            current=without(state.current, who),
            extra=None if state.extra == who else state.extra,
        )
        delays.put_off(step, who, note, "{who} delays and can come back after any turn.")
        _pass_on(step, follower)

    return delay


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


def _ended(words: str) -> str:
    """Return the words as the end of a sentence."""
    return words if words.endswith(("!", "?", "…", ".")) else f"{words}."


def _ready(ask: ClassicAsk) -> Effect[ClassicState]:
    who, words = ask.who, ask.note("trigger and action", rule="CL-05")

    def ready(step: Classic) -> None:
        step.change(readied={**step.state.readied, who: words})
        turns.use_turn(step, who)
        step.tell("{who} readies: {words}", who=who, words=_ended(words))

    return ready


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
    """Refuse who has spent the reaction, unless a blow asks for what needs none, or for a friend's. Rule: CL-08."""
    refusal, asked = _seems_spent(state, who), state.question_to(who, "react")
    has_none = not ClassicBlows().has_reaction(state, who) and asked and not useful(state, asked)
    return refusal or (_spent(who) if has_none else None)


def _spent(who: str) -> Refusal:
    """Return why somebody without a reaction cannot react. Rule: CL-08."""
    why = "cannot react now, or has already done so"
    return Illegal(f"{who} {why}.", rule="CL-08", instead="It comes back when your turn starts.")


def _seems_spent(state: ClassicState, who: str) -> Refusal | None:
    """Refuse as far as all can see: they do not know what a creature of the GM could answer. Rule: CL-08."""
    return (
        _spent(who) if not ClassicBlows().has_reaction(state, who) and state.question_to(who, "react") is None else None
    )


def _react(ask: ClassicAsk) -> Effect[ClassicState]:
    """Tell of a reaction in words, or, if a blow asks, of the ability of the sheet that answers it. Rule: CL-08."""
    state, who = ask.state, ask.who
    asked = state.question_to(who, "react")
    names = () if asked is None else tuple(useful(state, asked))
    if names:
        own = (ability.name for ability in state.combatant(who).abilities)
        ask_with(ask, names, tuple(dict.fromkeys((*names, *own))), implies=True)
    words = ask.note("what", required=ask.in_menu and not names)  # no button spends a reaction on nothing
    using = ask.text("using")

    def react(step: Classic) -> None:
        asked = step.answered
        found = {} if asked is None else useful(step.state, asked)
        if asked is not None and (found or using is not None):
            name = find_name(using or next(iter(found), ""), tuple(found))
            if name is None:
                raise changes_nothing(found, "CL-08")
            _answer(step, asked, found[name])
            return
        step.set_mark(who, turns.REACTION, "spent")
        combatant = step.combatant(who)
        ability = combatant.ability(find_name(using or "", [each.name for each in combatant.abilities]) or "")
        what = words or using
        step.tell("{who} reacts" + (": {words}" if what else "."), who=who, words=_ended(what) if what else None)
        if ability is not None and deed_of(ability).answer is not None:
            leave_whole(step, who, ability)  # no blow is open that it would change
        elif ability is not None:
            leave_to_gm(step, who, ability.name)

    return react


def _react_ahead(state: ClassicState, who: str) -> tuple[Param, ...] | None:
    """Return with what somebody can say in advance that they answer a blow. Rule: CL-08."""
    names = tuple(each.name for each in state.combatant(who).abilities if deed_of(each).answer is not None)
    only = names[0] if len(names) == 1 else ""
    using = Param(name="using", label="with what", choices=names, required=not only, implied=only)
    return (using,) if names else None


def _answer(step: Classic, asked: Question, answer: Answer) -> None:
    """Answer a blow with an ability, and pay for it. Rule: CL-08."""
    who, response = answer.who, answer.response
    respond(step, asked, answer)
    leave_to_gm(step, who, answer.ability, (asked.who,))
    spend(step, who, step.combatant(who).ability(answer.ability))
    if response.costs:
        pay(step, who, response.pool, response.costs)
    if response.reacts:
        step.set_mark(who, turns.REACTION, "spent")
    if response.stays:
        higher = f"{response.against:+d} {ClassicBlows().target_number(step.state)}"
        add_condition(step, who, Condition(name=higher, source=who, left=1, ticks="bearer-start"))


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
    return (
        *blow_actions(),
        *call_actions(),
        Told("next", "End turn", _next, ("target",)).action(
            turns.own_turn,
            button_rank=2,
            player_wide=True,
            ends=True,
            words="{label}[, then {target}]",
        ),
        Told("delay", "Delay", _delay, ("target", "note")).action(
            turns.own_turn,
            words="{label}[, then {target}][: {note}]",
            is_open=True,
            is_one_entry=True,
            button_rank=4,
            ends=True,
            keeps=True,
        ),
        Told("ready", "Ready", _ready, ("note",)).action(turns.own_turn, button_rank=5),
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
            on_prompt=True,
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
        Told("react", "React", _react, ("using", "note")).action(
            living(_may_react),
            words="{label}[ with {using}][: {note}]",
            public_may=living(_seems_spent),
            ahead=_react_ahead,
        ),
        Action(
            id="decline",
            label="Let it pass",
            passes=True,
            answer=True,
            rule="CL-08",
            default_answer=plainly,
            button_rank=8,
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
