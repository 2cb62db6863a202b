"""Another file for an encounter that is open: what changes at once, what with the next round, what each had."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import JsonValue

from rules.core import hiding
from rules.core.commands.order_book import cancel
from rules.core.conditions import end_condition
from rules.core.registry import system_of
from rules.core.scopes import PHASE
from rules.core.seen.pools import sharers
from rules.core.sheets.sheet import pool_from
from rules.core.step import GM_ONLY, Step, shared_pool_text
from rules.core.typed.names import shown
from rules.core.values import Combatant, Pool
from rules.errors import Illegal
from rules.kits.compiled import Kit, PoolSpec
from rules.kits.document import digest_of
from rules.kits.library import kit_of
from rules.kits.mistakes import MistakenKit
from rules.kits.whole import whole_keys
from rules.systems.kit.deeds import question_open, refused_by_state
from rules.systems.kit.numbers import Scene, number_of
from rules.systems.kit.order import sharing_sides
from rules.systems.kit.planning import plan_words
from rules.systems.kit.play import Play, play_of, top_of
from rules.systems.kit.state import KitState

LATER = ("order", "phase", "sides")  # what a round is made of: these change as the next one opens
FOLLOWING = "following"  # of the tables: the file that is in force from the next round on


def change_kit(step: Step[KitState], before: Mapping[str, JsonValue]) -> None:
    """Put a file that was just given in the place of the one before, as far as the round allows. Raises: Illegal."""
    given = {key: step.state.tables[key] for key in ("file", "source", "digest")}
    old = step.state.evolve(tables=before)
    if old.kit.phases and (step.state.questions or step.state.under_way is not None):
        raise question_open()
    step.is_ruling = True
    if FOLLOWING in before:
        step.change(tables={**step.state.tables, FOLLOWING: None})
    step.close(*step.state.questions)  # of a kit that this program could not read
    file, held = given["file"], before.get("file")
    assert isinstance(file, Mapping)  # noqa: S101 - `check_tables` has read it
    new = step.state.kit
    step.tell("The kit is now {title}: version {version}, digest {digest}.", title=new.title,
              version=new.version, digest=new.digest[:8])  # fmt: skip
    if not old.kit.phases or not isinstance(held, Mapping):
        _begin_anew(step)
        _fit(step, old)
        return
    is_under_way = step.state.status == "running" and step.state.round > 0
    if not is_under_way or all(file.get(key) == held.get(key) for key in LATER):
        _fit(step, old)
        return
    now = _until_next_round(file, held, given)
    if now is None:
        step.change(tables={**step.state.tables, **before, FOLLOWING: given})
        step.tell("This round is still played with the old one, whose order it needs; round {number} is played with "
                "the new one.",
                  number=step.state.round + 1)  # fmt: skip
        return
    step.change(tables={**step.state.tables, **now, FOLLOWING: given})
    step.tell("Its order, phases and sides come with round {number}.", number=step.state.round + 1)
    _fit(step, old)


def begin_next(play: Play) -> None:
    """Put the file in force that waits for the next round."""
    old = play.state
    following = play.state.tables.get(FOLLOWING)
    if isinstance(following, Mapping):
        play.step.change(tables={**old.tables, **following, FOLLOWING: None})
        play.step.tell("{title} now applies.", title=play.kit.title)
        _fit(play.step, old)


def newest(state: KitState) -> Mapping[str, JsonValue]:
    """Return the tables that were given last: those in force, or those that wait for the next round."""
    following = state.tables.get(FOLLOWING)
    return following if isinstance(following, Mapping) else state.tables


def _until_next_round(
    file: Mapping[str, Any], held: Mapping[str, Any], given: Mapping[str, JsonValue]
) -> dict[str, JsonValue] | None:
    """Return tables with the new file's parts and the old one's round; None if these do not go together."""
    kept = {key: held[key] for key in LATER if key in held}
    mixed = {**{key: value for key, value in file.items() if key not in LATER}, **kept}
    try:
        lacks = set(kit_of(mixed).implied) - set(kit_of(file).implied)
    except MistakenKit:
        return None
    if lacks:  # the round goes by keys that the new file has no default for
        return None
    return {"file": mixed, "source": given.get("source"), "digest": digest_of(mixed)}


def _begin_anew(step: Step[KitState]) -> None:
    """Open no phase and no turn: what they were is not known. The round goes on with the first phase."""
    step.change(PHASE, phase_number=-1, held=(), called=())


def _fit(step: Step[KitState], old: KitState) -> None:
    """Bring everybody into line with the kit in force: what is new is given, what is gone is taken and named."""
    new = step.state.kit
    _require_sheets(step.state, new)
    step.change(blows=())  # what was done by the old kit is not corrected by the new one
    if old.kit.phases:
        _rename_sides(step, old.kit, new)
        _take(step, old.kit, new)
    for combatant in step.state.cast:
        hiding.ruled(step, combatant.name, partial(_give, who=combatant.name, old=old))
    play = play_of(step)
    for spec in new.pools.values() if step.state.round else ():
        for side in sharing_sides(play, spec):
            play.have_shared(side, spec.name)
    _drop_plans(step)
    known = system_of(step.state).actions.by_id
    for order in step.state.orders:
        if order.command.action not in known:
            cancel(step, order, "The kit no longer has that action.")
    if step.state.is_stuck:
        play.step.change(is_stuck=False)


def _require_sheets(state: KitState, new: Kit) -> None:
    """Raise Illegal if somebody in a fight lacks what a sheet must hold."""
    needed = [key for key, default in new.sheet.items() if default is None]
    whole = whole_keys(new)
    lacking = [
        f"{combatant.name} {key}"
        for combatant in state.cast
        for key in new.sheet
        if (key in needed and key not in combatant.fields)
        or (key in whole and isinstance(combatant.fields.get(key), str))
    ]
    if state.round and lacking:
        who, _, key = lacking[0].rpartition(" ")
        raise Illegal(
            f"That kit needs something that the sheets here lack: {shown(lacking, 8)}.",
            instead=f"Add it with /gm set target:{who} pool:{key} value:3, or give it a default in the file.",
        )


def _rename_sides(step: Step[KitState], old: Kit, new: Kit) -> None:
    """Let everybody of a side that is gone be of the one in its place."""
    places = zip(old.sides, new.sides, strict=False)
    renamed = {before: after for before, after in places if before not in new.sides}
    for combatant in step.state.cast:
        if combatant.side in renamed:
            changed = partial(Step.change_combatant, who=combatant.name, side=renamed[combatant.side])
            hiding.ruled(step, combatant.name, changed)
    for before, after in renamed.items():
        step.tell("{before} are {after} now.", before=before, after=after)


def _take(step: Step[KitState], old: Kit, new: Kit) -> None:
    """Take off the pools and conditions that are gone, and name what each had."""
    pools = tuple(name for name, spec in old.pools.items() if name not in new.pools or new.pools[name].of != spec.of)
    kept = {spec.label for spec in new.conditions.values()}
    labels = [spec.label for spec in old.conditions.values() if spec.label not in kept]
    hidden = {name for name in pools if old.pools[name].shown == "no"}
    for combatant in step.state.cast:
        hiding.ruled(
            step, combatant.name, partial(_take_from, who=combatant.name, pools=pools, hidden=hidden, labels=labels)
        )
    for side, held in ((None, step.state.table_pools), *step.state.side_pools.items()):
        for name in pools:
            if name in held:
                readers = sharers(step.state, side) if name in hidden else None
                had = shared_pool_text(name, held[name])
                step.tell("{whose} had {had}, which is gone.", whose=side or "The table", had=had, seen_by=readers)
    if pools:
        of_sides = {side: _without(held, pools) for side, held in step.state.side_pools.items()}
        step.change(table_pools=_without(step.state.table_pools, pools), side_pools=of_sides)


def _without(pools: Mapping[str, Pool], names: tuple[str, ...]) -> dict[str, Pool]:
    return {name: pool for name, pool in pools.items() if name not in names}


def _take_from(step: Step[KitState], who: str, pools: tuple[str, ...], hidden: set[str], labels: list[str]) -> None:
    own = step.state.combatant(who)
    for name in pools:
        if name in own.pools:
            readers = tuple(filter(None, (own.owner, *GM_ONLY))) if name in hidden else None
            had = step.pool_fact(who, name, own.pools[name].now, 0)
            step.tell("{who}: {had}, which is gone.", who=who, had=had, seen_by=readers)
    for condition in own.conditions:
        if condition.name in labels:
            end_condition(step, who, condition)
    if pools:
        step.change_combatant(who, pools=_without(step.combatant(who).pools, pools))


def _give(step: Step[KitState], who: str, old: KitState) -> None:
    """Give somebody the pools that are new, at their start; a maximum that the old kit gave becomes the new one's."""
    for spec in step.state.kit.pools.values():
        own = step.state.combatant(who)
        pool = own.pools.get(spec.name)
        if spec.of != "each":
            continue
        if pool is None:
            step.put_pool(who, spec.name, _from_sheet(own, spec.name) or at_start(step, who, spec))
        elif spec.name in old.kit.pools:
            then = step.state.evolve(tables=old.tables)
            before, after = _top(then, old.kit.pools[spec.name], who), _top(step.state, spec, who)
            if pool.top == before and before != after:
                now = pool.now if after is None else min(pool.now, after)
                step.put_pool(who, spec.name, Pool(now=now, top=after))


