"""The refusals that are said in many places, a function for each sentence; the caller cites the rule.

A sentence that one system alone says twice has its function there.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.typed.names import shown
from rules.errors import Ambiguous, Illegal, Malformed

JOIN = "Bring one in with /join."
_NAME_A_CELL = "Name a cell, such as C4."


# Whose it is, and when


def not_yours(who: str, instead: str = "Only its player, their stand-in or the GM can act.") -> Illegal:
    """Say that somebody is another's. Rule: G-03."""
    return Illegal(f"{who} is not yours.", rule="G-03", instead=instead)


def somebody_elses(what: str, *, instead: str) -> Illegal:
    """Say that something kept belongs to another."""
    return Illegal(f"{what} belongs to somebody else.", instead=instead)


def require_share(owners: Sequence[str], who: str | None, most: int, what: str, command: str) -> None:
    """Leave the others half of a server's places. Raises: Illegal."""
    if sum(owner == who for owner in owners) >= most // 2:
        raise Illegal(
            f"You have {most // 2} {what} on this server; the other half of its {most} places is for others.",
            instead=f"Make room with {command}.",
        )


def for_the_gm(*, instead: str) -> Illegal:
    """Say that only the GM of an encounter may."""
    return Illegal("Only the encounter's GM can do that.", instead=instead)


def no_character(instead: str = JOIN) -> Illegal:
    """Say that somebody plays nobody here. Rule: G-03."""
    return Illegal("You have no character here.", rule="G-03", instead=instead)


def several_meant(names: tuple[str, ...]) -> Ambiguous:
    """Say that one of several has to be named."""
    return Ambiguous("You could mean several.", candidates=names, instead=f"Add character: and one of {shown(names)}.")


def no_encounter_yet(*, instead: str = "Open one with /encounter start or /init start.") -> Illegal:
    """Say that nothing was ever played in a channel."""
    return Illegal("There has been no encounter in this channel.", instead=instead)


def not_begun(instead: str = "Open it with /encounter begin.") -> Illegal:
    """Say that the first round is still to come."""
    return Illegal("The encounter has not begun yet.", instead=instead)


def fight_over(why: str, *, rule: str | None, instead: str) -> Illegal:
    """Say that nothing is left to fight for."""
    return Illegal(f"The fight is over: {why}", rule=rule, instead=instead)


# Turns


def negative_amount(instead: str) -> Malformed:
    """Say that an amount takes no minus."""
    return Malformed("An amount has to be 0 or more.", instead=instead)


def not_turn(who: str, *, rule: str, instead: str) -> Illegal:
    return Illegal(f"It is not {who}'s turn.", rule=rule, instead=instead)


def had_turn(who: str, *, rule: str, instead: str | None = None) -> Illegal:
    return Illegal(f"{who} has already had this round's turn.", rule=rule, instead=instead)


def unknown(who: str, *, rule: str) -> Illegal:
    show = f"Show them first with /gm reveal target:{who}."
    return Illegal(f"{who} is still unknown to players.", rule=rule, instead=show)


def is_out(who: str, *, rule: str, instead: str = "/gm heal brings somebody back.") -> Illegal:
    return Illegal(f"{who} is out.", rule=rule, instead=instead)


def not_delayed(who: str, *, rule: str, instead: str) -> Illegal:
    return Illegal(f"{who} has not delayed.", rule=rule, instead=instead)


def nobody_to_wait_for(*, rule: str, instead: str) -> Illegal:
    return Illegal("There is nobody left to wait for.", rule=rule, instead=instead)


def too_many_orders(who: str, count: int) -> Illegal:
    return Illegal(f"{who} has {count} orders.", instead="Take one back first, on your panel.")


# The board and maps


def no_board(*, instead: str = "Lay one out with /board size size:20x15.") -> Illegal:
    return Illegal("There is no board here.", rule="G-06", instead=instead)


def off_board(who: str, *, instead: str = "Put them there with /board place.") -> Illegal:
    return Illegal(f"{who} is not on the board.", rule="G-06", instead=instead)


def none_on_board(*, instead: str) -> Illegal:
    return Illegal("None of your characters is on the board.", rule="G-06", instead=instead)


def out_of_sight(who: str, *, instead: str = _NAME_A_CELL) -> Illegal:
    return Illegal(f"{who} is out of sight.", rule="G-06", instead=instead)


def which_cells(*, instead: str) -> Malformed:
    return Malformed("Say which cells with the option cells.", instead=instead)


def too_long_a_place(most: int, length: int) -> Malformed:
    return Malformed(
        f"A place's name can have {most} characters at most; this one has {length}.", instead="Shorten it."
    )


def too_large_a_map(width: int, height: int, most: int, *, instead: str) -> Malformed:
    return Malformed(f"That map has {width} × {height} cells; it can have {most} × {most} at most.", instead=instead)


SMALLER_FILE = "Export a smaller part of it."


def too_many_points(most: int) -> Malformed:
    return Malformed(f"That file has more than {most:,} points.", instead=SMALLER_FILE)


def too_many_doors(most: int) -> Malformed:
    return Malformed(f"That map has more than {most} doors.", instead="The option part takes a piece of it.")


# What was typed


def changes_nothing(*, instead: str | None = None) -> Illegal:
    return Illegal("That would change nothing.", instead=instead)


def no_action(word: str, *, rule: str | None = None, instead: str) -> Malformed:
    return Malformed(f"{word} is not an action.", rule=rule, instead=instead)


def no_number(text: str, *, instead: str) -> Malformed:
    return Malformed(f"{text} is not a number.", instead=instead)


def no_whole_number(text: str, *, instead: str) -> Malformed:
    return Malformed(f"{text} is not a whole number.", instead=instead)


def no_duration(what: str, text: str, *, rule: str | None = None, instead: str) -> Malformed:
    return Malformed(f"{what}: {text} is not a duration.", rule=rule, instead=instead)


def to_whom() -> Malformed:
    return Malformed("Say who gets it with the option to.", instead="Mention the player.")


def which_cards(*, instead: str = "/hand show lists your cards.") -> Malformed:
    return Malformed("Say which cards with the option cards.", instead=instead)


def nothing_to_shuffle(*, rule: str | None = None) -> Illegal:
    return Illegal("The pile is empty, so there is nothing to shuffle.", rule=rule)


def no_physical_dice(*, instead: str) -> Illegal:
    """Say that a table takes no faces that somebody types. Rule: G-02."""
    return Illegal("This table does not take physical dice.", rule="G-02", instead=instead)


def unasked_faces(count: int) -> Illegal:
    return Illegal(f"I did not ask for {count} of the faces that you typed.")


def no_json(*, instead: str) -> Malformed:
    return Malformed("That file is not JSON.", instead=instead)


def too_many_keys(most: int, count: int) -> Malformed:
    return Malformed(f"A sheet can have {most} keys; this one has {count}.")


def too_long(what: str, text: str, most: int) -> Malformed:
    return Malformed(f"{what} has {len(text):,} characters; {most:,} are allowed.", instead="Shorten it.")


def too_many_abilities(most: int, count: int) -> Malformed:
    return Malformed(f"A character can have {most} abilities; this one has {count}.")


def cannot_be(text: str, *, instead: str) -> Malformed:
    """Say what a value of a sheet is not; the caller puts its key before it."""
    return Malformed(f"can't be {text[:40]}.", instead=instead)


def is_taken(what: str, *, instead: str, rule: str | None = None) -> Illegal:
    """Say that a name or a cell is another's already."""
    return Illegal(f"{what} is already taken.", rule=rule, instead=instead)
