"""Words after dice: what they ask for, in a small grammar of phrases, and else what the roll is for.

A phrase acts if each of its words is read, up to a comma or a bracket. Words before or after it that are not read
leave it open, and so it is asked about; a negation or somebody else's dice make it a part of the reason.
"""

from __future__ import annotations

import re

from rules.dice import forms
from rules.dice.operators import clean, quoted
from rules.dice.signs import usual_signs
from rules.dice.written.pieces import Pieces

_SAY, _DO = "say", "do"  # of words whose place leaves it open: a reason, or what they ask for


class WordReader(Pieces):
    """Reads words."""

    def _words(self, *, had_space: bool) -> bool | None:
        """Read words: what they ask for, a note if a sign and more dice follow, else the reason."""
        text, at = self.text, self.at
        is_mark = text[at] in "!?:,.\"'`(/\\" or not (text[at].isalnum() or text[at].isascii())
        if not (had_space or is_mark) or self.closings:
            return None
        if text[at] == "!" and not had_space and self.behind_dice:
            return None
        if text[at].isdigit() or forms.LIKE_AN_OPERATOR.match(text, at):
            return None
        if text[at] == "(" and not re.match(r"\(\s*[^\W\d]", text[at:]):
            return None
        comment = forms.COMMENT.match(text, at)
        end = None if comment else self._end_of_note()
        if comment:
            reason = self.typed[comment.end() : len(text)].strip()
        else:
            begin = forms.BEFORE_WORDS.match(text, at)
            begins = begin.end() if begin else at
            if is_mark and text[begins:].strip()[:1].isdigit():
                return None
            reason = self._phrases(begins, len(text) if end is None else end)
            self._refuse_signed(reason)
        if end is not None:
            note = clean(self._without_quotes(reason))
            self._add(f" [{note}]" if note else "", spaced=False)
            self.at = end
            self.behind_dice = False
            return False
        self._refuse_dice(at)
        self.reason = ", ".join(filter(None, (self.reason, self._without_quotes(reason))))
        if self.reason and not self.dice:
            self.warnings.append("There are no dice in it, so you get only the number.")
        if re.search(r"\d|[+=](?=\s*\w)", self.reason):
            self.warnings.append(f"I read “{self.reason}” as the reason; nothing in it changes the roll.")
        self.at = len(text)
        return False

    def _without_quotes(self, words: str) -> str:
        words = words.strip()
        usual = usual_signs(words[:1]) + usual_signs(words[-1:])
        if len(words) > 2 and len(usual) == 2 and set(usual) <= set(forms.QUOTES):
            words = words[1:-1].strip()
        if re.fullmatch(r"\([^()]*\)", words):
            words = words[1:-1].strip()
        return "" if words.isascii() and not re.search(r"\w", words) else words

    def _refuse_dice(self, at: int) -> None:
        if several := forms.SEVERAL_DICE.search(self.text, at):
            raise self._slip(several.start(), quoted(several[0]), "a sign such as +, or a ; before the next roll")

    def _end_of_note(self) -> int | None:
        """Return the end of words between a number and a sign with another one after it."""
        for sign in re.finditer(r"(?<=[\s)])[-+*/]", self.text[self.at :]):
            at = self.at + sign.start()
            if re.search(r"[\d\[\]{}]", self.text[self.at : at]):
                return None
            if re.match(r"[-+*/]\s*(?:\d|\(|d\d)", self.text[at:]) or self._is_name(at + 1):
                return at
        return None

    def _phrases(self, begins: int, end: int) -> str:
        """Do what phrases ask for; return the words that ask for nothing."""
        left: list[str] = []
        at, depth = begins, 0
        is_first = True
        for part in forms.BETWEEN.split(self.text[begins:end]):
            typed, at = self.typed[at : at + len(part)], at + len(part)
            if forms.BETWEEN.fullmatch(part):
                depth += {"(": 1, ")": -1}.get(part, 0)
                left.append(typed)
                continue
            if part.strip():
                words = self._phrase(part, typed, in_bracket=depth > 0, is_first=is_first)
                left.append(f" {words}" if part[0].isspace() else words)
                is_first = False
        return _tidy("".join(left))

    def _phrase(self, part: str, typed: str, *, in_bracket: bool, is_first: bool) -> str:
        """Do what one phrase asks for, from its beginning; what comes after its last form is left."""
        at = len(part) - len(part.lstrip())
        asks: list[tuple[str, str, int]] = []
        while (form := self._form(part, at, is_first=is_first and not asks)) is not None:
            asks.append(form)
            at = form[2]
            joined = forms.JOINED.match(part, at)
            at = joined.end() if joined else at + len(part[at:]) - len(part[at:].lstrip())
        rest = part[at:]
        if asks and (in_bracket or forms.DENIED.search(rest)) and self._is_said():
            return typed
        for what, value, _ in asks:
            self._do(what, value)
        if (later := self._later_form(rest)) is None:
            return typed[at:]
        start, (what, value, stop) = later
        around = f"{rest[:start]} {rest[stop:]}"
        if forms.DENIED.search(around) or self._is_said():
            return typed[at:]
        self._do(what, value)
        return f"{typed[at : at + start].rstrip()} {typed[at + stop :].lstrip()}".strip()

    def _is_said(self) -> bool:
        """Say whether words are a reason, although they name what dice can do. Raises: Asked."""
        return self._choose("words", {_DO: _DO, _SAY: _SAY}) == _SAY

    def _later_form(self, rest: str) -> tuple[int, tuple[str, str, int]] | None:
        for begins in re.finditer(r"(?<!\w)[^\W_]", rest):
            if (form := self._form(rest, begins.start(), is_first=False)) is not None:
                return begins.start(), form
        return None

    def _form(self, part: str, at: int, *, is_first: bool) -> tuple[str, str, int] | None:
        """Return what the phrase here asks for, its text, and its end."""
        if (match := forms.EDGE.match(part, at)) and not match[2]:
            return "edge", "adv" if match[1] else "dis", match.end()
        if (match := forms.REPEATS.match(part, at)) and not self.repeats and not self.closings:
            return "repeats", forms.repeats_text(match), match.end()
        if not self.dice:
            return None
        if match := forms.KEPT.match(part, at):
            if match[2] and match[4]:
                raise self._slip(self.at, quoted(match[0]), "one number of dice")
            return "dice", forms.kept_text(match), match.end()
        if match := forms.KEPT_NUMBER.match(part, at):
            return "dice", f"{'kh' if match[1] else 'pl'}{match[2]}", match.end()
        if is_first and (match := forms.KEPT_BARE.match(part, at)):
            return "dice", forms.kept_text(match), match.end()
        if match := forms.REROLLED.match(part, at):
            other = f"ro{forms.count_of(match[2])}" if match[2] else ""
            return "dice", f"ro{forms.count_of(match[1])}{other}", match.end()
        if match := forms.EXPLODED.match(part, at):
            face = int(match[1] or self._sides())
            return ("dice", f"e{face}", match.end()) if face else None
        return None

    def _do(self, what: str, value: str) -> None:
        if what == "edge":
            if self.edge and self.edge != value:
                raise self._slip(
                    len(self.text), quoted(value), "only one of the two: advantage and disadvantage cancel out"
                )
            self.edge = value
        elif what == "repeats":
            self.repeats = value
        else:
            self._insert(self._pool_here(), value)

    def _pool_here(self) -> int:
        """Return which of the dice words are about: those before them, else the one pool. Raises: UnreadableDice."""
        pools = [which for which, piece in enumerate(self.dice) if not re.match(r"1?d", self.pieces[piece][0])]
        if self.behind_dice or len(self.dice) == 1:
            return len(self.dice) - 1
        if len(pools) == 1:
            return pools[0]
        raise self._slip(self.at, quoted(self.text[self.at :][:30]), "it right after the dice that it is about")

    def _refuse_signed(self, reason: str) -> None:
        """Refuse words that hold a modifier, or are mere signs: they would change nothing."""
        is_behind = self.text[self.at] == "!" and not self.text[self.at - 1].isspace()  # 1d20+5! explodes elsewhere
        signs = reason if is_behind else reason.strip("! ")
        if signs.isascii() and not re.search(r"\w", signs) and (odd := forms.LOOSE.search(signs)):
            raise self._slip(self.text.find(odd[0], self.at), quoted(odd[0]), "words, or a sign followed by a number")
        if match := forms.SIGNED.search(usual_signs(reason)):
            place = self.text.find(match[0], self.at)
            words = _tidy(f"{reason[: match.start()]} {reason[match.end() :]}")
            head = self.text[: self.at].rstrip().rstrip(",:")
            raise self._slip(place, quoted(match[0]), "it before the words", f"{head} {match[0]} {words}".strip())


def _tidy(words: str) -> str:
    """Return words without the brackets and commas of what was done."""
    words = re.sub(r"\(\s*\)", "", words)
    words = re.sub(r"\s*,(?=\s*(?:,|$))|^\s*,", "", words)
    return " ".join(words.split())
