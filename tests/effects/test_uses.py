"""What an ability's words say of how often it is used, and what it costs, holds in every system, or the GM is asked."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import system_of
from rules.core.sheets.reading import reading_of
from rules.errors import Illegal, Refusal
from tests.effects.used import FOE, USED, Used, at, name_of, reach, table, use
from tests.rules.table import Game

POOLS = {"classic": "HP", "tactics": "HP", "adventurers": "WILLPOWER", "beacon": "MP", "soulweaver": "HP"}
ONCE = [used._replace(source=used.source.replace("uses 1", "uses 5")) for used in USED if used.system in POOLS]


def with_words(used: Used, words: str) -> Used:
    return used._replace(source=f"{used.source}; {words}")


def is_done(game: Game, words: str) -> bool:
    ability = game.state.combatant("Ayla").ability("Flare")
    assert ability is not None
    reading = reading_of(ability, system_of(game.state).sheet)
    asked = any(words in each for each in reading.asks)
    assert asked is not any(words in each.clause for each in reading.does)  # never both, never neither
    return not asked


def again(game: Game, used: Used) -> None:
    action, given = used.deeds[-1]
    reach(game, "Ayla", action)
    named: dict[str, Any] = {key: "Ogre" if value == FOE else value for key, value in given.items()}
    game.do("Ana", action, character="Ayla", **named)


@pytest.mark.parametrize("used", ONCE, ids=name_of)
def test_what_is_used_once_a_fight_is_counted_and_refused_then(used: Used) -> None:
    game = use(with_words(used, "once a fight"), "Ayla")
    count = 1 if is_done(game, "once a fight") else 0
    assert game.state.combatant("Ayla").used == ({"Flare": 1} if count else {})
    if count and used.deeds[-1][0] in ("attack", "volley", "minor"):
        with pytest.raises((Illegal, AssertionError)) as refused:  # it is not even offered if there is nothing else
            again(game, used)
        if isinstance(refused.value, Illegal):
            assert "Flare" in refused.value.reason
            assert refused.value.rule is not None


@pytest.mark.parametrize("used", ONCE, ids=name_of)
def test_a_price_is_paid_as_it_is_used(used: Used) -> None:
    pool = POOLS[used.system]
    words = f"costs 1 {pool}"
    free, paid = use(used, "Ayla"), use(with_words(used, words), "Ayla")
    if not is_done(paid, words):
        return
    told = [line for line in paid.lines("Gwen") if pool in line and "Ayla" in line]
    assert len(told) > len([line for line in free.lines("Gwen") if pool in line and "Ayla" in line])


@pytest.mark.parametrize("system", ["adventurers", "beacon", "classic", "tactics"])
def test_what_nobody_can_pay_is_not_offered_and_refused_with_its_price(system: str) -> None:
    used = next(each for each in ONCE if each.system == system)
    game = table(with_words(used, f"costs 99 {POOLS[system]}"), "Ayla")
    reach(game, "Ayla", {"adventurers": "pass", "beacon": "rush", "classic": "next", "tactics": "defend"}[system])
    action, given = used.deeds[-1]
    named: dict[str, Any] = {key: "Ogre" if value == FOE else value for key, value in given.items()}
    with pytest.raises(Illegal) as refused:
        game.do("Ana", action, character="Ayla", **named)
    assert "99" in refused.value.reason


FOR_OTHERS = (
    Used("classic", "one ally regains 4 HP", (("use", at()),)),
    Used("classic", "heal 4 HP to a creature other than you", (("use", at()),)),
    Used("tactics", "kind power; one ally regains 4 HP", (("use", at()),)),
    Used("beacon", "activation minor; one ally regains 4 HP", (("minor", at()),)),
    Used("soulweaver", "kind trick; an ally recovers 4 Health", (("trick", at()),)),
    Used("soulweaver", "kind trick; all allies within 3 recover 4 Health", (("trick", at()),)),  # Rule: SW-01
    Used("adventurers", "type Assist; rebound 0; 1 ally recovers 4 Stamina", (("assist", at()),)),
)


@pytest.mark.parametrize("used", FOR_OTHERS, ids=lambda used: used.source)
def test_what_is_for_an_ally_is_nothing_for_its_user(used: Used) -> None:
    game, (action, given) = table(used, "Ayla"), used.deeds[0]
    assert is_done(game, used.source.rpartition("; ")[2])
    pool = "STAMINA" if used.system == "adventurers" else "HP"
    for name in ("Ayla", "Ogre"):
        game.do("Gwen", "gm set", target=name, pool=pool, value="7/20")
    reach(game, "Ayla", action)
    before = pools_of(game, pool)
    for target in ("Ayla", None):
        with pytest.raises(Refusal, match=r"(?i)target|others"):
            game.do("Ana", action, character="Ayla", **given, target=target)
    assert pools_of(game, pool) == before
    game.do("Ana", action, character="Ayla", **given, target="Ogre")
    after = pools_of(game, pool)
    assert after["Ayla"] == before["Ayla"]
    assert after["Ogre"] == before["Ogre"] + 4


def pools_of(game: Game, pool: str) -> dict[str, int]:
    return {each.name: each.pools[pool].now for each in game.state.combatants}
