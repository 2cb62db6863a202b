"""What can be named in each option, as far as this seat may know: the sources of the autocompletion.

Everything comes from the list of legal actions (G-07), from what the seat sees, and from its own saved things.
Rule: G-04, G-08.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator

from bot.render.words import clip
from cogs._scene import Scene, Shown
from rules.core.board.fog import as_seen
from rules.core.commands.ahead import possible
from rules.core.commands.conditions import labelled
from rules.core.commands.naming import TABLE
from rules.core.encounter import Encounter
from rules.core.offer import Offer, Param, Takes
from rules.core.options import Option
from rules.core.registry import every_system, option_value, start_ids, started_as, system_of, systems
from rules.core.sheets.forms import OneOf
from rules.core.space.board import UNKNOWN
from rules.core.system import SystemOfAny
from rules.core.typed.names import find_name
from rules.core.typed.skeleton import same
from rules.core.values import TICKS, Combatant, Plays
from rules.core.views.known_conditions import known_conditions, meaning
from rules.core.views.view import deck_seen, hands_seen, my_actors, offers_for
from rules.kits.library import library

_LONGEST = 90  # of what is said beside a name that is offered
WORDS_OF_SET = ("side", "group", "owner", "kind", "mark:")

_SIGN = re.compile(r"[-+(,;]\s*")

# Combatants


def combatants(scene: Scene) -> tuple[str, ...]:
    """Return the combatants that this seat may know of; hidden ones are the GMs' alone."""
    return () if scene.active is None else scene.active.visible_names(scene.seat)


def combatants_and_groups(scene: Scene) -> tuple[str, ...]:
    """Return the combatants, then what names several of them: `Goblin*`, `all of Foes`."""
    active, names = scene.active, combatants(scene)
    if active is None:
        return ()
    bases = Counter(base for name in names if (base := name.rpartition(" ")[0]) and name.split()[-1].isdecimal())
    members = Counter(active.combatant(name).side for name in names)
    alike = tuple(f"{base}*" for base, count in bases.items() if count > 1)
    return (*names, *alike, *(f"all of {side}" for side, count in members.items() if side and count > 1))


def own_combatants(scene: Scene) -> tuple[str, ...]:
    """Return those that this seat may take out: its own, or all for a GM."""
    active = scene.active
    if active is None or scene.seat.gm:
        return combatants(scene)
    return tuple(each.name for each in active.combatants if scene.seat.owns(each))


def board_doors(scene: Scene) -> tuple[str, ...]:
    """Return the places of the board's doors."""
    board = None if scene.active is None else as_seen(scene.active, scene.seat).board
    if board is None:
        return ()
    known = board.whole if scene.seat.gm else board
    return tuple(known.door_at(place) for place in sorted(known.doors))


def board_places(scene: Scene) -> tuple[str, ...]:
    """Return what a ruler may be laid at: combatants on the board, and named places."""
    active = None if scene.active is None else as_seen(scene.active, scene.seat)
    if active is None or active.board is None:
        return ()
    standing = (each.name for each in active.cast if each.cell is not None and (scene.seat.gm or not each.hidden))
    return tuple(dict.fromkeys((*standing, *sorted(set(active.board.texts.values())))))


def fog_places(scene: Scene) -> tuple[str, ...]:
    """Return the places whose fog may be lifted, hidden ones too: it is the GM's."""
    board = None if scene.active is None or not scene.seat.gm else scene.active.board
    return () if board is None else tuple(sorted(set(board.whole.texts.values())))


def area_shapes(scene: Scene) -> tuple[str, ...]:
    return ("burst 1", "burst 2", "disc 3", "cone 4", "cone 4 wide", "line 6", "line 6 3", "square 2", "square 3")


def board_parts(scene: Scene) -> tuple[str, ...]:
    """Return what a picture of the board may be about."""
    return ("all", *board_places(scene))


def hidden_combatants(scene: Scene) -> tuple[str, ...]:
    active = scene.active
    if active is None or not scene.seat.gm:
        return ()
    return tuple(each.name for each in active.cast if each.hidden)


