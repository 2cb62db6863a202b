"""What may be done now, as it is shown: an offer, what it takes, and what is said of it before it is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from rules.core.model import Frozen
from rules.core.typed.names import shown
from rules.errors import Illegal

Takes = Literal["target", "using", "cards", "to", "amount", "note"]
TAKEN: tuple[Takes, ...] = ("target", "using", "cards", "to", "amount", "note")


class Param(Frozen):
    """One thing that an action takes.

    `choices` are the values that would be accepted now (None: free text or a number). `nameable` are all
    values that can be named at all, so that `do` can refuse one that is real but not possible, with its rule;
    by default it is `choices`. `many` allows a comma list. `free` choices are suggestions: `do` reads the text
    itself (a path, cards with copies); with a universe, all that the text names must be in it. `least` and `most`
    bound a number, or the words of a note; `rule` is cited when they refuse. `unsaid` is the refusal of a required
    value that was left out, if the choices alone would not say why it is asked for. `implied` is what an optional
    value that is left out comes to. `notes` say of choices what they cost and bring: a select shows them below each.
    `bundles` are whole values of a list (`many`), such as the cards that pay for something: what a menu of whole
    actions has in place of each choice alone. `in_menus`: a menu of your own offers it, the buttons that all see do
    without.
    """

    name: Takes
    label: str = ""
    choices: tuple[str, ...] | None = None
    nameable: tuple[str, ...] | None = None
    required: bool = True
    many: bool = False
    free: bool = False
    least: int | None = None
    most: int | None = None
    rule: str | None = None
    unsaid: str = ""
    implied: str = ""
    bundles: tuple[str, ...] = ()
    in_menus: bool = False
    notes: Mapping[str, str] = Field(default_factory=dict)  # a plain {} would be copied deeply for each


class Prospect(Frozen):
    """What is said of an action, with all that it takes, before it is done.

    `rank` puts the ways to do one action in order, the most useful first. `price` says what it
    costs, on its button too; `notes` what it needs to hit, `odds` how likely that is, if everybody may read both
    numbers. `asks` is why one press more is asked for: it would hit an ally, spend the last of something, lose
    something for good. `moot` says why it would do nothing: no menu has it then.
    """

    rank: int = 0
    price: str = ""
    notes: str = ""
    odds: str = ""
    asks: str = ""
    moot: str = ""


class Offer(Frozen):
    """A legal action of one actor: what prompts, buttons, panels and autocompletion show.

    `player_wide`: it is the player's, and the same for each of their characters. `words` is how a button names it with
    what it takes, if this actor's differ from the usual ones.
    """

    action: str
    who: str
    label: str
    params: tuple[Param, ...] = ()
    button_rank: int = 0
    player_wide: bool = False
    words: str = ""

    @property
    def needs_nothing(self) -> bool:
        """Tell whether one tap is enough."""
        return not any(param.required for param in self.params)


def needs(label: str, param: Param) -> str:
    """Say what an action lacks."""
    return f"{label} needs {param.label or param.name} (option {param.name})."


def possible(param: Param) -> str | None:
    """Say what would be taken; None if anything is."""
    if param.choices:
        return f"Possible: {shown(param.choices)}."
    if param.least is not None or param.most is not None:
        return (
            f"From {param.least if param.least is not None else 0} to {param.most if param.most is not None else '…'}."
        )
    return None


def check_number(label: str, param: Param, given: int) -> None:
    """Refuse a number out of bounds. Raises: Illegal."""
    if (param.least is not None and given < param.least) or (param.most is not None and given > param.most):
        raise Illegal(f"{label} can't take {given} here.", rule=param.rule, instead=possible(param))


def check_words(label: str, param: Param, given: int) -> None:
    """Refuse more words than are allowed. Raises: Illegal."""
    if param.most is not None and given > param.most:
        raise Illegal(
            f"{label}: that is {given} words.", rule=param.rule, instead=f"You can say {param.most} at most right now."
        )
