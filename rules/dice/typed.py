"""Brings what people type into the grammar: `1d20+5 adv`, `6 4d6 drop lowest`, `6d10 t7 f1`, `2d6+3 fire damage`.

A text is walked through once, from the left. What the grammar knows goes into the result as it is; the forms of
other bots and of people (`forms.py`) are written in the grammar's own way; words after the last number become the
reason. Nothing typed is dropped: it is rolled, or it is a word of the reason, or the text is refused. A form that
popular tools roll differently is asked about, unless somebody has said which is theirs.
"""

from __future__ import annotations

import re

from rules.dice import forms
from rules.dice.grammar import MOST_CHARACTERS, read_grammar
from rules.dice.meanings import Asked, SecretDice, meanings_of
from rules.dice.operators import clean, quoted
from rules.dice.refused import UnreadableDice
from rules.dice.tree import Chain, Expression
from rules.dice.written.aliases import without_alias
from rules.dice.written.operator_forms import OperatorReader
from rules.dice.written.pieces import Dialect, Numbers
from rules.dice.written.words import WordReader

_PARENTHESES = str.maketrans("{}", "()")


class SavedRoll(str):
    """The dice of a saved roll, among somebody's numbers: said by themselves if nothing binds them closer."""

    __slots__ = ()


def read_typed(
    text: str, numbers: Numbers | None = None, dialect: Dialect | None = None, chosen_here: frozenset[str] = frozenset()
) -> Expression:
    """Read one roll as people type it; names are looked up in `numbers`.

    Raises: UnreadableDice with its place in the text as typed, SeveralMeanings, Illegal if it breaks a limit.
    """
    known, chosen = numbers or {}, dialect or {}
    try:
        return _Reader(text, known, chosen).expression()
    except Asked as asked:
        if asked.kind in chosen_here:  # r2 r<2: what was chosen for the one is no choice for the other
            raise UnreadableDice(1, quoted(text), "one meaning for all of a kind") from None
        here = chosen_here | {asked.kind}
        return meanings_of(text, asked, lambda more: read_typed(text, known, {**chosen, **more}, here))


