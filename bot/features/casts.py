"""`/encounter cast`: a whole cast pasted from one's notes, read back in private, and brought in with one yes.

A cast is kept with the person who typed it, by server and name; under no name the one that was typed last.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.caller import Caller
from bot.custom_ids import CAST, CAST_FORM, CAST_READ, CAST_ROLL, CAST_YES, Pressed
from bot.features.dialects import writer_of
from bot.render.components import SUCCESS, button, rows_of
from bot.render.payload import Field, Form, Payload, Reply, beside, fit
from bot.render.understanding import understanding_lines
from bot.render.words import and_more, escape
from bot.replies.referee import Referee
from bot.replies.remedies import NAMED_CAST, RETYPED_COMMAND, RETYPED_NAME, Helped, ask_about, retyped
from bot.table.repeats import once
from bot.table.service import Tables
from rules.core import refusals
from rules.core.command import Command
from rules.core.encounter import Encounter
from rules.core.registry import option_value, system_of
from rules.core.rulebook import not_open
from rules.core.sheets.blocks.block import BLOCK, HP_DICE, with_rolled_health
from rules.core.sheets.blocks.old import with_armor
from rules.core.sheets.cast import MOST_TEXT, CastLine, parse_cast
from rules.core.sheets.sheet import Character, with_dice_as
from rules.core.typed.names import find_name, parse_name
from rules.core.typed.skeleton import same
from rules.core.views.understanding import combatant_of, understand
from rules.errors import Ambiguous, Malformed

MOST_CASTS = 10  # of a person in one server; the one that was used longest ago gives way
LAST = ""  # the name of the one that was typed last
_ROOM = 1500
_FIRST = ("HP", "AC", "INITIATIVE", "SPEED")  # what is read back of a stat block
_EXAMPLE = "3 Goblin HP 7 AC 13 +2\nBoss HP 30 AC 16 +1\nAssassin HP 18 +4 hidden"
# How hurt the GM's creatures are, in words.
_VEILED = Command(action="encounter options", args={"set": "npc_pools=words"}).model_dump_json(exclude_defaults=True)


class Casts:
    """Casts of the GM's, typed once and used again."""

    def __init__(self, tables: Tables, referee: Referee) -> None:
        self.tables = tables
        self.referee = referee

    async def show(self, caller: Caller, name: str | None) -> Reply:
        """Open the form; a cast that is saved under that name is read back at once. Raises: Refusal."""
        await self._open_encounter(caller)
        kept = await self._kept(caller)
        chosen = None if name is None else find_name(name, [each for each in kept if each])
        if chosen is not None:
            return await self._read_back(caller, chosen, kept[chosen])
        return Reply(form=_form("" if name is None else parse_name(name), kept.get(LAST, "")))

    async def pressed(self, caller: Caller, press: Pressed, fields: Mapping[str, str]) -> Reply:
        """Do what a button of the read-back, or the form, says. Raises: Refusal."""
        what, name = (*press.parts, "", "")[:2]
        encounter = await self._open_encounter(caller)
        kept = await self._kept(caller)
        if what == CAST_READ:
            return await self.named(caller, fields.get("name", ""), fields.get("lines", ""))
        if what == CAST_ROLL and name in kept:
            return await self.named(caller, name, with_rolled_health(kept[name]))
        if what == CAST_FORM or name not in kept:
            return Reply(form=_form(name, kept.get(name, "")))
        if press.encounter != encounter.id or press.version != len(encounter.cast):
            reply = await self._read_back(caller, name, kept[name])
            reply.update = True  # somebody came in since: what the button says is read again
            return reply
        reply = await self.referee.step(caller, Command(action="add-cast", args={"text": kept[name]}))
        veils = retyped(RETYPED_COMMAND, "", _VEILED)
        if veils is not None and reply.private is not None and option_value(encounter, "npc_pools") == "exact":
            reply.private = beside(reply.private, [button(veils, "Players read words, not numbers")])
        return reply

    async def names(self, guild: str, user: str) -> tuple[str, ...]:
        """Return the names of somebody's casts, for autocompletion."""
        await self.tables.people.load((user,))
        return tuple(name for name in self.tables.people.get(user).casts.get(guild, {}) if name)

    @once
    async def named(self, caller: Caller, name: str, lines: str) -> Reply:
        """Keep a cast under a name, and read it back. Raises: Refusal."""
        name = parse_name(name) if name.strip() else LAST
        lines = with_dice_as(lines, await writer_of(self.tables.people, caller))
        text = "\n".join(line.strip() for line in lines.splitlines() if line.strip())
        if name:
            ask_about(caller, name, (each for each in await self._kept(caller) if each), NAMED_CAST, lines)
        await self._keep(caller, name, text[:MOST_TEXT])
        return await self._read_back(caller, name, text)

    async def _read_back(self, caller: Caller, name: str, text: str) -> Reply:
        """Say what was understood, with a yes if nothing is missing. Raises: Malformed."""
        encounter = await self._open_encounter(caller)
        system = system_of(encounter)
        change = button(Pressed(CAST, encounter.id, 0, (CAST_FORM, name)).written(), "Change")
        try:
            read = parse_cast(text, system.sheet, system.health)
        except Malformed as refused:  # what was pasted is kept: the form has it again
            raise Helped(refused, rows_of([change])) from refused
        except Ambiguous as asked:  # which way an armor class counts: one answer for the whole cast
            kept = (
                (way.capitalize(), RETYPED_NAME, "", NAMED_CAST, name, with_armor(text, way))
                for way in asked.candidates
            )
            raise Helped(asked, [], tuple(kept)) from asked
        said, is_ready = [], True
        for line in read.lines:
            wrong = _wrong(encounter, line)
            is_ready = is_ready and not any(fatal for fatal, _ in wrong)
            more = (*(words for _, words in wrong), *map(escape, line.said))
            said.append("\n".join((_words(line, system.health), *(f"  {words}" for words in more))))
        said += [f"I left out what I could not read: {escape(words)}" for words in read.unread]
        count = sum(line.count for line in read.lines)
        head = f"Understood, {count} for {escape(system.title)}:"
        buttons = [change]
        if is_ready:
            yes = Pressed(CAST, encounter.id, len(encounter.cast), (CAST_YES, name)).written()
            buttons.insert(0, button(yes, f"Add {'it' if count == 1 else f'all {count}'}", SUCCESS))
        if any(HP_DICE in line.fields for line in read.lines):
            roll = Pressed(CAST, encounter.id, 0, (CAST_ROLL, name)).written()
            buttons.insert(-1, button(roll, "Roll HP for each"))
        saved = f"\nSaved as {escape(name)}: `/encounter cast name:{name}` brings it back." if name else ""
        content = "\n".join((head, and_more(said, _ROOM, parted="\n"))) + saved
        return Reply(private=fit(Payload(content=content, components=rows_of(buttons))))

    async def _open_encounter(self, caller: Caller) -> Encounter:
        room = await self.tables.room_of(caller.channel, caller.guild)
        active = room.table.active
        if active is None:
            raise not_open(room.encounter)
        if not self.tables.seat(room, caller).gm:
            raise refusals.for_the_gm(instead="To take part yourself, type /join or /init join.")
        return active

    async def _kept(self, caller: Caller) -> Mapping[str, str]:
        await self.tables.people.load((caller.user,))
        return self.tables.people.get(caller.user).casts.get(caller.place, {})

    async def _keep(self, caller: Caller, name: str, text: str) -> None:
        kept = {key: value for key, value in (await self._kept(caller)).items() if not same(key, name)}
        kept[name] = text
        while len(kept) > MOST_CASTS:
            del kept[next(iter(kept))]
        casts = self.tables.people.get(caller.user).casts
        await self.tables.people.change(caller.user or "", casts={**casts, caller.place: kept})


