"""A soulweaver table whose second round begins with an attack that two silent people are asked about."""

from __future__ import annotations

from bot.waiting.waits import ReminderPlan
from rules.core.command import Command
from rules.core.registry import system_of
from rules.systems.soulweaver.state import SoulState
from tests.reminders.campaign import HOUR
from tests.reminders.silence import PLAN, SilentTable, table_of

WINDOW = 12.0  # hours: what the option says by itself


class Stack(SilentTable):
    """A soulweaver table in the turn of Dee, who attacks the Wolf; Bo and Cai are silent from then on."""

    def __init__(self, plan: ReminderPlan = PLAN) -> None:
        game = table_of("soulweaver")
        for name, zeal in (("Dee", 20), ("Ana", 15), ("Bo", 12), ("Cai", 9), ("Ogre", 6), ("Wolf", 3)):
            game.do("Gwen", "gm set", target=name, pool="initiative", value=str(zeal))
        while game.state.round == 1:
            who = game.waits_for()[0]
            game.do(who if who in game.users else "Gwen", "end", character=who)
        super().__init__(game, ("Bo", "Cai"), plan)

    async def attack(self, reacts: str | None = None) -> float:
        """Let Dee attack, and somebody who is there react; return the hours until nobody is asked any more."""
        began = self.clock.now
        await self.perform("Dee", Command(action="attack", character="Dee", target="Wolf"))
        await self._note(2)
        if reacts is not None:
            await self.perform(reacts, Command(action="react", character=reacts, note="Trip"))
            await self._note(2)
        return await self.answered(began)

    async def answered(self, began: float) -> float:
        for _ in range(60):
            state = await self.state()
            if not state.questions:
                return (self.clock.now - began) / HOUR
            if not await self._act(state):
                await self._wait(state)
        raise AssertionError(f"{state.questions} are not answered")

    async def soul(self) -> SoulState:
        state = await self.state()
        assert isinstance(state, SoulState)
        return state

    async def pass_turn(self) -> SoulState:
        """Let the one who has the turn end it."""
        state = await self.state()
        who = system_of(state).waits_for(state)[0]
        await self.perform(self.player(state, who), Command(action="end", character=who))
        return await self.soul()
