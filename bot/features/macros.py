"""`/macro`: a person's saved rolls, the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from bot.caller import Caller
from bot.features.rolls import Rolls
from bot.features.typed_dice import begins_with_name
from bot.render.lists import macros_list
from bot.render.payload import Payload, Reply, fit
from bot.render.words import escape
from bot.replies.remedies import MINE, NAMED_MACRO, RETYPED_MACRO, SERVER, ask_about, offering
from bot.table.repeats import once
from data.rows import MacroRow
from data.shelf_names import server_shelf
from data.store import Store
from rules.core.typed.names import parse_name, resolve_name
from rules.core.typed.skeleton import same, skeleton
from rules.dice.forms import EXACT
from rules.dice.meanings import unambiguous
from rules.dice.reading import parse_rolls, part_rolls
from rules.dice.refused import RefusedDice
from rules.dice.tree import Expression
from rules.errors import Illegal, Malformed, Refusal

MOST_MACROS = 50


class Macros:
    """Saved rolls."""

    def __init__(self, store: Store, rolls: Rolls) -> None:
        self.store = store
        self.rolls = rolls
        self.tables = rolls.tables

    @once
    async def save(self, caller: Caller, name: str, dice: str, whose: str = "me") -> Reply:
        """Keep a roll under a name; an older one of that name is replaced. Raises: Refusal, RepeatedInteraction."""
        user = _shelf(caller, whose)
        wanted = parse_name(name, "macro's name")
        room = await self.rolls.tables.room_of(caller.channel, caller.guild)
        numbers = await self.rolls.dice.numbers(caller, room)
        try:
            dice, rolls = _plain(dice, numbers, await self.rolls.dice.dialect(caller))
        except RefusedDice as slip:
            raise offering(slip, RETYPED_MACRO, wanted, SERVER if whose == "server" else MINE) from slip
        saved = await self.store.macros(user)
        ask_about(caller, wanted, (macro.name for macro in saved), NAMED_MACRO, dice)
        older = next((macro for macro in saved if same(macro.name, wanted)), None)
        if older is None and len(saved) >= MOST_MACROS:
            raise Illegal(
                f"You have {MOST_MACROS} saved rolls, which is the limit.",
                instead="Delete one with /macro delete first.",
            )
        await self.store.save_macro(MacroRow(user=user, name=wanted, dice=dice))
        verb = "Saved" if older is None else "Replaced"
        told = [f"{verb}: **{escape(wanted)}** rolls {escape(dice)}."]
        told += [escape(words) for each in rolls for words in each.warnings]
        return _told("\n".join(told))

    async def run(self, caller: Caller, name: str) -> Reply:
        """Roll a saved roll, with its name as the reason; what is to be changed may come after it: `Sword +2 adv`.

        Raises: Refusal, RepeatedInteraction.
        """
        saved = await self.rolls.dice.macros(caller)
        if not any(begins_with_name(name, each) for each in saved):
            name = self._find(saved, name).name
        return await self.rolls.roll(caller, name)

    async def list(self, caller: Caller) -> Reply:
        """Show one's saved rolls and those of the server, privately."""
        saved = [(macro.name, macro.dice) for macro in await self._saved(caller.person)]
        if caller.guild is not None:
            of_server = await self._saved(server_shelf(caller.guild))
            saved += [(f"{macro.name} (of the server)", macro.dice) for macro in of_server]
        return Reply(private=macros_list(saved))

    @once
    async def delete(self, caller: Caller, name: str, whose: str = "me") -> Reply:
        """Delete a saved roll. Raises: Refusal, RepeatedInteraction."""
        user = _shelf(caller, whose)
        macro = self._find({each.name: each for each in await self.store.macros(user)}, name)
        await self.store.delete_macro(macro.user, macro.name)
        return _told(f"Deleted: **{escape(macro.name)}**.")

    async def names(self, user: str) -> tuple[str, ...]:
        """Return the names of somebody's saved rolls, for autocompletion."""
        return tuple(macro.name for macro in await self._saved(user))

    async def _saved(self, user: str) -> tuple[MacroRow, ...]:
        return tuple(sorted(await self.store.macros(user), key=lambda macro: skeleton(macro.name)))

    def _find(self, saved: Mapping[str, MacroRow], name: str) -> MacroRow:
        if not saved:
            raise Malformed(
                "You have no saved rolls yet.", instead="Save one with /macro save name:Stealth dice:1d20+5."
            )
        return saved[resolve_name(name, tuple(saved), "saved roll")]


def _plain(dice: str, numbers: Mapping[str, str], dialect: Mapping[str, str]) -> tuple[str, tuple[Expression, ...]]:
    """Return dice as they are kept, to mean later what they mean now, and what they say. Raises: RefusedDice."""
    dice = "; ".join(part_rolls(dice, numbers))
    rolls = parse_rolls(dice, numbers, dialect)
    with suppress(Refusal):
        if parse_rolls(dice, numbers, EXACT) == rolls:
            return dice, rolls
    return "; ".join(map(unambiguous, rolls)), rolls


def _shelf(caller: Caller, whose: str) -> str:
    """Return the owner of a saved roll. Raises: Illegal if the caller may not act for them."""
    if whose != "server":
        return caller.person
    if caller.guild is None or not caller.moderator:
        raise Illegal(
            "Only members who can manage messages can change the server's saved rolls.",
            instead="Leave out for:server to save it for yourself.",
        )
    return server_shelf(caller.guild)


def _told(words: str) -> Reply:
    return Reply(private=fit(Payload(content=words)))