def creators(scene: Scene) -> tuple[str, ...]:
    """Return everybody who can act, seats of the system that are no combatants included."""
    active = scene.active
    if active is None or not scene.seat.gm:
        return combatants(scene)
    return tuple(dict.fromkeys((*combatants(scene), *system_of(active).actors(active))))


def named_in(option: str) -> Callable[[Scene], tuple[str, ...]]:
    """Return a source: those another option names already (who of the targets takes half)."""

    def source(scene: Scene) -> tuple[str, ...]:
        text = scene.text(option) or ""
        known = combatants(scene)
        names = (find_name(part.strip(), known) for part in text.split(",") if part.strip())
        return tuple(dict.fromkeys(name for name in names if name is not None)) or known

    return source


def targeted(scene: Scene) -> tuple[Combatant, ...]:
    """Return the combatants that `target` names so far."""
    active = scene.active
    if active is None or scene.text("target") is None:
        return ()
    return tuple(active.combatant(name) for name in named_in("target")(scene))


def sides(scene: Scene) -> tuple[str, ...]:
    active = scene.active
    if active is None:
        return ()
    taken = [active.combatant(name).side for name in combatants(scene)]
    return tuple(dict.fromkeys(side for side in (*system_of(active).sides, *taken) if side))


def groups(scene: Scene) -> tuple[str, ...]:
    active = scene.active
    if active is None:
        return ()
    of_all = (active.combatant(name).group for name in combatants(scene))
    return tuple(dict.fromkeys(group for group in of_all if group is not None))


# The legal actions


def offers(scene: Scene) -> Iterator[Offer]:
    """Return what the person may do now, with all that they play, or with the character that is typed."""
    active = scene.active
    if active is None:
        return
    typed = scene.text("character")
    actors = my_actors(scene.table, scene.seat)
    if typed is not None:
        every = playable(scene)
        actor = find_name(typed, every)
        actors = () if actor is None else (actor,)
    for who in actors:
        yield from offers_for(scene.table, who, scene.seat)


def playable(scene: Scene) -> tuple[str, ...]:
    """Return who this person may act with, their own first."""
    active = scene.active
    if active is None:
        return ()
    system = system_of(active)
    hidden = tuple(each.name for each in active.hidden) if scene.seat.gm else ()
    ways = {who: system.plays(active, who, scene.seat) for who in (*hidden, *system.actors(active))}
    able = [who for who, way in ways.items() if way is not Plays.NOT]
    return tuple(sorted(able, key=lambda who: -ways[who]))


def actions(scene: Scene) -> Iterator[Shown]:
    """Return the union over one's characters, shown as `attack (Ayla)`, with the value `attack`."""
    for offer in offers(scene):
        yield offer.action, f"{offer.action} ({offer.who})"


def actors(scene: Scene) -> tuple[str, ...]:
    """Return who somebody may act with; if an action is typed, those who could do it first."""
    typed = (scene.text("action") or "").replace(" ", "-")
    able = {offer.who for who in playable(scene) for offer in _offers_of(scene, who) if offer.action == typed}
    return tuple(sorted(playable(scene), key=lambda who: who not in able))


def _offers_of(scene: Scene, who: str) -> tuple[Offer, ...]:
    return offers_for(scene.table, who, scene.seat) if who in my_actors(scene.table, scene.seat) else ()


def takes(name: Takes) -> Callable[[Scene], Iterable[Shown]]:
    """Return a source: what the action that is typed takes there; without one, what could be meant at all."""

    def source(scene: Scene) -> Iterable[Shown]:
        typed = (scene.text("action") or "").replace(" ", "-")
        known = tuple(offers(scene))
        action = find_name(typed, tuple(dict.fromkeys(offer.action for offer in known)))
        listed = [
            choice
            for offer in known
            if offer.action == action
            for param in offer.params
            if param.name == name
            for choice in param.choices or ()
        ]
        if listed or action is not None:
            return tuple(dict.fromkeys(listed))
        return _at_all(scene, name)

    return source


