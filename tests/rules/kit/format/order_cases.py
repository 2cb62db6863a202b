"""A case for each key of an order or a phase: what a table sees of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.core.registry import system_of
from rules.core.values import Seat
from rules.dice.source import Die
from tests.rules.kit.format.keys import Case, Content, after, pool, rule, said, table, waiting
from tests.rules.table import Game

PARTS = """
[pool]
HP = { start = 9, out = true }
ACT = { start = 2, refill = "turn" }
FEAR = { of = "table", start = 2, most = 9 }
[sheet]
PLACE = 1
[rules]
QU-01 = "So it is."
[check]
quick = { roll = "{PLACE}", against = "3" }
[action]
hit = { target = "foe", do = ["target loses 1 HP"] }
rest = { ends = true }
"""


def _order(fields: str) -> str:
    return f"order = {{ {fields} }}{PARTS}"


def _phases(*phases: str, order: str = 'type = "sides", first = "Players"') -> str:
    named = ", ".join(
        f'{{ name = "p{number}"{", " if fields else ""}{fields} }}' for number, fields in enumerate(phases)
    )
    return f"order = {{ {order} }}\nphase = [ {named} ]{PARTS}"


def _waits(*commands: str, **fields: object) -> Callable[[Content], object]:
    return lambda content: waiting(after(content, *commands, fields=fields))


def _may(action: str, *commands: str, who: str = "Ayla") -> Callable[[Content], object]:
    return lambda content: action in after(content, *commands).legal(who)


def _round(*commands: str) -> Callable[[Content], object]:
    return lambda content: after(content, *commands).state.round


def _rests(content: Content, times: int, **fields: object) -> Game:
    """Let the one who is next end their turn, so many times."""
    game = table(content, **fields)
    for _ in range(times):
        game.do("Gwen", "rest", character=game.waits_for()[0])
    return game


def _told(words: str, *commands: str) -> Callable[[Content], object]:
    return lambda content: any(words in line for line in after(content, *commands).lines())


def _keys(content: Content) -> list[int]:
    """Return the dice of the step that opens the second round."""
    return _dice(_rests(content, 3))


def _one(content: Content) -> tuple[str, ...]:
    """Return what the one who is first may do."""
    game = table(content, PLACE=5)
    return game.legal(game.waits_for()[0])


def _struck(content: Content) -> list[int]:
    """Return what two have left who strike each other down."""
    game = after(content, "Ayla strike target=Ogre", "Bran rest", "Ogre strike target=Ayla")
    return [pool(game, "Ayla"), pool(game, "Ogre")]


def _dice(game: Game) -> list[int]:
    return [die.sides for die in game.decisions[-1].dice.records if isinstance(die, Die)]


def _drawn(content: Content) -> int:
    """Return how many tokens the first draw of the fight is made from."""
    return _dice(table(content))[0]


def _sharers(content: Content) -> set[str]:
    """Return who may take the GM's token, if one was drawn."""
    game = table(content, "Ogre", "Rat")
    while not waiting(game) & {"Ogre", "Rat"}:
        game.do("Gwen", "end", character=game.waits_for()[0])
    return waiting(game)


