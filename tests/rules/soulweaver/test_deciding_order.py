"""The rules agree with the model in brute_force.py over hundreds of stacks, command by command."""

from __future__ import annotations

import random

import pytest

from rules.core.command import Command
from rules.core.registry import system_of
from tests.rules.soulweaver.brute_force import Causes, Creature, Decide, Happening, Trace, play_out
from tests.rules.soulweaver.scene import Scene, join, running

BY_COMMANDS = 250


def choices(seed: int, eagerness: float) -> tuple[Decide, Causes]:
    """Return random decisions that come out the same for the one who asks the same questions in the same order."""
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


@pytest.mark.prove
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
