"""`/help` and `/rules`: general pages, a page made from each system, and its rules."""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from bot import VERSION
from bot.caller import Caller
from bot.features.dialects import chosen_forms
from bot.features.help.permissions import check_lines
from bot.features.help.rulebook import FOLDER, Rule, find_rules, mark_of, own_rules, rules_for
from bot.features.kit_page import kit_here, kit_page, library_kit
from bot.features.kits import Kits
from bot.render.components import button, fit_rows, rows_of
from bot.render.lists import help_page, rules_results, topics_page
from bot.render.payload import Attachment, Payload, Reply, fit
from bot.render.words import escape
from bot.replies.remedies import MINE, RETYPED_FORGET, SERVER, retyped
from bot.requests.absence import invitation_button
from bot.table.room import encounter_key
from bot.table.service import Tables
from rules.core.commands import COMMAND_SPECS
from rules.core.encounter import Encounter, Table
from rules.core.registry import every_system, option_value, read_encounter, system_of
from rules.core.sheets.fields import Field
from rules.core.system import System
from rules.core.typed.names import resolve_name, shown
from rules.dice.forms import KINDS
from rules.errors import Malformed
from rules.kits.library import library

TOPICS = Path(__file__).with_name("topics.toml")
CHECK, DICE, FAIR = "check", "dice", "fair"
DICE_PAGE = Path(__file__).with_name("check-dice.html")
_MOST_STEPS = 200  # which an old message with a rule may be behind
_ROOM_AS_TEXT = 1600  # of a page's 2,000 characters, beside examples and other topics
FIRST = "newcomer"
ACTIONS, SHEET, OPTIONS, RULES = "actions", "sheet", "options", "rules"
RULINGS = "rulings"
CHECK_TITLE, RULINGS_TITLE = "What I may do here", "All rulings"
_BACK = {FIRST: "All topics"}


@cache
def general_pages() -> Mapping[str, Mapping[str, Any]]:
    """Return the pages that belong to no system."""
    return tomllib.loads(TOPICS.read_text("utf-8"))


@cache
def system_page(system: str) -> Mapping[str, Any]:
    """Return what a system's own `help.toml` says; empty if it has none.

    `intro` says what a round is like; `player` and `gm` are lists of paragraphs of markdown; `actions` has a few
    words for each action id, `facts` for each fact of the export; `example` lists `type` and `does`. All but
    `intro` may be missing.
    """
    path = FOLDER / "systems" / system / "help.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


