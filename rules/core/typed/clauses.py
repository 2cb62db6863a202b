"""A text parted into clauses, each done or asked as a whole; every word is in exactly one of them.

A sentence ends at `.`, `;` or a line's end. Within it a clause ends if a joining word begins one with a subject or
a verb of its own, and between two keywords in brackets. Brackets and quotes hold together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from rules.core.typed.sentences import QUOTES, Token, sentences_in
from rules.core.typed.titles import title_end


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


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
    burns burn dies die halves doubles sets set puts put clears clear reloads reload
    """
)
_LEANING = _set("then otherwise instead this that these those")
_OF_ANOTHER = _set("it he she they its his her their")
# What a sentence begins with that says what happens, and not when; behind `the` comes no such word as `next`.
_PLAINLY = (_SUBJECTS | VERBS | _set("target self hit")) - _set("everyone everybody nobody anyone")
_NAMING = _set("the a an your my its their")
_ORDINALS = _set("next first second third last following more moment turn round day rest instant only")
# What a clause that the GM is asked about may say of one before it: how much, whether, or until when that happens.
_CASE = r"(?:(?:if|when|while|as long as|against|in|on|at|for)\b[^,]*, )?"
_CHANGES = re.compile(
    rf"^(?:and |then )*{_CASE}(?:but|or|not|never|except|unless|as long as|no (?:more than|effect|damage|use)"
    r"|max(?:imum)?|min(?:imum)?|[-−–] ?\d+|saves? ends|if (?:not|\w+ (?:don't|do not))|can(?:'t|not)"
    r"|armor (?:applies|does(?:n't)?|helps|protects)"
    r"|only (?!once (?!per target)|twice|\w+ times|\d)|(?:the|each) target must be|\d+ (?:if|when|while|in|vs|against)"
    r"|you (?:can't|cannot) (?:do|use|be)|up to (?:half|its|your)"
    r"|it (?:(?:is|does|wo)(?:n't| not)|must be)(?=[.!;]?$| (?:if|when|while)\b))\b"
    r"|\b(?:instead|alternatively|rather|ignor\w+|bypass\w*|immun\w+|unaffected|unharmed|harmless|spared?|resistances?"
    r"|(?:no|pierc\w+|through|past|without) armor"
    r"|negat\w+|avoid\w*|stacks?|(?<!save )ends|ends it|can end|end it|cured?|forgo"
    r"|deals? (?:none|half|only|no)|its save has"
    r"|(?:for|at) half|the (?:low|high)(?:er|est)|the (?:better|worse|best|worst)(?! possible)"
    r"|nothing|appl(?:y|ies)|affected|(?:double|max(?:imum)?) damage|damage or|doubled|halved|tripled"
    r"|halves|reroll (?:[12]s|ones?|twos?)|automatically|not both|the same|it again|of them"
    r"|this(?! (?:turn|round|way|fight)\b)|(?:the|any|this|that|those|these) (?:damage|healing|effects?|conditions?)"
    r"|that much|(?:first|second|third|last) attacks?|(?:stops?|takes?|do|does|on) (?:it|that))\b"
    r"|^if [^,]{1,30},? (?:\d+d)?\d+[.!;]?$|^\d+d\d+(?:\+\d+)? (?:on|in|if|when|with|against)\b"
    r"|^(?:in|at|against|with|two-handed|versatile)\b[^,:+]{0,20}:? (?:\d*d)?\d+(?: damage)?[.!;]?$"
    r"|^(?:double|triple|twice)\b|^(?!you |i )[^:]* (?:takes? (?:half(?: (?:the )?damage)?|none|double|twice|\d+)"
    r"|(?:is|are|do|does)(?:n't| not))[.!;]?$"
    r"|^\w+s (?:can(?:'t|not)|(?:do|are)(?:n't| not)) \w+[.!;]?$",
    re.IGNORECASE,
)
# A sentence that names nobody says more of what is before it: how, when, where or on whom that works.
_WHEN = re.compile(
    r"(?:if|when|while|until|as long as|against|in|on|at|for|before|after|once|each|every)\b", re.IGNORECASE
)
_TO_SUBJECT = re.compile(r"\S+ \S+(?: \S+)*? (?=(?:it|they|you|the target) |\d+d\d)", re.IGNORECASE)
_OWN = re.compile(  # what says something besides: who does what, what to do, another effect, a limit
    r"then\b|otherwise\b|afterwards\b|plus\b|up to\b|\[|\(?\+?\d|half as much(?: on a miss)?[.;]?$"
    r"|(?:reach|range|recharge|effect)\b|(?:once|twice) (?:an?|per|each|every)\b"
    r"|(?:the|an?|another|your|its|their|his|her|my|you|i|he|she|we|who|whatever|everyone|everybody|nobody|anyone)\b"
    r"|(?:all|each|every|any|one)\b.* (?:is|are|takes?|gains?|regains?|loses?|moves?|makes?|must|can|may|has|have)\b"
    r"|(?:attacks|targets?|allies|enemies|foes|creatures|damage|armor)\b|(?:it )?(?:needs )?no roll\b"
    r"|(?:it )?(?:glows|hums|sings|smells|tastes|shines|looks|sounds|feels|breaks|costs?|consumes?|spends?|needs?)\b"
    r"|(?:it )?(?:deals?|heals?|regains?|restores?|gains?|inflicts|pushe?s?|pulls?|slides?|knocks?|moves?|swaps?)\b"
    r"|(?:draw|discard|teleport|shift|fall|drop|enter|leave|stay|remove|cure|make|attack|summon|set|give|put|apply)\b",
    re.IGNORECASE,
)
_HOW = (
    "in|on|at|against|with|by|from|after|before|per|for|to|through|among|as|until|over|under|without|than|like|during"
    "|every|each|when|while|if|except"
)
_SAYS_HOW = re.compile(
    r"^(?:[a-z]+(?<!s)s|[a-z]+ed|is|are|be|must|may|can|roll|count|treat|half|once)\b (?=\w)"
    r"|^(?:see|that is|provided|do(?:es)?n't|won't|halved?|doubled?|half)\b"
    rf"|\b(?:{_HOW}|times|twice|not|nor|never|none|only|most|least)\b",
    re.IGNORECASE,
)
# A whole sentence about something else: `Sparks fly from the blade`. One that begins with its verb is none.
_OF_ELSE = re.compile(
    r"(?!(?i:takes|needs|costs|lasts|works|counts|applies|requires|happens|fades|fails|hits|functions|triggers|ends|stops"
    rf"|strikes|targets|affects|uses|deals|damage|healing|usable|roll|treat|half|{_HOW})\b)"
    rf"[A-Z][\w'’-]*(?! (?:{_HOW}|only|not|never)\b)(?:,? (?!only|not|never|except|half|twice|double)[\w'’-]+){{2,}}"
    # `metal statues in the area hum for days`
    r"|(?i:(?!only|half|most|any|no|attack|spell|save|damage)[a-z-]+(?<!s)(?<!ly) (?!rolls|saves|hits|targets|works"
    r"|counts|takes|effects|attacks|spells|creatures|allies|enemies|foes)[a-z-]{3,}s (?:in|on|of|near|around)\b)"
    r"(?!.*(?:\d|\b(?:half|damage|saves?|only|not|never|except|unless|if|immune|safe|twice|double|resist\w*)\b))"
)
_AS_ACTION = re.compile(r"^as an? (?:bonus |free )?action, ", re.IGNORECASE)
_IT = re.compile(r"^(?:it|this|they)\b", re.IGNORECASE)
_NAMED = re.compile(r"^(?:the|an?) |\b(?:target|creature|ally|allies|enemy|enemies|foe|foes|you|self)\b", re.IGNORECASE)
# What a clause may say that the GM is asked about and that all others hang on, those before it too.
_OF_TIME = (
    "turn|round|fight|game|battle|encounter|combat|scene|session|adventure|minute|hour|day|week|rest|target|enemy|ally"
    "|foe|creature|character"
)
_HOW_OFTEN = (
    r"^\(?(?:(?:limit(?:ed)?|max(?:imum)?|usable|use|but|just|only|to|of|up|at most|no more than)[ :]+)*"
    r"(?:once|twice|(?:one|two|three|\d+) ?(?:times?|x|uses?|charges?|shots?)|single[- ]use|one[- ]shot|x ?\d|\d+/\w+)"
    rf"(?: only)?(?: (?:an?|per|each|every|in|this|for the) (?:\w+ )?(?:{_OF_TIME})s?)?"
    r"(?: (?:for )?(?:each|per)(?: \w+)?)?\)?[.!;]?$|^(?:recharge|every (?:other|second|third|\d+))\b"
    r"|^(?:daily|encounter)[.!;]?$|\bcool ?down\b"
    r"|^(?:then )?it(?:'s| is) (?:gone|spent|used up|empty)\b"
)
_ENDS_ALL = re.compile(  # what may be said of all of its sentence
    r"(?:(?:once|twice|times) (?:an?|per|each|every) \w+|save ends (?:both|all|each)\b[^,]*)\)?[.!;]?$"
    r"|^(?:and )?\[.*\b(?:both|each|or)\b",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"^(?:(?:it|this|you) )?(?:requires?|needs? (?!no\b|concentration)|works?\b|must have\b)"
    r"|^(?:requirements?|prerequisites?|triggers?|usable|(?:duration|concentration)[ ,:]+\w+|(?:it|this) lasts)\b"
    r"|^targets?:|^(?:two|three|four) (?:rounds|turns|minutes|targets)[.;]?$"
    r"|^(?:in|at|by|with|without|until|unless)(?: [\w'-]+){1,2}[.;]?$"
    r"|\b(?:(?:does|wo)n't work|(?:can't|cannot) be used)\b"
    r"|^\[ *(?:(?:self|user|ally|allies|all|everyone|enemies|opponents?|physical|spirit) *\]$"
    r"|on \d+ *[-–] *\d+ *\][.;:]?$|(?:if|when|unless|once|twice|half|on (?!\d)|each|next|critical|area|range|\d)\b)"
    rf"|\bonly\)?[.!;]?$|^(?!no\b).*\b(?:required|needed)[.!;]?$|{_HOW_OFTEN}",
    re.IGNORECASE,
)
# What the rest of a text hangs on: a roll, a choice, a price, when or whether it happens.
_GOVERNS = re.compile(
    r"\bto-? ?hit\b|\bvs\b|^(?:hit|attack) [+-]?\d"
    r"|^(?:make an? )?[+-]\d+ attack|^(?:make an? |spell )?attack\b.*(?:\d|advantage)"
    r"|^(?:attack:|[a-z]{3} attack|BAB|opposed|hit on|(?:ranged|melee)\b.*[+-]\d)|\b(?:half|negates)[.!;]?$"
    r"|\bcheck dc\b|\bsav(?:e|ing throw)\b|\bmakes? \w+ (?:\w+ )?attacks?\b|\brolls?\b"
    r"|^(?:hit|skill) (?-i:[A-Z])|^(?:or|not|either|you|user|self|hit|miss|crit\w*|failure|success)[.:]?$"
    rf"|^(?:{_HOW}|unless|otherwise|next)(?: [\w'+-]+){{0,6}}[.:]?$"
    r"|\battacks[.!;]?$|^(?:use|choose|pick|select|spend|expend|pay|place|flip|draw|if|when|whenever|while|against"
    r"|during|after|before)\b|^you (?:must|need|spend|expend|pay|choose|place|create)\b"
    r"|\dd\d{1,3}(?: ?\+ ?\w+)? (?:vs|against)\b|\b(?:only|later|one of|next round|explodes? (?:when|if|once))\b",
    re.IGNORECASE,
)
_REST = r"(?:(?:short|long|short or long) )?rest"
_LIMIT = re.compile(  # of the whole ability, whatever the rest of it says
    r"\(?(?:(?:usable )?(?:\d+/|(?:once|twice|\w+ times) (?:a|per|each|every) )"
    rf"(?:turn|round|fight|encounter|scene|day|{_REST})"
    rf"|once you use this(?: \w+)?, you must finish a {_REST} before you can use (?:it|this(?: \w+)?) again"
    rf"|you can(?:['’]t|not) (?:use (?:it|this)(?: \w+)?|do so) again until you finish a {_REST}"
    r"|recharge \d(?:[-–]6)?)\)?[.;]?",
    re.IGNORECASE,
)
_ABOUT = (
    re.compile(r"\bdamage\b|\bdmg\b|\btakes? (?:half|none)\b", re.IGNORECASE),
    re.compile(r"\b(?:heal|regain)", re.IGNORECASE),
)
_ADDS = re.compile(
    r"^until (?:this|the) grapple ends\b|\bspeed\b|\bflammable\b|\b(?:damage|healing) increases\b|\bequal to the\b"
    r"|\b(?:can|may)\b.* instead of dealing\b|\binstead of dealing\b.* (?:can|may)\b",
    re.IGNORECASE,
)
_OFTEN = r"(?:once|twice) (?:(?:a|per|each|every) \w+|on each of \w+ turns)"
_ASIDE = re.compile(rf", other than (?:you|me) ,|^(?:(?:as a )?reaction|{_OFTEN}) ,")
_EXCEPTS = frozenset({"not", "no", "unless", "except", "without", "if", "instead"})
_NEAR = 4  # words after `the` that may include the verb of a clause of its own
_GATE = re.compile(r"\[\s*on\s+\d{1,3}\s*[-–—]\s*\d{1,3}\s*\]", re.IGNORECASE)
_NAME = r"\[(?!\s*(?:on \d|standard\s+attack|heal\s+\d))[^\[\]]+\]"
_SHARED = re.compile(  # with what ends a list and is for all of it: how long, or to whom
    rf"(?:{_NAME}, )*{_NAME},? and {_NAME} (?:for|until)\b"
    rf"|(?:{_NAME}(?:,? and|,) )+\[[^\[\]]+\]"
    r" (?:(?:on|to) (?!the target|it\b|them\b)|from (?:you|yourself|itself|the user|this character)\b)",
    re.IGNORECASE,
)
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
    there. `quoted`: nothing of it is outside of quotes, or it is a title. `opens` a sentence, or goes on with one;
    `hangs`: this sentence began with words that may hold for all of it. `restricted`: what comes later may change it,
    and the GM is asked; nothing changes a `formal` one, which says nothing of what happens.
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
    formal: bool = False

    def with_next(self, other: Clause) -> Clause:
        """Return both as one clause; `other` goes on with the same sentence."""
        between = " " if other.begins - self.ends <= 1 else ", "
        return self._replace(ends=other.ends, text=f"{self.text}{between}{other.text}")


