"""What a text may mean if popular tools make different rolls of it, and what is hidden: asked before it is rolled."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from rules.dice.operators import clean
from rules.dice.refused import RefusedDice
from rules.dice.tree import Expression
from rules.errors import Malformed, Refusal

_POOL_COMPARED = re.compile(r"^((?:\d+x )?)(\d+d\d+(?:[erm][a-z]*[<>=]*\d+|!)*) (>=|<=|==|>|<) (?=\d)")
_EXPLODING = re.compile(r"(d(\d+)(?:[a-z]+[<>=]*\d+)*(?:[kp][hl]?=?\d+|(?=!p)))!")


class Asked(Exception):  # noqa: N818 - the reader makes a question of it
    """A form whose meaning is open, with the choices."""

    def __init__(self, kind: str, choices: tuple[str, ...]) -> None:
        super().__init__(kind)
        self.kind = kind
        self.choices = choices


class Meaning(NamedTuple):
    """One meaning of a text: what was chosen for which kind of form, and a text that means it alone."""

    kind: str
    choice: str
    text: str


class SeveralMeanings(RefusedDice, Malformed):
    """Dice that popular tools roll differently. Nothing is rolled before one is chosen."""

    def __init__(self, typed: str, meanings: tuple[Meaning, ...]) -> None:
        super().__init__(f"I have rolled nothing yet: “{clean(typed)[:200]}” can mean several things.")
        self.typed = typed
        self.meanings = meanings
        self.mean(meanings[0].text, tuple(meaning.text for meaning in meanings[1:]))

    def within(self, before: str, behind: str) -> None:
        self.meanings = tuple(meaning._replace(text=f"{before}{meaning.text}{behind}") for meaning in self.meanings)
        super().within(before, behind)


class SecretDice(RefusedDice, Malformed):
    """Dice that are typed as a roll for the GM: offered so, and never rolled for everybody."""

    def __init__(self, dice: str, show: str) -> None:
        super().__init__(
            "You wrote that as a hidden roll, and I have rolled nothing yet.",
            instead=f"To hide it, use the option show:{show} of /roll; if there is no such option, type only the dice.",
        )
        self.show = show
        self.nearest = dice


def meanings_of(text: str, asked: Asked, read: Callable[[Mapping[str, str]], Expression]) -> Expression:
    """Read a text in each of its meanings; return it, if all that can be rolled are the same.

    Raises: SeveralMeanings, or what refuses them all.
    """
    found: dict[str, Meaning] = {}
    only: Expression | None = None
    refused: Refusal | None = None
    for choice in asked.choices:
        try:
            only = read({asked.kind: choice})
        except SeveralMeanings as more:
            for meaning in more.meanings:
                found.setdefault(meaning.text, Meaning(asked.kind, choice, meaning.text))
        except Refusal as slip:
            refused = refused or slip
        else:
            plain = unambiguous(only)
            found.setdefault(plain, Meaning(asked.kind, choice, plain))
    if len(found) > 1 or (found and (only is None or refused is not None)):  # the last one left is no more certain
        raise SeveralMeanings(text, tuple(found.values()))
    if only is None:
        assert refused is not None  # noqa: S101 - each choice is read or refused
        raise refused
    return only


def unambiguous(expression: Expression) -> str:
    """Write a roll so that nobody reads it otherwise.

    >>> from rules.dice.grammar import read_grammar
    >>> unambiguous(read_grammar("4d6k3 + 1d6e6")), unambiguous(read_grammar("6d10>=7"))
    ('4d6k=3 + 1d6!', '(6d10) >= 7')
    >>> unambiguous(read_grammar("5d6e5 # fire k3")), unambiguous(read_grammar("6d10s7"))
    ('5d6e=5 # fire k3', '6d10s=7')
    """
    body, mark, comment = expression.text.partition(" # ")
    body = re.sub(r"(?<=[\d)!])([kse])(?=\d)", r"\1=", body)
    body = _EXPLODING.sub(r"\1e=\2", body)
    body = re.sub(r"^\+(?=\d*d)|^-(?=2d20)", lambda sign: "-1 * " if sign[0] == "-" else "", body)
    body = _POOL_COMPARED.sub(r"\1(\2) \3 ", body)
    return f"{body}{mark}{comment}"


def marked(text: str, place: int) -> str:
    """Show a text with a place in it."""
    begins = max(0, place - 40)
    before, rest = text[begins:place], text[place:]
    word = re.match(r"\w+|\S?", rest)
    got = word[0] if word else ""
    behind = rest[len(got) : len(got) + 40]
    shown = f"{'…' if begins else ''}{before}»{got[:40]}«{behind}{'…' if len(rest) > len(got) + 40 else ''}"
    return clean(" ".join(shown.split()))
