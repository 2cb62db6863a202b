"""What is secret and differs between twin worlds, and who may know it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot import custom_ids
from rules.core.commands.standing_orders import offers_on_turn
from rules.core.registry import system_of
from rules.core.values import Seat
from rules.core.views.view import offers_for
from tests.rules.table import command_for
from tests.trust.stage.days import HOUR
from tests.trust.stage.looks import HIDDEN_SHEETS
from tests.trust.twin import said_ahead
from tests.trust.twin.hidden_ground import fog, marks
from tests.trust.twin.opening import BEGIN, GM, lines, rest, side
from tests.trust.twin.restarts import asked, restarted
from tests.trust.twin.silent_passes import alone, answered, awareness, creatures, standing
from tests.trust.twins import KEYS, Twins
from tests.wire import PEOPLE

ALL = ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics")
WITH_DECK = ("adventurers", "beacon", "classic", "soulweaver", "tactics")
ON_A_BOARD = ("beacon", "stones", "tactics")
KITS_ON_A_BOARD = ("kit-one-list", "kit-three-beats")
LURKER = "Zyqor"
PLANS = {  # what Ana plans, here and there
    "kit-hidden-plans": (
        ("action:thrust target:Ogre 1", "action:lunge target:Ogre 2 amount:3"),
        ("action:guard", "action:feint target:Ogre 1"),
    ),
    "kit-three-beats": (
        ("action:cut target:Ogre 1", "action:great-cut target:Ogre 2"),
        ("action:breathe", "action:guard"),
    ),
}
HOUSE_RULES = {
    "adventurers": ("",),
    "beacon": ("", "first=npc"),
    "classic": ("", "rolled=each-round", "rolled=cards", "by=side", "by=popcorn", "order=low"),
    "soulweaver": ("", "completing=go-on"),
    "stones": ("", "side_order=gm", "eliminated=pass"),
    "tactics": ("", "initiative=once", "threat=all"),
}


@dataclass(frozen=True)
class Secret:
    """A kind of secret: the systems that have one, and an evening with it."""

    systems: tuple[str, ...]
    play: Callable[[Twins, int], Awaitable[None]]


async def _hidden(pair: Twins, moves: int) -> None:
    """Somebody that nobody sees: with another name, place, strength, and condition."""
    pair.knowers = GM
    pair.renamed["Zyqor"] = "Wubbalubba"
    await lines(pair, until=BEGIN)
    sheet = HIDDEN_SHEETS[pair.system]
    stronger = sheet.replace("HP 31", "HP 77").replace("HP 24", "HP 19").replace("HP 15", "HP 12")
    stronger = stronger.replace("SPEED 6", "SPEED 3").replace("STAMINA 9", "STAMINA 7")
    adding = "/gm add name:{} sheet:{} hidden:True" + side(pair)
    await pair.apart(("Gwen", adding.format("Zyqor", sheet)), ("Gwen", adding.format("Wubbalubba", stronger)))
    if pair.system in ON_A_BOARD:
        placing = "/board place target:{} cells:{}"
        await pair.apart(("Gwen", placing.format("Zyqor", "H1")), ("Gwen", placing.format("Wubbalubba", "G1")))
    condition = "/condition add target:{} name:{} duration:2"
    await pair.apart(("Gwen", condition.format("Zyqor", "Burn")), ("Gwen", condition.format("Wubbalubba", "Poison")))
    await pair.both("Gwen", BEGIN)
    await rest(pair, moves)


async def _existence(pair: Twins, moves: int) -> None:
    """Two that nobody sees are there for the whole game; in the other world the GM writes notes instead.

    Others of their name come in both: they bear the first numbers.
    """
    pair.knowers = GM
    await lines(pair, until=BEGIN, options=pair.rng.choice(HOUSE_RULES[pair.system]))
    adding = f"/gm add name:{LURKER} sheet:{HIDDEN_SHEETS[pair.system]} count:2{side(pair)}"
    await _instead_of_a_note(pair, f"{adding} hidden:True")
    if pair.system in ON_A_BOARD:
        await _instead_of_a_note(pair, f"/board place target:{LURKER} 1 cells:H1")
    await pair.everybody_looks()
    await pair.both("Gwen", BEGIN)
    for number in range(max(2, moves // 3)):
        await pair.play(2)
        await _deed(pair)
        if number == 1:
            await pair.both("Gwen", adding)
    await rest(pair, 1)


async def _deed(pair: Twins) -> None:
    """Let the GM do something with or for the hidden one, if it still is there."""
    state = pair.state
    if state is None or not state.hidden or state.status != "running" or state.over is not None:
        return
    who = pair.rng.choice([each.name for each in state.hidden])
    offered = offers_for(pair.a.room.table, who, Seat(user=PEOPLE["Gwen"], gm=True))
    commands = [command_for(offer, pair.rng, state).model_dump(exclude_none=True) for offer in offered]
    deeds = [" ".join(f"{key}:{given[key]}" for key in KEYS if key in given) for given in commands]
    rulings = (
        "/gm set target:{} pool:LUCK value:1/9", "/gm set target:{} pool:mark:sly value:on",
        "/condition add target:{} name:Burn duration:2", "/gm turn target:{}", "/gm skip target:{}",
        "/gm note target:{} text:soon",
    )  # fmt: skip
    chosen = pair.rng.choice([*(f"/act {deed}" for deed in deeds), *(each.format(who) for each in rulings)])
    await _instead_of_a_note(pair, chosen)


async def _instead_of_a_note(pair: Twins, doing: str) -> None:
    """Do something in secret; in the other world the GM writes a note, if it was done at all."""
    if pair.state is None:
        return
    if not pair.state.names:  # somebody has to be there for a note to be about
        await pair.both("Gwen", f"/gm add name:Bystander sheet:{HIDDEN_SHEETS[pair.system]}{side(pair)}")
    before, someone = pair.a.room.next_seq, pair.state.names[0]
    await pair.a.type("Gwen", doing)
    if pair.a.room.next_seq > before:
        await pair.b.type("Gwen", f"/gm note target:{someone} text:nobody is here")
        pair.compared["deeds"] += 1
    else:
        await pair.b.type("Gwen", "/gm note target:nobody text:refused, as what was tried here")
    pair.compare(doing)


async def _numbers(pair: Twins, moves: int) -> None:
    """How much those of the GM have left; and words of the GM's own, and what is asked for."""
    pair.knowers = GM
    await lines(pair, options=f"npc_pools={pair.rng.choice(('hidden', 'words'))}", until=BEGIN)
    await pair.both("Gwen", f"/gm add name:Warden sheet:{HIDDEN_SHEETS[pair.system]}{side(pair)}")
    await pair.both("Gwen", BEGIN)
    state = pair.state
    assert state is not None
    foes = [each for each in state.combatants if each.owner is None]
    for foe in foes:
        for pool in ("HP", "STAMINA"):
            if pool in foe.pools:
                setting = "/gm set target:{} pool:{} value:{}/1000"
                await pair.apart(
                    ("Gwen", setting.format(foe.name, pool, 900)), ("Gwen", setting.format(foe.name, pool, 800))
                )
    await _words_of_the_gm(pair, state.names[0])
    await pair.play(moves // 2)
    await _words_of_the_gm(pair, state.names[0])
    await rest(pair, moves - moves // 2)


async def _words_of_the_gm(pair: Twins, who: str) -> None:
    note = "/gm note target:{} text:{}"
    await pair.apart(("Gwen", note.format(who, "loyal to the last")), ("Gwen", note.format(who, "a spy")))
    asking = "/gm ask who:{} dice:1d20 at_least:{} reason:listening show:gm"
    await pair.apart(("Gwen", asking.format(who, 12)), ("Gwen", asking.format(who, 15)))
    await pair.apart(("Gwen", "/roll dice:1d20+2 show:gm reason:x"), ("Gwen", "/roll dice:1d20+9 show:gm reason:x"))
    await pair.apart(
        ("Gwen", "/roll dice:2d6 show:blind reason:y"), ("Gwen", "/roll dice:2d6 show:blind reason:y"), dice=True
    )


async def _own(pair: Twins, moves: int) -> None:
    """What Bo has for himself: rolls, saved rolls and characters; and a roll that the GM alone sees of Ana."""
    pair.knowers = frozenset({"Bo"})
    await lines(pair)
    await pair.apart(
        ("Bo", "/roll dice:1d20+2 show:me reason:bluff"), ("Bo", "/roll dice:1d20+7 show:me reason:flee"), dice=True
    )
    await pair.apart(("Bo", "/macro save name:sneak dice:2d6+1"), ("Bo", "/macro save name:stab dice:1d8"))
    await pair.apart(("Bo", "/character add name:Shade sheet:HP 3"), ("Bo", "/character add name:Brute sheet:HP 9"))
    await pair.apart(("Bo", "/macro list"), ("Bo", "/macro list"))
    await rest(pair, moves)


async def _blind(pair: Twins, moves: int) -> None:
    """Faces that the GM alone sees: of a player's blind roll, and of one that the player sees too."""
    pair.knowers = GM
    await lines(pair)
    await pair.apart(
        ("Ana", "/roll dice:3d20 show:blind reason:luck"), ("Ana", "/roll dice:3d20 show:blind reason:luck"), dice=True
    )
    await pair.both("Gwen", "/gm ask who:" + (pair.state.names[0] if pair.state else "") + " dice:2d20 show:blind")
    await rest(pair, moves)
    pair.knowers = GM | {"Ana"}
    await pair.apart(
        ("Ana", "/roll dice:3d20 show:gm reason:luck"), ("Ana", "/roll dice:3d20 show:gm reason:luck"), dice=True
    )
    await pair.everybody_looks()


async def _hands(pair: Twins, moves: int) -> None:
    """Everybody's cards: another shuffle. The GM may not see hands."""
    pair.knowers = frozenset({"Ana", "Bo", "Cai"})
    if pair.system == "stones":
        await lines(pair, options="gm_sees_hands=off", until=BEGIN)
        await pair.apart(("Gwen", BEGIN), ("Gwen", BEGIN), dice=True)
        pair.goes_back = False
        for _ in range(20):  # until somebody has drawn
            await pair.play(1)
            if any(getattr(pair.state, "hands", {}).values()):
                break
        for who in sorted(pair.knowers):
            await pair.both(who, "/hand show")
    else:
        await lines(pair, options="gm_sees_hands=off")
        deck = ("Gwen", "/deck new kind:standard54")
        await pair.apart(deck, deck, dice=True)
        for who, count in (("Ana", 5), ("Bo", 3)):
            await pair.both(who, f"/hand draw count:{count}")
        held = [world.room.table.cards.hands[PEOPLE["Ana"]][0] for world in (pair.a, pair.b)]
        await pair.apart(*(("Ana", f"/hand give cards:{card} player:Bo") for card in held))
    for who in ("Mo", "Gwen", "Sol"):
        await pair.both(who, "/hand show player:Ana")
    await rest(pair, moves)


async def _tries(pair: Twins, _moves: int) -> None:
    """Ana's stones, with orders on some; a GM who may not see them tries whatever could tell them."""
    pair.knowers = frozenset({"Ana"})
    plays = pair.rng.random() < 0.5  # else an option keeps hands from them
    await lines(pair, options="" if plays else "gm_sees_hands=off", until=BEGIN)
    if plays:
        await pair.both("Gwen", f"/gm add name:Warden sheet:{HIDDEN_SHEETS['stones']} side:South")
    await pair.apart(("Gwen", BEGIN), ("Gwen", BEGIN), dice=True)
    pair.goes_back = False
    await pair.both("Ana", "/act action:begin")
    await _reaches(pair, "Mirre", "Gust")
    await pair.both("Ana", "/act action:activate character:Ayla")
    for ability in ("Searing Blow", "Stone Skin"):
        await _reaches(pair, "Ayla", ability)
    await pair.later(3 * HOUR)
    if plays:
        await _takes_orders_back(pair, "Warden")  # their own stones differ too, and what comes of them is no secret
    await pair.both("Ana", "/act action:end")
    held = [getattr(world.room.encounter, "hands", {})[PEOPLE["Ana"]][0] for world in (pair.a, pair.b)]
    ordering = "/act action:discard character:Ayla cards:{} when:my-turn"
    await pair.apart(*(("Ana", ordering.format(card)) for card in held))
    await pair.everybody_looks()
    await pair.both("Gwen", "/encounter undo")
    await pair.both("Gwen", "/encounter redo")
    await _reaches(pair, "Ayla", "Searing Blow", unnamed=not plays)  # else their own turn begins, with other stones
    await pair.everybody_looks()


async def _takes_orders_back(pair: Twins, who: str) -> None:
    for world in (pair.a, pair.b):
        state = world.room.encounter
        assert state is not None
        assert any(each.who == who for each in state.orders)
        press = custom_ids.Pressed(custom_ids.DROP, state.id, world.room.prompt.wanted, (who,))
        await world.press("Gwen", press.written(), None, private=True, direct=False)
        assert world.room.encounter is not None
        assert not any(each.who == who for each in world.room.encounter.orders)
    pair.compare(f"Gwen takes the orders of {who} back")


STONES = ("Fire 1", "Light inf, Light inf", "2x Earth 1, Wind 1, X")


async def _reaches(pair: Twins, who: str, ability: str, *, unnamed: bool = True) -> None:
    """Let the GM type, order and half type what takes stones, with and without (`unnamed`) the character."""
    for action in ("discard", "ability", "fuse"):
        using = "" if action == "discard" else f" using:{ability}"
        for named in (f" character:{who}", *([""] if unnamed else [])):
            tried = ["", *(f"{using} cards:{each}" for each in STONES), f"{using} cards:Fire 1 when:my-turn"]
            if using:
                tried += [using, f"{using} target:Borr", f"{using} target:Borr cards:Fire 1, Fire 3"]
            for given in tried:
                await pair.both("Gwen", f"/act action:{action}{named}{given}")
            for focused in ("cards", "using", "target", "character"):
                await pair.half("Gwen", f"/act action:{action}{named}", focused, "")
    await pair.half("Gwen", f"/act character:{who}", "action", "")
    await pair.half("Gwen", "/gm cards who:Ana do:discard", "cards", "")
    await pair.both("Gwen", "/hand show player:Ana")
    await pair.both("Gwen", "/turn")


async def _pile(pair: Twins, moves: int) -> None:
    """In which order the cards lie that nobody has drawn: nobody knows it, the GM neither."""
    await lines(pair)
    deck = ("Gwen", "/deck new")
    await pair.apart(deck, deck, dice=True)
    await rest(pair, moves)


async def _plan(pair: Twins, moves: int) -> None:
    """What Ana plans in secret, by a kit: before all are told others know that she has planned, and nothing more."""
    pair.knowers = frozenset({"Ana"})
    await lines(pair)
    pair.goes_back = False  # what was planned comes back for her alone
    for here, there in PLANS[pair.system]:
        await pair.apart(("Ana", f"/act {here} character:Ayla"), ("Ana", f"/act {there} character:Ayla"))
        await pair.both("Ana", "/turn")
        await pair.everybody_looks()
        for who in ("Gwen", "Bo", "Mo"):
            await pair.both(who, "/act action:unplan character:Ayla")
            await pair.both(who, "/act action:end character:Ayla")
        await pair.later(3 * HOUR)
        await pair.everybody_looks()
        for _ in range(2):  # the first opens again what the GM has closed
            await pair.both("Ana", "/act action:unplan character:Ayla")
    await rest(pair, moves)


async def _order(pair: Twins, moves: int) -> None:
    """What somebody ordered for their next turn. Before it is carried out nobody but the GM knows."""
    await lines(pair)
    for _ in range(moves):
        state = pair.state
        if state is None or state.status != "running" or state.over is not None:
            break
        given = _two_orders(pair)
        if given is None:
            await pair.play(1)
            continue
        who, whose, (one, other) = given
        pair.knowers = GM | {who}
        await pair.apart((who, f"/act {one} when:my-turn"), (who, f"/act {other} when:my-turn"))
        await pair.everybody_looks()
        await pair.both("Gwen", "/encounter undo")
        await pair.both("Gwen", "/encounter redo")
        await pair.everybody_looks()
        here, there = (
            tuple(each.who for each in world.room.encounter.orders)
            for world in (pair.a, pair.b)
            if world.room.encounter
        )
        assert here == there == (whose,)
        return


def _two_orders(pair: Twins) -> tuple[str, str, tuple[str, str]] | None:
    """Return two orders that a player's character could be given now for its turn."""
    state = pair.state
    assert state is not None
    system = system_of(state)
    for combatant in state.combatants:
        owner = combatant.owner
        if owner is None or combatant.name in system.waits_for(state):
            continue
        found: dict[str, None] = {}
        offers = offers_on_turn(pair.a.room.table, combatant.name, Seat(user=owner))
        for offer in offers:
            given = command_for(offer, pair.rng, state).model_dump(exclude_none=True)
            if "cards" not in given:
                found[" ".join(f"{key}:{given[key]}" for key in KEYS if key in given)] = None
        if len(found) > 1:
            one, other, *_ = pair.rng.sample(list(found), len(found))
            who = next(name for name, user in PEOPLE.items() if user == owner)
            return who, combatant.name, (one, other)
    return None


SECRETS = {
    "fog": Secret((*ALL, *KITS_ON_A_BOARD), fog),
    "marks": Secret(ON_A_BOARD, marks),
    "hidden": Secret(ALL, _hidden),
    "existence": Secret(ALL, _existence),
    "numbers": Secret(ALL, _numbers),
    "own": Secret(ALL, _own),
    "faces": Secret(ALL, _blind),
    "hands": Secret(ALL, _hands),
    "tries": Secret(("stones",), _tries),
    "pile": Secret(WITH_DECK, _pile),
    "awareness": Secret(("soulweaver",), awareness),
    "answered": Secret(("beacon",), answered),
    "standing": Secret(("soulweaver",), standing),
    "alone": Secret(("soulweaver",), alone),
    "creatures": Secret(("classic",), creatures),
    "order": Secret(("adventurers", "beacon", "classic", "soulweaver", "tactics"), _order),
    "ahead": Secret(ALL, said_ahead.pressed),
    "struck": Secret(("soulweaver",), said_ahead.struck),
    "plan": Secret(tuple(PLANS), _plan),
    "restarts": Secret(ALL, restarted),
    "asked": Secret(("classic",), asked),
}
