"""The GM's work as buttons: damage, heal, condition, next, skip, undo, pause, add, remove the fallen (play 3).

And the word that tells a GM at once what only they may know (play 8).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot import custom_ids
from bot.render.components import DANGER, OPTIONS, PRIMARY, SECONDARY, button, rows_of, select
from bot.render.marks import VEILED
from bot.render.payload import Field, Form, Payload, PersonField, SelectField, fit
from bot.render.words import CONTENT, and_more, escape, listed
from rules.core.encounter import Encounter, Todo
from rules.core.views.hints import Hint
from rules.core.views.view import CombatantView, View

OPEN = "open"
DAMAGE, HEAL, CONDITION, ADD = "damage", "heal", "condition", "add"
NEXT, SKIP, UNDO, PAUSE, REMOVE, KEEP = "next", "skip", "undo", "pause", "remove", "keep"
BESIDES = "besides"
WHOLE_BLOW = "whole-blow"
DONE, STOP, AGAIN, MORE = "done", "stop", "again", "more"
MOVE = "move"
OWNER, CO_GM = "owner", "co-gm"
HINTED = (DAMAGE, HEAL, CONDITION, MOVE)  # forms that a line of the to-do fills in
TARGETED = (*HINTED, OWNER)  # forms that ask for a person
FORMS = (*TARGETED, ADD, CO_GM)
WHOM, PERSON = "whom", "person"
_LABELS = {
    DAMAGE: "Damage",
    HEAL: "Heal",
    CONDITION: "Condition",
    ADD: "Add",
    NEXT: "Next",
    SKIP: "Skip",
    UNDO: "Undo",
    PAUSE: "Pause",
    MOVE: "Move",
    OWNER: "Give to …",
    CO_GM: "Add a GM",
}
_ROW_OF_EFFECTS = (DAMAGE, HEAL, CONDITION, ADD)
_ROW_OF_TIME = (NEXT, SKIP, UNDO, PAUSE)
_SEATS = (OWNER, CO_GM)
_MOST_TODO = 4  # lines of the to-do with a button each; behind them is the way to their page
_MOST_HINTS = 3
_MOST_KEPT = 3  # buttons in the row of the fallen
_HEAD_OF_WORD = 200  # characters kept for the name of the game and the link to its channel
_AMOUNT = Field("amount", "How much", hint="a number, or dice such as 2d6+1")
_FIELDS: Mapping[str, tuple[Field | PersonField, ...]] = {
    OWNER: (PersonField(PERSON, "To which person"),),
    CO_GM: (PersonField(PERSON, "Who is a GM too"),),
    DAMAGE: (_AMOUNT, Field("type", "What kind (may be empty)", required=False)),
    HEAL: (_AMOUNT,),
    CONDITION: (
        Field("name", "What it is called"),
        Field("duration", "How long (may be empty)", required=False, hint="2 rounds, 1 minute, save, or none"),
    ),
    MOVE: (Field("to", "To which cell", hint="C4"),),
    ADD: (
        Field("name", "Its name, or the name of a saved template"),
        Field("count", "How many (may be empty)", required=False, hint="1"),
        Field("sheet", "Sheet (may be empty)", required=False, long=True, hint="KEY VALUE, KEY VALUE, such as HP 7"),
        Field("side", "Side (may be empty)", required=False),
        Field("dice", "Initiative (may be empty)", required=False, hint="1d20+2"),
    ),
}


def _id(view: View, version: int, what: str, whom: str = "") -> str:
    return custom_ids.Pressed(custom_ids.GM, view.id, version, (what, whom)).written()


def gm_work_button(view: View, version: int, fallen: Sequence[str]) -> dict[str, Any]:
    """Return the way to the GM's work, which says who is down and how much is to be settled."""
    waits = [f"{fallen[0] if len(fallen) == 1 else len(fallen)} down"] if fallen else []
    waits += [f"{len(view.todo)} to settle"] if view.todo else []
    return button(_id(view, version, OPEN), f"GM … ({', '.join(waits)})" if waits else "GM …")