def _at_all(scene: Scene, name: Takes) -> tuple[str, ...]:
    if name == "target":
        return combatants(scene)
    if name == "cards":
        return own_cards(scene)
    if name == "using" and scene.active is not None:
        own = (scene.active.find(who) for who in my_actors(scene.table, scene.seat))
        return tuple(dict.fromkeys(ability.name for each in own if each is not None for ability in each.abilities))
    return ()


def asked(scene: Scene) -> tuple[str, ...]:
    """Return those who are asked something, whether or not they have answered, and then those who may be asked yet."""
    active = scene.active
    if active is None or not scene.seat.gm:
        return ()
    others = (who for who in system_of(active).actors(active) if possible(active, who))
    return tuple(dict.fromkeys((*(question.who for question in active.questions), *others)))


def answers(scene: Scene) -> tuple[str, ...]:
    """Return the answers that the person asked could give, each with what it needs."""
    active = scene.active
    if active is None or not scene.seat.gm:
        return ()
    who = find_name(scene.text("target") or "", asked(scene))
    fitting = [question for question in active.questions if who in (None, question.who)]
    early = () if fitting or who is None else possible(active, who)
    plain = [*(choice for question in fitting for choice in question.choices), *(offer.action for offer in early)]
    seen = [(each, offer) for each in fitting for offer in offers_for(scene.table, each.who, scene.seat)]
    offers = (*(offer for each, offer in seen if offer.action in each.choices), *early)
    whole = [f"{each.action} {value}" for each in offers for param in each.params[:1] for value in _values_of(param)]
    return tuple(dict.fromkeys((*plain, *whole)))


def _values_of(param: Param) -> Iterable[str]:
    if param.choices is None and param.name == "amount" and param.most is not None:
        return map(str, range(param.least if param.least is not None else 1, min(param.most, 25) + 1))
    return param.choices or ()


def things_to_choose(scene: Scene) -> tuple[str, ...]:
    """Return what the rules leave to the GM just now."""
    active = scene.active
    return () if active is None or not scene.seat.gm else tuple(system_of(active).to_choose(active))


def todo(scene: Scene) -> tuple[str, ...]:
    """Return what is left for the GM to settle, each with its number."""
    left = scene.active.todo if scene.active is not None and scene.seat.gm else ()
    return tuple(f"{at} {each.ability}: {each.text}"[:100] for at, each in enumerate(left, 1))


def values_to_choose(scene: Scene) -> tuple[str, ...]:
    """Return what the thing that is typed in `what` may be."""
    active = scene.active
    known = {} if active is None or not scene.seat.gm else system_of(active).to_choose(active)
    what = find_name(scene.text("what") or "", known)
    return tuple(dict.fromkeys(value for key, values in known.items() if what in (None, key) for value in values))


# Cards


def own_cards(scene: Scene) -> tuple[str, ...]:
    """Return the cards of your own hand, each once. Rule: G-04."""
    seen = hands_seen(scene.table, scene.seat).get(scene.seat.user or "")
    return () if seen is None or seen.cards is None else tuple(dict.fromkeys(seen.cards))


def their_cards(scene: Scene) -> tuple[str, ...]:
    """Return the cards of the hand of `who`, if this seat may see it. Rule: G-04."""
    who = getattr(scene.given.get("who"), "id", None)
    seen = hands_seen(scene.table, scene.seat).get(str(who))
    if seen is not None and seen.cards is not None:
        return tuple(dict.fromkeys(seen.cards))
    deck = deck_seen(scene.table)
    return () if deck is None else tuple(dict.fromkeys(deck.discard))


# Conditions and values


def conditions(scene: Scene) -> tuple[Shown, ...]:
    """Return what somebody bears here, what the system knows and the table names, each with what it means."""
    active = scene.active
    if active is None:
        return ()
    system = system_of(active)
    names = dict.fromkeys((*_held_conditions(scene), *known_conditions(system, active.own_conditions)))
    return tuple((name, clip(f"{name}: {meaning(system, name)}", _LONGEST)) for name in names)


def _held_conditions(scene: Scene) -> tuple[str, ...]:
    active = scene.active
    if active is None:
        return ()
    return tuple(
        dict.fromkeys(condition.name for name in combatants(scene) for condition in active.combatant(name).conditions)
    )


