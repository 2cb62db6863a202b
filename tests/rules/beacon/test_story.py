"""Two rounds as a table plays them, word for word: what everybody reads, and what only some do. BE-01 to BE-26."""

from __future__ import annotations

from typing import Any

from tests.rules.beacon.rounds import pools
from tests.rules.beacon.scene import BOW, FIREBALL, SPEAR, add
from tests.rules.table import Game


def party() -> Game:
    """Rhea (bow, spear), Pip and Cat (fireballs); a Cleaver with two turns in BRAWL, an Imp in SKIRMISH."""
    game = Game("beacon", "auto=off", people=("Gwen", "Ana", "Bo", "Cai"))
    add(game, "Rhea", owner="Ana", abilities=(BOW, SPEAR))
    add(game, "Pip", owner="Bo", abilities=(FIREBALL,), SPEED=3)
    add(game, "Cat", owner="Cai", abilities=(FIREBALL,))
    add(game, "Cleaver", abilities=(SPEAR,), INITIATIVE=5, TURNS=2, HP=30)
    add(game, "Imp", abilities=(BOW,), INITIATIVE=3, HP=6)
    game.do("Gwen", "board size", size="12x10")
    game.do("Gwen", "board place", target="Rhea, Pip, Cat, Cleaver, Imp", cells="C3, C5, B4, F3, J6")
    game.do("Gwen", "encounter begin")
    return game


