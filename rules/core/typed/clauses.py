"""A text parted into clauses, each done or asked as a whole; every word is in exactly one of them.

A sentence ends at `.`, `;` or a line's end. Within it a clause ends if a joining word begins one with a subject or
a verb of its own, and between two keywords in brackets. Brackets and quotes hold together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

_TOKEN = re.compile(r"\w+(?:['’]\w+)*|\n|[^\w\s]")
_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", '"': '"'}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SHORT = _set("ft sq vs approx min max dmg lvl no e g i")  # no sentence ends after these
_JOINS = _set("and then")
_SUBJECTS = _set("i you he she it they we who this that everyone everybody nobody anyone")
_CASES = _set("if when whenever while unless except only")
_OPENERS = _set("if when whenever while unless until otherwise instead once after before as")
_ONE = _set("one a an")
_NOUNS = _set("the a an each every all any another one its their your my both no")
VERBS = _set(
    """
    is are be becomes become was has have must may can cannot can't does do gets get takes take deals deal gains gain
    regains regain loses lose recovers recover restores restore heals heal suffers suffer costs cost spends spend falls
    fall drops drop moves move shifts shift teleports teleport pushes push pulls pull slides slide knocks knock swaps
    swap enters enter leaves leave stays stay turns turn makes make rolls roll repeats repeat adds add inflicts inflict
    applies apply gives give removes remove cures cure ends end stops stop draws draw discards discard uses use attacks
    attack acts act reduces reduce ignores ignore counts count needs need summons summon chooses choose catches catch
    burns burn dies die halves doubles sets set puts put
    """
)
_LEANING = _set("then otherwise instead this that these those")
# What a sentence begins with that says what happens, and not when; behind `the` comes no such word as `next`.
_PLAINLY = (_SUBJECTS | VERBS | _set("target self hit")) - _set("everyone everybody nobody anyone")
_NAMING = _set("the a an your my its their")
_ORDINALS = _set("next first second third last following more moment turn round day rest instant only")
# What limits the sentence before it, behind `if …,`.
_CASE = re.compile(r"(?:if|when|while|as long as)\b[^,]*,\s*", re.IGNORECASE)
_WHAT_HAPPENS = r"(?:it|this|that|they|(?:this|that|the) (?:damage|healing|effect|condition|ability|power|spell))"
_ENDS = r"(?:[.!;]?$| (?:if|when|while|against|on|affect|work|harm|hurt|apply|count)\b)"
_LIMITS = re.compile(
    r"(?:but|instead|not|never|none|no (?:more than|effect|damage)|max|maximum|provided|that is|as long as"
    r"|up to (?:half|its|your)|half (?:if|when|against)|only (?!once|twice|\w+ times|\d)|\w+ only|works only)\b"
    rf"|{_WHAT_HAPPENS} (?:(?:is|are|does|do|wo)(?:n't| not){_ENDS}|has no effect|only works|works only|must be\b"
    r"|(?:can|may) (?:halve|resist|negate|avoid)\b|(?:can't|cannot) (?:reduce|drop|kill|affect|harm)\b)"
    r"|(?:the|each) target must be\b|you (?:can't|cannot) (?:do|use|be)\b|you can (?:do|use) (?:it|this|that) only\b"
    r"|[^:,]* (?:(?:is|are) (?:immune|unaffected)|takes? (?:half|none)|(?:is|are|does|do)(?:n't| not))[.!;]?$",
    re.IGNORECASE,
)
_UNLESS = re.compile(r"(?:unless|except|if not)\b", re.IGNORECASE)
_QUOTES = ('"', "“", "«")
_NEAR = 4  # words after `the` that may include the verb of a clause of its own
_GATE = re.compile(r"\[\s*on\s+\d{1,3}\s*[-–—]\s*\d{1,3}\s*\]", re.IGNORECASE)
_OF_THEM = re.compile(r"^each of (?:them|these|those)\b", re.IGNORECASE)
_JOINED = re.compile(r"^(?:(?:and|then)\s+)+", re.IGNORECASE)
_ACTS = re.compile(r"\[\s*(?:standard\s+attack|heal\s+\d{1,3})\s*\]", re.IGNORECASE)  # no chance before it holds


def chance_in(text: str) -> str:
    """Return the chance such as `[On 1-50]` in a text, which a list after it stays under."""
    gate = _GATE.search(text)
    return "" if gate is None else gate[0]


class Clause(NamedTuple):
    """A part of a text.

    `head` is what governs it and is in an earlier clause; `leans`: it needs the one before, or takes its subject from
    there. `quoted`: nothing of it is outside of quotes. `opens` a sentence, or goes on with one; `hangs`: this sentence
    began with words that may hold for all of it. `restricted`: the sentence after its own says when it holds.
    """

    begins: int
    ends: int
    text: str
    head: str = ""
    leans: bool = False
    quoted: bool = False
    opens: bool = True
    hangs: bool = False
    restricted: bool = False


class _Token(NamedTuple):
    begins: int
    ends: int
    text: str
    held: bool  # inside of brackets or quotes, or the sign that closes them

    @property
    def word(self) -> str:
        return self.text.casefold().replace("’", "'")

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text[0] == "_"


def clauses_of(source: str, begins: int = 0) -> Iterator[Clause]:
    """Part a text, or what is behind a place of it.

    >>> [clause.text for clause in clauses_of("7 piercing damage, and if it is no elf it sleeps. Then it falls prone")]
    ['7 piercing damage', 'and if it is no elf it sleeps.', 'Then it falls prone']
    >>> [(clause.text, clause.head) for clause in clauses_of("[Burn], [On 1-50] adds [Stun], [Daze] for 2 turns")]
    [('[Burn]', ''), ('[On 1-50] adds [Stun]', ''), ('[Daze] for 2 turns', '[On 1-50]')]
    """
    head = ""
    line = begins
    sentences = _sentences(_tokens(source, begins, len(source)))
    for sentence, following in pairwise([*sentences, []]):
        colon = next((token for token in sentence if token.text == ":" and not token.held), None)
        if colon is not None or "\n" in source[line : sentence[0].begins]:
            head = ""
        governs, line = head, sentence[0].begins
        opens, hangs, restricted = True, not _is_plain(sentence), _restricts(source, following)
        for part in _parts(source, sentence):
            clause = _clause(source, part)
            bare = _JOINED.sub("", clause.text, count=1)
            is_listed = bare == clause.text or source[: clause.begins].rstrip()[-1:] == ","
            if _GATE.match(bare) or (is_listed and _ACTS.match(bare)):
                governs = ""
            if any(token.is_word for token in part):
                leans = clause.leans or (not opens and part[0].word in _SUBJECTS)
                hanging = hangs and not opens
                yield clause._replace(head=governs, opens=opens, hangs=hanging, leans=leans, restricted=restricted)
                opens = False
            if gate := _GATE.search(clause.text):
                governs = gate[0]
            elif colon is not None and part[0].begins <= colon.begins < clause.ends:
                governs = head = source[sentence[0].begins : colon.ends]


def limits(text: str) -> bool:
    """Tell whether a text begins with a sentence that limits what comes before it."""
    return _restricts(text, next(_sentences(_tokens(text, 0, len(text))), []))


def _restricts(source: str, sentence: list[_Token]) -> bool:
    """Tell whether a sentence limits the one before it: `Unless it flies.`, or `Undead are immune.` is one."""
    text = "" if not sentence else source[sentence[0].begins : sentence[-1].ends]
    if not text or any(token.held for token in sentence):
        return False
    if _UNLESS.match(text):
        comma = next((at for at, token in enumerate(sentence) if token.text == ","), len(sentence))
        return not sentence[comma + 1 :] or not _stands_alone(sentence[comma + 1 :])
    return _LIMITS.match(_CASE.sub("", text, count=1)) is not None


def _is_plain(sentence: list[_Token]) -> bool:
    """Tell whether a sentence begins with who does something, with a verb, a number or a keyword."""
    words = [token for token in sentence if token.is_word]
    first = words[0].word if words else ""
    if first in _NAMING:
        return len(words) > 1 and words[1].word not in _ORDINALS
    return first in _PLAINLY or first[:1].isdecimal() or sentence[0].text in ("[", *_QUOTES)


def _clause(source: str, part: list[_Token]) -> Clause:
    words = [token for token in part if token.is_word]
    whole = source[part[0].begins : part[-1].ends]
    text = whole.strip(" ,;\n\t")
    begins = part[0].begins + whole.index(text)
    lead = words[0].word if words else ""
    leans = lead in _LEANING or (lead in _JOINS and len(words) > 1 and words[1].word in _LEANING | VERBS)
    leans = leans or _OF_THEM.match(text) is not None
    quoted = part[0].text in _QUOTES and all(token.held for token in part[1:] if token.is_word)
    return Clause(begins, begins + len(text), text, leans=leans, quoted=quoted)


def settled(clauses: Iterable[Clause], says: Callable[[Clause], str]) -> Iterator[tuple[Clause, str]]:
    """Take clauses with what is done of each. What leans on an asked one is asked with it, and `says` is not called.

    So is what comes after the chance of an asked one, goes on in a sentence whose beginning is asked, or is restricted.
    """
    is_asked, asked_gate, is_open = False, "", True
    for clause in clauses:
        is_open = is_open or clause.opens
        is_left = (clause.leans and is_asked) or (clause.hangs and not is_open) or clause.restricted
        said = "" if is_left or (asked_gate and clause.head == asked_gate) else says(clause)
        if not clause.quoted:
            is_asked = not said
            is_open = is_open and not is_asked
            gate = _GATE.search(clause.text)
            asked_gate = "" if gate is None and clause.head != asked_gate else asked_gate
            if gate is not None:
                asked_gate = "" if said else gate[0]
        yield clause, said


def _tokens(source: str, begins: int, ends: int) -> list[_Token]:
    tokens: list[_Token] = []
    closing: list[str] = []
    for match in _TOKEN.finditer(source, begins, ends):
        text = match[0]
        closes = bool(closing) and text == closing[-1]
        tokens.append(_Token(match.start(), match.end(), text, bool(closing)))
        if closes:
            closing.pop()
        elif text in _PAIRS and source.find(_PAIRS[text], match.end(), ends) >= 0:
            closing.append(_PAIRS[text])
        elif text == "\n":
            closing.clear()
    return tokens


def _sentences(tokens: list[_Token]) -> Iterator[list[_Token]]:
    found: list[_Token] = []
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


def _ends_sentence(tokens: list[_Token], at: int, following: _Token | None) -> bool:
    token = tokens[at]
    if following is not None and token.held and token.text in ('"', "”", "»"):  # a quoted sentence of its own
        return tokens[at - 1].text in (".", "!", "?") and (following.text[0].isupper() or not following.is_word)
    if token.held or token.text not in (".", "!", "?") or following is None:
        return False
    if following.begins == token.ends and following.is_word:  # 1.5
        return False
    before = tokens[at - 1].word if at else ""
    return before not in _SHORT or following.text[0].isupper()


def _parts(source: str, sentence: list[_Token]) -> Iterator[list[_Token]]:
    """Part a sentence before each new clause."""
    tokens: list[_Token] = []
    for at, token in enumerate(sentence):
        if tokens and not token.held and _begins_clause(source, sentence, at, tokens):
            yield tokens
            tokens = []
        tokens.append(token)
    if tokens:
        yield tokens


def _begins_clause(source: str, sentence: list[_Token], at: int, part: list[_Token]) -> bool:
    token, before = sentence[at], sentence[at - 1]
    if token.text == "[":
        opened = source.rfind("[", 0, before.begins)
        is_gate = before.text == "]" and _GATE.fullmatch(source, opened, before.ends) is not None
        is_listed = before.text == "," and sentence[0].word not in _OPENERS  # `If it hits, [Burn]` is one
        return (before.text == "]" and not is_gate) or is_listed
    if before.text == "]" and (token.text[0].isupper() or token.text in _QUOTES):
        return True
    if before.word in _JOINS:
        return False  # the joining word has begun it
    rest = [each for each in sentence[at:] if not each.held and each.text != ","]
    if token.word in _JOINS:
        if len(rest) > 1 and rest[1].word in _JOINS:
            rest = rest[1:]
        begins = len(rest) > 1 and (_stands_alone(rest[1 : 2 + _NEAR]) or rest[1].text == "[")
        return begins and (before.text == "," or _says_something(part)) and not _is_hedged(sentence, at)
    if before.text != "," or token.word not in (*_SUBJECTS, "then"):
        return False
    leads = part[part[0].word in _JOINS :]  # `If it fails, it burns` is one
    return token.word == "then" or _is_plain(leads) or any(each.text == "," for each in part[:-1])


def _says_something(part: list[_Token]) -> bool:
    """Tell whether words are more than a subject: `You and one ally regain …` is one clause."""
    return any(token.held or token.word in VERBS or token.text[0].isdecimal() for token in part)


def _is_hedged(sentence: list[_Token], at: int) -> bool:
    """Tell whether a case at the end may hold for what comes before a joint too: `[Burn] and is Prone if wet`."""
    cases = [each for each in range(at + 2, len(sentence)) if sentence[each].word in _CASES and not sentence[each].held]
    if not cases or sentence[cases[0] - 1].word in _JOINS:
        return False
    return sentence[at - 1].text != "," or sentence[cases[0] - 1].text == ","


def _stands_alone(rest: list[_Token]) -> bool:
    """Tell whether words begin a clause with a subject or a verb of its own."""
    first = rest[0].word
    if first in _SUBJECTS or first in _OPENERS or first in VERBS:
        return True
    verbs = [token.word for token in rest[1:] if token.word in VERBS]
    return first in _NOUNS and bool(verbs) and (verbs != ["attack"] or first not in _ONE)  # `one Tail attack`
