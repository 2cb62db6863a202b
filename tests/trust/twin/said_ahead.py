"""Secrets of what is said ahead by pressing: the entries of the *Ahead* page, that of the GM on hit and miss too."""

from __future__ import annotations

from collections.abc import Sequence

from bot import custom_ids
from bot.discord_numbers import Component
from bot.render.ahead import AHEAD_PAGE
from rules.core.encounter import StandingOrder
from tests.trust.stage.days import HOUR
from tests.trust.stage.looks import LOOKS
from tests.trust.twin.opening import BACK_AND_FORTH, GM, lines
from tests.trust.twins import Twins, World
from tests.wire import PEOPLE

ENDS = ("end", "pass", "next")


async def pressed(pair: Twins, moves: int) -> None:
    """What a player takes of their *Ahead* page: in the other world another entry of the same menu."""
    await lines(pair)
    pair.goes_back = False  # an undo may lead to before the first round, when nobody has anything to say ahead
    for _ in range(moves):
        for who in ("Ana", "Bo", "Cai"):
            pair.knowers = GM | {who}
            menu = await _menu(pair, who, "")
            if menu is not None:
                here, there = pair.rng.sample(menu[1], 2)
                await _take(pair, who, menu[0], here, there)
                return
        await pair.play(1)
    raise AssertionError(f"{pair.system}: nobody has two things to say ahead; {pair.state and pair.state.status}")


async def struck(pair: Twins, _moves: int) -> None:
    """Whether the GM has said ahead that an attack hits or misses: before it is made, nobody else can tell."""
    pair.knowers = GM
    await lines(pair)
    menu = await _menu(pair, "Gwen", "@if")
    assert menu is not None
    custom_id, entries = menu
    here, there = (next(each for each in entries if each.startswith(f"@if-asked:{word}|")) for word in ("hit", "miss"))
    await _take(pair, "Gwen", custom_id, here, there)


async def _take(pair: Twins, who: str, menu: str, here: str, there: str) -> None:
    """Take an entry here and another there; whatever anybody else looks at then is the same."""
    for world, entry in ((pair.a, here), (pair.b, there)):
        before = len(_orders(world))
        await world.press(who, menu, [entry], private=True, direct=False)
        assert len(_orders(world)) == before + 1, entry
    pair.compare(f"{who} takes {here} and {there}")
    await _goes_back_and_forth(pair, who)


async def _goes_back_and_forth(pair: Twins, who: str) -> None:
    """Take back what was said and do it again, then let time go by: the same is seen at each moment."""
    await pair.everybody_looks()
    for line in BACK_AND_FORTH:
        await pair.both("Gwen", f"/encounter {line}")
        await pair.both(pair.rng.choice(pair.others), pair.rng.choice(LOOKS))
    await pair.everybody_looks()
    for world in (pair.a, pair.b):
        assert who in {order.by_name for order in _orders(world)}, "what was taken back is done again"
    await pair.later(HOUR)
    await pair.everybody_looks()


def _orders(world: World) -> Sequence[StandingOrder]:
    state = world.room.encounter
    return () if state is None else state.orders


async def _menu(pair: Twins, who: str, which: str) -> tuple[str, Sequence[str]] | None:
    """Open the page in both worlds; return a menu of two whole entries and more, by the mark in its id."""
    for world in (pair.a, pair.b):
        assert world.room.encounter is not None
        version = world.room.prompt.wanted
        button = custom_ids.Pressed(custom_ids.PANEL, world.room.encounter.id, version, (AHEAD_PAGE,))
        await world.press(who, button.written(), None, private=False, direct=False)
    page = next(sent for sent in reversed(pair.a.shown) if sent.reader == PEOPLE[who])
    pair.compare(f"{who} opens the page")
    for part in page.components:
        entries = [str(each["value"]) for each in part.get("options", ()) if _is_whole(str(each["value"]))]
        if part.get("type") == Component.SELECT and which in str(part["custom_id"]) and len(entries) > 1:
            return str(part["custom_id"]), entries
    return None


def _is_whole(entry: str) -> bool:
    """Tell whether an entry says all that there is to say: it has a digest, or it is a plain end of a turn."""
    return entry.count("|") > 1 or entry.strip("@").partition("|")[0] in ENDS
