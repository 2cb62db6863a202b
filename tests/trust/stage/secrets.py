"""What is secret and differs between twin worlds, and who may know it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot import custom_ids
from bot.local.tryit import everything
from bot.waiting.waits import PASS
from data.rows import OPEN
from rules.core.registry import system_of
from rules.core.seen.view import offers_for
from rules.core.space.board import cell_name, column_letters, parse_cell
from rules.core.values import Question, Seat
from rules.core.verbs.standing_orders import offers_on_turn
from tests.rules.table import command_for
from tests.trust.stage.days import HOUR, MINUTE
from tests.trust.stage.evening import HIDDEN_SHEETS, LOOKS
from tests.trust.stage.wire import PEOPLE
from tests.trust.twins import KEYS, Twins

ALL = ("adventurers", "beacon", "classic", "soulweaver", "stones", "tactics")
WITH_DECK = ("adventurers", "beacon", "classic", "soulweaver", "tactics")
ON_A_BOARD = ("beacon", "stones", "tactics")
GM = frozenset({"Gwen"})
BEGIN = "/encounter begin"
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
    """A kind of secret: where there is one, and an evening with it."""

    systems: tuple[str, ...]
    play: Callable[[Twins, int], Awaitable[None]]


async def _lines(pair: Twins, *, options: str = "", until: str | None = None) -> None:
    """Type the lines of the *Try it* script, at most up to one."""
    script = next(each for each in everything() if each.id == pair.system)
    for line in script.lines:
        text = line.text
        if text == until:
            return
        if options and text.startswith(("/encounter start", "/init start")):
            text = f"{text}, {options}" if " options:" in text else f"{text} options:{options}"
        await pair.both(line.who, text)


async def _rest(pair: Twins, moves: int) -> None:
    await pair.play(moves)
    await pair.everybody_looks()
    if pair.state is not None:
        await pair.both("Gwen", "/encounter end")


def _side(pair: Twins) -> str:
    return " side:South" if pair.system == "stones" else ""


async def _hidden(pair: Twins, moves: int) -> None:
    """Somebody whom nobody sees: called otherwise, elsewhere, stronger, and under another condition."""
    pair.knowers = GM
    pair.renamed["Zyqor"] = "Wubbalubba"
    await _lines(pair, until=BEGIN)
    sheet = HIDDEN_SHEETS[pair.system]
    stronger = sheet.replace("HP 31", "HP 77").replace("HP 24", "HP 19").replace("HP 15", "HP 12")
    stronger = stronger.replace("SPEED 6", "SPEED 3").replace("STAMINA 9", "STAMINA 7")
    adding = "/gm add name:{} sheet:{} hidden:True" + _side(pair)
    await pair.apart(("Gwen", adding.format("Zyqor", sheet)), ("Gwen", adding.format("Wubbalubba", stronger)))
    if pair.system in ON_A_BOARD:
        placing = "/board place target:{} cells:{}"
        await pair.apart(("Gwen", placing.format("Zyqor", "H1")), ("Gwen", placing.format("Wubbalubba", "F1")))
    condition = "/condition add target:{} name:{} duration:2"
    await pair.apart(("Gwen", condition.format("Zyqor", "Burn")), ("Gwen", condition.format("Wubbalubba", "Poison")))
    await pair.both("Gwen", BEGIN)
    await _rest(pair, moves)


async def _existence(pair: Twins, moves: int) -> None:
    """Two whom nobody sees are there for the whole game; in the other world the GM writes notes instead.

    Others of their name come in both: they bear the first numbers.
    """
    pair.knowers = GM
    await _lines(pair, until=BEGIN, options=pair.rng.choice(HOUSE_RULES[pair.system]))
    adding = f"/gm add name:{LURKER} sheet:{HIDDEN_SHEETS[pair.system]} count:2{_side(pair)}"
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
    await _rest(pair, 1)


async def _deed(pair: Twins) -> None:
    """Let the GM do something with or for the hidden one, where it still is there."""
    state = pair.state
    if state is None or not state.lurkers or state.status != "running" or state.over is not None:
        return
    who = pair.rng.choice([each.name for each in state.lurkers])
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
    """Do something in secret; in the other world the GM writes a note, where it was done at all."""
    if pair.state is None:
        return
    if not pair.state.names:  # somebody has to be there of whom a note can be written
        await pair.both("Gwen", f"/gm add name:Bystander sheet:{HIDDEN_SHEETS[pair.system]}{_side(pair)}")
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
    await _lines(pair, options=f"npc_pools={pair.rng.choice(('hidden', 'words'))}", until=BEGIN)
    await pair.both("Gwen", f"/gm add name:Warden sheet:{HIDDEN_SHEETS[pair.system]}{_side(pair)}")
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
    await _rest(pair, moves - moves // 2)


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
    await _lines(pair)
    await pair.apart(
        ("Bo", "/roll dice:1d20+2 show:me reason:bluff"), ("Bo", "/roll dice:1d20+7 show:me reason:flee"), dice=True
    )
    await pair.apart(("Bo", "/macro save name:sneak dice:2d6+1"), ("Bo", "/macro save name:stab dice:1d8"))
    await pair.apart(("Bo", "/character add name:Shade sheet:HP 3"), ("Bo", "/character add name:Brute sheet:HP 9"))
    await pair.apart(("Bo", "/macro list"), ("Bo", "/macro list"))
    await _rest(pair, moves)


async def _blind(pair: Twins, moves: int) -> None:
    """Faces that the GM alone sees: of a player's blind roll, and of one that the player sees too."""
    pair.knowers = GM
    await _lines(pair)
    await pair.apart(
        ("Ana", "/roll dice:3d20 show:blind reason:luck"), ("Ana", "/roll dice:3d20 show:blind reason:luck"), dice=True
    )
    await pair.both("Gwen", "/gm ask who:" + (pair.state.names[0] if pair.state else "") + " dice:2d20 show:blind")
    await _rest(pair, moves)
    pair.knowers = GM | {"Ana"}
    await pair.apart(
        ("Ana", "/roll dice:3d20 show:gm reason:luck"), ("Ana", "/roll dice:3d20 show:gm reason:luck"), dice=True
    )
    await pair.everybody_looks()


