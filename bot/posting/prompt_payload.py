"""A channel's turn prompt as it is now: who is asked, what they may do, until when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.render.boards.goals import move_buttons
from bot.render.boards.told import board_told
from bot.render.payload import Payload, fit
from bot.render.prompt import GMS, turn_prompt
from bot.render.prompt_board import map_buttons
from bot.render.prompt_buttons import earlier_button, join_button
from bot.render.record import MOST_TOLD, StoryRow, story_of
from bot.render.standing_orders import ordered
from bot.render.words import CONTENT, PUBLIC
from bot.table.room import Room
from bot.waiting.addressees import Addressees
from bot.waiting.people import People
from rules.core.encounter import Encounter, Table
from rules.core.offer import Offer
from rules.core.reach.free_moves import free_movements
from rules.core.registry import system_of
from rules.core.views.view import View
from rules.core.views.whole import CROWD, WholeAction, public_actions

MOST_BOARD_PLAIN = 500
_REST = "… `/board show text:True` has the rest."
MOST_TOLD_PLAIN = 700  # the order shares the content with it


def prompt_payload(
    people: People,
    room: Room,
    view: View | None,
    rows: Sequence[StoryRow] = (),
    called: frozenset[str] | None = None,
) -> Payload | None:
    """Return the turn prompt of a running encounter; None if nobody is to be prompted.

    `view` is the room's public one. Those of `called` (None: all) are pinged who can be reached. Who sleeps or is away
    is named, and with nobody to ping the message comes silently (design 4).
    """
    state = room.encounter
    if state is None or view is None or state.status != "running" or (state.over is not None and not view.asks):
        return None
    system = system_of(state)
    usual = usual_actions(room.table, state)
    actors = dict.fromkeys((*system.waits_for(state), *(who for asked in view.asks for who in asked.who)))
    addressees = Addressees(people, state, room.guild, room.waits)
    mentions = addressees.mentions(tuple(actors))
    is_hidden_called = bool({*actors} & state.hidden_names) and (called is None or bool(called & state.hidden_names))
    is_gm_asked = bool(view.missing) and (called is None or GMS in called)
    if actors and not is_hidden_called and not is_gm_asked:
        mentions[GMS] = ()  # the GMs are called for somebody hidden, or about somebody missing, alone
    if called is not None:
        mentions = {who: users if not who or who in called else () for who, users in mentions.items()}
    # A seat of the system's own that nobody is pinged for is the GMs', and they are named for it.
    mentions = {who: users for who, users in mentions.items() if users or not who or _is_somebodys(state, who)}
    version = room.prompt.wanted
    movers = [who for who in system.turn(state) if who not in state.hidden_names and free_movements(state, who)]
    details = [earlier_button(view.id, version, row.seq + 1, "Details") for row in rows if row.has_details][-1:]
    payload = turn_prompt(
        view,
        version,
        usual=usual,
        mentions=mentions,
        silent=bool(actors) and not any(mentions.values()),
        deadline=addressees.deadline(),
        others_offers=(*system.offers_of_others(state), *_ending(state)),
        tools=(*move_buttons(view, version, movers), *map_buttons(view, version, state), join_button(), *details),
        stood_in=addressees.stood_in(tuple(actors)),
        story=story_of(rows, MOST_TOLD_PLAIN if view.plain else MOST_TOLD),
    )
    if view.plain and state.board is not None:
        payload.content = _with_board(payload.content, state)
    return fit(payload)


def usual_actions(table: Table, state: Encounter) -> dict[str, tuple[WholeAction, ...]]:
    """Return what each who the table waits for may do, in public terms; of a crowd of one person's, the first few."""
    actions: dict[str, tuple[WholeAction, ...]] = {}
    looked: Counter[str | None] = Counter()
    for who in system_of(state).waits_for(state):
        combatant = state.find(who)
        player = who if combatant is None else combatant.owner
        if (combatant is None or not combatant.hidden) and looked[player] < CROWD:
            looked[player] += 1
            actions[who] = public_actions(table, who)
    return actions


def _with_board(content: str, state: Encounter) -> str:
    """Add the board's first lines, who acts and who is near, as far as they fit, and how to read the rest."""
    lines = board_told(state, PUBLIC).splitlines()[1:]
    most = min(len(content) + MOST_BOARD_PLAIN, CONTENT)
    whole = "\n".join((content, *lines))
    if len(whole) <= most:
        return whole
    for line in lines:
        if len(content) + 1 + len(line) > most - len(_REST) - 1:
            break
        content += f"\n{line}"
    return content if len(content) + 1 + len(_REST) > CONTENT else f"{content}\n{_REST}"


def _ending(state: Encounter) -> tuple[Offer, ...]:
    """Offer somebody who has acted, and waits for others' answers, to end the turn after them."""
    who = system_of(state).present(state).begun_by
    if who is None or not state.held_up(who) or state.question_to(who) is not None or who in state.hidden_names:
        return ()
    return (Offer(action=ordered("end"), who=who, label="Then end the turn"),)


def _is_somebodys(state: Encounter, who: str) -> bool:
    return state.find(who) is not None or who in state.people.values()
