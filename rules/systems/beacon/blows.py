"""What an ability does here: what its fields say, and its words. Rule: BE-05, BE-10, BE-15, BE-16, BE-17, BE-25."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from rules.core.blow import Check, Damage, Deed, Effect, Inflict, Lift, Own, Points, Response, Save, Shove, Whom
from rules.core.effects.abilities import deed_in, says_in
from rules.core.effects.answers import Answering, answer_words
from rules.core.effects.bonus_forms import REACTIONS_FORM, bonuses
from rules.core.effects.distances import spaces_said, with_spaces
from rules.core.effects.forms import Dialect
from rules.core.effects.limits import Attacks, Trait
from rules.core.effects.parts import ON_CRITICAL, Against, Concentrates, Critical, Opens, Part, Reach
from rules.core.model import per_state
from rules.core.reach.vision import asks_no_sight
from rules.core.sheets.abilities import source_of
from rules.core.typed.clauses import Clause
from rules.core.typed.patterns import group, whom_of
from rules.core.values import USUAL_CONDITIONS, Ability, Combatant
from rules.systems.beacon import sheet
from rules.systems.beacon.triggers import ATTACKED, DAMAGED, EVENTS, HIT, TARGETED, trigger_of

FIELDS = ("activation", "cost", "range", "reach", "aetheric", "damage", "tags", "trigger")
SAVES = ("BULK", "MIND", "AGILITY")
IN_STRESS = "stress"  # what damage is called that adds to STRESS
_NO_ROLL = Trait("needs no roll")
NO_ACTIVATION = "It has no activation, so nobody can use it: add one, such as minor, VOLLEY or PHASE BOLSTER."
OF_THE_BODY = ("shove", "grapple")  # an ability in their place is rolled as they are, if it speaks of a hit
_ON_A_HIT = re.compile(r"\bon a hit\b", re.IGNORECASE)
_RELEASE = re.compile(r"\brelease\s*:", re.IGNORECASE)
_CONDITIONS = (
    sheet.DISARMED, sheet.SILENCED, sheet.STUNNED, sheet.PRONE, sheet.HIDDEN, sheet.MARKED, sheet.GRAPPLED,
    sheet.DISCORD,
)  # fmt: skip


def _fields_do(check: Check | None) -> Callable[[Ability], tuple[Deed, frozenset[str]]]:
    """Return what says what an ability's fields come to, and those of them that no rule carries out."""

    def do(ability: Ability) -> tuple[Deed, frozenset[str]]:
        said = sheet.damage(ability)
        if said is None:
            return Deed(check=check), frozenset({"damage"} & ability.fields.keys())
        dice, kind = said
        effects: tuple[Effect, ...] = (Damage(damage=dice, type=IN_STRESS if is_stress(kind) else kind),)
        return (Deed(always=effects) if check is None else Deed(check=check, hit=effects)), frozenset()

    return do


def is_stress(kind: str) -> bool:
    return kind.casefold().startswith(IN_STRESS)


