"""From a kit's file to the kit that is played: every mistake that there is, or the whole kit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from rules.core.conditions import parse_save
from rules.dice.meanings import SeveralMeanings
from rules.errors import Refusal
from rules.kits.beyond import beyond
from rules.kits.compiled import ConditionSpec, Kit, PoolSpec
from rules.kits.deeds import read_check, read_deed
from rules.kits.document import digest_of
from rules.kits.mistakes import Faults, as_written, meant, nearest, numbered, within
from rules.kits.phases import read_phases
from rules.kits.schema import (
    ActionPart,
    CheckPart,
    ConditionPart,
    DeedPart,
    KitPart,
    Order,
    PoolPart,
    ReactionPart,
    label_of,
    read_part,
    read_parts,
    taken_over,
)
from rules.kits.sentences import Sentence, read_list, read_sentences
from rules.kits.texts import Names, Place, read_dice, read_sum
from rules.kits.whole import require_format, require_whole
from rules.kits.words import BROUGHT, BUILT_IN_PREFIXES, EVENTS, POOL_EVENTS, SOMEBODY

_NAMED = re.compile(r"\{(?:target\.)?([A-Z][A-Z0-9_]{0,23})\}")
_PLAIN_ID = re.compile("[a-z][a-z0-9-]{0,23}")


def compile_kit(content: Mapping[str, Any], built_in: tuple[str, ...] = ()) -> Kit:
    """Return the kit that a file describes; `built_in` are ids that it may not have. Raises: MistakenKit."""
    faults = Faults()
    part = read_part(KitPart, dict(content), "", faults) or _as_meant(content)
    if part is None:
        _look_inside(content, faults)
        faults.require_none()
    assert part is not None  # noqa: S101 - what is wrong has been raised
    if part.id in (*built_in, "kit"):
        faults.add("id", f"{part.id} is a built-in system; choose another id.")
    prefix = _prefix(part, faults)
    _sides(part.sides, faults)
    pools = read_parts(PoolPart, part.pool or {"HP": {"start": 10, "out": True}}, "pool", faults)
    implied = () if "sheet" in part.model_fields_set else _implied(content, tuple(part.pool or pools))
    sheet = {**dict.fromkeys(implied, 0), **_sheet(part.sheet, faults)}
    names = Names(
        # One that is mistaken is known, too: what names it is no mistake of its own
        pools={name: pools[name].of if name in pools else "" for name in (part.pool or pools)},
        sheet={name: isinstance(value, str) for name, value in sheet.items()},
        conditions=tuple(part.condition),
        checks=tuple(part.check),
        sides=part.sides,
    )
    for name in pools.keys() & sheet.keys():
        faults.add(within("sheet", name), f"{name} is already a pool; a sheet's own {name} replaces the pool's start.")
    _rules(part, prefix, faults)
    rules = tuple(part.rules)
    checks = {
        key: read_check(key, each, within("check", key), names, faults)
        for key, each in read_parts(CheckPart, part.check, "check", faults).items()
    }
    actions = read_parts(ActionPart, part.action, "action", faults)
    reactions = read_parts(ReactionPart, part.reaction, "reaction", faults)
    for key in actions.keys() & reactions.keys():
        faults.add(within("reaction", key), f"{key} is already an action; choose another id.")
    _require_no_chains(actions, reactions, faults)
    deeds: dict[str, DeedPart] = {**actions, **reactions}
    kinds = dict.fromkeys(deed.kind for deed in deeds.values() if deed.kind)
    words = (*part.action, *part.reaction, *kinds)
    kit = taken_over(
        Kit,
        part,
        title=part.title or part.id,
        prefix=prefix,
        phases=read_phases(part, names, rules, words, faults),
        sheet=sheet,
        pools={name: _pool(name, pool, names, faults) for name, pool in pools.items()},
        checks=checks,
        actions={
            key: read_deed(key, action, "action", names, checks, rules, faults) for key, action in actions.items()
        },
        reactions={
            key: read_deed(key, reaction, "reaction", names, checks, rules, faults)
            for key, reaction in reactions.items()
        },
        conditions=_conditions(part, names, rules, words, faults),
        when=_when(part, names, faults),
        rules=dict(part.rules),
        words=_labels(part, faults),
        names=names,
        implied=implied,
        digest=digest_of(content),
    )
    require_whole(kit, faults)
    require_format(part.kit, kit, content, faults)
    keys = list(content)
    faults.found.sort(key=lambda mistake: _place(mistake.path, keys))  # in the order of the file
    faults.require_none()
    return kit


def _require_no_chains(
    actions: Mapping[str, ActionPart], reactions: Mapping[str, ReactionPart], faults: Faults
) -> None:
    """Tell of a reaction that could answer nothing but reactions."""
    answered = {*actions, *(action.kind for action in actions.values())}
    for key, reaction in reactions.items():
        if reaction.kind in reactions.keys() - answered:
            path = f"{within('reaction', key)}.kind"
            faults.add(path, f"{reaction.kind} is a reaction.{beyond('chain')}")


def _place(path: str, keys: list[str]) -> int:
    first = re.split(r"[.\[]", path)[0]
    return keys.index(first) if first in keys else len(keys) if first else -1


def _as_meant(content: Mapping[str, Any]) -> KitPart | None:
    """Return a file as it was probably meant, to go on reading it; None if more than its first keys is wrong."""
    known = tuple(KitPart.model_fields)
    held: dict[str, Any] = {key: value for key, value in content.items() if key in known}
    for key, value in content.items():
        near = nearest(key, known)
        if key not in known and len(near) == 1:
            held.setdefault(near[0], value)
    kit_id, rules = held.get("id"), held.get("rules")
    if not isinstance(kit_id, str) or not _PLAIN_ID.fullmatch(kit_id):
        first = next(iter(rules), "") if isinstance(rules, dict) else ""
        held = {"prefix": str(first).partition("-")[0] or "MK", **held, "id": "my-kit"}
    return read_part(KitPart, {**held, "kit": 1}, "", Faults())


def _look_inside(content: Mapping[str, Any], faults: Faults) -> None:
    """Look for mistakes of the parts too, if the outermost keys are wrong already."""
    read_part(Order, content.get("order", {}), "order", faults)
    for key, model in (
        ("pool", PoolPart),
        ("check", CheckPart),
        ("action", ActionPart),
        ("reaction", ReactionPart),
        ("condition", ConditionPart),
    ):
        held = content.get(key)
        if isinstance(held, dict):
            read_parts(model, {str(name): each for name, each in held.items()}, key, faults)


def _prefix(part: KitPart, faults: Faults) -> str:
    words = part.id.split("-")
    initials = "".join(word[0] for word in words)[:3] if len(words) > 1 else words[0][:2]
    prefix = part.prefix or initials.upper()
    if prefix in BUILT_IN_PREFIXES:
        faults.add("prefix", f"{prefix} begins the rules of a built-in system; choose other capitals.")
    elif len(prefix) < 2 or not prefix.isalpha():
        faults.add("prefix", 'prefix is missing: the id does not give two or three capitals, such as prefix = "MK".')
    return prefix


def _sides(sides: tuple[str, ...], faults: Faults) -> None:
    if len(sides) < 2:
        faults.add("sides", "a kit needs two sides at least: first the players' side, then the GM's.")
    folded = [side.casefold() for side in sides]
    for number, side in enumerate(sides):
        path, text = within("sides", number), str(side)
        if not text or len(text) > 32 or text in SOMEBODY or text.casefold() in ("gm decides", "all"):
            faults.add(path, f"{as_written(text)} is not the name of a side, up to 32 characters.")
        elif text.casefold() in folded[:number]:
            faults.add(path, f"{text} is there twice.")


def _sheet(held: Mapping[str, Any], faults: Faults) -> dict[str, int | str | None]:
    """Return the default of each key; None if it is needed."""
    found: dict[str, int | str | None] = {}
    for key, value in held.items():
        path = within("sheet", key)
        if isinstance(value, bool) or not isinstance(value, int | str):
            faults.add(path, f'{as_written(value)} is not a number, dice in quotes, or "needed".')
        elif value == "needed":
            found[key] = None
        elif isinstance(value, str):
            read_dice(value, path, Names({}, {}, (), (), ()), Place(specials=()), faults)
            found[key] = value
        else:
            found[key] = value
    return found


def _implied(content: Mapping[str, Any], pools: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that a file without a sheet uses as if it had one: each counts as 0 if a sheet lacks it."""
    found = dict.fromkeys(_NAMED.findall(json.dumps(content)))
    return tuple(name for name in found if name not in pools and not nearest(name, pools))