def _from_sheet(own: Combatant, name: str) -> Pool | None:
    value = own.fields.get(name)
    if isinstance(value, int) and value >= 0:
        return Pool(now=value, top=value)
    return pool_from(value) if isinstance(value, str) else None


def at_start(step: Step[KitState], who: str, spec: PoolSpec) -> Pool:
    """Return a pool of somebody as a kit begins it."""
    play = play_of(step)
    now, _ = play.number(spec.start, Scene(who), spec.name)
    top = top_of(step.state, spec, who, now)
    return Pool(now=max(0, now if top is None else min(now, top)), top=top)


def _top(state: KitState, spec: PoolSpec, who: str) -> int | None:
    """Return the maximum that a kit gives somebody's pool, if it is no sheet's own."""
    start = 0 if spec.start.rolls else number_of(state, spec.start, Scene(who))
    return top_of(state, spec, who, start)


def _drop_plans(step: Step[KitState]) -> None:
    """Drop a plan that no longer fits, and tell those who may read it."""
    state, new = step.state, step.state.kit
    if state.plan_step or not state.plans:
        return
    kept = {}
    for who, steps in state.plans.items():
        fits = []
        for planned in steps:
            deed = new.actions.get(planned.action)
            bare = state.evolve(plans={})
            if deed is not None and refused_by_state(deed, bare, who, planned=True) is None:
                fits.append(planned)
                continue
            words = plan_words(new, planned) if deed is not None else planned.action
            owner = state.combatant(who).owner
            readers = GM_ONLY if owner is None else (owner,)
            step.tell("{who}'s plan is dropped: {plan}.", who=who, plan=words, seen_by=readers)
        kept[who] = tuple(fits)
    step.change(plans=kept, plan_closed=tuple(name for name in state.plan_closed if name in kept))
