"""A table for tests: people who type commands, dice that are written down beforehand, random play.

A scripted die of the wrong size, a missing one, or one left over fails the test.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.waiting.waits import wanted
from data.deltas import apply_delta, both_ways
from rules.core.command import Command
from rules.core.commands import Decision, decide
from rules.core.encounter import Encounter, Table
from rules.core.model import Frozen
from rules.core.offer import Offer, Param
from rules.core.registry import load_encounter, system_of
from rules.core.seen.lines import plain
from rules.core.step import Step
from rules.core.turns.decisions import is_turn
from rules.core.turns.questions import counting, due_answer
from rules.core.values import Plays, Question, Seat
from rules.core.views.whole import WholeAction, public_actions, ways_of, whole_actions
from rules.core.views.whole import command_for as meant
from rules.dice.source import Dice, SeededFaces
from rules.dice.source import Faces as FaceSource
from rules.errors import Refusal
from tests.dice.script import ScriptedFaces
from tests.rules.passed import passing

Faces = Sequence[tuple[int, int]]
TIMER = Seat(gm=True)  # as the tables give a timer
FIELDS = frozenset(Command.model_fields) - {"args", "action"}
OF_THE_SHEET = (".character", ".sheet")  # they keep the name of what was saved


class Game:
    """One channel. `people` are names; the first one is the GM who starts the encounter.

    The numbers of the GM's creatures are open (`npc_pools=exact`) unless the options say else.
    """

    def __init__(
        self, system: str = "classic", options: str = "", people: Iterable[str] = ("Gwen", "Ana", "Bo")
    ) -> None:
        names = tuple(people)
        self.gm = names[0]
        self.users = {name: str(100 + number) for number, name in enumerate(names)}
        self.table = Table(channel="1")
        self.number = 0
        self.decisions: list[Decision] = []
        self.passed: list[Table] = []  # what the last command made of the table, one change after another
        given = options if "npc_pools" in options else ", ".join(filter(None, ("npc_pools=exact", options)))
        self.do(self.gm, "encounter start", system=system, id="77", options=given)

    @property
    def state(self) -> Any:
        assert isinstance(self.table.encounter, Encounter)
        return self.table.encounter

    def seat(self, name: str, *, moderator: bool = False) -> Seat:
        user = self.users[name]
        encounter = self.table.encounter
        gm = name == self.gm if encounter is None else user in encounter.gms
        return Seat(user=user, name=name, gm=gm, moderator=moderator)

    def command(self, action: str, **given: Any) -> Command:
        fields = {
            key: value
            for key, value in given.items()
            if key in FIELDS and not (key == "amount" and isinstance(value, str))
        }
        args = {key: value for key, value in given.items() if key not in fields}
        if "rolls" in args:  # the option `dice` of a command; here `dice` are the faces that fall
            args["dice"] = args.pop("rolls")
        return Command(action=action, **fields, args=args)

    def do(self, by: str, action: str, *, dice: Faces | None = None, seed: bytes = b"s" * 32, **given: Any) -> Decision:
        """Do a command that must be accepted. `dice` None: seeded faces; else exactly these (sides, face)."""
        self.number += 1
        self.passed = []
        faces = SeededFaces(seed, str(self.number)) if dice is None else ScriptedFaces(dice)
        first = self._decided(self.command(action, **given), self.seat(by), faces)
        decisions = [first]
        while (due := due_answer(self.table)) is not None:  # what was sealed counts in steps of its own
            decisions.append(self._counted(due, faces if isinstance(faces, ScriptedFaces) else None, seed))
        if isinstance(faces, ScriptedFaces):
            assert faces.leftover() == (), f"dice left over: {faces.leftover()}"
        lines = tuple(line for each in decisions for line in each.lines)
        self.decisions.append(replace(first, table=self.table, lines=lines))
        return self.decisions[-1]

    def _counted(self, due: Question, faces: ScriptedFaces | None, seed: bytes) -> Decision:
        assert due.sealed is not None
        sealed = due.sealed
        by = next((name for name, user in self.users.items() if user == sealed.by), None)
        seat = Seat(gm=True) if by is None else self.seat(by)
        return self._decided(counting(due), seat, faces or SeededFaces(seed, sealed.interaction))

    def _decided(self, command: Command, seat: Seat, faces: FaceSource) -> Decision:
        before = self.table
        held = before.encounter
        shelf = {held.id: held} if isinstance(held, Encounter) else {}  # a paused one may be resumed
        with passing() as tables:
            decision = decide(before, command, seat, Dice(faces), shelf=shelf, interaction=str(self.number))
        assert tables[-1] is decision.table
        self.passed.extend(tables)
        self.table = decision.table
        return decision

    def decided(
        self, command: Command, seat: Seat = TIMER, *, dice: Faces | None = None, falling: FaceSource | None = None
    ) -> Decision:
        """Do a command as it is, in the name of any seat: a timer's, if no other is named. `falling` are any dice."""
        self.number += 1
        self.passed = []
        faces = falling or (SeededFaces(b"t" * 32, str(self.number)) if dice is None else ScriptedFaces(dice))
        self.decisions.append(self._decided(command, seat, faces))
        return self.decisions[-1]

    def refused(self, by: str, action: str, *, rule: str | None = None, **given: Any) -> Refusal:
        """Do a command that must be refused (with that rule's id), and return the refusal."""
        before = self.table.model_dump_json()
        with pytest.raises(Refusal) as caught:
            decide(self.table, self.command(action, **given), self.seat(by), Dice(SeededFaces(b"r" * 32, "0")))
        assert self.table.model_dump_json() == before
        refusal = caught.value
        assert rule is None or refusal.rule == rule, f"{refusal.rule} instead of {rule}: {refusal}"
        return refusal

    def lines(self, reader: str | None = None) -> list[str]:
        """Return the last command's lines as that person reads them (the GM by default)."""
        seat = self.seat(reader or self.gm)
        return [text for text in (plain(line, seat) for line in self.decisions[-1].lines) if text is not None]

    def said(self, reader: str | None = None) -> str:
        return "\n".join(self.lines(reader))

    def legal(self, who: str) -> tuple[str, ...]:
        return tuple(offer.action for offer in system_of(self.state).offers(self.state, who))

    def waits_for(self) -> tuple[str, ...]:
        return system_of(self.state).waits_for(self.state)


