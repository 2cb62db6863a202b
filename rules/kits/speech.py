"""A kit said back in sentences made from it, one for each part, so that its author reads what was understood."""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.core.maps.reading import counted
from rules.kits.compiled import CheckSpec, Deed, Degree, Kit, PhaseSpec, PoolSpec, Test
from rules.kits.sentences import Sentence
from rules.kits.texts import ZERO, Comparison, DiceText, Price
from rules.kits.words import listed

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TARGETS = {
    "foe": "a foe",
    "ally": "an ally",
    "other": "somebody else",
    "anyone": "anybody",
    "self": "you",
    "source": "its source",
}
_TIMES = {"turn": "once a turn", "round": "once a round", "fight": "once a fight"}
_TICKS = {
    "bearer-start": "at the start of its bearer's turn",
    "bearer-end": "at the end of its bearer's turn",
    "source-start": "at the start of its source's turn",
    "source-end": "at the end of its source's turn",
    "round-end": "at the end of the round",
}
_TO = {  # who it happens to, as the actor and as the target; what is answered, and its means
    "targeted": "{who} {are} targeted{by}",
    "succeeded": "{what} aimed at {whom} succeeded",
    "failed": "{what} aimed at {whom} failed",
    "damaged": "{what} aimed at {whom} is about to do damage",
    "hurt": "{who} {are} hurt{by}",
    "moved-near": "{who} moved near{by}",
    "moved-away": "{who} moved away{by}",
}
_FOR = {"self": "you", "ally": "an ally", "foe": "a foe", "anyone": "somebody", "roller": "anybody"}

_SPECIALS = {
    "by": "the roll's distance",
    "high": "the highest die",
    "damage": "the damage",
    "dealt": "what it took",
    "round": "the round's number",
    "speed": "the action's speed",
}


class Said(NamedTuple):
    """One part: what it is about, which stands out, and the sentence, which begins with it or follows it."""

    about: str
    words: str
    begins: bool = False


def said_back(kit: Kit) -> tuple[Said, ...]:
    """Return what a kit says, part by part."""
    found = [Said(kit.id, _introduction(kit))]
    before: PhaseSpec | None = None
    for phase in kit.phases:
        about = f"{phase.number + 1} {phase.name}" if len(kit.phases) > 1 else "Who acts"
        found.append(Said(about, _phase(kit, phase, before)))
        before = phase
    found += [Said(pool.name, _pool(pool)) for pool in kit.pools.values() if not _is_plain(pool)]
    found += [Said(deed.id, _deed(kit, deed), begins=True) for deed in kit.actions.values()]
    found += [Said(deed.id, _deed(kit, deed), begins=True) for deed in kit.reactions.values()]
    found += [Said(key, _condition(kit, key)) for key in kit.conditions]
    found += [Said(_moment(key), f"{_all(sentences)}.") for key, sentences in kit.when.items()]
    needed = tuple(key for key, default in kit.sheet.items() if default is None)
    if needed:
        found.append(Said("", f"A sheet must have {listed(needed)}."))
    if kit.metric == "orthogonal":
        found.append(Said("", "On a board, cells that share an edge are near."))
    if kit.words:
        found.append(Said("", f"Other words: {', '.join(f'{key} “{word}”' for key, word in kit.words.items())}."))
    given = _where_a_sheet_is_silent(kit)
    if given:
        found.append(Said("", f"If a sheet says nothing else: {listed(given)}."))
    if kit.out_pools:
        found.append(Said("", f"You are out when you have no {listed(kit.out_pools)} left."))
    return tuple(found)


def _where_a_sheet_is_silent(kit: Kit) -> tuple[str, ...]:
    """Return the numbers that count without a sheet, and the starts that no other part tells."""
    sheet = (f"{key} {default}" for key, default in kit.sheet.items() if default is not None)
    plain = (pool for pool in kit.pools.values() if _is_plain(pool) and pool.refill != "turn")
    return (*sheet, *(f"{pool.name} {_dice(pool.start)}" for pool in plain))


