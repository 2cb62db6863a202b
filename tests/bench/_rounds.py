"""The reference round of each system: four players and a GM with four or six creatures, one attack for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.encounter import Encounter
from rules.core.offer import Offer
from rules.core.registry import system_of
from tests.bench._counts import Sums
from tests.bench._hands import GM, PLAYERS, Hands, Wish, owner_of

HEROES = ("Rhea", "Pip", "Cat", "Tam")
PASS = Wish("decline", button="Pass this round")  # nobody reacts in this round, and says so when first asked
SAY_SO = len(PLAYERS) + 1  # presses beside play's goal: *Pass this round* is behind *React…* (play 9), one for each
MOST_STEPS = 400
MOST_FOES = 4  # who are attacked, however many there are: each has an entry of the menu
THEN_END = Wish("end", button="Then end the turn")  # one attack is all, so the end need not wait for what comes of it


@dataclass(frozen=True)
class Reference:
    """A system's table. `wishes` says what somebody does next, the dearest first.

    `before` and `goal` are presses, public messages and pings of the round, None if nothing was measured;
    `later` the same of the second round, which is played if it is given. `hits`: somebody is asked about blows, and
    reacts. `ability` is the second hero's own.
    """

    system: str
    foes: int
    hero: Mapping[str, Any]
    foe: Mapping[str, Any]
    wishes: Callable[[Encounter, str], tuple[Wish, ...]]
    before: tuple[int, int, int | None]
    goal: tuple[int, int, int | None]
    weapon: Mapping[str, str] | None = None
    options: str = ""
    board: tuple[str, str] | None = None
    sides: tuple[str, str] | None = None  # if the system lets fewer than four players be one side: half on each
    after: tuple[str, ...] = ()
    later: tuple[int, int] | None = None
    hits: bool = False
    ability: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        return f"{self.system}, with hits" if self.hits else self.system

    @property
    def foe_names(self) -> tuple[str, ...]:
        return tuple(f"Wolf {number}" for number in range(1, self.foes + 1))


def enemy_of(state: Encounter, who: str) -> str:
    """Return somebody's target: the foe of the same place on the other side, from the first again."""
    side = state.combatant(who).side
    own = [other.name for other in state.combatants if other.side == side]
    foes = [other.name for other in state.combatants if other.side != side]
    return foes[own.index(who) % min(len(foes), MOST_FOES)]


def _classic(_state: Encounter, _who: str) -> tuple[Wish, ...]:
    return (Wish("next"),)


def _tactics(state: Encounter, who: str) -> tuple[Wish, ...]:
    aim = enemy_of(state, who)
    return (Wish("let-go", button="Let it pass"), Wish("skip"), Wish("attack", (aim, "Claw"), once=True), Wish("pass"))


def _adventurers(state: Encounter, who: str) -> tuple[Wish, ...]:
    aim = enemy_of(state, who)
    return (Wish("initiative"), Wish("take"), Wish("attack", (aim, "Claw"), once=True), Wish("pass"))


def _stones(state: Encounter, who: str) -> tuple[Wish, ...]:
    attack = Wish("attack", (enemy_of(state, who),), once=True)
    return (Wish("begin"), attack, Wish("activate", once=True), Wish("end"))


def _beacon(state: Encounter, who: str) -> tuple[Wish, ...]:
    attack = Wish("fight", (enemy_of(state, who), "Claw"), once=True)
    return (
        PASS, attack, Wish("plan", ("brawl",), once=True),
        Wish("end"), Wish("begin"), Wish("pass-phase"),
    )  # fmt: skip


def _soulweaver(state: Encounter, who: str) -> tuple[Wish, ...]:
    answers = (Wish("hit"), Wish("enter-conflict", asked=True), PASS, Wish("go-on"))
    creature = state.find(who)
    if creature is None:
        return (*answers, Wish("end"))
    ends = ("hits",) if creature.owner is None else ()  # the GM says it with the attack
    return (*answers, Wish("attack", (enemy_of(state, who), *ends), once=True), Wish("end"))