def choose(param: Param, rng: random.Random) -> Any:
    """Return a value that the parameter says is possible."""
    if param.choices:
        if param.many:
            return ", ".join(rng.sample(param.choices, rng.randint(1, min(2, len(param.choices)))))
        return rng.choice(param.choices)
    if param.name == "amount":
        return rng.randint(param.least if param.least is not None else 1, param.most if param.most is not None else 3)
    if param.most is not None:
        return " ".join(["word"] * rng.randint(1, param.most))
    return rng.choice(("a word", "some more words"))


def command_for(offer: Offer, rng: random.Random, state: Encounter | None = None) -> Command:
    """Return a random command that the offer promises to be accepted; `state` lets a choice narrow the next."""
    command = Command(action=offer.action, character=offer.who)
    offered = [param.name for param in offer.params]
    looked_at: set[str] = set()
    while True:
        params = offer.params if state is None else system_of(state).actions.params_given(state, offer.who, command)
        names = dict.fromkeys((*offered, *(param.name for param in params)))
        name = next((each for each in names if each not in looked_at), None)
        if name is None:
            return command
        looked_at.add(name)
        param = next((each for each in params if each.name == name), None)
        if param is None or param.choices == () or not (param.required or rng.random() < 0.5):
            continue
        value = choose(param, rng)
        if value is not None:
            command = command.evolve(**{name: value})