def conditions_there(scene: Scene) -> tuple[str, ...]:
    """Return the conditions of those `target` names, or the table's own."""
    if scene.active is not None and same(scene.text("target") or "", TABLE):
        return scene.active.own_conditions
    names = [each.name for each in targeted(scene)]
    return (() if scene.active is None else tuple(labelled(scene.active, scene.seat, names))) or _held_conditions(scene)


def durations(scene: Scene) -> tuple[str, ...]:
    return ("1", "2", "3", "5", "10", "1 minute", "until my next turn", "until its next turn", "save", "none")


def ticks(scene: Scene) -> tuple[str, ...]:
    return TICKS


def settable(scene: Scene) -> tuple[str, ...]:
    """Return what `/gm set` can set on those `target` names: the GM alone is shown keys of a sheet."""
    active = scene.active
    if active is None or not scene.seat.gm:
        return ()
    named, system = targeted(scene), system_of(active)
    keys = [key for each in named for key in (*each.pools, *each.fields)]
    keys += [field.key for field in system.sheet.every_key if not field.named]
    keys += [f"{ability.name} {key}" for each in named for ability in each.abilities for key in ability.fields]
    own = [key for key in system.own_values if not key.endswith(" ")]
    marks = [f"mark:{mark}" for each in named for mark in each.marks]
    return tuple(dict.fromkeys((*keys, *own, *WORDS_OF_SET[:-1], *marks, WORDS_OF_SET[-1])))


def values_to_set(scene: Scene) -> tuple[str, ...]:
    """Return what the key that is typed in `pool` may be, if the sheet's table lists it."""
    active = scene.active
    if active is None or not scene.seat.gm:
        return ()
    key = (scene.text("pool") or "").casefold()
    if key == "side":
        return sides(scene)
    if key == "group":
        return groups(scene)
    declared = system_of(active).sheet.key(key)
    return declared.form.choices if declared is not None and isinstance(declared.form, OneOf) else ()


def free_cells(scene: Scene) -> tuple[str, ...]:
    """Return the cells with somebody or something in them: people name these most."""
    active = None if scene.active is None else as_seen(scene.active, scene.seat)
    if active is None or active.board is None:
        return ()
    terrain = (cell for cell, kind in active.board.terrain.items() if kind != UNKNOWN)
    stand = [active.combatant(name).cell for name in combatants(scene)]
    return tuple(dict.fromkeys(cell for cell in (*stand, *terrain, *active.board.texts) if cell))


# Encounters, systems, options


def system_ids(scene: Scene) -> Iterator[Shown]:
    for key, system in sorted(systems().items()):
        yield key, f"{key}: {system.title}"


async def started_systems(scene: Scene) -> tuple[Shown, ...]:
    """Return what an encounter can be started as: the systems, the server's kits, then those that ship."""
    kept = await scene.client.kits.titles(scene.guild)
    own = [(key, f"{key}: {title} (kit of this server)") for key, title in kept.items()]
    shipped = [each.starts() for each in every_system().values() if each.needs_tables]
    ours = [(key, f"{key}: {title}") for starts in shipped for key, title in sorted(starts.items())]
    return (*system_ids(scene), *own, *ours)


async def sheet_systems(scene: Scene) -> tuple[Shown, ...]:
    """Return what a sheet can be for: the kit that is played here, then what an encounter can be started as."""
    started = await started_systems(scene)
    here = None if scene.active is None else system_of(scene.active)
    if here is None or not here.needs_tables:
        return started
    played = (here.started_id, f"{here.started_id}: {here.title} (kit played here)")
    return (played, *(each for each in started if each[0] != here.started_id))


async def server_kits(scene: Scene) -> tuple[str, ...]:
    return await scene.client.kits.names(scene.guild)


async def every_kit(scene: Scene) -> tuple[str, ...]:
    """Return the ids of the server's kits, then of those that ship."""
    return tuple(dict.fromkeys((*await server_kits(scene), *library())))


