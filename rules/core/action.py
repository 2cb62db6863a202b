"""Actions: what may be done now, and doing it. One declaration serves offers, refusals and decisions.

`may` answers whether an actor may do the action at all; `params` lists what it takes and what each may be;
`do` decides it. Offers are derived from `may` and `params`, and `perform` goes through the same two before
`do`, so that what is offered and what is accepted cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rules.core import refusals
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.model import without
from rules.core.offer import TAKEN, Offer, Param, Prospect, Takes, check_number, check_words, needs, possible
from rules.core.rulebook import rulebook
from rules.core.several import names_area, several
from rules.core.sheets.forms import meant as meant_word
from rules.core.step import Step
from rules.core.typed.names import find_name, resolve_name, shown
from rules.core.typed.skeleton import same
from rules.core.values import Combatant, Plays, Question, Seat
from rules.errors import Ambiguous, Illegal, Malformed, Refusal, Theirs

S = TypeVar("S", bound=Encounter)
QUESTION = "question"  # marks the command that makes a sealed answer count: the question's number
DECIDED = "decided"  # marks what a GM does for the one whose turn it is, because they said so or were asked


def _nothing(_state: Encounter, _who: str, _command: Command | None) -> tuple[Param, ...]:
    return ()


def _no_more(_step: Step[Any], _who: str, _command: Command) -> None:
    """Do nothing more than to close what asks."""


def freely(_state: Encounter, _who: str) -> Refusal | None:
    """Let an action be done whenever what it takes is there."""
    return None


def _foregone(_state: Encounter, _who: str, _command: Command) -> Prospect:
    return _NO_MORE_TO_SAY


_NO_MORE_TO_SAY = Prospect()


def _never(_state: Encounter, _who: str) -> bool:
    return False


def always(_state: Encounter, _who: str) -> bool:
    """Let an action go beside every question."""
    return True


def plainly_ahead(_state: Encounter, _who: str) -> tuple[Param, ...]:
    """Let an answer that takes nothing be given before anybody asks."""
    return ()


def _not_ahead(_state: Encounter, _who: str) -> None:
    """Let the menu offer no answer before anybody asks."""


def _always_meant(_state: Encounter, _question: Question, _command: Command) -> bool:
    """Let an answer go to the newest question that lists it."""
    return True


def plainly(_state: Encounter, _who: str) -> Mapping[str, str]:
    """Give a mild answer that takes nothing."""
    return {}


@dataclass(frozen=True, slots=True)
class Action(Generic[S]):
    """One action of a system, by its id in the ledger. `Told.action` makes one of a function that asks."""

    id: str
    label: str
    do: Callable[[Step[S], str, Command], None] = field(default=_no_more)
    may: Callable[[S, str], Refusal | None] = field(default=freely)  # why somebody may not do it now
    public_may: Callable[[S, str], Refusal | None] | None = None  # the same in public terms, if `may` looks at secrets
    takes: tuple[Takes, ...] = ()
    # What it takes in the light of what a command says already, or (None) as a menu asks for it.
    params: Callable[[S, str, Command | None], tuple[Param, ...]] = field(default=_nothing)
    # What there is to say of it, with all that it takes, before it is done.
    prospect: Callable[[S, str, Command], Prospect] = field(default=_foregone)

    # Its button
    button_rank: int = 0  # 1 first; 0: only on the private panel
    # Its words with all that it takes: `Fuse {cards} on {using}[ for {target}]`. A part in brackets goes if something
    # in it is not given.
    words: str | Callable[[S, str], str] = ""
    label_now: Callable[[S, str], str] | None = None  # its label of the moment
    player_wide: bool = False  # it belongs to a player and not to a character
    is_one_entry: bool = False  # what it takes is chosen behind its one entry: all together would crowd a menu
    on_prompt: bool = False  # it has a button for those whose turn it is not
    # It takes public things alone: if there is nothing to choose, it is not offered in public terms either.
    is_open: bool = False
    # It is paid or played from a secret hand, or kept as a secret plan: people who may not know that are neither
    # offered it nor told why it would fail; one sentence refuses it (G-04).
    from_hand: bool = False
    harms: bool = False  # its targets would not wish it: an ally among them is asked about first

    # When
    ends: bool = False  # it does nothing but end the turn
    claims: bool = False  # it begins a turn that must be claimed, or a part of one: an order does that by itself
    keeps: bool = False  # it ends the turn for now, and what was not used comes again
    off_turn: bool = False  # it can never be done in your own turn
    before: bool = False  # it may be done before the first round, too
    beside: Callable[[S, str], bool] = field(default=_never)  # it need not wait while a question is open

    # Answers. `may` need not look at who is asked; if it refuses, it says better why nobody asks.
    answer: bool = False  # legal only while a question lists it, and never ordered in advance
    unasked: bool = False  # legal by itself, too
    rule: str | None = None  # says who is asked
    passes: bool = False  # lets pass what asks; `do` keeps what is said with it (how far it goes), and tells nothing
    # It does the least, and a skip and a timer give it: what it takes then (None: just now only they may give it).
    default_answer: Callable[[S, str], Mapping[str, str] | None] | None = None
    # What it takes before anybody asks (None: the menu does not offer it so); a default answer lets pass for longer.
    ahead: Callable[[S, str], tuple[Param, ...] | None] = field(default=_not_ahead)
    is_meant: Callable[[S, Question, Command], bool] = field(default=_always_meant)  # of several questions to one

    # Of several who could, the one who is meant, if the state or the command tells.
    infer_actor: Callable[[S, tuple[str, ...], Command], str | None] | None = None

    @property
    def lets_pass(self) -> bool:
        """Tell whether it lets an event pass, for longer too. To wait on when asked to act now lets nothing pass."""
        return self.passes and self.ahead is not _not_ahead

    @property
    def pattern(self) -> str:
        """Return the words of its button if they hang on nobody's state."""
        return self.words if isinstance(self.words, str) else ""