def clauses_of(source: str, begins: int = 0) -> Iterator[Clause]:
    """Part a text, or what is behind a place of it.

    >>> [clause.text for clause in clauses_of("7 piercing damage, and if it is no elf it sleeps. Then it falls prone")]
    ['7 piercing damage', 'and if it is no elf it sleeps.', 'Then it falls prone']
    >>> [(clause.text, clause.head) for clause in clauses_of("[Burn], [On 1-50] adds [Stun], [Daze] for 2 turns")]
    [('[Burn]', ''), ('[On 1-50] adds [Stun]', ''), ('[Daze] for 2 turns', '[On 1-50]')]
    """
    head = ""
    title = 0 if begins else title_end(source)
    if title:
        named = source[:title].lstrip(" ;\n\t")
        yield Clause(title - len(named), title, named, quoted=True)
    line = begins = title or begins
    for sentence in sentences_in(source, begins):
        colon = next((token for token in sentence if token.text == ":" and not token.held), None)
        if colon is not None or "\n" in source[line : sentence[0].begins]:
            head = ""
        governs, line = head, sentence[0].begins
        opens, hangs = True, not _is_plain(sentence)
        for part in _parts(source, sentence):
            clause = _clause(source, part)
            bare = _JOINED.sub("", clause.text, count=1)
            is_listed = bare == clause.text or source[: clause.begins].rstrip()[-1:] == ","
            if _GATE.match(bare) or (is_listed and _ACTS.match(bare)):
                governs = ""
            if any(token.is_word for token in part):
                first = part[1:2] if part[0].word in _JOINS else part
                is_name = bool(first) and first[0].text == "[" and not _is_listing(sentence)  # `Remove [Burn], [Stun]`
                leans = clause.leans or (not opens and (is_name or part[0].word in _SUBJECTS))
                hanging = hangs and not opens
                yield clause._replace(head=governs, opens=opens, hangs=hanging, leans=leans)
                opens = False
            if colon is not None and part[0].begins <= colon.begins < clause.ends:
                governs = head = source[sentence[0].begins : colon.ends].lstrip(" ,")  # fields may stand before it
            governs = chance_in(clause.text) or governs