async def _hands(pair: Twins, moves: int) -> None:
    """Everybody's cards: another shuffle. The GM may not see hands."""
    pair.knowers = frozenset({"Ana", "Bo", "Cai"})
    if pair.system == "stones":
        await _lines(pair, options="gm_sees_hands=off", until=BEGIN)
        await pair.apart(("Gwen", BEGIN), ("Gwen", BEGIN), dice=True)
        pair.goes_back = False
        for _ in range(20):  # until somebody has drawn
            await pair.play(1)
            if any(getattr(pair.state, "hands", {}).values()):
                break
        for who in sorted(pair.knowers):
            await pair.both(who, "/hand show")
    else:
        await _lines(pair, options="gm_sees_hands=off")
        deck = ("Gwen", "/deck new kind:standard54")
        await pair.apart(deck, deck, dice=True)
        for who, count in (("Ana", 5), ("Bo", 3)):
            await pair.both(who, f"/hand draw count:{count}")
        held = [world.room.table.cards.hands[PEOPLE["Ana"]][0] for world in (pair.a, pair.b)]
        await pair.apart(*(("Ana", f"/hand give cards:{card} player:Bo") for card in held))
    for who in ("Mo", "Gwen", "Sol"):
        await pair.both(who, "/hand show player:Ana")
    await _rest(pair, moves)


async def _tries(pair: Twins, _moves: int) -> None:
    """Ana's stones, of which she also orders; a GM who may not see them tries whatever could tell them."""
    pair.knowers = frozenset({"Ana"})
    plays = pair.rng.random() < 0.5  # else an option keeps hands from them
    await _lines(pair, options="" if plays else "gm_sees_hands=off", until=BEGIN)
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
    await _lines(pair)
    deck = ("Gwen", "/deck new")
    await pair.apart(deck, deck, dice=True)
    await _rest(pair, moves)


async def _plan(pair: Twins, moves: int) -> None:
    """What Ana plans in secret, by a kit: before all are told others know that she has planned, and nothing more."""
    pair.knowers = frozenset({"Ana"})
    await _lines(pair)
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
        await pair.both("Ana", "/act action:unplan character:Ayla")
    await _rest(pair, moves)


async def _order(pair: Twins, moves: int) -> None:
    """What somebody ordered for their next turn. Before it is carried out nobody but the GM knows."""
    await _lines(pair)
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


async def _awareness(pair: Twins, _moves: int) -> None:
    """Whether somebody is aware of an action: while they are asked, nobody else can tell whether they could react."""
    pair.knowers = GM | {"Bo"}
    knowing = "/gm aware who:Orrin of:Sella yes:{}"
    await _orrin_is_asked(pair, "Sella", (("Gwen", knowing.format("False")), ("Gwen", knowing.format("True"))))
    assert [each.silent for each in _of_orrin(pair)] == [True, False]
    await _until_passed(pair)