class Story:
    """What everybody reads of each step, in order."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.lines: list[str] = []

    def tell(self, by: str, action: str, dice: list[tuple[int, int]] | None = None, **given: Any) -> None:
        """Do a step with these dice exactly, and keep what somebody reads who plays nothing in it."""
        self.game.do(by, action, dice=dice or [], **given)
        reader = "Cai" if by != "Cai" else "Ana"
        self.lines.extend(self.game.lines(reader))


def test_two_rounds_word_for_word() -> None:
    story = Story(party())
    game, tell = story.game, story.tell
    tell("Ana", "plan", note="skirmish")
    tell("Cai", "plan", note="channel")
    tell("Bo", "pass-phase")
    for by in ("Bo", "Cai"):
        tell(by, "channel", using="Fireball")
        tell(by, "end")
    tell("Ana", "ready", using="volley:Bow", note="the Cleaver moves")
    tell("Ana", "end", note="delay")
    tell("Gwen", "volley", character="Imp", using="Bow", target="Pip")
    tell("Cai", "decline", [(20, 12), (6, 4), (20, 12)])  # a hit, and Pip's concentration holds
    tell("Gwen", "end", character="Imp")
    tell("Gwen", "move", character="Cleaver", to="E4")
    tell("Ana", "react", [(20, 12), (6, 3)], target="Cleaver")
    tell("Gwen", "fight", character="Cleaver", using="Spear", target="Pip")
    tell("Cai", "react", [(20, 11), (6, 5), (20, 4)])  # Cat takes the blow, and her fireball fizzles
    tell("Gwen", "end", character="Cleaver")
    tell("Gwen", "fight", character="Cleaver", using="Spear", target="Rhea")
    tell("Bo", "decline")
    tell("Cai", "decline", [(20, 9), (6, 1)])
    tell("Ana", "react", [(20, 8), (6, 6)], using="counterattack")
    tell("Gwen", "end", character="Cleaver")
    tell("Bo", "pass-phase")
    tell("Ana", "begin")
    tell("Ana", "end")
    for by in ("Ana", "Bo", "Cai"):
        tell(by, "plan", note="delay")
    tell("Gwen", "end", character="Imp")
    tell("Gwen", "end", character="Cleaver")
    tell("Gwen", "end", character="Cleaver")
    tell("Bo", "release", [(6, 6), (6, 5)], target="Cleaver")
    assert story.lines == [
        "Rhea will act in SKIRMISH.",
        "Cat will act in CHANNEL.",
        "Pip passes on BOLSTER.",
        "CHANNEL.",
        "Pip begins a turn.",
        "Pip channels Fireball.",
        "Pip: MP 4 → 2/4.",
        "Pip ends the turn.",
        "Cat begins a turn.",
        "Cat channels Fireball.",
        "Cat: MP 4 → 2/4.",
        "Cat ends the turn.",
        "SKIRMISH.",
        "Rhea begins a turn.",
        "Rhea readies an action. Trigger: the Cleaver moves",
        "Rhea ends the turn.",
        "Rhea will surge in DELAY.",
        "Imp begins a turn.",
        "Imp: Volley against Pip with Bow.",
        "Cat may react.",
        "Cat does not react.",
        "Imp attacks Pip with Bow: 1d20 (12) + 2 = 14 against DODGE 10, hit.",
        "Damage on Pip: 1d6 (4) + 1 = 5 (physical).",
        "Pip's ARMOR 1 leaves 4 of 5 damage.",
        "Pip: HP 20 → 16/20 (physical).",
        "Pip concentrates on Fireball: 1d20 (12) + 1 = 13 against SAVE 11 of Imp, success.",
        "Imp ends the turn.",
        "BRAWL. Nobody was waiting in REPOSITION.",
        "Cleaver begins a turn.",
        "Cleaver moves: F3 → E4.",
        "Rhea uses the readied action.",
        "Rhea: Volley against Cleaver with Bow.",
        "Rhea attacks Cleaver with Bow: 1d20 (12) + 2 = 14 against DODGE 10, hit.",
        "Damage on Cleaver: 1d6 (3) + 1 = 4 (physical).",
        "Cleaver's ARMOR 1 leaves 3 of 4 damage.",
        "Cleaver: HP 30 → 27/30 (physical).",
        "Cleaver: Fight against Pip with Spear.",
        "Cat may react.",
        "Cat interposes for Pip.",
        "Cat: FOCUS 2 → 1.",
        "Cat becomes the target instead of Pip.",
        "Cleaver attacks Cat with Spear: 1d20 (11) + 2 = 13 against DODGE 10, hit.",
        "Damage on Cat: 1d6 (5) + 2 = 7 (physical).",
        "Cat's ARMOR 1 leaves 6 of 7 damage.",
        "Cat: HP 20 → 14/20 (physical).",
        "Cat concentrates on Fireball: 1d20 (4) + 1 = 5 against SAVE 11 of Cleaver, failure.",
        "Fireball of Cat fizzles.",
        "Cleaver ends the turn.",
        "Cleaver begins a turn.",
        "Cleaver: Fight against Rhea with Spear.",
        "Pip, Cat may react.",
        "Pip, Cat do not react.",
        "Cleaver attacks Rhea with Spear: 1d20 (9) + 2 = 11 against DODGE 10, hit.",
        "Damage on Rhea: 1d6 (1) + 2 = 3 (physical).",
        "Rhea's ARMOR 1 leaves 2 of 3 damage.",
        "Rhea: HP 20 → 18/20 (physical).",
        "Rhea may react.",
        "Rhea: FOCUS 2 → 1.",
        "Rhea: counterattack, Fight against Cleaver with Spear.",
        "Rhea attacks Cleaver with Spear: 1d20 (8) + 2 = 10 against DODGE 10, hit.",
        "Damage on Cleaver: 1d6 (6) + 2 = 8 (physical).",
        "Cleaver's ARMOR 1 leaves 7 of 8 damage.",
        "Cleaver: HP 27 → 20/30 (physical).",
        "Cleaver ends the turn.",
        "RELEASE.",
        "Pip goes on channeling.",
        "DELAY. Nobody was waiting in FULL ATTACK.",
        "Rhea begins a surge turn.",
        "Surge at level 0: 2 Stress.",
        "Rhea: STRESS 0 → 2/8.",
        "Rhea ends the turn.",
        "Round 2: BOLSTER.",
        "Rhea will act in DELAY.",
        "Pip will act in DELAY.",
        "Cat will act in DELAY.",
        "SKIRMISH. Nobody was waiting in CHANNEL.",
        "Imp begins a turn.",
        "Imp ends the turn.",
        "BRAWL. Nobody was waiting in REPOSITION.",
        "Cleaver begins a turn.",
        "Cleaver ends the turn.",
        "Cleaver begins a turn.",
        "Cleaver ends the turn.",
        "RELEASE.",
        "Pip releases Fireball on Cleaver.",
        "Damage on Cleaver: 2d6 (6, 5) = 11.",
        "Cleaver's ARMOR 1 leaves 10 of 11 damage.",
        "Cleaver: HP 20 → 10/30.",
        "DELAY. Nobody was waiting in FULL ATTACK.",
    ]
    assert pools(game, "Cleaver")["HP"] == 10
