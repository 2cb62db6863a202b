"""How an evening in twin worlds begins and ends."""

from __future__ import annotations

from bot.local.tryit import everything
from tests.trust.twins import Twins

GM = frozenset({"Gwen"})
BEGIN = "/encounter begin"
BACK_AND_FORTH = ("undo", "redo", "undo steps:3", "redo", "redo", "redo")


async def lines(pair: Twins, *, options: str = "", until: str | None = None) -> None:
    """Type the lines of the *Try it* script, at most up to one."""
    script = next(each for each in everything() if each.id == pair.system)
    for line in script.lines:
        text = line.text
        if text == until:
            return
        if options and text.startswith(("/encounter start", "/init start")):
            text = f"{text}, {options}" if " options:" in text else f"{text} options:{options}"
        await pair.both(line.who, text)


async def rest(pair: Twins, moves: int) -> None:
    await pair.play(moves)
    await pair.everybody_looks()
    if pair.state is not None:
        await pair.both("Gwen", "/encounter end")


def side(pair: Twins) -> str:
    return " side:South" if pair.system == "stones" else ""