def gm_work(view: View, version: int, fallen: Sequence[str], keepable: Sequence[str]) -> Payload:
    """Return the GM's buttons. `fallen` are their creatures that are down, `keepable` those that may fight on."""
    rows: list[dict[str, Any]] = []
    for row in (_ROW_OF_EFFECTS, _ROW_OF_TIME):
        rows += rows_of([button(_id(view, version, what), _LABELS[what]) for what in row])
    words = [f"**{escape(view.name)}**, {escape(view.headline)}. What you do here as GM counts as a ruling."]
    last = [button(custom_ids.Pressed(custom_ids.PANEL, view.id, version, ("0",)).written(), "‹ My turn")]
    last += [button(_id(view, version, what), _LABELS[what]) for what in _SEATS]
    if fallen:
        words.append(f"Down: {listed(fallen)}.")
        last = [*fallen_buttons(view, version, fallen, keepable), *last]
    words += _todo_words(view)
    settled = [
        button(_id(view, version, DONE, todo_mark(each)), f"Done: {at}")
        for at, each in enumerate(view.todo[:_MOST_TODO], 1)
    ]
    if view.todo or view.unasked:
        settled.append(button(_id(view, version, MORE), "To settle …", SECONDARY))
    return fit(Payload(content="\n".join(words), components=[*rows, *rows_of(settled), *rows_of(last)]))


def _todo_words(view: View) -> list[str]:
    return [f"{at}. {todo_words(line)}" for at, line in enumerate(view.todo[:_MOST_TODO], 1)]


def todo_words(line: Todo) -> str:
    """Return a line of the to-do: the ability, its owner and target, how often, and its sentence."""
    often = f" ({line.count} times)" if line.count > 1 else ""
    at_whom = f" at {listed(line.targets)}" if line.targets else ""
    return f"{escape(line.who)}'s {escape(line.ability)}{at_whom}{often}: “{escape(line.text)}”"


def todo_page(view: View, version: int, hints: Sequence[Sequence[Hint]]) -> Payload:
    """Return the lines of the to-do with what settles each: a form that its words fill in, or *Done*."""
    rows: list[dict[str, Any]] = []
    for at, each in enumerate(view.todo[:_MOST_TODO], 1):
        mark = todo_mark(each)
        ways = [
            button(_id(view, version, hint.form, mark), " ".join((_LABELS[hint.form], *hint.values.values())).strip())
            for hint in hints[at - 1][:_MOST_HINTS]
        ]
        done = button(_id(view, version, DONE, mark), f"Done: {at}")
        stop = button(_id(view, version, STOP, mark), f"Stop asking: {at}", SECONDARY)
        rows += rows_of([done, *ways, stop])
    last = [button(_id(view, version, OPEN), "‹ Back", SECONDARY)]
    if view.unasked:
        last.append(button(_id(view, version, AGAIN), f"Ask again ({view.unasked})", SECONDARY))
    words = _todo_words(view) or ["There is nothing left to settle."]
    return fit(Payload(content="\n".join(words), components=[*rows, *rows_of(last)]))


def todo_mark(line: Todo) -> str:
    """Return what tells a line of the to-do from others, so that a late press settles no other one."""
    return hashlib.blake2s("\n".join(line.what).encode(), digest_size=5).hexdigest()


