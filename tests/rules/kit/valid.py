"""Kits that nobody wrote: valid files at random, over all keys of the format."""

from __future__ import annotations

import random
from typing import Any

SIDES = ("Players", "GM")
WAYS = ("list", "sides", "alternate", "slots", "bag", "clock", "named", "open")
CONDITIONS = ("shaken", "guarding", "asleep")
CHECKS = ("hit", "test", "count")


def valid_kit(rng: random.Random) -> dict[str, Any]:
    """Return the content of a kit that is read without a mistake."""
    content: dict[str, Any] = {
        "kit": 1,
        "id": f"made-{rng.randrange(10**6)}",
        "prefix": "MK",
        "sheet": {"SKILL": rng.randrange(12), "DMG": rng.choice(("1d6", "2d4+1", 3)), "TURNS_A_ROUND": 1},
        "pool": _pools(rng),
        "check": {
            "hit": {"roll": "1d20+{SKILL}", "against": rng.choice(("12", "1d20+{target.SKILL}")), **_degrees(rng)},
            "test": {"roll": "1d20", "good": "low", "against": "{SKILL}", "ties": rng.choice(("success", "failure"))},
            "count": {"roll": "{SKILL}d6", "good": "count", "each": ">= 5", "against": "1"},
            "theirs": {"roll": "1d20+{SKILL}", "against": "{target.SKILL}+5", "who": rng.choice(("self", "target"))},
            "armed": {"roll": "1d20+{using.skill}", "against": "10"},
        },
        "condition": {name: _condition(rng, name) for name in CONDITIONS},
        "rules": {"MK-01": "As it is."},
        "metric": rng.choice(("eight", "orthogonal")),
    }
    content["action"] = {f"act-{number}": _action(rng) for number in range(rng.randint(1, 6))}
    content["action"]["act-0"].update(target="foe", do=["target loses 2 HP"])
    content["action"]["act-0"].pop("needs", None)
    if rng.random() < 0.5:
        content["reaction"] = {f"answer-{number}": _reaction(rng) for number in range(rng.randint(1, 3))}
    if rng.random() < 0.5:
        moments = (
            "fight-start",
            "round-start",
            "round-end",
            "turn-start",
            "turn-end",
            "side-out",
            "HP-loss",
            "HP-zero",
        )
        content["when"] = {moment: [_sentence(rng, target=False, whose=moment)] for moment in rng.sample(moments, 2)}
    _order(rng, content)
    _words(rng, content)
    if rng.random() < 0.5:
        _second_format(rng, content)
    return content


def _second_format(rng: random.Random, content: dict[str, Any]) -> None:
    """Give it what only format 2 has."""
    content["kit"] = 2
    content["check"]["hit"].update(edge=["2d20kh1+{SKILL}"], edges=rng.choice(("0", "1", "{SKILL}-{target.SKILL}")))
    great = ["success by 5 natural even", "success theirs doubles", "success shows 6 of 2 natural odd is failure"]
    content["check"]["hit"]["degrees"]["great"] = rng.choice((great, *great))
    content["check"]["count"]["each"] = rng.choice((">= 5", "< 1d6+{SKILL}"))
    content["check"]["test"].update(hinder=["2d20kh1", "3d20kh1"])
    content["condition"]["shaken"].update(edge=-1, edge_against=rng.randint(0, 2))
    content["action"]["act-0"]["do"] += ["self goes first", "self gains 1 LUCK if round >= 2 and KEY > 9 and TURNS = 0"]
    content["action"]["act-0"].update(damage="1d6", after=["target loses {damage} HP", "self gains {dealt} LUCK"])
    for reaction in content.get("reaction", {}).values():
        if reaction["to"] == "targeted":
            reaction["do"].append(rng.choice(("it gains 1 edge", "it loses 2 edges", "it is aimed at self")))
        elif reaction["to"] in ("succeeded", "failed"):
            again = rng.choice(
                ("it is rerolled", "it is rerolled but for 1 and 5-6", "it is rerolled but for the highest")
            )
            reaction.update({"for": "roller"}, do=[*reaction["do"], again])
        else:
            reaction.update(
                {"to": "damaged"}, do=[rng.choice(("it is halved", "it is less by 1", "it is more by {damage}-{by}"))]
            )
        reaction["target"] = rng.choice(("source", "none"))


def _words(rng: random.Random, content: dict[str, Any]) -> None:
    """Give it a name, people who made it, and labels of its own."""
    if rng.random() < 0.3:
        content.update(title="Made up", about="Nobody wrote it.", by="A die", licence="CC0", version="1.1")
        content["sides"] = [*SIDES, "Watch"]
        content["words"] = {word: f"To {word}" for word in rng.sample(("end", "claim", "pass", "decline", "hold"), 2)}