def _introduction(kit: Kit) -> str:
    about = f"{kit.about.rstrip('.')}. " if kit.about else ""
    about += f"By {kit.by}. " if kit.by else ""
    about += f"Licence: {kit.licence}. " if kit.licence else ""
    count = len(kit.phases)
    rounds = f"A round has {_NUMBERS[count]} phases." if count > 1 else ""
    sides = "" if kit.sides == ("Players", "GM") else f"Sides: {listed(kit.sides)}. "
    return f"{about}{sides}{rounds}".strip() or "A round has one phase."


# Phases


def _phase(kit: Kit, phase: PhaseSpec, before: PhaseSpec | None) -> str:
    if before is not None and _same(phase, before):
        return f"the same for {_side(phase.side) if phase.side else 'everybody'}."
    parts = []
    if phase.plan != "no":
        steps = "an action" if phase.steps == 1 else f"{_NUMBERS[phase.steps]} actions"
        how = "in secret" if phase.plan == "secret" else "openly"
        parts.append(f"{_who(kit, phase)} plans {steps} {how}")
    if phase.plan == "no":
        parts.append(_way(kit, phase))
    elif phase.resolve == "together":
        parts.append("when all plans are made, they are shown, and happen at the same time")
    else:
        parts.append(f"when all plans are made, they are shown and carried out: {_way(kit, phase)}")
    turn = [
        f"{phase.gives.get(pool.name, pool.start.source)} {pool.name}"
        for pool in kit.pools.values()
        if pool.of == "each" and (pool.refill == "turn" or pool.name in phase.gives)
    ]
    if turn:
        parts.append(f"a turn starts with {listed(tuple(turn))}")
    if phase.rounds != "all":
        parts.append("it comes in the first round only" if phase.rounds == "first" else "it comes from round 2 on")
    if phase.gate:
        parts.append(f"the check {phase.gate} is rolled as it opens, and those who fail take no part")
    if phase.pay:
        parts.append(f"a turn here costs {_cost(phase.pay)}")
    if phase.actions is not None:
        parts.append(f"you can use {listed(phase.actions)}" if phase.actions else "you can use no actions")
    if phase.optional:
        later = any(other.shares == phase.shares and other.number > phase.number for other in kit.phases)
        parts.append("you can wait for a later phase with your turn, or pass" if later else "you can pass")
    return f"{'; '.join(part for part in parts if part)}."


def _side(name: str) -> str:
    return f"the {name} side"


def _same(phase: PhaseSpec, before: PhaseSpec) -> bool:
    """Tell whether a phase is the one before it for another side."""
    key = ("number", "name", "side")
    return phase.side != before.side and all(
        getattr(phase, name) == getattr(before, name) for name in PhaseSpec.__dataclass_fields__ if name not in key
    ) if not phase.shares.startswith("#") else False  # fmt: skip


def _who(kit: Kit, phase: PhaseSpec) -> str:
    whose = "anybody" if phase.optional else "everybody"
    whose += f" on {_side(phase.side)}" if phase.side else ""
    if phase.who is not None:
        bears = f"who is {'not ' if phase.who.negated else ''}{phase.who.condition}"
        whose += f" {bears}" if phase.who.condition else f" whose {_comparison(phase.who)}"
    if phase.optional:
        return f"{whose} {'who' if phase.who is None else 'and'} wants to"
    earlier = any(other.shares == phase.shares and other.number < phase.number for other in kit.phases)
    return f"{whose} who has had no turn this round" if earlier else whose


