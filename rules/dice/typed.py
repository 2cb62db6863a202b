"""Brings what people type into the grammar: `1d20+5 adv`, `6 4d6 drop lowest`, `6d10 t7 f1`, `2d6+3 fire damage`.

A text is walked through once, from the left. What the grammar knows goes into the result as it stands; the readings of
other bots are written in the grammar's own way; words behind the last number become the reason. Each piece remembers
where it stood, so that a slip is shown in the text as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.dice import vocabulary
from rules.dice.grammar import MOST_CHARACTERS, UnreadableDice, read_grammar
from rules.dice.operators import clean, quoted
from rules.dice.tree import Expression

Numbers = Mapping[str, str]  # somebody's numbers by name: whole numbers, or dice


def read_typed(text: str, numbers: Numbers | None = None) -> Expression:
    """Read one roll as people type it; names are looked up in `numbers`.

    Raises: UnreadableDice with its place in the text as typed, Illegal where it breaks a limit.
    """
    return _Reader(text, numbers or {}).expression()


class _Reader:
    """Walks through one text. `pieces` are what it means, with the place in the text where each stood."""

    def __init__(self, text: str, numbers: Numbers) -> None:
        self.typed = text
        body, _, self.comment = (
            text.partition("#") if not vocabulary.REPEATS_FIRST.match(text) else vocabulary.without_comment(text)
        )
        self.text = vocabulary.folded(body)
        self.numbers = {name.casefold(): (name, value) for name, value in numbers.items()}
        self.at = 0
        self.pieces: list[tuple[str, int]] = []
        self.repeats = ""
        self.edge = ""
        self.dice: list[int] = []  # the pieces that are dice
        self.edges: dict[int, str] = {}  # the advantage of a d20, by its place among the dice
        self.behind_dice = False
        self.depth = 0
        self.reason = ""
        self.warnings: list[str] = []

    def expression(self) -> Expression:
        self._begin()
        is_operand = True
        while True:
            had_space = self._skip_space()
            if self.at >= len(self.text):
                break
            going = self._operand() if is_operand else self._behind(had_space=had_space)
            if going is None:
                self._give_up()
                break
            is_operand = going
        self._apply_edge()
        comment = ", ".join(part for part in (self.reason, clean(self.comment)) if part)
        made = "".join(piece for piece, _ in self.pieces)
        if len(made) > MOST_CHARACTERS:
            raise self._slip(0, "too many words", "a shorter text")
        try:
            expression = read_grammar((f"{self.repeats}x " if self.repeats else "") + made)
        except UnreadableDice as slip:
            raise self._placed(slip) from None
        read = Expression(expression.root, expression.terms, expression.repeats, comment)
        read.warnings = tuple(self.warnings)
        return read

    # Where it begins and ends

    def _begin(self) -> None:
        text = self.text
        found = vocabulary.COMMAND.match(text)
        if found:
            self.at = found.end()
        stripped = text.strip()
        if len(stripped) > 2 and stripped[0] == stripped[-1] and stripped[0] in vocabulary.QUOTES:
            self.text = text[: text.rindex(stripped[-1])]
            self.at = text.index(stripped[0]) + 1
        repeats = vocabulary.REPEATS_FIRST.match(self.text, self.at)
        if repeats:
            self.repeats = repeats[1]
            self.at = repeats.end()
            if "#" in repeats[0]:
                self.warnings.append(
                    f"`{clean(self.typed)}` is read as {repeats[1]} rolls; "
                    f"for the number {repeats[1]} with a comment, put a space before the #."
                )

    def _give_up(self) -> None:
        """Hand over what cannot be read as it stands, so that the grammar says what is wrong with it."""
        self._add(self.text[self.at :])

    def _skip_space(self) -> bool:
        before = self.at
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at > before

    def _add(self, piece: str, *, spaced: bool = True) -> None:
        last = self.pieces[-1][0] if self.pieces else ""
        if spaced and last and last[-1].isalnum() and piece[:1].isalnum():
            self.pieces.append((" ", self.at))
        self.pieces.append((piece, self.at))

    # An operand

    def _operand(self) -> bool | None:
        """Read one; say whether another one is expected behind it, None where it cannot be read."""
        text, at = self.text, self.at
        if found := vocabulary.DICE.match(text, at):
            self._add(vocabulary.dice_text(found))
            self.dice.append(len(self.pieces) - 1)
            self.at = found.end()
            self.behind_dice = True
            return False
        self.behind_dice = False
        if found := vocabulary.NUMBER.match(text, at):
            self._add(found[0])
            self.at = found.end()
            return False
        if found := vocabulary.CALL.match(text, at):
            self._add(f"{found[1].lower()}(")
            self.depth += 1
            self.at = found.end()
            return True
        letter = text[at]
        if letter in "({":
            self._add("(")
            self.depth += 1
            self.at += 1
            return True
        if letter in ")}" and self.depth:
            return self._closing()
        if letter in "-+−–":
            self._add(letter, spaced=False)
            self.at += 1
            return True
        if named := self._number_here():
            name, value, length = named
            is_plain = value.lstrip("-").isdecimal()
            self._add(f"{value} [{name}]" if is_plain else f"({value}) [{name}]")
            self.at += length
            return False
        if found := vocabulary.EDGE.match(text, at):
            return self._note_edge(found) or None
        return None

    def _number_here(self) -> tuple[str, str, int] | None:
        """Return the longest of somebody's names that stands here, its value, and how long it is."""
        best: tuple[str, str, int] | None = None
        rest = self.text[self.at :].casefold()
        for known, (name, value) in self.numbers.items():
            ends = rest[len(known) : len(known) + 1]
            if (
                rest.startswith(known)
                and not (ends.isalnum() or ends == "_")
                and (best is None or len(known) > best[2])
            ):
                best = name, value, len(known)
        return best

    def _closing(self) -> bool:
        self._add(")", spaced=False)
        self.depth -= 1
        self.at += 1
        self.behind_dice = True
        return False

    # What stands behind an operand

    def _behind(self, *, had_space: bool) -> bool | None:
        text, at = self.text, self.at
        letter = text[at]
        if letter in ")}" and self.depth:
            return self._closing()
        if letter == "," and self.depth:
            self._add(",", spaced=False)
            self.at += 1
            return True
        if letter == "[" and "]" in text[at:]:
            end = text.index("]", at) + 1
            self._add(f" {text[at:end]}", spaced=False)
            self.at = end
            return False
        if found := vocabulary.EDGE.match(text, at):
            return self._note_edge(found)
        if (
            self.behind_dice
            and (found := vocabulary.OPERATOR.match(text, at))
            and self._operator(found, had_space=had_space)
        ):
            return False
        if found := vocabulary.SIGN.match(text, at):
            if (
                had_space
                and vocabulary.is_dangling(text[found.end() :])
                and self.depth == 0
                and not self._is_name(found.end())
            ):
                return None
            self._add(vocabulary.SIGN_OF.get(found[0].lower(), found[0]), spaced=False)
            self.at = found.end()
            return True
        if self.depth == 0 and (found := vocabulary.REPEATS.match(text, at)) and not self.repeats:
            self.repeats = found[1] or found[2] or found[3]
            self.at = found.end()
            return False
        if found := vocabulary.AGAINST.match(text, at):
            self._add(f" >= {found[1] or found[2]}", spaced=False)
            self.at = found.end()
            return False
        if self._asks_of_dice():
            return False
        return self._words(had_space=had_space)

    def _is_name(self, at: int) -> bool:
        before, self.at = self.at, at
        self._skip_space()
        is_name = self._number_here() is not None or vocabulary.CALL.match(self.text, self.at) is not None
        self.at = before
        return is_name

    def _note_edge(self, found: re.Match[str]) -> bool | None:
        """Keep advantage or disadvantage; directly behind dice it is theirs. Return whether an operand follows."""
        kind = "adv" if found[1] else "dis"
        is_first = not self.pieces
        if self.behind_dice and self.dice and self.dice[-1] == len(self.pieces) - 1:
            self._give_edge(len(self.dice) - 1, kind, found[2])
        elif self.edge or (found[2] and not is_first):
            return None
        else:
            self.edge = kind
            if is_first and found[2]:
                self.at = found.start(2)
                return True
        self.at = found.end()
        return is_first

    def _operator(self, found: re.Match[str], *, had_space: bool) -> bool:
        """Write an operator in the grammar's way; False where it is none after all."""
        name, category, digits = found[1].lower(), found[2].lower(), found[3]
        category = vocabulary.COMPARED.get(category, category)
        name = "!" if name == "!!" else name  # the sum of a die with what it threw again is the same
        if name == "!" and not digits and had_space and re.match(r"\s+[^\W\d]", self.text[found.end() :]):
            return False  # 2d6 ! stealth: the words behind it are the reason
        written = self._written(name, category, digits, is_glued=not had_space)
        if written is None:
            return False
        if name in {"s", "t", "tl", "f"}:
            self._add(written, spaced=False)
        else:
            self._insert(len(self.dice) - 1, written) if self._counts_here() else self._add(written, spaced=False)
        self.at = found.end()
        return True

    def _counts_here(self) -> bool:
        """Say whether successes are counted already: what else is asked of the dice comes before."""
        return bool(self.dice) and self.pieces[-1][0][0] in "sf" and self.dice[-1] < len(self.pieces) - 1

    def _written(self, name: str, category: str, digits: str, *, is_glued: bool) -> str | None:
        last = self.pieces[self.dice[-1]][0] if self.dice else ""
        number, _, sides = last.partition("d")
        if name in {"ie", "e"} and not category and not digits:
            return f"e{sides}" if sides.isdecimal() and (name == "ie" or is_glued) else None
        if name in {"ro", "rr", "r", "ir"} and not digits:
            return f"{'rr' if name in {'rr', 'ir'} else 'ro'}1" if is_glued and not category else None
        if not digits and name not in {"kh", "kl", "dh", "dl", "ph", "pl", "!"}:
            return f"{name}{category}" if is_glued else None
        if name == "t":
            return f"s{category or '>='}{digits}"
        if name == "tl":
            return f"s<={digits}"
        if name == "f" and not category:
            return f"f<={digits}"
        if name == "ie":
            return f"e{digits}" if digits == sides else f"e>={digits}"
        if name == "ir":
            return f"rr{category}{digits}"
        if name == "r":
            if not category and digits != "1":
                self.warnings.append(
                    f"`r{digits}` rolls each {digits} again, once; for {digits} or less write `ro<={digits}`."
                )
            return f"ro{category}{digits}"
        if name == "d":
            dice = int(number or 1)
            return f"pl{digits}" if not category and digits and int(digits) < dice else None
        return f"{name}{category}{digits}"

    def _asks_of_dice(self) -> bool:
        """Do what words ask: drop lowest, keep highest 2, reroll 1s, exploding."""
        text, at = self.text, self.at
        if not self.dice:
            return False
        if (found := vocabulary.KEPT.match(text, at)) and (written := vocabulary.kept_text(found)):
            return self._put_behind_dice(written, found)
        if (found := vocabulary.REROLLED.match(text, at)) and (face := vocabulary.count_of(found[1])) is not None:
            other = vocabulary.count_of(found[2]) if found[2] else None
            return self._put_behind_dice(f"ro{face}" + (f"ro{other}" if other else ""), found)
        if found := vocabulary.EXPLODED.match(text, at):
            return self._put_behind_dice(f"e{found[1]}" if found[1] else "!", found)
        return False

    def _put_behind_dice(self, written: str, found: re.Match[str]) -> bool:
        self._insert(len(self.dice) - 1, written)
        self.at = found.end()
        return True

    def _insert(self, which: int, written: str) -> None:
        """Put an operator behind those of one of the dice, before its count of successes."""
        piece = self.dice[which]
        while piece + 1 < len(self.pieces) and vocabulary.WRITTEN.fullmatch(self.pieces[piece + 1][0]):
            piece += 1
        self.pieces.insert(piece + 1, (written, self.at))
        self.dice = [at if at <= piece else at + 1 for at in self.dice]

    # Words

    def _words(self, *, had_space: bool) -> bool | None:
        """Read words: a note where a sign and more dice follow, else the reason."""
        text, at = self.text, self.at
        is_mark = text[at] in "!?:,.\"'“”„‘’`(" or not (text[at].isalnum() or text[at].isascii())
        if not (had_space or is_mark) or self.depth:
            return None
        if text[at] == "(" and not re.match(r"\(\s*[^\W\d]", text[at:]):
            return None
        if text[at].isdigit() or vocabulary.LIKE_AN_OPERATOR.match(text, at) or re.match(r"!\w", text[at:]):
            return None
        if (until := self._end_of_note()) is not None:
            self._add(f" [{clean(text[at:until])}]", spaced=False)
            self.at = until
            self.behind_dice = False
            return False
        begin = vocabulary.BEFORE_WORDS.match(text, at)
        rest = text[begin.end() if begin else at :].strip()
        if is_mark and rest[:1].isdigit():
            return None
        if several := vocabulary.SEVERAL_DICE.search(text, at):
            self.at = several.start()
            raise self._slip(self.at, quoted(several[0]), "a sign such as +, or a ; before the next roll")
        self.reason = self._last_wish(rest).strip(vocabulary.QUOTES + " ")
        if self.reason.startswith("(") and self.reason.endswith(")"):
            self.reason = self.reason[1:-1].strip()
        if self.reason.isascii() and not re.search(r"\w", self.reason):
            self.reason = ""
        if self.reason and not self.dice:
            self.warnings.append("There are no dice in it: the number is all that it gives.")
        if re.search(r"\d|[+=](?=\s*\w)", self.reason):
            self.warnings.append(f"“{self.reason}” is read as the reason; nothing in it changes the roll.")
        self.at = len(text)
        return False

    def _end_of_note(self) -> int | None:
        """Return where words end that stand between a number and a sign with another one behind it."""
        for sign in re.finditer(r"(?<=\s)[-+]", self.text[self.at :]):
            at = self.at + sign.start()
            if re.search(r"[\d()\[\]{}]", self.text[self.at : at]):
                return None
            if re.match(r"[-+]\s*(?:\d|\(|d\d)", self.text[at:]) or self._is_name(at + 1):
                return at
        return None

    def _last_wish(self, words: str) -> str:
        """Take off what words ask for at their very end: stealth with advantage."""
        while True:
            if not self.edge and (
                found := re.search(rf"(?:^|[\s,(]){vocabulary.EDGE_WORDS}[)\s.!]*$", words, vocabulary.ANY_CASE)
            ):
                self.edge = "adv" if found[1] else "dis"
            elif not self.repeats and (
                found := re.search(r"(?:^|[\s,])(?:x|times\s)\s*(\d+)$", words, vocabulary.ANY_CASE)
            ):
                self.repeats = found[1]
            elif self.dice and (found := self._last_wish_of_dice(words)):
                pass
            else:
                return words
            words = words[: found.start()].rstrip(" ,")

    def _last_wish_of_dice(self, words: str) -> re.Match[str] | None:
        for begins in re.finditer(r"(?:^|(?<=[\s,]))\S", words):
            found = vocabulary.KEPT.fullmatch(words, begins.start())
            if found and (written := vocabulary.kept_text(found)):
                self._insert(len(self.dice) - 1, written)
                return found
        return None

    # At the end

    def _apply_edge(self) -> None:
        """Give advantage or disadvantage to the one d20 of the text, or to its only dice."""
        if self.edge:
            self._apply_loose_edge()
        for which, written in self.edges.items():
            piece, place = self.pieces[self.dice[which]]
            self.pieces[self.dice[which]] = "2d20" if piece else "", place
            self._insert(which, written)

    def _apply_loose_edge(self) -> None:
        d20s = [which for which in range(len(self.dice)) if self._is_d20(which)]
        fitting = d20s or list(range(len(self.dice)))
        if len(fitting) != 1:
            raise self._slip(len(self.text), quoted(self.edge), "it behind one d20 (1d20adv) or behind 2d6")
        self._give_edge(fitting[0], self.edge, None)

    def _is_d20(self, which: int) -> bool:
        return re.fullmatch(r"1?d20", self.pieces[self.dice[which]][0]) is not None

    def _give_edge(self, which: int, kind: str, sources: str | None) -> None:
        """Give one of the dice what `adv` or `dis` means behind it: a second d20, else a die of its own."""
        if self.edges.get(which, f"k{'h' if kind == 'adv' else 'l'}1")[1] != ("h" if kind == "adv" else "l"):
            raise self._slip(len(self.text), quoted(kind), "one of both: advantage and disadvantage cancel out")
        if self._is_d20(which) and sources is None:
            self.edges[which] = "kh1" if kind == "adv" else "kl1"
        else:
            self._insert(which, f"{kind} {sources or 1}")

    def _slip(self, at: int, got: str, expected: str) -> UnreadableDice:
        place = min(at, len(self.typed))
        return UnreadableDice(place + 1, got, expected, marked=vocabulary.marked(self.typed, place))

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
            place + 1, slip.got, slip.expected, instead=slip.instead, marked=vocabulary.marked(self.typed, place)
        )