def _form(name: str, text: str) -> Form:
    return Form(
        custom_id=Pressed(CAST, "", 0, (CAST_READ, "")).written(),
        title="A cast: lines, or stat blocks",
        fields=(
            Field("lines", "Count, name, HP, keys, +bonus, hidden", long=True, value=text, hint=_EXAMPLE),
            Field("name", "Save it under a name for another evening", required=False, value=name),
        ),
    )  # fmt: skip


def _words(line: CastLine, health: str) -> str:
    """Return a line as it was understood, without its abilities.

    >>> _words(CastLine(name="Goblin", count=3, hp="2d6", fields={"AC": 13}, bonus=2), "HP")
    '**3 × Goblin**: HP 2d6 each, AC 13, initiative +2'
    """
    parts = [f"{health} {line.hp} each" if line.count > 1 else f"{health} {line.hp}"] if line.hp else []
    first = [key for key in _FIRST if key in line.fields] if BLOCK in line.fields else line.fields
    values = ((key, line.fields[key]) for key in first)
    parts += [f"{escape(key)} {escape(' + '.join(v) if isinstance(v, tuple) else str(v))}" for key, v in values]
    parts += [f"initiative {line.bonus:+d}"] if line.bonus is not None else []
    parts += [f"initiative {escape(line.dice)}"] if line.dice else []
    parts += [f"side {escape(line.side)}"] if line.side else []
    parts += [f"group {escape(line.group)}"] if line.group else []
    parts += ["hidden until `/gm reveal`"] if line.hidden else []
    count = f"{line.count} × " if line.count > 1 else ""
    return f"**{count}{escape(line.name)}**: {', '.join(parts) or 'a name alone'}"


def _wrong(encounter: Encounter, line: CastLine) -> list[tuple[bool, str]]:
    """Return what the system says against a line, each with whether it keeps it out."""
    system = system_of(encounter)
    fields = {**line.fields, **({system.health: 1} if line.hp else {})}
    newcomer = combatant_of(system, Character(name=line.name, owner="", fields=fields, abilities=line.abilities))
    understood = understand(system, newcomer, encounter)
    said = understanding_lines(understood.evolve(pools=(), values=(), no_attack="", from_block=0))
    fatal = bool(understood.missing or understood.faults)
    if not system.joined_by and (line.bonus is not None or line.dice):
        said.append(f"In {escape(system.title)} nobody rolls initiative on joining, so I left the initiative out.")
    return [(fatal, words) for words in said]