class Actions(Generic[S]):
    """A system's actions: the one list that says what is legal (G-07).

    `no_actions` says what does what people look for here and is no action of this system.
    """

    def __init__(
        self,
        actions: Sequence[Action[S]],
        actors: Callable[[S], tuple[str, ...]],
        no_actions: Mapping[str, str] | None = None,
        opens: Callable[[S, str], bool] = lambda _state, _who: True,
    ) -> None:
        self.all = tuple(actions)
        self.no_actions = no_actions or {}
        self._opens = opens
        self.by_id = {action.id: action for action in actions}
        self._actors = actors
        self.claims = tuple(action.id for action in actions if action.claims)

    def offers(self, state: S, who: str, *, public: bool = False) -> tuple[Offer, ...]:
        """Return what this actor may do now; in public terms if `public` is set."""
        found = (self._offer(action, state, who, public=public) for action in self.all)
        return tuple(offer for offer in found if offer is not None)

    def is_legal(self, state: S, who: str, action_id: str, *, public: bool = False) -> bool:
        """Tell whether an offer has that id for the actor; in public terms if `public` is set."""
        return self.offer(state, who, action_id, public=public) is not None

    def offer(self, state: S, who: str, action_id: str, *, public: bool = False) -> Offer | None:
        """Return the actor's offer with that id; None if there is none."""
        return self._offer(self.by_id[action_id], state, who, public=public)

    def _offer(self, action: Action[S], state: S, who: str, *, public: bool) -> Offer | None:
        if self.refusal(state, who, action, public=public) is not None:
            return None
        is_seen = not public or (action.is_open and self._opens(state, who))
        params = action.params(state, who, None) if is_seen else ()
        if any(param.required and param.choices == () for param in params):
            return None
        return Offer(
            action=action.id,
            who=who,
            label=action.label if action.label_now is None else action.label_now(state, who),
            params=() if public else params,
            button_rank=action.button_rank,
            player_wide=action.player_wide,
            words="" if isinstance(action.words, str) or not is_seen else action.words(state, who),
        )

    def refuse_unknown(self, step: Step[S], action: Action[S], who: str) -> None:
        """Refuse what comes from a hand to those who may not know it, all hands alike. Raises: Illegal."""
        if action.from_hand and not self._knows(step, who):
            raise rulebook(step.state).unknown(step.state, who)

    def refusal(self, state: S, who: str, action: Action[S], *, public: bool = False) -> Refusal | None:
        """Return why somebody may not do an action now: not asked, others are asked first, or the system's reason."""
        if state.questions or (action.answer and not action.unasked):
            why = self._order_of_questions(state, who, action)
            if why is not None:
                return why
        may = action.public_may if public and action.public_may is not None else action.may
        return may(state, who)

    def _order_of_questions(self, state: S, who: str, action: Action[S]) -> Refusal | None:
        if state.question_to(who, action.id) is not None:
            return None
        if action.answer and not action.unasked:
            return action.may(state, who) or Illegal(
                f"Nobody is asking {who} for {action.label} now.",
                rule=action.rule,
                instead="The prompt shows who is asked for what.",
            )
        before = state.held_up(who)
        if not before or action.beside(state, who):
            return None
        first = before[0]
        asked = dict.fromkeys(_name_for_all(state, question.who) for question in before)
        return Illegal(
            f"The table waits for an answer from {shown(asked)}.",
            rule=self.by_id[first.choices[0]].rule,
            instead=f"Answer that first: {' or '.join(first.choices)}.",
        )

    def default_command(self, state: S, question: Question) -> Command | None:
        """Return the answer that does the least; None if it is theirs alone."""
        for choice in question.choices:
            default_answer = self.by_id[choice].default_answer
            if default_answer is not None:
                given = default_answer(state, question.who)
                return None if given is None else Command(action=choice, character=question.who, **given)
        return None

    def params_given(self, state: S, who: str, command: Command) -> tuple[Param, ...]:
        """Return what the command's action takes, in the light of what the command says already."""
        return self.by_id[command.action].params(state, who, command)

    def find(self, text: str) -> Action[S]:
        """Return the action of that id, unique beginning or label, as buttons have it. Raises: Malformed, Ambiguous."""
        word = text.strip().replace(" ", "-")
        try:
            return self.by_id[resolve_name(word, tuple(self.by_id), "action")]
        except Malformed as unknown:
            labelled = [action for action in self.all if action.label.casefold().replace(" ", "-") == word.casefold()]
            if len(labelled) == 1:
                return labelled[0]
            advice = self.no_actions.get(text.strip().casefold())
            if advice is None:
                raise
            raise Malformed(unknown.reason, instead=advice) from None

    def perform(
        self, step: Step[S], command: Command, plays: Callable[[str, Seat], Plays] = lambda _who, _seat: Plays.OWN
    ) -> str:
        """Find the actor, check the action and what it takes, and decide it; return the actor.

        Raises: Refusal; the step is to be thrown away then.
        """
        action = self.find(command.action)
        who = self._actor(step, action, command, plays)
        if step.seat.user is not None and plays(who, step.seat) is Plays.AS_GM:
            step.decided_for.append(who)
        self.refuse_unknown(step, action, who)
        refusal = self.refusal(step.state, who, action)
        if refusal is not None:
            raise refusal
        checked = self._checked(step, action, who, command)
        question = _meant(step.state, who, action, checked)
        step.answered = question
        if action.passes:
            step.let_pass(step.question)
            action.do(step, who, checked)
            return who
        if question is not None:
            if not self.counts_now(step.state, question):
                step.seal(question, checked.evolve(character=who), action.label, action.pattern)
                return who
            step.close(question)
        action.do(step, who, checked)
        if question is not None and question.place:
            step.counted.append(question)
        return who

    def named(self, step: Step[S], command: Command, plays: Callable[[str, Seat], Plays]) -> Command:
        """Read a power's name in the place of the action that uses it. Raises: Malformed with what is possible now."""
        try:
            self.find(command.action)
        except Malformed as unknown:
            if command.action.strip().casefold() in self.no_actions:
                raise
            offers = self._offers_to(step, command, plays)
            word = command.action.strip()
            uses = _uses(offers, word)
            if len(uses) == 1 and command.using is None:
                [(action, using)] = uses
                return command.evolve(action=action, using=using)
            if uses:
                ways = " or ".join(f"action:{action} using:{using}" for action, using in uses)
                raise refusals.no_action(word[:40], instead=f"{ways}.") from None
            legal = tuple(dict.fromkeys(offer.action for offer in offers))
            if not legal:
                raise
            near = meant_word(word.replace(" ", "-"), tuple(self.by_id))
            now = f"Possible now: {shown(legal, 20)}."
            raise Malformed(unknown.reason, instead=f"{near} {now}".strip(), remedies=unknown.remedies) from None
        return command

    def using(self, state: S, who: str, word: str) -> tuple[str, str] | None:
        """Return the action that an ability's name means, whenever it may be done, and the name; None if none."""
        found: list[tuple[str, str]] = []
        for action in self.all:
            params = action.params(state, who, None) if "using" in action.takes and not action.answer else ()
            for param in params:
                names = (param.nameable or param.choices or ()) if param.name == "using" else ()
                found.extend((action.id, name) for name in names if is_called(name, word))
        return found[0] if len(found) == 1 else None

    def _offers_to(self, step: Step[S], command: Command, plays: Callable[[str, Seat], Plays]) -> tuple[Offer, ...]:
        """Return what somebody may do now with their own, or else with those they act for; as far as they may know."""
        state = step.state
        ranks = {who: plays(who, step.seat) for who in self._actors(state) if step.state.hidden_named(who) is None}
        named = None if command.character is None else find_name(command.character, tuple(ranks))
        best = max(ranks.values(), default=Plays.NOT)
        return tuple(
            offer
            for who, rank in ranks.items()
            if rank and (who == named if named is not None else rank is best)
            for offer in self.offers(state, who, public=not self._knows(step, who))
        )

    def counts_now(self, state: S, question: Question) -> bool:
        """Tell whether an answer counts as it is given; else it is sealed until its place comes."""
        if not question.place:
            return True
        inside = any(each.window > question.window for each in state.questions)  # that event comes first
        return not inside and state.has_place(question) and rulebook(state).kind_of(question).may_count(state, question)

    def can_pass(self, question: Question) -> bool:
        """Tell whether a question can be let pass: unless somebody reacts, who is asked again then."""
        return any(self.by_id[choice].passes for choice in question.choices)

    def _actor(self, step: Step[S], action: Action[S], command: Command, plays: Callable[[str, Seat], Plays]) -> str:
        state = step.state
        hidden = frozenset() if step.seat.gm else state.hidden_names
        actors = tuple(actor for actor in self._actors(state) if actor not in hidden)
        if command.character is not None:
            who = resolve_name(command.character, actors, "character")
            if not plays(who, step.seat):
                raise refusals.not_yours(who, "Only its player, their stand-in or the GM can act with it.")
            return who
        ranks = {actor: plays(actor, step.seat) for actor in actors}
        mine = [actor for actor, rank in ranks.items() if rank is Plays.OWN]
        others = [actor for actor, rank in ranks.items() if rank is Plays.AS_GM]
        if not mine and not others:
            raise refusals.no_character()
        for group in (mine, others):
            able = [actor for actor in group if self._could(step, action, actor)]
            able = [actor for actor in able if _is_asked(state, actor, action.id)] or able
            meant = able[0] if len(able) == 1 or (able and action.player_wide) else None
            if meant is None and able and action.infer_actor is not None:
                meant = action.infer_actor(state, tuple(able), command)
            if meant is not None and group is others and step.seat.user is not None and not command.flag(DECIDED):
                self.refuse_unknown(step, action, meant)
                raise Theirs(meant, state.player_of(meant), action.label)
            if meant is not None:
                return meant
            if able:
                raise Ambiguous(
                    f"Several could {action.label.lower()}.",
                    candidates=tuple(able),
                    instead=f"Add character: and one of {shown(able)}.",
                    remedies=(action.id,),
                )
        # Nobody may: the refusal of the one whose turn is nearest says why.
        return next((actor for actor in mine if self.offers(state, actor)), (mine or others)[0])

    def _could(self, step: Step[S], action: Action[S], who: str) -> bool:
        """Tell whether an actor could be meant, as far as the typist may know."""
        return self.is_legal(step.state, who, action.id, public=action.from_hand and not self._knows(step, who))

    def _knows(self, step: Step[S], who: str) -> bool:
        return rulebook(step.state).knows(step.state, who, step.seat)

    def _left_out(self, action: Action[S], param: Param) -> Malformed:
        if param.unsaid:
            first = f" {param.name}:{param.choices[0]}, or choose others" if param.choices else f" {param.name}"
            return Malformed(
                param.unsaid, rule=param.rule, instead=f"Type it again with{first}.", remedies=(action.id,)
            )
        if param.choices == ():
            what = param.label or param.name
            return Malformed(
                f"{action.label}: there is no {what} to choose right now.",
                rule=param.rule,
                instead="/turn shows what you can do.",
            )
        return Malformed(needs(action.label, param), rule=param.rule, instead=possible(param), remedies=(action.id,))

    def _checked(self, step: Step[S], action: Action[S], who: str, command: Command) -> Command:
        given_so_far = command.evolve(action=action.id)
        params = {param.name: param for param in self.params_given(step.state, who, given_so_far)}
        changes: dict[str, str | int] = {}
        for name in TAKEN:
            given = getattr(command, name)
            param = params.get(name)
            if given is None or given == "":
                if param is not None and param.required:
                    raise self._left_out(action, param)
                continue
            if name not in action.takes:
                taken = shown(action.takes) or "nothing more"
                raise Malformed(f"{action.label} does not take {name}.", instead=f"It takes {taken}.")
            if param is None:
                continue
            if name == "amount":
                check_number(action.label, param, int(given))
            elif name == "note" and param.most is not None:
                check_words(action.label, param, len(str(given).split()))
            elif param.nameable is not None or (not param.free and param.choices is not None):
                among = param.nameable if param.nameable is not None else param.choices or ()
                what, is_list = param.label or name, param.many or param.free
                if is_list:
                    found = several(step.state, given, among, what, rule=param.rule)
                else:
                    found = (_one(action.label, given, among, what, param.rule),)
                if who not in (param.choices or ()) and names_area(given):  # of their own burst they are not meant
                    found = without(found, who) or found
                changes[name] = ", ".join(found)
        return command.evolve(**changes) if changes else command