def play_randomly(game: Game, *, seed: int, steps: int, go_on: Callable[[Game], None] | None = None) -> None:
    """Play random legal actions and try random illegal ones; check what must hold after each step.

    `go_on` is what a GM does before each step, if a table needs one to go on.

    Offers agree with decide both ways; the state survives JSON; undo and redo lead from document to document, byte
    for byte; the table never hangs:
    while the encounter runs and is not over, somebody can act or the GM can go on. Somebody who leaves is named by no
    question and no list, and nobody waits for them.
    """
    rng = random.Random(seed)
    for number in range(steps):
        if go_on is not None:
            go_on(game)
        state = game.state
        if state.status != "running" or state.over is not None:
            return
        system = system_of(state)
        actors = system.actors(state)
        legal = {who: system.offers(state, who) for who in actors}
        assert any(legal.values()), f"seed {seed}: nobody can act in {state.model_dump_json(exclude_defaults=True)}"
        waiting = system.waits_for(state)
        assert all(legal[who] for who in waiting), f"seed {seed}: {waiting} are waited for and cannot act"
        _try_illegal(game, legal, rng, seed)
        _try_mildest(game, waiting, rng, seed)
        _try_whole(game, waiting or actors, legal, random.Random(f"{seed} {number}"), seed)
        if number % 3 == 0:
            assert undeclared(state) == [], f"seed {seed}: these hold names and do not say so: {undeclared(state)}"
            _try_leaving(game, seed, number)
        if number % 5 == 1:
            _try_renaming(game, seed, number)
        who = rng.choice([who for who in (waiting or actors) if legal[who]] or [who for who in actors if legal[who]])
        if rng.random() < 0.15:
            who = rng.choice([who for who in actors if legal[who]])
        command = command_for(rng.choice(legal[who]), rng, state)
        _accepted(game, command, seed)
        again = load_encounter(game.state.model_dump(mode="json", exclude_defaults=True))
        assert again == game.state, f"seed {seed}: JSON changes the state"
        one, other = (held.model_dump_json(exclude_defaults=True).encode() for held in (state, game.state))
        back, forth = both_ways(one, other)
        assert (apply_delta(back, other), apply_delta(forth, one)) == (one, other), f"seed {seed}: undo or redo differs"


def _accepted(game: Game, command: Command, seed: int) -> None:
    given = {key: value for key, value in command.model_dump(exclude_defaults=True).items() if key != "action"}
    combatant = game.state.find(command.character or "")
    owner = None if combatant is None else combatant.owner
    try:  # no matter who plays it: a GM may do nothing with a hand that is not theirs to see (G-04)
        game.do(next((name for name, user in game.users.items() if user == owner), game.gm), command.action, **given)
    except Refusal as refusal:
        raise AssertionError(f"seed {seed}: {command!r} was offered and refused: {refusal}") from refusal


def _try_whole(
    game: Game, actors: Sequence[str], legal: Mapping[str, tuple[Offer, ...]], rng: random.Random, seed: int
) -> None:
    """A button of a whole action is accepted as it is, and anybody who presses it finds the same action."""
    who = rng.choice(list(actors))
    own = whole_actions(game.table, who, GM_OF_ALL)
    public = [whole for whole in public_actions(game.table, who) if whole.given]
    for whole in (*_some(own, rng), *_some(public, rng)):
        if not whole.is_whole:
            continue
        command = meant(whole.offer, whole.given)
        try:
            step = Step[Any](game.table, GM_OF_ALL, Dice(SeededFaces(b"w" * 32, str(rng.random()))))
            system_of(game.state).actions.perform(step, command, lambda _who, _seat: Plays.OWN)
        except Refusal as refusal:
            raise AssertionError(f"seed {seed}: {whole.label!r} ({command!r}) is refused: {refusal}") from refusal
        exact = next(offer for offer in legal[who] if offer.action == whole.offer.action)  # as its actor has it
        ways = [way for way in ways_of(game.table, exact) if way.digest == whole.digest]
        assert [way.given for way in ways] == [whole.given], f"seed {seed}: {whole.label!r} is not found again"


GM_OF_ALL = Seat(user="100", gm=True)


def _some(found: Sequence[WholeAction], rng: random.Random) -> list[WholeAction]:
    return rng.sample(found, min(len(found), 4))


def _try_mildest(game: Game, waiting: Iterable[str], rng: random.Random, seed: int) -> None:
    """What a reminder does for somebody is accepted, and what it was waited for is over: it is not done twice."""
    system = system_of(game.state)
    for who in waiting:
        command = system.timeout_action(game.state, who)
        if command is None:
            continue
        before = Table(channel="1", encounter=game.state)
        gm = Seat(user=game.users[game.gm], name=game.gm, gm=True)
        try:
            decision = decide(before, command, gm, Dice(SeededFaces(b"m" * 32, str(rng.random()))))
        except Refusal as refusal:
            raise AssertionError(
                f"seed {seed}: {command!r} is the mildest for {who} and refused: {refusal}"
            ) from refusal
        left = _owed(game.state, who) & _owed(decision.table.encounter, who)
        assert not left, f"seed {seed}: after {command!r}, {left} are still waited for"


