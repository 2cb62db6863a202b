"""Mechanisms that tables know, each said by a kit and played: those that docs/your-own-system.md calls whole."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.rules.kit.tables import KitGame, begun

HEAD = """kit = 2
id = "said"
sheet = { SKILL = 2, DMG = 3, MAJOR = 5, SEVERE = 9, ARMOR = 1 }
[pool]
HP = { start = 20, out = true }
BODY = { start = 10 }
PACE = { start = 5, most = 99 }
HOPE = { most = 6 }
TIDE = { of = "table", most = 6 }
"""


class Played(NamedTuple):
    text: str
    dice: tuple[tuple[int, int], ...]
    left: dict[str, int]  # of the pools of Ayla, who acts, in small letters, and of the ogre in capitals


OPEN = 'order = { type = "open" }\n'
HIT = '[action.hit]\ntarget = "foe"\n'
CASES = {
    "both roll, and the lower one is hurt": Played(
        f'{OPEN}[check.fight]\nroll = "2d6+{{SKILL}}"\n'
        f'against = "2d6+{{target.SKILL}}"\nties = "failure"\n{HIT}check = "fight"\ndamage = "1d6"\n'
        'success = ["target loses {damage} HP"]\nfailure = ["self loses {damage} HP"]\n',
        ((6, 1), (6, 2), (6, 6), (6, 5), (6, 4)),
        {"hp": 16, "HP": 20},
    ),
    "the better of two dice that explode, and one more for every four above": Played(
        f'{OPEN}[check.shot]\nroll = "(1d8!, 1d6!)kh1"\nagainst = "4"\n{HIT}check = "shot"\n'
        'success = ["target loses 1+{by}/4 HP"]\n',
        ((8, 8), (8, 5), (6, 2)),
        {"HP": 17},
    ),
    "the order is a pool that blows take from and give to": Played(
        f'order = {{ key = "{{PACE}}", anew = "turn" }}\n{HIT}damage = "1d6"\n'
        'do = ["target loses {damage} PACE", "self gains {dealt} PACE"]\n',
        ((6, 6),),
        {"pace": 10, "PACE": 0},
    ),
    "the best die of a handful says how well, and two sixes best": Played(
        f'{OPEN}[check.risk]\nroll = "{{SKILL}}d6"\ngood = "count"\neach = ">= 4"\nagainst = "1"\n'
        'degrees = { critical = "success doubles 6", full = "success shows 6" }\nhinder = ["2d6kl1"]\n'
        f'edges = "{{SKILL}}-1"\n{HIT}check = "risk"\nsuccess = ["target loses 1 HP"]\n'
        'on = { critical = ["target loses 9 HP"], full = ["target loses 3 HP"] }\n',
        ((6, 6), (6, 4)),
        {"HP": 17},
    ),
    "every edge adds a die, of which only the best counts": Played(
        f'{OPEN}[check.aim]\nroll = "1d20+{{SKILL}}"\nagainst = "15"\nedges = "2"\n'
        'edge = ["1d20+{SKILL}+1d6", "1d20+{SKILL}+2d6kh1"]\nhinder = ["1d20+{SKILL}-1d6", "1d20+{SKILL}-2d6kh1"]\n'
        f'{HIT}check = "aim"\nsuccess = ["target loses {{by}}+1 HP"]\n',
        ((20, 10), (6, 3), (6, 5)),
        {"HP": 17},
    ),
    "two dice of the sheet, whose higher one adds to the damage": Played(
        f'{OPEN}[check.try]\nroll = "1d8+1d10"\nagainst = "10"\n'
        'degrees = { critical = "success doubles 6-12", fumble = "failure doubles 1" }\n'
        f'{HIT}check = "try"\nsuccess = ["target loses {{high}}+{{DMG}} HP"]\n',
        ((8, 4), (10, 7)),
        {"HP": 10},
    ),
    "a number that grows each round helps everybody, and a miss does something": Played(
        f'{OPEN}when = {{ round-start = ["table gains 2 TIDE"] }}\n[check.hit]\nroll = "1d20+{{TIDE}}"\n'
        'against = "15"\n'
        f'{HIT}check = "hit"\nsuccess = ["target loses 8 HP"]\nfailure = ["target loses {{round}} HP"]\n',
        ((20, 12),),
        {"HP": 19},
    ),
    "which of two dice is higher matters, and damage counts by thresholds": Played(
        f'{OPEN}[check.duo]\nroll = "2d12"\nagainst = "10"\ndegrees = {{ bright = "success first" }}\n'
        f'{HIT}check = "duo"\ndamage = "2d6"\nsuccess = ["table gains 1 TIDE"]\n'
        'on = { bright = ["self gains 1 HOPE"] }\n'
        'after = ["target loses 1 HP", "target loses 1 HP if damage >= {target.MAJOR}", '
        '"target loses 1 HP if damage >= {target.SEVERE}"]\n',
        ((12, 8), (12, 3), (6, 3), (6, 4)),
        {"hope": 1, "HP": 18},
    ),
    "blows always hit; what is left of one goes on to the body, which may give way": Played(
        f"{OPEN}[check.stand]\nroll = '1d20'\ngood = 'low'\nagainst = '{{BODY}}'\n\n"
        '[condition]\nfelled = { out = true }\n[when]\nBODY-loss = ["self is felled unless self makes stand"]\n'
        f'{HIT}damage = "1d8"\ndo = ["target loses {{damage}}-{{target.ARMOR}} GUARD", '
        '"target loses {damage}-{target.ARMOR}-{dealt} BODY"]\n[pool.GUARD]\nstart = 4\n',
        ((8, 8), (20, 15)),
        {"GUARD": 0, "BODY": 7},
    ),
    "dice at or under a number count, and very low ones twice": Played(
        f'{OPEN}[check.task]\nroll = "2d20s<=12ss<=3"\nagainst = "1"\n{HIT}check = "task"\n'
        'success = ["target loses 1+{by} HP", "self gains {shows 20} HOPE"]\n',
        ((20, 3), (20, 12)),
        {"hope": 0, "HP": 17},
    ),
    "three degrees and no miss, and two edges move the result by one degree": Played(
        f'{OPEN}[check.power]\nroll = "2d10+{{SKILL}}"\nedges = "2"\n'
        'edge = ["2d10+{SKILL}+2", "max(7, 2d10+{SKILL})+5"]\n'
        'degrees = { best = "success against 17", middle = "success against 12" }\n'
        f'{HIT}check = "power"\nsuccess = ["target loses 3 HP"]\n'
        'on = { best = ["target loses 8 HP"], middle = ["target loses 5 HP"] }\n',
        ((10, 1), (10, 2)),
        {"HP": 15},
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_a_mechanism_is_said_by_a_kit_and_played(what: str) -> None:
    text, dice, left = CASES[what]
    tables, _, parts = HEAD.partition("[pool]")
    order = text.partition("\n[")[0] if not text.startswith("[") else ""
    rest = text[len(order) :]
    game = begun(KitGame(f"{tables}{order}\n[pool]{parts}{rest}"), "Ogre")
    (actor, *_) = game.waits_for() or ("Ayla",)
    game.do("Gwen", "hit", character=actor, target="Ogre", dice=list(dice))
    for pool, now in left.items():
        who = "Ogre" if pool.isupper() else actor
        assert game.state.combatant(who).pools[pool.upper()].now == now, pool