def _way(kit: Kit, phase: PhaseSpec) -> str:
    who = _who(kit, phase)
    first = "the highest" if (phase.best == "high") is not phase.reverse else "the lowest"
    key = f"{first} {_key(phase)}"
    is_anew = phase.anew == "turn" or kit.rolls_anew(phase)
    anew = f", anew {'after each turn' if phase.anew == 'turn' else 'each round'}" if is_anew else ""
    table = ", and it goes round the table from there" if phase.key.kind == "seats" else ""
    ties = _ties(phase)
    turns = "" if phase.turns.plain in (0, 1) else f"; everybody has {_counted(phase.turns, 'turn')} in a round"
    again = f"; after a turn {-phase.again} comes off your number, and if it is still above 0 you have another turn"
    swap = {
        "no": "",
        "side": "; you can swap places with somebody on your side who agrees",
        "later": "; you can swap places with somebody who is still to come",
    }
    hold = "; you can hold, and act after somebody else's turn" if phase.hold and phase.plan == "no" else ""
    run = "; a side goes through all phases of this kind before the next side does" if phase.run == "round" else ""
    keep = ""
    if phase.keep:
        often = "once" if phase.keeps == 1 else f"{phase.keeps} times"
        keep = f"; for {_cost(phase.keep)} the same side goes again, at most {often} in a row"
    called = f"; {_sides(phase.called)} can act only when called" if phase.called else ""
    price = f", or for {_cost(phase.call)}" if phase.call else ""
    shared = f"; anybody on {_sides(phase.shared)} can use a token of that side" if phase.shared else ""
    tokens = f"the bag holds {counted(phase.end_tokens, 'end token')} too, and drawing one ends the round"
    down = phase.count == "down"
    counting = "the most acts, and an action takes off" if down else "the fewest acts, and an action adds"
    over = "the round ends when nobody has any left" if down else f"a round has {counted(phase.round, 'tick')}"
    begins = f"{_begins(phase, key)}{anew if phase.first == 'key' else ''}{ties if phase.first == 'key' else ''}"
    is_said = phase.type in ("list", "named", "open") or (phase.type == "sides" and phase.side) or who == "everybody"
    only = "" if is_said else f"; it is for {who}"
    return {
        "list": f"{who} acts in order, {key} first{table}{anew}{ties}{turns}{again if phase.again else ''}{hold}"
        f"{swap[phase.swap]}",
        "sides": f"{who} acts, in any order"
        if phase.side
        else f"the sides act one after the other, each in any order; {begins}{run}",
        "alternate": f"the sides take turns, one person at a time, and anybody on the side can claim it; {begins}"
        f"{turns}{keep}",
        "slots": f"each {_key(phase)} makes a place for a side, {first} first{anew}{ties}; "
        "anybody on that side can take it",
        "bag": f"tokens are drawn from a bag, {_dice(phase.tokens)} for each, to say who acts{shared}; "
        f"{tokens if phase.end_tokens else 'an empty bag ends the round'}",
        "clock": f"everybody starts with {_key(phase)} ticks{anew}; the one with {counting} {phase.ticks} "
        f"if it says nothing else{ties}; {over}",
        "named": f"{who} acts, and after your turn you name who is next{turns}",
        "open": f"{who} acts in any order, one action at a time{turns}{called}{price}",
    }[phase.type] + only


def _sides(names: tuple[str, ...]) -> str:
    return listed(tuple(map(_side, names)))


def _ties(phase: PhaseSpec) -> str:
    """Say what parts those who are equal, if it is not a roll alone."""
    if len(phase.ties) == 1 and phase.ties[0].kind == "roll":
        return ""
    words = {"roll": "a roll decides", "together": "they act together"}
    said = [
        words.get(tie.kind)
        or (f"{_side(tie.side)} is first" if tie.side else f"the higher {_dice(tie.number)} is first")
        for tie in phase.ties
    ]
    return f"; in a tie {', then '.join(said) or 'those who joined first are first'}"


def _begins(phase: PhaseSpec, key: str) -> str:
    if phase.first == "key":
        return f"the side with {key} begins"
    return "another side begins each round" if phase.first == "swap" else f"{_side(phase.first)} begins"


def _key(phase: PhaseSpec) -> str:
    key = phase.key
    if key.kind == "asked":
        return "roll that you type"
    if key.kind == "cards":
        return f"card from {key.low} to {key.high}" if key.high else "card"
    return _dice(key.dice)


# Pools, actions, conditions


def _is_plain(pool: PoolSpec) -> bool:
    return pool.of == "each" and pool.most is None and pool.shown != "no" and (pool.refill == "turn" or pool.out)