def _one(label: str, given: str, among: Sequence[str], what: str, rule: str | None) -> str:
    """Return which one a text means. Raises: Malformed, Illegal if it names more."""
    parts = [found for part in given.split(",") if (found := find_name(part, among)) is not None]
    if len(parts) > 1 and find_name(given, among) is None:
        raise Illegal(
            f"{label} takes one {what} here, not {len(parts)}.", rule=rule, instead=f"Name one of {shown(parts)}."
        )
    return resolve_name(given, among, what)


def _uses(offers: Sequence[Offer], word: str) -> tuple[tuple[str, str], ...]:
    """Return the actions that take something of that name, each with its name as it is written."""
    found = [
        (offer.action, choice)
        for offer in offers
        for param in offer.params
        if param.name == "using"
        for choice in param.choices or ()
        if is_called(choice, word)
    ]
    return tuple(dict.fromkeys(found))


def is_called(name: str, word: str) -> bool:
    """Tell whether a word in the place of an action is that name, hyphens for blanks or not."""
    return same(name, word) or same(name, word.replace("-", " "))


def _meant(state: S, who: str, action: Action[S], command: Command) -> Question | None:
    """Return the question that an action answers: the one whose sealed answer it is, else the newest that it means."""
    number = command.number(QUESTION)
    if number is None:
        return state.question_to(who, action.id, lambda question: action.is_meant(state, question, command))
    return next((each for each in state.questions if each.id == number and each.who == who), None)


def _is_asked(state: Encounter, who: str, answer: str) -> bool:
    """Tell whether somebody has still to answer, and could so."""
    question = state.question_to(who, answer)
    return question is not None and not question.answered


def _name_for_all(state: Encounter, who: str) -> str:
    """Return a name for everybody: a hidden combatant, or the GM deciding, is just the GM."""
    combatant = state.find(who)
    return "the GM" if combatant is None or combatant.hidden else who


def plays(combatant: Combatant, seat: Seat) -> Plays:
    """Tell how a seat plays a combatant; a GM's own are those without an owner. Rule: G-03."""
    if seat.owns(combatant) or (combatant.owner is None and seat.gm):
        return Plays.OWN
    return Plays.AS_GM if seat.gm else Plays.NOT