class _Reader(OperatorReader, WordReader):
    """Walks through one text. `pieces` are what it means, with the place in the text of each."""

    def expression(self) -> Expression:
        self._begin()
        is_operand = True
        given_up: int | None = None  # the place of a word that is not read: the grammar says what is wrong with it
        while True:
            had_space = self._skip_space()
            if self.at >= len(self.text):
                break
            going = self._operand() if is_operand else self._behind(had_space=had_space)
            if going is None:
                given_up = self.at
                self._add(self.text[self.at :])
                break
            is_operand = going
        self._apply_edge()
        self.pieces.append((self.compared, len(self.text)))
        comment = ", ".join(part for part in (self.reason, clean(self.comment)) if part)
        if not self.dice and (lost := forms.SEVERAL_DICE.search(comment)):
            raise self._slip(self.text.find(lost[0]), quoted(lost[0]), "dice before the comment")
        made = "".join(piece for piece, _ in self.pieces)
        if len(made) > MOST_CHARACTERS:
            raise self._slip(0, "too many words", "a shorter text")
        try:
            expression = read_grammar((f"{self.repeats}x " if self.repeats else "") + made)
        except UnreadableDice as slip:
            raise self._placed(slip) from None
        if given_up is not None:
            raise self._slip(
                given_up, quoted(self.text[given_up:][:20]), "a sign, an operator, or words for the reason"
            )
        root = expression.root
        if self.compared and isinstance(root, Chain) and len(root.rest) > 1:  # Hit >= 12, and Hit compares already
            raise self._slip(0, quoted(self.text.strip()[:40]), "one comparison, and the saved roll has its own")
        read = Expression(expression.root, expression.terms, expression.repeats, comment)
        read.warnings = tuple(self.warnings)
        return read

    # Its beginning and end

    def _begin(self) -> None:
        self.text = forms.RECKONED.sub(_reckoned, self.text)
        self._unwrap()
        if match := forms.SECRET.match(self.text, self.at):
            show = "blind" if match["blind"] else "me" if match["own"] or match["private"] else "gm"
            raise SecretDice(self.typed[match.end() : len(self.text)].strip(), show)
        if forms.SECRET_REASON.search(self.text, 0, _before_comment(self.text)):
            raise SecretDice(self.typed.strip(), "gm")
        self._rewrite()
        self._skip(forms.COMMAND)
        self._unwrap()
        if match := forms.REPEATED.match(self.text, self.at):
            self.repeats, self.comment = match["n"], self.typed[slice(*match.span("comment"))].strip()
            self._only(match.span("inside"))
        if (match := forms.LABEL.match(self.text, self.at)) and not self._is_number_of_dice(match):
            self.comment = match[1].strip()
            self.at = match.end()
        counted = self._count_of_name()
        is_own = counted is not None or self._is_name(self.at)
        if not is_own and (plain := without_alias(self.text[self.at :])) is not None:
            self.typed = self.text = self.text[: self.at] + plain
        if match := forms.REPEATS_FIRST.match(self.text, self.at) or counted:
            self.repeats = next(filter(None, match.groups()))
            self.at = match.end()
            if "#" in match[0]:
                self.warnings.append(
                    f"I read {quoted(self.typed)} as {self.repeats} rolls. For the number {self.repeats} with a "
                    "comment, put a space before the #."
                )
        mark = self.text.find("#", self.at)
        if mark >= 0:
            self.comment = " ".join(filter(None, (self.comment, self.typed[mark + 1 :].strip())))
            self._only((self.at, mark))
        if match := forms.EDGED.match(self.text, self.at):
            edged = f"2d{match[2]}k{'h' if match[1] == '+' else 'l'}1"
            written = self._choose("sign", {"edge": edged, "sign": match[0]})
            self._replace(match, written)

    def _unwrap(self) -> None:
        """Read what is in brackets or quotes that enclose all of it."""
        for form in forms.ENCLOSING:
            if match := form.fullmatch(self.text, self.at):
                self._only(match.span("inside"))

    def _rewrite(self) -> None:
        """Write forms of other tools as the forms that are read here."""
        for form, written in forms.REWRITTEN if forms.MAY_BE_REWRITTEN.search(self.text, self.at) else ():
            at = self.at
            while match := form.search(self.text, at, _before_comment(self.text)):
                made = match.expand(written) if isinstance(written, str) else written(match)
                self._replace(match, made)
                at = match.start() + len(made)

    def _replace(self, match: re.Match[str], written: str) -> None:
        begins, ends = match.span()
        self.typed = f"{self.typed[:begins]}{written}{self.typed[ends:]}"
        self.text = f"{self.text[:begins]}{written}{self.text[ends:]}"

    def _count_of_name(self) -> re.Match[str] | None:
        match = forms.COUNT_BEFORE.match(self.text, self.at)
        named = self._name_at(match.end()) if match else None
        is_number = named is None or (_is_whole(named[1]) and not isinstance(named[1], SavedRoll))
        return match if match and named and (match[2] or not is_number) else None

    def _is_number_of_dice(self, match: re.Match[str]) -> bool:
        """Say whether what could be a label is the name of a number of dice: (Hit)d6."""
        return self.text[match.end() - 1 :][:2].casefold() == ")d" and self._is_name(match.start(1))

    def _only(self, span: tuple[int, int]) -> None:
        """Read no more than that part of the text."""
        self.at, end = span
        self.text = self.text[:end]

    # An operand

    def _operand(self) -> bool | None:
        """Read one; say whether another one is expected after it, None if it cannot be read."""
        text, at = self.text, self.at
        if match := forms.DICE.match(text, at):
            return self._dice(match)
        self.behind_dice = False
        if match := forms.CALL.match(text, at):
            return self._call(match)
        if (named := self._name_here()) and not named[0].isdecimal():
            name, value, length = named
            self.at += length
            self._add_named(name, value)
            return False
        if match := forms.NUMBER.match(text, at):
            self._add(match[0])
            self.at = match.end()
            return False
        letter = text[at]
        if letter in "({":
            return self._opening(letter)
        if letter in ")}" and self.closings:
            return self._closing()
        if letter in "-+":
            self._add(letter, spaced=False)
            self.at += 1
            return True
        if match := forms.EDGE.match(text, at):
            return self._note_edge(match) or None
        return None

    def _dice(self, match: re.Match[str]) -> bool | None:
        if self.dice and (apart := re.match(r"(\d+)\s+(d\d+)", match[0], re.IGNORECASE)):
            self._refuse_apart(apart, match.end())
        written = forms.dice_text(match)
        if tens := forms.TENS.get(written.casefold()):
            if self.text[match.end() : match.end() + 1].isalpha():
                return None
            written = self._choose("d66", {"tens": tens, "sides": f"1{written}"})
        self._add(written)
        self.at = match.end()
        self.behind_dice = written[0] != "("
        if self.behind_dice:
            self.dice.append(len(self.pieces) - 1)
            self.ends.append(self.at)
        return False

    def _refuse_apart(self, apart: re.Match[str], end: int) -> None:
        """Refuse `4d6+2 d1`: two dice of one side each, or the lowest one dropped."""
        number, die = apart.groups()
        before, rest = self.text[: self.at], self.text[end:]
        moved = f"{self.text[: self.ends[-1]]}{die}{self.text[self.ends[-1] : self.at]}{number}{rest}"
        raise self._slip(self.at + len(number), quoted(die), "a sign such as +", moved, f"{before}{number}{die}{rest}")

    def _call(self, match: re.Match[str]) -> bool:
        name = re.sub(r"\s", "", match[1].casefold())
        if name in {"max", "min"} and (pool := forms.ONE_POOL.match(self.text, match.end())):
            best = f"{pool[1]}k{'h' if name == 'max' else 'l'}1"
            self._add(self._choose("best", {"die": best, "sum": f"({pool[1]})"}))
            self.at = pool.end()
            return False
        written, before = forms.CALLS.get(name, (name, ""))
        self._add(f"{written}(")
        self.closings.append(before)
        self.at = match.end()
        return True

    def _opening(self, letter: str) -> bool:
        if letter == "{" and (match := forms.POOLS_IN_BRACES.match(self.text, self.at)):
            terms = [part.strip().casefold().split("d") for part in match[1].split("+")]
            if sum(int(number or 1) for number, _ in terms) <= 30:
                each = ", ".join(f"1d{sides}" for number, sides in terms for _ in range(int(number or 1)))
                self._add(self._choose("braces", {"dice": f"({each})", "sum": f"({match[1]})"}))
                self.at = match.end()
                self.behind_dice = True
                return False
        if letter == "{" and (match := forms.SUM_IN_BRACES.match(self.text, self.at)):
            raise self._slip(self.at + len(match[1]), quoted(match[2]), "a comma between what may be kept")
        self._add("(")
        self.closings.append("")
        self.at += 1
        return True

    def _closing(self) -> bool:
        self._add(f"{self.closings.pop()})", spaced=False)
        self.at += 1
        self.behind_dice = True
        return False

    def _add_named(self, name: str, value: str) -> None:
        """Write a name's meaning: one value, wherever it is."""
        if _is_whole(value):
            self._add(f"{value} [{name}]")
            return
        others = {each: other for each, other in self.numbers.values() if each != name}
        read = read_typed(value, others, forms.EXACT)
        root, is_alone = read.root, not self.pieces and not self.closings
        is_again = read.repeats > 1 and bool(self.repeats)
        if is_again or ((read.repeats > 1 or read.compares) and not is_alone):
            raise self._slip(self.at, quoted(name), "a saved roll of one number at this place")
        if is_alone:
            self.repeats = self.repeats or (str(read.repeats) if read.repeats > 1 else "")
            self.comment = self.comment or read.comment
        if read.compares and isinstance(root, Chain):
            self.compared = f" {read.compares} {root.rest[0][1]}"
            root = root.first
        inside = _Reader(str(root), {}, forms.EXACT)
        inside.expression()
        is_bare = (
            is_alone
            and isinstance(value, SavedRoll)
            and re.match(r"\s*(?:[-+](?!\s*[-+])|[^\W\d]|[,;:!(]|$)", self.text[self.at :]) is not None
        )
        self._add("" if is_bare else "(")
        first = len(self.pieces)
        self.pieces += [(piece, self.at) for piece, _ in inside.pieces]
        self.dice += [first + at for at in inside.dice]
        self.ends += [self.at] * len(inside.dice)
        self._add("" if is_bare else f") [{name}]", spaced=False)

    # What comes after an operand

    def _behind(self, *, had_space: bool) -> bool | None:
        text, at = self.text, self.at
        letter = text[at]
        if letter in ")}" and self.closings:
            return self._closing()
        if text[at - 1] == ")" and self.pieces[-1][0][-1:] == ")" and (match := forms.DICE.match(text, at)):
            return None if match[1] else self._dice(match)  # (1d4)d6
        if letter == "," and self.closings:
            self._add(",", spaced=False)
            self.at += 1
            return True
        if self.behind_dice and self.dice and (match := forms.VALIDATOR.match(text, at)):
            self._validated(match)
            return False
        if letter == "[" and "]" in text[at:]:
            end = text.index("]", at) + 1
            self._add(f" {self.typed[at:end]}", spaced=False)
            self.at = end
            return False
        if match := forms.EDGE.match(text, at):
            if not had_space or match[2] or self._is_structure(match.end()):
                return self._note_edge(match)
            return self._words(had_space=had_space)
        if (match := forms.KEPT.match(text, at) or forms.KEPT_NUMBER.match(text, at)) and self.dice:
            return self._words(had_space=had_space)
        if (
            self.behind_dice
            and (match := forms.OPERATOR.match(text, at))
            and self._operator(match, had_space=had_space)
        ):
            return False
        if forms.COMMENT.match(text, at) and not self.closings:
            return self._words(had_space=had_space)
        if match := forms.SIGN.match(text, at):
            return self._sign(match, had_space=had_space)
        if not self.closings and (match := forms.REPEATS.match(text, at)) and not self.repeats:
            return self._repeats(match, had_space=had_space)
        if match := forms.AGAINST.match(text, at):
            self._add(f" >= {match[1] or match[2]}", spaced=False)
            self.at = match.end()
            return False
        if had_space and self.dice and not self.behind_dice:
            self._refuse_far_operator()
        return self._words(had_space=had_space)

    def _sign(self, match: re.Match[str], *, had_space: bool) -> bool | None:
        sign = forms.SIGN_OF.get(match[0].lower(), match[0])
        rest = self.text[match.end() :]
        if (
            had_space
            and forms.DANGLING.match(self.text, match.end())
            and not self.closings
            and not self._is_name(match.end())
        ):
            return None
        if sign[0] in "<>=!" and self.text[: self.at].rstrip()[-1:] == "}" and self.pieces[-1][0][-1:] == ")":
            plain = self.text.translate(_PARENTHESES)  # other tools count what is in the braces
            raise self._slip(self.at, quoted(match[0]), "parentheses, where the total is compared", plain)
        bound = forms.BOUND.match(self.text, match.end())
        written = None if bound is None else self._bounded(sign, bound, had_space=had_space)
        if bound is not None and written is not None:
            self._put(written) if written[0] == "e" else self._add(written, spaced=False)
            self.at = bound.end()
            self._skip(forms.SUCCEEDING)
            return False
        if sign in {">>", "<<"}:
            return None
        if sign in {"-", "+"} and (twice := re.match(rf"[{sign}]\s*(\d+)(?![\dd])", rest)):
            self._twice(sign, int(twice[1]))
            self.at = match.end() + twice.end()
            return False
        self._add(f" {sign}" if sign[0] in "<>!=" else sign, spaced=False)
        self.at = match.end()
        return True

    def _bounded(self, sign: str, bound: re.Match[str], *, had_space: bool) -> str | None:
        """Write a sign and the number after it, if tools read them in several ways; None if they are plain."""
        number, rest = int(bound[1]), self.text[bound.end() :]
        is_last = re.match(r"\s*[-+*/%]", rest) is None
        if sign in {">>", "<<"}:
            return f"s{'>=' if sign == '>>' else '<='}{number}" if self.behind_dice and is_last else None
        if sign == "!=" and self.behind_dice and not had_space and bound[0] == bound[1] and number <= self._sides():
            return self._choose("unequal", {"explode": f"e{number}", "total": f" != {number}"})
        return self._compared_pool(sign, number, rest) if is_last and self._is_pool() else None

    def _twice(self, sign: str, number: int) -> None:
        """Write what comes after `--` or `++`."""
        is_alone = self.behind_dice and self.dice[-1:] == [len(self.pieces) - 1]
        dice = int(self.pieces[-1][0].partition("d")[0] or 1) if is_alone else 1
        each = {"each": f" {sign} {dice * number}"} if dice > 1 else {}
        minus = {"minus": f" - {number}"} if sign == "-" else {}
        choices = {**each, **minus, "plus": f" + {number}"}
        self._add(self._choose("minus" if sign == "-" else "plus", choices), spaced=False)

    def _is_pool(self) -> bool:
        """Say whether several dice are here, with none kept or counted."""
        if not self.dice or (self.dice[-1] == 0 and not self.pieces[0][0]):
            return False
        behind = "".join(piece for piece, _ in self.pieces[self.dice[-1] + 1 :])
        number = re.match(r"(\d*)d\d", self.pieces[self.dice[-1]][0])
        is_alone = len(self.dice) == 1 and not any(piece.strip() for piece, _ in self.pieces[: self.dice[-1]])
        plain = re.fullmatch(r"(?:(?:e|r|m)[a-z]*[<>=]*\d+)*", behind.replace(" ", "")) is not None
        return is_alone and plain and number is not None and int(number[1] or 1) > 1

    def _compared_pool(self, sign: str, bound: int, rest: str) -> str | None:
        """Write dice that are compared with a face: counted, or their total compared. None: that is plain."""
        if bound > self._sides() or sign not in {">=", "<=", ">", "<", "=="}:
            return None
        equal = "" if sign == "==" else sign
        choices = {"count": f"s{equal}{bound}"}
        if sign in {">", "<"}:
            choices = {"more": f"s{sign}{bound}", "least": f"s{sign}={bound}"}
        total = f" {sign} {bound}"
        if re.match(r"\s*(?:f\s*(?:[<>=]+\s*)?\d|!)", rest):
            self.is_bare = True
            self.target = f"{equal}{bound}"
        elif not re.match(r"\s*success", rest, re.IGNORECASE):
            choices["total"] = total
        written = self._choose("pool" if "count" in choices else "pool above", choices)
        return None if written == total else written

    def _repeats(self, match: re.Match[str], *, had_space: bool) -> bool:
        number = forms.repeats_text(match)
        choices = {"rolls": ""}
        if match[1] and match[0][0] in "xX" and self.behind_dice:
            times = {"times": f" * {number}"} if number in {"10", "100", "1000"} else {}
            is_glued = not had_space and self.dice[-1:] == [len(self.pieces) - 1]
            explode = {"explode": f"e{number}"} if is_glued and int(number) <= self._sides() else {}
            choices = {**times, **choices, **explode}
        if written := self._choose("x", choices) if len(choices) > 1 else "":
            self._add(written, spaced=False)
        else:
            self.repeats = number
        self.at = match.end()
        return False

    def _refuse_far_operator(self) -> None:
        """Refuse an operator after a number, with the same after its dice: `4d6+2 kh3`."""
        match = forms.OPERATOR.match(self.text, self.at)
        if match is None or not match[3]:
            return
        place, before, rest = self.ends[-1], self.text[: self.at].rstrip(), self.text[match.end() :]
        offered = [f"{before[:place]}{match[0].strip()}{before[place:]}{rest}"]
        if match[1].casefold() == "t":
            offered.append(f"{before} >= {match[3]}{rest}")
        if len(self.dice) != 1:
            offered = []
        raise self._slip(self.at, quoted(match[0].strip()), "it directly behind its dice", *offered)


def _is_whole(value: str) -> bool:
    return value.lstrip("-").isdecimal()


def _before_comment(text: str) -> int:
    mark = re.search(r"#(?!\s*\d*d)|\s//\s", text)
    return len(text) if mark is None else mark.start()


def _reckoned(match: re.Match[str]) -> str:
    """Write a number of dice in the place of what comes to it, as long as that was."""
    number = forms.reckoned(match[1] or match[2])
    if match[2] and number is not None:
        return str(number).ljust(len(match[0]))
    return match[0] if number is None or number < 0 else str(number).rjust(len(match[0]))