def _pool(name: str, part: PoolPart, names: Names, faults: Faults) -> PoolSpec:
    path = within("pool", name)
    read_start = read_sum if part.refill == "turn" else read_dice  # what is left is known before the turn begins
    start = read_start(part.start, f"{path}.start", names, Place(specials=()), faults)
    most = read_sum(part.most, f"{path}.most", names, Place(specials=()), faults) if part.most else None
    if part.of != "each" and part.out:
        faults.add(f"{path}.out", f"{name} belongs to the {part.of}; only a pool of each character can have out.")
    if part.of != "each" and part.refill == "turn":
        faults.add(f"{path}.refill", f"{name} belongs to the {part.of}, which has no turns; use round or no.")
    return PoolSpec(name, start, most, part.of, part.refill, part.out, part.shown)


def _rules(part: KitPart, prefix: str, faults: Faults) -> None:
    for key, value in part.rules.items():
        path = within("rules", key)
        if not isinstance(value, str) or not value.strip():
            faults.add(path, f"{as_written(value)} is not a text.")
        if not key.startswith(f"{prefix}-"):
            faults.add(path, f"a rule of this kit begins with {prefix}, such as {prefix}-01.")


def _conditions(
    part: KitPart, names: Names, rules: tuple[str, ...], words: tuple[str, ...], faults: Faults
) -> dict[str, ConditionSpec]:
    found = {}
    for key, each in read_parts(ConditionPart, part.condition, "condition", faults).items():
        path = within("condition", key)
        save = each.save.replace(" ", "")
        if save:
            try:
                parse_save(save, is_typed=True)
            except SeveralMeanings as asked:
                faults.add(
                    f"{path}.save",
                    f"{each.save} means several things: {' or '.join(way.text for way in asked.meanings)}.",
                )
            except Refusal:
                faults.add(f"{path}.save", f"{each.save} is not a save, such as 1d20 >= 10.")
        for place, word in numbered(f"{path}.forbids", each.forbids):
            faults.require_known(place, str(word), words, "an action, a reaction or a kind")
        faults.require_known(f"{path}.rule", each.rule or None, rules, "a rule of this kit")
        found[key] = taken_over(
            ConditionSpec,
            each,
            id=key,
            label=each.label or label_of(key),
            save=save,
            do=read_sentences(each.do, f"{path}.do", names, Place(source=True), faults),
        )
    return found


