"""Powers and items: what a sheet's abilities say, and the movement powers that everybody has.

Rule: TA-08, TA-12, TA-13, TA-17, TA-18.
"""

from __future__ import annotations

import re
from decimal import Decimal
from types import MappingProxyType

from rules.core import refusals
from rules.core.blow import Inflict
from rules.core.conditions import parse_save
from rules.core.model import Frozen, per_state
from rules.core.reach.vision import asks_sight
from rules.core.typed.lasting import parse_lasting
from rules.core.typed.names import is_one_name
from rules.core.typed.skeleton import same, skeleton
from rules.core.values import Ability, Combatant
from rules.dice.reading import parse_expression
from rules.errors import Malformed
from rules.systems.tactics.state import MOVEMENT, ShortMovement, TacticsState

ENDS = "2d6>=7"
SUSTAINS = "2d6<=6"  # 7 or more sustains: what ends the effect is a 6 or less
RUNNING = "Running"
DISENGAGED = "Disengaged"
DEFENDING = "Defending"
OF_THE_FIGHT = frozenset(map(str.casefold, (RUNNING, DISENGAGED, DEFENDING)))
SLOWED = "Slowed"
CONDITIONS = MappingProxyType(
    {
        SLOWED: "no more squares this turn (TA-10)",
        DEFENDING: "attacks on it have disadvantage (TA-15)",
        DISENGAGED: "its own attacks have disadvantage (TA-16)",
        RUNNING: "attacks on it have advantage (TA-08)",
    }
)
_PRICES = MappingProxyType(
    {
        RUNNING: "attacks on you have advantage this round",
        DISENGAGED: "your attacks at a disadvantage until the end of round {next}",
        DEFENDING: "attacks on you are at a disadvantage until your next Battle turn",
    }
)
WALK = "Walk"
RUN = "Run"
CHARGE = "Charge"
DISENGAGE = "Disengage"

MOST_SQUARES = 200
NO = ("no", "none", "off", "false", "0", "never")
_ROUNDS = {"round": 1, "next round": 2}
# What people write for a save (TA-17): of a power's field as of the GM's /condition add
SAVES = {
    **dict.fromkeys(("save", "end", "ends", "yes", "true", "on", "7", "7+", "2d6"), ENDS),
    **dict.fromkeys(("sustain", "sustains"), SUSTAINS),
}
_SPEED = re.compile(
    r"(?:(?P<times>\d{1,3}(?:\.\d{1,3})?)\s*(?:[x×*]\s*)?)?SPD(?:\s*[x×*]\s*(?P<after>\d{1,3}(?:\.\d{1,3})?))?"
    r"(?:\s*(?P<more>[+-]\s*\d{1,3}))?",
    re.IGNORECASE,
)
DEFAULTS = {
    "shift": "1",
    "hustle": "1.5",
    "run": "2",
    "charge": "1",
    "disengage": "2",
}


class MovePower(Frozen):
    """A way to move: its squares, whether it provokes, whether it needs a charge's line, what it does to the mover."""

    name: str
    squares: int
    provokes: bool = True
    charge: bool = False
    effect: Inflict | None = None


class BattlePower(Frozen):
    """Who a power or item of the battle phase reaches, and how often. `spaces` None: it reaches everywhere."""

    name: str
    spaces: int | None = 1
    uses: int | None = None
    asks_sight: bool = True


# What a sheet says


def is_movement(ability: Ability) -> bool:
    phase = ability.field("phase").casefold()
    if phase:
        return phase.startswith("move")
    return ability.kind == "power" and "distance" in ability.fields


def is_item(ability: Ability) -> bool:
    return ability.kind == "item"


def is_battle(ability: Ability) -> bool:
    return not is_movement(ability) and ability.kind != "bag"


def inflict(name: str, left: int | None = None, save: str | None = None) -> Inflict:
    """Return a condition that somebody gets. `left` counts the ends of rounds, the present one first. Rule: TA-18."""
    return Inflict(condition=name, left=left, save=save, ticks=None if left is None and save is None else "round-end")


