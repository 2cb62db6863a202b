"""An ability of each kind in every system, and what its bearer does with it in a fight of two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.core.registry import system_of
from rules.core.sheets.abilities import parse_ability
from tests.rules.beacon.scene import SHEET as BEACON
from tests.rules.kit.tables import KitGame
from tests.rules.table import Game

KIT = """kit = 1
id = "blades"
order = { type = "sides", first = "Players" }
sheet = { ATK = 3, AC = 12 }
pool = { HP = { start = 30, out = true } }
check = { hit = { roll = "1d20+{ATK}", against = "{target.AC}" } }
[action]
attack = { target = "foe", using = "weapon", check = "hit", success = ["target loses {using.damage} HP"] }
bless = { using = "prayer", do = ["self gains 1 HP"] }
[reaction]
parry = { to = "targeted", using = "guard", do = ["it is stopped"] }
"""
SHEETS: Mapping[str, Mapping[str, Any]] = {
    "classic": {"HP": 30, "AC": 10},
    "tactics": {"INT": 0, "AGI": 0, "ATK": 0, "DEF": 9, "TIER": 1, "HP": 90, "SPD": 5},
    "stones": {"HP": 90, "ATK": 6, "ARM": 2, "MOV": 4, "RNG": 1, "CRT": 20, "TYPE": "Physical"},
    "adventurers": {"STAMINA": 90, "WILLPOWER": 4, "SPECIALTIES": ["Arm", "Courage"]},
    "soulweaver": {"ZEAL": 1, "POISE": 2, "MINOR": 2, "SPEED": 5, "GRIT": 0},
    "kit": {},
    "beacon": {**BEACON, "HP": 90, "MP": 9},
}
WORDS = "The grass around it burns"
Deed = tuple[str, Mapping[str, Any]]


class Used(NamedTuple):
    """An ability, and what its bearer does with it; the last of it is what uses it."""

    system: str
    source: str
    deeds: tuple[Deed, ...]
    by_creature: bool = True


def at(**given: Any) -> Mapping[str, Any]:
    return {"using": "Flare", **given}


FOE = "another"  # means the one who fights against them
USED = (
    Used("classic", "+5 to hit; on a hit 1d4 damage", (("attack", at(target=FOE)),)),
    Used("classic", "you regain 1d4 HP", (("use", at()),)),
    Used("tactics", "kind power; phase battle; damage 1d4", (("attack", at(target=FOE)),)),
    Used("tactics", "kind power; phase movement; distance SPD", (("move", at(amount=2)),)),
    Used("tactics", "kind power; you regain 1d4 HP", (("use", at()),)),
    Used("tactics", "kind item; heal 1d4; uses 2", (("item", at()),)),
    Used("stones", "card offensive; cost 0; text [Standard Attack]", (("ability", at(target=FOE)),)),
    Used("stones", "card defensive; cost 0; text [Fuse] [MOV +1]", (("fuse", at()),)),
    Used("stones", "card offensive; cost 0", (("ability", at(target=FOE)),)),
    Used("beacon", "activation VOLLEY; range 8; damage 1d6", (("volley", at(target=FOE)),)),
    Used("beacon", "activation PHASE SKIRMISH; range 8; damage 1 stress", (("ability", at(target=FOE)),)),
    Used("beacon", "activation minor; range 8", (("minor", at()),)),
    Used("soulweaver", "kind trick", (("trick", at()),)),
    Used("soulweaver", "kind stance", (("stance", at()),)),
    Used("soulweaver", "conflict no", (("major", at()),)),
    Used("soulweaver", "conflict no", (("minor", at(note="Look")),)),
    Used("adventurers", "kind weapon; specialty Arm; damage 2", (("attack", at(target=FOE)),)),
    Used("adventurers", "type Assist; rebound 0; heal 1", (("assist", at()),)),
    Used("adventurers", "kind item; heal 1; uses 1", (("assist", at()),)),
    Used("kit", "kind weapon; damage 1d4", (("attack", at(target=FOE)),)),
    Used("kit", "kind prayer", (("bless", at()),)),
)


def table(used: Used, bearer: str) -> Game:
    """Return a fight of Ana's Ayla against a creature of the GM; the bearer has the ability."""
    game = KitGame(KIT) if used.system == "kit" else Game(used.system)
    flare = parse_ability("Flare", f'{used.source}; {WORDS}. "Sss!"')
    held = [flare.model_dump()]
    fields = {**SHEETS[used.system]}
    ayla = {"name": "Ayla", "owner": game.users["Ana"], "fields": fields, "abilities": held if bearer == "Ayla" else []}
    ogre = {
        "name": "Ogre",
        "owner": "0",
        "fields": {**fields, "INITIATIVE": 3},
        "abilities": held if bearer == "Ogre" else [],
    }
    more: dict[str, Any] = {"result": 9} if used.system == "classic" else {}
    game.do("Ana", "join", document=ayla, **more)
    game.do("Gwen", "gm add", name="Ogre", document=ogre, **more)
    game.do("Gwen", "encounter begin")
    return game


def reach(game: Game, who: str, action: str) -> None:
    """Let everybody do the least till somebody may do it."""
    for _ in range(60):
        if action in game.legal(who):
            return
        system = system_of(game.state)
        asked = [each.who for each in game.state.questions if not each.answered] or list(game.waits_for())
        found = [(name, system.timeout_action(game.state, name)) for name in asked]
        name, command = next((name, command) for name, command in found if command is not None)
        given = {key: value for key, value in command.model_dump(exclude_defaults=True).items() if key != "args"}
        game.do("Gwen", given.pop("action"), **{**given, "character": name})
    raise AssertionError(f"{action} never came: {game.legal(who)}")


def use(used: Used, bearer: str) -> Game:
    game = table(used, bearer)
    foe = "Ogre" if bearer == "Ayla" else "Ayla"
    for action, given in used.deeds:
        reach(game, bearer, action)
        named: dict[str, Any] = {key: foe if value == FOE else value for key, value in given.items()}
        game.do("Ana" if bearer == "Ayla" else "Gwen", action, character=bearer, **named)
    return game


def name_of(used: Used) -> str:
    return f"{used.system}-{used.deeds[-1][0]}-{used.source.split()[1].strip(';')}"
