"""A verb of the core, told in one place: what it does, who may, and of a ruling what is typed and what help says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from rules.core.command import Command
from rules.core.commands.rights import Role
from rules.core.step import Step
from rules.core.values import Seat

Typed = Literal["text", "number", "flag", "person", "file"]
_RULING = "gm "


def is_ruling(action: str) -> bool:
    """Tell whether a GM decides by this action over the rules: it is one of the group /gm. Rule: G-01."""
    return action.startswith(_RULING)


@dataclass(frozen=True, slots=True)
class Given:
    """One option of a ruling's command.

    `names` says what it names, for the suggestions: a source of theirs; `among` another option, of whose names it takes
    some. `many` is a list; `copies` allows `2x` before each. A `person` is given by id, and by name under `…_name`.
    """

    name: str
    about: str
    typed: Typed = "text"
    required: bool = False
    names: str = ""
    among: str = ""
    many: bool = False
    copies: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    key: str = ""  # what the rules call it, if people read another word

    @property
    def into(self) -> str:
        return self.key or self.name


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A verb without a right is nobody's: it is refused. `about` and `options` make a ruling's command and its help."""

    id: str
    do: Callable[[Step[Any], Command], None]
    right: Role = Role.NOBODY
    about: str = ""
    options: tuple[Given, ...] = ()

    @property
    def is_ruling(self) -> bool:
        """Tell whether a GM decides by it over the rules. Rule: G-01."""
        return is_ruling(self.id)

    @property
    def word(self) -> str:
        """Return what people type of a ruling: `heal`, behind /gm."""
        return self.id.removeprefix(_RULING)

    def is_ruling_of(self, seat: Seat) -> bool:
        """Tell whether somebody decides by it over the rules: what a player does with their own is a step of theirs."""
        return self.is_ruling and (seat.gm or self.right is not Role.PLAYER)


# What many rulings take

ONE = Given("target", "Whom", required=True, names="combatants")
SEVERAL = Given("target", "Whose; separate several with commas", required=True, names="combatants", many=True)
ACTORS = Given("target", "Who; separate several with commas", required=True, names="creators", many=True)
ACTOR = Given("target", "Whom", required=True, names="creators")
