"""A table for these tests: Ana 11, Bo 9, Cai 4 (as in the ledger), the GM Gwen, and what they often do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.registry import system_of
from rules.core.values import Question
from rules.dice.source import Die
from tests.rules.table import Faces, Game

Abilities = tuple[Mapping[str, Any], ...]
RESULTS = {"Ana": 11, "Bo": 9, "Cai": 4, "Dee": 2}


class Scene(Game):
    """A game of Soulweaver; `by` of an action is the one who plays the creature, found by its name."""

    def act(self, who: str, action: str, **given: Any) -> None:
        """Let a creature (or the Soulweaver) act, played by its own person."""
        self.do(self.player(who), action, character=who, **given)

    def player(self, who: str) -> str:
        return who if who in self.users else self.gm

    def turn(self) -> tuple[str, ...]:
        return self.waits_for()

    def question(self) -> Question | None:
        """Return the question whose answer counts next; whether an attack hits is asked beside all others."""
        left = [each for each in self.state.questions if not each.answered]
        left.sort(key=lambda each: (each.about == "attack", -each.window, each.place))
        return left[0] if left else None

    def asked(self) -> str | None:
        question = self.question()
        return None if question is None else question.who

    def decline_all(self) -> list[str]:
        """Let everybody who is asked decline, the GM go on; return who was asked, in order."""
        asked = []
        while (question := self.question()) is not None:
            if "decline" in question.choices:
                asked.append(question.who)
                self.act(question.who, "decline")
            elif "go-on" in question.choices:
                self.act("Soulweaver", "go-on")
            else:
                break
        return asked

    def decline_pass(self) -> list[str]:
        """Let everybody who is asked to react decline once around; return who was asked."""
        asked = []
        while (question := self.question()) is not None and "decline" in question.choices:
            asked.append(question.who)
            self.act(question.who, "decline")
        return asked

    def finish(self, action: str = "miss") -> None:
        """Let everybody decline, and the GM answer an attack."""
        self.decline_all()
        question = self.question()
        if question is not None and "hit" in question.choices:
            self.act("Soulweaver", action)

    def end_turns(self, count: int = 1) -> None:
        for _ in range(count):
            (who, *_) = self.turn()
            question = self.question()
            self.act(who, "end" if question is None else "wait")

    def enter_all(self) -> list[str]:
        """Let all who are drawn into Conflict by an Enemy enter it; return who was asked."""
        asked = [question.who for question in self.state.questions if question.about == "enemy"]
        for who in asked:
            self.act(who, "enter-conflict")
        return asked

    def next_round(self) -> None:
        """End turns until the next round opens."""
        number = self.state.round
        while self.state.round == number:
            self.end_turns()

    def conflict(self, *names: str) -> None:
        for name in names:
            self.do(self.gm, "gm set", target=name, pool="conflict", value="yes")

    def rolled(self) -> list[tuple[str | None, str, int]]:
        """Return who rolled what for what in the last step."""
        return [(die.who, die.purpose, die.sides) for die in self.decisions[-1].dice.records if isinstance(die, Die)]

    def left(self, who: str) -> tuple[int, int]:
        """Return the Major and the Minor that a creature has left."""
        pools = self.state.combatant(who).pools
        return pools["Major"].now, pools["Minor"].now

    def effects(self, who: str) -> dict[str, int | None]:
        return {held.name: held.left for held in self.state.combatant(who).conditions}

    def order(self) -> tuple[str, ...]:
        return system_of(self.state).turn_order(self.state)

    def facts(self, who: str, reader: str | None = None) -> dict[str, Any]:
        return dict(system_of(self.state).facts(self.state, who, self.seat(reader or self.gm)))

    def prompt(self, reader: str | None = None) -> str:
        return "\n".join(system_of(self.state).prompt_lines(self.state, self.seat(reader or self.gm)))


def gathering(*names: str, options: str = "", **given: Any) -> Scene:
    """Return a table that those named have joined with their saved characters.

    Everything opens the deciding, so that a look is enough for a test; tables begin with `reactions=conflict`.
    """
    if "reactions=" not in options:
        options = f"reactions=all, {options}".rstrip(", ")
    everybody = names or ("Ana", "Bo", "Cai")
    scene = Scene("soulweaver", options, people=("Gwen", *dict.fromkeys(("Ana", "Bo", "Cai", *everybody))))
    for name in everybody:
        join(scene, name, **given)
    return scene


def join(
    scene: Scene,
    name: str,
    *,
    minor: int = 1,
    abilities: Abilities = (),
    sheet: Mapping[str, int | str] | None = None,
    dice: Faces | None = None,
) -> None:
    """Let somebody join with a saved character; `sheet` adds to its fields."""
    fields = {"ZEAL": 1, "POISE": 2, "MINOR": minor, "SPEED": 5, "GRIT": 0, **(sheet or {})}
    document = {"name": name, "owner": scene.users[name], "fields": fields, "abilities": list(abilities)}
    scene.do(name, "join", document=document, dice=dice)


def running(*names: str, options: str = "", rounds: int = 0, **given: Any) -> Scene:
    """Return a table in its first round, or after `rounds`, by RESULTS; who sees an Enemy is in Conflict."""
    scene = gathering(*names, options=options, **given)
    for name in names or ("Ana", "Bo", "Cai"):
        scene.do(scene.gm, "gm set", target=name, pool="initiative", value=str(RESULTS[name]))
    scene.do(scene.gm, "encounter begin", dice=())
    scene.enter_all()
    for _ in range(rounds):
        scene.next_round()
    return scene