def read_effect(ability: Ability) -> Inflict | None:
    """Return the effect of an ability. Raises: Malformed if its save or its duration cannot be read."""
    name = ability.field("effect")
    if not is_one_name(name):
        return None
    save = _read_save(ability.field("save") or "ends") if "save" in ability.fields else None
    return inflict(name, _read_lasting(ability), save)


def _read_save(text: str) -> str | None:
    folded = text.casefold()
    if folded in NO:
        return None
    if folded not in SAVES:
        parse_save(text, is_typed=True)
    return SAVES.get(folded, text)


def _read_lasting(ability: Ability) -> int | None:
    text = (ability.field("lasts") or ability.field("duration")).casefold()
    if not text or text in NO:
        return None
    if text in ("save", "ends"):
        return None
    if text in _ROUNDS:
        return _ROUNDS[text]
    try:
        lasts = parse_lasting(text, None)
    except Malformed:
        lasts = None
    if lasts is None or lasts.unit == "turn" or lasts.moment not in (None, "round-end"):
        instead = "lasts round, lasts next round, or a number of rounds."
        raise refusals.no_duration(ability.name, text[:40], instead=instead)
    return lasts.left


def read_squares(text: str, speed: int) -> int:
    """Read a distance: `4`, `SPD`, `1.5 SPD`, `SPD+2`. Raises: Malformed."""
    cleaned = text.strip()
    if cleaned.isdecimal():
        return min(int(cleaned), MOST_SQUARES)
    match = _SPEED.fullmatch(cleaned)
    if not match:
        raise Malformed(f"{cleaned[:40]} is not a distance.", instead="Write a number, SPD, 1.5 SPD, or SPD+2.")
    squares = speed * Decimal(match["times"] or 1) * Decimal(match["after"] or 1)
    more = int(match["more"].replace(" ", "")) if match["more"] else 0
    return max(0, min(int(squares) + more, MOST_SQUARES))


def read_spaces(ability: Ability) -> int | None:
    """Read a range: a number of squares, `any`; 1 if it says nothing. Raises: Malformed."""
    text = ability.field("range").casefold() or ability.field("reach").casefold()
    if not text or text in ("melee", "adjacent"):
        return 1
    if text in ("any", "all", "unlimited", "sight"):
        return None
    match = re.fullmatch(r"(\d{1,3})(?: *(?:squares?|spaces?))?", text)
    if not match:
        raise Malformed(f"{ability.name}: {text[:40]} is not a range.", instead="Write a number of squares, or any.")
    return int(match[1])


def read_power(ability: Ability) -> BattlePower:
    """Read a power of the battle phase, or an item. Raises: Malformed."""
    for key in ("damage", "heal"):
        if ability.field(key):
            parse_expression(ability.field(key))
    read_effect(ability)
    uses = ability.field("uses")
    if uses and not uses.isdecimal():
        raise Malformed(f"{ability.name}: {uses[:40]} is not a number of uses.", instead="For example uses 3.")
    return BattlePower(
        name=ability.name,
        spaces=read_spaces(ability),
        uses=int(uses) if uses else None,
        asks_sight=asks_sight(ability),
    )


def check_ability(ability: Ability) -> None:
    """Refuse a power that cannot be read in play. Raises: Malformed."""
    if is_movement(ability):
        read_squares(ability.field("distance", "SPD"), 1)
        read_effect(ability)
    else:
        read_power(ability)


# What a combatant can do


def figure(state: TacticsState, key: str) -> Decimal:
    return Decimal(state.options.get(key, DEFAULTS[key]))


def default_powers(state: TacticsState, speed: int) -> tuple[MovePower, ...]:
    """Return the powers that everybody has, with the table's figures. Rule: TA-08, TA-16."""

    def squares(key: str) -> int:
        return min(int(figure(state, key) * speed), MOST_SQUARES)

    return (
        MovePower(name=WALK, squares=min(speed, MOST_SQUARES)),
        MovePower(name="Hustle", squares=squares("hustle")),
        MovePower(name=RUN, squares=squares("run"), effect=inflict(RUNNING, 1)),
        MovePower(name=CHARGE, squares=squares("charge"), charge=True),
        MovePower(name="Shift", squares=int(figure(state, "shift")), provokes=False),
        disengage_power(state),
    )


