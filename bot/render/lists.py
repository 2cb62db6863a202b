"""Lists and cards that commands answer with: order, options, log, encounters, what a person owns, hands, help.

Each takes what the reader may see and nothing more. `plain` writes text instead of an embed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bot import custom_ids
from bot.render.components import button, line_with, rows_of, select
from bot.render.marks import BLUE, CARD, GREY, RULING, VEILED, condition_text
from bot.render.payload import Attachment, Payload, clip_words, fit
from bot.render.story import LogEntry, unix_time
from bot.render.turn_order import combatant_line, order_lines
from bot.render.words import CONTENT, and_more, bare, clip, escape, joined, listed, shorten
from rules.core.cards import counted
from rules.core.options import Option
from rules.core.sheets.abilities import source_of
from rules.core.sheets.sheet import Character
from rules.core.typed.names import shown
from rules.core.values import Ability, Seat, SheetValue
from rules.core.views.view import DeckSeen, HandSeen, View

_BODY = 3900
_NUMBER = re.compile(r"(\d+)")


def page(
    title: str,
    lines: Sequence[str],
    *,
    plain: bool = False,
    footer: str = "",
    color: int = GREY,
    what: str = "more",
) -> Payload:
    """Return a titled list: an embed, or the same as text. `title` and `footer` are as typed, lines are markdown."""
    if plain:
        ending = f"\n{escape(footer)}" if footer else ""
        start = f"**{shorten(escape(title), 200)}**\n"
        return fit(Payload(content=start + and_more(lines, CONTENT - len(start) - len(ending) - 5, what=what) + ending))
    embed: dict[str, Any] = {
        "title": shorten(escape(title), 250),
        "description": and_more(lines, _BODY, what=what),
        "color": color,
    }
    if footer:
        embed["footer"] = {"text": clip_words(bare(footer), 500)}
    return fit(Payload(embeds=[embed]))


# The encounter


def init_list(view: View) -> Payload:
    """Return the order with everybody in it, and the private notes that this reader may see.

    What is too long for a message comes whole as a file with it.
    """
    notes = [
        f"{VEILED} **{escape(each.name)}**: {escape(note)}" for each in view.combatants.values() for note in each.notes
    ]
    room = 1400 if view.plain else 3200
    lines = order_lines(view, room) or ["Nobody has joined yet."]
    if notes:
        lines += ["", and_more(notes, 400 if view.plain else 700, what="notes")]
    title = f"{view.name} · {view.headline}" if view.status == "running" else f"{view.name} · {view.status}"
    payload = page(title, lines, plain=view.plain, color=BLUE, footer=view.system_title)
    whole = order_lines(view, 10**6, whole=True)
    if len("\n".join(whole)) > room:
        text = "\n".join(f"- {line}" for line in whole)
        payload.files.append(Attachment("order.md", f"# {escape(title)}\n\n{text}\n".encode()))
    return payload


def options_list(view: View, options: Iterable[Option]) -> Payload:
    """Return every option with its value, what it means, and what else it may be; changed ones in bold."""
    lines = []
    for option in options:
        value = view.options.get(option.key, option.default)
        shown = f"{escape(option.key)}={escape(clip(value, 200))}"
        others = [choice for choice in option.choices if choice != value]
        choices = f" (or {', '.join(escape(choice) for choice in others)})" if others else ""
        lines.append((f"**{shown}**" if value != option.default else shown) + f": {escape(option.meaning)}{choices}")
    footer = "Change one with /encounter options set:key=value. Bold ones are not at their default."
    return page(f"Options of {view.name}", lines, plain=view.plain, footer=footer)


def log_page(
    entries: Sequence[LogEntry], seat: Seat, *, number: int, pages: int, name: str, plain: bool = False
) -> Payload:
    """Return a page of the log as this seat may read it: undone steps struck through, rulings marked."""
    texts = [text for text in (_log_line(entry, seat) for entry in reversed(entries)) if text]
    footer = f"Page {number} of {pages}, newest first"
    if number < pages:
        footer += f"; /encounter log page:{number + 1} has what came before"
    return page(f"Log of {name}", texts or ["Nothing has happened yet."], plain=plain, footer=footer, what="rows")


def _log_line(entry: LogEntry, seat: Seat) -> str:
    body = joined(entry.lines, seat, 700).replace("\n", " ")
    if not body:
        if not (entry.secret or entry.lines):
            return ""
        body = f"{VEILED} the GM did something" if entry.ruling else f"{VEILED} something that you can't see"
    marks = f"{RULING} " if entry.ruling else ""
    by = f" ({escape(entry.by)})" if entry.by else ""
    if entry.undone:
        body = f"~~{body.replace('~~', '').replace('**', '')}~~ (undone)"
    return f"`{entry.seq}` <t:{unix_time(entry.at)}:t> {marks}{body}{by}"


def encounters_list(
    entries: Sequence[tuple[str, str, str, str, Sequence[tuple[str, float | None]]]],
    *,
    server: bool = False,
) -> Payload:
    """Return encounters: (name, system's title, status, channel id, who it waits for and since when if known)."""
    lines = []
    for name, system, status, channel, waiting in entries:
        waits = f", waits for {_waited(waiting)}" if waiting and status == "running" else ""
        where = f" in <#{channel}>" if server else ""
        lines.append(f"**{escape(name)}** ({escape(system)}): {status}{where}{waits}")
    title = "Encounters of this server" if server else "Encounters of this channel"
    none = ["There is none. Open one with /encounter start."]
    footer = (
        "Bring back a paused one with /encounter resume name:." if any(each[2] == "paused" for each in entries) else ""
    )
    return page(title, lines or none, footer=footer, what="encounters")


def _waited(waiting: Sequence[tuple[str, float | None]]) -> str:
    """Return who an encounter waits for; since when if they have waited for all alike, else for each."""
    moments = {since for _, since in waiting}
    if len(moments) == 1:
        (since,) = moments
        return listed([who for who, _ in waiting], 8) + ("" if since is None else f" since <t:{int(since)}:R>")
    parts = [escape(who) + ("" if since is None else f" (since <t:{int(since)}:R>)") for who, since in waiting]
    return and_more(parts, 600, parted=", ")


def condition_list(view: View, target: str | None = None, *, tables_own: Sequence[str] = ()) -> Payload:
    """Return the conditions of one combatant, or of all and the table's own, with what is left and when it ticks."""
    lines = [
        f"**{escape(each.name)}**: {escape(condition_text(condition, full=True))}"
        for each in view.combatants.values()
        if target in (None, each.name)
        for condition in each.conditions
    ]
    title = f"Conditions of {target}" if target else f"Conditions in {view.name}"
    footer = ""
    if tables_own and not target:
        footer = f"The table's own: {shown(tables_own, 30)}. /condition remove target:table takes one off the list."
    return page(title, lines or ["None."], plain=view.plain, footer=footer, what="conditions")


# What a person owns


def macros_list(macros: Sequence[tuple[str, str]]) -> Payload:
    """Return one's saved rolls: (name, dice)."""
    lines = [f"**{escape(name)}**: {escape(clip(dice, 300))}" for name, dice in macros]
    return page(
        "Your saved rolls", lines or ["None yet. Save one with /macro save."], footer="Roll one with /macro run name:."
    )


def characters_list(characters: Sequence[Character]) -> Payload:
    lines = []
    for each in characters:
        system = f" ({escape(each.system)})" if each.system else ""
        fields = ", ".join(f"{escape(key)} {escape(_value(value))}" for key, value in list(each.fields.items())[:6])
        lines.append(f"**{escape(each.name)}**{system}" + (f": {shorten(fields, 200)}" if fields else ""))
    none = ["None yet. /character add saves one; /character template gives you a file to fill in."]
    footer = "Bring one into the encounter with /join character:."
    return page("Your characters", lines or none, footer=footer, what="characters")


def _value(value: SheetValue) -> str:
    return " + ".join(value) if isinstance(value, tuple) else str(value)


def character_sheet(character: Character) -> Payload:
    """Return one character whole: sheet, abilities, lasting conditions."""
    lines = [f"{escape(key)} **{escape(_value(value))}**" for key, value in character.fields.items()]
    body = [shorten(" · ".join(lines), 1400)] if lines else ["No sheet yet: write one with /character edit."]
    body.extend(f"• {ability_line(ability)}" for ability in character.abilities)
    body.extend(f"Lasting: {escape(condition_text(condition))}" for condition in character.conditions)
    title = character.name + (f" ({character.system})" if character.system else "")
    return page(title, body, color=BLUE, what="abilities (see /character template and import)")


def ability_line(ability: Ability) -> str:
    """Return an ability as it was typed, on one line."""
    said = " ".join(source_of(ability).split())
    return shorten(f"**{escape(ability.name)}**" + (f": {escape(said)}" if said else ""), 350)


def combatant_sheet(view: View, name: str) -> Payload:
    """Return what a seat may see of a combatant: pools, conditions, facts, notes, abilities."""
    each = view.combatants[name]
    body = [combatant_line(view, name, limit=600)]
    facts = [f"{escape(key)} **{escape(str(value))}**" for key, value in each.facts.items() if _is_shown(value)]
    body += [shorten(" · ".join(facts), 1400)] if facts else []
    body += [escape(note) for note in each.notes]
    body += [
        shorten(f"• **{escape(ability['name'])}**: {escape(ability['source'])}", 350) for ability in each.abilities
    ]
    return page(name, body, color=BLUE, plain=view.options.get("plain") == "on", what="abilities")


def _is_shown(fact: object) -> bool:
    return isinstance(fact, str | int | float) and not isinstance(fact, bool) and fact != ""


# Cards


def sorted_hand(cards: Sequence[str]) -> tuple[str, ...]:
    """Return cards in an order that reads well: by name, numbers by size."""

    def key(card: str) -> tuple[tuple[int, int, str], ...]:
        return tuple(
            (0, int(part), "") if part.isdecimal() else (1, 0, part.casefold()) for part in _NUMBER.split(card)
        )

    return tuple(sorted(cards, key=lambda card: (_suit(card), *key(card))))


def ordered(hand: HandSeen) -> tuple[str, ...]:
    """Return a hand that is seen in an order that reads well; a system with hands of its own has sorted them."""
    cards = hand.cards or ()
    return cards if hand.limit is not None else sorted_hand(cards)


_SUITS = {"C": 0, "D": 1, "H": 2, "S": 3}
_RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13}


