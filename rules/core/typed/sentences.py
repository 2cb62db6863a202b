"""A text parted into words and signs, and these into sentences: at `.`, `;` or a line's end, outside of brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(r"\w+(?:['’]\w+)*|\n|[^\w\s]")
QUOTES = {'"': '"', "“": "”", "”": "”", "„": '“”"', "«": "»", "»": "«", "「": "」", "『": "』"}  # with what ends each
_PAIRS = {"(": ")", "[": "]", "{": "}", **QUOTES}
_ENDS_QUOTE = frozenset("".join(QUOTES.values()))
# No sentence ends after these
_SHORT = frozenset(("ft", "sq", "vs", "approx", "min", "max", "dmg", "lvl", "no", "e", "g", "i"))


class Token(NamedTuple):
    """A word or a sign of a text, with its place."""

    begins: int
    ends: int
    text: str
    held: bool  # inside of brackets or quotes, or the sign that closes them
    quoted: bool  # inside of quotes

    @property
    def word(self) -> str:
        return self.text.casefold().replace("’", "'")

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text[0] == "_"


def _tokens(source: str, begins: int, ends: int) -> list[Token]:
    tokens: list[Token] = []
    closing: list[str] = []
    for match in _TOKEN.finditer(source, begins, ends):
        text = match[0]
        closes = bool(closing) and text in closing[-1]
        is_quoted = any(each not in ")]}" for each in closing)
        tokens.append(Token(match.start(), match.end(), text, bool(closing), is_quoted))
        if closes:
            closing.pop()
        elif text in _PAIRS and any(source.find(sign, match.end(), ends) >= 0 for sign in _PAIRS[text]):
            closing.append(_PAIRS[text])
        elif text == "\n":
            closing.clear()
    return tokens


def sentences_in(source: str, begins: int = 0) -> Iterator[list[Token]]:
    """Part a text, or what is behind a place of it, into sentences."""
    return _sentences(_tokens(source, begins, len(source)))


def _sentences(tokens: list[Token]) -> Iterator[list[Token]]:
    found: list[Token] = []
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.text != "\n":
            found.append(token)
        if token.text == "\n" or (not token.held and token.text == ";") or _ends_sentence(tokens, at, following):
            if found:
                yield found
            found = []
    if found:
        yield found


def _ends_sentence(tokens: list[Token], at: int, following: Token | None) -> bool:
    token = tokens[at]
    if following is not None and token.held and token.text in _ENDS_QUOTE:  # a quoted sentence of its own
        return tokens[at - 1].text in (".", "!", "?") and (following.text[0].isupper() or not following.is_word)
    if token.held or token.text not in (".", "!", "?") or following is None:
        return False
    if following.begins == token.ends and following.is_word:  # 1.5
        return False
    before = tokens[at - 1].word if at else ""
    return before not in _SHORT or following.text[0].isupper()
