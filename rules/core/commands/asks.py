"""`/gm ask`: several are asked for a roll in one prompt, and the results come together."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rules.core.action import plays
from rules.core.command import Command
from rules.core.commands.naming import targets
from rules.core.commands.rights import Role
from rules.core.commands.spec import CommandSpec, Given
from rules.core.encounter import ROLL_FOR_THE_GM, Ask, AskResult, Encounter
from rules.core.seen.lines import Dice as DiceText
from rules.core.seen.lines import Veiled
from rules.core.step import GM_ONLY, Step
from rules.core.typed.input import bounded
from rules.core.typed.names import resolve_name
from rules.core.values import Plays
from rules.dice.reading import parse_expression
from rules.dice.refused import UnreadableDice
from rules.dice.roll import roll_expression
from rules.errors import Illegal, Refusal, Theirs

SHOWN = ("all", "gm", "blind")
SUCCESS = "success"


def ask(step: Step[Any], command: Command) -> None:
    """Ask combatants for a roll. Args: who, dice, at_least, reason, show."""
    who = targets(step, command.text("who"))
    dice = command.text("dice") or ""
    said = ""
    for name in who:
        said = step.read(dice, name).comment
    if said:
        dice = _without_words(step, dice, who[-1])
    show = resolve_name(command.text("show") or "all", SHOWN, "way to show it")
    # Somebody hidden from players is not asked: the GM alone would answer, and reads the roll at once.
    unknown = tuple(name for name in who if step.state.hidden_named(name) is not None)
    who = tuple(name for name in who if name not in unknown)
    opened = Ask(
        id=step.state.next_question,
        who=who,
        dice=dice,
        at_least=None if (least := command.number("at_least")) is None else bounded(least, "number to reach"),
        reason=(command.text("reason") or said)[:100],
        show=show,
    )
    if who:
        step.secret = show != "all"  # dice and target are the GM's alone then
        _open(step, opened)
    for name in unknown:
        result, text = _rolled(step, opened, name, step.dice_seen_by(name))
        step.tell(
            "{who} rolls{reason}: {roll}{outcome}.",
            who=name,
            reason=_reason(opened),
            roll=text,
            outcome="" if result.outcome else _outcome(opened, result),
            seen_by=GM_ONLY,
        )


def _without_words(step: Step[Any], dice: str, who: str) -> str:
    """Return dice without the reason behind them; whole if they would be other dice without it."""
    read = step.read(dice, who)
    head = dice.rstrip().removesuffix(read.comment)
    for marks in (" #!", " #"):
        with suppress(Refusal):
            if step.read(head.rstrip(marks), who).root == read.root:
                return head.rstrip(marks)
    return dice


def _open(step: Step[Any], opened: Ask) -> None:
    dice, show = opened.dice, opened.show
    step.change(asks=(*step.state.asks, opened), next_question=step.state.next_question + 1)
    step.tell(
        "{by} asks {who} for {dice}{target}{reason}.",
        by=step.seat.name,
        who=", ".join(opened.who),
        dice=dice if show == "all" else Veiled(full=dice, public=ROLL_FOR_THE_GM, seen_by=_asked(step.state, opened)),
        target="" if opened.at_least is None or show != "all" else f" against {opened.at_least}",
        reason=f" ({opened.reason})" if opened.reason else "",
    )


def _asked(state: Encounter, opened: Ask) -> tuple[str, ...]:
    """Return who may read the dice of an ask that is for the GM: those who will see what they show."""
    owners = (_seen_by(opened.show, state.combatant(name).owner) for name in opened.who)
    return tuple(dict.fromkeys(each for seen_by in owners for each in seen_by or ()))


def roll(step: Step[Any], command: Command) -> None:
    """Roll what one is asked for. Args: ask (its number)."""
    number = command.number("ask")
    candidates = [
        (each, name)
        for each in step.state.asks
        if number in (None, each.id)
        for name in each.who
        if not any(result.who == name for result in each.results)
        and (command.character is None or name == command.character)
    ]
    own = [(each, name) for each, name in candidates if plays(step.state.combatant(name), step.seat) is Plays.OWN]
    others = [(each, name) for each, name in candidates if plays(step.state.combatant(name), step.seat) is Plays.AS_GM]
    if not own and not others:
        raise Illegal("Nobody is asking you for a roll now.", rule="G-03", instead="The GM can ask with /gm ask.")
    asked, who = (own or others)[0]
    if not own and step.seat.user is not None:
        if command.character is None:
            raise Theirs(who, step.state.player_of(who), "That roll")
        step.decided_for.append(who)
    if who in step.state.hidden_names:
        step.secret = step.opaque = True  # it concerns nobody that others know
    owner = step.state.combatant(who).owner
    seen_by = _seen_by(asked.show, owner) or step.dice_seen_by(who)
    result, text = _rolled(step, asked, who, seen_by)
    current = asked.evolve(results=(*asked.results, result))
    step.change(asks=tuple(current if each.id == asked.id else each for each in step.state.asks))
    if asked.show == "all":
        step.tell(
            "{who} rolls{reason}: {roll}{outcome}.",
            who=who,
            reason=_reason(asked),
            roll=text,
            outcome="" if result.outcome else _outcome(asked, result),
            good=_succeeds(asked, result) if text.seen_by is None or not result.outcome else None,
        )
    else:
        hidden = text.evolve(
            text=f"{text.text}{'' if result.outcome else _outcome(asked, result)}", seen_by=seen_by or ("gm",)
        )
        step.tell("{who} rolls for the GM{reason}: {roll}.", who=who, reason=_reason(asked), roll=hidden)
    if len(current.results) == len(current.who):
        _close(step, current)


def _rolled(step: Step[Any], asked: Ask, who: str, seen_by: tuple[str, ...] | None) -> tuple[AskResult, DiceText]:
    """Roll for one; of a comparison the left side is the result. Numbers that are not public stay so. Rule: G-08."""
    read = step.read(asked.dice, who)
    if seen_by is None and not step.is_open(who) and _names_numbers(asked.dice):
        seen_by = GM_ONLY
    rolled = roll_expression(read.bare, step.dice, who=who, purpose=asked.reason or "asked", seen_by=seen_by)
    text = rolled.text(limit=300)
    if rolled.succeeds is None:
        result = AskResult(who=who, total=int(rolled.total // 1), text=text)
    else:
        word = SUCCESS if rolled.succeeds else "failure"
        result = AskResult(who=who, total=int(rolled.compared[0].left // 1), text=text, outcome=word)
    return result, DiceText(text=text, seen_by=seen_by)


def _names_numbers(dice: str) -> bool:
    try:
        parse_expression(dice)
    except UnreadableDice:
        return True
    return False


def _seen_by(show: str, owner: str | None) -> tuple[str, ...] | None:
    if show == "all":
        return None
    return ("gm", owner) if show == "gm" and owner is not None else ("gm",)


def _reason(asked: Ask) -> str:
    return f" ({asked.reason})" if asked.reason else ""


def _outcome(asked: Ask, result: AskResult) -> str:
    if result.outcome:
        return f", {result.outcome}"
    succeeds = _succeeds(asked, result)
    return "" if succeeds is None else ", success" if succeeds else ", failure"


def _succeeds(asked: Ask, result: AskResult) -> bool | None:
    if result.outcome:
        return result.outcome == SUCCESS
    return None if asked.at_least is None else result.total >= asked.at_least


def _close(step: Step[Any], asked: Ask) -> None:
    step.change(asks=tuple(each for each in step.state.asks if each.id != asked.id))
    if not asked.results:
        return
    hidden = step.state.hidden_names
    full = _results_words(asked, asked.results)
    open_ones = tuple(result for result in asked.results if result.who not in hidden)
    public = _results_words(asked, open_ones)
    step.tell(
        "Everybody has rolled{reason}: {results}.",
        reason=_reason(asked),
        results=full if full == public else Veiled(full=full, public=public),
        seen_by=None if asked.show == "all" and open_ones else GM_ONLY,
    )


def _results_words(asked: Ask, results: tuple[AskResult, ...]) -> str:
    return "; ".join(f"{result.who} {result.total}{_outcome(asked, result)}" for result in results)


def close_complete(step: Step[Any]) -> None:
    """Close what nobody is left to answer, after somebody has left."""
    for asked in step.state.asks:
        if len(asked.results) >= len(asked.who):
            _close(step, asked)


COMMAND_SPECS = (
    CommandSpec(
        "gm ask",
        ask,
        Role.GM,
        "Ask several people for a roll; each gets a button, and the results come together",
        (
            Given("who", "Who; separate several with commas", required=True, names="combatants", many=True),
            Given("dice", "What they roll, such as 1d20+2", required=True),
            Given("at_least", "The number to reach", "number"),
            Given("reason", "What it is for"),
            Given("show", "Who sees it: all, gm, or blind (only the GM)", choices=("all", "gm", "blind")),
        ),
    ),
    CommandSpec("ask-roll", roll, Role.ANYONE),
)