async def _standing(pair: Twins, _moves: int) -> None:
    """Whether somebody lets pass by what they said before, or cannot react: nothing but the ping tells it."""
    await _lets_pass(pair, "Sella")


async def _alone(pair: Twins, _moves: int) -> None:
    """The same of the only one whom a step calls: the GM attacks, and Ana has said in both worlds what she answers."""
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


def _of_orrin(pair: Twins) -> list[Question]:
    states = [world.room.encounter for world in (pair.a, pair.b)]
    return [each for state in states if state is not None for each in state.questions if each.who == "Orrin"]


async def _orrin_is_asked(pair: Twins, attacker: str, *apart: tuple[tuple[str, str], tuple[str, str]]) -> None:
    """Let people type what differs, then somebody attack: Orrin is asked."""
    await _lines(pair, options="window=4h")
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


async def _answered(pair: Twins, _moves: int) -> None:
    """Who of several has answered in a window that is still open: nobody else learns it, the GM neither."""
    pair.knowers = frozenset({"Bo", "Cai"})
    await _tower(pair)
    await pair.both("Gwen", "/act action:move to:H4")
    await pair.apart(("Bo", "/act action:decline character:Pip"), ("Cai", "/act action:decline character:Cat"))
    await _wait_and_look(pair)


async def _tower(pair: Twins) -> None:
    """Let the Ogre stand among three beacons who may react when it moves."""
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


WARDEN = "Warden"
FOGGED_LOOKS = (
    "/board show part:all", f"/board show part:{WARDEN}", f"/board ruler to:{WARDEN}", "/board see",
    "/board area shape:burst 30 at:A1", f"/board area shape:cone 9 at:A1 toward:{WARDEN}", "/map export as:picture",
    f"/act action:attack target:{WARDEN}", f"/act action:move to:{WARDEN}", "/gm damage target:burst 30 at A1 amount:1",
)  # fmt: skip