def price_of(state: TacticsState, condition: str) -> str:
    """Say what a condition of a basic power means to the one who takes it on; nothing of any other."""
    return _PRICES.get(condition, "").format(next=state.round + 1)


def disengage_power(state: TacticsState) -> MovePower:
    """Return the shift of a disengagement; it weakens one's attacks until the end of the next round. Rule: TA-16."""
    return MovePower(
        name=DISENGAGE,
        squares=int(figure(state, "disengage")),
        provokes=False,
        effect=inflict(DISENGAGED, 2),
    )


@per_state
def move_powers(state: TacticsState, who: str) -> tuple[MovePower, ...]:
    """Return the movement powers of a combatant: the default ones, and those of its sheet, which come first.

    If something unknown has ended a movement of this turn, its power alone is left, with the rest of its squares.
    """
    short = _cut_short(state, who)
    move_powers = _every_power(state, who)
    if short is None:
        return move_powers
    left = (power for power in move_powers if power.name == short.power)
    return tuple(power.evolve(squares=short.squares, effect=None) for power in left)


def _cut_short(state: TacticsState, who: str) -> ShortMovement | None:
    short = state.short
    is_theirs = short is not None and short.who == who and short.round == state.round
    return short if is_theirs and state.phase == MOVEMENT and who not in state.done else None


def usual_move(state: TacticsState, who: str) -> str:
    """Return the movement power that is meant if none is named: Walk, or the one that was cut short."""
    short = _cut_short(state, who)
    return WALK if short is None else short.power


def _every_power(state: TacticsState, who: str) -> tuple[MovePower, ...]:
    combatant = state.combatant(who)
    speed = max(0, combatant.number("SPD"))
    usual = {skeleton(power.name): power for power in default_powers(state, speed)}
    own = {
        skeleton(ability.name): _own_move(ability, speed, usual.get(skeleton(ability.name)))
        for ability in combatant.abilities
        if is_movement(ability)
    }
    return (*(power for name, power in usual.items() if name not in own), *own.values())


def _own_move(ability: Ability, speed: int, usual: MovePower | None) -> MovePower:
    """Return a movement power of a sheet: one with a default's name does what that does, unless the sheet says else."""
    base = usual or MovePower(name=ability.name, squares=min(speed, MOST_SQUARES))
    distance, provokes, line = (ability.field(key) for key in ("distance", "provokes", "line"))
    return base.evolve(
        name=ability.name,
        squares=read_squares(distance, speed) if distance else base.squares,
        provokes=provokes.casefold() not in NO if provokes else base.provokes,
        charge=line.casefold() not in NO if line else base.charge,
        effect=_own_effect(ability, base.effect),
    )


def _own_effect(ability: Ability, usual: Inflict | None) -> Inflict | None:
    name = ability.field("effect")
    return None if name and name.casefold() in NO else read_effect(ability) or usual


def find_power(state: TacticsState, who: str, name: str | None) -> MovePower:
    """Return a movement power by its exact name, else the usual one."""
    wanted = name or usual_move(state, who)
    return next(power for power in move_powers(state, who) if same(power.name, wanted))


def battle_abilities(combatant: Combatant) -> tuple[Ability, ...]:
    return tuple(ability for ability in combatant.abilities if is_battle(ability) and not is_item(ability))


def item_abilities(combatant: Combatant) -> tuple[Ability, ...]:
    return tuple(ability for ability in combatant.abilities if is_item(ability) and ability.field("uses") != "0")


def battle_power(combatant: Combatant, name: str | None) -> BattlePower:
    """Return a power or item by its name; a plain attack on a neighbour if none is named."""
    ability = combatant.ability(name) if name else None
    return BattlePower(name="") if ability is None else read_power(ability)