def restricted(clauses: Iterable[Clause], read: Collection[int]) -> tuple[Clause, ...]:
    """Return clauses, of which those are restricted that a later one may change which is not `read`, by its begin.

    >>> [each.restricted for each in restricted(clauses_of("5 damage. It is Prone. Elves take half the damage"), [])]
    [True, False, False]
    """
    clauses = tuple(clauses)
    parts = [clause for clause in clauses if not (clause.quoted or clause.formal)]
    changed: set[int] = set()
    for at, clause in enumerate(parts):
        if clause.begins in read:
            continue
        text = clause.text.replace("’", "'")
        if _CHANGES.search(text) and not _ADDS.search(text):
            changed |= {each.begins for each in _meant(clause, parts[:at])}
        elif _says_how(clause, parts[:at]):
            named = (each.begins for each in parts[:at] if each.text[0] == "(" and _LIMIT.fullmatch(each.text))
            changed |= {each.begins for each in parts[:at]} - {*named}  # but for the limit behind a title
        elif not clause.opens and _ENDS_ALL.search(text):
            lasts = (each for each in _sentence(parts[:at]) if "ends" not in text or not _ABOUT[0].search(each.text))
            changed |= {each.begins for each in lasts}
        hang = parts if _NEEDS.search(text) else parts[at + 1 :] if _GOVERNS.search(text) else []
        changed |= {each.begins for each in hang if not _LIMIT.fullmatch(each.text)}
    return tuple(each._replace(restricted=each.restricted or each.begins in changed) for each in clauses)