async def _fog(pair: Twins, moves: int) -> None:
    """A closed room that no side of a player sees: what lies in it, which doors it has, who stands where and walks."""
    pair.knowers = GM
    await _lines(pair, options="fog=sight", until=BEGIN)
    await pair.both("Gwen", f"/gm add name:{WARDEN} sheet:{HIDDEN_SHEETS[pair.system]}{_side(pair)}")
    first = await _closed_room(pair)
    cells = [[f"{column_letters(first + across)}{row}" for across in range(4)] for row in range(1, 6)]
    placing = f"/board place target:{WARDEN} cells:{{}}"
    walks = pair.system != "stones"  # there everybody is on the side of a player, and sees for them
    if walks:
        await pair.apart(("Gwen", placing.format(cells[0][0])), ("Gwen", placing.format(cells[4][3])))
    await pair.apart(
        ("Gwen", f"/board terrain cells:{cells[1][1]} kind:solid"),
        ("Gwen", f"/board terrain cells:{cells[2][2]} kind:difficult text:Altar"),
    )
    door = "/map draw shape:edge from:{}/{} kind:door"
    await pair.apart(("Gwen", door.format(cells[0][1], cells[0][2])), ("Gwen", door.format(cells[4][1], cells[4][2])))
    await pair.both("Gwen", BEGIN)
    for number in range(max(2, moves // 4)):
        await pair.play(2)
        who = pair.rng.choice(("Ana", "Bo", "Mo"))
        for look in pair.rng.sample(FOGGED_LOOKS, 4):
            await pair.both(who, look)
        for text, focused in (("/board ruler", "to"), ("/board door", "at"), ("/board show", "part")):
            await pair.half(who, text, focused, "")
        here, there = (pair.rng.choice(cells[0]), pair.rng.choice(cells[4]))
        if walks:
            await pair.apart(("Gwen", placing.format(here)), ("Gwen", placing.format(there)))
        if number == 1:
            opened = "/board door at:{}/{}"
            await pair.apart(
                ("Gwen", opened.format(cells[0][1], cells[0][2])), ("Gwen", opened.format(cells[4][1], cells[4][2]))
            )
    for look in FOGGED_LOOKS:
        await pair.both("Ana", look)
    await _rest(pair, 2)


async def _marks(pair: Twins, moves: int) -> None:
    """What the GM has hidden around somebody, without fog: walls, traps. Nobody walks; all look ahead."""
    pair.knowers = GM
    await _lines(pair, until=BEGIN)
    state = pair.state
    assert state is not None
    own = next(each for each in state.combatants if each.owner is not None and each.cell is not None)
    column, row = parse_cell(own.cell or "A1")
    beside = [cell_name(column + across, row) for across in (1, 2)]
    below = [cell_name(column + across, row + 1) for across in (1, 2)]
    drawing = "/map draw hidden:True shape:{}"
    for here, there in (
        (f"edge from:{beside[0]}/{beside[1]}", f"edge from:{below[0]}/{below[1]}"),
        (f"rect from:{beside[1]} kind:hazard text:Pit", f"rect from:{below[0]} kind:solid"),
        (f"wall from:{beside[0]}. to:{below[1]}.", f"wall from:{beside[1]}. to:{below[0]}."),
        (f"edge from:{beside[1]}/{below[1]} kind:window", f"edge from:{beside[1]}/{below[1]} kind:low"),
    ):
        await pair.apart(("Gwen", drawing.format(here)), ("Gwen", drawing.format(there)))
    await pair.both("Gwen", BEGIN)
    who = next(name for name, user in PEOPLE.items() if user == own.owner)
    ways = (f"{beside[0]} {beside[1]}", f"{below[0]} {below[1]}", beside[1], below[1])
    for _ in range(max(2, moves // 6)):
        waiting = () if pair.state is None else system_of(pair.state).waits_for(pair.state)
        for way in ways if own.name not in waiting else ():  # in their turn they would go at once
            await pair.both(who, f"/act action:move to:{way} character:{own.name} when:my-turn")
            await pair.both("Gwen", "/encounter undo")
        for look in (*FOGGED_LOOKS[3:5], "/turn", "/board show text:True", f"/board ruler to:{beside[1]}"):
            await pair.both(who, look)
        await pair.half(who, f"/act action:move character:{own.name}", "to", "")
        await _presses_moves(pair, who)
        if waiting:
            await pair.both("Gwen", f"/gm skip target:{waiting[0]}")
    await pair.everybody_looks()


async def _presses_moves(pair: Twins, who: str) -> None:
    """Press what asks where to go on the newest panel: its picture has numbered cells."""
    for sent in [each for each in pair.a.shown if each.reader == PEOPLE[who] and not each.form][-1:]:
        for component in sent.components:
            if str(component.get("label", "")).startswith("Move"):
                for world in (pair.a, pair.b):
                    await world.press(who, component["custom_id"], None, private=True, direct=False)
    pair.compare(f"{who} asks where to go")


async def _closed_room(pair: Twins) -> int:
    """Add a room behind a solid wall to the board, which there is from then on; return its first column."""
    state = pair.state
    assert state is not None
    if state.board is None:
        await pair.both("Gwen", "/board size size:6x6")
        for number, each in enumerate(state.combatants):
            await pair.both(
                "Gwen", f"/board place target:{each.name} cells:{column_letters(number % 5)}{number // 5 + 1}"
            )
    state = pair.state
    assert state is not None
    assert state.board is not None
    wall, last = state.board.width, max(6, state.board.height)
    await pair.both("Gwen", f"/board size size:{wall + 5}x{last}")
    column = column_letters(wall)
    await pair.both("Gwen", f"/board terrain cells:{column}1:{column}{last} kind:solid")
    await pair.both("Gwen", "/board fog do:reset")  # what was seen before the wall stood
    return wall + 1


SECRETS = {
    "fog": Secret(ALL, _fog),
    "marks": Secret(ON_A_BOARD, _marks),
    "hidden": Secret(ALL, _hidden),
    "existence": Secret(ALL, _existence),
    "numbers": Secret(ALL, _numbers),
    "own": Secret(ALL, _own),
    "faces": Secret(ALL, _blind),
    "hands": Secret(ALL, _hands),
    "tries": Secret(("stones",), _tries),
    "pile": Secret(WITH_DECK, _pile),
    "awareness": Secret(("soulweaver",), _awareness),
    "answered": Secret(("beacon",), _answered),
    "standing": Secret(("soulweaver",), _standing),
    "alone": Secret(("soulweaver",), _alone),
    "order": Secret(("adventurers", "beacon", "classic", "soulweaver", "tactics"), _order),
    "plan": Secret(tuple(PLANS), _plan),
}
