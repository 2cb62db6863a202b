"""The buttons of a prompt: ten at most, in three lines of a phone (play 9).

Each acts for the person who presses it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bot import custom_ids
from bot.render.ahead import ahead_button
from bot.render.components import PRIMARY, SECONDARY, SUCCESS, button, rows_of
from bot.render.phone import Button, action_label, button_label, packed
from bot.render.standing_orders import for_longer
from rules.core.commands.acting import ALL_MINE
from rules.core.encounter import THIS_ROUND, Ask
from rules.core.offer import Offer
from rules.core.values import Plays, Question
from rules.core.views.rules_seen import RulesSeen
from rules.core.views.view import View
from rules.core.views.whole import AT_FRIENDS, WholeAction, shares

MOST_BUTTONS = 10
MOST_LINES = 3  # of a phone for all of them; for more, the least useful of the usual actions are left to *My turn*
_FEWEST = 3  # usual actions that are there whatever the others take
_ACTIONS = 3  # kinds of actions that have buttons
_MOVERS = 2  # who have a button each that moves them
_WAYS = 6  # buttons of those together; more would push the order off a phone


def prompt_buttons(
    view: View,
    version: int,
    usual: Mapping[str, Sequence[WholeAction]],
    others_offers: Sequence[Offer],
    tools: Sequence[Button],
) -> list[Button]:
    """Return the rows: what is asked first, then one's turn, then what others may do; `tools` come last."""
    if view.status != "running":
        return []
    mine = [button(custom_ids.Pressed(custom_ids.PANEL, view.id, version).written(), "My turn", PRIMARY)]
    beside = [button(custom_ids.Pressed(custom_ids.HAND, view.id, version).written(), "My hand")] if view.hands else []
    more = [*_missing_buttons(view, version), *_roll_buttons(view, version)]
    answers: list[Button] = []
    if not view.over:
        beside.append(ahead_button(view, version))
        more += _others_buttons(view, version, others_offers)
        is_alone = not others_offers and set(view.turn) <= {question.who for question in view.questions}
        answers = _answer_buttons(view, version, is_alone=is_alone)[: MOST_BUTTONS - len(mine)]
    more = [*more, *tools][: MOST_BUTTONS - len(answers) - len(mine)]
    beside = beside[: max(MOST_BUTTONS - len(answers) - len(mine) - len(more), 0)]
    room = MOST_BUTTONS - len(answers) - len(mine) - len(beside) - len(more)
    ranked = () if view.over else _ranked(view, usual)
    several = len({*_actors(view, usual), *_asked(view)}) > 1
    while True:
        of_turn = (
            whole_button(view, whole, version, several=bool(whole.who) and several)
            for whole in _shown(view, ranked, room)
        )
        rows = packed([*answers, *mine, *of_turn], [*beside, *more])
        if len(rows) <= MOST_LINES or (room <= _FEWEST and not beside):
            return rows
        if room > _FEWEST:
            room -= 1
        else:
            beside = beside[:-1]


def _missing_buttons(view: View, version: int) -> list[Button]:
    """Return the GM's buttons about the first of those who have missed rounds in a row."""
    return [
        button(
            custom_ids.Pressed(custom_ids.AWAY, view.id, version, (how, name)).written(),
            button_label(f"{words} {name}", [name]),
        )
        for name in view.missing[:1]
        for how, words in (("away", "Go on without"), ("wait", "Wait for"))
    ]


def owing(ask: Ask) -> list[str]:
    """Return who has still to roll."""
    rolled = {result.who for result in ask.results}
    return [name for name in ask.who if name not in rolled]


def _roll_buttons(view: View, version: int) -> list[Button]:
    """Return a button for each roll that the GM asks for: several who owe it share one."""
    return [
        _roll_button(view, version, ask, names[0] if len(names) == 1 else "")
        for ask in view.asks
        if (names := owing(ask))
    ]


def _roll_button(view: View, version: int, ask: Ask, who: str) -> Button:
    what = ask.reason or ask.dice
    pressed = custom_ids.Pressed(custom_ids.ASK, view.id, version, (str(ask.id), who))
    return button(pressed.written(), button_label(f"Roll {what}", [what], who=who), SUCCESS)


def own_rolls(view: View, version: int) -> list[Button]:
    """Return a row of buttons for the rolls that this seat's own are asked for, hidden ones included."""
    owed = [(ask, name) for ask in view.asks for name in owing(ask) if view.combatants[name].mine is Plays.OWN]
    return rows_of([_roll_button(view, version, ask, name) for ask, name in owed], 1)


