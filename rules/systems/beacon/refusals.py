"""The refusals that Beacon says in several places, each in one sentence."""

from __future__ import annotations

from rules.errors import Illegal


def turn_of(who: str) -> Illegal:
    """Say that another's turn is under way. Rule: BE-02."""
    return Illegal(f"{who} has the turn.", rule="BE-02", instead="You can act when it is over.")


def other_side(*, instead: str) -> Illegal:
    """Say that turns change sides. Rule: BE-02."""
    return Illegal("The other side has the next turn.", rule="BE-02", instead=instead)


def has_taken(who: str, *, instead: str | None) -> Illegal:
    """Say that there is one turn a round. Rule: BE-02."""
    return Illegal(f"{who} has already taken a turn this round.", rule="BE-02", instead=instead)


def out_of_round(who: str) -> Illegal:
    """Say that somebody takes no part in the round. Rule: BE-02."""
    return Illegal(f"{who} is out of the round.", rule="BE-02", instead="/condition remove brings them back.")


def no_ability(who: str, name: str, *, rule: str, instead: str = "/character show lists them.") -> Illegal:
    """Say that nothing on a sheet is called so."""
    return Illegal(f"{who} has no ability {name}.", rule=rule, instead=instead)


def slow(ability: str) -> Illegal:
    """Say that an ability takes a Full Attack. Rule: BE-18."""
    return Illegal(f"{ability} is Slow.", rule="BE-18", instead="Use it with full-attack.")


def channeled(ability: str) -> Illegal:
    """Say that an ability is channeled first. Rule: BE-12."""
    return Illegal(f"{ability} has to be channeled.", rule="BE-12", instead="Use channel, then release.")


def channels_nothing(who: str, *, rule: str) -> Illegal:
    return Illegal(f"{who} is not channeling anything.", rule=rule, instead="Use channel, in CHANNEL.")


def disarmed(who: str, *, instead: str) -> Illegal:
    """Say that the disarmed attack with no weapon. Rule: BE-25."""
    return Illegal(f"{who} is DISARMED and can't attack with weapons.", rule="BE-25", instead=instead)


def not_oneself(*, rule: str, instead: str = "Choose another target.") -> Illegal:
    return Illegal("You can't attack yourself.", rule=rule, instead=instead)