def _pools(rng: random.Random) -> dict[str, Any]:
    refill = rng.choice(("turn", "round"))
    return {
        "HP": {"start": rng.randint(3, 9), "out": True},
        "ACT": {"start": rng.randint(1, 2), "refill": refill},
        "LUCK": {"start": 3, "most": 5, "shown": rng.choice(("no", "bar", "number"))},
        "FEAR": {"of": "table", "most": 6, "start": rng.choice((0, "1d3"))},
        "RAISES": {"start": "1d4", "refill": "round"},
        "FURY": {"of": "side", "start": 1},
    }


def _degrees(rng: random.Random) -> dict[str, Any]:
    return {"degrees": {"great": rng.choice(("success by 5", "success natural 20", "success against 15"))}}


def _condition(rng: random.Random, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "lasts": rng.randint(1, 2),
        "ticks": rng.choice(("bearer-start", "bearer-end", "source-start", "source-end", "round-end")),
        "checks": rng.randint(-3, 3),
        "against": rng.randint(-3, 3),
    }
    if name == "asleep":
        found["skips"] = True
    if rng.random() < 0.3:
        found["do"] = [_sentence(rng, target=False, whose="")]
    if rng.random() < 0.3:
        found["save"] = "1d20 >= 10"
    if rng.random() < 0.2:
        found["forbids"] = ["act-0"]
    if rng.random() < 0.2:
        found.update(label=f"Very {name}", rule="MK-01")
    if name == "shaken" and rng.random() < 0.1:
        found["out"] = True
    return found


def _sentence(rng: random.Random, *, target: bool, whose: str) -> str:
    nobody = whose in ("fight-start", "round-start", "round-end", "side-out")
    who = rng.choice(
        ("everyone", *SIDES) if nobody else ("self", "everyone", "foes", "allies", "target" if target else "self")
    )
    number = rng.choice(("1", "2", "1d4"))
    forms = [
        f"{who} loses {number} HP",
        f"{who} gains {number} LUCK",
        "table gains 1 FEAR",
        f"GM gains {number} FURY",
        f"{who} is {rng.choice(CONDITIONS)}",
        f"{who} is not shaken",
        f"{who} gains 1 {rng.choice(('TURNS', 'TICKS', 'TOKENS', 'KEY'))}",
        "say something happens",
        "GM decides: what comes of it",
        f"{who} LUCK becomes 2",
    ]
    if not nobody:
        forms += [f"{who} moves 2", f"{who} acts {rng.choice(('next', 'again'))}", "GM acts next", "turn ends"]
    if whose == "action":
        forms += ["phase ends", "round ends", "fight ends: somebody says so"]
    body = rng.choice(forms)
    if rng.random() < 0.2 and not body.startswith(("say", "GM decides", "fight")):
        body += rng.choice((" if round >= 2", " if table FEAR >= 2"))
        return body
    if rng.random() < 0.15 and not nobody and not body.startswith(("say", "GM decides", "fight")):
        body += " unless self makes test"
    return body


def _sentences(rng: random.Random, *, target: bool, most: int = 2) -> list[str]:
    return [_sentence(rng, target=target, whose="action") for _ in range(rng.randint(0, most))]


def _action(rng: random.Random) -> dict[str, Any]:
    has_target = rng.random() < 0.6
    found: dict[str, Any] = {"usual": rng.randint(1, 3), "speed": rng.randrange(4)}
    if has_target:
        found["target"] = rng.choice(("foe", "foe", "ally", "other", "anyone"))
        found["targets"] = rng.choice((1, 1, 2))
    if rng.random() < 0.5:
        found["cost"] = rng.choice(("1 ACT", "1 LUCK", "1 FURY", "1 FEAR", "1 turn", "1 ACT, 1 LUCK"))
    elif rng.random() < 0.3:
        found.update(cost="{amount} LUCK", amount="1-3")
    if rng.random() < 0.3:
        found["once"] = rng.choice(("turn", "round", "fight"))
    if rng.random() < 0.3:
        found["ends"] = True
    if rng.random() < 0.1:
        found["any_time"] = True
    if rng.random() < 0.2:
        found["needs"] = [rng.choice(("self is not shaken", "LUCK >= 1", "round >= 1"))]
    if rng.random() < 0.3:
        found["kind"] = "blow"
    if rng.random() < 0.2:
        found["note"] = True
    if rng.random() < 0.3:
        found["ticks"] = rng.randint(1, 6)
    if rng.random() < 0.2:
        found["rule"] = "MK-01"
    if rng.random() < 0.2:
        found.update(label="Do it", hint="as one does")
    if has_target and rng.random() < 0.2:
        found["range"] = rng.randint(1, 9)
    found["do"] = _sentences(rng, target=has_target)
    if rng.random() < 0.05:
        found.update(using="weapon", check="armed", success=["self loses {using.harm} LUCK"])
        return found
    if has_target and rng.random() < 0.6:
        found["check"] = rng.choice((*CHECKS, "theirs"))
        found["success"] = _sentences(rng, target=True)
        found["failure"] = _sentences(rng, target=True)
        if found["check"] == "hit":
            found["on"] = {"great": _sentences(rng, target=True)}
    return found