def _others_buttons(view: View, version: int, others_offers: Sequence[Offer]) -> list[Button]:
    """Return one button for each thing that others may do now, for everybody who may; who is the only one is named."""
    able: dict[tuple[str, str], Offer] = {}
    for each in others_offers:
        same = able.get((each.action, each.label))
        able[each.action, each.label] = each if same is None else each.evolve(who="")
    return [
        button(
            custom_ids.Pressed(
                custom_ids.CHOOSE if _needs_more(view, each) else custom_ids.ACT,
                view.id,
                version,
                (each.action, each.who),
            ).written(),
            button_label(each.label, who=each.who),  # without a name it is who presses
        )
        for each in able.values()
    ]


def _needs_more(view: View, offer: Offer) -> bool:
    """Tell whether an action takes something; a public offer does not list what, its declaration does."""
    if offer.params:
        return not offer.needs_nothing
    action = view.rules.actions.get(offer.action)
    return action is not None and action.takes


# What is asked


def _answer_buttons(view: View, version: int, *, is_alone: bool) -> list[Button]:
    """Return two buttons for everybody that events ask, and one for each choice of what else is asked.

    Who is the only one with that choice is named, unless no other button could be somebody else's.
    """
    letting = [choice for question in view.questions if (choice := letting_pass(view, question))]
    buttons = []
    if letting:
        react = custom_ids.Pressed(custom_ids.REACT, view.id, version).written()
        buttons = [button(react, "React…", SUCCESS), pass_button(view, version, letting[0])]
    others = [question for question in view.questions if not letting_pass(view, question)]
    asked: dict[str, list[Question]] = {}
    for question in others:
        for choice in question.choices:
            asked.setdefault(choice, []).append(question)
    is_alone = is_alone and not letting and len({question.who for question in others}) == 1
    for choice, questions in asked.items():
        names = Counter(question.who for question in questions)
        who = questions[0].who if len(names) == 1 else ""
        whose = "" if is_alone or not is_somebody(view, who) else who
        words = button_label(
            view.rules.label(choice), end="" if whose or not _has_several(view, names) else " …", who=whose
        )
        pressed = custom_ids.Pressed(custom_ids.ACT, view.id, version, (choice, who))
        buttons.append(button(pressed.written(), words, answer_style(view.rules, choice)))
    return buttons


def is_somebody(view: View, who: str) -> bool:
    """Tell whether an actor is a combatant or a person: a seat that the rules give the GM is not named on buttons."""
    return who in view.combatants or who in view.people.values()


def letting_pass(view: View, question: Question) -> str:
    """Return the answer that lets an event pass; empty if the question is no chance to react."""
    actions = view.rules.actions
    return next((choice for choice in question.choices if choice in actions and actions[choice].passes), "")


def _has_several(view: View, names: Mapping[str, int]) -> bool:
    """Tell whether one person answers for several of them, and is asked which."""
    players: Counter[str] = Counter()
    for name, count in names.items():
        players[_player(view, name)] += count
    return any(count > 1 for count in players.values())


def join_button(style: int = SECONDARY) -> Button:
    """Return the button to join: with a saved character, or with one from a form."""
    pressed = custom_ids.Pressed(custom_ids.CHARACTER, "", 0, (custom_ids.CHARACTER_JOIN, "", ""))
    return button(pressed.written(), "Join", style)


def earlier_button(encounter: str, version: int, before: int, label: str) -> Button:
    """Return the button that shows privately, in full, what happened before a row of the log."""
    return button(custom_ids.Pressed(custom_ids.EARLIER, encounter, version, (str(before),)).written(), label)


def pass_button(view: View, version: int, action: str) -> Button:
    """Return the button to let an event pass that asks you."""
    return button(custom_ids.Pressed(custom_ids.ACT, view.id, version, (action, ALL_MINE)).written(), "Let it pass")


def pass_this_round(encounter: str, version: int, action: str) -> Button:
    """Return the button to let every event of this round pass."""
    parts = (for_longer(action, THIS_ROUND), ALL_MINE)
    return button(custom_ids.Pressed(custom_ids.ACT, encounter, version, parts).written(), "Pass this round")


def go_on_button(view: View, version: int) -> Button:
    """Return the GM's button that ends a deciding."""
    return button(custom_ids.Pressed(custom_ids.GO_ON, view.id, version).written(), "Nobody else: go on (GM)")


# What is mostly done


def _asked(view: View) -> set[str]:
    return {question.who for question in view.questions}


def _actors(view: View, usual: Mapping[str, Sequence[WholeAction]]) -> list[str]:
    asked = _asked(view)
    return [name for name in usual if name in view.turn and name not in asked]


