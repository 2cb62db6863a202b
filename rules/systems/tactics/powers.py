"""Powers and items as they are used: the movement powers, which everybody has, and how far those of battle reach.

Rule: TA-08, TA-12, TA-13, TA-18.
"""

from __future__ import annotations

import re
from decimal import Decimal
from types import MappingProxyType

from rules.core.blow import Effect, Go, Inflict
from rules.core.effects.distances import spaces_said
from rules.core.model import Frozen, per_state
from rules.core.reach.vision import asks_sight
from rules.core.typed.patterns import spaces_in
from rules.core.typed.skeleton import same, skeleton
from rules.core.values import Ability, Combatant
from rules.dice.reading import parse_expression
from rules.errors import Malformed
from rules.systems.tactics import abilities
from rules.systems.tactics.state import MOVEMENT, ShortMovement, TacticsState

_PRICES = MappingProxyType(
    {
        abilities.RUNNING: "attacks on you have advantage this round",
        abilities.DISENGAGED: "your attacks at a disadvantage until the end of round {next}",
        abilities.DEFENDING: "attacks on you are at a disadvantage until your next Battle turn",
    }
)
WALK = "Walk"
RUN = "Run"
CHARGE = "Charge"
DISENGAGE = "Disengage"

MOST_SQUARES = 200
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
    """A way to move: its squares, whether it provokes, whether it needs a charge's line, what it does to the mover.

    `more` is what its words say that happens to the mover.
    """

    name: str
    squares: int
    provokes: bool = True
    charge: bool = False
    effect: Inflict | None = None
    more: tuple[Effect, ...] = ()


class BattlePower(Frozen):
    """Who a power or item of the battle phase reaches, and how often. `spaces` None: it reaches everywhere.

    `most` is how many targets it may have, None any number.
    """

    name: str
    spaces: int | None = 1
    uses: int | None = None
    most: int | None = 1
    asks_sight: bool = True


# What a sheet says


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
    if not text:
        return spaces_said(ability, abilities.DIALECT) or 1
    if text in ("melee", "adjacent"):
        return 1
    if text in ("any", "all", "unlimited", "sight"):
        return None
    match = re.fullmatch(r"(\d{1,3})(?: *(?:squares?|spaces?))?", text)
    if not match:
        raise Malformed(f"{ability.name}: {text[:40]} is not a range.", instead="Write a number of squares, or any.")
    return spaces_said(ability, abilities.DIALECT, int(match[1]))


def read_power(ability: Ability) -> BattlePower:
    """Read a power of the battle phase, or an item. Raises: Malformed."""
    for key in ("damage", "heal"):
        if ability.field(key):
            parse_expression(ability.field(key))
    abilities.read_effect(ability)
    uses = ability.field("uses")
    if uses and not uses.isdecimal():
        raise Malformed(f"{ability.name}: {uses[:40]} is not a number of uses.", instead="For example uses 3.")
    return BattlePower(
        name=ability.name,
        spaces=read_spaces(ability),
        uses=int(uses) if uses else None,
        most=abilities.deed_of(ability).most,
        asks_sight=asks_sight(ability),
    )


def check_ability(ability: Ability) -> None:
    """Refuse a power that cannot be read in play. Raises: Malformed."""
    if abilities.is_movement(ability):
        read_squares(ability.field("distance", "SPD"), 1)
        abilities.read_effect(ability)
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
        MovePower(name=RUN, squares=squares("run"), effect=abilities.inflict(abilities.RUNNING, 1)),
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
        effect=abilities.inflict(abilities.DISENGAGED, 2),
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
        if abilities.is_movement(ability)
    }
    return (*(power for name, power in usual.items() if name not in own), *own.values())


def _own_move(ability: Ability, speed: int, usual: MovePower | None) -> MovePower:
    """Return a movement power of a sheet: one with a default's name does what that does, unless the sheet says else."""
    base = usual or MovePower(name=ability.name, squares=min(speed, MOST_SQUARES))
    distance, provoking, line = (ability.field(key) for key in ("distance", "provokes", "line"))
    said = abilities.deed_of(ability).always if abilities.is_for_mover(abilities.deed_of(ability)) else ()
    goes = next((each for each in said if isinstance(each, Go)), None) if not distance else None
    if goes is not None:
        base = base.evolve(
            squares=_squares_of(goes, speed),
            provokes=base.provokes and abilities.provokes(ability),
        )
    return base.evolve(
        name=ability.name,
        squares=read_squares(distance, speed) if distance else base.squares,
        provokes=provoking.casefold() not in abilities.NO if provoking else base.provokes,
        charge=line.casefold() not in abilities.NO if line else base.charge,
        effect=_own_effect(ability, base.effect),
        more=tuple(each for each in said if not isinstance(each, Go)),
    )


def _squares_of(goes: Go, speed: int) -> int:
    """Return how far somebody goes as a power's words say: `3 squares`, `half their speed`, `their spd+2`."""
    words = goes.far.replace("their ", "")
    if not words.endswith("speed") and "spd" not in words:
        return min(spaces_in(words) or 0, MOST_SQUARES)
    times = {"half": "0.5 ", "twice": "2 "}.get(words.split()[0], "")
    return read_squares(times + re.sub("^(?:half |twice )?(?:speed|spd)", "SPD", words), speed)


def _own_effect(ability: Ability, usual: Inflict | None) -> Inflict | None:
    name = ability.field("effect")
    return None if name and name.casefold() in abilities.NO else abilities.read_effect(ability) or usual


def find_power(state: TacticsState, who: str, name: str | None) -> MovePower:
    """Return a movement power by its exact name, else the usual one."""
    wanted = name or usual_move(state, who)
    return next(power for power in move_powers(state, who) if same(power.name, wanted))


def battle_abilities(combatant: Combatant) -> tuple[Ability, ...]:
    """Return the powers to attack with."""
    return tuple(filter(abilities.is_attack, combatant.abilities))


def used_abilities(combatant: Combatant) -> tuple[Ability, ...]:
    """Return the powers of battle that need no roll."""
    return tuple(filter(abilities.is_used, combatant.abilities))


def item_abilities(combatant: Combatant) -> tuple[Ability, ...]:
    return tuple(
        ability for ability in combatant.abilities if abilities.is_item(ability) and ability.field("uses") != "0"
    )


def battle_power(combatant: Combatant, name: str | None) -> BattlePower:
    """Return a power or item by its name; a plain attack on a neighbour if none is named."""
    ability = combatant.ability(name) if name else None
    return BattlePower(name="") if ability is None else read_power(ability)
