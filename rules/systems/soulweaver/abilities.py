"""What the words of an ability mean here: actions, pips, skill rolls, Responses. Rule: SW-07, SW-09, SW-13, SW-22."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from rules.core.blow import Check, Deed, Inflict, Own, Points, Response, Whom
from rules.core.effects.answers import Answering
from rules.core.effects.bonus_forms import OF_SPEED, bonuses, for_a_time, lasts, named, whom_in
from rules.core.effects.bonuses import TRAITS
from rules.core.effects.distances import Distance, distance_in, with_spaces
from rules.core.effects.forms import Dialect, inflicted, opens, own_word, with_bonus
from rules.core.effects.limits import Attacks
from rules.core.effects.parts import NO_CONCENTRATION, Critical
from rules.core.effects.reading import Reading, read
from rules.core.model import per_state
from rules.core.sheets.abilities import FLAVOR, KIND, parted, pieces, source_of
from rules.core.sheets.spoken import Spoken
from rules.core.typed.clauses import Clause
from rules.core.typed.patterns import group, whom_of
from rules.core.values import Ability
from rules.systems.soulweaver import durations
from rules.systems.soulweaver.creatures import GRIT, MAJOR, MINOR, POOLS, RESPONSE, STANCE, TRICK, TRIGGER, UNSTEADY

_SEVERAL = re.compile(r"\b(?:each|every|all|any|two|three|[2-9])\b", re.IGNORECASE)
_TRIGGER = re.compile(r"\b(?:when|whenever|if)\b[^,:]*", re.IGNORECASE)
_ALLY = re.compile(r"\bally\b", re.IGNORECASE)
_TO_ALLY = re.compile(r"\b(?:ally|it|its|they|their|the target)\b", re.IGNORECASE)
_OF_ANOTHER = re.compile(" [a-z]+s ")  # `and gains 1 Grit Pip`
_OF_HEAD = re.compile("(?:,|:|hit|miss|win|lose|success|failure)$")  # `on a hit, remove 1 Grit Pip`: whose?
_IT = re.compile(r"\b(?:it|its|they|their)\b", re.IGNORECASE)
_TO_OTHER = re.compile(r"\b(?:enemy|attacker|foe|creature)\b", re.IGNORECASE)
ATTACKS = ("attack", "weapon")
RITUAL = "ritual"
FIELDS = ("action", "conflict", TRIGGER, "tags")  # of an ability, which say nothing of what it does
ENTERS, LEAVES, DROPS = "enters Conflict", "leaves Conflict", "drops the Stance"
MORE = {f"has 1 more {pool} Action": pool for pool in POOLS}
TAKES_OVER, UNAWARE, AWARE = "becomes the target", "is not aware of you", "is aware of you"
SPEAKS, GUARDS = "can say", "against it defenses gain"
NO_REACTIONS, IN_CONFLICT, NO_STANCE = "No reactions", "No leaving Conflict", "No Stance"
TO_ATTACKERS = "to attackers"
_ROLLED = {
    "next attack": "on next attack",
    "next attack roll": "on next attack",
    **dict.fromkeys(("attack", "attacks", "attack roll", "attack rolls"), "on attacks"),
    "skill rolls": "on attacks and saves",
    **dict.fromkeys(("defense", "defence", "defenses", "defences"), TO_ATTACKERS),
}
_BONUSES = bonuses(adds=True, damage=True, saves="poise|grit|zeal")
_PIPS = {"major": MAJOR, "minor": MINOR, "grit": GRIT}
_NO_SKILL = ("check", "checks", "roll", "rolls", "test", "tests", "bonus", "penalty")
_IMPLIED = {"this stance": STANCE, "as a reaction": RESPONSE}


def _implied(ability: Ability) -> dict[str, str]:
    """Return the kind of an ability that says it in passing: `While in this Stance, …`."""
    text = source_of(ability).casefold()
    kind = next((kind for words, kind in _IMPLIED.items() if words in text), "")
    return {KIND: kind} if kind and not ability.kind else {}


SPOKEN = Spoken(
    (
        ("[(a|as a)] {kind}", {"kind": "{kind}"}),
        ("[as a] reaction", {"kind": RESPONSE}),
        ("[(a|as a)] {pool} action", {"action": "{pool}"}),
        ("{pool}", {"action": "{pool}"}),
        ("[(a|as a)] conflict action", {"conflict": "yes"}),
    ),
    {"kind": f"{TRICK}|{STANCE}|{RESPONSE}|{RITUAL}|spell", "pool": "major|minor"},
    _implied,
)


def _whom(match: re.Match[str], dialect: Dialect) -> Whom | None:
    """Return who a form is about if it may be an order to the user; None if its subject stands elsewhere."""
    if group(match, "who") or group(match, "whom"):
        return whom_of(match)
    if dialect.lasts:
        return "self"
    is_open = _OF_ANOTHER.match(match[0]) if not match.start() else _OF_HEAD.search(match.string, 0, match.start())
    return None if is_open else "target" if match.start() else "self"


def _pips(match: re.Match[str], dialect: Dialect) -> Points | None:
    """Read pips: of an action pool they are actions that are spent, of Grit they add up. Rule: SW-09, SW-13."""
    pool = next(pool for word, pool in _PIPS.items() if word in match["pips"])
    takes_off = re.search(r" (?:removes?|clears?)(?= )", match[0]) is not None
    whom: Whom | None = "self" if " cost" in match[0] else _whom(match, dialect)
    if whom is None:
        return None
    return Points(points=match["amount"], pool=pool, gains=takes_off is (pool in POOLS), whom=whom)


def _all_pips(match: re.Match[str], dialect: Dialect) -> Points | None:
    """Read that all pips go: an action pool is full again, Grit has none."""
    pool = next(pool for word, pool in _PIPS.items() if word in match["pips"])
    whose = group(match, "whose").strip()
    whom = "self" if whose == "your" else whom_of(match) if whose else _whom(match, dialect)
    return None if whom is None else Points(points=Points.ALL, pool=pool, gains=pool in POOLS, whom=whom)


def _words(match: re.Match[str], dialect: Dialect) -> Own | None:
    whom = _whom(match, dialect)
    return whom and Own(own=f"{SPEAKS} {match['number']} more words this round", whom=whom)


def _guarded(match: re.Match[str], _dialect: Dialect) -> Own:
    return Own(own=f"{GUARDS} {match['dice_on'].strip().lstrip('+')}", whom="self")


def _one_more(match: re.Match[str], dialect: Dialect) -> Own | None:
    whom = _whom(match, dialect)
    return whom and Own(own=f"has 1 more {dialect.pools[match['pool']]} Action", whom=whom)


def _weakened(match: re.Match[str], _dialect: Dialect) -> Response | None:
    """Read dice that the defenses gain against one attack, or that it loses: it comes to the same."""
    if re.match(" (?:they|it) (?:gain|add)", match[0]) and " ally " not in match.string:
        return None  # the attacker's defenses are none against it
    is_own = re.match(" (?:you|i) ", match[0]) is not None
    return Response(to=("self",) if is_own else ("self", "ally"), adds=f"-{match['amount']}")


def _contest(match: re.Match[str], dialect: Dialect) -> Check:
    """Read a skill roll against another skill of the target."""
    return Check(bonus=match["skill"].upper(), versus=dialect.saves[match["save"]])


def _dice_on(match: re.Match[str], dialect: Dialect) -> Inflict | None:
    """Read dice that are added to rolls or taken off; what defenses gain, attackers lose."""
    roll = match["rolled"]
    skill = roll.partition(" ")[0]
    on = _ROLLED.get(roll) or f"on {dialect.saves[skill]} saves"
    is_less = re.search(r" (?:loses?|subtracts?) ", match[0]) is not None
    sign = "-" if is_less is not (on == TO_ATTACKERS) else "+"
    return _for_a_time(f"{sign}{match['dice_on'].lstrip('+')} {on}", match, dialect)


def _to_attackers(match: re.Match[str], dialect: Dialect) -> Inflict | None:
    """Read dice that attacks against somebody gain or lose."""
    sign = "-" if re.search(r" loses? ", match[0]) else "+"
    on = "to next attacker" if " next attack " in match[0] else TO_ATTACKERS
    return _for_a_time(f"{sign}{match['dice_on'].lstrip('+')} {on}", match, dialect)


def _for_a_time(name: str, match: re.Match[str], dialect: Dialect) -> Inflict | None:
    if " this turn" in match[0]:
        return inflicted(name, "until the end of your turn", dialect, whom_in(match))
    return for_a_time(name, match, dialect, ends=" next " in name)


DIALECT = Dialect(
    conditions=(
        *UNSTEADY, "Blinded", "Bleeding", "Burning", "Charmed", "Dazed", "Deafened", "Frightened", "Hidden",
        "Invisible", "Marked", "Paralyzed", "Poisoned", "Shielded", "Silenced", "Slowed", "Stunned",
        "Unconscious", "Warded", "Weakened",
    ),
    saves={"poise": "POISE", "grit": GRIT, "zeal": "ZEAL"},
    number_to_reach=("defense", "defence", "defenses", "defences"),
    pools={
        "hp": "HP",
        "hit points": "HP",
        "major": MAJOR,
        "major action": MAJOR,
        "major actions": MAJOR,
        "minor": MINOR,
        "minor action": MINOR,
        "minor actions": MINOR,
    },
    payable=(),  # Major and Minor say which action it is
    units={"turn": durations.ROUNDS, **{unit.removesuffix("s"): unit for unit in durations.UNITS}},
    triggers=True,
    is_own_ally=False,  # SW-01
    answers=(
        ("(when|whenever|if) an attack (succeeds|hits) [against (you|me)] [,]", lambda _match, _dialect: Answering()),
        ("the (target number|dl) (rises|rise|increases|is raised) by {number}",
         lambda match, _dialect: Response(to=("self", "ally"), against=int(match["number"]))),
        ("[(you|i|they|it)] (gain|gains|add|adds) {amount} (on|to) [(your|their|its)] defenses [against {an_attack}]",
         _weakened),
        ("({an_attack}|the attacker) (loses|takes a penalty of) {amount}", _weakened),
    ),
    slots={
        **_BONUSES.slots,
        "pips": r"(?:major|minor)(?: action)? pips?|grit pips?|pips? of grit",
        "skill": "zeal|poise",
        "changes_dice": "gains?|adds?|has|have|loses?|subtracts?",
        "dice_on": r"\+?(?:[0-9]{0,2}d[0-9]{1,3}|[0-9]{1,2})",
        "rolled": (
            r"next attack(?: roll)?|attacks?(?: rolls?)?|attack rolls|skill rolls|(?:poise|grit|zeal) rolls"
            r"|defen[cs]es?"
        ),
        "an_attack": "it|(?:the|that|this) attack",
        "one_more": r"\+?1|an?|one",
    },
    own=(
        ("[{who}] (gains|gain|takes|take|suffers|suffer) {amount} [additional] {pips}", _pips),
        ("(costs|cost) {amount} {pips}", _pips),
        ("[{who}] (removes|remove|clears|clear) all [of] [{whose}] {pips} [from {whom}]", _all_pips),
        ("[{who}] [(can|may)] (speak|say) [up to] {number} (more|additional|extra) words [this round]", _words),
        ("[{who}] (can't|cannot) (react|take reactions|take a reaction) [{lasting}]", named(NO_REACTIONS)),
        ("[{who}] (can't|cannot) leave conflict [{lasting}]", named(IN_CONFLICT)),
        ("[{who}] (can't|cannot) (enter|take|use) (stances|a stance) [{lasting}]", named(NO_STANCE)),
        ("[{who}] (can't|cannot) move [{lasting}]", named(f"{OF_SPEED} 0")),
        ("[(you|i)] (gain|gains) {dice_on} (on|to) [your] (defenses|defense) against {an_attack}", _guarded),
        ("if you win [,]", opens("hit")),
        ("if you lose [,]", opens("miss")),
        ("[{who}] (removes|remove|clears|clear) {amount} {pips} [from {whom}]", _pips),
        ("[{who}] (gains|gain) {one_more} [(more|extra|additional)] {pool} [this turn]", _one_more),
        ("[{who}] (has|have) {one_more} (more|extra|additional) {pool} [this turn]", _one_more),
        ("[{bearer}] (rolls|roll) {skill} (against|vs) (the target's|its|their) {save}", _contest),
        ("[{bearer}] [(can|may)] (make|makes) an attack [against ({whom}|the attacker|that enemy)]", with_bonus),
        ("[{bearer}] [(can|may)] attack {whom} [as a reaction]", with_bonus),
        ("[{bearer}] [(can|may)] (become|becomes) the target [of (it|that attack|the attack)] [instead]",
         own_word(TAKES_OVER)),
        ("[{who}] (is no longer|are no longer|stops being) aware of (you|me)", own_word(UNAWARE)),
        ("[{who}] (becomes|become) aware of (you|me)", own_word(AWARE)),
        ("skill {bonus}", lambda match, dialect: None if match["bonus"] in _NO_SKILL else with_bonus(match, dialect)),
        ("[{who}] (enters|enter) conflict", own_word(ENTERS)),
        ("[{who}] (leaves|leave) conflict", own_word(LEAVES)),
        *_BONUSES.forms,
        ("[{who}] {changes_dice} {dice_on} (on|to|from) [{whose}] {rolled} [({lasting}|this turn)]", _dice_on),
        ("{whose} {rolled} {changes_dice} {dice_on} [({lasting}|this turn)]", _dice_on),
        ("[all] attacks against {who} (gain|lose) {dice_on} [({lasting}|this turn)]", _to_attackers),
        ("the next attack against {who} (gains|loses) {dice_on} [({lasting}|this turn)]", _to_attackers),
        ("{lasting} ,", lasts),
        ("(when|whenever|as) you (begin|start) your turn [in this stance] [,]", opens("starts")),
        ("at the (start|beginning) of [each of] your (turn|turns) [in this stance] [,]", opens("starts")),
        ("while [you are] in this stance ,", opens("always")),
        ("when (you|i) (enter|take) this stance [,]", opens("always")),
        ("{who} (drops|drop|loses|lose|leaves|leave) (its|their|your|the) stance", own_word(DROPS)),
        ("(drop|lose|leave|end) your stance", own_word(DROPS)),
        ("(end|ends) (the target's|its|their|a creature's|an enemy's) stance", lambda _match, _dialect: Own(own=DROPS)),
    ),
    asks=("self", "ally"),
    lacks=(*NO_CONCENTRATION, Attacks, Critical),
    attacks=lambda kind, deed: (
        kind in ATTACKS or (bool(deed.hit or deed.miss) and kind not in (STANCE, TRICK, RESPONSE, "reaction"))
    ),
)  # fmt: skip
_OF_STANCES = replace(DIALECT, lasts=True)
_OF_TRAITS = replace(DIALECT, calls=True, triggers=False)  # what is no action of its own is called


@lru_cache(maxsize=2048)
def _read(source: str, sheet: str, kind: str) -> Reading:
    known = (KIND, FLAVOR, *FIELDS)
    fields = [piece.begins for piece in pieces(source, SPOKEN) if piece.key in known]
    clauses = (clause for clause in parted(source, known, spoken=SPOKEN) if clause.begins not in fields)
    is_used = kind not in TRAITS or any(piece.key == "action" for piece in pieces(source, SPOKEN))
    dialect = _OF_STANCES if kind == STANCE else DIALECT if is_used else _OF_TRAITS
    reading = read(clauses, dialect, kind="reaction" if kind == RESPONSE else kind, sheet=sheet)
    deed = reading.deed
    is_for_several = deed.most != 1 and (deed.check is not None or (kind == RESPONSE and _SEVERAL.search(source)))
    is_unclear = not _is_clear(source, deed) if kind == RESPONSE else _changes(deed)
    answer = deed.answer
    is_unclear = is_unclear or (answer is not None and (answer.takes or answer.stays))  # more than one attack, or less
    if deed.starts and kind != STANCE:  # nobody says since when, but of what always holds
        is_unclear = is_unclear or is_used or deed != Deed(starts=deed.starts)
    if (kind == STANCE and deed.aims) or is_for_several or is_unclear:
        return Reading(Deed(), {})  # who takes one names nobody; an attack and a Response are aimed at one
    return reading


def _changes(deed: Deed) -> bool:
    """Tell whether something is said of an attack that only a Response answers."""
    words = (each.own for each in deed.always if isinstance(each, Own))
    return any(word == TAKES_OVER or word.startswith(GUARDS) for word in words)


def _takes_over(deed: Deed) -> bool:
    return any(isinstance(each, Own) and each.own == TAKES_OVER for each in deed.always)


def _of_ally(source: str) -> tuple[str, str]:
    """Return a trigger that speaks of an Ally, and what a Response says behind it; nothing if it speaks of none."""
    trigger = _TRIGGER.search(source)
    return (trigger[0], source[trigger.end() :]) if trigger is not None and _ALLY.search(trigger[0]) else ("", "")


# Triggers that do not say who causes them, or name the one who acts: `When an Ally attacks, it regains 4 HP`
_OF_THE_ATTACKED = re.compile(
    r"\bwhen(?:ever)? (?:you|i) (?!are\b|am\b|takes?\b|lose\b)"
    r"|\b(?:enemy|creature|foe)(?: within \d+ spaces?)? (?:is|are) |\b(?:hits?|attacks?|misses) an? (?:enemy|foe)\b"
    r"|\b(?:ally|allies)(?: within \d+ spaces?)? (?:attacks?|hits?|miss(?:es)?|casts?|uses?)\b",
    re.IGNORECASE,
)


def _is_clear(source: str, deed: Deed) -> bool:
    """Tell whether a Response says to whom it does something: to an Ally who is meant, or to who causes it."""
    if deed.aims and _OF_THE_ATTACKED.search(source):
        return False
    trigger, rest = _of_ally(source)
    if not trigger:
        return not (deed.aims and deed.helps)  # who causes it is seldom helped
    to_ally, to_other = _TO_ALLY.search(rest) is not None, _TO_OTHER.search(rest) is not None
    if (to_ally and to_other) or (_TO_OTHER.search(trigger) and _IT.search(rest)):
        return False
    return to_ally or to_other or not deed.aims


def is_for_ally(ability: Ability | None) -> bool:
    """Tell whether a Response to what happens to an Ally is for that Ally, and not for who causes it."""
    return ability is not None and _TO_ALLY.search(_of_ally(source_of(ability))[1]) is not None


def _reading(ability: Ability) -> Reading:
    return _read(source_of(ability), ability.sheet, ability.kind)


def deed_of(ability: Ability | None) -> Deed:
    """Return what an ability does; nothing if there is none."""
    return Deed() if ability is None else _reading(ability).deed


@per_state  # of the ability: every menu asks for it
def distance_of(ability: Ability) -> Distance:
    """Return how far away the targets of an ability may be."""
    source = source_of(ability)
    clauses = parted(source, (KIND, FLAVOR, *FIELDS), spoken=SPOKEN)
    return distance_in(clauses, _reading(ability), sheet=ability.sheet)


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability does; nothing if the GM is asked."""
    return with_spaces(_reading(ability).says.get(clause.begins, ""), clause)


def answer_of(ability: Ability | None) -> Response | None:
    """Return what a Response changes of the attack that it answers, whatever it does besides."""
    deed = deed_of(ability)
    own = next((each.own for each in deed.always if isinstance(each, Own) and each.own.startswith(GUARDS)), "")
    return Response(to=("self", "ally"), adds=f"-{own.removeprefix(GUARDS).strip()}") if own else deed.answer


def changes_another(ability: Ability | None) -> bool:
    """Tell whether a Response changes what it answers."""
    return answer_of(ability) is not None or takes_over(ability)


def takes_over(ability: Ability | None) -> bool:
    """Tell whether the user of a Response becomes the target of what it answers."""
    return _takes_over(deed_of(ability))