def _ranked(view: View, usual: Mapping[str, Sequence[WholeAction]]) -> Sequence[WholeAction]:
    """Return what is mostly done, the most useful first; with several actors the actor is who presses.

    Unless it says which: beside answers of others it says whose it is, as those do.
    """
    answers = {choice for question in view.questions for choice in question.choices}
    actors = _actors(view, usual)
    people = Counter(_player(view, name) for name in actors)
    able = Counter((whole.offer.action, whole.label) for name in actors for whole in _unasked(view, usual[name]))
    found: dict[tuple[str, str, str], WholeAction] = {}
    for name in actors:
        for whole in _unasked(view, usual[name]):
            if whole.offer.button_rank > 0 and whole.offer.action not in answers:
                is_one_of = people[_player(view, name)] > 1
                is_ones = is_one_of or able[whole.offer.action, whole.label] == 1
                is_own = len(actors) == 1 or (bool(whole.given) and is_ones) or (whole.is_way and is_one_of)
                actor = name if is_own else ""
                found.setdefault(
                    (whole.offer.action, whole.label, actor), whole._replace(offer=whole.offer.evolve(who=actor))
                )
    return sorted(found.values(), key=lambda whole: (whole.offer.button_rank, whole.rank))


def _shown(view: View, ranked: Sequence[WholeAction], room: int) -> Sequence[WholeAction]:
    """Return what has a button of its own, if there is room for so many."""
    actions = list(dict.fromkeys(whole.offer.action for whole in ranked))
    ways = _ways_to_go(ranked)
    rest = [whole for whole in ranked if whole.offer.action in actions[:_ACTIONS] and not whole.is_way]
    last = [action for action in actions[_ACTIONS:] if _ends(view, action, ranked)][-1:]
    doing = min(len(rest) + len(ways), _WAYS)
    ending = [each for each in ranked if each.offer.action in last][: max(room - doing, 1)]
    most = min(_WAYS, room - len(ending))
    shown = sorted(
        (*shares(rest, max(most - len(ways), 0)), *ways), key=lambda whole: (whole.offer.button_rank, whole.rank)
    )
    return (*shown[: max(most, 0)], *ending)[: max(room, 0)]


def _unasked(view: View, found: Sequence[WholeAction]) -> Iterable[WholeAction]:
    """Leave out what would be confirmed first; if that is all an action has, its button leads to its choices.

    What could only harm your own side has no button here, if there is another: *My turn* has it.
    """
    most = 2 * AT_FRIENDS if view.one_side else AT_FRIENDS
    able = {whole.offer.action for whole in found if not whole.asks or not whole.given}
    for whole in found:
        if not whole.asks or not whole.given:
            yield whole
        elif whole.offer.action not in able and whole.rank[0] < most:
            able.add(whole.offer.action)
            yield whole._replace(given={}, pattern="{label}", is_whole=False)


def _ways_to_go(ranked: Sequence[WholeAction]) -> list[WholeAction]:
    """Return the buttons that lead over the board: they are there whatever else is mostly done (maps 6).

    Of a crowd each has not its own: the button asks who it moves.
    """
    ways = [whole for whole in ranked if whole.is_way]
    if len(ways) <= _MOVERS:
        return ways
    return list({whole.offer.action: whole._replace(offer=whole.offer.evolve(who="")) for whole in ways}.values())


def _player(view: View, name: str) -> str:
    each = view.combatants.get(name)
    return name if each is None else each.player or "the GM"


def _ends(view: View, action: str, ranked: Sequence[WholeAction]) -> bool:
    """Tell whether an action ends a turn, or is the player's last duty before: it has its button besides (design 4)."""
    wide = any(whole.offer.player_wide for whole in ranked if whole.offer.action == action)
    return wide or (action == "end" and action in view.rules.actions)


def answer_style(rules: RulesSeen, choice: str) -> int:
    """Return the style of an answer's button: green, unless it does the least."""
    action = rules.actions.get(choice)
    return SECONDARY if action is not None and action.default_answer else SUCCESS


def whole_button(
    view: View, whole: WholeAction, version: int, *, several: bool = False, style: int = SECONDARY
) -> Button:
    """Return the button of a whole action, with whose it is if `several` could; it may lead to what is typed."""
    offer = whole.offer
    if not whole.is_whole or (not whole.given and any(not param.implied for param in offer.params)):
        pressed = custom_ids.Pressed(custom_ids.CHOOSE, view.id, version, (offer.action, offer.who))
    elif not whole.given:
        pressed = custom_ids.Pressed(custom_ids.ACT, view.id, version, (offer.action, offer.who))
    else:
        pressed = custom_ids.Pressed(custom_ids.WHOLE, view.id, version, (offer.action, offer.who, whole.digest, ""))
    who = offer.who if several and is_somebody(view, offer.who) else ""
    return button(pressed.written(), action_label(whole, who=who), style)
