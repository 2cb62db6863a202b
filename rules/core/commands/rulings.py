"""What the GM does by hand: whatever the rules refuse. Rule: G-01."""

from __future__ import annotations

from typing import Any

from rules.core import hiding, refusals
from rules.core.blows.correct import WHAT, correct
from rules.core.blows.todo import AGAIN, NEVER, done
from rules.core.command import Command
from rules.core.commands.acting import act
from rules.core.commands.boards import place_on
from rules.core.commands.decks import rule_cards
from rules.core.commands.health import damage, heal
from rules.core.commands.naming import named, target, targets
from rules.core.commands.rights import Role
from rules.core.commands.setting import set_value
from rules.core.commands.spec import ACTOR, ACTORS, ONE, SEVERAL, CommandSpec, Given
from rules.core.registry import system_of
from rules.core.several import several
from rules.core.space.cells import parse_cell
from rules.core.step import GM_ONLY, Step
from rules.core.turns.absence import come_back, miss
from rules.core.typed.names import find_name, parse_name, resolve_name, shown
from rules.core.values import Note
from rules.errors import Illegal, Malformed

EVERYBODY = "all"  # who `/gm skip` names so: nobody else reacts, go on
WAYS = ("draw", "give", "take", "discard")


def move(step: Step[Any], command: Command) -> None:
    """Put a combatant on a cell that the system allows; it provokes nothing, and no wall is in its way."""
    place_on(step, target(step, command.target), parse_cell(command.to or ""))


def turn(step: Step[Any], command: Command) -> None:
    """Give somebody the turn now, and say which one that is. Args: extra (one besides the order)."""
    _running(step)
    who = target(step, command.target)
    if step.state.hidden_named(who) is None:
        if step.state.is_absent(who):
            come_back(step, who)
        system, extra = system_of(step.state), command.flag("extra")
        which = "this round's turn now" if not system.is_done(step.state, who) else "another turn: this round's is over"
        which = "an extra turn, which does not count as one of theirs" if extra else which
        step.tell("The GM gives {who} {which}.", who=who, which=which)
        system.by_hand.turn(step, who, extra)
    else:
        hiding.open_turn(step, who)


def skip(step: Step[Any], command: Command) -> None:
    """Go on without somebody for the round; without a name, who the table waits for; `all`: nobody else reacts."""
    _running(step)
    system = system_of(step.state)
    if (command.target or "").strip().casefold() == EVERYBODY and step.state.questions:
        _go_on(step)
        return
    stopped = next((hidden.name for hidden in step.state.hidden if hidden.stops), None)
    if command.target is None and stopped is not None:
        whom: tuple[str, ...] = (stopped,)
    elif command.target is None:
        waiting = system.waits_for(step.state)
        if len(waiting) != 1:
            raise Malformed("Say who to skip with the option target.", instead=f"Waiting: {shown(waiting)}.")
        whom = waiting
    else:
        names = tuple(dict.fromkeys((*system.actors(step.state), *step.state.visible_names(step.seat))))
        whom = several(step.state, command.target, names, "combatant")
    done, refused = 0, None
    for who in named(step, whom):
        if step.table.active is None or step.state.status != "running":
            break
        try:
            _skip_one(step, who)
            done += 1
        except Illegal as no:  # the others can be skipped anyway
            refused = no
            if len(whom) > 1:
                step.tell("{reason}", reason=no.reason, seen_by=GM_ONLY)
    if refused is not None and not done:
        raise refused


def _skip_one(step: Step[Any], who: str) -> None:
    if step.state.hidden_named(who) is not None:
        hiding.finish(step, who)
    else:
        state = step.state
        own = state.find(who) is None or state.combatant(who).owner is None
        number = None if own and state.question_to(who) is not None else state.round  # the GM's own pass that alone
        _skip_now(step, who)
        if number is not None and step.table.active is not None:
            miss(step, who, number)


def _skip_now(step: Step[Any], who: str) -> None:
    """End what the table waits for somebody for now, if it does."""
    state = step.state
    system = system_of(state)
    if state.question_to(who) is not None:
        _skip_answer(step, who)
    elif who in system.turn(state) or state.over is not None:
        system.by_hand.skip(step, who)
    elif state.is_absent(who) or system.is_done(state, who):
        raise Illegal(f"{who} has no turn left to skip in this round.", rule="G-01", instead="Give one with /gm turn.")
    else:
        step.tell("The GM goes on without {who} this round.", who=who)


