"""What a text is found to mean, piece by piece: what the grammar will read, with the place of each piece."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.dice import forms
from rules.dice.meanings import Asked, marked
from rules.dice.operators import quoted
from rules.dice.refused import UnreadableDice
from rules.dice.signs import usual_signs, visible
from rules.dice.tree import MOST_SOURCES

Numbers = Mapping[str, str]  # somebody's numbers by name: whole numbers, or dice
Dialect = Mapping[str, str]  # by kind of form what it means to somebody: `forms.KINDS`


class Pieces:
    """One text and what was found in it. `pieces` are what it means, with the place in the text of each."""

    def __init__(self, text: str, numbers: Numbers, dialect: Dialect) -> None:
        self.typed = visible(text)
        self.text = usual_signs(self.typed)
        self.comment = ""
        self.numbers = {usual_signs(name).casefold(): (name, value) for name, value in numbers.items()}
        self.dialect = dialect
        self.at = 0
        self.pieces: list[tuple[str, int]] = []
        self.repeats = ""
        self.edge = ""
        self.target = ""  # what dice are counted against by t7: >=7
        self.is_bare = False  # whether they are counted by a comparison alone: 6d10>7
        self.dice: list[int] = []  # the pieces that are dice
        self.ends: list[int] = []  # the ends of dice in the text, with their operators
        self.edges: dict[int, str] = {}  # the advantage of a d20, by its place among the dice
        self.behind_dice = False
        self.closings: list[str] = []  # what comes before each parenthesis that is still open
        self.compared = ""  # what a saved roll is compared with
        self.reason = ""
        self.warnings: list[str] = []

    def _choose(self, kind: str, choices: Mapping[str, str]) -> str:
        """Return how a form is written, as its author means it. Raises: Asked, if that is open."""
        chosen = self.dialect.get(kind)
        if chosen is None or chosen not in choices:
            raise Asked(kind, tuple(choices))
        return choices[chosen]

    # What was found

    def _skip(self, pattern: re.Pattern[str]) -> None:
        if match := pattern.match(self.text, self.at):
            self.at = match.end()

    def _skip_space(self) -> bool:
        before, self.at = self.at, forms.space_end(self.text, self.at)
        return self.at > before

    def _add(self, piece: str, *, spaced: bool = True) -> None:
        last = self.pieces[-1][0] if self.pieces else ""
        if spaced and last and last[-1:].isalnum() and piece[:1].isalnum():
            self.pieces.append((" ", self.at))
        self.pieces.append((piece, self.at))

    def _insert(self, which: int, written: str) -> None:
        """Put an operator after those of one of the dice, before its count of successes."""
        piece = self.dice[which]
        while piece + 1 < len(self.pieces) and forms.WRITTEN.fullmatch(self.pieces[piece + 1][0]):
            piece += 1
        self.pieces.insert(piece + 1, (written, self.at))
        self.dice = [at if at <= piece else at + 1 for at in self.dice]

    def _sides(self) -> int:
        """Return how many sides the last dice have; 0 if they are none, or have faces of their own."""
        sides = self.pieces[self.dice[-1]][0].rpartition("d")[2] if self.dice else ""
        return int(sides) if sides.isdecimal() else 0

    def _name_here(self) -> tuple[str, str, int] | None:
        """Return the longest of somebody's names that is here, its value, and how long it is."""
        best: tuple[str, str, int] | None = None
        rest = self.text[self.at :].casefold() if self.numbers else ""
        for known, (name, value) in self.numbers.items():
            ends = rest[len(known) : len(known) + 1]
            is_whole = rest.startswith(known) and not (ends.isalnum() or ends == "_")
            if is_whole and (best is None or len(known) > best[2]):
                best = name, value, len(known)
        return best

    def _is_name(self, at: int) -> bool:
        return self._name_at(at) is not None or forms.CALL.match(self.text, forms.space_end(self.text, at)) is not None

    def _name_at(self, at: int) -> tuple[str, str, int] | None:
        before, self.at = self.at, forms.space_end(self.text, at)
        named = self._name_here()
        self.at = before
        return named

    def _is_structure(self, at: int) -> bool:
        """Say whether nothing but signs, numbers and dice begins there."""
        return forms.STRUCTURE.match(self.text, at) is not None

    def _note_edge(self, match: re.Match[str]) -> bool | None:
        """Keep advantage or disadvantage; directly after dice it is theirs. Return whether an operand follows."""
        kind = "adv" if match[1] else "dis"
        is_first = not self.pieces
        if self.behind_dice and self.dice and self.dice[-1] == len(self.pieces) - 1:
            self._give_edge(len(self.dice) - 1, kind, match[2])
        elif self.edge or (match[2] and not is_first):
            return None
        else:
            self.edge = kind
            if is_first and match[2]:
                self.at = match.start(2)
                return True
        self.at = match.end()
        return is_first

    # At the end

    def _apply_edge(self) -> None:
        """Give advantage or disadvantage to the one d20 of the text, or to its only dice."""
        if self.edge:
            d20s = [which for which in range(len(self.dice)) if self._is_d20(which)]
            fitting = d20s or list(range(len(self.dice)))
            if len(fitting) != 1:
                raise self._slip(len(self.text), quoted(self.edge), "it after one d20 (1d20adv) or after 2d6")
            self._give_edge(fitting[0], self.edge, None)
        for which, written in self.edges.items():
            piece, place = self.pieces[self.dice[which]]
            self.pieces[self.dice[which]] = "2d20" if piece else "", place
            self._insert(which, written)

    def _is_d20(self, which: int) -> bool:
        return re.fullmatch(r"1?d20", self.pieces[self.dice[which]][0], re.IGNORECASE) is not None

    def _give_edge(self, which: int, kind: str, sources: str | None) -> None:
        """Give one of the dice what `adv` or `dis` means after it: a second d20, else a die of its own."""
        if self.edges.get(which, f"k{'h' if kind == 'adv' else 'l'}1")[1] != ("h" if kind == "adv" else "l"):
            raise self._slip(len(self.text), quoted(kind), "only one of the two: advantage and disadvantage cancel out")
        if self._is_d20(which) and sources in {None, "1"}:
            self.edges[which] = "kh1" if kind == "adv" else "kl1"
            return
        place = self.dice[which]
        dice, at = self.pieces[place]
        number, _, sides = dice.casefold().partition("d")
        behind = self.pieces[place + 1][0] if place + 1 < len(self.pieces) else ""
        more = int(sources or 1)
        if not sides.isdecimal() or dice == "2d6" or more > MOST_SOURCES or forms.WRITTEN.fullmatch(behind):
            self._insert(which, f"{kind} {more}")
            return
        count, best = int(number or 1), f"k{'h' if kind == 'adv' else 'l'}"
        choices = {"best": f"{dice} {best}1"} if count > 1 and sides == "20" else {}
        choices["twice"] = f"({dice}, {dice}) {best}1" if count > 1 else f"2d{sides} {best}1"
        choices["more"] = f"{count + more}d{sides} {best}{count}"
        if sides == "100":
            choices["low"] = f"{count + more}d100 k{'l' if kind == 'adv' else 'h'}{count}"
        rolled, _, kept = self._choose("edge", choices).rpartition(" ")
        self.pieces[place] = rolled, at
        self._insert(which, kept)

    def _slip(self, at: int, got: str, expected: str, *offered: str) -> UnreadableDice:
        place = min(at, len(self.typed))
        slip = UnreadableDice(place + 1, got, expected, marked=marked(self.typed, place))
        slip.offered = offered
        return slip

    def _placed(self, slip: UnreadableDice) -> UnreadableDice:
        """Return a slip of the text that was made, at its place in the text that was typed."""
        at = slip.position - 1 - (len(self.repeats) + 2 if self.repeats else 0)
        place = len(self.text)
        for piece, begins in self.pieces:
            if at < len(piece):
                place = begins + min(at, max(at, 0))
                break
            at -= len(piece)
        place = min(place, len(self.typed.rstrip()))
        return UnreadableDice(
            place + 1, slip.got, slip.expected, instead=slip.instead, marked=marked(self.typed, place)
        )