def hangs(game: Game) -> str | None:
    """Say what waits for ever: a question to who is gone, or somebody who is waited for and cannot act."""
    state = game.state
    system = system_of(state)
    if state.status != "running" or state.over is not None or not state.names:
        return None
    actors = system.actors(state)
    gone = [question.who for question in state.questions if question.who not in actors]
    if gone:
        return f"{gone} are asked and gone"
    stuck = [who for who in system.waits_for(state) if not system.offers(state, who)]
    return f"{stuck} are waited for and cannot act" if stuck else None


def _try_leaving(game: Game, seed: int, step: int) -> None:
    """Those who leave, the first one asked above all, leave nothing behind that waits for them or names them."""
    before, done = game.table, len(game.decisions)
    asked = [question.who for question in game.state.questions if question.who in game.state.names]
    who = random.Random(f"{seed} {step}").choice(asked or game.state.names)
    game.do(game.gm, "gm remove", target=who)
    assert hangs(game) is None, f"seed {seed}: without {who}, {hangs(game)}"
    left = [path for path, name in names_in(game.state) if name == who]
    assert left == [], f"seed {seed}: {who} has left, and stands in {left}"
    game.table = before
    del game.decisions[done:]


def _try_renaming(game: Game, seed: int, step: int) -> None:
    """Somebody who is renamed goes on under the new name: the old one is nowhere, and nothing hangs."""
    before, done = game.table, len(game.decisions)
    asked = [question.who for question in game.state.questions if question.who in game.state.names]
    who = random.Random(f"{seed} {step} name").choice(asked or game.state.names)
    waiting = game.waits_for()
    game.do(game.gm, "gm rename", target=who, to="Renard")
    left = [path for path, name in names_in(game.state) if name == who and not path.endswith(OF_THE_SHEET)]
    assert left == [], f"seed {seed}: {who} is renamed, and stands in {left}"
    assert game.waits_for() == tuple("Renard" if name == who else name for name in waiting), f"seed {seed}"
    assert hangs(game) is None, f"seed {seed}: with {who} renamed, {hangs(game)}"
    game.table = before
    del game.decisions[done:]


CAST = (".combatants", ".hidden")  # those who leave are taken out of these with all that is theirs
# What keeps a name that is gone, each with its reason.
KEPT = {
    "source": "a duration goes on with the rounds, and says from whom it is",
    "sealed": "what names somebody gone is no longer legal as its place comes, and its giver is asked again",
    "orders": "an order for who is gone is cancelled with a word to its owner",
    "people": "persons, by their user ids",
    "sorted": "keys of effects in the order that was chosen, for as long as one turn starts or ends",
    "leavers": "whoever had acted and comes back in the same round does not act again",
    "data": "what an answer needs to know; a question whose cause is gone is void",
}


def names_in(value: object, path: str = "") -> Iterable[tuple[str, str]]:
    """Return every string of a state with its place, unless a name there may outlast its bearer."""
    if isinstance(value, Frozen):
        for field in type(value).model_fields:
            if field not in KEPT:
                yield from names_in(getattr(value, field), f"{path}.{field}")
    elif isinstance(value, Mapping):
        for key, inside in value.items():
            yield path, str(key)
            yield from names_in(inside, path)
    elif isinstance(value, tuple):
        for inside in value:
            yield from names_in(inside, path)
    elif isinstance(value, str):
        yield path, value


def undeclared(state: Encounter) -> list[str]:
    """Return the fields that hold a combatant's name without saying so (`Name`): nobody takes it out of them."""
    found: list[str] = []
    for who in state.names:
        left = state.without_name(who)
        found.extend(path for path, name in names_in(left) if name == who and not path.startswith(CAST))
    return found


def _owed(state: object, who: str) -> set[str]:
    """Name what somebody must do now: the innermost question that they have not answered, else their turn."""
    if not isinstance(state, Encounter):
        return set()
    asked = [f"q{question.id}" for question in state.questions if question.who == who and not question.answered]
    turns = [each.key for each in wanted(state) if each.who == who and is_turn(each.key)]
    return {*asked[-1:]} or {*turns}


def _try_illegal(game: Game, legal: dict[str, tuple[Offer, ...]], rng: random.Random, seed: int) -> None:
    system = system_of(game.state)
    who = rng.choice(list(legal))
    offered = {offer.action for offer in legal[who]}
    others = [action for action in system.actions.by_id if action not in offered]
    if others:
        action = rng.choice(others)
        refusal = game.refused(game.gm, action, character=who)
        assert str(refusal), f"seed {seed}: {action} was refused without a word"