def _suit(card: str) -> tuple[int, int]:
    """Return a playing card's place in a hand: by suit, then rank; other cards are all together."""
    rank, suit = card[:-1], card[-1:]
    if suit in _SUITS and (rank in _RANKS or rank.isdecimal()):
        return _SUITS[suit], _RANKS.get(rank) or int(rank)
    return 9, 0


def hand_message(
    hand: HandSeen | None, owner: str, place: str, *, picture: Attachment | None = None, own: bool = True
) -> Payload:
    """Return a hand, for its owner or who may see it. `place` names the game that it belongs to."""
    whose = "Your hand" if own else f"{escape(owner)}'s hand"
    at = f" ({escape(place)})" if place else ""
    if hand is None or hand.cards is None:
        number = 0 if hand is None else hand.count
        return fit(Payload(content=f"{CARD} {whose}{at}: {_cards_count(number)}."))
    words = escape(counted(ordered(hand))) or "empty"
    lines = [f"{CARD} {whose}{at}, {_cards_count(hand.count)}{limit_words(hand)}:", shorten(words, 1400)]
    for who, lying in hand.fused.items():
        for ability, cards in lying.items():
            lines.append(f"Fused beside {escape(who)}: {escape(ability)} ({escape(counted(sorted_hand(cards)))})")
    if hand.uses:
        lines.append("__What it pays for__")
        lines.extend(escape(line) for line in hand.uses)
    return fit(Payload(content=and_more(lines, CONTENT - 10), files=[picture] if picture else []))