class Guide:
    """Looks things up. The answers are private."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def topics(self) -> tuple[str, ...]:
        """Return every topic of `/help`."""
        return (
            *general_pages(),
            RULINGS,
            CHECK,
            *(topic for system in sorted(every_system()) for topic in _of_system(system)),
            *library(),
        )

    async def show(self, caller: Caller, topic: str | None) -> Reply:
        """Show a page of help. Raises: Malformed with the topics."""
        wanted = " ".join((topic or FIRST).split())
        kept = await Kits(self.tables).pages(caller.guild)
        found = resolve_name(wanted, (*self.topics(), *kept), "topic")
        table, plain = await self._table(caller)
        if found == CHECK:
            encounter = table.encounter if isinstance(table.encounter, Encounter) else None
            lines = check_lines(caller, encounter)
            page = help_page(CHECK_TITLE, lines, others=_BACK, plain=plain or _bare(caller))
            if (link := invitation_button(caller)) is not None:
                page.components = fit_rows([*page.components, *rows_of([link])])
            return Reply(private=page)
        here = kit_here(table.encounter) if table.encounter is not None and found == table.encounter.system else None
        here = kept.get(found, here)
        if here is not None:
            return Reply(private=kit_page(here, plain=plain, is_kept=found in kept))
        page = self.page(found, plain=plain, here=system_here(table))
        if found == DICE:
            page = await self._with_forms(caller, page)
        if found == FAIR:
            page.files.append(Attachment(DICE_PAGE.name, await asyncio.to_thread(DICE_PAGE.read_bytes)))
        return Reply(private=page)

    async def _with_forms(self, caller: Caller, page: Payload) -> Payload:
        """Add to the page of dice what is set for who reads it and for the server, and what forgets each."""
        lines: list[str] = []
        buttons: list[dict[str, Any]] = []
        for kind, choice, for_server in await chosen_forms(self.tables.people, caller):
            whose = "the server" if for_server else "you"
            lines.append(f"`{KINDS[kind].form}`, for {whose}: {KINDS[kind].choices[choice]}")
            press = retyped(RETYPED_FORGET, kind, SERVER if for_server else MINE)
            if press is not None and (caller.moderator or not for_server):
                buttons.append(button(press, f"Forget {KINDS[kind].form} for {whose}"))
        if not lines:
            lines = ["Nothing is set: I ask about dice that different tools read differently."]
        said = "**Always this one**: " + "; ".join(lines)
        added = replace(page, content=f"{page.content}\n{said}" if page.content else said)
        added.components = fit_rows([*page.components, *rows_of(buttons[:20])]) if buttons else page.components
        return fit(added)

    def page(self, topic: str, *, plain: bool = False, here: str | None = None) -> Payload:
        """Return one page; the first lists the others, that of the channel's system before them."""
        if topic == RULINGS:
            return help_page(RULINGS_TITLE, ruling_lines(), others={"gm": "gm", **_BACK}, plain=plain)
        kit = library_kit(topic)
        if kit is not None:
            return kit_page(kit, plain=plain)
        general = general_pages().get(topic)
        if general is not None:
            if topic == FIRST:
                text = [*general["text"], f"Referee {VERSION}"]
                return topics_page(general["title"], text, _titles(here), _systems(), plain=plain)
            return help_page(general["title"], general["text"], _examples(general), others=_BACK, plain=plain)
        name, _, part = topic.partition(" ")
        system = every_system()[name]
        others = {each: each.partition(" ")[2] or system.title for each in _of_system(name) if each != topic} | _BACK
        if part == ACTIONS:
            return help_page(f"{system.title}: actions", action_lines(system), others=others, plain=plain)
        if part == SHEET:
            return help_page(f"{system.title}: sheet", sheet_lines(system), others=others, plain=plain)
        if part == OPTIONS:
            lines = [*option_lines(system), *fact_lines(system)]
            return help_page(f"{system.title}: options", lines, others=others, plain=plain)
        if part == RULES:
            return help_page(f"{system.title}: rules", rule_lines(name), others=others, plain=plain)
        written = system_page(name)
        paragraphs = [str(written.get("intro", system.summary)).strip(), *_paragraphs(written, "player")]
        if written.get("gm"):
            paragraphs += ["__For the GM__", *_paragraphs(written, "gm")]
        line = actions_line(system)
        if not plain or sum(map(len, paragraphs)) + len(line) < _ROOM_AS_TEXT:
            paragraphs.append(line)
        return help_page(system.title, paragraphs, _examples(written), others=others, plain=plain)

    # Rules

    async def rules(self, caller: Caller, search: str, encounter: str = "", mark: int = 0) -> Reply:
        """Show the rules that fit, those of the encounter first: of the channel's, or of the one with that id.

        `mark` says with which tables of its own, if it has had several. Raises: Malformed if nothing is said.
        """
        if not search.strip():
            raise Malformed("Say what to look for.", instead="An id such as G-03, or a few words such as delay.")
        table, plain = await self._table(caller)
        shown = await self._shown(table, encounter, mark)
        system = None if shown is None else shown.system
        found = find_rules(search[:200], system, own_rules(shown))
        title = "every system" if shown is None else system_of(shown).title
        results = [(rule.id, f"{rule.title}. {rule.text}", _does(rule, system)) for rule in found]
        return Reply(private=rules_results(search[:200], results, system=title, plain=plain))

    def listed(self, table: Table, search: str) -> Iterable[tuple[str, str]]:
        """Return the rules for the autocompletion: (id, id and title)."""
        shown = table.encounter if isinstance(table.encounter, Encounter) else None
        system, own = system_here(table), own_rules(shown)
        found = find_rules(search, system, own) if search.strip() else ()
        for rule in dict.fromkeys((*found, *own, *rules_for(system))):
            yield rule.id, f"{rule.id} {rule.title}"

    async def _shown(self, table: Table, encounter: str, mark: int) -> Encounter | None:
        """Return the encounter of that id, else the channel's: an old message shows the rule that refused then."""
        found = here = table.encounter if isinstance(table.encounter, Encounter) else None
        if encounter and (here is None or here.id != encounter):
            stored = await self.tables.store.load_encounter(encounter)
            found = None if stored is None else read_encounter(stored[1], stored[0].system)
        if found is None or not mark or mark_of(found.tables) == mark:
            return found or here
        tables = await self._tables_then(found, mark)
        return found if tables is None else found.evolve(tables=tables)

    async def _tables_then(self, encounter: Encounter, mark: int) -> Mapping[str, Any] | None:
        """Return the tables of its own that an encounter had once; None if none of its last steps changed them."""
        for step in await self.tables.store.last_steps(encounter.channel, _MOST_STEPS):
            document = step.documents.get(encounter_key(encounter))
            tables = {} if document is None else json.loads(document).get("tables", {})
            if mark_of(tables) == mark:
                return tables
        return None

    async def _table(self, caller: Caller) -> tuple[Table, bool]:
        room = await self.tables.room_of(caller.channel, caller.guild)
        encounter = room.encounter
        return room.table, encounter is not None and option_value(encounter, "plain") == "on"