def _says_how(clause: Clause, before: list[Clause]) -> bool:
    """Tell whether a sentence says how, when or on whom works what is `before` it, and nothing besides."""
    words = _AS_ACTION.sub("", clause.text.rpartition(": ")[2].removeprefix("and "))
    if _WHEN.match(words):
        _, comma, rest = words.partition(", ")
        words = rest if comma else _TO_SUBJECT.sub("", words, count=1)
    if not clause.opens or _OWN.match(words):
        return False
    if _IT.match(words):
        return words == clause.text and not any(_NAMED.search(each.text) for each in before)
    return _SAYS_HOW.search(words) is not None and _OF_ELSE.match(words) is None


def _meant(clause: Clause, before: list[Clause]) -> Iterator[Clause]:
    """Yield which of the clauses before one it speaks of: the last that shares what it is about, or a sentence."""
    about = next((each for each in _ABOUT if each.search(clause.text)), None)
    same = None if about is None else next((each for each in reversed(before) if about.search(each.text)), None)
    if same is not None:
        yield same
        return
    yield from _sentence(before)


def _sentence(before: list[Clause]) -> Iterator[Clause]:
    """Yield the clauses of the last sentence, from its end."""
    for each in reversed(before):
        yield each
        if each.opens:
            return


def _is_listing(sentence: list[Token]) -> bool:
    """Tell whether a sentence is a list of keywords: `[Burn], [On 1-50] adds [Stun]`."""
    words = {token.word for token in sentence if token.is_word and not token.held}
    return (sentence[0].text == "[" or sentence[0].word in ("add", "adds")) and words.isdisjoint(_EXCEPTS)