def limit_words(hand: HandSeen) -> str:
    """Return a hand's size beside its limit, with the cards under fused abilities."""
    if hand.limit is None:
        return ""
    lying = sum(len(cards) for fused in hand.fused.values() for cards in fused.values())
    over = hand.count + lying - hand.limit
    fused = f", {lying} fused" if lying else ""
    return f"{fused}, limit {hand.limit}" + (f", {over} too many" if over > 0 else "")


def _cards_count(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def deck_card(deck: DeckSeen | None, hands: Mapping[str, int], *, kind: str = "", plain: bool = False) -> Payload:
    """Return what the channel may know of its deck: numbers alone. `hands` is by user id."""
    if deck is None:
        return Payload(content="There is no deck here. Lay one out with `/deck new`.")
    lines = [f"Pile: {_cards_count(deck.left)}", f"Discards, face up: {_cards_count(len(deck.discard))}"]
    if deck.discard:
        lines.append(f"Last discarded: {escape(deck.discard[-1])}")
    lines.extend(
        f"{f'<@{user}>' if user.isdecimal() else escape(user)} holds {_cards_count(count)}"
        for user, count in hands.items()
    )
    return page(f"Deck{f' ({kind})' if kind else ''}", lines, plain=plain, footer="/deck discards lists the discards.")


def discards_list(deck: DeckSeen | None, *, plain: bool = False) -> Payload:
    """Return the discards: how many of each, and the latest ones in order."""
    cards = () if deck is None else deck.discard
    if not cards:
        return Payload(content="Nobody has discarded a card.")
    lines = [shorten(escape(counted(sorted_hand(cards))), 3000 if not plain else 1200)]
    if len(cards) > 1:
        lines.append(f"Latest first: {escape(', '.join(reversed(cards[-8:])))}")
    return page(f"Discards ({_cards_count(len(cards))}, face up)", lines, plain=plain)


# Texts


def rules_results(query: str, results: Sequence[tuple[str, str, str]], *, system: str, plain: bool = False) -> Payload:
    """Return what `/rules` found: (rule's id, what the rule says, what the referee does about it)."""
    lines = []
    for rule, says, does in results:
        lines.append(f"**{escape(rule)}** {escape(says)}" + (f"\n→ {escape(does)}" if does else ""))
    none = [f"Nothing in {escape(system)} matches. Try one word, or an id such as G-03."]
    return page(f"Rules: {clip(query, 60)}", lines or none, plain=plain, footer=system, what="rules")


def help_page(
    title: str,
    paragraphs: Sequence[str],
    examples: Sequence[tuple[str, str]] = (),
    *,
    others: Mapping[str, str] = MappingProxyType({}),
    plain: bool = False,
) -> Payload:
    """Return a page of help. `paragraphs` are our own markdown; `examples` are (what to type, what it does).

    `others` are topics to read next, each with its button's label.
    """
    lines = list(paragraphs)
    if examples:
        lines.append("")
        lines.extend(f"`{typed.replace('`', '')}`" + (f" {does}" if does else "") for typed, does in examples)
    shown = page(title, lines, plain=plain, color=BLUE, what="lines")
    shown.components = rows_of([_topic_button(topic, label) for topic, label in others.items()])
    return fit(shown)


def topics_page(
    title: str, paragraphs: Sequence[str], topics: Mapping[str, str], more: Mapping[str, str], *, plain: bool = False
) -> Payload:
    """Return the first page of help: a line with a button for each of `topics`, and a menu of `more` (id → title)."""
    shown = page(title, paragraphs, plain=plain, color=BLUE, what="lines")
    shown.components = [line_with(escape(words), _topic_button(topic, topic)) for topic, words in topics.items()]
    shown.components.append(topics_menu("A system's page", more))
    return fit(shown)


def topics_menu(label: str, topics: Mapping[str, str]) -> dict[str, Any]:
    """Return a menu of pages of help (id → title)."""
    return select(_topic_id(""), label, [(title, topic) for topic, title in topics.items()])


def _topic_button(topic: str, label: str) -> dict[str, Any]:
    return button(_topic_id(topic), label)


def _topic_id(topic: str) -> str:
    return custom_ids.Pressed(custom_ids.HELP, "", 0, (topic,)).written()


def privacy_summary(counts: Mapping[str, int], *, deleted: bool = False) -> Payload:
    """Return what is stored about a person (kind → how many), or what was deleted."""
    kept = [f"{escape(what)}: {number}" for what, number in counts.items() if number]
    if not kept:
        return Payload(content="Nothing is stored about you.")
    head = "Deleted:" if deleted else "Stored about you (the file has all of it):"
    return fit(Payload(content=f"{VEILED} {head}\n{and_more(kept, 1800)}"))