def fallen_buttons(view: View, version: int, fallen: Sequence[str], keepable: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the GM does about their creatures that are down: all of them leave, or one fights on."""
    what = f"Remove {fallen[0]}" if len(fallen) == 1 else f"Remove the {len(fallen)} who are down"
    keeps = [button(_id(view, version, KEEP, name), f"Keep {name}") for name in keepable[:_MOST_KEPT]]
    return [button(_id(view, version, REMOVE), what, DANGER), *keeps]


def besides_button(view: View, version: int, seq: int) -> dict[str, Any]:
    """Return what makes a turn that the GM gave in step `seq` one besides the order, which takes nothing away."""
    return button(_id(view, version, BESIDES, str(seq)), "An extra turn", SECONDARY)


def whole_blow_button(view: View, version: int) -> dict[str, Any]:
    """Return what takes back all that is left of a blow under way."""
    return button(_id(view, version, WHOLE_BLOW), "Undo the whole blow", SECONDARY)


def whom(view: View, version: int, what: str) -> Payload:
    """Ask who it is about."""
    among = _among(view, (), 1)
    row = select(_id(view, version, what), "Who?", among.options, notes=among.notes)
    words = f"**{_LABELS[what]}**: whom? {among.hint}".strip()
    back = button(_id(view, version, OPEN), "‹ Back", SECONDARY)
    return fit(Payload(content=words, components=[row, *rows_of([back])]))


def _among(view: View, first: Sequence[str], most: int) -> SelectField:
    """Return the select of those it may be about: the likely ones, then the GM's own, as many as it holds."""
    own_first = sorted(view.combatants, key=lambda name: view.combatants[name].player is not None)
    names = tuple(dict.fromkeys((*first, *own_first)))[:OPTIONS]
    health = {name: _health(view.combatants[name]) for name in names}
    more = len(view.combatants) - len(names)
    hint = f"{more} more are here. The command takes them too; Goblin* means all the Goblins." if more else ""
    options = tuple((name, name) for name in names)
    notes = {name: text for name, text in health.items() if text}
    return SelectField(WHOM, "Who", options, tuple(first), notes, most, hint)


def form(
    view: View,
    version: int,
    what: str,
    targets: Sequence[str] = (),
    known: Mapping[str, str] | None = None,
    settles: str = "",
) -> Form:
    """Ask for a person and for text; `known` is there already, and `settles` is the mark of a line of the to-do."""
    asked = (
        replace(each, value=(known or {}).get(each.key, "")) if isinstance(each, Field) else each
        for each in _FIELDS[what]
    )
    most = 1 if what == MOVE else OPTIONS
    whom_first = (_among(view, targets[:most], most),) if what in TARGETED else ()
    return Form(_id(view, version, what, settles), _LABELS[what], (*whom_first, *asked))


def _health(each: CombatantView) -> str:
    return ", ".join(
        f"{key} {pool.now}" + ("" if pool.top is None else f"/{pool.top}")
        for key, pool in list(each.pools.items())[:2]
        if pool.now is not None
    )


def _unseen_turns(state: Encounter) -> set[tuple[str, str]]:
    """Return the turns that hidden creatures have now: one may end and the next begin with the same step."""
    return {(each.name, each.part) for each in state.hidden if each.acts}


def gm_word(before: Encounter | None, after: Encounter) -> Payload | None:
    """Return what a step has brought that only a GM may know; None if there is nothing.

    That is a hidden creature's turn, a question to it, and what the GM is to settle. A pause ends what it waits for:
    as the encounter goes on, turns and questions are new.
    """
    known = before if before is not None and before.id == after.id else None
    running = known if known is not None and known.status == "running" else None
    had = set() if running is None else _unseen_turns(running)
    asked = set() if running is None else {question.id for question in running.questions}
    counts = {} if known is None else {each.what: each.count for each in known.todo}
    turns = sorted(_unseen_turns(after) - had)
    lines = [f"{VEILED} {escape(who)} can act now, unseen by the players." for who, _ in turns]
    lines += [
        f"{VEILED} {escape(each.who)} is asked: {escape(each.inside or each.words)}"
        for each in after.questions
        if each.who in after.hidden_names and each.id not in asked and not each.answered
    ]
    lines += [f"To settle: {todo_words(each)}" for each in after.todo if each.count > counts.get(each.what, 0)]
    if not lines:
        return None
    head = f"**{escape(after.name)}** in <#{after.channel}>"
    panel = custom_ids.Pressed(custom_ids.PANEL, after.id, 0, (custom_ids.NOW,)).written()
    content = f"{head}\n{and_more(lines, CONTENT - _HEAD_OF_WORD)}"
    return fit(Payload(content=content, components=rows_of([button(panel, "My turn", PRIMARY)])))