def _is_plain(sentence: list[Token]) -> bool:
    """Tell whether a sentence begins with who does something, with a verb, a number or a keyword."""
    words = [token for token in sentence if token.is_word]
    first = words[0].word if words else ""
    if first in _NAMING:
        return len(words) > 1 and words[1].word not in _ORDINALS
    return first in _PLAINLY or first[:1].isdecimal() or sentence[0].text in ("[", *QUOTES)


def _clause(source: str, part: list[Token]) -> Clause:
    words = [token for token in part if token.is_word]
    whole = source[part[0].begins : part[-1].ends]
    text = whole.strip(" ,;\n\t")
    begins = part[0].begins + whole.index(text)
    lead = words[0].word if words else ""
    second = words[1].word if lead in _JOINS and len(words) > 1 else ""
    leans = lead in _LEANING | _OF_ANOTHER or second in _LEANING | _OF_ANOTHER | VERBS
    leans = leans or _OF_THEM.match(text) is not None
    quoted = part[0].text in QUOTES and all(token.quoted for token in part[1:] if token.is_word)
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


def _parts(source: str, sentence: list[Token]) -> Iterator[list[Token]]:
    """Part a sentence before each new clause."""
    tokens: list[Token] = []
    for at, token in enumerate(sentence):
        if tokens and not token.held and _begins_clause(source, sentence, at, tokens):
            yield tokens
            tokens = []
        tokens.append(token)
    if tokens:
        yield tokens


