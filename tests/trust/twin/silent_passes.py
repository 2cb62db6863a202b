"""Secrets of who is asked: who could not react, who has answered, who lets pass by what was said before."""

from __future__ import annotations

from bot.waiting.waits import PASS
from data.rows import OPEN
from rules.core.registry import system_of
from rules.core.values import Question
from tests.trust.stage.days import HOUR, MINUTE
from tests.trust.stage.looks import LOOKS
from tests.trust.twin.opening import BACK_AND_FORTH, GM, lines
from tests.trust.twins import Twins


async def awareness(pair: Twins, _moves: int) -> None:
    """Whether somebody is aware of an action: while they are asked, nobody else can tell whether they could react."""
    pair.knowers = GM | {"Bo"}
    knowing = "/gm aware who:Orrin of:Sella yes:{}"
    await _orrin_is_asked(pair, "Sella", (("Gwen", knowing.format("False")), ("Gwen", knowing.format("True"))))
    assert [each.silent for each in _of_orrin(pair)] == [True, False]
    await _until_passed(pair)


async def standing(pair: Twins, _moves: int) -> None:
    """Whether somebody lets pass by what they said before, or cannot react: nothing but the ping tells it."""
    await _lets_pass(pair, "Sella")


async def alone(pair: Twins, _moves: int) -> None:
    """The same for the only one a step calls: the GM attacks, and Ana has said in both worlds what she answers."""
    await _lets_pass(pair, "Hound")


async def _lets_pass(pair: Twins, attacker: str) -> None:
    pair.knowers = GM | {"Bo"}
    pair.unpinged = ("Bo",)
    said = "/act action:{} character:{} when:{}"
    lets_pass = said.format("decline", "Orrin", pair.rng.choice(("this-fight", "this-round")))
    knowing = f"/gm aware who:Orrin of:{attacker} yes:{{}}"
    never = said.format("react using:Nothing", "Orrin", "if-asked")
    anyway = ("Ana", said.format("decline", "Sella", "this-fight"))
    await _orrin_is_asked(
        pair,
        attacker,
        (("Gwen", knowing.format("True")), ("Gwen", knowing.format("False"))),
        (("Bo", lets_pass), ("Bo", never)),
        *([(anyway, anyway)] if attacker == "Hound" else []),
    )
    assert [(each.silent, each.quiet) for each in _of_orrin(pair)] == [(True, True), (True, False)]
    await _until_passed(pair)
    await pair.later(2 * HOUR)
    await pair.everybody_looks()
    for line in BACK_AND_FORTH:
        await pair.both("Gwen", f"/encounter {line}")
        await pair.both(pair.rng.choice(pair.others), pair.rng.choice(LOOKS))
    await pair.later(2 * HOUR)
    await pair.everybody_looks()


def _of_orrin(pair: Twins) -> list[Question]:
    states = [world.room.encounter for world in (pair.a, pair.b)]
    return [each for state in states if state is not None for each in state.questions if each.who == "Orrin"]


async def _orrin_is_asked(pair: Twins, attacker: str, *apart: tuple[tuple[str, str], tuple[str, str]]) -> None:
    """Let people type what differs, then somebody attack: Orrin is asked."""
    await lines(pair, options="window=4h, pass_within=1h")
    await pair.both("Gwen", "/remind turns after:20m every:20m times:2 then:nothing digest:07:00")
    for _ in range(20):
        state = pair.state
        assert state is not None
        now = system_of(state).waits_for(state)[0]
        if state.questions:
            await pair.both("Gwen", f"/gm answer target:{now} choice:enter-conflict")
        elif state.round > 1 and now == attacker:
            break
        else:
            await pair.both("Gwen", f"/act action:end character:{now}")
    for here, there in apart:
        await pair.apart(here, there)
    by, target = {"Sella": ("Ana", "Hound"), "Hound": ("Gwen", "Sella")}[attacker]
    await pair.both(by, f"/act action:attack character:{attacker} target:{target}")
    assert len(_of_orrin(pair)) == 2
    await pair.both("Gwen", "/gm answer target:Soulweaver choice:decline")
    await pair.everybody_looks()


async def _until_passed(pair: Twins) -> None:
    """Look again and again until right before the silent pass."""
    worlds = [world for world in (pair.a, pair.b) if any(each.kind == PASS for each in world.room.waits)]
    due = next(row.due for row in worlds[0].room.waits if row.kind == PASS and row.place == OPEN)
    before = due - pair.a.clock.now if due is not None else 0
    assert before > MINUTE
    for part in (0.3, 0.3, 0.35):
        await pair.later(before * part)
        await pair.both(pair.rng.choice(pair.others), pair.rng.choice(LOOKS))
    await pair.everybody_looks()