def _go_on(step: Step[Any]) -> None:
    """Let the latest event pass for all who have not answered. What is theirs alone stays asked. Rule: G-01."""
    state = step.state
    latest = state.questions[-1]
    asked = [question for question in state.questions if latest.window and question.window == latest.window] or [latest]
    open_still = [question for question in asked if not question.answered]
    default_answer = {each.id: system_of(state).actions.default_command(state, each) for each in open_still}
    theirs = [each for each in open_still if default_answer[each.id] is None]
    if len(theirs) == len(open_still):
        names = shown(each.who for each in theirs)
        choices = shown(dict.fromkeys(choice for question in theirs for choice in question.choices))
        raise Illegal(
            f"Only {names} can choose that: {choices}.", rule="G-01", instead="Give that answer with /gm answer."
        )
    step.tell("There is nobody else, so the GM goes on.")
    actions = system_of(state).actions
    passed = [each for each in asked if each.sealed is None and actions.can_pass(each)]
    step.close(*passed)  # what others have sealed still counts, and nobody is asked again about it
    for each in open_still:
        command = default_answer[each.id]
        if command is not None and any(held.id == each.id for held in step.state.questions):
            act(step, command)


def _skip_answer(step: Step[Any], who: str) -> None:
    """Give the mildest answer for somebody. What is theirs alone, such as a life, is never skipped away."""
    state = step.state
    question = state.question_to(who)
    assert question is not None  # noqa: S101 - the caller looked
    default_answer = system_of(state).actions.default_command(state, question)
    if default_answer is None:
        choices = shown(question.choices)
        raise Illegal(
            f"{who} has a question to answer: {choices}.", rule="G-01", instead="Give that answer with /gm answer."
        )
    if not question.window:  # of several, nobody learns who has answered
        step.tell("The GM lets it pass for {who}.", who=who)
    act(step, default_answer)


def next_phase(step: Step[Any], command: Command) -> None:
    """Go on to the next phase or round."""
    _running(step)
    system_of(step.state).by_hand.next_phase(step)


def order(step: Step[Any], command: Command) -> None:
    """Put combatants into an order. Args: names."""
    names = several(step.state, command.text("names") or "", step.state.names, "combatant")
    system_of(step.state).by_hand.order(step, names)


def choose(step: Step[Any], command: Command) -> None:
    """Decide what the rules leave to the GM. Args: what, value."""
    system = system_of(step.state)
    what, value = command.text("what") or "", command.text("value") or ""
    left = {each.what: each for each in system.left_to_gm}
    if find_name(what, left) is None and find_name(value, left) is not None:
        what, value = value, what
    named = find_name(what, left)
    if named is None or not left[named].is_ahead:
        _running(step)
    if not left:
        raise system.cannot(f"choose {what[:40]}", "set")
    left[resolve_name(what, tuple(left), "thing to choose")].choose(step, value)


def effect(step: Step[Any], command: Command) -> None:
    """Put an effect on somebody. Args: creator, name, bearer, duration, ritual."""
    system = system_of(step.state)
    actors = tuple(dict.fromkeys((*system.actors(step.state), *step.state.names)))
    creator = resolve_name(command.text("creator") or "", actors, "creator")
    bearers = several(step.state, command.text("bearer") or "", step.state.names, "bearer")
    duration = command.number("duration") or 0
    if duration < 1:
        raise Malformed("A duration has to be a whole number from 1.", instead="For example duration:3.")
    name = parse_name(command.text("name") or "", "effect's name")
    for bearer in bearers:
        system.by_hand.effect(step, creator, name, bearer, duration, command.flag("ritual"))


def aware(step: Step[Any], command: Command) -> None:
    """Say who notices who. Args: who, of, yes."""
    system = system_of(step.state)
    names = step.state.names
    for who in several(step.state, command.text("who") or "", names, "combatant"):
        for of in several(step.state, command.text("of") or "", names, "combatant"):
            system.by_hand.aware(step, who, of, command.args.get("yes") is not False)


def trigger(step: Step[Any], command: Command) -> None:
    """Declare an event that others may react to."""
    _running(step)
    system_of(step.state).by_hand.trigger(step, command.note or "")


def note(step: Step[Any], command: Command) -> None:
    """Keep a note on somebody, for the GMs, or for the owner too. Args: text, show."""
    step.secret = True
    whom = targets(step, command.target)
    text = (command.text("text") or "")[:500]
    if not text:
        raise Malformed("A note needs a text.")
    to_owner = resolve_name(command.text("show") or "gm", ("gm", "owner"), "reader") == "owner"
    for who in whom:
        combatant = step.combatant(who)
        owner = combatant.owner
        step.change_combatant(who, notes=(*combatant.notes, Note(text=text, owner_sees=to_owner)))
        seen_by = ("gm", owner) if to_owner and owner is not None else ("gm",)
        step.tell("Note on {who}: {text}", who=who, text=text, seen_by=seen_by)


def cards(step: Step[Any], command: Command) -> None:
    """Move somebody's cards by hand. Args: who (a user id), do, cards, count, to."""
    do = resolve_name(command.text("do") or "", WAYS, "way to move cards")
    user = command.text("who") or ""
    active = step.table.active
    own = None if active is None else system_of(active).own_hands
    (rule_cards if own is None else own.move)(step, user, do, command)


def _running(step: Step[Any]) -> None:
    if step.state.status != "running":
        raise refusals.not_begun()


