"""What abilities do with stones and with standard attacks (the words for it are in `words`).

Rule: ST-03, ST-11, ST-13.
"""

from __future__ import annotations

import re
from typing import Any

from rules.core.blow import Check, Damage, Deed
from rules.core.blows import flow
from rules.core.cards import counted
from rules.core.step import Step
from rules.core.turns.fallen import is_out
from rules.core.values import Ability
from rules.systems.stones.paying import draw
from rules.systems.stones.piles import discard, hand_over
from rules.systems.stones.players import StonesStep, holder_of, number, player_name, player_of, stones_words

NO_ARMOR = "ignores armor"
_VERB = re.compile(
    r"(?:takes (?P<attacks>[0-9]+|a) standard attacks?|(?P<stones>draws|discards|hands over) (?P<count>[0-9]+) stones?)"
    r"(?: with (?:\+(?P<more>[0-9]+)|(?P<double>double)) ATK)?(?P<bare>, ignoring armor)?.*"
)


def do(step: Step[Any], source: str, who: str, verb: str) -> None:
    """Do to somebody what an ability of another says. Rule: ST-03, ST-13."""
    match = _VERB.fullmatch(verb)
    if match is None:
        return
    if match["stones"] == "draws":
        step.tell("{who} draws {count}.", who=who, count=stones_words(int(match["count"])))
        draw(step, player_of(step.state, who), int(match["count"]))
    elif match["stones"]:
        _lose(step, source, who, int(match["count"]), steals=match["stones"] == "hands over")
    elif is_out(step.state, who):
        step.tell("{target} is already incapacitated, so there is no {what}.", target=who, what="Standard Attack")
    else:
        times = 1 if match["attacks"] == "a" else int(match["attacks"])
        attack = number(step.state, source, "ATK")
        attack = 2 * attack if match["double"] else attack + int(match["more"] or 0)
        begin_attack(step, source, who, attack, times=times, bare=match["bare"] is not None, goes_on=False)


def begin_attack(
    step: StonesStep,
    who: str,
    target: str,
    attack: int | None = None,
    *,
    times: int = 1,
    bare: bool = False,
    goes_on: bool = True,
) -> None:
    """Begin a standard attack, with ATK as it is now if no other is said, or several. `bare`: no armor counts.

    Rule: ST-11.
    """
    attack = number(step.state, who, "ATK") if attack is None else attack
    traits = (NO_ARMOR,) if bare else ()
    deed = Deed(check=Check(), hit=(Damage(damage=str(max(0, attack))),), traits=traits)
    acts = [flow.Act(who, Ability(name=""), deed, (target,))] * times
    flow.begin(step, *acts, goes_on=goes_on)


def _lose(step: StonesStep, source: str, who: str, count: int, *, steals: bool) -> None:
    """Take stones of a hand that nobody chooses: the user gets them, or they are discarded, face up."""
    state, player, user = step.state, player_of(step.state, who), player_of(step.state, source)
    left, lost = list(state.hands.get(player, ())), list[str]()
    while left and len(lost) < count:
        at = 0 if len(left) == 1 else step.die(len(left), who=source, purpose="a stone at random").face - 1
        lost.append(left.pop(at))
    cards, whose, by = tuple(lost), player_name(state, player), player_name(state, user)
    if steals and player != user:
        hand_over(step, player, user, cards)
        step.tell("{by} takes {count} of {who} at random.", who=whose, by=by, count=stones_words(len(cards)))
        if cards:
            seen_by = (holder_of(state, player), holder_of(state, user))
            step.tell("{by} took from {who}: {cards}.", who=whose, by=by, cards=counted(cards), seen_by=seen_by)
    else:
        discard(step, player, cards)
        step.tell("{who} discards at random: {cards}.", cards=counted(cards) or "nothing", who=whose)