async def paused_encounters(scene: Scene) -> tuple[str, ...]:
    rows = await scene.client.store.encounters(channel=scene.table.channel, statuses=("paused",))
    return tuple(row.name for row in rows)


async def movable_encounters(scene: Scene) -> tuple[str, ...]:
    """Return the encounters that this person leads and may move: those here, or those whose channel is gone."""
    rows = await scene.client.store.encounters(guild=scene.guild or "@me", statuses=("gathering", "running", "paused"))
    own = [row for row in rows if scene.seat.user in row.gms]
    if "channel" in scene.given:
        return tuple(row.name for row in own if row.channel == scene.table.channel)
    return tuple([row.name for row in own if await scene.client.blocked_channels.is_gone(row.channel)])


async def _startable(scene: Scene, system: str) -> SystemOfAny | None:
    """Return the system that an id starts; a kit of the server has the options that every kit has."""
    if system in start_ids():
        return started_as(system)
    by_file = next(each for each in every_system().values() if each.needs_tables)
    return by_file if system in await server_kits(scene) else None


def options_of(system: str | None) -> Callable[[Scene], Awaitable[tuple[str, ...]]]:
    """Return a source: `key=value` for every value that an option can have; None: the system as typed or in force."""

    async def source(scene: Scene) -> tuple[str, ...]:
        system_meant = await _startable(scene, system or scene.text("system") or "")
        encounter = scene.table.encounter if system is None and scene.text("system") is None else None
        if isinstance(encounter, Encounter):
            system_meant = system_of(encounter)
        if system_meant is None:
            return ()
        state = encounter if isinstance(encounter, Encounter) else None
        return tuple(_settings(system_meant.options, state, scene.current))

    return source


def _settings(options: tuple[Option, ...], state: Encounter | None, current: str) -> Iterator[str]:
    """Go through `key=value` of every option, what is not in force first."""
    _, _, last = current.rpartition(",")
    key, sign, _ = last.partition("=")
    named = key.strip().casefold() if sign else ""
    for option in sorted(options, key=lambda option: option.key.casefold() != named):
        now = option.default if state is None else option_value(state, option.key)
        values = option.choices or (option.default,)
        for value in sorted(values, key=lambda value, now=now: value == now):  # type: ignore[misc] # mypy infers no type for a lambda's default
            yield f"{option.key}={value}"


# One's own saved things


async def characters(scene: Scene) -> tuple[str, ...]:
    return await scene.client.characters.names(scene.guild or "@me", scene.seat.user or "")


async def saved_maps(scene: Scene) -> tuple[str, ...]:
    return ("last", *await scene.client.maps.names(scene.seat.user or "", scene.guild or "@me"))


async def casts(scene: Scene) -> tuple[str, ...]:
    return await scene.client.casts.names(scene.guild or "@me", scene.seat.user or "")


async def macros(scene: Scene) -> tuple[str, ...]:
    return await scene.client.macros.names(scene.seat.user or "")


async def dice_texts(scene: Scene) -> tuple[str, ...]:
    """Return saved rolls, and behind the start of a number your own names: `1d20+S` offers `1d20+STR`."""
    signs = tuple(_SIGN.finditer(scene.current))
    begins = signs[-1].end() if signs else 0
    before, word = scene.current[:begins], scene.current[begins:]
    saved = await scene.client.macros.names(scene.seat.user or "")
    is_secret = scene.text("show") not in (None, "all")
    numbers = await scene.client.dice.names(scene.table, scene.guild, scene.seat.user, is_secret=is_secret)
    if signs:
        fitting = [name for name in numbers if any(part.startswith(word.casefold()) for part in _ends(name.casefold()))]
        return tuple(f"{before}{name}" for name in fitting)
    return (*saved, *(f"1d20+{name}" for name in numbers))


def _ends(name: str) -> tuple[str, ...]:
    """Return what a name may be found by: each of its words begins one."""
    words = name.split()
    return tuple(" ".join(words[at:]) for at in range(len(words)))


def dice(scene: Scene) -> tuple[str, ...]:
    return ("d20", "d100", "d4", "d6", "d8", "d10", "d12")
