"""Health by hand: damage and healing of several, temporary points first. Rule: G-01."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from rules.core import refusals
from rules.core.blows.health import change_health, give_temporary, is_temporary
from rules.core.command import Command
from rules.core.commands.naming import targets
from rules.core.registry import system_of
from rules.core.several import several
from rules.core.sheets.numbers import numbers_of, with_numbers
from rules.core.step import GM_ONLY, Step
from rules.core.typed.names import shown
from rules.core.values import Combatant
from rules.dice.meanings import unambiguous
from rules.dice.reading import Names, one_roll
from rules.dice.refused import RefusedDice
from rules.dice.signs import usual_signs
from rules.errors import Malformed, Refusal

_BY_HAND = {"damage": -1, "heal": 1}
_HALF = re.compile(r"half (\S.*)", re.IGNORECASE)
_TYPE = re.compile(r"(?!damage$)([^\W\d_]+)(?: damage)?", re.IGNORECASE)  # a comment that says it


def damage(step: Step[Any], command: Command) -> None:
    """Take health off several combatants; temporary points first; armor is ignored. Args: amount, type, half."""
    _require_own(step, targets(step, command.target))
    _change_health(step, command, -1)


def heal(step: Step[Any], command: Command) -> None:
    """Give health back to several combatants; it stops at the maximum. Args: amount."""
    _require_own(step, targets(step, command.target))
    _change_health(step, command, 1)


def is_by_hand(step: Step[Any], command: Command) -> bool:
    """Tell whether somebody damages or heals by hand: an action of the core if the system has none of that name."""
    active = step.table.active
    return active is not None and command.action in _BY_HAND and command.action not in system_of(active).actions.by_id


def by_hand(step: Step[Any], command: Command) -> None:
    """Damage or heal as a player's step; `note` may say who takes half (`half Bo, Cai`). Rule: CL-17."""
    if command.text("when") is not None:
        raise Malformed(
            f"{command.action.capitalize()} by hand happens at once. It can't wait for your turn.",
            rule="CL-17",
            instead="Leave out when, or order an action of yours: action:attack when:my-turn",
        )
    half = _HALF.fullmatch((command.note or "").strip())
    if command.note and half is None:
        raise Malformed("The note says who takes half.", rule="CL-17", instead="note:half Bo, Cai")
    amount = command.text("amount") or ("" if command.amount is None else str(command.amount))
    given = {"amount": amount, "half": None if half is None else half[1]}
    if step.option("hands") != "players":
        _require_own(step, targets(step, command.target))
    _change_health(step, command.evolve(args=given), _BY_HAND[command.action])


def _change_health(step: Step[Any], command: Command, sign: int) -> None:
    whom = targets(step, command.target)
    own = _acting_for(step)
    numbers = {} if own is None else numbers_of(own)
    text, said = _amount_and_type(usual_signs(command.text("amount") or "").strip(), numbers)
    kind = command.text("type") or said
    halves: tuple[str, ...] = ()
    half = command.text("half")
    if half is not None:
        halves = several(step.state, half, whom, "target that takes half")
    if re.fullmatch(r"-\s*[0-9]+", text):
        plus = text.strip(" -")
        raise refusals.negative_amount(
            f"For the opposite there is /gm {'heal' if sign < 0 else 'damage'} amount:{plus}."
        )
    if re.fullmatch(r"[0-9]+", text):
        if len(text) > 10 or int(text) > 10**9:
            raise Malformed("That amount is too large.", instead="Use 1000000000 at most.")
        amount = int(text)
    else:
        if not text:
            raise Malformed(
                "Say how much with the option amount.", instead="Write a number or dice, such as 7 or 2d6+1."
            )
        named = own is not None and with_numbers(text, numbers) != text
        try:
            amount, rolled = step.roll(
                text,
                purpose="damage" if sign < 0 else "healing",
                on=(*whom, own.name) if own is not None and named else whom,
                numbers=numbers,
            )
        except RefusedDice as refused:
            refused.reason = f"I can't roll amount:{text[:40]}. {refused.reason}"
            raise
        step.tell("{what}: {roll}.", what="Damage" if sign < 0 else "Healing", roll=rolled)
        amount = max(0, amount)
    if sign > 0 and is_temporary(kind or ""):
        for who in whom:
            give_temporary(step, who, amount // 2 if who in halves else amount)
        return
    able = [who for who in whom if system_of(step.state).health in step.combatant(who).pools]
    for who in able or whom:  # if none has any, the first says what is missing
        share = amount // 2 if who in halves else amount
        change_health(step, who, sign * share, kind)
    unable = [who for who in whom if who not in able]
    if unable:
        step.tell(
            "I left out {names}, who {verb} no {health}.",
            names=shown(unable),
            verb="has" if len(unable) == 1 else "have",
            health=system_of(step.state).health,
            seen_by=_typer(step),
        )


def _amount_and_type(text: str, numbers: Names) -> tuple[str, str | None]:
    """Part `2d6+3 fire` and `5 temp` into what is rolled and the type; `4d6 kh` is all dice, `2d6 # luck` a reason."""
    with suppress(Refusal):  # it is refused as it is rolled
        read = one_roll(text, numbers)
        if "#" not in text and (match := _TYPE.fullmatch(read.comment)) is not None:
            return unambiguous(read.bare), match[1]
    return text, None


def _typer(step: Step[Any]) -> tuple[str, ...]:
    """Return who reads what is said to the one who typed a command."""
    return GM_ONLY if step.seat.user is None else (*GM_ONLY, step.seat.user)


def _require_own(step: Step[Any], whom: tuple[str, ...]) -> None:
    """Refuse players what is not their own; their own health they count themselves. Raises: Illegal."""
    strangers = [who for who in whom if not step.seat.gm and not step.seat.owns(step.combatant(who))]
    if strangers and step.seat.user is not None:
        raise refusals.not_yours(strangers[0], "Name your own character, or ask the GM.")


def _acting_for(step: Step[Any]) -> Combatant | None:
    """Return whose numbers somebody means who types dice: their own character's, a GM's whose turn it is."""
    state, seat = step.state, step.seat
    acting = system_of(state).turn(state) if state.status == "running" else ()
    own = [combatant for combatant in state.combatants if seat.owns(combatant)]
    own += [
        combatant for combatant in state.combatants if seat.gm and combatant.owner is None and combatant.name in acting
    ]
    own.sort(key=lambda each: each.name not in acting)
    return own[0] if own else None