def _pool(pool: PoolSpec) -> str:
    whose = {"each": "of each", "side": "of a side", "table": "of the table"}[pool.of]
    most = f", at most {_dice(pool.most)}" if pool.most is not None else ""
    if pool.most is None and pool.refill == "no" and pool.start.plain != 0:
        most = ", at most that"  # a start above 0 that nothing refills is the limit too
    refill = "" if pool.refill == "no" else f"; back to that as a {pool.refill} starts"
    seen_by = {
        "each": "only its owner and the GM see",
        "side": "only that side and the GM see",
        "table": "only the GM sees",
    }[pool.of]
    hidden = f"; {seen_by} it" if pool.shown == "no" else ""
    return f"{whose}, starts at {_dice(pool.start)}{most}{refill}{hidden}."


def _deed(kit: Kit, deed: Deed) -> str:
    parts = []
    if deed.to:
        parts.append(f"answers when {_happens(deed)}")
    elif deed.kind:
        parts.append(f"is {deed.kind}")
    if deed.label != deed.id.replace("-", " ").capitalize():
        parts.append(f"called “{deed.label}”")
    price = f"costs {_cost(deed.cost)}" if deed.cost else ""
    parts.append(", ".join(part for part in (price, _TIMES.get(deed.once, "")) if part))
    parts += [f"needs that {_comparison(need)}" for need in deed.needs]
    if deed.target != "none":
        most = f", up to {deed.targets}" if deed.targets > 1 else ""
        reach = f" within {deed.range}" if deed.range is not None else ""
        parts.append(f"target: {_TARGETS[deed.target]}{most}{reach}")
    if deed.using:
        parts.append(f"with a {deed.using}")
    if deed.amount is not None:
        parts.append(f"amount: {deed.amount[0]} to {deed.amount[1]}")
    if deed.note:
        parts.append("says in words what it is")
    if deed.damage is not None:
        parts.append(f"damage: {_dice(deed.damage)}, rolled once")
    parts.append(_all(deed.do))
    if deed.check:
        parts.append(_check(kit.checks[deed.check]))
        parts += [f"on {name} {_all(sentences)}" for name, sentences in (deed.on or {}).items() if sentences]
        parts += [f"on a success {_all(deed.success)}"] if deed.success else []
        parts += [f"on a failure {_all(deed.failure)}"] if deed.failure else []
    parts += [f"then {_all(deed.after)}"] if deed.after else []
    if deed.ticks is not None:
        parts.append(f"takes {counted(deed.ticks, 'tick')}")
    if deed.speed.plain != 0:
        parts.append(f"speed {_dice(deed.speed)}")
    if deed.any_time:
        parts.append("can be done out of turn")
    parts += ["ends the turn"] if deed.ends else []
    parts += [f"“{deed.hint}”"] if deed.hint else []
    return f"{'; '.join(part for part in parts if part) or 'changes nothing by itself'}."


def _happens(reaction: Deed) -> str:
    """Say what a reaction answers, and who that happens to: a roll is its target's, not its actor's."""
    whom = _FOR[reaction.for_whom]
    by = f" by {reaction.kind}" if reaction.kind else ""
    if reaction.for_whom == "roller":
        return (
            f"your own {_TO[reaction.to].format(who=whom, are='is', whom=whom, what=reaction.kind or 'action', by=by)}"
        )
    are = "are" if whom == "you" else "is"
    return _TO[reaction.to].format(who=whom, are=are, whom=whom, what=reaction.kind or "an action", by=by)


def _check(check: CheckSpec) -> str:
    rolls = f"{'you roll' if check.who == 'self' else 'the target rolls'} {_dice(check.roll)}"
    if check.against is None:
        return rolls
    if check.good == "count":
        rolls = f"{rolls}, of which each that is {_than(check.each_sign, check.each)} counts,"
    sign = ("<" if check.good == "low" else ">") + ("=" if check.ties_succeed else "")
    against = f"and need{'' if check.who == 'self' else 's'} {_than(sign, check.against)}"
    ties = _ladder(check.edge, 1) + _ladder(check.hinder, -1)
    ties += f"; edges from the start: {_dice(check.edges)}" if check.edges.plain != 0 else ""
    degrees = "".join(f"; {degree.name}: {_degree(degree)}" for degree in check.degrees)
    return f"{rolls} {against}{ties}{degrees}"