async def answered(pair: Twins, _moves: int) -> None:
    """Who of several has answered in a window that is still open: nobody else learns it, the GM neither."""
    pair.knowers = frozenset({"Bo", "Cai"})
    await _tower(pair)
    await pair.both("Gwen", "/act action:move to:H4")
    await pair.apart(("Bo", "/act action:decline character:Pip"), ("Cai", "/act action:decline character:Cat"))
    await _wait_and_look(pair)


async def _tower(pair: Twins) -> None:
    """Put the Ogre among three beacons who may react when it moves."""
    sheet = "HP 14, STRESS 6, MP 4, FOCUS 2, RECOVERIES 2, ARMOR 1, DODGE 10, ADEF 9, GRIT 2, SPEED 4, SIZE 1"
    sheet += ", SCOPE 10, SAVE 11, BULK 2, MIND 1, AGILITY 2"
    spear = "activation FIGHT; reach 2; damage 1d6+2 physical; tags weapon"
    await pair.both("Gwen", "/encounter start system:beacon name:Tower options:window=12h")
    players = {"Ana": "Rhea", "Bo": "Pip", "Cai": "Cat"}
    for who, name in players.items():
        await pair.both(who, f"/character add name:{name} sheet:{sheet} system:beacon")
        await pair.both(who, f"/character ability name:{name} ability:Spear fields:{spear}")
        await pair.both(who, f"/join character:{name}")
    ogre = "HP 90, DODGE 30, ADEF 30, GRIT 1, SPEED 4, SAVE 12, INITIATIVE 5"
    await pair.both("Gwen", f"/gm add name:Ogre sheet:{ogre}")
    await pair.both("Gwen", "/board size size:10x8")
    await pair.both("Gwen", "/board place target:Rhea, Pip, Cat, Ogre cells:C3, C5, B4, D4")
    await pair.both("Gwen", "/encounter begin")
    plan = pair.rng.choice(("gm", "nothing", "gm"))
    await pair.both("Gwen", f"/remind turns after:1h every:1h times:1 then:{plan} digest:09:00")
    for who in players:
        await pair.both(who, "/act action:plan note:delay")


async def _wait_and_look(pair: Twins) -> None:
    await pair.everybody_looks()
    for _ in range(5):
        await pair.later(0.7 * HOUR)
        await pair.both(pair.rng.choice(pair.others), pair.rng.choice(LOOKS))
    await pair.everybody_looks()
    assert pair.state is not None
    assert len(pair.state.questions) == 3  # still open


async def creatures(pair: Twins, _moves: int) -> None:
    """Which creatures of the GM could answer a blow: once one could, the GM decides for every one of its side."""
    pair.knowers = GM
    pair.goes_back = False
    await lines(pair, options="window=4h, pass_within=1h, npc_pools=hidden")
    await pair.both("Ana", "/character add name:Ayla sheet:HP 400, AC 12")
    await pair.both("Ana", "/character ability name:Ayla ability:Saber fields:hit +40; damage 1d4 slashing")
    await pair.both("Ana", "/join character:Ayla")
    adding = "/gm add name:{} sheet:HP 900, AC 2, Shell: {}"
    await pair.both("Gwen", adding.format("Crab", "reaction; half damage"))
    await pair.apart(
        ("Gwen", adding.format("Snail", "reaction; half damage")),
        ("Gwen", adding.format("Snail", "hums while it eats")),
    )
    await _hit(pair, "Crab")
    await pair.both("Gwen", "/act action:decline character:Crab")
    await pair.everybody_looks()
    await _hit(pair, "Snail")
    if pair.differences:
        return
    states = [world.room.encounter for world in (pair.a, pair.b)]
    assert [each.silent for state in states if state is not None for each in state.questions] == [False, True]
    await _until_passed(pair)


async def _hit(pair: Twins, target: str) -> None:
    """Let Ayla attack until the GM is asked: a 1 misses."""
    for _ in range(20):
        await pair.both("Gwen", "/gm turn target:Ayla")
        await pair.both("Ana", f"/act action:attack character:Ayla target:{target} using:Saber")
        if pair.state is not None and pair.state.questions:
            return
    raise AssertionError("nobody is asked")