ROUND = ("Ayla rest", "Bran rest", "Ogre rest")
CASES: Mapping[str, Case] = {
    "order.name": Case(
        "phase.0.name", 'phase = [ { name = "dawn" }, { name = "dusk" } ]', lambda c: "1 dawn: " in said(c), True
    ),
    "order.type": Case("order.type", _order('type = "sides", first = "Players"'), _waits(), {"Ayla", "Bran"}),
    "order.key": Case(
        "order.key", _order('key = "7"'), lambda c: system_of(s := table(c).state).row(s, "Ayla", Seat()).standing, "7"
    ),
    "order.best": Case("order.best", _order('key = "{PLACE}", best = "low"'), _waits(PLACE=5), {"Ogre"}),
    "order.anew": Case("order.anew", _order('type = "sides", key = "1d77", anew = "round"'), _keys, [77, 77]),
    "order.ties": Case("order.ties", _order('key = "1", ties = ["together"]'), _waits(), {"Ayla", "Bran", "Ogre"}),
    "order.turns": Case(
        "order.turns", _order('type = "alternate", first = "GM", turns = 2'), lambda c: _rests(c, 3).state.round, 1
    ),
    "order.again": Case(
        "order.again", _order('key = "{PLACE}", again = -4'), lambda c: _rests(c, 3, PLACE=9).state.round, 1
    ),
    "order.hold": Case("order.hold", _order('key = "{PLACE}", hold = false'), lambda c: "hold" in _one(c), False),
    "order.swap": Case("order.swap", _order('key = "{PLACE}", swap = "later"'), lambda c: "swap" in _one(c), True),
    "order.first": Case("order.first", _order('type = "sides", first = "GM"'), _waits(), {"Ogre"}),
    "order.run": Case(
        "order.run",
        _phases("", "", order='type = "sides", first = "Players", run = "round"'),
        _waits("Ayla end", "Bran end"),
        {"Ayla", "Bran"},
    ),
    "order.keep": Case(
        "order.keep",
        _order('type = "alternate", first = "Players", keep = "1 FEAR"'),
        _may("keep", "Ayla hit target=Ogre"),
        True,
    ),
    "order.keeps": Case(
        "order.keeps",
        _order('type = "alternate", first = "Players", keep = "1 FEAR", keeps = 2, turns = 9'),
        _may("keep", "Ayla hit target=Ogre", "Ayla keep", "Ayla hit target=Ogre"),
        True,
    ),
    "order.tokens": Case("order.tokens", _order('type = "bag", tokens = "2"'), _drawn, 7),
    "order.shared": Case(
        "order.shared",
        _order('type = "bag", end_tokens = 0, shared = ["Players", "GM"]'),
        _sharers,
        {"Ogre", "Rat"},
    ),
    "order.end_tokens": Case("order.end_tokens", _order('type = "bag", end_tokens = 3'), _drawn, 6),
    "order.count": Case(
        "order.count",
        _order('type = "clock", key = "{PLACE}", count = "down", ties = ["together"]'),
        _waits(PLACE=5),
        {"Ayla", "Bran"},
    ),
    "order.ticks": Case(
        "order.ticks",
        _order('type = "clock", key = "0", ties = ["together"], ticks = 4, round = 99'),
        lambda c: "4" in system_of(s := after(c, "Ayla rest").state).row(s, "Ayla", Seat()).standing,
        True,
    ),
    "order.round": Case(
        "order.round", _order('type = "clock", key = "0", ties = ["together"], round = 1'), _round(*ROUND), 2
    ),
    "order.called": Case("order.called", _order('type = "open", called = ["GM"]'), _may("hit", who="Ogre"), False),
    "order.call": Case(
        "order.call", _order('type = "open", called = ["GM"], call = "1 FEAR"'), _may("call", who="Ogre"), True
    ),
    "order.who": Case("phase.0.who", _phases('who = "GM"', ""), _waits(), {"Ogre"}),
    "order.gate": Case(
        "phase.0.gate",
        _phases('gate = "quick"', 'who = "GM"'),
        _waits(PLACE=1),
        {"Ogre"},
    ),
    "order.pay": Case("phase.0.pay", _phases('pay = "1 ACT"'), lambda c: pool(after(c, "Ayla rest"), "Ayla", "ACT"), 1),
    "order.rounds": Case("phase.0.rounds", _phases('rounds = "later"', 'who = "GM"'), _waits(), {"Ogre"}),
    "order.actions": Case("phase.0.actions", _phases('actions = ["rest"]'), _may("hit"), False),
    "order.shares": Case(
        "phase.1.shares",
        _phases('shares = "turn"', 'shares = "turn"', 'who = "GM"'),
        lambda c: {name for name in ("Ayla", "Bran") if "hit" in after(c, *ROUND).legal(name)},
        set(),
    ),
    "order.optional": Case("phase.0.optional", _phases("optional = true"), _may("pass"), True),
    "order.gives": Case(
        "phase.0.gives",
        _phases("gives = { ACT = 5 }"),
        lambda c: pool(after(c, "Ayla hit target=Ogre"), "Ayla", "ACT"),
        5,
    ),
    "order.reverse": Case(
        "phase.0.reverse", _phases("reverse = true", order='key = "{PLACE}"'), _waits(PLACE=5), {"Ogre"}
    ),
    "order.plan": Case("phase.0.plan", _phases('plan = "open"'), _told("Ayla plans: Rest.", "Ayla rest"), True),
    "order.steps": Case("phase.0.steps", _phases('plan = "open", steps = 2'), _round(*ROUND), 1),
    "order.resolve": Case(
        "phase.0.resolve",
        _phases('plan = "open", resolve = "together"') + 'strike = { target = "foe", do = ["target loses 9 HP"] }\n',
        _struck,
        [0, 0],
    ),
    "order.rule": Case(
        "order.rule",
        _order('type = "sides", first = "Players", rule = "QU-01"'),
        lambda c: rule(c, (), "Ogre", "rest"),
        "QU-01",
    ),
}