def _begins_clause(source: str, sentence: list[Token], at: int, part: list[Token]) -> bool:
    token, before = sentence[at], sentence[at - 1]
    if token.text == "[":
        opened = source.rfind("[", 0, before.begins)
        is_gate = before.text == "]" and _GATE.fullmatch(source, opened, before.ends) is not None
        is_listed = before.text == "," and sentence[0].word not in _OPENERS  # `If it hits, [Burn]` is one
        return ((before.text == "]" and not is_gate) or is_listed) and not _is_listed(source, sentence, at)
    if before.text == "]" and (token.text[0].isupper() or token.text in QUOTES):
        return True
    if before.word in _JOINS:
        return False  # the joining word has begun it
    rest = [each for each in sentence[at:] if not each.held and each.text != ","]
    if token.word in _JOINS and _is_in_case(sentence, at):
        return False
    if token.word in _JOINS:
        if len(rest) > 1 and rest[1].word in _JOINS:
            rest = rest[1:]
        begins = len(rest) > 1 and (_stands_alone(rest[1 : 2 + _NEAR]) or rest[1].text == "[")
        begins = begins and not _is_listed(source, sentence, at + 1)
        return begins and (before.text == "," or _says_something(part)) and not _is_hedged(sentence, at)
    if before.text != "," or token.word not in (*_SUBJECTS, "then"):
        return False
    leads = part[part[0].word in _JOINS :]  # `If it fails, it burns` is one
    said = _ASIDE.sub("", " ".join(each.word for each in part[:-1]))
    return token.word == "then" or _is_plain(leads) or "," in said


def _is_in_case(sentence: list[Token], at: int) -> bool:
    """Tell whether a joint is before the comma that ends a case: `If you are Hidden and it is Prone, …`."""
    commas = [number for number, token in enumerate(sentence) if token.text == "," and not token.held]
    return sentence[0].word in _CASES and bool(commas) and at < commas[0]


def _is_listed(source: str, sentence: list[Token], at: int) -> bool:
    """Tell whether names in brackets share what ends their list: `[Burn], [Stun] and [Daze] for 2 turns`."""
    lists = _SHARED.finditer(source, sentence[0].begins, sentence[-1].ends)
    return at < len(sentence) and any(each.start() < sentence[at].begins < each.end() for each in lists)


def _says_something(part: list[Token]) -> bool:
    """Tell whether words are more than a subject: `You and one ally regain …` is one clause.

    So is `the target and one ally are Prone` behind what has been said.
    """
    last = next((at for at in reversed(range(len(part))) if part[at].text == "," or part[at].word in _JOINS), -1)
    words = part[last + 1 :]
    begins = words[0].word if words else ""
    named = words if begins in _NOUNS | _SUBJECTS and begins not in ("no", "another") else part
    words_before = ("", *(token.word for token in named))
    said = (token for word, token in zip(words_before, named, strict=False) if word != "within")
    return any(token.held or token.word in VERBS or token.text[0].isdecimal() for token in said)


def _is_hedged(sentence: list[Token], at: int) -> bool:
    """Tell whether a case at the end may hold for what comes before a joint too: `[Burn] and is Prone if wet`."""
    cases = [each for each in range(at + 2, len(sentence)) if sentence[each].word in _CASES and not sentence[each].held]
    if not cases or sentence[cases[0] - 1].word in _JOINS:
        return False
    return sentence[at - 1].text != "," or sentence[cases[0] - 1].text == ","


def _stands_alone(rest: list[Token]) -> bool:
    """Tell whether words begin a clause with a subject or a verb of its own."""
    first = rest[0].word
    if first in _SUBJECTS or first in _OPENERS or first in VERBS:
        return True
    verbs = [token.word for token in rest[1:] if token.word in VERBS]
    return first in _NOUNS and bool(verbs) and (verbs != ["attack"] or first not in _ONE)  # `one Tail attack`
