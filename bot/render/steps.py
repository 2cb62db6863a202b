"""What happened, in the field's words: steps, rolls, refusals, undone steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot import custom_ids
from bot.render.components import button, rows_of
from bot.render.marks import BACK, DIE, GREEN, GREY, RED, RULING, VEILED, VIOLET
from bot.render.payload import Payload, fit
from bot.render.words import CONTENT, PUBLIC, and_more, clip, escape, joined, markdown, shorten
from rules.core.seen.lines import Dice, Line, may_see
from rules.core.values import Seat
from rules.core.views.view import View
from rules.errors import Paused, Refusal

_BODY = 3800


def step_message(
    lines: Sequence[Line],
    seat: Seat = PUBLIC,
    *,
    view: View | None,
    ruling: bool = False,
    undone: Sequence[Line] = (),
) -> Payload:
    """Return what this seat sees of a step; without content and embeds if it sees nothing.

    Rolls are in an embed, other steps are one or two lines of content. `undone` are the lines of what was taken
    back just before: they are beside the new ones, struck through.
    """
    body = joined(lines, seat, _BODY)
    if not body:
        return Payload()
    if ruling:
        body = f"{RULING} Ruling: {body}"
    before = struck(undone, seat)
    if before:
        body = and_more([body, f"Undone before: {before}"], _BODY)
    rolled = any(
        isinstance(fact, Dice) for line in lines if may_see(line.seen_by, seat) for fact in line.facts.values()
    )
    plain = view is not None and view.plain
    if plain or (not rolled and len(body) <= CONTENT):
        return fit(Payload(content=shorten(body, CONTENT)))
    embed: dict[str, Any] = {"description": body, "color": VIOLET if ruling else _color(lines, seat)}
    return fit(Payload(embeds=[embed]))


def _color(lines: Sequence[Line], seat: Seat) -> int:
    """Return green or red if the step has one outcome; the words say the same."""
    ends = {line.good for line in lines if may_see(line.seen_by, seat)} - {None}
    return _colour_of(ends.pop() if len(ends) == 1 else None)


def _colour_of(good: bool | None) -> int:
    return GREY if good is None else GREEN if good else RED


def struck(lines: Sequence[Line], seat: Seat = PUBLIC) -> str:
    """Return lines struck through as one text; dice inside lose their own marks."""
    texts = [text.replace("~~", "").replace("**", "") for text in (markdown(line, seat) for line in lines) if text]
    return and_more([f"~~{part}~~" for text in texts for part in text.split("\n") if part], 1200)


def private_lines(lines: Sequence[Line], seat: Seat) -> Payload | None:
    """Return the lines that this seat sees beyond, or fuller than, what everybody sees; None if there are none."""
    own = [line for line in lines if markdown(line, seat) not in (None, markdown(line, PUBLIC))]
    body = joined(own, seat, CONTENT - 10)
    return fit(Payload(content=f"{VEILED} {body}")) if body else None


def refusal(refused: Refusal, encounter: str = "", mark: int = 0) -> Payload:
    """Return the private no: the rule's id, the reason, what would work, and a button that shows the rule.

    `encounter` is the id of the one that brought the rule itself, `mark` that of the tables it brought it with.
    """
    reason = escape(refused.reason)
    if isinstance(refused, Paused) and refused.since is not None:
        reason = f"{escape(refused.name)} has been paused since <t:{refused.since}:f>{escape(refused.at)}."
    words = reason if refused.instead is None else f"{reason} {escape(refused.instead)}"
    if refused.rule is None:
        return fit(Payload(content=shorten(words, CONTENT)))
    pressed = custom_ids.Pressed(custom_ids.RULE, encounter, mark, (refused.rule,))
    shows = button(pressed.written(), f"Rule {refused.rule}")
    return fit(Payload(content=shorten(f"**{refused.rule}** {words}", CONTENT), components=rows_of([shows])))


def stale(view: View | None) -> Payload:
    """Return the private answer to a button of a turn that is over: what the state is now."""
    if view is None or view.status != "running":
        state = "No encounter is running in this channel."
    elif view.over:
        state = f"{escape(view.name)} is decided: {escape(view.over.rstrip('.'))}."
    else:
        waiting = and_more([escape(name) for name in view.turn], 400, parted=", ") or "the GM"
        state = f"It is now {escape(view.headline)}; the table waits for {waiting}."
    return fit(Payload(content=f"That button belongs to a turn that is over. {state} `/turn` shows what you can do."))


def roll_message(
    roller: str,
    text: str,
    *,
    reason: str = "",
    show: str = "all",
    encounter: str = "",
    seq: int = 0,
    good: bool | None = None,
    plain: bool = False,
) -> Payload:
    """Return the answer to `/roll`: public for `all`, `gm` and `blind`, the roller's own for `me`.

    `text` is the roll as the dice wrote it, with its markup. With `gm` and `blind` it stays out: one line, and a
    button that shows it to those who may see it (design 3.4). `good` is shown in colour; the text says it in words.
    """
    what = f": {escape(reason)}" if reason else ""
    if show in ("gm", "blind"):
        line = f"{escape(roller)} rolls for the GM{what}" + (" (blind)" if show == "blind" else "")
        shows = button(custom_ids.Pressed(custom_ids.REVEAL, encounter, seq, (str(seq),)).written(), "Show")
        return fit(Payload(content=f"{VEILED} {line}", components=rows_of([shows])))
    head = f"{DIE} {escape(roller)} rolls{what}" + (" (only you see this)" if show == "me" else "")
    if plain or ("\n" not in text and good is None):
        whole = f"{head}\n{text}"
        if plain or len(whole) <= CONTENT:
            return fit(Payload(content=whole))
    return fit(Payload(content=head, embeds=[{"description": shorten(text, _BODY), "color": _colour_of(good)}]))


def hidden_roll(roller: str, text: str | None, *, reason: str = "") -> Payload:
    """Return the private answer to *Show*: the roll, or `?` for the roller of a blind one (`text` None)."""
    what = f" ({escape(reason)})" if reason else ""
    head = f"{VEILED} {escape(roller)}{what}:"
    if text is not None and len(text) + len(head) > CONTENT - 10:
        return fit(Payload(content=head, embeds=[{"description": shorten(text, _BODY), "color": GREY}]))
    return fit(Payload(content=f"{head} {'?' if text is None else text}"))


def undo_message(
    by: str,
    undone: Sequence[Sequence[Line]],
    *,
    redo: bool = False,
    given_back: str = "",
) -> Payload:
    """Return what an undo or redo tells the channel: which steps, struck through, and what it gave back.

    `undone` holds the lines of each step, the latest first. `given_back` names cards or hidden dice (*Bo's draw of
    3*), which nobody must overlook.
    """
    count = len(undone)
    steps = "the last step" if count == 1 else f"{count} steps"
    verb = "does {} again" if redo else "takes back {}"
    head = f"{BACK} {escape(by)} {verb.format(steps)}."
    if given_back:
        head += f" {'Again' if redo else 'Undone'}: {clip(escape(given_back), 300)}."
    parts = []
    for lines in undone:
        part = joined(lines, PUBLIC, 600) if redo else struck(lines, PUBLIC)
        if part:
            parts.append(part)
    return fit(Payload(content="\n".join(part for part in (head, and_more(parts, CONTENT - len(head) - 10)) if part)))
