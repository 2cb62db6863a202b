"""The rules agree with the model in brute_force.py: 10,000 stacks on the stack itself, hundreds by commands."""

from __future__ import annotations

import random

from rules.core.command import Command
from rules.core.registry import system_of
from rules.systems.soulweaver.stack import Item, Stack
from tests.rules.soulweaver.brute_force import Causes, Creature, Decide, Happening, Trace, play_out
from tests.rules.soulweaver.scene import Scene, join, running

STACKS = 10_000
BY_COMMANDS = 250
NAMES = ("Ana", "Bo", "Cai", "Dee", "Eve", "Fay")


def choices(seed: int, eagerness: float) -> tuple[Decide, Causes]:
    """Return random decisions that come out the same for whoever asks the same questions in the same order."""
    rng = random.Random(seed)
    caused = iter(range(1, 4))

    def decide(who: str, triggers: tuple[str, ...]) -> str | None:
        throw = rng.random()
        if throw < eagerness:
            return rng.choice(sorted(triggers))
        return "pass" if throw > 0.95 else None

    def causes(name: str) -> str | None:
        number = next(caused, None) if rng.random() < 0.3 else None
        return None if number is None else f"E{number}"

    return decide, causes


def random_creatures(rng: random.Random) -> list[Creature]:
    names = NAMES[: rng.randint(1, len(NAMES))]
    found = [
        Creature(
            name,
            minors=rng.randint(0, 2),
            majors=rng.randint(0, 1),
            had_turn=rng.random() < 0.85,
            unaware_of=frozenset(other for other in names if other != name and rng.random() < 0.15),
            passes_all=rng.random() < 0.1,
        )
        for name in names
    ]
    return [*found, Creature("Soulweaver", unlimited=True, had_turn=rng.random() < 0.8)]


def by_the_stack(creatures: list[Creature], first: str, by: str, decide: Decide, causes: Causes) -> Trace:
    """Play a stack out on the rules' own Stack: it says who is next and what is open; this only answers."""
    seats = {creature.name: creature for creature in creatures}
    priority = tuple(creature.name for creature in creatures[:-1])
    stack = Stack().pushed(Item(id=1, kind="action", action="major", who=by, name=first))
    for creature in creatures:
        stack = stack.ahead_by(creature.name, "stack") if creature.passes_all else stack
    trace: Trace = []
    reactions = 0
    while stack.items:
        if not stack.deciding:
            item = stack.items[-1]
            stack = stack.without((item.id,))
            if item.kind == "event":
                continue
            trace.append(("completes", item.name))
            caused = causes(item.name) if item.kind == "reaction" else None
            if caused is not None:
                event = Item(id=stack.next_id, kind="event", action="trigger", who="Soulweaver", name=caused)
                stack = stack.pushed(event)
                trace.append(("causes", caused))
            continue
        who = stack.next_to_decide(priority)
        if who is None:
            stack = stack.resolving()
            continue
        seat = seats[who]
        open_items = stack.open_to(who)
        news = any(item.who != who for item in open_items)
        if not seat.had_turn or not seat.could_pay() or not news or stack.passes_in_advance(who):
            stack = stack.passed_by(who)
            continue
        trace.append(("asked", who))
        known = {item.name: item for item in reversed(open_items) if item.who not in seat.unaware_of}
        chosen = decide(who, tuple(known)) if known else None
        if chosen not in known:
            stack = stack.passed_by(who, "stack" if chosen == "pass" else None)
            continue
        reactions += 1
        seat.spend()
        name = f"R{reactions}"
        answered = known[chosen]
        stack = stack.pushed(
            Item(id=stack.next_id, kind="reaction", action="react", who=who, name=name, answers=answered.id)
        )
        trace.append(("reacts", who, name, answered.name))
    return trace


def test_sw_22_the_order_of_deciding_agrees_with_a_model_over_10000_random_stacks() -> None:
    deepest = 0
    for seed in range(STACKS):
        rng = random.Random(seed)
        creatures = random_creatures(rng)
        actor = rng.choice(creatures).name
        eagerness = rng.choice((0.1, 0.25, 0.5))
        decide, causes = choices(seed, eagerness)
        expected = play_out([Creature(**vars(each)) for each in creatures], Happening("A", actor), decide, causes)
        decide, causes = choices(seed, eagerness)
        assert by_the_stack(creatures, "A", actor, decide, causes) == expected, f"seed {seed}"
        deepest = max(deepest, sum(entry[0] == "reacts" for entry in expected))
    assert deepest >= 6, "the stacks are too shallow to prove anything"


def base_scene() -> tuple[Scene, list[Creature]]:
    """Return a fight: Dee has two Minors, Cai none, Eve has joined late, Bo is not aware of Cai."""
    scene = running("Ana", "Bo", "Cai", "Dee", rounds=1)
    scene.do("Gwen", "gm set", target="Dee", pool="Minor", value="2/2")
    scene.do("Gwen", "gm set", target="Cai", pool="Minor", value="0/1")
    scene.do("Gwen", "gm aware", who="Bo", of="Cai", yes=False)
    scene.users["Eve"] = "999"
    join(scene, "Eve")
    creatures = [
        Creature("Ana", majors=0),
        Creature("Bo", unaware_of=frozenset({"Cai"})),
        Creature("Cai", minors=0),
        Creature("Dee", minors=2),
        Creature("Eve", had_turn=False),
        Creature("Soulweaver", unlimited=True),
    ]
    scene.act("Ana", "major", note="A")
    return scene, creatures


def by_commands(scene: Scene, decide: Decide, causes: Causes) -> Trace:
    """Play the open stack out as people would, answering what the table is asked."""
    trace: Trace = []
    reactions = 0
    while (question := scene.question()) is not None:
        who = question.who
        if question.about == "completing":
            caused = causes(scene.state.pause.item.name)
            if caused is None:
                scene.act("Soulweaver", "go-on")
            else:
                scene.act("Soulweaver", "trigger", note=caused)
                trace.append(("causes", caused))
        else:
            trace.append(("asked", who))
            targets = _targets(scene, who)
            chosen = decide(who, targets) if targets else None
            if chosen in targets:
                reactions += 1
                scene.act(who, "react", note=f"R{reactions}", target=chosen)
                trace.append(("reacts", who, f"R{reactions}", chosen or ""))
            else:
                scene.act(who, "decline", **({"note": "stack"} if chosen == "pass" else {}))
        trace.extend(("completes", line.split(" ")[0]) for line in scene.lines() if " completes" in line)
    return trace


def _targets(scene: Scene, who: str) -> tuple[str, ...]:
    system = system_of(scene.state)
    if "react" not in scene.legal(who):
        return ()
    params = system.actions.params_given(scene.state, who, Command(action="react", target="A"))
    return next(param.choices or () for param in params if param.name == "target")


def test_sw_22_whole_tables_agree_with_the_model_command_by_command() -> None:
    scene, creatures = base_scene()
    start = scene.table
    for seed in range(BY_COMMANDS):
        scene.table = start
        eagerness = (0.15, 0.3, 0.6)[seed % 3]
        decide, causes = choices(seed, eagerness)
        expected = play_out([Creature(**vars(each)) for each in creatures], Happening("A", "Ana"), decide, causes)
        decide, causes = choices(seed, eagerness)
        assert by_commands(scene, decide, causes) == expected, f"seed {seed}"
        assert scene.turn() == ("Ana",)