def system_here(table: Table) -> str | None:
    """Return the system of the channel's encounter; None if it had none yet."""
    encounter = table.encounter
    return encounter.system if isinstance(encounter, Encounter) else None


def action_lines(system: System[Any]) -> list[str]:
    """Return a line for each action: what to type, what it takes."""
    words: Mapping[str, str] = system_page(system.id).get("actions", {})
    lines = []
    for action in system.actions.all:
        takes = f" ({', '.join(action.takes)})" if action.takes else ""
        answers = "; an answer" if action.answer else ""
        lines.append(f"`/act {action.id}`{takes}: {escape(words.get(action.id, action.label))}{answers}")
    return lines


def sheet_lines(system: System[Any]) -> list[str]:
    """Return a line for each key of a sheet, then for each field of an ability: what it may be, what reads it."""
    sheet = system.sheet
    lines = [_key_line(field.key, field) for field in sheet.every_key]
    if sheet.fields is None:
        return [*lines, "Abilities are saved and shown; no rule of this system reads them."]
    return [*lines, "__Abilities__ (`/character ability`)", *(_key_line(field.key, field) for field in sheet.fields)]


def _key_line(key: str, field: Field[Any]) -> str:
    named = " NAME" if field.named else ""
    rule = f" ({field.rule})" if field.rule else ""
    return f"`{key}{named}` {escape(field.form.words)}: {escape(field.reads)}{rule}"


def ruling_lines() -> list[str]:
    """Return a line for each ruling: what to type, what it does."""
    lines = []
    for verb in COMMAND_SPECS.values():
        if verb.is_ruling:
            typed = " ".join(f"{given.name}:" if given.required else f"[{given.name}:]" for given in verb.options)
            lines.append(f"`/{' '.join(part for part in (verb.id, typed) if part)}`: {escape(verb.about)}")
    return lines


def fact_lines(system: System[Any]) -> list[str]:
    """Return what the export's facts of this system mean, as one line; none if its help names none."""
    facts: Mapping[str, str] = system_page(system.id).get("facts", {})
    listed = "; ".join(f"`{key}` {escape(words)}" for key, words in facts.items())
    return [f"**In exports**: {listed}."] if listed else []


def option_lines(system: System[Any]) -> list[str]:
    """Return a line for each house rule: its default, what it means, what else it may be."""
    lines = []
    for option in system.options:
        others = [choice for choice in option.choices if choice != option.default]
        also = f" (or {shown(others)})" if others else ""
        lines.append(f"`{option.key}={option.default}`: {escape(option.meaning)}{escape(also)}")
    return lines


def rule_lines(system: str) -> list[str]:
    """Return a line for each rule of a system: its id and title."""
    return [f"**{rule.id}** {escape(rule.title)}" for rule in rules_for(system) if rule.system == system]


def actions_line(system: System[Any]) -> str:
    """Return every action of a system by its label, with the place of its rules."""
    labels = ", ".join(dict.fromkeys(escape(action.label) for action in system.actions.all))
    own = [rule.id for rule in rules_for(system.id) if rule.system == system.id]
    where = f" **Rules** {own[0]} to {own[-1]}: `/rules search:{own[0]}`." if own else ""
    return f"**All actions**: {labels}.{where}"


def _titles(here: str | None) -> dict[str, str]:
    """Return the topics that the first page lists, each with its title."""
    first = {here: f"Here: {every_system()[here].title}"} if here is not None else {}
    general = {topic: page["title"] for topic, page in general_pages().items() if topic != FIRST and " " not in topic}
    return {**first, **general, RULINGS: RULINGS_TITLE, CHECK: CHECK_TITLE}


def _systems() -> dict[str, str]:
    return {name: system.title for name, system in sorted(every_system().items())}


def _of_system(system: str) -> tuple[str, ...]:
    return (system, *(f"{system} {part}" for part in (ACTIONS, SHEET, OPTIONS, RULES)))


def _paragraphs(page: Mapping[str, Any], key: str) -> list[str]:
    """Return a page's paragraphs; one that is alone may be written without a list."""
    written = page.get(key, ())
    return [written.strip()] if isinstance(written, str) else list(written)


def _examples(page: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(each["type"], each.get("does", "")) for each in page.get("example", ())]


def _does(rule: Rule, system: str | None) -> str:
    """Say whose a rule is if it is not the channel's, and that the table keeps it if the referee does not."""
    parts = [] if rule.system in ("", system) else [f"{every_system()[rule.system].title}."]
    parts += [] if rule.refused or rule.kept else ["The referee shows it; what it does is up to the table."]
    return " ".join(parts)


def _bare(caller: Caller) -> bool:
    return "Embed Links" in caller.missing
