"""Somebody who plays with their thumb: reads buttons and menus, and takes the way with the fewest presses.

A button or an entry that is the whole action is one press; else the action's button is pressed, and what it asks is
selected. What the public prompt lacks is in the private panel, one press away unless it is open and speaks of now.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot import custom_ids
from bot.discord.client import RefereeClient
from bot.discord_numbers import Component
from bot.local.people import walk
from bot.table.room import Room
from bot.waiting.waits import PASS
from data.rows import OPEN
from rules.core.encounter import Encounter
from rules.core.offer import Offer
from rules.core.registry import system_of
from rules.core.values import Seat as Role
from rules.core.views.view import view_of
from tests.bench._counts import Cause, Counts
from tests.e2e.days import Later
from tests.e2e.loopback import Answer, Seat, Shown, Table, label
from tests.e2e.referee import prompts, quiet, rest

WHOSE = re.compile(r"^(?P<words>.*) \((?P<who>[^()]+)\)$")
MOST_QUESTIONS = 6
_ASKS = {custom_ids.CHOOSE, custom_ids.GOAL, custom_ids.ACT, custom_ids.FORM, custom_ids.WHOLE}
TOKENS_END_SECONDS = 16 * 60
GM = "Gwen"
REACT = "React…"
PLAYERS = ("Ana", "Bo", "Cai", "Dee")


@dataclass(frozen=True)
class Wish:
    """What somebody would do next, if the rules let them: an action, and words that what they choose holds.

    `words` are looked for in labels of whole actions (all of them) and in each list that is asked (any of them);
    `typed` goes into forms, by the field's name. `once`: at most once in a round for each actor. `asked`: only as an
    answer. `button` is one that means the same or more (*Pass this round*), on the prompt or behind *React…*.
    """

    action: str
    words: tuple[str, ...] = ()
    typed: dict[str, str] = field(default_factory=dict)
    once: bool = False
    asked: bool = False
    button: str = ""


@dataclass(frozen=True)
class Entry:
    """Something that can be pressed: a button, or an entry of a menu (`value`)."""

    label: str
    custom_id: str
    value: str | None = None


class Hands:
    """All the people of one table; what they press is counted."""

    def __init__(self, world: Table, client: RefereeClient, clock: Later) -> None:
        self.world = world
        self.client = client
        self.clock = clock
        self.seats = {name: world.invite(name) for name in (GM, *PLAYERS)}
        self.counts = Counts(world, state=self._state)
        self.told: list[str] = []
        self._panels: dict[str, Shown] = {}

    @property
    def room(self) -> Room:
        found = self.client.tables.loaded(self.world.place("tavern").id)
        assert found is not None
        return found

    def _state(self) -> Encounter | None:
        found = self.client.tables.loaded(self.world.place("tavern").id)
        return None if found is None else found.encounter

    def waits_for(self) -> str:
        """Return the first actor that the table waits for."""
        state = self.room.encounter
        assert state is not None
        return system_of(state).waits_for(state)[0]

    async def types(self, name: str, line: str, cause: Cause = "typed", files: Any = None) -> Answer:
        self.world.discord.advance(TOKENS_END_SECONDS)
        with self.counts.step(line, name, cause):
            answer = await self.seats[name].slash(line, files=files)
            await self.calm()
        return answer

    async def calm(self) -> None:
        """Wait until the bot has nothing left to do."""
        await quiet(self.world, self.client)
        await rest(self.world, self.client)

    async def waits(self) -> None:
        """Let the time go by until somebody passes by itself. Raises: AssertionError if nobody will."""
        due = [row.due for row in self.room.waits if row.place == OPEN and row.kind == PASS and row.due is not None]
        if not due:
            raise self._lost(f"nobody acts, and {self.waits_for()} is waited for")
        self.clock.seconds += max(min(due) - self.clock(), 0) + 1
        self.told.append("time goes by")
        with self.counts.step("somebody passes by itself", "", "timer"):
            await self.client.scheduler.fire_due()
            await self.calm()

    # One wish

    async def does(self, name: str, offer: Offer, wish: Wish) -> None:
        """Do one thing that the rules offer. Raises: AssertionError with what was done, if nothing leads there.

        It comes when the tokens of all that was pressed before have ended, as at a table that plays over days.
        """
        self.world.discord.advance(TOKENS_END_SECONDS)
        seat = self.seats[name]
        (prompt,) = prompts(seat)
        live = self._found(_entries(prompt), offer, wish)
        private = self._found(_entries_of(self._panel_of(seat)), offer, wish)
        opened = self._open_panel(seat, private[1])
        ways = [(weight, 0, entry) for weight, entry in [live] if entry is not None]
        if private[1] is not None:
            ways.append((private[0] + (opened is None), 1, private[1]))
        if not ways:
            raise self._lost(f"{name} finds no way to {offer.action} of {offer.who} in {prompt.buttons}")
        _, is_private, entry = min(ways, key=lambda way: way[:2])
        before = self.room.next_seq
        where = prompt
        if is_private:
            where = opened or await self._opens(seat, prompt)
        answer = await self._press(seat, where, entry, "press" if is_private else "prompt", offer.action)
        await self._follows(seat, answer, offer, wish, before)

    def _found(self, entries: Sequence[Entry], offer: Offer, wish: Wish) -> tuple[int, Entry | None]:
        """Return how many presses an entry takes at least, and the entry."""
        best: tuple[int, Entry | None] = (99, None)
        state = self.room.encounter
        assert state is not None
        own = [each.label for each in entries if each.label.startswith(offer.label)]
        for entry in entries:
            words, who = entry.label, ""
            if (match := WHOSE.match(words)) and match["who"] in system_of(state).actors(state):
                words, who = match["words"], match["who"]
            if who not in {"", offer.who}:
                continue
            is_named = words.partition(" · ")[0].removesuffix(" …") == offer.label
            # A weapon is in the words of a button if there are several.
            known = tuple(word for word in wish.words if any(word in each for each in own))
            is_whole = words.startswith(offer.label) and wish.words[:1] == known[:1] != ()
            is_whole = is_whole and all(word in words for word in known)
            if wish.button and words == wish.button:
                return 0, entry
            if wish.button and words == REACT and any(offer.action in each.choices for each in state.questions):
                best = min(best, (1, entry), key=lambda way: way[0])
                continue
            if is_whole or (is_named and (offer.needs_nothing or not wish.words)):
                weight = 1
            elif is_named:
                weight = 2
            else:
                continue
            if not who and not is_whole and self._is_shared(offer):
                weight += 1  # it asks for a target
            best = min(best, (weight, entry), key=lambda way: way[0])
        return best

    def _is_shared(self, offer: Offer) -> bool:
        """Tell whether the same person could do the same with another of theirs now."""
        state = self.room.encounter
        assert state is not None
        owner = owner_of(self.room, offer.who)
        return any(
            each.action == offer.action and not each.player_wide
            for who in system_of(state).waits_for(state)
            if who != offer.who and owner_of(self.room, who) == owner
            for each in system_of(state).offers(state, who)
        )

    def _panel_of(self, seat: Seat) -> list[dict[str, Any]]:
        """Return what the private panel would hold: people learn its buttons, and open it if it serves."""
        state = self.room.encounter
        assert state is not None
        role = Role(user=seat.id, name=seat.name, gm=seat.id in state.gms)
        view = view_of(self.room.table, role)
        assert view is not None
        return self.client.referee.panels.panel(self.room, role, view).components

    def _open_panel(self, seat: Seat, entry: Entry | None) -> Shown | None:
        """Return the panel that this person has open, if it has what they would press: that says of what turn it is."""
        panel = self._panels.get(seat.name)
        return panel if panel is not None and entry in _entries(panel) else None

    async def _opens(self, seat: Seat, prompt: Shown) -> Shown:
        with self.counts.step("My turn", seat.name, "prompt"):
            panel = (await seat.press(prompt, "My turn")).shown
            await self.calm()
        self.told.append(f"{seat.name}: My turn")
        self._panels[seat.name] = panel
        return panel

    async def _press(self, seat: Seat, where: Shown, entry: Entry, cause: Cause, what: str) -> Answer:
        with self.counts.step(f"{what}: {entry.label}", seat.name, cause) as step:
            if entry.value is None:
                answer = await seat.press(where, entry.custom_id)
            else:
                answer = await seat.select(where, entry.value, menu=entry.custom_id)
            await self.calm()
        self._tell(step.what, seat, answer)
        return answer

    async def _follows(self, seat: Seat, answer: Answer, offer: Offer, wish: Wish, before: int) -> None:
        """Choose and type what is asked until it is done."""
        for _ in range(MOST_QUESTIONS):
            if self.room.next_seq > before:
                self._keep_panel(seat, answer)
                return
            if answer.modal is not None:
                with self.counts.step(f"{offer.action}: form", seat.name, "press") as step:
                    answer = await seat.submit(answer, _written(answer.modal, wish))
                    await self.calm()
                self._tell(step.what, seat, answer)
                continue
            shown = answer.shown
            if not shown.ephemeral or not shown.components:
                break
            asked = [each for each in _entries(shown) if each.custom_id.partition("|")[0] in _ASKS]
            named = [each for each in asked if wish.button and each.label == wish.button]
            wanted = next((each for word in (*wish.words, offer.who) for each in asked if word in each.label), None)
            if wanted is None and not wish.words:  # nothing more is wished than the action itself, and surely
                wanted = next((each for each in asked if each.label in {"Leave this out", offer.label}), None)
            wanted = next(iter(named), None) or wanted
            wanted = wanted or next((each for each in asked if each.custom_id.endswith("|y")), None)
            if wanted is None:
                break
            answer = await self._press(seat, shown, wanted, "press", offer.action)
        raise self._lost(f"{offer.action} of {offer.who} leads nowhere")

    def _keep_panel(self, seat: Seat, answer: Answer) -> None:
        """Remember a panel that the step renewed in place, or keep the one that was open."""
        found = answer.original
        if found is not None and found.ephemeral and found.components:
            self._panels[seat.name] = found

    def _tell(self, what: str, seat: Seat, answer: Answer) -> None:
        shown = answer.original
        said = "a form" if answer.modal is not None else shown.text[:300] if shown is not None else ""
        self.told.append(f"{seat.name}: {what}\n    {said}")

    def _lost(self, why: str) -> AssertionError:
        return AssertionError(f"{why}, after:\n" + "\n".join(self.told[-12:]))


def owner_of(room: Room, who: str) -> str:
    """Return whose an actor is: a user's id, or nothing if it is the GM's."""
    state = room.encounter
    assert state is not None
    combatant = state.find(who)
    return "" if combatant is None else combatant.owner or ""


def _entries(message: Shown) -> list[Entry]:
    return _entries_of(list(message.components))


def _entries_of(components: Sequence[dict[str, Any]]) -> list[Entry]:
    """List all that can be pressed, in order."""
    found: list[Entry] = []
    for each in walk(list(components)):
        if each.get("disabled") or "custom_id" not in each:
            continue
        if each["type"] == Component.BUTTON:
            found.append(Entry(label(each), each["custom_id"]))
        else:
            found += [Entry(option["label"], each["custom_id"], option["value"]) for option in each.get("options", ())]
    return found


def _written(form: dict[str, Any], wish: Wish) -> dict[str, str]:
    """Return what is typed into a form: what the wish says of its fields, by their beginnings."""
    fields = [each for each in walk(form["components"]) if "custom_id" in each]
    return {
        each["custom_id"]: text
        for each in fields
        for start, text in wish.typed.items()
        if str(each["custom_id"]).startswith(start) or str(each.get("label", "")).casefold().startswith(start)
    }