COMMAND_SPECS = (
    CommandSpec(
        "gm set",
        set_value,
        Role.GM,
        "Set a pool, a sheet field, initiative, group, side, owner or a mark",
        (
            SEVERAL,
            Given(
                "pool",
                "What to set: HP, temporary HP, AC, Tonic uses, initiative, side, owner, mark:NAME",
                required=True,
                names="settable",
            ),
            Given("value", "To which value: 12, 12/20, a name, off", required=True, names="values_to_set"),
        ),
    ),
    CommandSpec(
        "gm damage",
        damage,
        Role.PLAYER,  # your own
        "Take away health; temporary points go first",
        (
            SEVERAL,
            Given("amount", "A number, or dice such as 2d6+1", required=True),
            Given("type", "What kind of damage"),
            Given("half", "Which of them take half", among="target", many=True),
        ),
    ),
    CommandSpec(
        "gm heal",
        heal,
        Role.PLAYER,  # your own
        "Give health back, up to the maximum",
        (
            SEVERAL,
            Given("amount", "A number, or dice such as 2d6+1", required=True),
            Given("type", "What kind of healing"),
            Given("half", "Which of them get half", among="target", many=True),
        ),
    ),
    CommandSpec(
        "gm correct",
        correct,
        Role.GM,
        "Correct the last blow: what it did is taken back, and the dice stay",
        (
            Given("what", "What was wrong", required=True, choices=WHAT),
            Given(
                "value",
                "advantage, disadvantage or none; a number; miss, hit, critical, or how a check of your kit ends",
            ),
            Given("target", "Against which target, if it had several", names="combatants", many=True),
        ),
    ),
    CommandSpec(
        "gm done",
        done,
        Role.GM,
        "Tick off what I left for you to settle",
        (
            Given("what", "Which line; all of them if left out", names="todo"),
            Given("ask", "Whether I go on asking about its sentence", choices=(NEVER, AGAIN)),
        ),
    ),
    CommandSpec(
        "gm move",
        move,
        Role.GM,
        "Put somebody on a cell of the board; this provokes nothing",
        (ONE, Given("to", "A cell, such as C4", required=True, names="free_cells")),
    ),
    CommandSpec(
        "gm turn",
        turn,
        Role.GM,
        "Give somebody the turn now",
        (ACTOR, Given("extra", "An extra turn, which takes nothing from their own", "flag")),
    ),
    CommandSpec("gm skip", skip, Role.GM, "Go on without somebody for this round", (ACTORS,)),
    CommandSpec("gm next-phase", next_phase, Role.GM, "Go on to the next phase or round"),
    CommandSpec(
        "gm order",
        order,
        Role.GM,
        "Put combatants into a different order",
        (Given("names", "The new order, separated by commas", required=True, names="combatants", many=True),),
    ),
    CommandSpec(
        "gm choose",
        choose,
        Role.GM,
        "Decide what the rules leave to the GM",
        (
            Given("what", "What to decide", required=True, names="things_to_choose"),
            Given("value", "How", required=True, names="values_to_choose"),
        ),
    ),
    CommandSpec(
        "gm effect",
        effect,
        Role.GM,
        "Put an effect on somebody",
        (
            Given("creator", "Who made it", required=True, names="creators"),
            Given("name", "What it is called", required=True, names="conditions"),
            Given("bearer", "On who; separate several with commas", required=True, names="combatants", many=True),
            Given("duration", "How long, in the creator's turns", "number", required=True),
            Given("ritual", "It is a ritual", "flag"),
        ),
    ),
    CommandSpec(
        "gm aware",
        aware,
        Role.GM,
        "Say who notices who",
        (
            Given("who", "Who; separate several with commas", required=True, names="combatants", many=True),
            Given("of", "Who they notice; separate several with commas", required=True, names="combatants", many=True),
            Given("yes", "Aware, or not", "flag", required=True),
        ),
    ),
    CommandSpec(
        "gm trigger",
        trigger,
        Role.GM,
        "Declare an event that others may react to",
        (Given("note", "What happens", required=True),),
    ),
    CommandSpec(
        "gm cards",
        cards,
        Role.GM,
        "Move somebody's cards as a ruling",
        (
            Given("who", "Whose hand", "person", required=True),
            Given("do", "draw, give, take or discard", required=True, choices=WAYS),
            Given(
                "cards", "Which cards, separated by commas; 2x for copies", names="their_cards", many=True, copies=True
            ),
            Given("count", "How many, for draw", "number", least=1, most=100),
            Given("to", "Who gets them, for give", "person", key="to_user"),
        ),
    ),
    CommandSpec(
        "gm note",
        note,
        Role.GM,
        "Keep a private note on somebody",
        (
            Given("target", "On who; separate several with commas", required=True, names="combatants", many=True),
            Given("text", "What to remember", required=True),
            Given("show", "gm (the default), or owner too", choices=("gm", "owner")),
        ),
    ),
)