def _reaction(rng: random.Random) -> dict[str, Any]:
    moment = rng.choice(("targeted", "succeeded", "failed", "hurt", "moved-near", "moved-away"))
    found: dict[str, Any] = {"to": moment, "for": rng.choice(("self", "ally", "foe", "anyone"))}
    if rng.random() < 0.6:
        found["cost"] = rng.choice(("1 ACT", "1 LUCK", "1 turn"))
    if rng.random() < 0.3:
        found["kind"] = "blow"
    if rng.random() < 0.3:
        found.update(check="test", success=["self gains 1 LUCK"], failure=["source loses 1 HP"])
    does = ["source loses 1 HP", "self gains 1 HP"]
    if moment in ("targeted", "succeeded", "failed"):
        does += ["it is harder by 1d4", "it is easier by 2", "it is stopped"]
    found["do"] = rng.sample(does, rng.randint(1, 2))
    return found


def _order(rng: random.Random, content: dict[str, Any]) -> None:
    if rng.random() < 0.4:
        content["order"] = _way(rng, rng.choice(WAYS))
        return
    count = rng.randint(1, 3)
    phases = []
    shares = rng.random() < 0.3
    for number in range(count):
        phase = {"name": f"part {number + 1}", "rule": "MK-01", **_way(rng, rng.choice(WAYS))}
        if shares:
            phase["shares"] = "turn"
        if rng.random() < 0.3:
            phase["optional"] = True
        if rng.random() < 0.2 and not phase.get("called"):
            phase["who"] = rng.choice((*SIDES, "LUCK >= 1"))
        if rng.random() < 0.2:
            phase["rounds"] = rng.choice(("first", "later"))
        if rng.random() < 0.2:
            phase["gives"] = {"ACT": 2}
        if rng.random() < 0.15:
            phase["gate"] = "test"
        if rng.random() < 0.15:
            phase["pay"] = "1 LUCK"
        if rng.random() < 0.2:
            phase["actions"] = ["act-0"]
        if rng.random() < 0.2:
            phase["reverse"] = True
        if rng.random() < 0.3:
            phase["plan"] = rng.choice(("open", "secret"))
            phase["steps"] = rng.randint(1, 3)
            phase["resolve"] = rng.choice(("order", "together"))
        phases.append(phase)
    content["phase"] = phases


def _way(rng: random.Random, way: str) -> dict[str, Any]:
    found: dict[str, Any] = {"type": way}
    if way in ("list", "slots", "clock"):
        found["key"] = rng.choice(("1d20+{SKILL}", "cards 1-10", "cards standard54", "seats 1d20", "{SKILL}", "asked"))
        found["best"] = rng.choice(("high", "low"))
        found["ties"] = rng.choice((["roll"], ["{SKILL}", "together"], ["Players", "roll"], []))
        found["anew"] = rng.choice(("once", "round", "turn"))
    if way in ("sides", "alternate"):
        found["first"] = rng.choice(("key", "Players", "swap"))
        found["anew"] = rng.choice(("once", "round"))
    if way == "list":
        found.update(swap=rng.choice(("no", "side", "later")), hold=rng.random() < 0.7)
        if rng.random() < 0.2 and found["anew"] != "turn":
            found["again"] = -10
    if way in ("list", "alternate", "named") and "again" not in found and rng.random() < 0.3:
        found["turns"] = rng.choice(("2", "{TURNS_A_ROUND}"))
    if way == "sides":
        found["run"] = rng.choice(("phase", "round"))
    if way == "alternate" and rng.random() < 0.5:
        found.update(keep="1 FURY", keeps=rng.randint(1, 2))
    if way == "bag":
        found.update(tokens=rng.choice(("1", "2")), shared=rng.choice(([], ["GM"])), end_tokens=rng.randrange(3))
    if way == "clock":
        found.update(count=rng.choice(("up", "down")), ticks=rng.randint(1, 4), round=rng.randint(4, 12))
    if way == "open" and rng.random() < 0.6:
        found["turns"] = "1"
    elif way == "open" and rng.random() < 0.5:
        found.update(called=["GM"], call="1 FEAR")
    return found
