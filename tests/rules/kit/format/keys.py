"""Cases of single keys: a kit with the key plays out as the case says, and the same kit without it does not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic.fields import FieldInfo

from rules.core.registry import system_of
from rules.errors import Refusal
from rules.kits.compiler import compile_kit
from rules.kits.document import read_text
from rules.kits.mistakes import MistakenKit
from rules.kits.schema import ActionPart, CheckPart, ConditionPart, KitPart, Part, PhasePart, PoolPart, ReactionPart
from rules.kits.speech import said_back
from tests.rules.kit.reading import QUICK
from tests.rules.kit.tables import KitGame, begun
from tests.rules.table import Game

Content = Mapping[str, Any]
MODELS: Mapping[str, type[Part]] = {
    "kit": KitPart,
    "order": PhasePart,
    "pool": PoolPart,
    "check": CheckPart,
    "action": ActionPart,
    "reaction": ReactionPart,
    "condition": ConditionPart,
}


class Case(NamedTuple):
    """`path` leads to the key in the file; `seen` is what a table sees of it."""

    path: str
    text: str
    seen: Callable[[Content], object]
    expected: object


def keys() -> set[str]:
    """Return every key of the format, as `pool.start`; a reaction has an action's but for its own two."""
    return {
        f"{part}.{_written(name, field)}"
        for part, model in MODELS.items()
        for name, field in model.model_fields.items()
        if part != "reaction" or name not in ActionPart.model_fields
    }


def _written(name: str, field: FieldInfo) -> str:
    return field.alias or name


def content_of(case: Case) -> Content:
    text = case.text if case.text.startswith("kit") else QUICK + case.text
    return read_text(text).content


def without(content: Content, path: str) -> Content:
    """Return a file without one key."""
    less: Any = copy.deepcopy(dict(content))
    at = less
    *way, last = path.split(".")
    for step in way:
        at = at[int(step) if step.isdigit() else step]
    del at[last]
    return dict(less)


def outcome(case: Case, content: Content) -> object:
    try:
        return case.seen(content)
    except (MistakenKit, Refusal, KeyError, StopIteration) as wrong:
        return wrong


# What a table sees


def table(content: Content, *foes: str, **fields: Any) -> Game:
    return begun(KitGame(json.dumps(content), is_json=True), *(foes or ("Ogre",)), **fields)


def after(content: Content, *commands: str, **more: Any) -> Game:
    """Let people do things: `Ayla hit target=Ogre`; `dice` fall in the last command."""
    dice, fields = more.pop("dice", None), more.pop("fields", {})
    foes = more.pop("foes", ("Ogre",))
    game = table(content, *foes, **fields)
    for number, line in enumerate(commands):
        who, action, *given = line.split()
        named: dict[str, Any] = dict(one.split("=") for one in given)
        if "amount" in named:
            named["amount"] = int(named["amount"])
        named["character"] = who
        if number == len(commands) - 1 and dice is not None:
            named["dice"] = dice
        game.do("Gwen", action, **named)
    return game


def pool(game: Game, who: str, name: str = "HP") -> int:
    return int(game.state.combatant(who).pools[name].now)


def offer(game: Game, who: str, action: str) -> Any:
    return next(each for each in system_of(game.state).offers(game.state, who) if each.action == action)


def choices(game: Game, who: str, action: str, name: str) -> Any:
    return next(each for each in offer(game, who, action).params if each.name == name).choices


def rule(content: Content, commands: tuple[str, ...], who: str, action: str, **given: Any) -> str | None:
    """Return what is cited as somebody is refused."""
    return after(content, *commands).refused("Gwen", action, character=who, **given).rule


def said(content: Content) -> str:
    return " ".join(f"{part.about}: {part.words}" for part in said_back(compile_kit(content)))


def waiting(game: Game) -> set[str]:
    return set(game.waits_for())
