"""The refusals that are said in many places, each in one sentence."""

from __future__ import annotations

from rules.errors import Illegal

JOIN = "/join brings one in."


def not_yours(who: str, instead: str = "Only its player, a stand-in or the GM acts.") -> Illegal:
    """Say that somebody is another's. Rule: G-03."""
    return Illegal(f"{who} is not yours.", rule="G-03", instead=instead)


def no_character(instead: str = JOIN) -> Illegal:
    """Say that somebody plays nobody here. Rule: G-03."""
    return Illegal("You have no character here.", rule="G-03", instead=instead)


def not_begun(instead: str = "/encounter begin opens it.") -> Illegal:
    """Say that the first round is still to come."""
    return Illegal("The encounter has not begun.", instead=instead)