def _when(part: KitPart, names: Names, faults: Faults) -> dict[str, tuple[Sentence, ...]]:
    found = {}
    own = tuple(name for name, of in names.pools.items() if of == "each")
    known = (*EVENTS, *(f"{name}-{what}" for name in names.pools for what in POOL_EVENTS))
    for key, value in part.when.items():
        path = within("when", key)
        if key not in known:
            faults.add(path, f"{as_written(key)} is not a moment: {', '.join(EVENTS)}, or a pool's as "
                       f"{(own or ('HP',))[0]}-zero, -full, -loss.{meant(key, known)}")  # fmt: skip
        else:
            lost = ("dealt",) if key.endswith("-loss") else ()
            found[key] = read_list(value, path, names, Place(specials=("round", *lost)), faults)
    return found


def _labels(part: KitPart, faults: Faults) -> dict[str, str]:
    found = {}
    for key, value in part.words.items():
        path = within("words", key)
        if key not in BROUGHT:
            faults.add(path, f"{as_written(key)} is not one of {', '.join(BROUGHT)}.{meant(key, BROUGHT)}")
        elif not isinstance(value, str) or not value.strip() or len(value) > 40:
            faults.add(path, f"{as_written(value)} is not a text of up to 40 characters.")
        else:
            found[key] = value.strip()
    return found