REFERENCES = (
    Reference("classic", 4, {"HP": 20, "AC": 12}, {"HP": 20, "AC": 12}, _classic, (8, 16, None), (8, 8, None)),
    Reference(
        "tactics", 6,
        {"INT": 1, "AGI": 2, "ATK": 3, "DEF": 9, "TIER": 1, "HP": 40, "SPD": 5},
        {"INT": 0, "AGI": 0, "ATK": 3, "DEF": 8, "TIER": 1, "HP": 40, "SPD": 4},
        _tactics, (38, 40, None), (30, 20, None),
        weapon={"kind": "power", "damage": "1d6", "range": "9"},
        board=("12x8", "B1, B3, B5, B7, H1, H2, H4, H5, H7, H8"),
    ),
    Reference(
        "adventurers", 4,
        {"STAMINA": 30, "WILLPOWER": 4, "SPECIALTIES": ["Arm"]},
        {"STAMINA": 30, "WILLPOWER": 4, "KIND": "boss", "LEVEL": 1, "SPECIALTIES": ["Arm"]},
        _adventurers, (30, 38, None), (23, 19, None),
        weapon={"kind": "weapon", "specialty": "Arm", "damage": "1"},
        after=("/gm choose what:specialty value:Arm",),
    ),
    Reference(
        "stones", 4,
        {"HP": 40, "ATK": 5, "ARM": 1, "MOV": 4, "RNG": 9, "CRT": 10, "TYPE": "Physical"},
        {"HP": 40, "ATK": 5, "ARM": 1, "MOV": 4, "RNG": 9, "CRT": 10, "TYPE": "Physical"},
        _stones, (48, 39, None), (26, 7, None),
        sides=("North", "South"),
    ),
    Reference(
        "beacon", 6,
        {"HP": 60, "STRESS": 8, "MP": 4, "FOCUS": "2/9", "RECOVERIES": 2, "ARMOR": 1, "DODGE": 10, "ADEF": 9,
         "GRIT": 2, "SPEED": 4, "SIZE": 1, "SCOPE": 10, "SAVE": 11, "BULK": 1, "MIND": 1, "AGILITY": 2},
        {"HP": 60, "DODGE": 10, "ADEF": 10, "GRIT": 1, "SPEED": 4, "SAVE": 10, "FOCUS": "2/9", "INITIATIVE": 5},
        _beacon, (84, 75, 61), (36 + SAY_SO, 18, 26),
        weapon={"activation": "FIGHT", "reach": "2", "damage": "1d6 physical", "tags": "weapon"},
    ),
    Reference(
        "soulweaver", 6,
        {"ZEAL": 6, "POISE": 2, "MINOR": 1, "SPEED": 5, "GRIT": 0},
        {"ZEAL": 1, "POISE": 0, "MINOR": 1, "SPEED": 7},
        _soulweaver, (106, 172, None), (38 + SAY_SO, 26, None), later=(161, 282),
    ),
)  # fmt: skip


async def set_up(hands: Hands, table: Reference) -> None:
    """Bring everybody to the table and begin the first round."""

    async def types(name: str, line: str, files: Any = None) -> None:
        answer = await hands.types(name, line, "set-up", files)
        assert not answer.ephemeral or not answer.content.startswith("**"), answer.content

    options = f" options:{table.options}" if table.options else ""
    await types(GM, f"/encounter start system:{table.system} name:Ambush{options}")
    claw = [{"name": "Claw", "kind": table.weapon.get("kind", "weapon"), "fields": dict(table.weapon)}] if (
        table.weapon) else []  # fmt: skip
    for owner, name, sheet in (
        *((PLAYERS[at], HEROES[at], table.hero) for at in range(4)),
        (GM, "Wolf", table.foe),
    ):
        own = [table.ability] if table.ability is not None and name == HEROES[1] else []
        content = {"name": name, "system": table.system, "sheet": dict(sheet), "abilities": [*claw, *own]}
        await types(owner, "/character import file:c.json", {"file": ("c.json", json.dumps(content).encode())})
    for at, (owner, name) in enumerate(zip(PLAYERS, HEROES, strict=True)):
        side = f" side:{table.sides[at // 2]}" if table.sides else ""
        await types(owner, f"/join character:{name}{side}")
    if table.sides is None:
        await types(GM, f"/gm add name:Wolf count:{table.foes}")
    else:
        for side in table.sides:
            await types(GM, f"/gm add name:Wolf count:{table.foes // 2} side:{side}")
    if table.board is not None:
        size, cells = table.board
        await types(GM, f"/board size size:{size}")
        await types(GM, f"/board place target:{', '.join((*HEROES, *table.foe_names))} cells:{cells}")
    await types(GM, "/remind turns after:8h every:8h times:1 then:skip")
    await types(GM, "/encounter begin")
    for line in table.after:
        await types(GM, line)
    await hands.calm()


async def play_round(hands: Hands, table: Reference) -> Sums:
    """Play until the next round begins. Raises: AssertionError if it does not."""
    first = len(hands.counts.steps)
    state = hands.room.encounter
    assert state is not None
    number, done = state.round, set[tuple[str, str]]()
    for _ in range(MOST_STEPS):
        state = hands.room.encounter
        assert state is not None
        if state.round > number:
            return hands.counts.since(first)
        await next_step(hands, table, state, done)
    raise AssertionError(f"the round of {table.system} never ends, after:\n" + "\n".join(hands.told[-20:]))


async def next_step(hands: Hands, table: Reference, state: Encounter, done: set[tuple[str, str]]) -> None:
    """Let the first of those the table waits for do what they wish most."""
    system = system_of(state)
    waits = system.waits_for(state)
    names = {seat.id: name for name, seat in hands.seats.items()}
    acting = system.present(state).begun_by
    if acting is not None and state.held_up(acting) and (acting, THEN_END.button) not in done:
        done.add((acting, THEN_END.button))
        offer = Offer(action=THEN_END.action, who=acting, label=THEN_END.button)
        await hands.does(names.get(owner_of(hands.room, acting), GM), offer, THEN_END)
        return
    for who in waits:
        offers = {offer.action: offer for offer in system.offers(state, who)}
        asked = [question for question in state.questions if question.who == who]
        left = [question for question in asked if not question.answered and not question.quiet]
        for wish in table.wishes(state, who):
            if (asked or wish.asked) and not any(wish.action in question.choices for question in left):
                continue
            if wish.action in offers and (who, wish.action + wish.button) not in done:
                if wish.once:
                    done.add((who, wish.action + wish.button))
                await hands.does(names.get(owner_of(hands.room, who), GM), offers[wish.action], wish)
                return
    if any(question.answered or question.quiet for question in state.questions):
        await hands.waits()
        return
    found = {who: [offer.action for offer in system.offers(state, who)] for who in waits}
    raise AssertionError(f"nobody of {found} wishes anything, after:\n" + "\n".join(hands.told[-12:]))
