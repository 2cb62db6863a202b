"""Two to six people who play Speaking Stones with their thumbs, and an ear at everybody's door.

The deck holds each stone once, so that a stone named to somebody can only be the one that another person holds.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

from bot.discord.client import RefereeClient
from rules.core.registry import system_of
from rules.systems.stones.players import excess
from rules.systems.stones.state import StonesState
from tests.e2e.eavesdrop import Eavesdropper
from tests.e2e.loopback import Answer, Seat, Shown, Table
from tests.e2e.referee import prompts, quiet
from tests.rules.stones.scene import everything

ELEMENTS = ("Ash", "Brine", "Chalk", "Dusk", "Ember", "Frost", "Gale", "Haze", "Iron", "Jade", "Kelp", "Loam")
OPTIONS = f"elements={'+'.join(ELEMENTS)}, stones=1/1/1/1/1"
SHEET = "HP 6, ATK 5, ARM 1, MOV 4, RNG 20, CRT 30, TYPE Physical"
TAPS = 12


class StonesTable:
    """One game: its people, its state, and what each person has been allowed to read so far."""

    def __init__(self, world: Table, client: RefereeClient, players: Sequence[str], *, gm: str = "Gwen") -> None:
        self.world = world
        self.client = client
        self.gm = world.person(gm)
        self.players = {name: world.invite(name) for name in players}
        self.ear = Eavesdropper(world)
        self.open: set[str] = set()  # stones that everybody has seen
        self.own: dict[str, set[str]] = {}  # user → stones that they have held
        self.looked_at = 0

    async def set_up(self, sides: Iterable[str], options: str, *, each: int = 1, sheet: str = SHEET) -> None:
        """Seat the players, `each` with so many characters, in turn on the sides, and begin."""
        await self.gm.slash(f"/encounter start system:stones name:Quarry options:{OPTIONS}, {options}")
        for number, (seat, side) in enumerate(zip(self.players.values(), sides, strict=True)):
            for letter in "XYZ"[:each]:
                name = f"{seat.name}{letter}"
                blow, skin = ELEMENTS[(2 * number) % 12], ELEMENTS[(2 * number + 1) % 12]
                await seat.slash(f"/character add name:{name} sheet:{sheet} system:stones")
                await self._ability(
                    seat,
                    name,
                    f"Blow of {blow}",
                    f"card offensive; element {blow}; cost 3; "
                    "duration 2; text [Standard Attack], [On 1-50] adds [Burn]",
                )
                await self._ability(
                    seat,
                    name,
                    f"Skin of {skin}",
                    f"card defensive; element {skin}; cost 2; ARM +1; text [Fuse] Harder to hurt.",
                )
                await seat.slash(f"/join character:{name} side:{side}")
        await self.gm.slash("/encounter begin")
        await quiet(self.world, self.client)

    async def _ability(self, seat: Seat, name: str, ability: str, fields: str) -> None:
        await seat.slash(f"/character ability name:{name} ability:{ability} fields:{fields}")

    @property
    def state(self) -> StonesState:
        found = self.client.tables.loaded(self.world.place("tavern").id)
        assert found is not None
        assert isinstance(found.encounter, StonesState)
        return found.encounter

    @property
    def prompt(self) -> Shown:
        """The one prompt that lives."""
        (found,) = prompts(self.gm)
        return found

    def who_is_waited_for(self) -> list[Seat]:
        """Return the people whom the table waits for."""
        state = self.state
        able = {state.combatant(name).owner for name in system_of(state).waits_for(state)}
        return [seat for seat in self.players.values() if seat.id in able]

    # What must hold at any moment

    def listen(self) -> None:
        """Search all that was received for stones that were not theirs who received it. Rule: G-04."""
        state = self.state
        self.open.update(state.discards)
        self.open.update(card for lying in state.fused.values() for cards in lying.values() for card in cards)
        for user, cards in state.hands.items():
            self.own.setdefault(user, set()).update(cards)
        total = everything(state)
        assert sum(total.values()) == len(state.definition) == 60
        assert set(total.values()) == {1}, "a stone is in two places"
        hidden = [card for card in state.definition if card not in self.open]
        for reader, text in self.ear.since():
            self.looked_at += 1
            known = self.own.get(reader or "", set())
            found = [card for card in hidden if card not in known and card in text]
            assert not found, f"{reader or 'everybody'} read {found}: {text[:600]}"

    # Thumbs

    async def tap(self, seat: Seat, rng: random.Random) -> str:
        """Do the next sensible thing by the prompt's buttons, else by the private panel; return what came of it."""
        prompt = self.prompt
        wanted = self._wish(seat, rng)
        label = next((label for label in prompt.buttons if label == wanted), None)
        if label is not None:
            return f"{label}: {await self.follow(seat, await seat.press(prompt, label), rng)}"
        panel = await seat.press(prompt, "My turn")
        assert panel.ephemeral
        label = next((label for label in panel.buttons if label.startswith(wanted)), None)
        if label is None:
            panel = await seat.press(panel, "More …")
            label = next((label for label in panel.buttons if label.startswith(wanted)), None)
        assert label is not None, f"{wanted} is in no button of {prompt.buttons} or {panel.buttons}"
        return f"{label}: {await self.follow(seat, await seat.press(panel, label), rng)}"

    def _wish(self, seat: Seat, rng: random.Random) -> str:
        """Return the label of what somebody would do next who knows the rules and is in a hurry."""
        state = self.state
        mine = [each.name for each in state.combatants if each.owner == seat.id]
        legal = {offer.label for name in mine for offer in system_of(state).offers(state, name)}
        over = excess(state, seat.id)
        rank = ["Begin", "Fuse" if rng.random() < 0.5 else "Ability", "Ability", "Attack", "Activate"]
        rank += ["Move"] if rng.random() < 0.2 else []
        rank += ["Break"] if over and rng.random() < 0.3 else []
        rank += ["Discard"] if over else []
        return next(label for label in (*rank, "End turn") if label in legal)

    async def follow(self, seat: Seat, asked: Answer, rng: random.Random) -> str:
        """Answer select after select, form after form, until something is done or refused."""
        for _ in range(TAPS):
            if asked.modal is not None:
                asked = await seat.submit(asked, {"amount": "2"})
                continue
            shown = asked.shown
            if not shown.ephemeral or not shown.components or "Earlier" in shown.buttons:
                return asked.text  # it is done: nothing is asked, or the panel is there anew
            if shown.selects:
                menu = shown.selects[0]
                values = [option["value"] for option in menu["options"]]
                count = min(menu.get("max_values", 1), len(values), rng.randint(1, 6))
                asked = await seat.select(asked, *rng.sample(values, count))
            elif "Leave it" in shown.buttons:  # asked first, since it forgoes something
                asked = await seat.press(asked, shown.buttons[0])
            else:
                asked = await seat.press(asked, rng.choice(shown.buttons))
        raise AssertionError(f"no end of taps: {asked.text}")


def taps(seed: Any) -> random.Random:
    return random.Random(str(seed))