def _ladder(ladder: tuple[DiceText, ...], sign: int) -> str:
    """Say what is rolled instead with so many edges, such as `; with 1 edge: 2d20kh1, 2 or more: 3d20kh1`."""
    last = f" or {'more' if sign > 0 else 'less'}"
    rungs = (
        f"{sign * number}{' edge' if number == 1 else ''}{last if number == len(ladder) else ''}: {_dice(text)}"
        for number, text in enumerate(ladder, 1)
    )
    return f"; with {', '.join(rungs)}" if ladder else ""


def _degree(degree: Degree) -> str:
    tests = (f"against {_dice(degree.number)}" if each.kind == "against" else _test(each) for each in degree.tests)
    reached, counts = ("a success" if is_one else "a failure" for is_one in (degree.of_success, degree.succeeds))
    return " ".join((reached, *tests)) + ("" if counts == reached else f", which is {counts}")


def _test(test: Test) -> str:
    span = "" if not test.low else f" of {test.low}" + (f" to {test.high}" if test.high > test.low else "")
    words = {
        "by": f"by {test.low}",
        "natural": f"with{span.removeprefix(' of')} on the die",
        **{kind: f"with an {kind} die" for kind in ("even", "odd")},
        "shows": f"with a die{span}",
        "doubles": f"with doubles{span}",
        "first": "with the first die above the second",
    }[test.kind]
    first = f" among the first {test.dice}" if test.dice else ""
    return f"{words}{first}{' of the other roll' if test.theirs else ''}"


def _condition(kit: Kit, key: str) -> str:
    spec = kit.conditions[key]
    parts = [] if spec.label == key.replace("-", " ").capitalize() else [f"called “{spec.label}”"]
    if spec.forbids:
        parts.append(f"forbids {listed(spec.forbids)}")
    if spec.skips:
        parts.append("has no turns")
    if spec.out:
        parts.append("is out")
    if spec.checks:
        parts.append(f"{spec.checks:+d} to its bearer's rolls")
    if spec.against:
        parts.append(f"{spec.against:+d} to rolls against its bearer")
    if spec.edge:
        parts.append(f"{counted(spec.edge, 'edge')} for its bearer's rolls")
    if spec.edge_against:
        parts.append(f"{counted(spec.edge_against, 'edge')} for rolls against its bearer")
    if spec.do:
        parts.append(f"as a turn starts {_all(spec.do)}")
    if spec.save:
        parts.append(f"ends by {spec.save} {_TICKS[spec.ticks]}")
    lasts = f"lasts {spec.lasts}, counted {_TICKS[spec.ticks]}" if spec.lasts else "lasts until something ends it"
    if not spec.lasts and any(
        sentence.name == key and sentence.form == "is" and sentence.number for sentence in kit.sentences
    ):
        lasts = f"lasts as long as a sentence says, counted {_TICKS[spec.ticks]}"
    return f"{'; '.join((*parts, lasts))}."


def _moment(key: str) -> str:
    pool, _, what = key.rpartition("-")
    if what in ("zero", "full", "loss") and pool.isupper():
        return {"zero": f"{pool} at 0", "full": f"{pool} full", "loss": f"{pool} lost"}[what]
    return f"as {'a side is out' if key == 'side-out' else f'the {key}'.replace('-', ' ') + 's'}"


# Sentences and numbers


def _all(sentences: tuple[Sentence, ...]) -> str:
    return ", ".join(_sentence(sentence) for sentence in sentences)


_PEOPLE = {
    "self": "you",
    "target": "the target",
    "source": "its source",
    "everyone": "everyone",
    "foes": "your foes",
    "allies": "your allies",
    "side": "your side",
    "table": "the table",
}
_SEVERAL = ("self", "foes", "allies")
_PLURALS = {"is": "are", "goes": "go"}
_SIGNS = {">=": "at least {}", "<=": "at most {}", ">": "more than {}", "<": "less than {}", "=": "{}", "!=": "not {}"}