def _clears(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Read what is cleared: some or all of one's Stress, or a condition; said to nobody, it is one's own."""
    is_told = not (match["who"] or match["friend"] or match["whom"] or match[0].split()[0] == "clears")
    whom: Whom = "self" if is_told else whom_of(match)
    if condition := group(match, "condition"):
        return Lift(lifts=dialect.condition(condition), whom=whom)
    return Points(points=group(match, "amount") or Points.ALL, pool=sheet.STRESS, whom=whom)


def _reloads(match: re.Match[str], _dialect: object) -> Part:
    return Own(own=match[0].strip().replace("reload ", "reloads ", 1), whom="self")


def _this_turn(match: re.Match[str], dialect: Dialect) -> Part | None:
    """Read what counts in the next attack of this turn, and in no later one."""
    bonus = next(made for form, made in _BONUSES.forms if form.startswith("{whose} next attack"))(match, dialect)
    return bonus.evolve(left=1, ticks="bearer-end", whom="self") if isinstance(bonus, Inflict) else None


_BONUSES = bonuses(
    ("boon", "bane"),
    {"armor": "ARMOR", "dodge": "DODGE", "a-def": "ADEF", "adef": "ADEF", "grit": "GRIT"},
    damage=True,
    saves="|".join(SAVES).casefold(),
    types=("physical", "aetheric"),
)
_CLEARS = "[({who}|{friend} [{which}])] [also] (clear|clears)"
_FROM = "[(from|on|of) {whom}]"
IGNORES_ARMOR = Trait("ignores ARMOR")
_UNROLLED = Dialect(
    conditions=(*_CONDITIONS, *(each for each in USUAL_CONDITIONS if each.upper() not in _CONDITIONS)),
    saves={key.casefold(): key for key in SAVES},
    save_number=Save.OWN,
    pools={pool.casefold(): pool for pool in (sheet.HEALTH, sheet.STRESS, sheet.MAGIC, sheet.FOCUS, sheet.RECOVERIES)},
    payable=(sheet.HEALTH, sheet.MAGIC, sheet.FOCUS, sheet.RECOVERIES),  # Stress is suffered
    lacks=(Check, Critical, Against, Reach, Concentrates, Answering, Response, Attacks),
    own=(
        ON_CRITICAL,
        ("(passive|trait) [:]", lambda _match, _dialect: Trait("you need not use it")),
        ("release :", lambda _match, _dialect: Opens("always")),
        *_BONUSES.forms,
        REACTIONS_FORM,
        ("(reload|reloads) (one|a|all [of] [your]) [reloading] (weapon|weapons|ability|abilities)", _reloads),
        ("the next attack you make this turn (has|gains|is made with) {edge}", _this_turn),
        (f"{_CLEARS} [all] [(your|their|its|the)] {{condition}} [condition] {_FROM}", _clears),
        (f"{_CLEARS} (all|{{amount}}) [(of (your|their|its)|your|their|its)] stress {_FROM}", _clears),
        (
            "[(it|this|this attack|the attack|this damage|the damage)] (ignore|ignores|ignoring) armor",
            lambda _match, _dialect: IGNORES_ARMOR,
        ),
        ("[roll] (1d20+grit|grit) (vs|against) dodge", lambda _match, _dialect: Trait("1d20+GRIT against DODGE")),
        ("[it] [(needs|takes)] no [attack] (roll|rolls)", lambda _match, _dialect: _NO_ROLL),
        ("[it] [(needs|takes)] without [(a|an)] [attack] (roll|rolls)", lambda _match, _dialect: _NO_ROLL),
    ),
    slots=_BONUSES.slots,
    calls=True,
    activates=lambda ability: sheet.activation(ability) != "",
    provokes="done",
    fields=FIELDS,
    fields_do=_fields_do(None),
    spoken=sheet.SPOKEN,
    types=("physical", "aetheric", IN_STRESS),
)
_ROLLED = replace(_UNROLLED, fields_do=_fields_do(Check()))
# What reactions do, by what they answer: a hit, an attack before its roll, or anything
_TO_ATTACK = Answering(to=("self", "ally"), attacked=True)
STRIKES_BACK = {"you FIGHT them": ("fight",), "you VOLLEY or FIGHT them": ("volley", "fight")}
_FOE = "(that character|that enemy|that foe|the attacker|the triggering character|them)"


def _answers(**does: bool) -> Callable[[re.Match[str], object], Part]:
    def answer(match: re.Match[str], _dialect: object) -> Part:
        less = {"reduces": match["amount"]} if "amount" in match.groupdict() else {}
        return _TO_ATTACK._replace(does=Response(to=("self", "ally"), **less, **does))

    return answer


_STRIKING = (
    (f"[effect :] you [immediately] fight [against] {_FOE}", lambda _match, _dialect: Trait("you FIGHT them")),
    (f"[effect :] you [immediately] volley or fight [against] {_FOE}",
     lambda _match, _dialect: Trait("you VOLLEY or FIGHT them")),
)  # fmt: skip
_TO_HITS = (
    ("[effect :] [you] (reduce|reduces) (the|that) damage [(you|they|it) (take|takes)] by {amount}", _answers()),
    ("[effect :] [they take] half [of] (the|that) damage", _answers(halves=True)),
    ("[effect :] [you] halve (the|that) damage", _answers(halves=True)),
)
_BEFORE = (
    ("[effect :] (the|that) (attack|attack roll) (is made with|has|gains|takes) (a|+1|1|one) bane",
     _answers(hinders=True)),
    ("[effect :] [you] (impose|give) (a|+1|1|one) bane on (the|that) (attack|attack roll)", _answers(hinders=True)),
    ("[effect :] you become the target [of (the|that) attack] instead", _answers(takes=True)),
)  # fmt: skip
_REACTING = {
    event: replace(_UNROLLED, own=(*_UNROLLED.own, *_STRIKING, *more))
    for event, more in {
        **dict.fromkeys(EVENTS, ()),
        **dict.fromkeys((HIT, ATTACKED, DAMAGED), _TO_HITS),
        TARGETED: _BEFORE,
    }.items()
}


def rolled_as(ability: Ability) -> str | None:
    """Return the attack as which an ability is rolled; None if it needs no roll. Rule: BE-05, BE-15, BE-16.

    >>> rolled_as(Ability(name="Slam", fields={"activation": "PHASE BRAWL", "reach": "2", "damage": "1d8"}))
    'fight'
    >>> rolled_as(Ability(name="Storm", fields={"activation": "FREE", "range": "8", "damage": "1d8"}, text="No roll."))
    """
    kinds = sheet.attack_kinds(ability)
    if kinds or sheet.is_reaction(ability):
        return kinds[0] if kinds else None
    if sheet.activation(ability) in OF_THE_BODY and _ON_A_HIT.search(source_of(ability)):
        return sheet.activation(ability)
    deed = deed_in(_read_as(ability), _ROLLED)
    if _NO_ROLL.words in deed.traits or not any(isinstance(effect, Damage) for effect in deed.hit):
        return None
    known = (("fight", "reach"), ("volley", "range"))
    return next((kind for kind, key in known if sheet.spaces(ability, key) is not None), None)


def _dialect(ability: Ability) -> Dialect:
    trigger = trigger_of(ability) if sheet.is_reaction(ability) else None
    if trigger is not None:
        return _REACTING[trigger.event]
    return _UNROLLED if rolled_as(ability) is None else _ROLLED


@per_state  # of the ability
def _read_as(ability: Ability) -> Ability:
    """Return an ability as it is read: what is used by an action holds nothing that is not put then.

    Of what is channeled, whatever stands before its release is people's: nobody can tell when that happens.
    """
    is_used = sheet.activation(ability) and not ability.kind
    source = source_of(ability)
    release = _RELEASE.search(source) if sheet.is_channel(ability) else None
    if release is not None:
        begins = deed_in(ability.evolve(source=source[: release.start()], fields={}), _UNROLLED)
        if begins.always or begins.hit:
            source = " " * release.start() + source[release.start() :]
    return ability.evolve(kind="used" if is_used else ability.kind, source=source)


def deed_of(ability: Ability) -> Deed:
    """Return what an ability does, to as many as it is aimed at."""
    return deed_in(_read_as(ability), _dialect(ability))


def far_of(bearer: Combatant, ability: Ability, kind: str | None = None) -> int | None:
    """Return how far an ability goes: its range, else its reach (as a melee attack that alone), and as its words say.

    None: only people can say.
    """
    is_melee = kind not in (None, "volley")
    far = None if is_melee else sheet.spaces(ability, "range")
    far = sheet.spaces(ability, "reach") if far is None else far
    far = spaces_said(_read_as(ability), _dialect(ability), far, bearer.number("SCOPE"))
    return 1 if far is None and is_melee else far


@per_state  # of the ability: every menu asks for it
def most_of(ability: Ability) -> int | None:
    """Return how many targets an ability may have; None for any: no word of it says whom its fields mean."""
    deed = deed_of(ability)
    fields = _dialect(ability).fields_do(ability)[0]
    by_fields = (*fields.hit, *fields.always)
    says_nobody = deed.most == 1 and all(each in by_fields for each in (*deed.hit, *deed.always))
    return 1 if sheet.is_weapon(ability) else None if says_nobody else deed.most


def unused(ability: Ability) -> str:
    """Say what an ability lacks that nothing ever uses; nothing of one that holds or happens by itself. Rule: BE-05."""
    if sheet.activation(ability) or sheet.is_channel(ability) or sheet.attack_kinds(ability):
        return ""
    deed = deed_of(ability)
    is_by_itself = deed.holds or deed.starts or deed.moment is not None or deed.answer is not None
    says_nothing = deed == Deed(traits=deed.traits) and not {"cost", "damage"} & ability.fields.keys()
    return "" if is_by_itself or says_nothing else NO_ACTIVATION


def done_words(ability: Ability, clause: Clause) -> str:
    """Say what a clause of an ability's words does; nothing if people do it."""
    words = "needs no sight" if asks_no_sight(clause) else says_in(_read_as(ability), clause, _dialect(ability))
    words = words.replace(f"against {Save.OWN}", "against your SAVE")
    words = words.removeprefix(f"{answer_words(_TO_ATTACK)}, ").replace("has disadvantage", "has a bane")
    return "" if words == _NO_ROLL.words and sheet.attack_kinds(ability) else with_spaces(words, clause)


def deed_without(kind: str, choice: str | None, to: str) -> Deed:
    """Return what an attack without an ability does: an improvised one, Shove or Grapple. Rule: BE-15 to BE-17."""
    hits: dict[str, tuple[Effect, ...]] = {
        "volley": (Damage(damage="2", type=IN_STRESS),),
        "fight": (Damage(damage="1d3", type="physical"),),
        "grapple": (Inflict(condition=sheet.GRAPPLED, whom="self"), Inflict(condition=sheet.GRAPPLED)),
        "shove": (Inflict(condition=sheet.PRONE) if choice == "prone" else Shove(shoves="away", far="1 space", to=to),),
    }
    return Deed(check=Check(), hit=hits[kind])
