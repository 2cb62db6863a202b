"""No secret: in the other world the table is read from the store again and again, and nobody can tell."""

from __future__ import annotations

from tests.trust.twin.opening import lines, rest
from tests.trust.twins import CHANNEL, Twins
from tests.wire import GUILD

GUARD = "When an ally within 30 feet is hit, you can use your reaction to {}"
ANSWERS = {  # what Bran answers to a hit on Ayla, or Ayla to her own
    "reduces": ("Bran", GUARD.format("reduce the damage by 3")),
    "halves": ("Ayla", "reaction; half damage"),
    "adds to AC": ("Bran", GUARD.format("add 5 to its AC")),
    "rerolls": ("Bran", GUARD.format("force the attacker to reroll the attack")),
    "subtracts": ("Bran", GUARD.format("subtract 1d6 from the attack roll")),
    "hinders": ("Bran", "When a creature attacks an ally, you can use your reaction to impose disadvantage on it"),
    "adds damage": ("Ayla", "once per turn: +1d6+2 damage on my hit"),
    "adds to its roll": ("Ayla", "When you miss, you can add 1d6 to the attack roll"),
    "rerolls its own": ("Ayla", "When you miss, you can spend 1 luck point to reroll the attack"),
}
OWN = ("adds damage", "adds to its roll", "rerolls its own")


async def restarted(pair: Twins, moves: int) -> None:
    """Play as usual; in the other world the table is read again before each move, with what is asked open or not."""
    pair.is_restarted = True
    await lines(pair)
    for _ in range(moves):
        await _restart(pair)
        await pair.play(1)
    await rest(pair, 0)


async def asked(pair: Twins, _moves: int) -> None:
    """Answer a hit in each way; in the other world the table is read again while that is asked."""
    pair.is_restarted = True
    for kind, (who, says) in ANSWERS.items():
        await _fight(pair, who, says)
        await _until_asked(pair, kind)
        await _restart(pair)
        await pair.both("Mo", "/encounter show")
        await pair.both({"Ayla": "Ana", "Bran": "Bo"}[who], f"/act action:react character:{who} using:Answer")
        assert pair.state is not None
        assert not pair.state.questions, kind
        await pair.both("Gwen", "/encounter export")
        for line in ("undo", "redo"):
            await _restart(pair)
            await pair.both("Gwen", f"/encounter {line}")
        await pair.both("Gwen", "/encounter export")
        if kind == "reduces":
            await pair.everybody_looks()
        await pair.both("Gwen", "/encounter end")


async def _restart(pair: Twins) -> None:
    pair.compared["restarts while somebody is asked"] += pair.state is not None and bool(pair.state.questions)
    pair.b.wire.tables.forget(CHANNEL)
    await pair.b.wire.tables.room_of(CHANNEL, GUILD)


async def _fight(pair: Twins, who: str, says: str) -> None:
    await pair.both("Gwen", "/encounter start system:classic name:Gate options:window=4h")
    for user, name in (("Ana", "Ayla"), ("Bo", "Bran")):
        await pair.both(user, f"/character add name:{name} sheet:HP 400, AC 12, LUCK 9")
        await pair.both(user, f"/character ability name:{name} ability:Saber fields:hit +4; damage 1d6+2 slashing")
        answer = says if name == who else "hums while it eats"
        await pair.both(user, f"/character ability name:{name} ability:Answer fields:{answer}")
        await pair.both(user, f"/join character:{name}")
    await pair.both("Gwen", "/gm add name:Goblin sheet:HP 400, AC 12, Saber: hit +4; damage 1d6+2 slashing")
    await pair.both("Gwen", "/encounter begin")


async def _until_asked(pair: Twins, kind: str) -> None:
    by, attacker, target = ("Ana", "Ayla", "Goblin") if kind in OWN else ("Gwen", "Goblin", "Ayla")
    for _ in range(40):
        await pair.both("Gwen", f"/gm turn target:{attacker}")
        await pair.both(by, f"/act action:attack character:{attacker} target:{target} using:Saber")
        if pair.state is not None and pair.state.questions:
            return
    raise AssertionError(f"nobody is asked whose answer {kind}")
