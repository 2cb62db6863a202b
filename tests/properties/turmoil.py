"""A table in any system at which anything may happen: joining, leaving, owners, sides, kinds, hidden ones, timers.

What holds whatever happens, after every step: everybody who was there when a part of the round began has had their
turn when it ends, and nobody two; nothing that was accepted is without effect; nobody acts or is waited for who is out;
no question names who is gone; the table goes on.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bot.table.carry_home import carried, is_lasting
from rules.core.command import Command
from rules.core.commands import Decision
from rules.core.commands.absence import SIT_OUT
from rules.core.commands.order_book import NUMBER
from rules.core.commands.standing_orders import ORDERED, due_order
from rules.core.encounter import Table
from rules.core.hiding import timeout_action
from rules.core.registry import system_of
from rules.core.sheets.sheet import Character
from rules.core.values import Combatant, Question, Seat
from rules.errors import Refusal
from rules.systems.adventurers.grid import tables_of
from rules.systems.stones.players import player_of
from tests.reminders.silence import PLAYERS, bring_in, document_of, table_of
from tests.rules.passed import encounters
from tests.rules.stones.scene import everything
from tests.rules.table import command_for, hangs

MOST_ORDERS = 40
TIMER = Seat(gm=True)
WHENS = ("my-turn", "if-asked", "this-turn", "this-round", "this-fight")


def _regains(before: Any, after: Any) -> Iterable[str]:
    gained = (who for who, count in after.extra.items() if count > before.extra.get(who, 0))
    return (*gained, *({after.given} - {before.given, None}))


def _fills(before: Any, after: Any) -> Iterable[str]:
    return (after.current,) if after.current not in (None, before.current) and (after.fills or after.extra) else ()


def _surges(before: Any, after: Any) -> Iterable[str]:
    """Name who surges, whom their side lets go by, and who lets their own turn go. Rule: BE-02, BE-08."""
    surging = (who for who, phase in after.surges.items() if before.surges.get(who) != phase)
    return (*surging, *(set(after.passed) - set(before.passed)), *(set(after.unreleased) - set(before.unreleased)))


# The people who get a turn beside their own by a rule, or are passed over; and the owner of a turn that is not the
# character's own.
GIVES_TURNS: Mapping[str, Callable[[Any, Any], Iterable[str]]] = {
    "adventurers": _regains,
    "beacon": _surges,
    "stones": _fills,
}
UNITS: Mapping[str, Callable[[Any, str], str]] = {"stones": player_of}
# What a system never loses or doubles.
KEEPS: Mapping[str, Callable[[Any], object]] = {"stones": everything}
# Rulings that set the turns of those they name, or of everybody, as the GM says.
OF_ONE = ("gm turn", "gm skip", "gm set", "gm damage", "gm remove", "gm order", "gm heal", "sit-out")
# Conditions and pools that end with a fight (AD-11, AD-28, AD-29, BE-26, SW-13, TA-15).
OF_ONE_FIGHT = {"Fled", "Out", "Helpless", "Defending", "GRAPPLED", "HIDDEN", "MARKED", *tables_of({}).ailments}
POOLS_OF_ONE_FIGHT = ("Major", "Minor")
OF_ALL = ("gm next-phase", "gm reveal")


class Turmoil:
    """Random play with everything that a table may do, and the turns of the present part of the round."""

    def __init__(self, system: str, seed: int, options: str = "") -> None:
        self.rng = random.Random(f"{system} {seed} {options}")
        self.game = table_of(system, options)
        self.system = system_of(self.game.state)
        self.number = 0
        self.done: set[str] = set()
        self.excused: set[str] = set()
        self.present: set[str] = set(self.game.state.names)
        self.gone: set[str] = set()
        self.rounds = 0
        self.told: list[str] = []
        self.kept = self._keeps()

    @property
    def is_over(self) -> bool:
        state = self.game.state
        return state.status != "running" or state.over is not None or not state.names

    def happens(self) -> str:
        """Let one thing happen, check what must hold, and say what it was."""
        before, kind = self.game.table, self.rng.random()
        self.number += 1
        try:
            if kind < 0.55:
                decision = self._plays()
            elif kind < 0.65:
                decision = self._passes_by_time()
            elif kind < 0.75:
                decision = self._comes_in()
            else:
                decision = self._rules()
        except Refusal as refusal:
            assert self.game.table == before, "what was refused changed something"
            return f"refused: {refusal}"
        if decision is None:
            return "nothing"
        self._hold(before, decision)
        what = self.told[-1]
        self._carry_out_orders()
        return what

    def _carry_out_orders(self) -> None:
        """Do what was ordered and is due, as the table service does it."""
        for _ in range(MOST_ORDERS):
            before, order = self.game.table, due_order(self.game.table)
            if order is None:
                return
            mark = {ORDERED: True, NUMBER: order.number}
            seat = self.game.seat(next(name for name, user in self.game.users.items() if user == order.by))
            self.told.append(f"{order.who}, as ordered: {order.command.action}")
            try:
                decision = self.game.decided(order.command.evolve(args={**order.command.args, **mark}), seat)
            except Refusal:
                drop = Command(action="order drop", character=order.who, args=mark)
                decision = self.game.decided(drop, TIMER)
            self._hold(before, decision)

    def next_fight(self) -> None:
        """End the encounter and begin another with the same characters: what they are is as it was."""
        self.game.table = self.game.table.evolve(encounter=self.game.state.evolve(over=None))
        before, options = self.game.state, self.game.state.options
        saved = dict(self.saved)
        self.game.do(self.game.gm, "encounter end")
        ended = self.game.state
        characters = [each.character for each in ended.combatants]  # one that was renamed may have come twice
        theirs = [
            each
            for each in ended.combatants
            if each.character and characters.count(each.character) == 1
            if each.owner == self.game.users[each.character]
        ]
        for each in theirs:
            left = carried(saved[each.character], each, self.system)
            saved[each.character] = self.system.carried(ended, each, left)
        self.game.do(self.game.gm, "encounter start", system=before.system, id="78", options=shown_options(options))
        for each in theirs:
            self.game.do(self.owner_of(each), "join", document=saved[each.character].model_dump(mode="json"))
            was, now = lasting(before.combatant(each.name)), lasting(self.game.state.combatants[-1])
            assert now == was, f"{each.name} was {was} before the end, and is {now} in the next fight"

    def owner_of(self, combatant: Combatant) -> str:
        return next(name for name, user in self.game.users.items() if user == combatant.owner)

    @property
    def saved(self) -> Mapping[str, Character]:
        """Return the saved characters as the players joined with them."""
        return {name: Character.model_validate(document_of(self.game, name, name)) for name in PLAYERS}

    # What happens

    def _do(self, by: str, action: str, **given: Any) -> Decision:
        self.told.append(f"{by}: {action} {given if 'document' not in given else given.get('name', '')}")
        return self.game.do(by, action, **given)

    def _plays(self) -> Decision | None:
        state, rng = self.game.state, self.rng
        legal = {who: self.system.offers(state, who) for who in self.system.actors(state)}
        acting = [who for who in legal if legal[who]]
        out = [who for who in acting if who in state.names and self.system.is_out(state, who)]
        assert not out, f"{out} are out and may act: {[offer.action for offer in legal[out[0]]]}"
        able = [who for who in self.system.waits_for(state) if legal.get(who)] or acting
        if not able:
            return self._passes_by_time()
        who = rng.choice(able if rng.random() < 0.9 else acting)
        command = command_for(rng.choice(legal[who]), rng, state)
        given = {key: value for key, value in command.model_dump(exclude_defaults=True).items() if key != "action"}
        try:
            return self._do(self._player(who), command.action, **given)
        except Refusal as refusal:
            raise AssertionError(f"{command!r} was offered and refused: {refusal}") from refusal

    def _player(self, who: str) -> str:
        found = self.game.state.find(who)
        owner = None if found is None else found.owner
        return next((name for name, user in self.game.users.items() if user == owner), self.game.gm)

    def _passes_by_time(self) -> Decision | None:
        """Let a deadline pass for somebody who is waited for, hidden or not."""
        state = self.game.state
        passed = {each.who for each in state.questions if each.answered}  # for these no deadline comes
        waiting = [who for who in self.system.waits_for(state) if who not in passed]
        if not waiting:
            return None
        who = self.rng.choice(waiting)
        if state.hidden_named(who) is not None:
            command = timeout_action(state, who)
            return None if command is None else self._do(self.game.gm, command.action, character=who)
        self.told.append(f"the time of {who} is over")
        return self.game.decided(Command(action=SIT_OUT, target=who), TIMER)

    def _comes_in(self) -> Decision | None:
        """Let somebody come late: a player who left, a creature, one that players do not know; or let that appear."""
        names, rng = [each.name for each in self.game.state.cast], self.rng
        lurking = [each.name for each in self.game.state.hidden]
        if lurking and rng.random() < 0.6:
            return self._do(self.game.gm, "gm reveal", target=rng.choice(lurking))
        away = [name for name in PLAYERS if name not in names]
        if away and rng.random() < 0.6:
            return self._enters(rng.choice(away), owned=True)
        return self._enters(f"Late {self.number}", hidden=rng.random() < 0.4) if len(names) < 9 else None

    def _enters(self, name: str, *, owned: bool = False, hidden: bool = False) -> Decision:
        self.told.append(f"{name} comes in{', hidden' if hidden else ''}")
        bring_in(self.game, name, owner=name if owned else None, hidden=hidden)
        return self.game.decisions[-1]

    def _rules(self) -> Decision:
        rng, state = self.rng, self.game.state
        who, other = rng.choice(state.names), rng.choice(state.names)
        waiting = self.system.waits_for(state) or state.names
        action = rng.choice(self.system.actions.all).id
        mostly = rng.choice([name for name in state.names if len(state.names) > 4] or [None])
        possible: list[tuple[str, dict[str, Any]]] = [
            ("gm set", {"target": who, "pool": "owner", "value": rng.choice(("gm", *PLAYERS))}),
            ("gm set", {"target": who, "pool": "side", "value": state.combatant(other).side}),
            ("gm set", {"target": who, "pool": "KIND", "value": rng.choice(self._kinds())}),
            ("gm skip", {"target": rng.choice(waiting)}),
            ("gm skip", {"target": who}),
            ("gm skip", {"target": "all"}),
            ("gm turn", {"target": who}),
            ("gm next-phase", {}),
            ("gm order", {"names": f"{who}, {other}"}),
            ("gm damage", {"target": who, "amount": rng.choice(("3", "99"))}),
            ("gm heal", {"target": who, "amount": rng.choice(("3", "99"))}),
            ("gm rename", {"target": who, "to": f"Nova {self.number}"}),
            ("gm away", {"target": who, "wait": rng.random() < 0.7}),
            ("order", {"action": action, "character": who, "when": rng.choice(WHENS)}),
        ]
        if mostly is not None:
            possible.append(("gm remove", {"target": mostly}))
        verb, given = rng.choice(possible)
        return self._do(self.game.gm, given.pop("action") if verb == "order" else verb, **given)

    def _kinds(self) -> tuple[str, ...]:
        return (*self.system.sheet.kinds, "object")

    # What holds

    def _hold(self, before: Table, decision: Decision) -> None:
        state = self.game.state
        assert decision.table != before or decision.lines, "accepted, and nothing happened"
        assert self._keeps() == self.kept, "something is lost or doubled"
        self._follow_turns()
        self._follow_names(before.encounter, state)
        if self.is_over:
            return
        if not any(each.stops for each in state.hidden):
            assert hangs(self.game) is None, hangs(self.game)
            assert self.game.waits_for(), "nobody is waited for"
        waiting = [who for who in self.game.waits_for() if who in state.names and self.system.is_out(state, who)]
        assert not waiting, f"the table waits for {waiting}, who are out"

    def _keeps(self) -> object:
        return KEEPS[self.system.id](self.game.state) if self.system.id in KEEPS else None

    def _follow_names(self, before: Any, state: Any) -> None:
        """No question names who is gone, or the one who bears another name now."""
        self.gone = (self.gone | set(before.names)) - set(state.names)
        for question in state.questions:
            named = [name for name in self.gone if is_named(question, name)]
            assert not named, f"{question.who} is asked {question.words!r}, which names {named}"

    def _follow_turns(self) -> None:
        """Everybody who was there when a part of a round began is done when it ends; who is done stays done."""
        self._excuse_ruled()
        is_new = False
        for before, after in encounters(self.game.passed):
            if self._part(after) != self._part(before):
                if not is_new:  # a part that begins and ends in one step is nobody's to follow
                    self._part_ends(before)
                is_new = True
                self.rounds += after.round != before.round
            elif self.system.id in GIVES_TURNS:
                self._excuse(GIVES_TURNS[self.system.id](before, after))
            if not is_new:
                self._note_done(after)
        if is_new:
            self.done.clear()
            self.excused.clear()
            self._excuse_ruled()
            self.present = set(self.game.state.names)
        self._note_done(self.game.state)
        state = self.game.state
        self.done &= set(state.names)
        again = {who for who in (self.done - self.excused) & set(state.names) if not self.system.is_done(state, who)}
        assert not again, f"{again} had a turn, and have another"

    def _note_done(self, state: Any) -> None:
        self.done |= {who for who in state.names if self.system.is_done(state, who)}
        self._excuse(who for who in state.names if self.system.is_out(state, who))
        self.excused.update(each.name for each in state.combatants if each.kind == "object")
        self.excused.update(waits_by_choice(state))

    def _excuse_ruled(self) -> None:
        """Leave out of the count those with turns as the GM says: the ones a ruling names, or everybody."""
        command, everybody = self.told[-1], {*self.game.state.names, *self.present}
        if any(f": {verb} " in command for verb in OF_ALL) or "gm skip {'target': 'all'}" in command:
            self._excuse(everybody)
        elif any(f": {verb} " in command for verb in OF_ONE):
            self._excuse(name for name in everybody if f"'{name}" in command)

    def _excuse(self, names: Iterable[str]) -> None:
        """Leave somebody out of the count, with all who have their turn together."""
        state = self.game.state
        for name in names:
            unit = self._unit(name)
            self.excused |= {name, *(each for each in state.names if self._unit(each) == unit)}

    def _unit(self, who: str) -> str:
        found = self.game.state.find(who)
        return who if found is None or self.system.id not in UNITS else UNITS[self.system.id](self.game.state, who)

    def _part(self, state: Any) -> str:
        return self.system.part_of_round(state)

    def _part_ends(self, state: Any) -> None:
        """Hold a part of the round that is over against who was there as it began."""
        if state.phase in NO_TURNS:
            return
        owed = (self.present & set(state.names)) - self.excused - self.done
        assert not owed, f"{owed} had no turn in round {state.round}, {state.phase}"


NO_TURNS = ("initiative", "end")


def shown_options(options: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in options.items())


def lasting(combatant: Combatant) -> object:
    """Return what of somebody outlasts an encounter: pools, conditions that nothing ends, belongings."""
    lasting_ones = (held for held in combatant.conditions if is_lasting(held) and not held.data.get("stance"))
    conditions = {held.name for held in lasting_ones} - OF_ONE_FIGHT
    pools = {key: (pool.now, pool.top) for key, pool in combatant.pools.items() if key not in POOLS_OF_ONE_FIGHT}
    if combatant.has("Helpless") and not pools["WILLPOWER"][0]:
        pools["WILLPOWER"] = (1, pools["WILLPOWER"][1])  # AD-29
    return pools, conditions, sorted(combatant.abilities, key=lambda each: each.name)


def waits_by_choice(state: Any) -> tuple[str, ...]:
    """Return those who have put their turn off: it may come in another round (CL-05, SW-05)."""
    return (*getattr(state, "delayed", ()), *getattr(state, "waiting", ()))


def is_named(question: Question, name: str) -> bool:
    return name in question.aimed or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question.words) is not None
