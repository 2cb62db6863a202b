"""A case for each key of a kit but those of the order: what a table sees of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from bot.features.kits import checked_lines
from rules.core.command import Command
from rules.core.registry import system_of
from rules.core.values import Seat
from tests.rules.kit.format.keys import Case, Content, after, choices, offer, pool, rule, said, table, waiting

OPEN = 'order = { type = "open" }\npool = { HP = { start = 9, out = true }, ACT = { start = 3 } }\n'
HIT = 'target = "foe", do = ["target loses 1 HP"]'


def _checked(content: Content) -> str:
    return "\n".join(checked_lines(json.dumps(content).encode(), "mine.json")[1])


def _title(content: Content) -> str:
    return system_of(table(content).state).title


def _health(content: Content) -> int:
    return pool(after(content, "Ayla hit target=Ogre"), "Ogre")


def _rolled(*dice: tuple[int, int]) -> Callable[[Content], object]:
    return lambda content: pool(after(content, "Ayla hit target=Ogre", dice=list(dice)), "Ogre")


def _may(action: str, *before: str) -> Callable[[Content], object]:
    return lambda content: action in after(content, *before).legal("Ayla")


def _in_reach(content: Content) -> object:
    game = table(content, "Ogre", "Rat")
    game.do("Gwen", "board size", size="9x9")
    game.do("Gwen", "board place", target="Ayla", cells="A1")
    game.do("Gwen", "board place", target="Ogre", cells="A4")
    game.do("Gwen", "board place", target="Rat", cells="A2")
    return choices(game, "Ayla", "hit", "target")


def _first_done(content: Content) -> str:
    """Return which of the plans is carried out first."""
    lines = after(content, "Ayla hit", "Bran rest", "Ogre rest").lines()
    return next(line for line in lines if line in ("Ayla: Hit.", "Bran: Rest.", "Ogre: Rest."))


KIT: Mapping[str, Case] = {
    "kit.kit": Case("kit", OPEN, _title, "quick"),
    "kit.id": Case("id", OPEN, _title, "quick"),
    "kit.title": Case("title", f'title = "Two by two"\n{OPEN}', _title, "Two by two"),
    "kit.about": Case("about", f'about = "Like a dance."\n{OPEN}', lambda c: "Like a dance." in said(c), True),
    "kit.by": Case("by", f'by = "Mona"\n{OPEN}', lambda c: "By Mona." in said(c), True),
    "kit.licence": Case("licence", f'licence = "CC0"\n{OPEN}', lambda c: "Licence: CC0." in said(c), True),
    "kit.version": Case("version", f'version = "7b"\n{OPEN}', lambda c: "Version 7b, digest" in _checked(c), True),
    "kit.prefix": Case(
        "prefix",
        f'prefix = "ZZ"\nrules = {{ ZZ-01 = "So it is." }}\n{OPEN}[action]\n'
        f'hit = {{ {HIT}, needs = ["HP < 1"], rule = "ZZ-01" }}\nrest = {{}}',
        lambda c: rule(c, (), "Ayla", "hit", target="Ogre"),
        "ZZ-01",
    ),
    "kit.sides": Case(
        "sides", f'sides = ["Cats", "Dogs"]\n{OPEN}', lambda c: table(c).state.combatant("Ogre").side, "Dogs"
    ),
    "kit.metric": Case(
        "metric", f'metric = "orthogonal"\n{OPEN}', lambda c: system_of(table(c).state).metric, "orthogonal"
    ),
    "kit.order": Case("order", OPEN, lambda c: waiting(table(c)), set()),
    "kit.phase": Case("phase", 'phase = [ { name = "dawn" }, { name = "dusk" } ]', lambda c: "1 dawn" in said(c), True),
    "kit.sheet": Case(
        "sheet",
        f'{OPEN}sheet = {{ DMG = 4 }}\naction = {{ hit = {{ target = "foe", do = ["target loses {{DMG}} HP"] }} }}',
        _health,
        5,
    ),
    "kit.pool": Case("pool", f"{OPEN}action = {{ hit = {{ {HIT} }} }}", _health, 8),
    "kit.check": Case(
        "check",
        f'{OPEN}check = {{ sure = {{ roll = "1" }} }}\n'
        f'action = {{ hit = {{ target = "foe", check = "sure", success = ["target loses 2 HP"] }} }}',
        _health,
        7,
    ),
    "kit.action": Case("action", f"{OPEN}action = {{ hit = {{ {HIT} }} }}", _health, 8),
    "kit.reaction": Case(
        "reaction",
        f'{OPEN}action = {{ hit = {{ {HIT} }} }}\nreaction = {{ duck = {{ to = "targeted" }} }}',
        lambda c: waiting(after(c, "Ayla hit target=Ogre")),
        {"Ogre"},
    ),
    "kit.condition": Case(
        "condition",
        f'{OPEN}condition = {{ prone = {{}} }}\naction = {{ hit = {{ do = ["self is prone"] }} }}',
        lambda c: after(c, "Ayla hit").state.combatant("Ayla").has("Prone"),
        True,
    ),
    "kit.when": Case(
        "when",
        f'{OPEN}when = {{ round-start = ["everyone loses 2 HP"] }}\naction = {{ rest = {{}} }}',
        lambda c: pool(table(c), "Ogre"),
        7,
    ),
    "kit.rules": Case(
        "rules",
        f'{OPEN}rules = {{ QU-01 = "So it is." }}\n'
        f'action = {{ hit = {{ {HIT}, needs = ["HP < 1"], rule = "QU-01" }}, rest = {{}} }}',
        lambda c: rule(c, (), "Ayla", "hit", target="Ogre"),
        "QU-01",
    ),
    "kit.words": Case(
        "words",
        'order = { type = "sides", first = "Players" }\nwords = { end = "Over" }',
        lambda c: offer(table(c), "Ayla", "end").label,
        "Over",
    ),
}


def _pools(fields: str, more: str = "") -> str:
    """Return a kit with a pool of such keys, and actions that spend and bring it."""
    return (
        f'order = {{ type = "sides", first = "Players" }}\n'
        f"pool = {{ HP = {{ start = 9, out = true }}, LUCK = {{ {fields} }} }}\n"
        f'[action]\nspend = {{ do = ["self loses 2 LUCK"] }}\nbring = {{ do = ["self gains 9 LUCK"] }}\n{more}'
    )


def _luck(*commands: str) -> Callable[[Content], object]:
    return lambda content: pool(after(content, *commands), "Ayla", "LUCK")


POOL: Mapping[str, Case] = {
    "pool.start": Case("pool.LUCK.start", _pools("start = 3"), _luck(), 3),
    "pool.most": Case("pool.LUCK.most", _pools("most = 4"), _luck("Ayla bring"), 4),
    "pool.of": Case(
        "pool.LUCK.of",
        'order = { type = "open" }\npool = { HP = { start = 3 }, LUCK = { of = "table", start = 5 } }',
        lambda c: table(c).state.table_pools["LUCK"].now,
        5,
    ),
    "pool.refill": Case(
        "pool.LUCK.refill",
        _pools('start = 3, refill = "round"'),
        _luck("Ayla spend", "Ayla end", "Bran end", "Ogre end"),
        3,
    ),
    "pool.out": Case(
        "pool.LUCK.out",
        _pools("start = 2, out = true"),
        lambda c: waiting(after(c, "Ayla spend")),
        {"Bran"},
    ),
    "pool.shown": Case(
        "pool.LUCK.shown",
        _pools('start = 3, shown = "no"'),
        lambda c: any("LUCK" in line for line in after(c, "Ayla spend").lines("Bo")),
        False,
    ),
}


def _checks(fields: str, rest: str = 'success = ["target loses 3 HP"], failure = ["target loses 1 HP"]') -> str:
    return (
        f"{OPEN}check = {{ hit = {{ {fields} }} }}\nsheet = {{ SKILL = 2 }}\n"
        f'action = {{ hit = {{ target = "foe", check = "hit", {rest} }} }}'
    )


def _edged(fields: str) -> str:
    return 'kit = 2\nid = "quick"\n' + _checks(f'roll = "1d12", against = "6", {fields}')


CHECK: Mapping[str, Case] = {
    "check.roll": Case("check.hit.roll", _checks('roll = "1d12", against = "6"'), _rolled((12, 7)), 6),
    "check.against": Case("check.hit.against", _checks('roll = "1d12", against = "6"'), _rolled((12, 5)), 8),
    "check.good": Case("check.hit.good", _checks('roll = "1d12", against = "6", good = "low"'), _rolled((12, 5)), 6),
    "check.each": Case(
        "check.hit.each",
        _checks('roll = "2d6", against = "2", good = "count", each = ">= 4"'),
        _rolled((6, 4), (6, 5)),
        6,
    ),
    "check.ties": Case(
        "check.hit.ties", _checks('roll = "1d12", against = "6", ties = "failure"'), _rolled((12, 6)), 8
    ),
    "check.who": Case(
        "check.hit.who",
        _checks('roll = "1d12+{SKILL}", against = "6", who = "target"'),
        lambda c: pool(after(c, "Ayla hit target=Ogre", dice=[(12, 2)], fields={"SKILL": 5}), "Ogre"),
        8,
    ),
    "check.degrees": Case(
        "check.hit.degrees",
        _checks(
            'roll = "1d12", against = "6", degrees = { mighty = "success by 4" }',
            'on = { mighty = ["target loses 5 HP"] }',
        ),
        _rolled((12, 10)),
        4,
    ),
    "check.edge": Case("check.hit.edge", _edged('edge = ["1d12+5"], edges = "1"'), _rolled((12, 2)), 6),
    "check.hinder": Case("check.hit.hinder", _edged('hinder = ["1d12-5"], edges = "-3"'), _rolled((12, 9)), 8),
    "check.edges": Case("check.hit.edges", _edged('edge = ["1d12", "1d12+5"], edges = "{SKILL}"'), _rolled((12, 2)), 6),
}


def _deed(fields: str, more: str = "", head: str = OPEN) -> str:
    return f"{head}{more}\n[action]\nhit = {{ {fields} }}"


TURNS = 'order = { type = "sides", first = "Players" }\npool = { HP = { start = 9, out = true } }\n'
SURE = 'check = { sure = { roll = "1" }, never = { roll = "1", against = "2" } }\n'
RULED = 'rules = { QU-01 = "So it is." }\n'
ACTION: Mapping[str, Case] = {
    "action.label": Case(
        "action.hit.label",
        _deed('label = "Strike hard"'),
        lambda c: offer(table(c), "Ayla", "hit").label,
        "Strike hard",
    ),
    "action.hint": Case(
        "action.hit.hint",
        _deed('hint = "Hurts."'),
        lambda c: system_of(table(c).state).actions.by_id["hit"].prospect(None, "Ayla", Command(action="hit")).notes,
        "Hurts.",
    ),
    "action.kind": Case(
        "action.hit.kind",
        _deed(f'kind = "blow", {HIT}', 'condition = { dazed = { forbids = ["blow"] } }')
        + '\nwait-a-bit = { kind = "blow" }\ndaze = { do = ["self is dazed"] }',
        lambda c: "hit" in after(c, "Ayla daze").legal("Ayla"),
        False,
    ),
    "action.cost": Case(
        "action.hit.cost", _deed('cost = "2 ACT"'), lambda c: pool(after(c, "Ayla hit"), "Ayla", "ACT"), 1
    ),
    "action.needs": Case("action.hit.needs", _deed('needs = ["ACT > 3"]'), _may("hit"), False),
    "action.target": Case(
        "action.hit.target", _deed('target = "ally"'), lambda c: choices(table(c), "Ayla", "hit", "target"), ("Bran",)
    ),
    "action.targets": Case(
        "action.hit.targets",
        _deed(f"{HIT}, targets = 2"),
        lambda c: pool(after(c, "Ayla hit target=Ogre,Rat", foes=("Ogre", "Rat")), "Rat"),
        8,
    ),
    "action.range": Case("action.hit.range", _deed(f"{HIT}, range = 2") + "\nrest = {}", _in_reach, ("Rat",)),
    "action.using": Case("action.hit.using", _deed('using = "weapon"'), _may("hit"), False),
    "action.amount": Case(
        "action.hit.amount",
        _deed('amount = "2-5", do = ["self loses {amount} HP"]'),
        lambda c: pool(after(c, "Ayla hit amount=4"), "Ayla"),
        5,
    ),
    "action.note": Case(
        "action.hit.note", _deed("note = true"), lambda c: "loudly" in after(c, "Ayla hit note=loudly").said(), True
    ),
    "action.check": Case(
        "action.hit.check",
        _deed('target = "foe", check = "never", do = ["target loses 1 HP"], failure = ["target loses 2 HP"]', SURE),
        _health,
        6,
    ),
    "action.damage": Case(
        "action.hit.damage",
        'kit = 2\nid = "quick"\n' + _deed('target = "foe", damage = "3", do = ["target loses {damage}*2 HP"]'),
        _health,
        3,
    ),
    "action.after": Case(
        "action.hit.after",
        'kit = 2\nid = "quick"\n' + _deed(HIT + ', after = ["target loses {dealt}+1 HP"]'),
        _health,
        6,
    ),
    "action.do": Case("action.hit.do", _deed(HIT), _health, 8),
    "action.success": Case(
        "action.hit.success", _deed('target = "foe", check = "sure", success = ["target loses 4 HP"]', SURE), _health, 5
    ),
    "action.failure": Case(
        "action.hit.failure",
        _deed('target = "foe", check = "never", failure = ["self loses 4 HP"]', SURE),
        lambda c: pool(after(c, "Ayla hit target=Ogre"), "Ayla"),
        5,
    ),
    "action.on": Case(
        "action.hit.on",
        _deed(
            'target = "foe", check = "even", success = ["target loses 1 HP"], on = { best = ["target loses 6 HP"] }',
            'check = { even = { roll = "1d20", against = "10", degrees = { best = "success natural 20" } } }',
        ),
        _rolled((20, 20)),
        3,
    ),
    "action.ticks": Case(
        "action.hit.ticks",
        _deed(
            "ticks = 4, ends = true", head='order = { type = "clock", key = "0", round = 99, ties = ["together"] }\n'
        ),
        lambda c: "4" in system_of(g := after(c, "Ayla hit").state).row(g, "Ayla", Seat()).standing,
        True,
    ),
    "action.speed": Case(
        "action.hit.speed",
        'phase = [ { name = "plans", plan = "open", key = "{speed}" } ]\n'
        "[action]\nhit = { speed = 7 }\nrest = { speed = 3 }",
        _first_done,
        "Ayla: Hit.",
    ),
    "action.usual": Case(
        "action.hit.usual", _deed("usual = 2"), lambda c: offer(table(c), "Ayla", "hit").button_rank, 2
    ),
    "action.rule": Case(
        "action.hit.rule",
        _deed('needs = ["HP < 1"], rule = "QU-01"', RULED) + "\nrest = {}",
        lambda c: rule(c, (), "Ayla", "hit"),
        "QU-01",
    ),
    "action.once": Case("action.hit.once", _deed('once = "fight"'), _may("hit", "Ayla hit"), False),
    "action.any_time": Case(
        "action.hit.any_time",
        _deed("any_time = true", head='order = { type = "sides", first = "GM" }\n'),
        _may("hit"),
        True,
    ),
    "action.ends": Case(
        "action.hit.ends",
        _deed("ends = true", head=TURNS) + "\nrest = {}",
        lambda c: waiting(after(c, "Ayla hit")),
        {"Bran"},
    ),
}
ANSWERED = f'{OPEN}action = {{ hit = {{ {HIT} }}, push = {{ target = "ally", do = ["target loses 1 HP"] }} }}\n'
REACTION: Mapping[str, Case] = {
    "reaction.to": Case(
        "reaction.duck.to",
        f'{ANSWERED}reaction = {{ duck = {{ to = "hurt" }} }}',
        lambda c: (waiting(game := after(c, "Ayla hit target=Ogre")), pool(game, "Ogre")),
        ({"Ogre"}, 8),
    ),
    "reaction.for": Case(
        "reaction.duck.for",
        f'{ANSWERED}reaction = {{ duck = {{ to = "targeted", for = "ally" }} }}',
        lambda c: waiting(after(c, "Ayla hit target=Ogre", foes=("Ogre", "Rat"))),
        {"Rat"},
    ),
}
FALL = """[action]
fall = { do = ["self is down"] }
hit = { target = "foe", check = "even", success = ["target loses 1 HP"] }
rest = {}
"""


EDGED = f'kit = 2\nid = "quick"\n{TURNS}'


def _down(fields: str, head: str = TURNS) -> str:
    edges = ', edge = ["1d20+5"], hinder = ["1d20-5"]' if head is not TURNS else ""
    check = f'check = {{ even = {{ roll = "1d20", against = "10"{edges} }} }}\n'
    return f"{head}{check}condition = {{ down = {{ {fields} }} }}\n{RULED}{FALL}"


def _ended(*commands: str) -> Callable[[Content], object]:
    return lambda c: bool(after(c, "Ayla fall", *commands).state.combatant("Ayla").conditions)


CONDITION: Mapping[str, Case] = {
    "condition.label": Case(
        "condition.down.label",
        _down('label = "Flat"'),
        lambda c: after(c, "Ayla fall").state.combatant("Ayla").has("Flat"),
        True,
    ),
    "condition.lasts": Case("condition.down.lasts", _down("lasts = 1"), _ended("Ayla end"), False),
    "condition.ticks": Case("condition.down.ticks", _down('lasts = 1, ticks = "round-end"'), _ended("Ayla end"), True),
    "condition.save": Case("condition.down.save", _down('save = "1d20 >= 1"'), _ended("Ayla end"), False),
    "condition.forbids": Case("condition.down.forbids", _down('forbids = ["rest"]'), _may("rest", "Ayla fall"), False),
    "condition.skips": Case(
        "condition.down.skips", _down("skips = true"), lambda c: waiting(after(c, "Ayla fall")), {"Bran"}
    ),
    "condition.out": Case(
        "condition.down.out",
        _down("out = true"),
        lambda c: "Ayla" in choices(after(c, "Ayla fall", "Bran end"), "Ogre", "hit", "target"),
        False,
    ),
    "condition.checks": Case(
        "condition.down.checks",
        _down("checks = 5"),
        lambda c: pool(after(c, "Ayla fall", "Ayla hit target=Ogre", dice=[(20, 6)]), "Ogre"),
        8,
    ),
    "condition.against": Case(
        "condition.down.against",
        _down("against = 5"),
        lambda c: pool(after(c, "Ayla fall", "Ayla end", "Bran end", "Ogre hit target=Ayla", dice=[(20, 6)]), "Ayla"),
        8,
    ),
    "condition.edge": Case(
        "condition.down.edge",
        _down("edge = 1", EDGED),
        lambda c: pool(after(c, "Ayla fall", "Ayla hit target=Ogre", dice=[(20, 6)]), "Ogre"),
        8,
    ),
    "condition.edge_against": Case(
        "condition.down.edge_against",
        _down("edge_against = -1", EDGED),
        lambda c: pool(after(c, "Ayla fall", "Ayla end", "Bran end", "Ogre hit target=Ayla", dice=[(20, 14)]), "Ayla"),
        9,
    ),
    "condition.do": Case(
        "condition.down.do",
        _down('do = ["self loses 2 HP"]'),
        lambda c: pool(after(c, "Ayla fall", "Ayla end", "Bran end", "Ogre end", "Ayla rest"), "Ayla"),
        7,
    ),
    "condition.rule": Case(
        "condition.down.rule",
        _down('forbids = ["rest"], rule = "QU-01"'),
        lambda c: rule(c, ("Ayla fall",), "Ayla", "rest"),
        "QU-01",
    ),
}
CASES: Mapping[str, Case] = {**KIT, **POOL, **CHECK, **ACTION, **REACTION, **CONDITION}