def _does(who: str, verb: str) -> str:
    """Say that somebody does something; a side by its name is those of it."""
    is_one = who in _PEOPLE and who not in _SEVERAL
    return f"{_PEOPLE.get(who, f'those of {who}')} {verb if is_one else _PLURALS.get(verb, verb.removesuffix('s'))}"


def _whose(who: str, name: str) -> str:
    return f"your {name}" if who == "self" else f"{name} of {_PEOPLE.get(who, f'those of {who}')}"


def _than(sign: str, number: DiceText) -> str:
    return _SIGNS[sign].format(_dice(number))


def _sentence(sentence: Sentence) -> str:
    words = _bare(sentence)
    if sentence.only:
        words = f"{words} if {' and '.join(_comparison(comparison) for comparison in sentence.only)}"
    if sentence.unless is not None:
        words = f"{words} unless {_does(sentence.unless[0], 'makes')} {sentence.unless[1]}"
    return words


def _bare(sentence: Sentence) -> str:
    number = "" if sentence.number is None else _dice(sentence.number)
    if sentence.form in ("gains", "loses"):
        return f"{_does(sentence.who, sentence.form)} {number} {sentence.name}"
    if sentence.form == "becomes":
        return f"{_whose(sentence.who, sentence.name)} becomes {number}"
    if sentence.form == "is":
        length = f" for {_counted(sentence.number, 'turn')}" if sentence.number is not None else ""
        return f"{_does(sentence.who, 'is')} {'not ' if sentence.negated else ''}{sentence.name}{length}"
    if sentence.form in ("moves", "pushed", "acts", "goes"):
        verb = "moves" if sentence.form == "pushed" else sentence.form
        return " ".join(filter(None, (_does(sentence.who, verb), number, sentence.name)))
    if sentence.form in ("helped", "hindered"):
        return f"it {'gains' if sentence.form == 'helped' else 'loses'} {_counted(sentence.number or ZERO, 'edge')}"
    if sentence.form == "ends":
        return f"the {sentence.name} ends{f': {sentence.words}' if sentence.words else ''}"
    if sentence.form == "aimed":
        return "it is aimed at you"
    if sentence.form in ("stopped", "rerolled", "halved", "harder", "easier", "less", "more"):
        how = f" by {number}" if number else f" but for {sentence.words}" if sentence.words else ""
        return f"it is {sentence.form}{how}"
    return f"“{sentence.words}” is said" if sentence.form == "say" else f"the GM decides: {sentence.words}"


def _comparison(comparison: Comparison) -> str:
    if comparison.condition:
        return f"{_does(comparison.who, 'is')} {'not ' if comparison.negated else ''}{comparison.condition}"
    if comparison.who == "":
        what = "the round" if comparison.name == "round" else _SPECIALS.get(comparison.name, comparison.name)
        return f"{what} is {_than(comparison.sign, comparison.number)}"
    whose = comparison.name if comparison.who == "self" else _whose(comparison.who, comparison.name)
    return f"{whose} is {_than(comparison.sign, comparison.number)}"


def _cost(prices: tuple[Price, ...]) -> str:
    return listed(tuple(f"{_dice(price.amount)} {price.pool}" for price in prices))


def _dice(text: DiceText) -> str:
    """Return dice as they are read aloud: without braces, the target's with whose they are."""
    words = re.sub(r"\}(?=d)", "} ", text.source)
    words = re.sub(r"\{target\.(\w+)\}", r"the target's \1", words)
    words = re.sub(r"\{using\.(\w+)\}", r"its \1", words)
    words = re.sub(r"\{shows (\S+)( of \w+)?\}", r"how many dice\2 show \1", words)
    words = re.sub(r"\{(by|high|damage|dealt|round|speed)\}", lambda match: _SPECIALS[match[1]], words)
    return re.sub(r"\{(\w+)\}", r"\1", words)


def _counted(number: DiceText, noun: str) -> str:
    return counted(number.plain, noun) if number.plain is not None else f"{_dice(number)} {noun}s"
